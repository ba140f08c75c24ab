#include "tests/unit/source_rig.h"

#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int input_fd(const char *p, size_t len, bool as_pipe)
{
	int fd[2];
	if (as_pipe) {
		ck_assert_int_eq(pipe(fd), 0);
		ck_assert_int_eq((int)write(fd[1], p, len), (int)len);
		close(fd[1]);
		return fd[0];
	}
	fd[0] = memfd_create("input", 0);
	ck_assert_int_ge(fd[0], 0);
	ck_assert_int_eq((int)write(fd[0], p, len), (int)len);
	lseek(fd[0], 0, SEEK_SET);
	return fd[0];
}

struct run {
	const struct source_case *c;
	struct source_options opt;
	const char *file[RIG_FILES];
	char path[RIG_FILES][40];
	int fd[RIG_FILES];
	const char *field[32];
	uint32_t field_len[32];
	struct buf *out, told;
	uint8_t need[64];
	uint32_t show[64], nshow; /* columns in the order asked for */
};

/* Kept apart: when a line is told, before or behind the rows of its batch, depends on the size of batches. */
static void report(void *ctx, const char *line)
{
	struct run *r = ctx;
	buf_putc(&r->told, '!');
	for (uint32_t i = 0; i < r->opt.nfile; i++)
		if (!strncmp(line, r->path[i], strlen(r->path[i]))) {
			buf_printf(&r->told, "file%u", i + 1);
			line += strlen(r->path[i]);
		}
	buf_printf(&r->told, "%s\n", line);
}

static void set_up(struct run *r)
{
	const struct source_case *c = r->c;
	r->opt = (struct source_options){
		.input = { .format = format_find(c->format, strcspn(c->format, ":")), .spec = strchr(c->format, ':') ? strchr(c->format, ':') + 1 : NULL, .delimiter = c->delimiter, .header = c->header == 2 ? 0 : c->header ? 1 : -1,
			.ragged = c->ragged, .null_text = c->null_text, .null_len = c->null_text ? (uint32_t)strlen(c->null_text) : 0, .max_line = c->max_line },
		.max_bad = c->max_bad_given ? c->max_bad : UINT64_MAX, .max_bad_percent = c->percent ? c->percent : -1, .bad_file = c->bad_file,
		.quiet = c->quiet, .clock_input = c->clock_input, .read_max = c->read_max, .batch_max = c->batch_max, .upsert = true, .report = report, .ctx = r,
	};
	uint32_t n = 0;
	for (; n < RIG_FILES && c->in[n].p; n++) {
		r->fd[n] = input_fd(c->in[n].p, c->in[n].len, c->pipe);
		snprintf(r->path[n], sizeof r->path[n], "/dev/fd/%d", r->fd[n]);
		r->file[n] = r->path[n];
	}
	r->opt.stdin_fd = r->fd[0];
	r->opt.nfile = n > 1 ? n : 0;
	r->opt.file = r->file;
	for (const char *f = c->fields; f; f = strchr(f, ',') ? strchr(f, ',') + 1 : NULL) {
		r->field[r->opt.input.nfield] = f;
		r->field_len[r->opt.input.nfield++] = (uint32_t)strcspn(f, ",");
	}
	r->opt.input.field = r->field;
	r->opt.input.field_len = r->field_len;
}

/* Looks the columns up, as planning would; false if one is not there. */
static bool choose(struct run *r, struct source *s)
{
	for (const char *p = r->c->columns; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		char last = p[len - 1];
		unsigned need = last == '#' ? NEED_NUMBER : last == '?' ? NEED_BOOL : last == '@' ? NEED_TIME : NEED_VALUE;
		struct schema_place place;
		if (!schema_find(source_schema(s), p, len - (need != NEED_VALUE), &place)) {
			buf_printf(r->out, "no column %.*s\n", (int)len, p);
			return false;
		}
		ck_assert_int_lt(place.field, 0);
		r->need[place.col] |= (uint8_t)need;
		r->show[r->nshow++] = place.col | (need == NEED_NUMBER ? 0x100 : 0);
		p += len;
	}
	return true;
}

static void put_value(struct buf *out, const struct value *v)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	if (v->type == V_NULL) {
		ck_assert(!v->len && !v->flags);
		buf_puts(out, "\\N");
		return;
	}
	if (v->type == V_ROW) {
		buf_putc(out, '[');
		for (uint32_t i = 0; i < v->len; i++) {
			if (i)
				buf_putc(out, '|');
			put_value(out, &v->u.row[i]);
		}
		buf_putc(out, ']');
		return;
	}
	uint32_t len = value_print(v, scratch, &p);
	const char *quote = v->flags & VF_QUOTED ? "\"" : "";
	buf_puts(out, quote);
	for (uint32_t i = 0; i < len; i++) {
		ck_assert(!(v->flags & VF_CLEAN && strchr("\t\n\r\\", p[i]) && p[i]));
		buf_printf(out, (unsigned char)p[i] < 0x20 ? "\\x%02x" : "%c", (unsigned char)p[i]);
	}
	buf_puts(out, quote);
}

