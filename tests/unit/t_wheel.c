/* The wheel of timers against a list. */
#include <stdlib.h>

#include "ops/state/wheel.h"
#include "state_test.h"

struct model {
	struct wheel wheel;
	struct mem mem;
	int64_t *time; /* by number; INT64_MAX: it has come out */
	uint64_t n, cap, left, random;
	int64_t now;
};

static int add(struct model *m, int64_t time)
{
	if (wheel_add(&m->wheel, (struct wheel_timer){ time, (void *)(uintptr_t)(m->n + 1) }))
		return -1;
	if (m->n == m->cap)
		m->time = realloc(m->time, (m->cap = m->cap ? 2 * m->cap : 64) * sizeof *m->time);
	m->time[m->n++] = time;
	m->left++;
	return 0;
}

/* All that is due comes out, once each, and nothing else. */
static void take(struct model *m, int64_t limit)
{
	struct wheel_timer got[5];
	int most = 1 + (int)(next_random(&m->random) % 5), n;
	while ((n = wheel_take(&m->wheel, limit, got, most)) > 0) {
		MUST(n <= most);
		for (int i = 0; i < n; i++) {
			uint64_t which = (uintptr_t)got[i].of - 1;
			MUST(which < m->n && m->time[which] == got[i].time && got[i].time <= limit);
			m->time[which] = INT64_MAX;
			m->left--;
		}
	}
	MUST(!n);
	int64_t least = INT64_MAX, next;
	for (uint64_t i = 0; i < m->n; i++)
		least = m->time[i] < least ? m->time[i] : least;
	MUST(least > limit || least == INT64_MAX);
	MUST(wheel_next(&m->wheel, &next) == (m->left > 0));
	MUST(!m->left || (next <= least && next > limit));
	m->now = limit;
}

static void begin(struct model *m, uint64_t seed, int64_t now)
{
	*m = (struct model){ .random = seed, .now = now };
	wheel_init(&m->wheel, &m->mem);
}

static void end(struct model *m)
{
	wheel_release(&m->wheel);
	ck_assert_uint_eq(m->mem.used, 0);
	free(m->time);
}

START_TEST(test_random)
{
	static const int64_t start[] = { 0, -100, 1793491202764, INT64_MIN, -3000000000 };
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct model m;
		uint64_t range = UINT64_C(1) << seed % 40;
		begin(&m, seed, start[seed % 5]);
		for (int i = 0; i < 600; i++) {
			if (next_random(&m.random) % 3)
				MUST(!add(&m, m.now + 1 + (int64_t)(next_random(&m.random) % range)));
			else if (next_random(&m.random) % 8)
				take(&m, m.now + (int64_t)(next_random(&m.random) % (range / 8 + 2)));
			else
				MUST(!add(&m, m.now - (int64_t)(next_random(&m.random) % 3) * (m.now > INT64_MIN + 3))); /* due already */
		}
		take(&m, INT64_MAX - 1);
		MUST(!m.left);
		MUST(!add(&m, INT64_MAX));
		struct wheel_timer got;
		MUST(wheel_take(&m.wheel, INT64_MAX - 1, &got, 1) == 0 && wheel_take(&m.wheel, INT64_MAX, &got, 1) == 1);
		end(&m);
	}
}
END_TEST

/* Whatever is refused, nothing comes out twice. */
START_TEST(test_refused)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct model m;
		begin(&m, seed, 0);
		uint64_t got = 0;
		for (int i = 0; i < 3000; i++) {
			struct wheel_timer timer;
			m.mem.fail_at = next_random(&m.random) % 2 ? m.mem.requests + 1 : 0;
			if (next_random(&m.random) % 4)
				(void)!add(&m, m.now + (int64_t)(next_random(&m.random) % 100000));
			else if (wheel_take(&m.wheel, m.now += 300, &timer, 1) == 1) {
				got++;
				MUST(m.time[(uintptr_t)timer.of - 1] == timer.time);
				m.time[(uintptr_t)timer.of - 1] = INT64_MAX;
			}
		}
		m.mem.fail_at = 0;
		struct wheel_timer timer;
		while (wheel_take(&m.wheel, INT64_MAX, &timer, 1) == 1)
			got++;
		MUST(got == m.n);
		end(&m);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_random, test_refused };
	return RUN_TESTS("wheel", tests);
}
