/* Every output format: exact bytes, and for changelog and csv that reading gives back the same values. */
#include "sink_rig.h"

enum { COLUMNS = 4 };

static const struct {
	const char *format;
	bool final, names, terminal;
	const char *want;
} formats[] = {
	{ "changelog", false, false, false, "+I\ta\\tb\t1\t\\N\n-U\tx\\\\y\t-1.05\t\n+U\tx,\"y\"\ttrue\t1\\n2\\r\n-D\t\x1b[1m\t123456789012345678901\t\xc3\xa9\n" },
	{ "changelog", false, false, true, "+I\ta\\tb\t1\t\\N\n-U\tx\\\\y\t-1.05\t\n+U\tx,\"y\"\ttrue\t1\\n2\\r\n-D\t\\x1B[1m\t123456789012345678901\t\xc3\xa9\n" },
	{ "tsv", false, true, false, "op\ta\tb\tc\n+I\ta\\tb\t1\t\n-U\tx\\y\t-1.05\t\n+U\tx,\"y\"\ttrue\t1\\n2\\r\n-D\t\x1b[1m\t123456789012345678901\t\xc3\xa9\n" },
	{ "tsv", true, true, false, "a\tb\tc\na\\tb\t1\t\nx\\y\t-1.05\t\nx,\"y\"\ttrue\t1\\n2\\r\n\x1b[1m\t123456789012345678901\t\xc3\xa9\n" },
	{ "csv", false, true, false, "op,a,b,c\n+I,a\tb,1,\n-U,x\\y,-1.05,\"\"\n+U,\"x,\"\"y\"\"\",true,\"1\n2\r\"\n-D,\x1b[1m,123456789012345678901,\xc3\xa9\n" },
	{ "csv", true, false, true, "a\\x09b,1,\nx\\y,-1.05,\"\"\n\"x,\"\"y\"\"\",true,\"1\\x0A2\\x0D\"\n\\x1B[1m,123456789012345678901,\xc3\xa9\n" },
	{ "flink", false, false, false, "+I[a\tb, 1, null]\n-U[x\\y, -1.05, ]\n+U[x,\"y\", true, 1\n2\r]\n-D[\x1b[1m, 123456789012345678901, \xc3\xa9]\n" },
	{ "table", true, true, false,
	  "a        b                      c\na\\x09b   1\nx\\y      -1.05\nx,\"y\"    true                   1\\x0A2\\x0D\n\\x1B[1m  123456789012345678901  \xc3\xa9\n" },
};

START_TEST(a_format_writes_exactly_this)
{
	struct bench b;
	start(&b, formats[_i].format, names, 3);
	b.conf.opt.final = formats[_i].final;
	b.conf.opt.names = formats[_i].names;
	b.conf.opt.terminal = formats[_i].terminal;
	ck_assert_int_eq(open_sink(&b), 0);
	every_kind_of_row(&b);
	ck_assert_str_eq(finish(&b), formats[_i].want);
	stop(&b);
}
END_TEST

START_TEST(weir_tells_names_key_and_kinds_once)
{
	static const uint32_t key[] = { 2, 0 };
	static const char *const odd[] = { "a", "b\tb", "c\\" };
	struct bench b;
	start(&b, "weir", odd, 3);
	b.in.kinds = S_U | S_D;
	b.in.has_key = true;
	b.in.key = key;
	b.in.nkey = 2;
	b.conf.opt.no_before = _i;
	ck_assert_int_eq(open_sink(&b), 0);
	row(&b, K_I, (struct value[]){ text("x"), value_int(0), value_null() });
	ck_assert_int_eq(push(&b), 0);
	row(&b, K_D, (struct value[]){ text("x"), value_int(0), value_null() });
	ck_assert_str_eq(finish(&b), _i ? "@names\ta\tb\\tb\tc\\\\\n@key\tc\\\\\ta\n@kinds\t+I\t+U\t-D\n+I\tx\t0\t\\N\n-D\tx\t0\t\\N\n"
				    : "@names\ta\tb\\tb\tc\\\\\n@key\tc\\\\\ta\n@kinds\t+I\t-U\t+U\t-D\n+I\tx\t0\t\\N\n-D\tx\t0\t\\N\n");
	stop(&b);
}
END_TEST

static const struct value wide[] = { { .type = V_RAW, .len = 1, .u.p = "p" }, { .type = V_NULL }, { .type = V_RAW, .len = 2, .u.p = "qr" } };

