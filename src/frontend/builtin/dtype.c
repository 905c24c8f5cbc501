// Questions about dtypes: x.dtype.is_floating() and its like.
#include "frontend/eval/call.h"

#define COMPILE_TIME(name, handler, signature, doc) builtin_handler handler;
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME

static struct dtype asked(struct value v) {
    return v.kind == VALUE_TILE_TYPE ? v.tensor.dtype : v.dtype;
}

#define QUESTION(name, answer)                                                                               \
    struct value name(struct emitter *e, struct value *args, struct location location) {                     \
        struct dtype type = asked(args[0]);                                                                  \
        (void)e, (void)location, (void)type;                                                                 \
        return value_bool(answer);                                                                           \
    }
#define IS_SCALAR(name, id) QUESTION(name, type.pointers == 0 && type.scalar == SCALAR_##id)

QUESTION(dtype_is_floating, dtype_is_float(type))
QUESTION(dtype_is_standard_floating, dtype_is_float(type) && !dtype_is_f8(type))
QUESTION(dtype_is_int, dtype_is_integer(type))
QUESTION(dtype_is_int_signed, dtype_is_signed(type))
QUESTION(dtype_is_int_unsigned, dtype_is_unsigned(type))
QUESTION(dtype_is_ptr, dtype_is_pointer(type) && args[0].kind == VALUE_DTYPE)
QUESTION(dtype_is_block, args[0].kind == VALUE_TILE_TYPE)
QUESTION(dtype_is_fp8, dtype_is_f8(type))
IS_SCALAR(dtype_is_fp8e4nv, FLOAT8E4NV)
IS_SCALAR(dtype_is_fp8e4b8, FLOAT8E4B8)
IS_SCALAR(dtype_is_fp8e4b15, FLOAT8E4B15)
IS_SCALAR(dtype_is_fp8e5, FLOAT8E5)
IS_SCALAR(dtype_is_fp8e5b16, FLOAT8E5B16)
IS_SCALAR(dtype_is_fp16, FLOAT16)
IS_SCALAR(dtype_is_bf16, BFLOAT16)
IS_SCALAR(dtype_is_fp32, FLOAT32)
IS_SCALAR(dtype_is_fp64, FLOAT64)
IS_SCALAR(dtype_is_int1, INT1)
IS_SCALAR(dtype_is_int8, INT8)
IS_SCALAR(dtype_is_int16, INT16)
IS_SCALAR(dtype_is_int32, INT32)
IS_SCALAR(dtype_is_int64, INT64)
IS_SCALAR(dtype_is_uint8, UINT8)
IS_SCALAR(dtype_is_uint16, UINT16)
IS_SCALAR(dtype_is_uint32, UINT32)
IS_SCALAR(dtype_is_uint64, UINT64)

struct value dtype_get_block_shapes(struct emitter *e, struct value *args, struct location location) {
    return args[0].kind == VALUE_TILE_TYPE ? eval_attribute_of(e, args[0], "shape", location)
                                           : value_tuple(e->arena, NULL, 0);
}

struct value dtype_get_int_max_value(struct emitter *e, struct value *args, struct location location) {
    struct dtype type = asked(args[0]);
    if (!dtype_is_integer(type)) {
        return emit_error(e, location, "%s is not an integer type", dtype_name(e->arena, type));
    }
    return value_int(((wide_int)1 << (dtype_bits(type) - dtype_is_signed(type))) - 1);
}

struct value dtype_get_int_min_value(struct emitter *e, struct value *args, struct location location) {
    struct dtype type = asked(args[0]);
    if (!dtype_is_integer(type)) {
        return emit_error(e, location, "%s is not an integer type", dtype_name(e->arena, type));
    }
    return value_int(dtype_is_signed(type) ? -((wide_int)1 << (dtype_bits(type) - 1)) : 0);
}
