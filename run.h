/* One run of weir: command line in, exit status out. main calls it once; tests call it many times in one process. */
#ifndef WEIR_RUN_H
#define WEIR_RUN_H
#include <signal.h>
#include <stdint.h>

struct run {
	int argc;
	char *const *argv;
	int in, out, err;                    /* file descriptors, not closed */
	const volatile sig_atomic_t *stop;   /* number of the signal that asks for an end, 0 so far; NULL: none will */
	const volatile sig_atomic_t *resized; /* another number each time the terminal gets another size; NULL: never */
	const volatile sig_atomic_t *queried; /* another number each time somebody asks how far the run is; NULL: nobody does */
	const volatile sig_atomic_t *continued; /* another number each time it goes on after a stop; NULL: it does not stop */
	/* Knobs of the tests; 0: as users get it. */
	uint32_t batch_max;                  /* rows per batch */
	uint32_t read_max;                   /* bytes per read(2) */
	uint64_t fail_at;                    /* this allocation and all later ones are refused */
	/* What the run leaves behind. */
	uint64_t requests;                   /* allocations asked for */
	uint64_t leaked;                     /* bytes not given back */
};

enum { EXIT_WELL = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_ALERT = 3 };

/* Runs to the end of input (or to the signal) and gives the exit status. */
int run(struct run *run);
#endif