START_TEST(rows_without_names_keep_their_own_width)
{
	static const char *const open[] = { "*", "rank" };
	static const struct {
		const char *format, *want;
	} cases[] = {
		{ "weir", "@kinds\t+I\n+I\tp\t\\N\tqr\t1\n+I\tp\t2\n+I\t3\n" },
		{ "csv", "+I,p,,qr,1\n+I,p,2\n+I,3\n" },
		{ "flink", "+I[p, null, qr, 1]\n+I[p, 2]\n+I[3]\n" },
		{ "table", "p     qr  1\np  2\n3\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		start(&b, cases[i].format, open, 2);
		ck_assert_int_eq(open_sink(&b), 0);
		for (uint32_t n = 0; n < 3; n++)
			row(&b, K_I, (struct value[]){ { .type = V_ROW, .len = (uint32_t[]){ 3, 1, 0 }[n], .u.row = wide }, value_int(n + 1) });
		ck_assert_str_eq(finish(&b), cases[i].want);
		stop(&b);
	}
}
END_TEST

/* 2026-11-29 10:00 and a quarter of a second before 1970. */
START_TEST(times_are_written_in_the_style)
{
	static const struct time_style s = { .kind = STYLE_S }, ms = { .kind = STYLE_MS }, pattern = { .kind = STYLE_PATTERN, .pattern = "%H:%M,\t\"%d\\\n" };
	static const struct {
		const char *format;
		const struct time_style *style;
		const char *want;
	} cases[] = {
		{ "changelog", NULL, "+I\t2026-11-29T10:00:00Z\t1969-12-31T23:59:59.750Z\n" },
		{ "changelog", &s, "+I\t1795946400\t-0.25\n" },
		{ "changelog", &ms, "+I\t1795946400000\t-250\n" },
		{ "changelog", &pattern, "+I\t10:00,\\t\"29\\\\\\n\t23:59,\\t\"31\\\\\\n\n" },
		{ "weir", &ms, "@names\ta\tb\n@kinds\t+I\n+I\t1795946400000\t-250\n" },
		{ "tsv", NULL, "+I\t2026-11-29T10:00:00Z\t1969-12-31T23:59:59.750Z\n" },
		{ "tsv", &pattern, "+I\t10:00,\\t\"29\\\\n\t23:59,\\t\"31\\\\n\n" },
		{ "csv", NULL, "op,a,b\n+I,2026-11-29T10:00:00Z,1969-12-31T23:59:59.750Z\n" },
		{ "csv", &pattern, "op,a,b\n+I,\"10:00,\t\"\"29\\\n\",\"23:59,\t\"\"31\\\n\"\n" },
		{ "flink", NULL, "+I[2026-11-29T10:00:00Z, 1969-12-31T23:59:59.750Z]\n" },
		{ "flink", &s, "+I[1795946400, -0.25]\n" },
		{ "table", NULL, "a                     b\n2026-11-29T10:00:00Z  1969-12-31T23:59:59.750Z\n" },
		{ "table", &pattern, "a                   b\n10:00,\\x09\"29\\\\x0A  23:59,\\x09\"31\\\\x0A\n" },
	};
	struct bench b;
	start(&b, cases[_i].format, names, 2);
	b.conf.opt.style = cases[_i].style;
	ck_assert_int_eq(open_sink(&b), 0);
	row(&b, K_I, (struct value[]){ value_time(INT64_C(1795946400000)), value_time(-250) });
	ck_assert_str_eq(finish(&b), cases[_i].want);
	stop(&b);
}
END_TEST

/* Random bytes, many of them special. */
static struct value random_text(struct bench *b, unsigned *seed, bool nulls)
{
	static const char special[] = "\t\n\r\\,\"N \x1b";
	uint32_t n = (uint32_t)(rand_r(seed) % 40);
	if (nulls && n == 39)
		return value_null();
	char *p = arena_alloc(&b->scratch, n + 1);
	for (uint32_t i = 0; i < n; i++)
		p[i] = rand_r(seed) % 3 ? (char)(uint8_t)rand_r(seed) : special[rand_r(seed) % 9];
	return rand_r(seed) % 2 ? value_text(p, n) : value_raw(p, n);
}

/* The field at *at up to TAB or LF, unescaped as the format says. */
static struct value changelog_field(struct bench *b, const char **at)
{
	const char *p = *at;
	uint32_t n = (uint32_t)strcspn(p, "\t\n"), m = 0;
	*at = p + n + 1;
	if (n == 2 && p[0] == '\\' && p[1] == 'N')
		return value_null();
	char *to = arena_alloc(&b->scratch, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		char c = p[i];
		if (c == '\\' && i + 1 < n)
			c = p[++i], c = c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
		to[m++] = c;
	}
	return value_text(to, m);
}

static struct value csv_field(struct bench *b, const char **at)
{
	const char *p = *at;
	if (*p == ',' || *p == '\n') {
		*at = p + 1;
		return value_null();
	}
	char *to = arena_alloc(&b->scratch, 200);
	uint32_t m = 0;
	bool quoted = *p == '"';
	for (p += quoted; quoted ? p[0] != '"' || p[1] == '"' : *p != ',' && *p != '\n'; p++) {
		p += quoted && *p == '"';
		to[m++] = *p;
	}
	*at = p + quoted + 1;
	return value_text(to, m);
}

START_TEST(what_is_written_reads_back)
{
	bool csv = _i % 2;
	unsigned seed = (unsigned)_i + 1;
	struct value v[200][COLUMNS];
	static const char *const four[COLUMNS] = { "a", "b", "c", "d" };
	struct bench b;
	start(&b, csv ? "csv" : "changelog", four, COLUMNS);
	b.conf.opt.final = csv;
	b.conf.opt.names = false;
	ck_assert_int_eq(open_sink(&b), 0);
	for (uint32_t r = 0; r < 200; r++) {
		for (uint32_t c = 0; c < COLUMNS; c++) {
			do
				v[r][c] = random_text(&b, &seed, true);
			while (v[r][c].type != V_NULL && memchr(v[r][c].u.p, 0, v[r][c].len)); /* NUL would end this test's own text */
		}
		row(&b, K_I, v[r]);
	}
	const char *at = finish(&b);
	for (uint32_t r = 0; r < 200; r++) {
		if (!csv) {
			ck_assert_int_eq(memcmp(at, "+I\t", 3), 0);
			at += 3;
		}
		for (uint32_t c = 0; c < COLUMNS; c++) {
			struct value back = csv ? csv_field(&b, &at) : changelog_field(&b, &at);
			ck_assert(value_same(&back, &v[r][c]));
		}
	}
	ck_assert_int_eq(*at, '\0');
	stop(&b);
}
END_TEST

START_TEST(clean_texts_of_every_length_are_copied_whole)
{
	char bytes[100], want[120];
	for (uint32_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)('!' + i % 50 + (i % 50 >= '\\' - '!'));
	for (uint32_t n = 0; n < sizeof bytes; n++) {
		struct bench b;
		start(&b, "changelog", names, 1);
		ck_assert_int_eq(open_sink(&b), 0);
		char *exact = malloc(n ? n : 1); /* the sanitizer sees a byte too far */
		memcpy(exact, bytes, n);
		struct value v = value_raw(exact, n);
		v.flags = VF_CLEAN;
		row(&b, K_I, &v);
		snprintf(want, sizeof want, "+I\t%.*s\n", (int)n, bytes);
		ck_assert_str_eq(finish(&b), want);
		free(exact);
		stop(&b);
	}
}
END_TEST

START_TEST(a_table_aligns_by_code_points_and_numbers_to_the_right)
{
	struct bench b;
	start(&b, "table", names, 3);
	ck_assert_int_eq(open_sink(&b), 0);
	row(&b, K_I, (struct value[]){ text("\xc3\xa9\xc3\xa9\xc3\xa9"), value_int(5), raw("10") });
	row(&b, K_I, (struct value[]){ text("e"), value_int(1234), raw("7x") });
	row(&b, K_I, (struct value[]){ value_null(), value_null(), value_null() });
	row(&b, K_I, (struct value[]){ text("ff"), { .type = V_DEC, .scale = 1, .u.i = 15 }, raw("8") });
	ck_assert_str_eq(finish(&b), "a       b  c\n\xc3\xa9\xc3\xa9\xc3\xa9     5  10\ne    1234  7x\n\nff    1.5  8\n");
	stop(&b);
}
END_TEST

START_TEST(a_long_table_starts_before_its_end)
{
	struct bench b;
	start(&b, "table", names, 2);
	ck_assert_int_eq(open_sink(&b), 0);
	for (int i = 0; i < 6000; i++) {
		row(&b, K_I, (struct value[]){ raw(i < 5000 ? "ab" : "abcdef"), value_int(i) });
		if (b.batch.n == BATCH_MAX)
			ck_assert_int_eq(push(&b), 0);
		if (i == 4500)
			ck_assert_uint_gt(b.out.buf.n, 0);
	}
	const char *text = finish(&b);
	ck_assert_int_eq(memcmp(text, "a      b\nab     0\n", 18), 0);
	ck_assert_ptr_nonnull(strstr(text, "\nab  4998\nab  4999\nabcdef  5000\n"));
	stop(&b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("emit");
	TCase *tc = tcase_create("emit");
	suite_add_tcase(suite, tc);
	tcase_add_loop_test(tc, a_format_writes_exactly_this, 0, (int)(sizeof formats / sizeof *formats));
	tcase_add_loop_test(tc, weir_tells_names_key_and_kinds_once, 0, 2);
	tcase_add_test(tc, rows_without_names_keep_their_own_width);
	tcase_add_loop_test(tc, times_are_written_in_the_style, 0, 13);
	tcase_add_loop_test(tc, what_is_written_reads_back, 0, 20);
	tcase_add_test(tc, clean_texts_of_every_length_are_copied_whole);
	tcase_add_test(tc, a_table_aligns_by_code_points_and_numbers_to_the_right);
	tcase_add_test(tc, a_long_table_starts_before_its_end);
	return run(suite);
}
