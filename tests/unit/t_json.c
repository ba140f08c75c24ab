/* core/json: random texts against a simple model; what is told of a wrong one; limits. Other people's cases are in t_json_suite.c. */
#include "tests/unit/json_rig.h"
#include "tests/unit/numgen.h"

/* ---- random texts */

struct text { char p[4000]; size_t n; };

static void put(struct text *t, const char *s)
{
	size_t n = strlen(s);
	if (t->n + n < sizeof t->p)
		memcpy(t->p + t->n, s, n);
	t->n += n;
}

static uint64_t random_state = 1;

static uint32_t below(uint32_t n) { return (uint32_t)numgen_below(&random_state, n); }

static void put_blanks(struct text *t)
{
	while (!below(8))
		put(t, (const char *[]){ " ", "\t", "\r", "\n", "   " }[below(5)]);
}

/* Few names, so that they repeat and nest; the same ones written in other ways; and dotted ones. */
static const char *const names[] = { "\"a\"", "\"b\"", "\"\\u0061\"", "\"a.b\"", "\"a.b.c\"", "\"c\"", "\"b\\u002Ec\"", "\"\"", "\"a name that is longer than what is guessed\"", "\"\\ud83d\\ude00\"" };

static void put_value(struct text *t, int depth)
{
	static const char *const scalars[] = { "null", "true", "false", "0", "-1", "12.5e3", "1E400", "-0.0", "12345678901234567890.5", "\"\"", "\"x\"", "\"a\\\\b\\n\"", "\"\\u00e9\\u4e2d\"", "\"\xff\xc3\"",
						"\"\\ud800\"", "\"\\udc00\\ud800\\ud83d\\ude00\"", "\"a long text without any escape in it, of more than 32 bytes\"", "\"a long text that is escaped near its end only \\t\"", "\"\\u0000\"" };
	put_blanks(t);
	uint32_t kind = below(depth > 4 ? 1 : 3);
	if (kind == 0) {
		put(t, scalars[below(sizeof scalars / sizeof *scalars)]);
	} else {
		put(t, kind == 1 ? "{" : "[");
		uint32_t n = below(5);
		for (uint32_t i = 0; i < n; i++) {
			put(t, i ? "," : "");
			put_blanks(t);
			if (kind == 1) {
				put(t, names[below(sizeof names / sizeof *names)]);
				put_blanks(t);
				put(t, ":");
			}
			put_value(t, depth + 1);
			put_blanks(t);
		}
		put(t, kind == 1 ? "}" : "]");
	}
	put_blanks(t);
}

enum { PATHS = 12, STEPS = 4 };

struct paths { struct step step[PATHS][STEPS]; struct json_path path[PATHS]; };

static void some_paths(struct paths *paths)
{
	static const char *const plain[] = { "a", "b", "c", "a.b", "", "b.c", "a name that is longer than what is guessed", "\xf0\x9f\x98\x80" };
	for (int i = 0; i < PATHS; i++) {
		uint32_t n = 1 + below(STEPS);
		for (uint32_t k = 0; k < n; k++) {
			const char *name = plain[below(below(2) ? 3 : 8)];
			paths->step[i][k] = !k || below(3) ? (struct step){ .name = name, .len = (uint32_t)strlen(name) } : (struct step){ .index = (int64_t)below(7) - 3 };
		}
		paths->path[i] = (struct json_path){ paths->step[i], n };
	}
}

