/* What the options mean: checked against each other and turned into what source and sink take. */
#ifndef WEIR_SETTINGS_H
#define WEIR_SETTINGS_H
#include "ops/emit/emit.h"
#include "parse/args.h"
#include "parse/source.h"

struct settings {
	struct time_ast time;          /* time.expr NULL: not given */
	struct watermark_ast watermark; /* filled in with what is not given */
	bool watermark_given;
	struct time_style style;       /* without its zone */
	struct source_options source;
	struct emit_options emit;
	bool final;
	bool live;                     /* a picture is drawn */
};

/* Fills everything but the sink's file and the source's callbacks. `terminal`: standard output is one. */
int settings_read(struct settings *settings, const struct args *args, bool terminal, struct arena *mem, struct err *err);
#endif
