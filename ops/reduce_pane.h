/* --reduce in windows of time that fire at their end, and with --lateness for each late row again: tumble, hop, cumulate; shared by ops/reduce_pane*.c only.
 *
 *     reduce_pane.c        the descriptor: plan, needs, --explain, life of the state
 *     reduce_pane_set.c    panes by start, and the nodes in them
 *     reduce_pane_index.c  the node of a key in a pane, where a key has many
 *     reduce_pane_push.c   rows into their nodes
 *     reduce_pane_chain.c  what the windows of several panes share: chains, totals
 *     reduce_pane_fire.c   watermark, clock, rows out
 *     reduce_pane_late.c   --lateness: windows that fire again
 *     reduce_pane_save.c   snapshots
 *
 * Windows share panes (ops/window.h). What a key has in a pane is a node; a row touches one node, however many windows it is in.
 *
 *     pane   9:00        9:10        9:20     |  9:30        9:40       by start; a pane closes when the first window that holds it fires
 *            closed      closed      closed   |  open        open
 *            [a b c]     [b d a]     [b]      |  [a b]       [b]        nodes by arrival of the key in the pane
 *             1 1 1       0 1 0       0                                 bit `first`: the oldest node of its key
 *
 *     key b  b9:00 <---> b9:10 <---> b9:20       b9:30 - b9:40
 *            oldest                  newest      open, in no order: rows come in any
 *            `------- the chain ----------'
 *
 * A window that fires closes the panes up to its end: each node goes to the end of its key's chain. Then it has one row for each chain: keys by the pane
 * of their oldest node, in it by arrival: the bits `first`. Then the panes that no later window holds go, each chain loses its oldest node, and the next
 * one becomes first in its pane.
 *
 * The value of a chain, by what the aggregates can:
 *   one pane       its node's; there are no chains
 *   a total        one block for each key: nodes are merged into it when they close, and taken out again (unmerge) when they go. A cumulate takes
 *                  nothing out: all goes at the end of its longest window. If order does not matter and nothing is taken back, a closed node is merged
 *                  and dropped, but for the oldest, which keeps the place of its key
 *   two stacks     for what cannot be taken out. Each node up to `flip` has, besides its own block, a suffix: itself and all newer ones up to flip; the
 *                  nodes behind are together in one block for each key, the back. Value: suffix of the oldest, merged with the back. When the front
 *                  has gone the whole chain becomes the front:
 *
 *                       oldest       flip               newest
 *                       [1]   [2]    [3]     [4]   [5]   [6]
 *                       1+2+3 2+3    3      back = 4+5+6
 *
 * A row that comes too late for one window and in time for the next goes into its closed pane: its key is then `stale`, and merges its chain anew when
 * a window needs it.
 *
 * With --lateness panes that no later window holds stay until the last window that held them closes: they are past. Their nodes have left the chain, but
 * not the list it is a part of. A row that goes into a pane of windows that have fired and are not closed fires them for its key at once; what they were
 * and what they are now is merged from the nodes on either side of the row's:
 *
 *     key b  b8:40 <---> b8:50 <---> b9:00 <---> b9:10 <---> b9:20
 *            past        past        oldest                  newest
 *                                    `------- the chain ----------' */
#ifndef WEIR_REDUCE_PANE_H
#define WEIR_REDUCE_PANE_H
#include "ops/keyed.h"
#include "ops/state/pool.h"
#include "ops/window_emit.h"

enum pane_value { PANE_ONE, PANE_TOTAL, PANE_STACKS };

struct pane_conf {
	struct key key;
	struct accs accs;
	struct windows windows;
	struct window_emit emit;
	enum pane_value value;
	int64_t lateness;   /* ms; 0 on the clock */
	bool keeps;         /* nodes of closed panes have blocks of their own; else what they held is in the total */
	bool lists;         /* keys have lists of closed nodes */
	bool borrows;       /* values may lie in the blocks they come from */
	size_t block_at, suffix_at, node_size; /* in a node */
	size_t key_size;    /* state of an entry */
};

/* What a key has in a pane. Behind it: [ rows ] block [ suffix ]. */
struct pane_node {
	struct pane_node *older, *newer; /* neighbours among the closed nodes of its key, or among its open ones */
	struct entry *entry;             /* of its key; kept true by table_on_move */
	struct pane *pane;
	uint32_t place;                  /* in pane->node */
	uint32_t hash;                   /* of the key, for pane->slot */
};