static void same_value(const struct model *want, const struct value *v, const struct text *t)
{
	if (!want || want->kind == M_NULL) {
		ck_assert_msg(v->type == V_NULL, "%.*s of %.*s", (int)v->len, v->u.p, (int)t->n, t->p);
		return;
	}
	ck_assert_msg(v->type == V_RAW && v->len == want->len && (!v->len || !memcmp(v->u.p, want->p, v->len)), "%.*s is not %.*s of %.*s", (int)v->len, v->u.p ? v->u.p : "NULL",
		      (int)want->len, want->p, (int)t->n, t->p);
	ck_assert_int_eq((v->flags & VF_QUOTED) != 0, want->kind == M_STRING);
	bool nested = want->kind == M_ARRAY || want->kind == M_OBJECT, dirty = v->len && (memchr(v->u.p, '\t', v->len) || memchr(v->u.p, '\n', v->len) || memchr(v->u.p, '\r', v->len) || memchr(v->u.p, '\\', v->len));
	ck_assert_int_eq((v->flags & VF_JSON) != 0, want->kind == M_WORD || (nested && !memchr(v->u.p, '\n', v->len)));
	ck_assert(!(v->flags & VF_CLEAN) || !dirty);
	ck_assert(nested || dirty || v->flags & VF_CLEAN);
}

/* One reader reads many texts: what it guesses from one never shows in the next. Then a byte of the text is changed. */
START_TEST(random_texts)
{
	for (int round = 0; round < 60; round++) {
		struct paths paths;
		some_paths(&paths);
		struct json *const json[2] = { reader(paths.path, PATHS, 0), reader(paths.path, PATHS, 1) };
		for (int i = 0; i < 200; i++) {
			struct text t = { .n = 0 };
			put_value(&t, 0);
			if (t.n >= sizeof t.p)
				continue;
			for (uint32_t changes = below(3); changes && t.n; changes--)
				t.p[below((uint32_t)t.n)] = "{}[],:\"\\ \n\x01" "019.eE+-nutx\xff"[below(25)];
			struct model *want = model_read(t.p, t.n);
			ck_assert_msg(is_json(json, t.p, t.n) == (want != NULL), "%.*s", (int)t.n, t.p);
			for (int m = 0; m < 2 && json[m] && want; m++)
				for (uint32_t k = 0; k < PATHS; k++) {
					struct value v;
					ck_assert(!json_read(json[m], t.p, t.n, t.n) && !json_value(json[m], k, &arena, &v));
					same_value(model_path(want, paths.path[k].step, paths.path[k].nstep), &v, &t);
				}
			model_free(want);
		}
		arena_reset(&arena);
	}
}
END_TEST

/* No beginning of a text is one (numbers aside), and what is missing is its end. */
START_TEST(beginnings)
{
	struct json *const json[2] = { reader(NULL, 0, 0), reader(NULL, 0, 1) };
	static const char text[] = "{\"a\": [1, -2.5e+3, true, null, \"x\\u00e9\\n\"], \"b\": {\"a rather long name in quotes\": false}}";
	size_t at;
	for (size_t n = 0; n < sizeof text - 1; n++) {
		ck_assert(!is_json(json, text, n));
		const char *why = json_why(json[0], &at);
		bool cut_word = strchr("truefalsn", text[n]) && n && strchr("truefalsn", text[n - 1]); /* told as no value, where it begins */
		ck_assert_msg(cut_word || (at == n && !strcmp(why, "it ends too early")), "%zu: %s at %zu", n, why, at);
	}
	ck_assert(is_json(json, text, sizeof text - 1));
}
END_TEST

START_TEST(depth)
{
	struct json *const json[2] = { reader(NULL, 0, 0), reader(NULL, 0, 1) };
	static char text[200000];
	size_t at;
	for (size_t n = JSON_DEPTH - 1; n <= JSON_DEPTH + 1; n++) {
		for (size_t i = 0; i < n; i++)
			memcpy(text + 5 * i, "{\"a\":", 5);
		text[5 * n] = '1';
		memset(text + 5 * n + 1, '}', n);
		ck_assert_int_eq(is_json(json, text, 6 * n + 1), n <= JSON_DEPTH);
	}
	ck_assert_str_eq(json_why(json[0], &at), "it is nested deeper than 1000 levels");
	ck_assert_uint_eq(at, 5 * JSON_DEPTH);
	memset(text, '[', sizeof text);
	ck_assert(!is_json(json, text, sizeof text));
}
END_TEST

