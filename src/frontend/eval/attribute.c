// Attributes: of modules, tensors, dtypes, descriptors and plain constants.
#include <stdio.h>
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/library/library.h"
#include "frontend/semantics/language.h"

static struct value extents(struct emitter *e, int rank, const int64_t *shape) {
    struct value items[TILE_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        items[i] = value_int(shape[i]);
    }
    return value_tuple(e->arena, items, (size_t)rank);
}

// Binds the builtin row `prefix.name` to its object as a method. False if the table has no such row.
static bool bound_row(struct emitter *e, const char *prefix, struct value object, const char *name,
                      struct value *out) {
    char row[96];
    snprintf(row, sizeof row, "%s.%s", prefix, name);
    const struct builtin *builtin = builtin_find(e->program, row);
    if (builtin) {
        *out = value_method(e->arena, object, value_builtin(builtin));
    }
    return builtin != NULL;
}

static struct value no_attribute(struct emitter *e, struct value object, const char *name,
                                 struct location location) {
    struct nearest nearest = {.text = name};
    const char *write = object.kind == VALUE_TENSOR ? suggest_synonym("tensor", name) : NULL;
    if (object.kind == VALUE_LIST && e->frame->is_jit) {
        return emit_error(
            e, location,
            "list has no method %s in a kernel, where lists do not change: write items = items + [value]",
            name);
    }
    if (write) {
        return emit_error(e, location, "%s has no attribute %s; write %s", value_type_name(e->arena, object),
                          name, write);
    }
    if (!e->quiet) {
        suggest_attributes(e, object, &nearest);
    }
    return emit_unknown(e, location, &nearest, "%s has no attribute %s", value_type_name(e->arena, object),
                        name);
}

static struct value dtype_attribute(struct emitter *e, struct value object, const char *name,
                                    struct location location) {
    struct dtype type = object.dtype;
    const struct dtype_row *row = &dtype_table[type.scalar];
    if (strcmp(name, "scalar") == 0 || strcmp(name, "value") == 0) {
        return object;
    }
    if (strcmp(name, "primitive_bitwidth") == 0 ||
        (strcmp(name, "int_bitwidth") == 0 && dtype_is_integer(type))) {
        return value_int(dtype_bits(type));
    }
    if (strcmp(name, "itemsize") == 0) {
        return value_int(dtype_bits(type) / 8);
    }
    if (strcmp(name, "fp_mantissa_width") == 0 && dtype_is_float(type)) {
        return value_int(row->mantissa);
    }
    if (strcmp(name, "exponent_bias") == 0 && dtype_is_float(type)) {
        return value_int(row->bias);
    }
    if (strcmp(name, "name") == 0) {
        return value_string(e->arena, dtype_signature(e->arena, type));
    }
    if (strcmp(name, "element_ty") == 0 && dtype_is_pointer(type)) {
        return value_dtype(dtype_pointee(type));
    }
    struct value method;
    return bound_row(e, "dtype", object, name, &method) ? method : no_attribute(e, object, name, location);
}

static struct value tile_type_attribute(struct emitter *e, struct value object, const char *name,
                                        struct location location) {
    if (strcmp(name, "shape") == 0) {
        return extents(e, object.tensor.rank, object.tensor.shape);
    }
    if (strcmp(name, "element_ty") == 0 || strcmp(name, "scalar") == 0) {
        return value_dtype(object.tensor.dtype);
    }
    if (strcmp(name, "numel") == 0) {
        struct value product = value_int(1);
        for (int i = 0; i < object.tensor.rank; i++) {
            product.integer *= object.tensor.shape[i];
        }
        return product;
    }
    struct value method;
    return bound_row(e, "dtype", object, name, &method)
               ? method
               : dtype_attribute(e, value_dtype(object.tensor.dtype), name, location);
}

// Functions of tl are also methods of a tensor, their first argument: x.exp() is tl.exp(x).
static bool tl_method(struct emitter *e, struct value object, const char *name, struct location location,
                      struct value *out) {
    static const char *const files[] = {"standard", LIBRARY_MATH_FILES};
    struct value function;
    if (!language_takes_name(e, arena_printf(e->arena, "tl.%s", name), location)) {
        *out = value_error();
        return true;
    }
    if (bound_row(e, "tl", object, name, out)) {
        return true;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (library_function(e, files[i], name, &function)) {
            *out = value_method(e->arena, object, function);
            return true;
        }
    }
    return false;
}

static struct value tensor_attribute(struct emitter *e, struct value object, const char *name,
                                     struct location location) {
    struct tensor *t = &object.tensor;
    if (strcmp(name, "dtype") == 0) {
        return value_dtype(t->dtype);
    }
    if (strcmp(name, "shape") == 0) {
        return extents(e, t->rank, t->shape);
    }
    if (strcmp(name, "type") == 0) {
        struct value type = object;
        type.kind = VALUE_TILE_TYPE;
        return t->rank ? type : value_dtype(t->dtype);
    }
    if (strcmp(name, "numel") == 0) {
        struct value type = object;
        type.kind = VALUE_TILE_TYPE;
        return tile_type_attribute(e, type, name, location);
    }
    if (strcmp(name, "T") == 0) {
        return emit_call_builtin(e, "tensor.T", &object, 1, location);
    }
    struct value method;
    if (bound_row(e, "tensor", object, name, &method) || tl_method(e, object, name, location, &method)) {
        return method;
    }
    return no_attribute(e, object, name, location);
}

