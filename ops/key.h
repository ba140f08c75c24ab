/* --keyby: the key of the next stateful operator, and its bytes.
 *
 * A key of one column is that column's bytes as they are (borrowed, nothing is copied); NULL is KEY_NULL as its length. Numbers and booleans are
 * keyed by their canonical text, times by the digits of their milliseconds. A key of several is, column after column, a length (1 byte: 0 NULL,
 * 1..254 length + 1; 255: 4 bytes length + 1 follow, little-endian), then the bytes: no two different keys are equal bytes. */
#ifndef WEIR_KEY_H
#define WEIR_KEY_H
#include "ops/expr/expr.h"
#include "ops/op.h"
#include "ops/state/table.h"

/* conf of the keyby setting */
struct keyby {
	struct named_list list;
};

/* A key bound to the schema of the operator that uses it. */
struct key {
	uint32_t n;
	struct expr **expr;
	const char **name;   /* of the output columns */
	uint32_t *name_len;
	enum type *type;     /* T_RAW, T_TEXT, T_NUMBER, T_BOOL ... */
};

/* Binds op->key (NULL: the global key, n 0). */
int key_bind(struct key *key, const struct op *op, struct schema *schema, struct err *err);
/* The same with window_start, window_end in front. */
int key_bind_window(struct key *key, const struct op *op, struct schema *schema, struct err *err);

/* Keys of all rows: bytes (borrowed from the batch or in its mem), lengths, and hashes seeded with `seed`. The arrays are the caller's, batch->n long. */
int key_rows(const struct key *key, const struct batch *batch, uint64_t seed, const char *bytes[], uint32_t len[], uint64_t hash[]);

/* A key in a snapshot. */
struct saved_key {
	const char *bytes; /* in the snapshot */
	uint32_t len;
	uint64_t hash;
};
void key_save(struct snap_out *out, const char *bytes, uint32_t len);
/* Reads one; if it is damaged in->bad is set, and the key is empty. */
struct saved_key key_load(struct snap_in *in, uint64_t seed);

/* Turns key bytes back into key->n values (texts point into `bytes`; numbers are read again). `clean`: no byte of it needs escaping, sets VF_CLEAN. */
void key_values(const struct key *key, const char *bytes, uint32_t len, bool clean, struct value *out);

/* expr_need for all columns of the key; use[i] is what output column i is read for (0 still needs the value). */
void key_need(const struct key *key, const uint8_t *use, uint8_t *in);
#endif
