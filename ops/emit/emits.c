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

uint32_t emit_print(const struct emitter *emitter, const struct value *v, char scratch[TIME_TEXT_MAX], const char **p)
{
	if (v->type != V_TIME)
		return value_print(v, scratch, p);
	*p = scratch;
	return time_print(v->u.i, emitter->opt->style, scratch);
}

int emit_write(struct emitter *emitter)
{
	return out_push(emitter->out) ? out_failed(emitter->out, emitter->err) : 0;
}
