/* Every input format on any bytes: no crash, and the same rows, control lines, counts and reports for every size of reads and batches. The first four
 * bytes pick format and options, the rest is the input. FUZZ_FORMAT=name in the environment keeps to one format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/buf.h"
#include "parse/source.h"

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void put_value(struct buf *out, const struct value *v)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	buf_printf(out, "%u,%u:", v->type, v->flags & VF_QUOTED);
	if (v->type == V_ROW) {
		for (uint32_t i = 0; i < v->len; i++)
			put_value(out, &v->u.row[i]);
		return;
	}
	uint32_t len = value_print(v, scratch, &p);
	if (v->flags & VF_CLEAN)
		require(!memchr(p, '\t', len) && !memchr(p, '\n', len) && !memchr(p, '\r', len) && !memchr(p, '\\', len));
	buf_put(out, p, len);
}

static void put_rows(struct buf *out, const struct batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		buf_printf(out, "\n%u", batch_kind(b, i));
		require(!(batch_kind(b, i) & K_PAIR) || (i + 1 < b->n && b->kind[i + 1] == K_UA));
		for (uint32_t c = 0; c < b->ncol; c++) {
			if (b->col[c].v)
				put_value(out, &b->col[c].v[i]);
			if (b->col[c].num)
				put_value(out, &b->col[c].num[i]);
		}
	}
}

static void report(void *ctx, const char *line)
{
	struct buf *told = ctx;
	buf_puts(told, line);
}

/* What the chain would read: some columns, one of them as a number. */
static void choose(struct source *s, uint8_t need[16])
{
	struct schema *schema = source_schema(s);
	struct schema_place place;
	static const char *const name[] = { "c2", "c1", "*", "record" };
	for (int i = 0; i < 4; i++)
		schema_find(schema, name[i], strlen(name[i]), &place);
	for (uint32_t c = 0; c < schema->n && c < 16; c++)
		need[c] = schema->col[c].type == T_ROW ? 1 : c == 0 ? 3 : c == 2 ? 0 : 1;
}

/* Specifications for formats that need one. */
static const char *spec_of(const struct format *format, uint8_t pick)
{
	static const char *const nginx[] = { "$a [$time_local] \"$request\" $upstream_b", "escape=json '{\"a\":\"$a\",\"b\":$b}'", "'$host$uri' - \"$http_user_agent\"" };
	static const char *const apache[] = { "%h %{%e %b %Y}t.%{msec_frac}t \"%r\" %{X-Forwarded-For}i %X", "%v:%p %r %>s", "%U%q|%{A}C" };
	static const char *const regex[] = { "(?<a>\\w+)(?<b>,[^,]*)?", "^(?<k>[^=]*)=(?<v>.*)$", "(?<n>(a|ab)(c|bcd)*)+" };
	const char *const *specs = !strcmp(format->name, "nginx") ? nginx : !strcmp(format->name, "apache") ? apache : regex;
	return format->traits & F_SPEC ? specs[pick % 3] : NULL;
}

static void run(const struct source_options *given, int fd, uint64_t fail_at, struct buf *out)
{
	struct mem mem = { .fail_at = fail_at }, told_mem = { 0 };
	struct err err = { 0 }, last = { 0 };
	struct arena plan;
	struct source *s;
	struct buf told;
	struct source_options opt = *given;
	buf_init(&told, &told_mem);
	opt.ctx = &told;
	opt.stdin_fd = fd;
	lseek(fd, 0, SEEK_SET);
	arena_init(&plan, &mem);
	if ((!opt.input.format->prepare || !opt.input.format->prepare(&opt.input, &plan, &err)) && !source_open(&s, &opt, &plan, &mem, &err)) {
		uint8_t need[1 << 16] = { 0 };
		choose(s, need);
		enum source_status status = SOURCE_FAILED;
		struct batch *batch;
		if (source_schema(s)->n < sizeof need && !source_start(s, need))
			while ((status = source_next(s, &batch)) == SOURCE_ROWS || status == SOURCE_CONTROL) {
				if (status == SOURCE_ROWS)
					put_rows(out, batch);
				else
					buf_printf(out, "\n@%d %lld", source_control(s).kind, (long long)source_control(s).value);
			}
		require(status == SOURCE_END || (status == SOURCE_FAILED && err.code));
		source_finish(s, &last);
		buf_printf(out, "\n%llu %llu", (unsigned long long)source_records(s), (unsigned long long)source_bad(s));
		source_close(s);
	}
	buf_printf(out, "%s%s%.*s", err.text, last.text, (int)told.n, told.p ? told.p : "");
	buf_release(&told);
	arena_release(&plan);
	require(!mem.used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 4 || size > 4096)
		return 0;
	static const size_t reads[] = { 1, 2, 3, 7, 50, 0 };
	static const uint32_t batches[] = { 1, 2, 3, 7, 50, 0 };
	uint32_t nformat = 0;
	while (formats[nformat])
		nformat++;
	const char *only = getenv("FUZZ_FORMAT");
	const struct format *format = only ? format_find(only, strlen(only)) : formats[data[0] % nformat];
	struct source_options opt = {
		.input = { .format = format, .spec = spec_of(format, (uint8_t)(data[0] / nformat)), .header = data[1] % 3 - 1, .ragged = data[1] & 4, .max_line = data[1] & 8 ? data[2] + 1u : 0,
			.null_text = data[1] & 16 ? "1" : NULL, .null_len = 1 },
		.max_bad = data[1] & 32 ? data[3] % 4 : UINT64_MAX, .max_bad_percent = -1, .clock_input = data[1] & 64, .report = report,
	};
	int fd = memfd_create("input", 0);
	require(write(fd, data + 4, size - 4) == (ssize_t)(size - 4));
	struct mem mem = { 0 };
	struct buf whole, again;
	buf_init(&whole, &mem);
	buf_init(&again, &mem);
	run(&opt, fd, 0, &whole);
	opt.read_max = reads[data[2] % 6];
	opt.batch_max = batches[data[3] % 6];
	run(&opt, fd, 0, &again);
	require(whole.n == again.n && !memcmp(whole.p, again.p, whole.n));
	if (data[3] & 128)
		run(&opt, fd, 1 + data[2] % 64, &again);
	buf_release(&whole);
	buf_release(&again);
	close(fd);
	return 0;
}