struct pane {
	int64_t start, end;          /* ms */
	int64_t first_end, last_end; /* of the windows that hold it */
	bool closed;
	bool past;                   /* all these have fired; it is closed, too */
	struct pane_node **node;     /* by arrival; NULL: it has gone */
	uint64_t *first;             /* a bit for each place */
	uint32_t n, cap, live;       /* places taken, places there are, nodes that are there */
	uint32_t nfirst;
	struct pane_node **slot;     /* see reduce_pane_index.c; NULL: not needed so far */
	uint32_t nslot, nused;
};

/* The state of an entry. A key without nodes stays for a while, as most come back in the next pane. */
struct pane_key {
	struct pane_node *last;      /* the open node that its last row went into; NULL: there is none */
	struct pane *last_pane;      /* its pane */
	struct pane_node *open;      /* its open nodes, the newest one made first */
	uint32_t nopen;
	uint32_t stale;
	/* From here on only if conf->lists; behind it, where windows have several panes, the block of the total or the back. */
	struct pane_node *newest;    /* of all closed nodes, past ones too */
	struct pane_node *oldest;    /* of the chain; NULL: it is empty */
	struct pane_node *flip;
};

struct reduce_pane {
	struct table *table;
	struct pool nodes;
	struct pane **pane;          /* pane[from] .. pane[from + n - 1], by start; the first nclosed are closed, of these the first npast past */
	uint32_t from, n, cap, nclosed, npast;
	uint32_t at;                 /* the one last looked for, counted from `from` */
	uint64_t nchain;             /* keys that have a chain */
	uint64_t made, kept;         /* nodes, since keys without any were last looked for; keys that were kept then */
	int64_t clock;               /* on the clock: what it had reached when windows last fired */
	struct arena scratch;        /* of one firing */
};

static inline void *pane_block(const struct pane_conf *conf, const struct pane_node *node) { return (char *)(uintptr_t)node + conf->block_at; }
static inline int64_t *pane_rows(struct pane_node *node) { return (int64_t *)(void *)(node + 1); } /* only if the input takes back */
static inline void *pane_total(struct pane_key *key) { return key + 1; }
static inline struct pane_key *pane_key(struct entry *entry) { return entry_state(entry); }
/* Of any key, also one that has no chain: has it nodes? */
static inline bool pane_key_busy(const struct pane_conf *conf, const struct pane_key *key) { return key->nopen || (conf->lists && key->newest); }
static inline struct pane *pane_number(const struct reduce_pane *state, uint32_t i) { return state->pane[state->from + i]; }
/* Up to where windows have fired: the last e - 1 of one that has. */
static inline int64_t pane_fired(const struct op *op) { return op->timed ? op->wm : ((const struct reduce_pane *)op->state)->clock; }

/* The watermark that closes a window; INT64_MAX: only the end of input does. */
static inline int64_t pane_close_time(const struct pane_conf *conf, int64_t end)
{
	int64_t close;
	return __builtin_add_overflow(end - 1, conf->lateness, &close) ? INT64_MAX : close;
}

/* ---- reduce_pane_set.c ---- */

/* The pane that holds t, made if `make`. *out is NULL if there is none; then *last_end is the end of the last window that holds t, INT64_MAX if t lies in
 * a gap. -1 if memory is refused. No pane is made that is late. */
int pane_find(struct op *op, int64_t t, bool make, struct pane **out, int64_t *last_end);
/* Appends a pane with these bounds, behind all others; NULL if memory is refused. */
struct pane *pane_append(struct op *op, const struct pane *bounds);
/* Drops pane number i with its nodes, whose links are the caller's. */
void pane_drop(struct op *op, uint32_t i);
/* Drops a pane if it has no node left. */
void pane_drop_empty(struct op *op, struct pane *pane);

/* A new node of a key at the end of the pane's order, not yet linked; NULL if memory is refused. */
struct pane_node *pane_node_new(struct op *op, struct entry *entry, uint32_t hash, struct pane *pane);
/* Moves a node to the end of its pane's order. -1 if memory is refused. */
int pane_node_again(struct op *op, struct pane_node *node);
/* Takes a node out of its pane and frees it, with what its blocks own; links are the caller's. The pane stays, even if empty. */
void pane_node_free(struct op *op, struct pane_node *node);
/* Frees a pane with its nodes, whose links are the caller's. */
void pane_free(struct op *op, struct pane *pane);

