/* Entries that slide to other places tell so, each time. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "ops/state/table.h"
#include "state_test.h"

/* Pointers to entries that are kept up by table_on_move; keys are numbers. */
enum { PLACES = 5000 };
struct places {
	struct table *table;
	struct entry *at[PLACES]; /* NULL: the key is not there */
	uint64_t moves;
};

static void note_move(void *ctx, struct entry *entry)
{
	struct places *places = ctx;
	uint32_t id, len;
	memcpy(&id, entry_key(places->table, entry, &len), sizeof id);
	MUST(len == sizeof id && *(uint64_t *)entry_state(entry) == id && places->at[id] && places->at[id] != entry);
	places->at[id] = entry;
	places->moves++;
}

static struct entry *find_id(const struct places *places, uint32_t id, bool create)
{
	const char *key = (const char *)&id;
	uint32_t len = sizeof id;
	uint64_t hash = XXH3_64bits(&id, sizeof id);
	struct entry *entry;
	uint8_t fresh;
	MUST(!table_find(places->table, 1, &hash, &key, &len, create, NULL, &entry, &fresh));
	return entry;
}

START_TEST(moves_are_told)
{
	struct mem mem = { 0 };
	struct places *places = calloc(1, sizeof *places);
	places->table = table_new(8, 1, &mem);
	table_on_move(places->table, note_move, places);
	uint64_t random = 1;
	for (uint32_t i = 0; i < 300; i++) {
		for (uint32_t k = 0; k < 400; k++) {
			uint32_t id = (uint32_t)(next_random(&random) % PLACES);
			if (places->at[id]) {
				table_remove(places->table, places->at[id]);
				places->at[id] = NULL;
			} else if (i % 20 < 15) {
				places->at[id] = find_id(places, id, true);
				*(uint64_t *)entry_state(places->at[id]) = id;
			}
		}
		table_tick(places->table, 400);
		for (uint32_t id = 0; id < PLACES; id++)
			MUST(find_id(places, id, false) == places->at[id]);
	}
	MUST(places->moves > PLACES);
	table_free(places->table);
	free(places);
}
END_TEST

/* Key number id: from 4 bytes on, now and then one that is long. */
static uint32_t long_key(uint32_t id, char *key)
{
	uint32_t len = id % 100 == 7 ? 70000 : 4 + id % 800;
	memset(key, 'k', len);
	memcpy(key, &id, sizeof id);
	return len;
}

static struct entry *find_long(const struct places *places, uint32_t id, bool create)
{
	static char bytes[70000];
	const char *key = bytes;
	uint32_t len = long_key(id, bytes);
	uint64_t hash = XXH3_64bits(&id, sizeof id) << (id % 3 ? 0 : 40); /* some keys share their hash */
	struct entry *entry;
	uint8_t fresh;
	MUST(!table_find(places->table, 1, &hash, &key, &len, create, NULL, &entry, &fresh));
	return entry;
}

static void follow(void *ctx, struct entry *entry)
{
	struct places *places = ctx;
	uint32_t len, id;
	memcpy(&id, entry_key(places->table, entry, &len), sizeof id);
	MUST(*(uint64_t *)entry_state(entry) == id + 1 && places->at[id]);
	places->at[id] = entry;
	places->moves++;
}

static uint64_t walk(const struct places *places)
{
	uint64_t pos = 0, n = 0;
	struct entry *entry;
	while (table_next(places->table, &pos, &entry)) {
		uint32_t len, id;
		memcpy(&id, entry_key(places->table, entry, &len), sizeof id);
		MUST(places->at[id] == entry);
		n++;
	}
	return n;
}

/* Keys that come and go take no more memory than are alive at a time, and are found where they are. */
START_TEST(places_are_taken_again)
{
	enum { ALIVE = 300, KEYS = 2000 };
	struct mem mem = { 0 };
	struct places *places = calloc(1, sizeof *places);
	places->table = table_new(8, 1, &mem);
	table_recycle(places->table);
	table_on_move(places->table, follow, places); /* the largest entries are slid away */
	uint64_t random = 1, alive = 0;
	size_t early = 0;
	for (uint32_t i = 0; i < 600; i++) {
		for (uint32_t k = 0; k < 100; k++) {
			uint32_t id = (uint32_t)(next_random(&random) % KEYS);
			if (places->at[id]) {
				table_remove(places->table, places->at[id]);
				places->at[id] = NULL;
				alive--;
			} else if (alive < ALIVE) {
				places->at[id] = find_long(places, id, true);
				MUST(!*(uint64_t *)entry_state(places->at[id]));
				*(uint64_t *)entry_state(places->at[id]) = id + 1;
				alive++;
			}
		}
		table_tick(places->table, 100);
		for (uint32_t id = 0; id < KEYS; id++)
			MUST(find_long(places, id, false) == places->at[id]);
		MUST(walk(places) == alive && table_count(places->table) == alive);
		if (i == 100)
			early = mem.peak;
	}
	MUST(mem.peak < 2 * early);
	table_free(places->table);
	MUST(!mem.used);
	free(places);
}
END_TEST

/* Removed and created anew within one push: two entries, one slot. */
START_TEST(a_removed_key_comes_back)
{
	struct mem mem = { 0 };
	struct places *places = calloc(1, sizeof *places);
	places->table = table_new(8, 1, &mem);
	table_recycle(places->table);
	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t id = i % 5;
		for (uint32_t k = 0; k < i % 4; k++) {
			struct entry *was = find_long(places, id, true);
			*(uint64_t *)entry_state(was) = 1;
			table_remove(places->table, was);
			MUST(!find_long(places, id, false));
		}
		places->at[id] = find_long(places, id, true);
		MUST(!*(uint64_t *)entry_state(places->at[id]) || !(i % 4));
		if (i % 7 == 0) {
			table_remove(places->table, places->at[id]);
			places->at[id] = NULL;
		}
		table_tick(places->table, 1);
		for (uint32_t k = 0; k < 5; k++)
			MUST(!find_long(places, k, false) == !places->at[k]);
	}
	table_free(places->table);
	MUST(!mem.used);
	free(places);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { moves_are_told, places_are_taken_again, a_removed_key_comes_back };
	return RUN_TESTS("table_move", tests);
}
