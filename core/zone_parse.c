/* From a zone file (TZif, RFC 9636) to the table of core/zone_table.h.
 *
 *     header | data with times of 4 bytes | header | data with times of 8 bytes | \n rule \n
 *     -------- version 1 -----------------| -------- version 2 and later --------------------
 *
 *     data: times, type[time], {offset, summer?, name}[type], names, leap seconds, two more flags[type] */
#include <string.h>

#include "core/byte_order.h"
#include "core/time.h"
#include "core/zone_rule.h"
#include "core/zone_table.h"

enum {
	HEADER = 44,
	TYPE_SIZE = 6,
	TIMES_MAX = 100000,       /* some hundred are usual */
	RULE_YEARS = 406,         /* that are written out: a cycle, and some around it (see finish) */
	FIRST_RULE_YEAR = 1800,   /* of a rule without a file */
};

/* A block of data. */
struct block {
	const uint8_t *times, *types, *type;
	uint32_t ntimes, ntypes, leaps;
	size_t width;             /* of a time */
	size_t size;              /* with its header */
};

/* Changes are added in order. */
struct table {
	int64_t *at;
	int32_t *offset;
	uint32_t n;
	int64_t last;             /* from here on the rule holds */
};

static uint32_t read32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return be32(v);
}

static int64_t time_at(const struct block *block, uint32_t i)
{
	const uint8_t *p = block->times + i * block->width;
	uint64_t high = read32(p);
	return block->width == 4 ? (int32_t)high : (int64_t)(high << 32 | read32(p + 4));
}

/* Takes the header and the lengths of a block; false if it is none or longer than n. */
static bool read_block(const uint8_t *p, size_t n, size_t width, struct block *out)
{
	if (n < HEADER || memcmp(p, "TZif", 4))
		return false;
	uint32_t isut = read32(p + 20), isstd = read32(p + 24), leaps = read32(p + 28), times = read32(p + 32), types = read32(p + 36), chars = read32(p + 40);
	if (times > TIMES_MAX || types > 256)
		return false;
	uint64_t size = HEADER + times * (width + 1) + types * TYPE_SIZE + (uint64_t)chars + leaps * (uint64_t)(width + 4) + isstd + isut;
	if (size > n)
		return false;
	*out = (struct block){ .times = p + HEADER, .ntimes = times, .ntypes = types, .leaps = leaps, .width = width, .size = (size_t)size };
	out->types = out->times + times * width;
	out->type = out->types + times;
	return true;
}

/* The offset of a type; false if there is no such type or offset. */
static bool offset_of(const struct block *block, uint32_t type, int32_t *ms)
{
	if (type >= block->ntypes)
		return false;
	int32_t s = (int32_t)read32(block->type + type * TYPE_SIZE);
	if (s <= -ZONE_OFFSET_MAX / 1000 || s >= ZONE_OFFSET_MAX / 1000)
		return false;
	*ms = s * 1000;
	return true;
}

static void add(struct table *table, int64_t at, int32_t offset)
{
	if (offset == table->offset[table->n])
		return;
	table->at[table->n++] = at;
	table->offset[table->n] = offset;
}

/* The changes of the file; false if they are out of order. What lies before TIME_MIN is as if it had been so always. */
static bool add_block(struct table *table, const struct block *block)
{
	if (!offset_of(block, 0, &table->offset[0]))
		return false;
	for (uint32_t i = 0; i < block->ntimes; i++) {
		int64_t s = time_at(block, i);
		int32_t offset;
		if ((i && s <= time_at(block, i - 1)) || !offset_of(block, block->types[i], &offset))
			return false;
		if (s > TIME_MAX / 1000)
			break;
		if (s < TIME_MIN / 1000) {
			table->offset[0] = offset;
			continue;
		}
		table->last = s * 1000;
		add(table, table->last, offset);
	}
	return true;
}

/* A change of the rule before `stop`. One at the same instant as the last, or before it, takes its place: where it is summer for ever, each end is the begin
 * of the next year's. */
static void add_rule_change(struct table *table, int64_t at, int32_t offset, int64_t stop)
{
	if (at <= table->last || at >= stop)
		return;
	while (table->n && table->at[table->n - 1] >= at)
		table->n--;
	add(table, at, offset);
}

