/* --help, --version, and the usage line: made from the tables of options and operators. */
#ifndef WEIR_HELP_H
#define WEIR_HELP_H
#include "core/err.h"

/* The one-screen help, or (name not empty: "reduce", "-r", "--reduce", "avg", "split", "csv") all about one name; an unknown one is a usage error. */
int help_print(int fd, const char *name, struct err *err);
/* Name, version, and what the answers of this build depend on. -1 if writing fails. */
int help_version(int fd);
/* Three lines for somebody who typed weir alone. */
void help_usage(int fd);
#endif
