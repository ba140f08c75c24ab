/* The slots of the keyed table while keys come and go: their number, and how far a key lies from its home, stay small. Looks into the table. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "ops/state/table_in.h"
#include "state_test.h"

enum { IDS = 4000, GROUP = 64, GONE = 64 * IDS, LONG = 1 /* this key is long: its creation always asks for memory */, LONG_LEN = 65534 };

struct gone {
	struct entry *entry;
	uint32_t id;
};

/* Keys begin with their numbers; the state is the birth of the entry. */
struct world {
	struct table *table;
	struct mem mem;
	uint64_t random, births, alive;
	uint32_t ids, hashes;    /* keys 0 .. ids - 1; how many different hashes they have, 0: as many as keys */
	uint64_t born[IDS];      /* 0: the key is not there */
	struct gone gone[GONE];  /* removed since the last tick */
	uint32_t ngone;
	uint64_t moves, refused; /* how often an entry was slid, and memory refused */
	char long_key[LONG_LEN];
};

static void note_move(void *ctx, struct entry *entry)
{
	(void)entry;
	((struct world *)ctx)->moves++;
}

static struct world *world_new(uint32_t ids, uint32_t hashes)
{
	struct world *w = calloc(1, sizeof *w);
	w->ids = ids;
	w->hashes = hashes;
	w->random = ids + hashes;
	memcpy(w->long_key, &(uint32_t){ LONG }, sizeof(uint32_t));
	w->table = table_new(8, 1, &w->mem);
	MUST(w->table);
	table_on_move(w->table, note_move, w);
	return w;
}

static void world_free(struct world *w)
{
	table_free(w->table);
	MUST(w->mem.used == 0);
	free(w);
}

static uint64_t hash_of(const struct world *w, uint32_t id)
{
	uint32_t group = w->hashes ? id % w->hashes : id;
	return XXH3_64bits(&group, sizeof group);
}

static uint32_t id_of(const struct table *table, const struct entry *entry)
{
	uint32_t id, len;
	memcpy(&id, entry_key(table, entry, &len), sizeof id);
	MUST(len == (id == LONG ? LONG_LEN : sizeof id));
	return id;
}

static int find(struct world *w, uint32_t n, const uint32_t *id, bool create, struct entry **out)
{
	const char *key[GROUP] = { 0 };
	uint32_t len[GROUP] = { 0 };
	uint64_t hash[GROUP] = { 0 };
	uint8_t fresh[GROUP] = { 0 };
	for (uint32_t i = 0; i < n; i++) {
		key[i] = id[i] == LONG ? w->long_key : (const char *)&id[i];
		len[i] = id[i] == LONG ? LONG_LEN : sizeof id[i];
		hash[i] = hash_of(w, id[i]);
	}
	if (table_find(w->table, n, hash, key, len, create, NULL, out, fresh))
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		MUST(fresh[i] == (create && !w->born[id[i]]));
		if (!fresh[i])
			continue;
		*(uint64_t *)entry_state(out[i]) = w->born[id[i]] = ++w->births;
		w->alive++;
	}
	return 0;
}

static struct entry *find_one(struct world *w, uint32_t id, bool create)
{
	struct entry *entry;
	MUST(!find(w, 1, &id, create, &entry));
	return entry;
}

static void remove_one(struct world *w, uint32_t id)
{
	struct entry *entry = find_one(w, id, false);
	table_remove(w->table, entry);
	w->gone[w->ngone++] = (struct gone){ entry, id };
	w->born[id] = 0;
	w->alive--;
}

/* What was removed can be read up to here. */
static void tick(struct world *w, uint32_t rows)
{
	while (w->ngone) {
		const struct gone *gone = &w->gone[--w->ngone];
		MUST(id_of(w->table, gone->entry) == gone->id && gone->entry->flags & ENTRY_DEAD);
	}
	table_tick(w->table, rows);
}

/* ---- the invariants of table_in.h ---- */

/* Steps from their homes to all slots of an index; in `has` the entry of each key. */
static uint64_t walk_slots(const struct world *w, const struct index *index, struct entry **has, uint64_t *taken)
{
	uint64_t steps = 0;
	for (uint64_t i = 0; i < index->n; i++) {
		if (!index->slot[i])
			continue;
		uint32_t hash32 = (uint32_t)(index->slot[i] >> 32);
		struct entry *entry = entry_at(w->table, (uint32_t)index->slot[i]);
		uint32_t id = id_of(w->table, entry);
		MUST(hash32 == (uint32_t)(hash_of(w, id) >> 32));
		MUST(index_of(w->table, hash32) == index);
		for (uint64_t k = home(index, hash32); k != i; k = (k + 1) & (index->n - 1)) {
			MUST(index->slot[k]);
			steps++;
		}
		MUST(!has[id]); /* one slot for each key */
		has[id] = entry;
		++*taken;
	}
	return steps;
}

