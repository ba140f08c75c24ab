/* Expressions with a zone: what is local time, and what is not. */
#include "core/zone.h"
#include "unit/exprs.h"

/* With --tz Europe/Berlin: summer time ended on 25 October 2026, 03:00, and began on 29 March, 02:00. */
static const char *const in_berlin[][2] = {
	{ "iso('2026-11-29 10:00')", "2026-11-29T10:00:00+01:00" },
	{ "iso('2026-07-01T10:00:00Z')", "2026-07-01T12:00:00+02:00" },
	{ "'at ' || date('2026-11-29T23:30:00Z')", "at 2026-11-30T00:00:00+01:00" },
	{ "text(date('2026-07-01 12:00'))", "2026-07-01T00:00:00+02:00" },
	{ "concat(date('2026-11-29'))", "2026-11-29T00:00:00+01:00" },
	{ "date('2026-11-29')", "2026-11-28T23:00:00Z" },
	{ "coalesce(null, date('2026-11-29')) || ''", "2026-11-29T00:00:00+01:00" },
	{ "date('2026-11-29') = '2026-11-28T23:00:00Z'", "true" },
	{ "date('2026-10-25T22:59:59Z') || ''", "2026-10-25T00:00:00+02:00" },
	{ "date('2026-10-26') - date('2026-10-25')", "90000000" },
	{ "hour('2026-10-25T00:30:00Z')", "2" },
	{ "hour('2026-10-25T01:30:00Z')", "2" },
	{ "hour('2026-03-29T01:00:00Z')", "3" },
	{ "weekday('2026-11-29T23:00:00Z')", "1" },
	{ "day('2026-11-29T23:00:00Z')", "30" },
	{ "year('2026-12-31T23:00:00Z')", "2027" },
	{ "epoch('2026-11-29')", "1795906800" },
	{ "strftime('2026-11-29T23:00:00Z', '%d %H:%M %z')", "30 00:00 +0100" },
	{ "iso(floor_time('2026-11-29T23:30:00Z', 1d))", "2026-11-30T00:00:00+01:00" },
	{ "iso(floor_time('2026-11-29 10:00', 1w))", "2026-11-23T00:00:00+01:00" },
	{ "iso(floor_time('2026-10-25T01:30:00Z', 1h))", "2026-10-25T02:00:00+01:00" },
	{ "iso(floor_time('2026-10-25T00:30:00Z', 1h))", "2026-10-25T02:00:00+02:00" },
	{ "iso(floor_time('2026-10-25 04:00', 6h))", "2026-10-25T00:00:00+02:00" },
};

START_TEST(test_zone)
{
	for (size_t i = 0; i < sizeof in_berlin / sizeof in_berlin[0]; i++) {
		struct exprs x;
		struct value v;
		char got[100];
		exprs_open(&x);
		if (zone_load(&x.schema.zone, "Europe/Berlin", &x.plan, &x.err)) {
			printf("no zone files, 0 examples checked\n");
			exprs_close(&x);
			return;
		}
		ck_assert_msg(expr_constant(exprs_bound(&x, in_berlin[i][0]), &v), "%s", in_berlin[i][0]);
		const char *result = shown(&v, got);
		ck_assert_msg(!strcmp(result, in_berlin[i][1]), "%s: %s, not %s", in_berlin[i][0], result, in_berlin[i][1]);
		exprs_close(&x);
	}
}
END_TEST

/* What holds for every time, everywhere. */
static const char *const laws[] = { /* an hour has 90 minutes where Lord Howe's clock goes back by 30 */
	"date(rowtime) <= rowtime and rowtime - date(rowtime) < 26h",
	"floor_time(rowtime, 1d) = date(rowtime)",
	"date(date(rowtime)) = date(rowtime)",
	"day(date(rowtime)) = day(rowtime) and month(date(rowtime)) = month(rowtime) and year(date(rowtime)) = year(rowtime)",
	"floor_time(rowtime, 1h) <= rowtime and rowtime - floor_time(rowtime, 1h) < 2h",
	"hour(floor_time(rowtime, 1h)) = hour(rowtime)",
	"weekday(floor_time(rowtime, 1w)) = 1 and floor_time(rowtime, 1w) <= rowtime",
	"weekday(rowtime) = number(strftime(rowtime, '%u')) and hour(rowtime) = number(strftime(rowtime, '%H'))",
	"strptime(strftime(rowtime, '%Y-%m-%d %H:%M:%S %z'), '%Y-%m-%d %H:%M:%S %z') = floor_time(rowtime, 1s)",
	"strptime(text(rowtime), '%Y-%m-%dT%H:%M:%S%z') = rowtime or epoch(rowtime) <> floor(epoch(rowtime))",
	"date(rowtime) + (rowtime - date(rowtime)) = rowtime and epoch_ms(rowtime) = 1000 * epoch(rowtime)",
};

enum { TIMES = 400 };

/* Half of them near a change of the clock. */
static void pick_times(const struct zone *zone, int64_t *time)
{
	uint64_t random = 1;
	for (int i = 0; i < TIMES; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		time[i] = (int64_t)(random >> 20) % INT64_C(2100000000000);
		int64_t change = i % 2 ? zone_next_change(zone, time[i]) : INT64_MAX;
		if (change != INT64_MAX)
			time[i] = change + (int64_t)(random >> 40) % 14400000 - 7200000;
		if (i % 3)
			time[i] -= time[i] % 1000; /* in minutes once, when offsets had seconds, is no matter after 1972 */
	}
}

START_TEST(test_laws)
{
	static const char *const zones[] = { "UTC", "Europe/Berlin", "America/Sao_Paulo", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Cairo" };
	static int64_t time[TIMES];
	static uint8_t pass[TIMES];
	for (size_t z = 0; z < sizeof zones / sizeof zones[0]; z++) {
		struct exprs x;
		exprs_open(&x);
		if (zone_load(&x.schema.zone, zones[z], &x.plan, &x.err)) {
			exprs_close(&x);
			continue;
		}
		pick_times(x.schema.zone, time);
		x.batch.time = time;
		x.batch.n = TIMES;
		for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
			uint32_t n, r = 0;
			ck_assert_int_eq(expr_true(exprs_bound(&x, laws[i]), &x.batch, pass, &n), 0);
			while (r < TIMES && pass[r])
				r++;
			ck_assert_msg(n == TIMES, "%s: %s does not hold at %lld", zones[z], laws[i], (long long)time[r < TIMES ? r : 0]);
		}
		exprs_close(&x);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_zone, test_laws };
	return RUN_TESTS("expr_zone", tests);
}
