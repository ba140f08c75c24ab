#include "ops/op.h"

#define OP(name) extern const struct op_type name##_op;
#include "ops/ops.def"
#undef OP

const struct op_type *const op_types[] = {
#define OP(name) &name##_op,
#include "ops/ops.def"
#undef OP
	NULL,
};
