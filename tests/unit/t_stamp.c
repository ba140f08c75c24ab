/* core/stamp: words, patterns, and what is guessed. */
#include "core/stamp.h"
#include "tests/unit/timetexts.h"

static const struct strptime_env env = { .now = INT64_C(1796000000000), .ahead = DAY_MS }; /* 2026-11-29 */

static int init(struct stamp *stamp, const char *format, bool pattern, struct err *err)
{
	uint32_t len = (uint32_t)strlen(format);
	*err = (struct err){ .code = ERR_NONE };
	return stamp_init(stamp, format, len, pattern, (struct span){ "--time", format, 0, len }, err);
}

static struct stamp of(const char *format, bool pattern)
{
	struct stamp stamp;
	struct err err;
	ck_assert_msg(!init(&stamp, format, pattern, &err), "%s: %s", format, err.text);
	return stamp;
}

static bool read_value(struct stamp *stamp, struct value v, int64_t *out)
{
	const char *why = NULL;
	bool read = stamp_read(stamp, &v, &env, out, &why);
	ck_assert(read || (why && *why));
	return read;
}

/* Reads a text; INT64_MIN: it is no time. */
static int64_t read_text(struct stamp *stamp, const char *text)
{
	int64_t time;
	return read_value(stamp, value_raw(text, (uint32_t)strlen(text)), &time) ? time : INT64_MIN;
}

static const char *name_of(const struct stamp *stamp)
{
	static char name[64];
	name[stamp_name(stamp, name, sizeof name - 1)] = '\0';
	return name;
}

/* ---- guesses */

START_TEST(guesses)
{
	static const struct { const char *text, *name; int64_t time; } rows[] = {
		{ "123456789", "s", INT64_C(123456789000) }, { "1796000000", "s", INT64_C(1796000000000) }, { "1796000000.25", "s", INT64_C(1796000000250) },
		{ "179600000012", "ms", INT64_C(179600000012) }, { "1796000000123", "ms", INT64_C(1796000000123) }, { "179600000012345", "us", INT64_C(179600000012) },
		{ "1796000000123456", "us", INT64_C(1796000000123) }, { "1796000000123456789", "ns", INT64_C(1796000000123) }, { "-123456789", "s", -INT64_C(123456789000) },
		{ "+1796000000", "s", INT64_C(1796000000000) }, { " 1796000000\t", "s", INT64_C(1796000000000) }, { "179600000012345678", "ns", INT64_C(179600000012) },
		{ "2026-11-29", "iso", INT64_C(1795910400000) }, { "2026-11-29T10:00:00+01:00", "iso", INT64_C(1795942800000) }, { "2026-11-29 10:00:00,5", "iso", INT64_C(1795946400500) },
		{ "29/Nov/2026:10:00:00 +0000", "clf", INT64_C(1795946400000) }, { "[29/Nov/2026:10:00:00 +0000]", "clf", INT64_C(1795946400000) },
		{ "Nov 29 10:00:00", "syslog", INT64_C(1795946400000) }, { "Nov  9 10:00:00", "syslog", INT64_C(1794218400000) },
		{ "Nov 29 2025 10:00:00", "syslog", INT64_C(1764410400000) }, { "Nov  9 10:00:00.25", "syslog", INT64_C(1794218400250) },
		{ "Nov  9 10:00:00,25", "syslog", INT64_C(1794218400250) }, { "Nov  9 2026 10:00:00,25", "syslog", INT64_C(1794218400250) }, { "Nov 9 2026 10:00:00.5", "syslog", INT64_C(1794218400500) },
		{ "Dec 25 10:00:00", "syslog", INT64_C(1766656800000) }, /* of last year: this one's lies ahead */
		{ "2026/11/29 10:00:00", "\"%Y/%m/%d %H:%M:%S\"", INT64_C(1795946400000) }, { "Sun Nov 29 10:00:00 2026", "\"%a %b %e %H:%M:%S %Y\"", INT64_C(1795946400000) },
		{ "Sun Nov 29 10:00:00.5 2026", "\"%a %b %e %H:%M:%S.%f %Y\"", INT64_C(1795946400500) }, { "Sun Nov 29 10:00:00 UTC 2026", "\"%a %b %e %H:%M:%S %Z %Y\"", INT64_C(1795946400000) },
		{ "Sun, 29 Nov 2026 10:00:00 GMT", "\"%a, %d %b %Y %H:%M:%S %Z\"", INT64_C(1795946400000) },
		{ "Sun, 29 Nov 2026 10:00:00 -0100", "\"%a, %d %b %Y %H:%M:%S %z\"", INT64_C(1795950000000) }, { "29/Nov/2026 10:00:00", "\"%d/%b/%Y %H:%M:%S\"", INT64_C(1795946400000) },
		{ "29 Nov 2026 10:00:00", "\"%d %b %Y %H:%M:%S\"", INT64_C(1795946400000) }, { "29-Nov-2026 10:00:00.123", "\"%d-%b-%Y %H:%M:%S.%f\"", INT64_C(1795946400123) },
		{ "2026-11-29 10:00:00 UTC", "\"%Y-%m-%d %H:%M:%S %Z\"", INT64_C(1795946400000) }, { "2026-11-29 10:00:00.25 UTC", "\"%Y-%m-%d %H:%M:%S.%f %Z\"", INT64_C(1795946400250) },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct stamp stamp = { .kind = STAMP_GUESS };
		ck_assert_str_eq(name_of(&stamp), "guessed from the first value");
		int64_t time = read_text(&stamp, rows[i].text);
		ck_assert_msg(time == rows[i].time && !strcmp(name_of(&stamp), rows[i].name), "%s: %lld, %s", rows[i].text, (long long)time, name_of(&stamp));
	}
}
END_TEST

