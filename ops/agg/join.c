/* join(x[, separator]): values that are not NULL, by arrival. A NULL separator is the empty text.
 *
 * Insert-only input: one growing text, in which every value has its own row's separator in front; the first one's is not shown:
 *
 *     , a , b ; c            skip = 1
 *       ^ value
 *
 * Else the values in a roll; the separator of the last row (added or taken back) stands between all of them, as in Flink. */
#include "ops/agg/roll.h"
#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"

struct text {
	char *p; /* NULL: nothing yet */
	uint32_t len, cap, skip, unused;
};

struct list {
	struct roll roll;
	struct cell separator;
};

/* Times print by the zone, which the expression knows. */
static int plan(struct agg *agg, struct arena *mem, struct err *err)
{
	agg->result = T_TEXT;
	if (expr_type(agg->arg[0]) == T_TIME)
		agg->arg[0] = expr_text(agg->arg[0], mem, err);
	return agg->arg[0] ? 0 : -1;
}

static struct value separator(const struct agg *agg, const struct agg_rows *rows, uint32_t i)
{
	return agg->narg > 1 ? rows->arg[1][i] : value_text(",", 1);
}

/* Room for n more bytes; -1 if memory is refused or the text would pass 2 GiB. */
static int reserve(struct text *text, uint64_t n, struct mem *mem)
{
	uint64_t len = text->len + n, cap = text->cap ? text->cap : 16;
	if (len > UINT32_MAX / 2)
		return -1;
	while (cap < len)
		cap *= 2;
	if (cap == text->cap)
		return 0;
	char *moved = mem_resize(mem, text->p, text->cap, cap);
	if (!moved)
		return -1;
	text->p = moved;
	text->cap = (uint32_t)cap;
	return 0;
}

static char *copy(char *to, const char *p, uint32_t n)
{
	if (n)
		memcpy(to, p, n);
	return to + n;
}

static void put(struct text *text, const char *p, uint32_t n)
{
	copy(text->p + text->len, p, n);
	text->len += n;
}

static int text_add(struct text *text, const struct value *v, const struct value *sep, struct mem *mem)
{
	char scratch[VALUE_TEXT_MAX], sep_scratch[VALUE_TEXT_MAX];
	const char *p, *q;
	uint32_t n = value_print(v, scratch, &p), nsep = value_print(sep, sep_scratch, &q);
	bool first = !text->p;
	if (reserve(text, (uint64_t)n + nsep, mem))
		return -1;
	if (first)
		text->skip = nsep;
	put(text, q, nsep);
	put(text, p, n);
	return 0;
}

static int list_put(struct list *list, const struct value *v, const struct value *sep, int sign, struct mem *mem)
{
	if (cell_set(&list->separator, sep, mem))
		return -1;
	return sign > 0 ? roll_add(&list->roll, v, mem) : roll_remove(&list->roll, v, true, mem);
}

static int update(const struct agg *agg, const struct agg_rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		if (!sign)
			continue;
		struct value sep = separator(agg, rows, i);
		const struct value *v = &rows->arg[0][i];
		if (agg->retracts ? list_put(rows->acc[i], v, &sep, sign, agg->mem) : text_add(rows->acc[i], v, &sep, agg->mem))
			return -1;
	}
	return 0;
}

static int merge(const struct agg *agg, void *into, const void *from)
{
	if (!agg->retracts) {
		struct text *to = into;
		const struct text *part = from;
		if (!part->p)
			return 0;
		bool first = !to->p;
		if (reserve(to, part->len, agg->mem))
			return -1;
		if (first)
			to->skip = part->skip;
		put(to, part->p, part->len);
		return 0;
	}
	struct list *to = into;
	const struct list *part = from;
	if (roll_merge(&to->roll, &part->roll, agg->mem))
		return -1;
	struct value sep = cell_value(&part->separator);
	bool touched = part->roll.live || part->roll.index.n;
	return touched ? cell_set(&to->separator, &sep, agg->mem) : 0;
}

/* All values of a list with the separator between them, in mem. */
static int list_value(const struct list *list, struct value *out, struct arena *mem)
{
	char scratch[VALUE_TEXT_MAX], sep_scratch[VALUE_TEXT_MAX];
	const char *p, *sep;
	struct value v = cell_value(&list->separator);
	uint32_t nsep = value_print(&v, sep_scratch, &sep);
	const struct roll *roll = &list->roll;
	uint64_t len = 0;
	for (uint32_t i = roll->start; i < roll->n; i++) {
		v = cell_value(&roll->item[i].v);
		if (v.type != V_NULL)
			len += nsep + value_print(&v, scratch, &p);
	}
	if (len > UINT32_MAX / 2)
		return -1;
	char *text = arena_alloc(mem, len), *at = text;
	bool first = true;
	if (!text)
		return -1;
	for (uint32_t i = roll->start; i < roll->n; i++) {
		v = cell_value(&roll->item[i].v);
		if (v.type == V_NULL)
			continue;
		if (!first)
			at = copy(at, sep, nsep);
		first = false;
		uint32_t n = value_print(&v, scratch, &p);
		at = copy(at, p, n);
	}
	*out = value_text(text, (uint32_t)(at - text));
	return 0;
}

static int value(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	*out = value_null();
	if (agg->retracts)
		return ((const struct list *)acc)->roll.live ? list_value(acc, out, mem) : 0;
	const struct text *text = acc;
	if (text->p)
		*out = value_text(text->p + text->skip, text->len - text->skip);
	return 0;
}

static void drop(const struct agg *agg, void *acc)
{
	if (agg->retracts) {
		struct list *list = acc;
		roll_drop(&list->roll, agg->mem);
		cell_drop(&list->separator, agg->mem);
		return;
	}
	struct text *text = acc;
	mem_free(agg->mem, text->p, text->cap);
	*text = (struct text){ 0 };
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	if (agg->retracts) {
		const struct list *list = acc;
		roll_save(&list->roll, out);
		cell_save(&list->separator, out);
		return;
	}
	const struct text *text = acc;
	snap_put_u64(out, text->p != NULL);
	snap_put_u64(out, text->skip);
	snap_put_bytes(out, text->p, text->len);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	if (agg->retracts) {
		struct list *list = acc;
		return roll_load(&list->roll, in, agg->mem) || cell_load(&list->separator, in, agg->mem) ? -1 : 0;
	}
	struct text *text = acc;
	bool there = snap_u64(in) != 0;
	uint64_t skip = snap_u64(in);
	size_t n;
	const char *p = snap_bytes(in, &n);
	if (skip > n || n > UINT32_MAX / 2)
		in->bad = true;
	if (in->bad || !there)
		return 0;
	if (reserve(text, n, agg->mem))
		return -1;
	text->skip = (uint32_t)skip;
	put(text, p, (uint32_t)n);
	return 0;
}

const struct agg_type join_agg = {
	.name = "join",
	.args = "(x[, separator])",
	.help = "the values as one text, by arrival; separated by a comma if not said",
	.can = A_HEAP | A_ORDERED | A_KEEPS,
	.min_arg = 1,
	.max_arg = 2,
	.size = sizeof(struct list),
	.plan = plan,
	.update = update,
	.merge = merge,
	.value = value,
	.drop = drop,
	.save = save,
	.load = load,
};
