/* What is in the file: the fingerprint of the chain, the columns of the input, a section for each operator. */
#include "statefile.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/show.h"
#include "ops/state/snapshot.h"

/* Options that belong to the chain: another value makes another chain. Files and output flags may change. */
static const enum option_id chain_options[] = {
	OPT_FORMAT, OPT_DELIMITER, OPT_HEADER, OPT_NO_HEADER, OPT_FIELDS, OPT_RAGGED, OPT_NULL_TEXT, OPT_UPSERT, OPT_FINAL, OPT_TIME, OPT_TZ, OPT_CLOCK,
};
enum { CHAIN_OPTIONS = sizeof chain_options / sizeof *chain_options };

static int check_fd(int fd, const char *name, struct err *err)
{
	struct stat st;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	return err_set(err, ERR_USAGE, "--state: %s is a file, of which the next run would count every line again; send new lines through a pipe (producer | weir --state ...)",
		name);
}

int statefile_check_input(const struct args *args, int stdin_fd, struct err *err)
{
	if (!args->nfile)
		return check_fd(stdin_fd, "standard input", err);
	for (uint32_t i = 0; i < args->nfile; i++) {
		const char *path = args->file[i];
		if (!strcmp(path, "-")) {
			if (check_fd(stdin_fd, "standard input", err))
				return -1;
			continue;
		}
		struct stat st;
		if (!stat(path, &st) && S_ISREG(st.st_mode))
			return err_set(err, ERR_USAGE, "--state: %s is a file, of which the next run would count every line again; send new lines through a pipe (tail -n +K %s | weir --state ...)",
				path, path);
	}
	return 0;
}

/* ---- the fingerprint: what must be the same in the next run ----------------------------------- */

static void put_text(struct snap_out *out, const char *text)
{
	snap_put_u64(out, text != NULL);
	snap_put_bytes(out, text ? text : "", text ? strlen(text) : 0);
}

static void put_fingerprint(struct snap_out *out, const struct args *args)
{
	for (unsigned i = 0; i < CHAIN_OPTIONS; i++)
		put_text(out, args->value[chain_options[i]]);
	snap_put_u64(out, args->nuse);
	for (uint32_t i = 0; i < args->nuse; i++) {
		put_text(out, op_types[args->use[i].row]->name);
		put_text(out, args->use[i].text);
	}
}

struct was { const char *p; size_t n; bool given; };

static struct was get_text(struct snap_in *in)
{
	struct was was;
	was.given = snap_u64(in);
	was.p = snap_bytes(in, &was.n);
	return was;
}

static bool same(struct was was, const char *is)
{
	return was.given == (is != NULL) && (!is || (strlen(is) == was.n && !memcmp(is, was.p, was.n)));
}

enum { VALUE_SHOWN = 300 };

static void show_value(char out[VALUE_SHOWN], bool given, const char *p, size_t n)
{
	char shown[VALUE_SHOWN - 2];
	show(shown, sizeof shown, p, n);
	snprintf(out, VALUE_SHOWN, given ? n ? "'%s'" : "given" : "not given", shown);
}

static int changed(const char *path, const char *flag, struct was was, const char *is, struct err *err)
{
	char before[VALUE_SHOWN], now[VALUE_SHOWN];
	show_value(before, was.given, was.p, was.n);
	show_value(now, is, is ? is : "", is ? strlen(is) : 0);
	return err_set(err, ERR_USAGE, "--state %s belongs to another chain: --%s was %s, is %s; use the same flags, or another state file", path, flag, before, now);
}

/* Is there an operator of that name behind place i? Then what stands there is new. */
static bool stands_behind(const struct args *args, uint32_t i, struct was name)
{
	while (++i < args->nuse)
		if (same(name, op_types[args->use[i].row]->name))
			return true;
	return false;
}

static int check_operators(struct snap_in *in, const char *path, const struct args *args, struct err *err)
{
	uint64_t n = snap_u64(in);
	for (uint64_t i = 0; i < n && !in->bad; i++) {
		struct was name = get_text(in), text = get_text(in);
		const struct flag_use *use = i < args->nuse ? &args->use[i] : NULL;
		if (use && !same(name, op_types[use->row]->name) && stands_behind(args, (uint32_t)i, name))
			return changed(path, op_types[use->row]->name, (struct was){ 0 }, use->text, err);
		if (!use || !same(name, op_types[use->row]->name)) {
			char flag[64];
			show(flag, sizeof flag, name.p, name.n);
			return changed(path, flag, text, NULL, err);
		}
		if (!same(text, use->text))
			return changed(path, op_types[use->row]->name, text, use->text, err);
	}
	if (n < args->nuse)
		return changed(path, op_types[args->use[n].row]->name, (struct was){ 0 }, args->use[n].text, err);
	return 0;
}