START_TEST(reasons)
{
	static const struct { const char *text, *why; size_t at; } rows[] = {
		{ "", "it ends too early", 0 }, { "  ", "it ends too early", 2 }, { "x", "a value is expected", 0 }, { "{\"a\":}", "a value is expected", 5 }, { "[1,]", "a value is expected", 3 },
		{ "{\"a\" 1}", "a colon is expected", 5 }, { "{\"a\":1,}", "a name in quotes is expected", 7 }, { "{a:1}", "a name in quotes is expected", 1 },
		{ "[1 2]", "a comma or the closing bracket is expected", 3 }, { "[1}", "a comma or the closing bracket is expected", 2 }, { "1 2", "there is more behind the value", 2 },
		{ "\"a\tb\"", "a string may not hold a control byte", 2 }, { "\"\\x\"", "no such escape", 2 }, { "\"\\u12g4\"", "four hexadecimal digits are expected", 5 },
		{ "-", "it ends too early", 1 }, { "-a", "a digit is expected", 1 }, { "[1.]", "a digit is expected", 3 }, { "[1e+]", "a digit is expected", 4 }, { "01", "a number may not begin with 0", 0 },
	};
	struct json *const json[2] = { reader(NULL, 0, 0), reader(NULL, 0, 1) };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t at;
		ck_assert(!is_json(json, rows[i].text, strlen(rows[i].text)));
		const char *why = json_why(json[0], &at);
		ck_assert_msg(!strcmp(why, rows[i].why) && at == rows[i].at, "%s: %s at %zu", rows[i].text, why, at);
	}
}
END_TEST

/* More names than are learnt, and thousands of wanted ones. */
START_TEST(many_names)
{
	enum { WANTED = 2000, TEXT = 100000 };
	static struct step step[WANTED];
	static struct json_path path[WANTED];
	static char name[WANTED][8], text[TEXT];
	for (uint32_t i = 0; i < WANTED; i++) {
		step[i] = (struct step){ .name = name[i], .len = (uint32_t)sprintf(name[i], "n%u", i) };
		path[i] = (struct json_path){ &step[i], 1 };
	}
	struct json *json = reader(path, WANTED, 0);
	for (uint32_t round = 0; round < 3; round++) {
		size_t n = 1;
		*text = '{';
		for (uint32_t i = 0; i < WANTED; i++)
			n += (size_t)sprintf(text + n, "%s\"other%u\":0,\"n%u\":%u", i ? "," : "", i, i * 7 % WANTED, i + round);
		text[n++] = '}';
		ck_assert(!json_read(json, text, n, n));
		for (uint32_t i = 0; i < WANTED; i++) {
			struct value v;
			char want[16];
			snprintf(want, sizeof want, "%u", i + round);
			ck_assert(!json_value(json, i * 7 % WANTED, &arena, &v) && v.len == strlen(want) && !memcmp(v.u.p, want, v.len));
		}
	}
}
END_TEST

START_TEST(refused_memory)
{
	const struct step step[] = { { .name = "a", .len = 1 }, { .name = "b", .len = 1 }, { .index = -1 } };
	const struct json_path path = { step, 3 };
	for (uint64_t at = 1;; at++) {
		struct mem small = { .fail_at = at };
		struct arena plan;
		struct value v;
		arena_init(&plan, &small);
		struct json *json = json_new(&path, 1, &plan);
		int status = -1;
		for (int i = 0; json && i < 2000 && (!i || !status); i++) /* until a chunk is full */
			status = json_read(json, "{\"a\":{\"b\":[\"a longer text\\n\"]}}", 31, 31) ? -2 : json_value(json, 0, &plan, &v);
		ck_assert(status == 0 || status == -1);
		arena_release(&plan);
		ck_assert_uint_eq(small.used, 0);
		if (!status)
			return;
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { random_texts, beginnings, depth, reasons, many_names, refused_memory };
	return json_tests("json", tests, sizeof tests / sizeof *tests);
}
