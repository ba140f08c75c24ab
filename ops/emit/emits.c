#include "ops/emit/emit.h"

#define EMIT(name) extern const struct emit_type name##_emit;
#include "ops/emit/emits.def"
#undef EMIT

const struct emit_type *const emit_types[] = {
#define EMIT(name) &name##_emit,
#include "ops/emit/emits.def"
#undef EMIT
	NULL,
};

const struct emit_type *emit_find(const char *name, size_t len)
{
	for (uint32_t i = 0; emit_types[i]; i++)
		if (strlen(emit_types[i]->name) == len && !memcmp(emit_types[i]->name, name, len))
			return emit_types[i];
	return NULL;
}

int emit_push(struct emitter *emitter)
{
	struct out *out = emitter->out;
	if (out->buf.n < OUT_BLOCK && !out->buf.failed)
		return 0;
	return out_push(out) ? out_failed(out, emitter->err) : 0;
}
