/* The inside of the JSON reader, shared by its files:
 *
 *     json_paths.c   the tree of wanted members, and the names         json_walk.c    the pass over the bytes
 *     json_scan.h    where a string or a run of digits ends            json_value.c   from pieces of text to values
 *
 * Wanted paths make a tree, and each node keeps the piece of the text that it was found at:
 *
 *     a.b, a.c[0], d      root -+- "a.b"             (tried first)
 *                               +- "a.c" --- [0]     (likewise)
 *                               +- a -+- b
 *                               |     +- c --- [0]
 *                               +- d
 *
 * Each time a node is met it gets a new number, and notes the number that its parent has just then. So what a node holds counts only if all numbers
 * on the way up agree: not if it comes from an earlier text, nor from a member that a later one of the same name has replaced. */
#ifndef WEIR_JSON_IN_H
#define WEIR_JSON_IN_H
#include "core/json.h"

enum json_kind { J_NULL, J_BOOL, J_NUMBER, J_STRING, J_ESCAPED /* a string with escapes */, J_NESTED };

struct json_element {
	int64_t index; /* negative: from the end */
	struct json_node *node;
	struct json_element *next;
};

struct json_node {
	struct json_node *parent;     /* NULL: the root */
	uint64_t met, under;          /* number of the last meeting, and that of the parent at that time */
	const char *p;                /* the piece; strings: without the quotes */
	uint32_t len;
	uint8_t kind;
	bool names;                   /* members of it are wanted */
	bool from_end;                /* elements counted from the end are wanted */
	int64_t most;                 /* the highest index wanted; -1: none counted from the front */
	struct json_element *element; /* wanted elements */
};

enum {
	JSON_WRITTEN = 32, /* bytes of a name, quotes and colon included, up to which it is guessed */
	JSON_LEARNT = 512, /* names that nobody wants, at most, to guess from */
};

/* A name of members of a wanted node (or of any unwanted object): what comes of it, and which name came next the last time. */
struct json_name {
	const struct json_node *in; /* NULL: an object of which nothing is wanted */
	struct json_node *node;     /* of the member; NULL: not wanted */
	struct json_name *next;     /* the guess, which has been written; NULL: none */
	const char *p;
	uint32_t len;
	uint32_t written, mask;     /* bytes of text; 0: not seen yet, or too long; a bit for each */
	char text[JSON_WRITTEN];    /* from the quote to the colon, as it stood there last */
};

struct json_frame {
	struct json_node *node;     /* of the container; NULL: not wanted */
	const struct json_node *in; /* the same, if it has wanted members */
	const char *begin;
	uint32_t index;             /* elements begun */
	char close;                 /* the bracket that ends it */
};

/* Walks over the value at p, which belongs to node, at a depth; behind it, or NULL (why and at are set). */
typedef const char *json_walk(struct json *json, const char *p, struct json_node *node, uint32_t depth);

struct json {
	json_walk *walk;
	const char *begin, *end, *wide; /* the text; before `wide` JSON_WRITTEN bytes can be looked at */
	const char *why, *at;
	uint64_t meetings;
	struct json_node *root;
	uint32_t npath;
	struct json_found { struct json_node *dotted, *node; } *path; /* where each path ends; dotted NULL: there is nothing to join */
	struct json_name **bucket;      /* names by hash, in their place or behind it */
	uint32_t mask, nname, nwanted, max_name; /* wanted names come first */
	struct json_name *name;
	struct json_name start, again, unknown; /* before the first name; likewise in elements walked again; in the place of names that are not kept */
	struct json_frame frame[JSON_DEPTH + 1];
};

/* The name of a member in `in`; NULL if it is not known. */
struct json_name *json_name_find(const struct json *json, const struct json_node *in, const char *p, uint32_t len);

/* Enters a name; there must be room. */
struct json_name *json_name_add(struct json *json, const struct json_node *in, const char *p, uint32_t len);

/* Resolves the escape at *p (a backslash; it is known to be valid): writes its 1 to 4 bytes, gives their number and moves *p behind it. */
uint32_t json_escape(const char **p, const char *end, char out[4]);

/* The walk of a machine; NULL if this one lacks it. */
json_walk *json_walk_of(enum json_machine machine);
#endif
