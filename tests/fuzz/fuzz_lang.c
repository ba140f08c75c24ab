/* Every grammar of the little language on any bytes: no crash, an error exactly when -1 is given, spans inside the argument, depth as promised. */
#include <stdlib.h>
#include <string.h>

#include "parse/lang/parse.h"

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_span(struct span span)
{
	require(span.at <= strlen(span.text) && span.len <= strlen(span.text) - span.at);
}

static void check_tree(const struct node *node)
{
	check_span(node->span);
	require(node->depth >= 1 && node->depth <= NODE_DEPTH_MAX);
	if (node->text)
		require(node->text[node->len] == '\0');
	for (uint32_t i = 0; i < node->narg; i++) {
		require(node->arg[i]->depth < node->depth);
		check_tree(node->arg[i]);
	}
}

static void check_list(const struct named_list *list)
{
	require(list->n > 0);
	for (uint32_t i = 0; i < list->n; i++) {
		const struct named *item = &list->item[i];
		check_span(item->span);
		require(item->name[item->len] == '\0' && (item->expr || item->star));
		if (item->expr)
			check_tree(item->expr);
		if (item->where)
			check_tree(item->where);
	}
}

static void check_topn(const struct topn_ast *topn)
{
	require(topn->from >= 1 && topn->from <= topn->to);
	if (topn->variable)
		check_tree(topn->variable);
	for (uint32_t i = 0; i < topn->nby; i++)
		check_tree(topn->by[i].expr);
}

static void check_window(enum window_kind kind, const struct window_ast *w)
{
	require(w->kind == kind && w->size > 0 && (w->step > 0 || kind == WINDOW_SESSION));
	int64_t most = kind == WINDOW_HOP ? w->step : w->size;
	require(w->offset < most && -w->offset < most && !(w->rows && w->offset));
	require(kind != WINDOW_CUMULATE || w->size % w->step == 0);
}

static void check_trigger(const struct trigger_ast *trigger)
{
	require(trigger->n > 0);
	for (uint32_t i = 0; i < trigger->n; i++) {
		const struct trigger_cond *cond = &trigger->cond[i];
		check_span(cond->span);
		if (cond->kind == TRIGGER_DELTA)
			check_tree(cond->expr);
		else
			require((cond->n > 0) == (cond->kind >= TRIGGER_COUNT));
	}
}

/* Whether the grammar took the text; an error must then say so. */
static bool took(int status, struct err *err)
{
	require(status == (err->code ? -1 : 0));
	if (status)
		require(err->code == ERR_USAGE && err->text[0]);
	err->code = ERR_NONE;
	return status == 0;
}

static void windows_and_time(const char *text, struct arena *arena, struct err *err)
{
	struct window_ast window;
	struct trigger_ast trigger;
	struct evict_ast evict;
	struct time_ast time;
	struct watermark_ast mark;
	for (enum window_kind kind = WINDOW_TUMBLE; kind <= WINDOW_SESSION; kind++)
		if (took(parse_window(kind, "--f", text, arena, &window, err), err))
			check_window(kind, &window);
	if (took(parse_trigger("--f", text, arena, &trigger, err), err))
		check_trigger(&trigger);
	if (took(parse_evict("--f", text, arena, &evict, err), err))
		require(evict.kind == EVICT_DELTA ? evict.expr != NULL : evict.n > 0);
	if (took(parse_time("--f", text, arena, &time, err), err)) {
		check_tree(time.expr);
		require(!time.format || time.format[time.format_len] == '\0');
	}
	if (took(parse_watermark("--f", text, arena, &mark, err), err))
		require(!mark.input || mark.delay < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem mem = { .used = 0 };
	struct arena arena;
	struct err err = { .code = ERR_NONE };
	struct node *node;
	struct named_list list;
	struct topn_ast topn;
	struct name_list names;
	int64_t a, b;
	uint64_t bytes;
	arena_init(&arena, &mem);
	char *text = malloc(size + 1);
	require(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (took(parse_expr("--f", text, &arena, &node, &err), &err))
		check_tree(node);
	if (took(parse_select("--f", text, &arena, &list, &err), &err))
		check_list(&list);
	if (took(parse_keyby("--f", text, &arena, &list, &err), &err))
		check_list(&list);
	if (took(parse_reduce("--f", text, &arena, &list, &err), &err))
		check_list(&list);
	if (took(parse_topn("--f", text, &arena, &topn, &err), &err))
		check_topn(&topn);
	if (took(parse_minibatch("--f", text, &arena, &a, &b, &err), &err))
		require(a >= 0 && b >= 0 && (a || b));
	if (took(parse_duration("--f", text, &arena, &a, &err), &err))
		require(a > 0);
	if (took(parse_names("--f", text, &arena, &names, &err), &err))
		require(names.n > 0);
	if (took(parse_size("--f", text, &arena, &bytes, &err), &err))
		require(bytes > 0);
	windows_and_time(text, &arena, &err);
	free(text);
	arena_release(&arena);
	require(mem.used == 0);
	return 0;
}
