#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parse/source_parts.h"

enum {
	KEEP_OPEN = 200,       /* regular files beyond are closed again after the look into them: descriptors are few */
	MAX_LINE = 16 << 20,   /* default */
	MAX_LINE_MOST = 1 << 30,
};

/* A word of the little language where a file is expected: its argument has come apart. */
static bool is_word(const char *path)
{
	static const char *const words[] = { "every", "offset", "by", "as", "where", "of", "or", "count", "idle", "ahead", "desc", "asc", "purge", "after" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(path, words[i]))
			return true;
	return false;
}

int source_open_file(struct source *s, struct source_file *file)
{
	struct stat st;
	if (file->shared)
		file->fd = s->opt.stdin_fd;
	while (file->fd < 0) {
		file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO that nobody writes to yet holds nobody up; before each read there is a poll */
		if (file->fd < 0 && errno != EINTR)
			return err_set(s->err, ERR_FAILED, "%s: %s%s", file->name, strerror(errno), is_word(file->path) ? "; an argument with blanks needs quotes" : "");
	}
	if (fstat(file->fd, &st))
		return err_set(s->err, ERR_FAILED, "%s: %s", file->name, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return err_set(s->err, ERR_FAILED, "%s: %s", file->name, strerror(EISDIR));
	file->regular = S_ISREG(st.st_mode);
	off_t at = file->regular ? lseek(file->fd, 0, SEEK_CUR) : 0;
	file->size = file->regular && st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
	if (!file->shared)
		fcntl(file->fd, F_SETFL, fcntl(file->fd, F_GETFL) & ~O_NONBLOCK);
	return 0;
}

void source_close_file(struct source_file *file)
{
	if (file->fd >= 0 && !file->shared)
		close(file->fd);
	file->fd = -1;
}

/* Looks into a regular file without moving its offset: what is wrong with its head is told before any output. 0 or -1. */
static int look_into(struct source *s, const struct source_file *file)
{
	struct buf bytes;
	struct arena mem;
	buf_init(&bytes, s->mem);
	arena_init(&mem, s->mem);
	off_t start = lseek(file->fd, 0, SEEK_CUR);
	enum head_status status = HEAD_MORE;
	while (status == HEAD_MORE) {
		size_t used, room = bytes.n ? bytes.n : 4096;
		char *to = buf_room(&bytes, room);
		ssize_t n = to ? pread(file->fd, to, room, start + (off_t)bytes.n) : -1;
		if (n < 0 && to && errno == EINTR)
			continue;
		if (n < 0) {
			to ? err_set(s->err, ERR_FAILED, "%s: %s", file->name, strerror(errno)) : err_memory(s->err);
			break;
		}
		bytes.n += (size_t)n;
		if (s->opt.unpack && packing_find(bytes.p, bytes.n, n == 0, &(bool){ false })) {
			status = HEAD_DONE; /* its head is seen when its turn comes */
			break;
		}
		struct schema names;
		schema_init(&names, SCHEMA_CLOSED, &mem);
		struct head head = { .names = &names };
		status = source_read_head(s, file->name, bytes.p, bytes.n, n == 0, &head, &used);
		bool says = status == HEAD_DONE && (names.n || !format_header(&s->opt.input)) && bytes.n;
		if (says && source_match(s, file->name, &head, NULL))
			status = HEAD_FAILED;
	}
	buf_release(&bytes);
	arena_release(&mem);
	return status == HEAD_DONE ? 0 : -1;
}

static int list_files(struct source *s)
{
	static const char *const standard_input[] = { "-" };
	const char *const *path = s->opt.nfile ? s->opt.file : standard_input;
	s->nfile = s->opt.nfile ? s->opt.nfile : 1;
	s->last = s->nfile;
	s->file = arena_alloc(s->plan, s->nfile * sizeof *s->file);
	if (!s->file)
		return err_memory(s->err);
	for (uint32_t i = 0; i < s->nfile; i++) {
		bool shared = !strcmp(path[i], "-");
		s->file[i] = (struct source_file){ .path = path[i], .name = shared ? "stdin" : path[i], .fd = -1, .shared = shared };
	}
	return 0;
}

static int open_files(struct source *s)
{
	for (uint32_t i = 0; i < s->nfile; i++) {
		if (source_open_file(s, &s->file[i]))
			return -1;
		if (i >= KEEP_OPEN && s->file[i].regular)
			source_close_file(&s->file[i]);
	}
	return 0;
}

/* The columns known without reading: the format's own, or those of --fields. */
static int first_schema(struct source *s)
{
	const struct input_options *in = &s->opt.input;
	bool paths = in->format->traits & F_PATHS, closed = in->format->schema || in->nfield;
	schema_init(&s->schema, paths ? SCHEMA_PATHS : closed ? SCHEMA_CLOSED : SCHEMA_POSITIONS, s->plan);
	s->named = s->schema.kind == SCHEMA_CLOSED;
	if (in->format->schema && in->format->schema(in, &s->schema))
		return err_memory(s->err);
	for (uint32_t i = 0; i < in->nfield; i++)
		if (schema_add(&s->schema, in->field[i], in->field_len[i], T_RAW) < 0)
			return err_memory(s->err);
	return 0;
}

/* Reads on to the first head that says something; waits for it. */
static int first_head(struct source *s)
{
	while (source_has_head(s) && s->now < s->nfile) {
		enum head_status status = source_enter(s);
		struct reader *r = &s->in->reader;
		enum read_status more = status == HEAD_MORE ? source_fill(s, s->in, true) : READ_MORE;
		if (status == HEAD_FAILED || more == READ_FAILED)
			return -1;
		if (more == READ_WAIT)
			r->eof = true; /* somebody asked to stop: what came so far is the input */
		if (status != HEAD_DONE)
			continue;
		if (s->seen)
			break;
		source_leave(s);
	}
	if (!s->seen && s->opt.input.format->traits & F_KINDS)
		s->kinds = S_U | S_D;
	return 0;
}

/* Regular files behind the first. */
static int look_ahead(struct source *s)
{
	for (uint32_t i = s->now; i < s->nfile; i++) {
		struct source_file *file = &s->file[i];
		if (!file->regular || file->shared || (i == s->now && s->in->entered))
			continue;
		bool again = file->fd < 0;
		if ((again && source_open_file(s, file)) || look_into(s, file))
			return -1;
		if (again)
			source_close_file(file);
	}
	return 0;
}

/* As many lanes as the most pipes side by side, one at least. */
static int make_lanes(struct source *s)
{
	uint32_t most = 1;
	for (uint32_t i = 0, run = 0; i < s->nfile; i++) {
		run = s->file[i].regular ? 0 : run + 1;
		most = run > most ? run : most;
	}
	s->lane = arena_alloc(s->plan, most * sizeof *s->lane);
	s->fd = arena_alloc(s->plan, most * READER_FDS * sizeof *s->fd);
	s->ended = arena_alloc(s->plan, most * sizeof *s->ended);
	if (!s->lane || !s->fd || !s->ended)
		return err_memory(s->err);
	size_t read_max = s->opt.read_max && s->opt.read_max < READ_BLOCK ? s->opt.read_max : READ_BLOCK;
	for (; s->lanes < most; s->lanes++) {
		struct lane *lane = &s->lane[s->lanes];
		const struct format *format = s->opt.input.format;
		*lane = (struct lane){ .reader = { .fd = -1, .mem = s->mem, .read_max = read_max, .stop = s->opt.stop } };
		lane->decoder = (struct decoder){ .type = format, .opt = &s->opt.input, .row_col = -1, .err = s->err };
		lane->decoder.state = mem_alloc(s->mem, format->state_size);
		if (!lane->decoder.state)
			return err_memory(s->err);
		arena_init(&lane->file_mem, s->mem);
	}
	source_begin_group(s);
	return 0;
}

static int open_all(struct source *s)
{
	if (s->opt.input.header == 1 && s->opt.input.format->traits & F_KINDS)
		return err_set(s->err, ERR_USAGE, "--header: format changelog has no such line; a line @names or --fields names its columns");
	if (list_files(s) || open_files(s) || make_lanes(s) || bad_open(&s->bad, &s->opt, s->mem, s->err))
		return -1;
	return first_schema(s) || first_head(s) || look_ahead(s) ? -1 : 0;
}

int source_open(struct source **source, const struct source_options *options, struct arena *plan, struct mem *mem, struct err *err)
{
	struct source *s = *source = mem_alloc(mem, sizeof *s);
	if (!s)
		return err_memory(err);
	*s = (struct source){ .opt = *options, .plan = plan, .mem = mem, .err = err, .bad.out.fd = -1 };
	if (!s->opt.input.max_line)
		s->opt.input.max_line = MAX_LINE;
	if (s->opt.input.max_line > MAX_LINE_MOST)
		s->opt.input.max_line = MAX_LINE_MOST;
	arena_init(&s->scratch, mem);
	if (!open_all(s))
		return 0;
	source_close(s);
	*source = NULL;
	return -1;
}
