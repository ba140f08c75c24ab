/* The chain harness: random chains on random input (case.c), each checked for
 *
 *   batch      the changelog applied is what SQLite computes over the same rows, also for a prefix of the input
 *   bytes      the same output for batches of 2, 7, 1024 rows and for input one byte at a time
 *   state      the same output if the run is saved and resumed after every record (without bundles)
 *   final      --final gives the rows that SQLite computes
 *   kinds      plain rows, and the same rows as a changelog of +I only, give the same bytes
 *   memory     a refused allocation is exit 1 with a message, nothing leaks
 *   shuffle    with windows: the same rows if those within the delay come in another order
 *
 * usage: chains [-w] FIRST COUNT [-v]     -w: with event time and windows. A failing seed is printed with its command line; chains SEED 1 -v shows all of it */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applied.h"
#include "case.h"
#include "inproc.h"

static sqlite3 *db;
static sqlite3_stmt *insert_row;
static char state_path[64];
static int failures;
static bool verbose, windowed;

static void sql(const char *text)
{
	char *why = NULL;
	if (sqlite3_exec(db, text, NULL, NULL, &why)) {
		fprintf(stderr, "sqlite: %s\n  %s\n", why, text);
		exit(2);
	}
}

static void open_db(void)
{
	if (sqlite3_open(":memory:", &db))
		exit(2);
	sql("create table t (c1 text, c2 integer, c3 integer, c4 text, c5 integer, ws integer, we integer)");
	if (sqlite3_prepare_v2(db, "insert into t values (?, ?, ?, ?, ?, ?, ?)", -1, &insert_row, NULL))
		exit(2);
}

/* A row into the table, or out of it; of a window, or without one (0, 0). */
static void put_row(const struct case_row *r, int start, int end)
{
	if (r->kind[0] == '-') {
		char text[100];
		snprintf(text, sizeof text, "delete from t where c5 = %d and ws = %d and we = %d", r->c5, start, end);
		sql(text);
		return;
	}
	sqlite3_reset(insert_row);
	sqlite3_clear_bindings(insert_row);
	if (!r->null[0])
		sqlite3_bind_text(insert_row, 1, r->c1, -1, SQLITE_STATIC);
	if (!r->null[1])
		sqlite3_bind_int(insert_row, 2, r->c2);
	if (!r->null[2])
		sqlite3_bind_int(insert_row, 3, r->c3);
	if (!r->null[3])
		sqlite3_bind_text(insert_row, 4, r->c4, -1, SQLITE_STATIC);
	sqlite3_bind_int(insert_row, 5, r->c5);
	sqlite3_bind_int(insert_row, 6, start);
	sqlite3_bind_int(insert_row, 7, end);
	if (sqlite3_step(insert_row) != SQLITE_DONE)
		exit(2);
	sqlite3_reset(insert_row);
}

/* The rows that are alive after the first n records, once for each window that they count in. */
static void fill_table(const struct random_case *c, int n)
{
	sql("delete from t");
	if (c->window.kind != NO_WINDOW && c->window.kind != SESSION) {
		case_windows(c, n, put_row);
		return;
	}
	for (int i = 0; i < n; i++)
		put_row(&c->row[i], 0, 0);
}

static void ask_sqlite(const char *query, struct applied *rows)
{
	sqlite3_stmt *q;
	if (sqlite3_prepare_v2(db, query, -1, &q, NULL)) {
		fprintf(stderr, "sqlite: %s\n  %s\n", sqlite3_errmsg(db), query);
		exit(2);
	}
	while (sqlite3_step(q) == SQLITE_ROW) {
		char line[2000] = "";
		size_t at = 0;
		for (int k = 0; k < sqlite3_column_count(q); k++) {
			const char *text = (const char *)sqlite3_column_text(q, k);
			at += (size_t)snprintf(line + at, sizeof line - at, "%s%s", k ? "\t" : "", text ? text : "\\N");
		}
		applied_add(rows, line, at);
	}
	sqlite3_finalize(q);
}

static void print_case(const struct random_case *c)
{
	fprintf(stderr, "  weir%s", c->changelog ? " -f changelog" : "");
	for (int i = 0; i < c->narg; i++)
		fprintf(stderr, c->arg[i][0] == '-' ? " %s" : " \"%s\"", c->arg[i]);
	fputc('\n', stderr);
	if (!verbose)
		return;
	char in[8192];
	size_t n = case_input(c, c->nrow, false, in, sizeof in);
	fprintf(stderr, "  sql: %s\n%.*s", c->sql, (int)n, in);
}