static void put_rows(struct run *r, const struct batch *b)
{
	static const char *const kind[] = { "+I", "-U", "+U", "-D" };
	for (uint32_t i = 0; i < b->n; i++) {
		uint8_t k = batch_kind(b, i);
		buf_printf(r->out, "%s%s", kind[k & K_MASK], k & K_PAIR ? "*" : "");
		if (k & K_PAIR)
			ck_assert(i + 1 < b->n && b->kind[i + 1] == K_UA);
		for (uint32_t c = 0; c < r->nshow; c++) {
			const struct column *col = &b->col[r->show[c] & 0xff];
			buf_putc(r->out, '|');
			put_value(r->out, r->show[c] & 0x100 ? &col->num[i] : &col->v[i]);
		}
		buf_putc(r->out, '\n');
	}
}

static void put_key(struct run *r, struct source *s)
{
	uint32_t n;
	const uint32_t *key = source_key(s, &n);
	if (n)
		buf_puts(r->out, "key");
	for (uint32_t i = 0; i < n; i++)
		buf_printf(r->out, " %s", source_schema(s)->col[key[i]].name);
	if (n)
		buf_putc(r->out, '\n');
}

static void read_all(struct run *r, struct source *s, struct err *err)
{
	struct batch *batch;
	for (;;) {
		enum source_status status = source_next(s, &batch);
		if (status == SOURCE_ROWS) {
			ck_assert_uint_gt(batch->n, 0);
			put_rows(r, batch);
		} else if (status == SOURCE_CONTROL) {
			struct control control = source_control(s);
			buf_printf(r->out, "@%s %lld\n", control.kind == C_WM ? "wm" : "pt", (long long)control.value);
		} else if (status == SOURCE_BLOCK) {
			uint32_t nfd;
			struct pollfd *fds = source_fds(s, &nfd);
			poll(fds, nfd, 1000);
		} else {
			break;
		}
	}
	struct err at_end = { 0 };
	source_finish(s, &at_end);
	buf_put(r->out, r->told.p, r->told.n);
	buf_printf(r->out, "= %llu records, %llu bad, ", (unsigned long long)source_records(s), (unsigned long long)source_bad(s));
	buf_printf(r->out, "%s%s%s\n", err->code ? err->text : "", err->code && at_end.code ? "; " : "", at_end.code ? at_end.text : err->code ? "" : "well");
}

uint64_t source_run(const struct source_case *c, struct buf *out)
{
	struct run r = { .c = c, .out = out };
	struct mem mem = { .fail_at = c->fail_at };
	struct arena plan;
	struct err err = { 0 };
	struct source *s;
	struct mem told = { 0 };
	buf_init(&r.told, &told);
	set_up(&r);
	arena_init(&plan, &mem);
	const struct format *format = r.opt.input.format;
	if ((format->prepare && format->prepare(&r.opt.input, &plan, &err)) || source_open(&s, &r.opt, &plan, &mem, &err)) {
		ck_assert(err.code);
		buf_printf(out, "= %s\n", err.text);
	} else {
		put_key(&r, s);
		if (source_empty(s))
			buf_puts(out, "empty\n");
		else if (choose(&r, s)) {
			if (source_start(s, r.need))
				buf_printf(out, "= %s\n", err.text);
			else
				read_all(&r, s, &err);
		}
		source_close(s);
	}
	arena_release(&plan);
	buf_release(&r.told);
	ck_assert_uint_eq(mem.used, 0);
	for (uint32_t i = 0; i < RIG_FILES && c->in[i].p; i++)
		close(r.fd[i]);
	return mem.requests;
}

void source_refuse(const struct source_case *given, const char *also)
{
	struct mem mem = { 0 };
	struct source_case run = *given;
	struct buf out;
	buf_init(&out, &mem);
	uint64_t requests = source_run(&run, &out);
	for (run.fail_at = 1; run.fail_at <= requests; run.fail_at++) {
		out.n = 0;
		source_run(&run, &out);
		buf_putc(&out, '\0');
		bool told = strstr(out.p, "memory") || strstr(out.p, "no column") || (also && strstr(out.p, also)); /* a column that cannot be made is not found */
		ck_assert_msg(told, "%llu: %s", (unsigned long long)run.fail_at, out.p);
	}
	buf_release(&out);
}

const char *source_text(const struct source_case *c)
{
	static struct mem mem;
	static struct buf out;
	buf_release(&out);
	buf_init(&out, &mem);
	source_run(c, &out);
	buf_putc(&out, '\0');
	return out.p;
}
