/* The JSON reader on any bytes against the simple model: is it JSON, and what do some paths lead to? Both machines; the input is cut at bytes 0xfe into texts,
 * so that what is guessed from one is tried on the next. */
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "tests/unit/json_model.h"

static void require(bool ok)
{
	if (!ok)
		abort();
}

#define NAME(text) { .name = text, .len = sizeof(text) - 1 }
static const struct step step[][3] = {
	{ NAME("a") }, { NAME("a"), NAME("b") }, { NAME("a"), { .index = 0 } }, { NAME("a"), { .index = -1 } }, { NAME("a"), { .index = -1 }, { .index = -2 } },
	{ NAME("b"), { .index = 1 }, NAME("a") }, { { .index = 1 }, NAME("a") }, { NAME("") }, { NAME("a"), NAME("b"), NAME("a") },
};
static const uint32_t nstep[] = { 1, 2, 2, 2, 3, 3, 2, 1, 3 };
enum { PATHS = sizeof nstep / sizeof *nstep };

static void same(const struct model *want, const struct value *v)
{
	if (!want || want->kind == M_NULL)
		require(v->type == V_NULL);
	else
		require(v->type == V_RAW && v->len == want->len && (!v->len || !memcmp(v->u.p, want->p, v->len)) && !(v->flags & VF_QUOTED) == (want->kind != M_STRING));
}

static void try(struct json *json, const char *p, size_t n, size_t room, struct arena *arena)
{
	struct model *want = model_read(p, n);
	size_t at;
	require(json_read(json, p, n, room) == (want ? 0 : -1));
	if (!want)
		require(*json_why(json, &at) && at <= n);
	for (uint32_t i = 0; want && i < PATHS; i++) {
		struct value v;
		require(!json_value(json, i, arena, &v));
		same(model_path(want, step[i], nstep[i]), &v);
	}
	model_free(want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem mem = { 0 };
	struct arena arena;
	arena_init(&arena, &mem);
	struct json_path path[PATHS];
	for (uint32_t i = 0; i < PATHS; i++)
		path[i] = (struct json_path){ step[i], nstep[i] };
	char *exact = malloc(size ? size : 1), *wide = malloc(size + 64);
	memset(wide, '\n', size + 64);
	for (enum json_machine machine = JSON_PLAIN; machine <= JSON_SSE2; machine++) {
		struct json *json = json_new(path, PATHS, &arena);
		if (!json_use(json, machine))
			continue;
		for (size_t at = 0; at < size;) {
			const uint8_t *cut = memchr(data + at, 0xfe, size - at);
			size_t n = cut ? (size_t)(cut - data) - at : size - at;
			char *p = exact + size - n; /* ends where the block ends */
			memcpy(p, data + at, n);
			try(json, p, n, n, &arena);
			memcpy(wide, data + at, n);
			memset(wide + n, '\n', 64);
			try(json, wide, n, n + 64, &arena);
			at += n + 1;
		}
	}
	free(exact);
	free(wide);
	arena_release(&arena);
	return 0;
}