/* Each key that lies in the chunks has one slot, that of its youngest entry. Gives the steps to all of them. */
static uint64_t check_slots(const struct world *w)
{
	const struct table *table = w->table;
	struct entry **has = calloc(w->ids, sizeof(struct entry *)), **youngest = calloc(w->ids, sizeof(struct entry *));
	uint64_t taken = 0;
	uint64_t steps = walk_slots(w, &table->now, has, &taken) + walk_slots(w, &table->old, has, &taken);
	MUST(taken == table->used);
	for (uint32_t c = 0; c < table->nchunk; c++) {
		for (size_t at = c ? 0 : 8; at < table->chunk[c].used;) {
			struct entry *entry = (void *)(table->chunk[c].p + at);
			youngest[id_of(table, entry)] = entry;
			at += entry_size(table, entry);
		}
	}
	for (uint32_t id = 0; id < w->ids; id++) {
		MUST(has[id] == youngest[id]);
		MUST((w->born[id] != 0) == (has[id] && !(has[id]->flags & ENTRY_DEAD)));
	}
	free(has);
	free(youngest);
	return steps;
}

/* Live entries, all of them, in the order of their birth. */
static void check_order(const struct world *w)
{
	struct entry *entry;
	uint64_t n = 0, last = 0;
	for (uint64_t pos = 0; table_next(w->table, &pos, &entry); n++) {
		uint64_t born = *(uint64_t *)entry_state(entry);
		MUST(born > last && born == w->born[id_of(w->table, entry)]);
		last = born;
	}
	MUST(n == w->alive && n == table_count(w->table));
}

/* ---- random ---- */

/* A group of keys, half of them out of a few that come and go all the time; now and then memory is refused. */
static void random_find(struct world *w)
{
	uint32_t id[GROUP], n = 1 + (uint32_t)(next_random(&w->random) % GROUP);
	struct entry *out[GROUP];
	for (uint32_t i = 0; i < n; i++)
		id[i] = (uint32_t)(next_random(&w->random) % (i % 2 ? 1 + w->ids / 50 : w->ids));
	bool refuse = next_random(&w->random) % 4 == 0;
	if (refuse)
		w->mem.fail_at = w->mem.requests + 1;
	if (find(w, n, id, next_random(&w->random) % 4 != 0, out)) {
		MUST(refuse);
		w->refused++;
	}
	w->mem.fail_at = 0;
}

static void random_remove(struct world *w, uint32_t n)
{
	while (n--) {
		uint32_t id = (uint32_t)(next_random(&w->random) % (n % 2 ? 1 + w->ids / 50 : w->ids));
		if (w->born[id])
			remove_one(w, id);
	}
}

static void run(uint32_t ids, uint32_t hashes, uint32_t rounds)
{
	struct world *w = world_new(ids, hashes);
	for (uint32_t i = 0; i < rounds; i++) {
		random_find(w);
		random_remove(w, i / 100 % 3 == 2 ? 2 * GROUP : GROUP / 4);
		if (next_random(&w->random) % 4 == 0)
			tick(w, 0);
		if (i % 8 == 0) {
			check_slots(w);
			check_order(w);
		}
	}
	MUST(w->moves && w->refused > rounds / 50);
	world_free(w);
}

START_TEST(one_slot_for_each_key)
{
	run(3, 1, 300);
	run(100, 1, 500);
	run(500, 7, 1000);
	run(IDS, 0, 2000);
	run(IDS, 100, 2000);
}
END_TEST

/* No room in the chunks for the new entry: the slot stays with the dead one. */
START_TEST(refused_room)
{
	struct world *w = world_new(1, 0);
	struct entry *entry;
	for (uint32_t id = 0; w->refused < 5;) {
		w->mem.fail_at = w->mem.requests + 1;
		int status = find(w, 1, &id, true, &entry);
		w->mem.fail_at = 0;
		if (status) {
			check_slots(w);
			w->refused++;
			find_one(w, id, true);
		}
		remove_one(w, id);
	}
	check_slots(w);
	world_free(w);
}
END_TEST

/* ---- cost ---- */

/* No tick, so all the dead stay: the index does not know of them. */
START_TEST(hot_key)
{
	struct world *w = world_new(IDS, 0);
	for (uint32_t id = 1; id < IDS; id++)
		find_one(w, id, true);
	for (uint32_t i = 0; i < GONE; i++) {
		find_one(w, 0, true);
		remove_one(w, 0);
		MUST(w->table->used == IDS);
	}
	MUST(check_slots(w) < 3 * IDS);
	find_one(w, 0, true);
	MUST(w->table->used == IDS);
	check_order(w);
	world_free(w);
}
END_TEST

/* Many keys come and go: the dead do not outnumber the living for long, and no more entries are slid than were removed. */
START_TEST(passing_keys)
{
	enum { LIVE = 1000, ROUNDS = 3000 };
	struct world *w = world_new(IDS, 0);
	for (uint32_t id = LONG + 1; id <= LONG + LIVE; id++)
		find_one(w, id, true);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		for (uint32_t k = 0; k < GROUP; k++) {
			uint32_t first = LONG + LIVE + 1, id = first + (i * GROUP + k) % (IDS - first);
			find_one(w, id, true);
			remove_one(w, id);
		}
		uint32_t again = LONG + 1 + i % LIVE;
		remove_one(w, again);
		find_one(w, again, true);
		tick(w, 2 * GROUP);
		MUST(w->table->used <= 2 * LIVE + 4 * GROUP);
		if (i % 16 == 0)
			MUST(check_slots(w) < 3 * 2 * LIVE);
	}
	MUST(w->moves > 0 && w->moves <= (uint64_t)ROUNDS * (GROUP + 1));
	check_order(w);
	world_free(w);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { one_slot_for_each_key, refused_room, hot_key, passing_keys };
	return RUN_TESTS("table_slots", tests);
}
