#include "parse/jobfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"

enum { MOST = 1 << 20 /* bytes of a job file */ };

static const char blanks[] = " \t";

static int fail(const char *name, const char *why, struct err *err)
{
	return err_set(err, ERR_FAILED, "--job %s: %s", name, why);
}

/* All bytes of fd. */
static int read_all(struct buf *bytes, int fd, const char *name, struct err *err)
{
	for (;;) {
		char *to = buf_room(bytes, 4096);
		if (!to)
			return err_memory(err);
		ssize_t n = read(fd, to, 4096);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(name, strerror(errno), err);
		if (!n)
			return 0;
		bytes->n += (size_t)n;
		if (bytes->n > MOST)
			return fail(name, "longer than 1 MiB; is it a job file?", err);
	}
}

static int take_bytes(struct jobfile *file, struct arena *mem, const struct buf *bytes, struct err *err)
{
	static const char bom[] = "\xef\xbb\xbf";
	size_t skip = bytes->n >= 3 && !memcmp(bytes->p, bom, 3) ? 3 : 0, n = bytes->n - skip;
	const char *p = bytes->n ? bytes->p + skip : "";
	if (memchr(p, '\0', n))
		return fail(file->name, "it holds a zero byte; is it a job file?", err);
	file->text = arena_copy(mem, p, n);
	file->words = arena_copy(mem, p, n);
	if (!file->text || !file->words)
		return err_memory(err);
	file->lines = 1;
	for (size_t i = 0; i < n; i++)
		file->lines += p[i] == '\n';
	return 0;
}

int jobfile_read(struct jobfile *file, const char *path, int stdin_fd, struct arena *mem, struct err *err)
{
	bool shared = !strcmp(path, "-");
	*file = (struct jobfile){ .name = shared ? "stdin" : path };
	int fd = shared ? stdin_fd : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(path, strerror(errno), err);
	struct buf bytes;
	buf_init(&bytes, mem->mem);
	int status = read_all(&bytes, fd, file->name, err);
	if (!shared)
		close(fd);
	if (!status)
		status = take_bytes(file, mem, &bytes, err);
	buf_release(&bytes);
	return status;
}

/* Cuts the next line off; gives it without blanks around it, and without the CR at its end. */
static char *cut_line(char **rest)
{
	char *line = *rest, *end = strchr(line, '\n');
	*rest = end ? end + 1 : NULL;
	if (!end)
		end = line + strlen(line);
	if (end > line && end[-1] == '\r')
		end--;
	while (end > line && strchr(blanks, end[-1]))
		end--;
	*end = '\0';
	return line + strspn(line, blanks);
}

bool jobfile_next(struct jobfile *file, struct jobfile_line *line)
{
	while (file->text) {
		line->text = cut_line(&file->text);
		line->word[0] = cut_line(&file->words);
		file->line++;
		if (!*line->text || *line->text == '#')
			continue;
		char *end = line->word[0] + strcspn(line->word[0], blanks), *equals = strchr(line->word[0], '=');
		bool cut = *end && !(equals && equals < end && !strncmp(line->word[0], "--", 2));
		line->words = cut ? 2 : 1;
		if (cut) {
			*end = '\0';
			line->word[1] = end + 1 + strspn(end + 1, blanks);
		}
		return true;
	}
	return false;
}