/* Links a node among the open ones of its key, and takes it out again. */
void pane_open_link(struct pane_node *node);
void pane_open_unlink(struct pane_node *node);

static inline bool pane_is_first(const struct pane *pane, uint32_t place) { return pane->first[place / 64] >> place % 64 & 1; }
/* Sets or clears the bit `first` of a node. */
static inline void pane_set_first(struct pane_node *node, bool first)
{
	struct pane *pane = node->pane;
	if (pane_is_first(pane, node->place) == first)
		return;
	pane->first[node->place / 64] ^= UINT64_C(1) << node->place % 64;
	pane->nfirst += first ? 1 : UINT32_MAX;
}

/* ---- reduce_pane_index.c ---- */

/* The node of a key in an open pane; *out is NULL if there is none. -1 if memory is refused. */
int pane_index_find(struct op *op, struct pane *pane, const struct entry *entry, uint32_t hash, struct pane_node **out);
/* Keeps the index, if the pane has one, true: for a node that has come (-1 if memory is refused), or goes. */
int pane_index_add(struct op *op, struct pane_node *node);
void pane_index_remove(struct pane_node *node);
void pane_index_free(struct op *op, struct pane *pane);

/* ---- reduce_pane_push.c ---- */

/* The push of the descriptor. */
int pane_push(struct op *op, const struct batch *in);

/* ---- reduce_pane_chain.c: all need conf->lists; what is not about past panes needs windows of several panes ---- */

/* The block that holds what a row of a closed pane adds to: a node's, linked into its key's list, or the total. *node is NULL in that case, or if the
 * key has nothing there and `make` is false. -1 if memory is refused. */
int pane_chain_find(struct op *op, struct entry *entry, uint32_t hash, struct pane *pane, bool make, struct pane_node **node, void **block);
/* Appends a node of a closed pane, newer than all others, to the list of its key. */
void pane_chain_append(struct op *op, struct pane_node *node);
/* Takes a node of a closed pane out of the list of its key, wherever it is. */
void pane_chain_unlink(struct op *op, struct pane_node *node);
/* Closes a pane. -1 if memory is refused. */
int pane_close(struct op *op, struct pane *pane);
/* The value of a key's chain as a block; `spare` is an empty block that may be used for it. NULL if memory is refused. */
void *pane_chain_value(struct op *op, struct pane_key *key, void *spare);
/* Takes the nodes of the oldest pane that is not past out of the chains of their keys: no later window holds it. With lateness the pane is past now, else
 * it is dropped. -1 if memory is refused. */
int pane_shift(struct op *op, struct pane *pane);

/* ---- reduce_pane_late.c: all need lateness ---- */

/* A row that fires windows again. */
struct pane_late {
	struct op *op;
	struct pane_node *node;      /* of its key in its pane */
	void *was;                   /* what that held before the row; NULL: nothing */
	uint32_t n;
	struct pane_late_window *window; /* by end */
	struct pane_spare *spare;    /* blocks that were made */
	void *before, *after;        /* of the window at hand; empty */
	struct value *key, *value;   /* value[aggregates]: before, then after */
};

/* Does a row of this pane fire windows again? */
bool pane_late_fires(const struct op *op, const struct pane *pane);
/* A row is about to go into a node; `holds`: others have before. -1 if memory is refused. pane_late_end is to be called in any case. */
int pane_late_begin(struct pane_late *late, struct op *op, struct pane_node *node, bool holds);
/* It has: writes what it changes. -1 with op->err set. */
int pane_late_fire(struct pane_late *late);
void pane_late_end(struct pane_late *late);
/* Makes the pane that has just fired past: the first one that is not; windows of one pane. */
void pane_late_keep(struct op *op, struct pane *pane);
/* Drops past panes whose windows the watermark closes. */
void pane_late_forget(struct op *op, int64_t wm);

/* ---- reduce_pane_fire.c, reduce_pane_save.c ---- */

/* Callbacks of the descriptor. */
int pane_watermark(struct op *op, int64_t *wm);
int64_t pane_due(const struct op *op);
int pane_timer(struct op *op, int64_t now);
int64_t pane_alarm(const struct op *op);
int pane_save(const struct op *op, struct snap_out *out);
int pane_load(struct op *op, struct snap_in *in);

extern const struct op_type reduce_pane_op;
#endif
