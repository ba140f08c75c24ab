/* What a command line probably means otherwise: told on standard error once a run is planned, and not under -q. */
#ifndef WEIR_ADVICE_H
#define WEIR_ADVICE_H
#include "job.h"

/* Says one such thing at most. */
void advise(struct job *job);
#endif