static int check_fingerprint(struct snap_in *in, const char *path, const struct args *args, struct err *err)
{
	for (unsigned i = 0; i < CHAIN_OPTIONS; i++) {
		enum option_id id = chain_options[i];
		struct was was = get_text(in);
		if (!in->bad && !same(was, args->value[id]))
			return changed(path, option_rows[id].name, was, args->value[id], err);
	}
	if (check_operators(in, path, args, err))
		return -1;
	return snap_done(in, "flags", err);
}

/* The columns of the input, in their order: rows are stored by it. */
static void put_columns(struct snap_out *out, const struct schema *schema)
{
	snap_put_u64(out, schema->n);
	for (uint32_t i = 0; i < schema->n; i++)
		snap_put_bytes(out, schema->col[i].name, schema->col[i].len);
}

static int check_columns(struct snap_in *in, const char *path, const struct schema *schema, struct err *err)
{
	uint64_t n = snap_u64(in);
	bool all = n == schema->n;
	for (uint64_t i = 0; i < n && !in->bad; i++) {
		size_t len;
		const char *name = snap_bytes(in, &len);
		all = all && schema->col[i].len == len && !memcmp(schema->col[i].name, name, len);
	}
	if (!in->bad && !all)
		return err_set(err, ERR_USAGE, "--state %s belongs to input with other columns; use the same input, or another state file", path);
	return snap_done(in, "columns", err);
}

/* ---- the sections ------------------------------------------------------------------------------ */

static void put_time(struct snap_out *out, const struct statefile_of *of)
{
	chain_save_time(of->chain, out);
	rowtime_save(of->rowtime, out);
	watermark_save(of->watermark, out);
}

static int get_time(struct snap_in *in, const struct statefile_of *of, struct err *err)
{
	chain_load_time(of->chain, in);
	rowtime_load(of->rowtime, in);
	watermark_load(of->watermark, in);
	return snap_done(in, "time", err);
}

static int load_sections(struct statefile *state, const struct statefile_of *of, struct err *err)
{
	struct snap_in file, part;
	struct arena mem;
	arena_init(&mem, state->mem);
	int status = snap_open(&file, state->old, state->old_n, &mem, err);
	if (!status)
		status = snap_want(&file, "flags", &part, err) || check_fingerprint(&part, state->path, of->args, err);
	if (!status)
		status = snap_want(&file, "columns", &part, err) || check_columns(&part, state->path, of->chain->edge[0]->stream.schema, err);
	if (!status)
		status = snap_want(&file, "time", &part, err) || get_time(&part, of, err);
	if (!status)
		status = chain_load(of->chain, &file) || snap_done(&file, "sections", err);
	arena_release(&mem);
	return status;
}

int statefile_load(struct statefile *state, const struct statefile_of *of, struct err *err)
{
	if (!state->old_n)
		return 0;
	if (load_sections(state, of, err))
		return err->code == ERR_FAILED ? err_before(err, "--state %s", state->path) : -1;
	mem_free(state->mem, state->old, state->old_n);
	state->old = NULL;
	state->old_n = 0;
	return 0;
}

int statefile_take(struct statefile *state, const struct statefile_of *of, struct err *err)
{
	struct snap_out out = { &state->now };
	state->now.n = 0;
	snap_begin(&out);
	size_t mark = snap_section_begin(&out, "flags");
	put_fingerprint(&out, of->args);
	snap_section_end(&out, mark);
	mark = snap_section_begin(&out, "columns");
	put_columns(&out, of->chain->edge[0]->stream.schema);
	snap_section_end(&out, mark);
	mark = snap_section_begin(&out, "time");
	put_time(&out, of);
	snap_section_end(&out, mark);
	if (chain_save(of->chain, &out))
		return -1;
	snap_end(&out);
	return state->now.failed ? err_memory(err) : 0;
}