/* What cannot be guessed leaves the guess open for the next value; one that could holds. */
START_TEST(a_guess_waits_and_stays)
{
	struct stamp stamp = { .kind = STAMP_GUESS };
	static const char *const none[] = { "", "-", "x", "1", "12345678", "12345678901", "12345678901234", "12345678901234567", "12345678901234567890", "1e9", "20261129", "29.11.2026", "2026-02-30",
					    "99/Nov/2026:10:00:00 +0000", "02/01/2026 10:00:00", "26/11/29 10:00:00", "29/Nov/26 10:00:00", "29 Nov 26 10:00:00", "1796000000x", "2026", " ", "now" };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ck_assert_msg(read_text(&stamp, none[i]) == INT64_MIN && stamp.kind == STAMP_GUESS, "%s as %s", none[i], name_of(&stamp));
	int64_t time;
	ck_assert(!read_value(&stamp, value_null(), &time) && stamp.kind == STAMP_GUESS);
	ck_assert_int_eq(read_text(&stamp, "1796000000"), INT64_C(1796000000000));
	ck_assert_int_eq(read_text(&stamp, "12"), 12000);
	ck_assert_int_eq(read_text(&stamp, "2026-11-29"), INT64_MIN);
}
END_TEST

/* Informs: what logs contain, as a lenient reader has it. What is guessed here is the same time, or the row says why not. */
START_TEST(loose_suite)
{
	struct suite_line line;
	int rows = 0, taken = 0, wrong = 0;
	FILE *file = suite_open("time/loose_dateparse.tsv");
	while (file && suite_next(file, &line)) {
		struct stamp stamp = { .kind = STAMP_GUESS };
		const char *text = unquoted(line.field[0]);
		if (strcmp(line.field[2], "UTC"))
			continue;
		int64_t time = read_text(&stamp, text);
		rows++;
		taken += time != INT64_MIN;
		if (time == INT64_MIN || time == atoll(line.field[1]))
			continue;
		printf("'%s' as %s: %lld, not %s\n", text, name_of(&stamp), (long long)time, line.field[1]);
		wrong++;
	}
	if (file) {
		fclose(file);
		printf("time/loose_dateparse.tsv: of %d rows %d guessed, %d another time\n", rows, taken, wrong);
	}
}
END_TEST

/* ---- given formats */

START_TEST(words_and_patterns)
{
	static const char *const words[] = { "s", "ms", "us", "ns", "iso", "clf", "syslog" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct stamp plain = of(words[i], false), quoted = of(words[i], true);
		ck_assert_str_eq(name_of(&plain), words[i]);
		ck_assert_str_eq(name_of(&quoted), words[i]);
	}
	struct stamp iso = of("iso", false), clf = of("clf", false), syslog = of("syslog", false), day = of("%d.%m.%Y", true);
	ck_assert_str_eq(name_of(&day), "\"%d.%m.%Y\"");
	ck_assert_int_eq(read_text(&iso, "1970-01-02"), DAY_MS);
	ck_assert_int_eq(read_text(&day, "02.01.1970"), DAY_MS);
	ck_assert_int_eq(read_text(&day, "30.02.1970"), INT64_MIN);
	ck_assert_int_eq(read_text(&clf, "02/Jan/1970:00:00:00 +0000"), DAY_MS);
	ck_assert_int_eq(read_text(&clf, "1970-01-02"), INT64_MIN);
	ck_assert_int_eq(read_text(&syslog, "1970-01-02T00:00:00Z"), DAY_MS);
	ck_assert_int_eq(read_text(&syslog, "Nov 29 10:00:00"), INT64_C(1795946400000));
	ck_assert_int_eq(read_text(&syslog, "Nov 31 10:00:00"), INT64_MIN);
	ck_assert_int_eq(read_text(&syslog, ""), INT64_MIN);
}
END_TEST

