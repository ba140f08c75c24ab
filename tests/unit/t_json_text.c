/* Texts written as JSON, against the JSON reader: what is written is JSON on one line, and reads as what it was. */
#include <check.h>
#include <stdlib.h>

#include "json_rig.h"
#include "ops/emit/json_text.h"
#include "ops/expr/text.h"
#include "tests/unit/run_tests.h"

static uint64_t state = 88172645463325252;

static uint32_t next(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % below;
}

/* Any bytes, more of those that matter. */
static uint32_t make_text(char *to)
{
	static const char *const parts[] = { "\"", "\\", "\n", "\t", "\x7f", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xff", "\xc0\xaf", "abcdefgh", "0" };
	char *at = to;
	for (uint32_t n = next(12); n; n--) {
		uint32_t part = next(20);
		if (part >= sizeof parts / sizeof *parts) {
			*at++ = (char)next(256);
			continue;
		}
		size_t len = strlen(parts[part]);
		memcpy(at, parts[part], len);
		at += len;
	}
	return (uint32_t)(at - to);
}

/* With U+FFFD in the place of each byte that belongs to no character. */
static uint32_t make_whole(const char *p, uint32_t n, char *to)
{
	char *at = to;
	for (const char *end = p + n; p < end;) {
		size_t len = char_len(p, end);
		bool bad = len == 1 && (unsigned char)*p >= 0x80;
		memcpy(at, bad ? "\xef\xbf\xbd" : p, bad ? 3 : len);
		at += bad ? 3 : len;
		p += len;
	}
	return (uint32_t)(at - to);
}

START_TEST(texts_read_as_they_were)
{
	setup();
	const struct step step = { .index = 0 };
	const struct json_path path = { &step, 1 };
	struct json *json = json_new(&path, 1, &arena);
	for (int i = 0; i < 200000; i++) {
		char text[200], whole[600], out[2 + JSON_GROWTH * 200 + 2];
		uint32_t n = make_text(text), nwhole = make_whole(text, n, whole);
		char *end = json_put_string(out + 1, text, n);
		ck_assert(end <= out + 1 + 2 + JSON_GROWTH * n);
		ck_assert(char_valid(out + 1, (size_t)(end - out - 1)));
		for (char *c = out + 1; c < end; c++)
			ck_assert((unsigned char)*c >= ' ' && *c != 0x7f);
		out[0] = '[';
		*end++ = ']';
		ck_assert(!json_read(json, out, (size_t)(end - out), (size_t)(end - out)));
		struct value v;
		ck_assert(!json_value(json, 0, &arena, &v));
		ck_assert(v.type == V_RAW && v.flags & VF_QUOTED && v.len == nwhole && !memcmp(v.u.p, whole, nwhole));
		if (i % 1000 == 0)
			arena_reset(&arena), json = json_new(&path, 1, &arena);
	}
	teardown();
}
END_TEST

START_TEST(numbers_are_those_of_json)
{
	setup();
	struct json *json = json_new(NULL, 0, &arena);
	uint32_t good = 0;
	for (int i = 0; i < 300000; i++) {
		char text[12];
		uint32_t n = next(8);
		for (uint32_t k = 0; k < n; k++)
			text[k] = "0123.eE+-"[next(9)];
		bool is_number = !json_read(json, text, n, n);
		ck_assert_msg(json_is_number(text, n) == is_number, "%.*s", (int)n, text);
		good += is_number;
	}
	ck_assert(good > 1000 && !json_is_number(" 1", 2) && !json_is_number("1 ", 2) && !json_is_number("true", 4));
	teardown();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { texts_read_as_they_were, numbers_are_those_of_json };
	return RUN_TESTS("json_text", tests);
}
