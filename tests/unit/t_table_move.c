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

int main(void)
{
	const TTest *const tests[] = { moves_are_told };
	return RUN_TESTS("table_move", tests);
}
