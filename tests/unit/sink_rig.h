/* A sink on its own, writing into a file in memory. Used by the tests of the sink and of the output formats. */
#ifndef SINK_RIG_H
#define SINK_RIG_H
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ops/emit/emit.h"

struct bench {
	struct mem mem;
	struct arena plan, scratch;
	struct err err;
	struct schema schema;
	struct stream in;
	struct sink_conf conf;
	struct op op;
	struct out out;
	struct batch batch;
	uint8_t need[8];
	uint64_t fail; /* so many requests from the opening on are granted, less one; 0: all */
	char *text; /* what was written, see finish */
};

static inline void start(struct bench *b, const char *format, const char *const *names, uint32_t n)
{
	memset(b, 0, sizeof *b);
	arena_init(&b->plan, &b->mem);
	arena_init(&b->scratch, &b->mem);
	schema_init(&b->schema, SCHEMA_CLOSED, &b->plan);
	for (uint32_t c = 0; c < n; c++)
		ck_assert_int_ge(schema_add(&b->schema, names[c], strlen(names[c]), strcmp(names[c], "*") ? T_RAW : T_ROW), 0);
	b->in = (struct stream){ .schema = &b->schema };
	b->conf.opt.type = emit_find(format, strlen(format));
	ck_assert_ptr_nonnull(b->conf.opt.type);
	b->conf.opt.names = b->conf.opt.type->traits & E_NAMES;
	b->batch.mem = &b->scratch;
}

/* Plans and opens; b->in and b->conf.opt are set by now. */
static inline int open_sink(struct bench *b)
{
	out_init(&b->out, memfd_create("weir", 0), "standard output", &b->mem);
	b->conf.out = &b->out;
	b->op = (struct op){ .type = &sink_op, .conf = &b->conf, .mem = &b->mem, .plan = &b->plan, .err = &b->err, .final = b->conf.opt.final };
	if (sink_op.plan(&b->op, &b->in, NULL, &b->err))
		return -1;
	sink_op.need(&b->op, NULL, b->need);
	b->op.state = arena_alloc(&b->plan, sink_op.state_size);
	memset(b->op.state, 0, sink_op.state_size);
	b->batch.ncol = b->schema.n;
	b->batch.col = arena_alloc(&b->plan, 8 * sizeof(struct column));
	memset(b->batch.col, 0, 8 * sizeof(struct column));
	for (uint32_t c = 0; c < b->schema.n; c++)
		if (b->need[c])
			b->batch.col[c].v = arena_alloc(&b->plan, BATCH_MAX * sizeof(struct value));
	b->batch.kind = arena_alloc(&b->plan, BATCH_MAX);
	b->mem.fail_at = b->fail ? b->mem.requests + b->fail : 0;
	return sink_op.open(&b->op);
}

/* Adds a row to the batch; values for the columns that are shown. */
static inline void row(struct bench *b, uint8_t kind, const struct value *v)
{
	for (uint32_t c = 0; c < b->batch.ncol; c++)
		if (b->need[c])
			b->batch.col[c].v[b->batch.n] = *v++;
	b->batch.kind[b->batch.n++] = kind;
}

static inline int push(struct bench *b)
{
	int status = b->batch.n ? sink_op.push(&b->op, &b->batch) : 0;
	b->batch.n = 0;
	return status;
}

/* Pushes what is left, ends, and gives all that was written, b->text. */
static inline const char *finish(struct bench *b)
{
	ck_assert_int_eq(push(b), 0);
	ck_assert_int_eq(sink_op.result(&b->op), 0);
	ck_assert_int_eq(out_flush(&b->out), 0);
	off_t n = lseek(b->out.fd, 0, SEEK_CUR);
	b->text = malloc((size_t)n + 1);
	ck_assert_int_eq(pread(b->out.fd, b->text, (size_t)n, 0), n);
	b->text[n] = '\0';
	return b->text;
}

static inline void stop(struct bench *b)
{
	struct err ignored = { 0 };
	if (b->op.state)
		sink_op.close(&b->op);
	if (b->out.buf.mem)
		out_close(&b->out, &ignored);
	free(b->text);
	arena_release(&b->scratch);
	arena_release(&b->plan);
	ck_assert_uint_eq(b->mem.used, 0);
}

static inline struct value text(const char *p) { return value_text(p, (uint32_t)strlen(p)); }
static inline struct value raw(const char *p) { return value_raw(p, (uint32_t)strlen(p)); }

static const char *const names[] = { "a", "b", "c" };

/* Four rows of three columns that hold every kind, type and byte with a meaning. */
static inline void every_kind_of_row(struct bench *b)
{
	row(b, K_I, (struct value[]){ text("a\tb"), value_int(1), value_null() });
	row(b, K_UB | K_PAIR, (struct value[]){ raw("x\\y"), { .type = V_DEC, .scale = 2, .u.i = -105 }, text("") });
	row(b, K_UA, (struct value[]){ raw("x,\"y\""), value_bool(true), raw("1\n2\r") });
	row(b, K_D, (struct value[]){ raw("\x1b[1m"), { .type = V_BIG, .len = 21, .u.p = "123456789012345678901" }, raw("\xc3\xa9") });
}

/* Runs the tests in this process; the exit status. */
static inline int run(Suite *suite)
{
	SRunner *sr = srunner_create(suite);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
#endif