static struct value block_attribute(struct emitter *e, struct value object, const char *name,
                                    struct location location) {
    const struct block_ptr *block = object.block_ptr;
    if (strcmp(name, "dtype") == 0) {
        // A block pointer has a pointer dtype (p.dtype.element_ty); a descriptor has the dtype of its
        // elements.
        struct dtype pointer = block->parts[0].tensor.dtype;
        return value_dtype(object.kind == VALUE_BLOCK_PTR ? pointer : dtype_pointee(pointer));
    }
    if (strcmp(name, "block_shape") == 0) {
        return extents(e, block->rank, block->block);
    }
    if (strcmp(name, "shape") == 0 || strcmp(name, "strides") == 0) {
        int first = strcmp(name, "shape") == 0 ? 1 : 1 + block->rank;
        return value_tuple(e->arena, block->parts + first, (size_t)block->rank);
    }
    if (strcmp(name, "type") == 0 || strcmp(name, "block_type") == 0) {
        struct value type = {
            .kind = VALUE_TILE_TYPE,
            .tensor = {.dtype = dtype_pointee(block->parts[0].tensor.dtype), .rank = block->rank}};
        type.tensor.shape = block->block;
        return type;
    }
    struct value method;
    if ((object.kind == VALUE_DESCRIPTOR && bound_row(e, "descriptor", object, name, &method)) ||
        bound_row(e, "tensor", object, name, &method)) {
        return method;
    }
    return no_attribute(e, object, name, location);
}

// The dtype of a number once it becomes a tensor.
static struct value number_dtype(struct emitter *e, struct value number, struct location location) {
    struct value tensor = e->ir ? emit_to_tensor(e, number, location) : value_error();
    return value_failed(tensor) ? tensor : value_dtype(tensor.tensor.dtype);
}

struct value eval_attribute_of(struct emitter *e, struct value object, const char *name,
                               struct location location) {
    const struct value *field;
    struct value method;
    switch (object.kind) {
    case VALUE_MODULE:
        return module_attribute(e, object, name, location);
    case VALUE_TENSOR:
        return tensor_attribute(e, object, name, location);
    case VALUE_DTYPE:
        return dtype_attribute(e, object, name, location);
    case VALUE_TILE_TYPE:
        return tile_type_attribute(e, object, name, location);
    case VALUE_BLOCK_PTR:
    case VALUE_DESCRIPTOR:
        return block_attribute(e, object, name, location);
    case VALUE_OBJECT:
        field = value_field(object, name);
        if (!field && object.object.class == CLASS_CONSTEXPR_TYPE) {
            return eval_attribute_of(e, number_dtype(e, *value_field(object, "value"), location), name,
                                     location);
        }
        return field                                        ? *field
               : aggregate_method(e, object, name, &method) ? method
                                                            : no_attribute(e, object, name, location);
    case VALUE_HOST:
        const char *row = arena_printf(e->arena, "tl.%s", name);
        bool ours = e->frame->is_jit && builtin_find(e->program, row);
        return emit_error(e, location, "%s cannot be used in a kernel%s%s", object.host,
                          ours ? "; write " : "", ours ? row : "");
    case VALUE_FUNCTION:
        if (strcmp(name, "__name__") == 0) {
            return value_string(e->arena, object.function->name);
        }
        if (object.function->aggregate && aggregate_function(e, object.function->aggregate, name, &method)) {
            return method;
        }
        return strcmp(name, "fn") == 0 || strcmp(name, "value") == 0
                   ? object
                   : no_attribute(e, object, name, location);
    default:
        break;
    }
    if (strcmp(name, "value") == 0) { // a constexpr's value
        return object;
    }
    if (value_is_sequence(object) && strcmp(name, "type") == 0) {
        struct value *types = ARENA_ARRAY(e->arena, struct value, object.list.count + 1);
        for (size_t i = 0; i < object.list.count; i++) {
            types[i] = eval_attribute_of(e, object.list.items[i], "type", location);
            if (value_failed(types[i])) {
                return types[i];
            }
        }
        return value_tuple(e->arena, types, object.list.count);
    }
    if ((object.kind == VALUE_INT || object.kind == VALUE_BOOL) &&
        bound_row(e, "int", object, name, &method)) {
        return method;
    }
    if (value_is_number(object)) {
        if (strcmp(name, "type") == 0) {
            return value_constexpr_type(e->arena, object);
        }
        // A number in place of a tensor: a parameter specialised to 1, or a literal argument.
        if (strcmp(name, "dtype") == 0) {
            return number_dtype(e, object, location);
        }
        if (strcmp(name, "shape") == 0) {
            return value_tuple(e->arena, NULL, 0);
        }
        if (e->ir && (bound_row(e, "tensor", object, name, &method) ||
                      tl_method(e, object, name, location, &method))) {
            if (value_failed(method)) {
                return method;
            }
            *method.method.self = emit_to_tensor(e, object, location);
            return method;
        }
    }
    if (object.kind == VALUE_STRING && bound_row(e, "str", object, name, &method)) {
        return method;
    }
    if (object.kind == VALUE_DICT && bound_row(e, "dict", object, name, &method)) {
        return method;
    }
    return no_attribute(e, object, name, location);
}