static void failed(const struct random_case *c, const char *what, const char *got, const char *expected)
{
	failures++;
	fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->seed, what);
	print_case(c);
	if (verbose)
		fprintf(stderr, "  got:\n%s  expected:\n%s", got ? got : "", expected ? expected : "");
}

static void set_up(struct inproc *p, const struct random_case *c, const char *in, size_t n, bool kinds)
{
	p->narg = 0;
	p->in = in;
	p->in_n = n;
	p->batch_max = p->read_max = 0;
	p->fail_at = 0;
	if (c->changelog || kinds) {
		inproc_arg(p, "-f");
		inproc_arg(p, "changelog");
	}
	for (int i = 0; i < c->narg; i++)
		inproc_arg(p, c->arg[i]);
}

/* Compares rows with what SQLite says. */
static void compare(const struct random_case *c, const char *what, struct applied *got, const char *query)
{
	struct applied want = { 0 };
	ask_sqlite(query, &want);
	if (*got->fault)
		failed(c, got->fault, NULL, NULL);
	else if (!applied_same(got, &want)) {
		failed(c, what, NULL, NULL);
		for (int i = 0; verbose && i < (got->n > want.n ? got->n : want.n); i++)
			fprintf(stderr, "    %-40s | %s\n", i < got->n ? got->row[i] : "", i < want.n ? want.row[i] : "");
	}
	applied_free(&want);
}

static void check_batch(const struct random_case *c, int n, struct inproc *p)
{
	char in[8192];
	set_up(p, c, in, case_input(c, n, false, in, sizeof in), false);
	inproc_run(p);
	if (p->status || p->err_n || p->leaked) {
		failed(c, p->leaked ? "leaks" : p->err, p->out, NULL);
		return;
	}
	struct applied got = { 0 };
	applied_changelog(&got, p->out, p->out_n);
	if (verbose)
		fprintf(stderr, "%s", p->out);
	fill_table(c, n);
	compare(c, "the changelog applied is not the batch result", &got, c->sql);
	applied_free(&got);
}

static void check_bytes(const struct random_case *c, const char *want, const char *what, struct inproc *p)
{
	inproc_run(p);
	if (p->status || strcmp(p->out, want))
		failed(c, what, p->out, want);
}

static void check_sizes(const struct random_case *c, const char *want, struct inproc *p)
{
	char in[8192];
	size_t n = case_input(c, c->nrow, false, in, sizeof in);
	static const struct { uint32_t batch, read; const char *what; } sizes[] = {
		{ 1, 0, "batches of 1 differ" }, { 2, 0, "batches of 2 differ" }, { 7, 0, "batches of 7 differ" }, { 0, 1, "input one byte at a time differs" },
	};
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		set_up(p, c, in, n, false);
		p->batch_max = sizes[i].batch;
		p->read_max = sizes[i].read;
		check_bytes(c, want, sizes[i].what, p);
	}
}

/* One run per record over the same --state file. A record that is half of an update goes with its other half. */
static void check_state(const struct random_case *c, const char *want, struct inproc *p)
{
	static char all[1 << 22]; /* hops over many windows write much */
	char in[8192];
	size_t at = 0;
	*all = 0;
	unlink(state_path);
	for (int i = 0; i < c->nrow; i++) {
		if (i + 1 < c->nrow && !strcmp(c->row[i].kind, "-U"))
			i++;
		size_t done = (size_t)0, n = case_input(c, i + 1, false, in, sizeof in);
		int first = i > 0 && !strcmp(c->row[i].kind, "+U") ? i - 1 : i;
		char skip[8192];
		done = case_input(c, first, false, skip, sizeof skip);
		set_up(p, c, in + done, n - done, false);
		inproc_arg(p, "--state");
		inproc_arg(p, state_path);
		inproc_run(p);
		if (p->status || p->leaked) {
			failed(c, p->leaked ? "leaks with --state" : p->err, p->out, NULL);
			return;
		}
		at += (size_t)snprintf(all + at, sizeof all - at, "%s", p->out);
		if (at >= sizeof all) {
			failed(c, "more output than the harness holds", NULL, NULL);
			return;
		}
	}
	if (c->window.kind != NO_WINDOW) {
		set_up(p, c, "", 0, false);
		inproc_arg(p, "--state");
		inproc_arg(p, state_path);
		inproc_arg(p, "--close");
		inproc_run(p);
		snprintf(all + at, sizeof all - at, "%s", p->out);
	}
	unlink(state_path);
	if (strcmp(all, want))
		failed(c, "saved and resumed after every record differs", all, want);
}

