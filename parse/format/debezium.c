/* Change events of Debezium, one JSON text a line: {"before":{..},"after":{..},"op":"u"}, as it is or as the payload of {"schema":..,"payload":{..}}.
 *
 *     op      rows                                   a row's columns are the members of before or after
 *     c, r    +I after
 *     u       -U before, +U after: a pair            with --upsert +U after alone: before is not looked at
 *     d       -D before
 *
 * A line `null` (a tombstone, as the topic of a compacted table has them behind a delete) is passed over, as Flink does. */
#include <string.h>

#include "parse/format/json_row.h"

enum member { M_OP, M_BEFORE, M_AFTER, MEMBERS };

struct debezium {
	struct cutter cutter;
	struct json *envelope; /* the members, and then those of the payload */
	struct json *row;
};

/* An event in the input. */
struct event {
	struct json_text text;      /* the line */
	struct value part[MEMBERS];
};

static enum head_status head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err)
{
	(void)opt, (void)p, (void)n, (void)eof, (void)err;
	head->kinds = S_U | S_D;
	*used = 0;
	return HEAD_DONE;
}

static int open(struct decoder *d)
{
#define NAME(text) { .name = text, .len = sizeof(text) - 1 }
	static const struct step step[MEMBERS][2] = {
		[M_OP] = { NAME("payload"), NAME("op") },
		[M_BEFORE] = { NAME("payload"), NAME("before") },
		[M_AFTER] = { NAME("payload"), NAME("after") },
	};
#undef NAME
	struct debezium *s = d->state;
	struct json_path path[2 * MEMBERS];
	for (int i = 0; i < MEMBERS; i++) {
		path[i] = (struct json_path){ &step[i][1], 1 };
		path[MEMBERS + i] = (struct json_path){ step[i], 2 };
	}
	cutter_open(&s->cutter, '\n', '\n');
	s->envelope = json_new(path, 2 * MEMBERS, d->mem);
	if (!s->envelope)
		return err_memory(d->err);
	s->row = json_row_open(d);
	return s->row ? 0 : -1;
}

static bool is_tombstone(const struct json_text *text)
{
	return text->n == 4 && !memcmp(text->p, "null", 4);
}

/* Cuts out the members, of the payload if there is no op outside. 0, or -1 with err set; a line that is not JSON makes the row bad. */
static int read_event(const struct decoder *d, struct event *event, struct records *records, uint32_t row)
{
	const struct debezium *s = d->state;
	if (json_read(s->envelope, event->text.p, event->text.n, event->text.room)) {
		json_row_bad(s->envelope, &event->text, records, row);
		return 0;
	}
	uint32_t from = 0;
	for (int i = 0; i < MEMBERS; i++) {
		if (json_value(s->envelope, from + (uint32_t)i, records->batch->mem, &event->part[i]))
			return err_memory(d->err);
		if (i == M_OP && !from && event->part[i].type == V_NULL) {
			from = MEMBERS;
			i--;
		}
	}
	return 0;
}

/* A new row of the event, of a kind. */
static uint32_t add_row(const struct event *event, const struct cut *cut, struct records *records, uint8_t kind)
{
	struct batch *batch = records->batch;
	uint32_t row = batch->n++;
	records->at[row] = (struct record_at){ event->text.record, cut->next - cut->begin, cut->line };
	if (batch->kind)
		batch->kind[row] = kind;
	return row;
}

/* Fills the row from before or after. */
static int fill_row(const struct decoder *d, const struct event *event, enum member member, struct records *records, uint32_t row)
{
	const struct debezium *s = d->state;
	const struct value *v = &event->part[member];
	if (v->type != V_RAW || !v->len || *v->u.p != '{' || v->flags & VF_QUOTED) {
		record_bad(records, row, NULL, v->type == V_NULL ? "no \"%s\", which op \"%.*s\" needs" : "\"%s\" is no object, which op \"%.*s\" needs",
			   member == M_BEFORE ? "before" : "after", (int)event->part[M_OP].len, event->part[M_OP].u.p);
		return 0;
	}
	const struct json_text *line = &event->text, text = { line->record, v->u.p, v->len, (size_t)(line->p + line->room - v->u.p) };
	return json_row_fill(d, s->row, &text, records, row);
}

static int take_update(const struct decoder *d, const struct event *event, const struct cut *cut, struct records *records)
{
	if (d->opt->upsert)
		return fill_row(d, event, M_AFTER, records, add_row(event, cut, records, K_UA));
	uint32_t before = add_row(event, cut, records, K_UB | K_PAIR);
	if (fill_row(d, event, M_BEFORE, records, before))
		return -1;
	return fill_row(d, event, M_AFTER, records, add_row(event, cut, records, K_UA));
}

/* A line that is no tombstone: one row, or two. 0 or -1. */
static int take(const struct decoder *d, struct event *event, const struct cut *cut, struct records *records)
{
	const struct value *op = &event->part[M_OP];
	uint32_t row = records->batch->n;
	if (read_event(d, event, records, row))
		return -1;
	bool letter = !records->bad[row].why && op->type == V_RAW && op->len == 1 && op->flags & VF_QUOTED;
	switch (letter ? *op->u.p : '\0') {
	case 'c':
	case 'r':
		return fill_row(d, event, M_AFTER, records, add_row(event, cut, records, K_I));
	case 'u':
		return take_update(d, event, cut, records);
	case 'd':
		return fill_row(d, event, M_BEFORE, records, add_row(event, cut, records, K_D));
	default:
		add_row(event, cut, records, K_I);
		record_bad(records, row, NULL, op->type == V_NULL ? "no \"op\": not an event of Debezium" : "an \"op\" that is none of c, r, u, d");
		return 0;
	}
}

/* The lines that were cut. */
static int take_all(const struct decoder *d, const struct cutter *c, struct records *records)
{
	for (uint32_t i = 0; i < c->n; i++) {
		const struct cut *cut = &c->cut[i];
		struct event event = { .text = json_text_of(c, i) };
		if (cutter_too_long(c, i, d))
			record_bad(records, add_row(&event, cut, records, K_I), NULL, "%s", why_long);
		else if (!is_tombstone(&event.text) && take(d, &event, cut, records))
			return -1;
	}
	return 0;
}

static enum decode decode(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used, struct control *control)
{
	struct debezium *s = d->state;
	struct batch *batch = records->batch;
	(void)control;
	*used = 0;
	while (records->max - batch->n >= 2) { /* a line may be two rows */
		int64_t took = cutter_next(&s->cutter, d, p + *used, n - *used, (records->max - batch->n) / 2, records);
		if (took < 0 || (took && take_all(d, &s->cutter, records)))
			return DECODE_FAILED;
		if (!took)
			break;
		*used += (size_t)took;
	}
	return DECODE_ROWS;
}

const struct format debezium_format = {
	.name = "debezium",
	.help = "change events of Debezium as JSON lines, with or without a schema",
	.more = "c and r are +I, u is -U before and +U after, d is -D before. Columns are the\n"
		"members of before and after, by path as in json. Where updates come without\n"
		"before, read with --upsert KEYS. Lines that are null (tombstones) are passed\n"
		"over.\n",
	.traits = F_PATHS | F_KINDS,
	.state_size = sizeof(struct debezium),
	.head = head,
	.open = open,
	.decode = decode,
};
