/* --completions: scripts that complete the command line in a shell, made from the tables of operators, options and formats. */
#ifndef WEIR_COMPLETIONS_H
#define WEIR_COMPLETIONS_H
#include "core/err.h"

/* Writes the script for a shell ("bash", "zsh", "fish"); another one is a usage error. */
int completions_print(int fd, const char *shell, struct err *err);
#endif