/* The years of a rule, but for half of the last, so that no end stands there without what comes after it. */
static void add_rule(struct table *table, const struct zone_rule *rule, int64_t first_year)
{
	int64_t stop = civil_days(first_year + RULE_YEARS - 1, 7, 1) * DAY_MS;
	for (int64_t year = first_year; rule->changes && year < first_year + RULE_YEARS; year++) {
		int64_t begin = zone_rule_begin(rule, year), end = zone_rule_end(rule, year);
		if (begin < end)
			add_rule_change(table, begin, rule->summer, stop);
		add_rule_change(table, end, rule->standard, stop);
		if (begin >= end)
			add_rule_change(table, begin, rule->summer, stop);
	}
}

/* Room for n changes and those of a rule. */
static bool table_init(struct table *table, uint32_t n, struct arena *mem)
{
	n += 2 * RULE_YEARS;
	*table = (struct table){ .last = civil_days(FIRST_RULE_YEAR, 1, 1) * DAY_MS };
	table->at = arena_alloc(mem, n * sizeof *table->at);
	table->offset = arena_alloc(mem, (n + 1) * sizeof *table->offset);
	return table->at && table->offset;
}

/* The zone of a table, NULL for UTC; -1: memory. Its changes repeat themselves if a whole cycle of them, and something around it, is the rule's. */
static int finish(const struct zone **zone, const struct table *table, struct arena *mem)
{
	*zone = NULL;
	if (!table->n && !table->offset[0])
		return 0;
	struct zone *made = arena_alloc(mem, sizeof *made);
	if (!made)
		return -1;
	*made = (struct zone){ .n = table->n, .at = table->at, .offset = table->offset, .end = INT64_MAX };
	int64_t margin = INT64_C(400) * DAY_MS, end = made->n ? made->at[made->n - 1] - margin : TIME_MIN;
	if (end - ZONE_CYCLE - margin > table->last)
		made->end = end;
	*zone = made;
	return 0;
}

static int64_t year_of(int64_t t)
{
	struct civil civil;
	civil_of(t, &civil);
	return civil.year;
}

/* What stands behind the last block: a line feed, a rule or nothing, a line feed. False if it is damaged. */
static bool read_footer(const uint8_t *p, size_t n, struct zone_rule *rule, bool *has_rule)
{
	const uint8_t *end = n ? memchr(p + 1, '\n', n - 1) : NULL;
	if (!end || *p != '\n')
		return false;
	*has_rule = end > p + 1;
	return !*has_rule || zone_rule_read((const char *)p + 1, (size_t)(end - p) - 1, rule);
}

int zone_parse(const struct zone **zone, const void *bytes, size_t n, struct arena *mem, struct err *err)
{
	const uint8_t *p = bytes;
	struct block block;
	struct zone_rule rule;
	struct table table;
	bool whole = read_block(p, n, 4, &block), has_rule = false;
	*zone = NULL;
	if (whole && p[4] >= '2') { /* the version */
		size_t first = block.size;
		whole = read_block(p + first, n - first, 8, &block) && read_footer(p + first + block.size, n - first - block.size, &rule, &has_rule);
	}
	if (!whole)
		return err_set(err, ERR_USAGE, "not a time zone file, or damaged");
	if (block.leaps)
		return err_set(err, ERR_USAGE, "this time zone file counts leap seconds; take the one that does not");
	if (!table_init(&table, block.ntimes, mem))
		return err_memory(err);
	if (!add_block(&table, &block))
		return err_set(err, ERR_USAGE, "a damaged time zone file");
	if (has_rule && !block.ntimes)
		table.offset[0] = rule.standard;
	if (has_rule)
		add_rule(&table, &rule, year_of(table.last) - 1);
	return finish(zone, &table, mem) ? err_memory(err) : 0;
}

/* May `name` be meant as a rule? A bare offset (EST5, UTC+2) is more often meant the other way round than POSIX has it. */
static bool plain_rule(const char *name, size_t n, const struct zone_rule *rule)
{
	return rule->changes || rule->standard == 0 || memchr(name, '<', n);
}

int zone_of_rule(const struct zone **zone, const char *text, size_t n, struct arena *mem)
{
	struct zone_rule rule;
	struct table table;
	if (!zone_rule_read(text, n, &rule) || !plain_rule(text, n, &rule))
		return 0;
	if (!table_init(&table, 0, mem))
		return -1;
	table.offset[0] = rule.standard;
	add_rule(&table, &rule, FIRST_RULE_YEAR - 1);
	return finish(zone, &table, mem) ? -1 : 1;
}
