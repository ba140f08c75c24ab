/* Zones by name: files in the zone folder, by their path, and rules. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/show.h"
#include "core/zone_table.h"

enum {
	FILE_SIZE_MAX = 1 << 20, /* a few kB are usual */
	NAME_MAX_LEN = 200,
};

static bool read_all(int fd, size_t size, struct buf *buf)
{
	ssize_t got = 1;
	while (buf->n < size && (got = read(fd, buf->p + buf->n, size - buf->n)) > 0)
		buf->n += (size_t)got;
	return got >= 0;
}

/* The bytes of a plain file; false with errno. */
static bool read_file(const char *path, struct buf *buf)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* does not wait at a FIFO */
	if (fd < 0)
		return false;
	bool read = false;
	if (fstat(fd, &st) == 0) {
		if (!S_ISREG(st.st_mode) || st.st_size > FILE_SIZE_MAX)
			errno = ENOENT;
		else if (!buf_room(buf, (size_t)st.st_size + 1))
			errno = ENOMEM;
		else
			read = read_all(fd, (size_t)st.st_size, buf);
	}
	int why = errno;
	close(fd);
	errno = why;
	return read;
}

/* Does a name of the zone folder stay in it? */
static bool stays(const char *name)
{
	for (const char *p = name; *p; p++)
		if (p[0] == '.' && p[1] == '.' && (p == name || p[-1] == '/') && (!p[2] || p[2] == '/'))
			return false;
	return true;
}

/* No file bears the name. */
static int no_such(const struct zone **zone, const char *name, struct arena *mem, struct err *err)
{
	char shown[SHOW_MOST * NAME_MAX_LEN + 1], nearest[256];
	size_t len = strlen(name);
	int made = *name == '/' ? 0 : zone_of_rule(zone, name, len, mem);
	if (made)
		return made < 0 ? err_memory(err) : 0;
	show(shown, sizeof shown, name, (uint32_t)(len < NAME_MAX_LEN ? len : NAME_MAX_LEN));
	if (*name == '/')
		return err_set(err, ERR_USAGE, "no time zone file %s", shown);
	if (access(ZONE_FOLDER, F_OK) != 0)
		return err_set(err, ERR_USAGE, "no time zone '%s': there is no %s here (package tzdata); UTC needs none", shown, ZONE_FOLDER);
	bool near = zone_nearest(name, mem->mem, nearest, sizeof nearest);
	return err_set(err, ERR_USAGE, "no time zone '%s'%s%s%s", shown, near ? "; did you mean " : "; zones are named as in Europe/Berlin, America/New_York, UTC (see ",
		       near ? nearest : ZONE_FOLDER, near ? "?" : ")");
}

int zone_load(const struct zone **zone, const char *name, struct arena *mem, struct err *err)
{
	char path[sizeof ZONE_FOLDER + NAME_MAX_LEN + 1];
	struct buf file;
	*zone = NULL;
	if (strcmp(name, "UTC") == 0) /* also where there are no zone files */
		return 0;
	if (!*name || strlen(name) > NAME_MAX_LEN || (*name != '/' && !stays(name)))
		return no_such(zone, name, mem, err);
	snprintf(path, sizeof path, "%s%s", *name == '/' ? "" : ZONE_FOLDER "/", name);
	buf_init(&file, mem->mem);
	int done;
	if (read_file(path, &file))
		done = zone_parse(zone, file.p, file.n, mem, err) ? err_before(err, "%s", path) : 0;
	else if (errno == ENOMEM)
		done = err_memory(err);
	else if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG)
		done = no_such(zone, name, mem, err);
	else
		done = err_set(err, ERR_FAILED, "%s: %s", path, strerror(errno));
	buf_release(&file);
	return done;
}
