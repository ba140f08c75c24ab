/* The tree of wanted paths, and the table of names. */
#include <string.h>
#include <xxhash.h>

#include "core/json_in.h"

/* ---- names --------------------------------------------------------------------------------- */

static uint64_t hash(const struct json_node *in, const char *p, uint32_t len)
{
	return XXH3_64bits(p, len) ^ ((uintptr_t)in >> 4) * UINT64_C(0x9e3779b97f4a7c15);
}

struct json_name *json_name_find(const struct json *json, const struct json_node *in, const char *p, uint32_t len)
{
	struct json_name *name;
	for (uint64_t at = hash(in, p, len); (name = json->bucket[at & json->mask]); at++)
		if (name->in == in && name->len == len && (!len || !memcmp(name->p, p, len)))
			return name;
	return NULL;
}

struct json_name *json_name_add(struct json *json, const struct json_node *in, const char *p, uint32_t len)
{
	struct json_name *name = &json->name[json->nname++];
	uint64_t at = hash(in, p, len);
	while (json->bucket[at & json->mask])
		at++;
	json->bucket[at & json->mask] = name;
	*name = (struct json_name){ .in = in, .p = p, .len = len };
	return name;
}

/* ---- the tree ------------------------------------------------------------------------------ */

static struct json_node *new_node(struct json_node *parent, struct arena *mem)
{
	struct json_node *node = arena_alloc(mem, sizeof *node);
	if (node)
		*node = (struct json_node){ .parent = parent, .most = -1 };
	return node;
}

static struct json_node *member(struct json *json, struct json_node *in, const char *p, uint32_t len, struct arena *mem)
{
	struct json_name *name = json_name_find(json, in, p, len);
	if (name)
		return name->node;
	struct json_node *node = new_node(in, mem);
	if (!node)
		return NULL;
	in->names = true;
	json_name_add(json, in, p, len)->node = node;
	return node;
}

static struct json_node *element(struct json_node *in, int64_t index, struct arena *mem)
{
	for (struct json_element *e = in->element; e; e = e->next)
		if (e->index == index)
			return e->node;
	struct json_element *made = arena_alloc(mem, sizeof *made);
	struct json_node *node = made ? new_node(in, mem) : NULL;
	if (!node)
		return NULL;
	*made = (struct json_element){ index, node, in->element };
	in->element = made;
	in->from_end |= index < 0;
	if (index > in->most)
		in->most = index;
	return node;
}

static struct json_node *plant(struct json *json, struct json_node *node, const struct step *step, uint32_t nstep, struct arena *mem)
{
	for (uint32_t i = 0; node && i < nstep; i++)
		node = step[i].name ? member(json, node, step[i].name, step[i].len, mem) : element(node, step[i].index, mem);
	return node;
}

/* The `names` names at the front of the path joined by dots, then the rest of it. */
static struct json_node *plant_dotted(struct json *json, const struct json_path *path, uint32_t names, struct arena *mem)
{
	uint32_t len;
	const char *name = path_join(path->step, names, mem, &len);
	struct json_node *node = name ? member(json, json->root, name, len, mem) : NULL;
	return plant(json, node, path->step + names, path->nstep - names, mem);
}

static int plant_path(struct json *json, const struct json_path *path, struct json_found *found, struct arena *mem)
{
	uint32_t names = path_names(path->step, path->nstep);
	*found = (struct json_found){ .node = plant(json, json->root, path->step, path->nstep, mem) };
	if (names > 1)
		found->dotted = plant_dotted(json, path, names, mem);
	return !found->node || (names > 1 && !found->dotted) ? -1 : 0;
}

/* ---- the reader ---------------------------------------------------------------------------- */

/* Room for names: those of all steps, one more a path for the dotted one, and some to learn. */
static int make_table(struct json *json, const struct json_path *path, uint32_t n, struct arena *mem)
{
	size_t most = JSON_LEARNT + n, buckets = 2;
	for (uint32_t i = 0; i < n; i++)
		most += path[i].nstep;
	while (buckets < 2 * most)
		buckets *= 2;
	json->mask = (uint32_t)(buckets - 1);
	json->max_name = (uint32_t)most;
	json->name = arena_alloc(mem, most * sizeof *json->name);
	json->bucket = arena_alloc(mem, buckets * sizeof(struct json_name *));
	json->path = arena_alloc(mem, (n + 1) * sizeof *json->path);
	json->root = new_node(NULL, mem);
	if (!json->name || !json->bucket || !json->path || !json->root)
		return -1;
	memset(json->bucket, 0, buckets * sizeof(struct json_name *));
	return 0;
}

bool json_use(struct json *json, enum json_machine machine)
{
	json_walk *walk = json_walk_of(machine);
	if (walk)
		json->walk = walk;
	return walk;
}

struct json *json_new(const struct json_path *path, uint32_t n, struct arena *mem)
{
	struct json *json = arena_alloc(mem, sizeof *json);
	if (!json)
		return NULL;
	memset(json, 0, offsetof(struct json, frame));
	json->npath = n;
	if (make_table(json, path, n, mem))
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		if (plant_path(json, &path[i], &json->path[i], mem))
			return NULL;
	json->nwanted = json->nname;
	if (!json_use(json, JSON_SSE2))
		json_use(json, JSON_PLAIN);
	return json;
}