START_TEST(values_of_all_types)
{
	struct stamp ns = of("ns", false), ms = of("ms", false), compact = of("%Y%m%d", true);
	int64_t time;
	static const struct value rows[] = { { .type = V_TIME, .u.i = 7 }, { .type = V_DEC, .u.i = 7000000 }, { .type = V_DEC, .scale = 1, .u.i = -1 }, { .type = V_DEC, .u.i = INT64_C(9007199254740993) },
					     { .type = V_DEC, .u.i = INT64_MAX }, { .type = V_DBL, .u.d = 1.5e9 }, { .type = V_BIG, .len = 22, .u.p = "8640000000000000999999" } };
	static const int64_t want[] = { 7, 7, -1, INT64_C(9007199254), INT64_C(9223372036854), 1500, TIME_MAX };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_msg(read_value(&ns, rows[i], &time) && time == want[i], "%zu: %lld", i, (long long)time);
	static const struct value none[] = { { .type = V_NULL }, { .type = V_BOOL, .u.i = 1 }, { .type = V_ROW }, { .type = V_DEC, .u.i = INT64_MIN }, { .type = V_DEC, .u.i = INT64_MAX }, { .type = V_DBL, .u.d = 1e300 } };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ck_assert(!read_value(&ms, none[i], &time));
	ck_assert(read_value(&ms, value_int(TIME_COUNT_MAX), &time) && time == TIME_COUNT_MAX);
	ck_assert(read_value(&compact, value_int(20261129), &time) && time == INT64_C(1795910400000));
	ck_assert(read_value(&compact, value_text("20261129", 8), &time) && time == INT64_C(1795910400000));
}
END_TEST

/* What a zone is asked about must leave room for its offset. */
START_TEST(far_times_have_no_zone)
{
	struct mem mem = { 0 };
	struct arena arena;
	struct err err = { .code = ERR_NONE };
	struct strptime_env there = env;
	struct stamp ms = of("ms", false);
	struct value last = value_int(TIME_MAX), more = value_int(TIME_MAX + 1);
	const char *why;
	int64_t time;
	arena_init(&arena, &mem);
	ck_assert(!zone_load(&there.zone, "<+03>-3", &arena, &err));
	ck_assert(stamp_read(&ms, &last, &there, &time, &why) && time == TIME_MAX);
	ck_assert(!stamp_read(&ms, &more, &there, &time, &why) && stamp_read(&ms, &more, &env, &time, &why));
	arena_release(&arena);
}
END_TEST

START_TEST(wrong_formats)
{
	static const char *const wrong[][2] = {
		{ "sec", "no time format 'sec'; did you mean s" }, { "isoo", "did you mean iso?" }, { "x", "there are: s, ms, us, ns, iso, clf, syslog" }, { "%Q", "no such letter" },
		{ "%", "a letter belongs behind %" }, { "%d.%", "a letter belongs behind %" }, { "", "no time format ''" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct stamp stamp;
		struct err err;
		ck_assert_msg(init(&stamp, wrong[i][0], true, &err) == -1 && err.code == ERR_USAGE && (!i || strstr(err.text, wrong[i][1])), "%s: %s", wrong[i][0], err.text);
	}
	struct stamp stamp;
	struct err err;
	ck_assert(init(&stamp, "%d", false, &err) == -1); /* not in quotes */
}
END_TEST

/* What a guess came to comes back; nothing else does. */
START_TEST(guesses_are_restored)
{
	static const char *const texts[] = { "1796000000", "1796000000123", "1796000000123456", "1796000000123456789", "2026-11-29", "29/Nov/2026:10:00:00 +0000", "Nov 29 10:00:00",
					     "2026/11/29 10:00:00", "29 Nov 2026 10:00:00" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct stamp guessed = { .kind = STAMP_GUESS }, back = { .kind = STAMP_GUESS };
		int64_t time = read_text(&guessed, texts[i]);
		ck_assert(stamp_restore(&back, guessed.kind, guessed.places, guessed.pattern, guessed.len));
		ck_assert(back.kind == guessed.kind && back.places == guessed.places && back.pattern == guessed.pattern && back.len == guessed.len);
		ck_assert_int_eq(read_text(&back, texts[i]), time);
	}
	struct stamp stamp = of("us", false);
	ck_assert(!stamp_restore(&stamp, STAMP_PATTERN, 0, "%Q", 2) && !stamp_restore(&stamp, STAMP_PATTERN, 0, "", 0) && !stamp_restore(&stamp, STAMP_PATTERN + 1, 0, "", 0));
	ck_assert(!stamp_restore(&stamp, STAMP_COUNT, 12, "", 0) && !stamp_restore(&stamp, STAMP_COUNT, 4, "", 0));
	ck_assert_str_eq(name_of(&stamp), "us");
	ck_assert(stamp_restore(&stamp, STAMP_GUESS, 0, "", 0) && stamp.kind == STAMP_GUESS);
}
END_TEST

START_TEST(names_are_cut)
{
	struct stamp stamp = of("%Y-%m-%d %H:%M:%S", true);
	for (uint32_t room = 1; room < 30; room++) {
		char *name = malloc(room);
		uint32_t n = stamp_name(&stamp, name, room);
		ck_assert_uint_eq(n, room - 1 < 19 ? room - 1 : 19);
		ck_assert_int_eq(memcmp(name, "\"%Y-%m-%d %H:%M:%S\"", n), 0);
		free(name);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { guesses, a_guess_waits_and_stays, loose_suite, words_and_patterns, values_of_all_types, far_times_have_no_zone, wrong_formats, guesses_are_restored, names_are_cut };
	return run_tests("stamp", tests, sizeof tests / sizeof *tests);
}