static void check_final(const struct random_case *c, struct inproc *p)
{
	char in[8192];
	set_up(p, c, in, case_input(c, c->nrow, false, in, sizeof in), false);
	inproc_arg(p, "-F");
	inproc_arg(p, "-o");
	inproc_arg(p, "changelog");
	inproc_run(p);
	if (p->status || p->leaked) {
		failed(c, p->leaked ? "leaks with --final" : p->err, p->out, NULL);
		return;
	}
	struct applied got = { 0 };
	applied_changelog(&got, p->out, p->out_n);
	fill_table(c, c->nrow);
	compare(c, "--final is not the batch result", &got, c->sql_final);
	applied_free(&got);
}

static void check_kinds(const struct random_case *c, const char *want, struct inproc *p)
{
	char in[8192] = "@kinds +I\n";
	size_t n = case_input(c, c->nrow, true, in + 10, sizeof in - 10);
	set_up(p, c, in, n + 10, true);
	check_bytes(c, want, "a changelog of +I only differs from plain rows", p);
}

static void check_memory(const struct random_case *c, struct inproc *p, uint64_t *rng)
{
	char in[8192];
	size_t n = case_input(c, c->nrow, false, in, sizeof in);
	set_up(p, c, in, n, false);
	inproc_run(p);
	uint64_t requests = p->requests;
	for (int i = 0; i < 3; i++) {
		set_up(p, c, in, n, false);
		p->fail_at = 1 + case_random(rng) % (requests ? requests : 1);
		inproc_run(p);
		if (p->status != 1 || !strstr(p->err, "memory") || p->leaked)
			failed(c, p->leaked ? "leaks when memory is refused" : "refused memory is not reported", p->err, "an error about memory");
	}
}

/* Which rows come when does not matter as long as none is late. */
static void check_shuffle(const struct random_case *c, struct inproc *p, uint64_t *rng)
{
	static struct random_case other;
	char in[8192];
	struct applied rows[2] = { { 0 }, { 0 } };
	other = *c;
	for (int i = 0; i < 2; i++) {
		case_shuffle(&other, rng);
		set_up(p, &other, in, case_input(&other, other.nrow, false, in, sizeof in), false);
		inproc_run(p);
		applied_changelog(&rows[i], p->out, p->out_n);
	}
	if (!applied_same(&rows[0], &rows[1]))
		failed(&other, "another order within the delay gives another result", NULL, NULL);
	applied_free(&rows[0]);
	applied_free(&rows[1]);
}

static void check(uint64_t seed)
{
	static struct random_case c;
	static struct inproc p, q;
	case_make(&c, seed, windowed);
	uint64_t rng = seed ^ 0xabcdef;
	check_batch(&c, (int)(case_random(&rng) % (uint64_t)(c.nrow + 1)), &p);
	check_batch(&c, c.nrow, &p);
	if (p.status)
		return;
	check_sizes(&c, p.out, &q);
	if (!c.bundled)
		check_state(&c, p.out, &q);
	check_final(&c, &q);
	if (!c.changelog)
		check_kinds(&c, p.out, &q);
	if (!c.changelog && windowed)
		check_shuffle(&c, &q, &rng);
	check_memory(&c, &q, &rng);
}

int main(int argc, char **argv)
{
	windowed = argc > 1 && !strcmp(argv[1], "-w");
	argc -= windowed;
	argv += windowed;
	if (argc < 3) {
		fprintf(stderr, "usage: chains [-w] FIRST COUNT [-v]\n");
		return 2;
	}
	verbose = argc > 3;
	snprintf(state_path, sizeof state_path, "%s/weir-chains-%d.state", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (int)getpid());
	open_db();
	unsigned long long first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10), done = 0, bad = 0;
	for (; done < count && bad < 20; done++) {
		int before = failures;
		check(first + done);
		bad += failures > before;
	}
	printf("seeds %llu to %llu%s\nchains: %llu passed, %llu failed\n", first, first + done - 1, windowed ? " with windows" : "", done - bad, bad);
	return failures > 0;
}
