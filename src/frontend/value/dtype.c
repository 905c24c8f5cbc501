// Element types: the table and the questions asked about it.
#include "frontend/value/dtype.h"

#include <string.h>

#include "dialects/tk/tk.h"

const struct dtype_row dtype_table[SCALAR_COUNT] = {
#define DTYPE(id, name, signature, kind, bits, mantissa, bias, mlir)                                         \
    [SCALAR_##id] = {name, signature, kind, bits, mantissa, bias, mlir},
#include "frontend/value/dtypes.def"
#undef DTYPE
    [SCALAR_VOID] = {"void", "void", KIND_BOOL, 0, 0, 0, "i8"},
};

bool dtype_equal(struct dtype a, struct dtype b) {
    return a.scalar == b.scalar && a.pointers == b.pointers && a.is_const == b.is_const;
}

bool dtype_is_pointer(struct dtype type) {
    return type.pointers > 0;
}

static bool is_kind(struct dtype type, enum dtype_kind kind) {
    return type.pointers == 0 && type.scalar != SCALAR_VOID && dtype_table[type.scalar].kind == kind;
}

bool dtype_is_float(struct dtype type) {
    return is_kind(type, KIND_FLOAT);
}

bool dtype_is_f8(struct dtype type) {
    return dtype_is_float(type) && dtype_table[type.scalar].bits == 8;
}

bool dtype_is_bool(struct dtype type) {
    return is_kind(type, KIND_BOOL);
}

bool dtype_is_signed(struct dtype type) {
    return is_kind(type, KIND_SIGNED);
}

bool dtype_is_unsigned(struct dtype type) {
    return is_kind(type, KIND_UNSIGNED) || is_kind(type, KIND_BOOL);
}

bool dtype_is_integer(struct dtype type) {
    return dtype_is_signed(type) || dtype_is_unsigned(type);
}

unsigned dtype_bits(struct dtype type) {
    return type.pointers ? 64 : dtype_table[type.scalar].bits;
}

struct dtype dtype_pointer_to(struct dtype type) {
    return (struct dtype){type.scalar, (uint8_t)(type.pointers + 1), false};
}

struct dtype dtype_pointee(struct dtype pointer) {
    return (struct dtype){pointer.scalar, (uint8_t)(pointer.pointers - 1), false};
}

struct dtype dtype_const(struct dtype pointer, bool is_const) {
    pointer.is_const = is_const && pointer.pointers > 0;
    return pointer;
}

struct dtype dtype_integer(unsigned bits, bool is_signed) {
    for (int scalar = 0; scalar < SCALAR_VOID; scalar++) {
        struct dtype type = {(uint8_t)scalar, 0, false};
        if (dtype_bits(type) == bits && (is_signed ? dtype_is_signed(type) : dtype_is_unsigned(type))) {
            return type;
        }
    }
    return DTYPE_OF(INT32);
}

bool dtype_parse(const char *text, struct dtype *out) {
    struct dtype type = {0, 0, false};
    while (*text == '*') {
        type.pointers++;
        text++;
        if (type.pointers == 1 && *text == 'k') {
            type.is_const = true;
            text++;
        }
    }
    for (int scalar = 0; scalar < SCALAR_COUNT; scalar++) {
        if (strcmp(text, dtype_table[scalar].name) == 0 || strcmp(text, dtype_table[scalar].signature) == 0) {
            type.scalar = (uint8_t)scalar;
            *out = type;
            return scalar != SCALAR_VOID || type.pointers > 0;
        }
    }
    return false;
}

const char *dtype_name(struct arena *arena, struct dtype type) {
    const char *name = dtype_table[type.scalar].name;
    for (unsigned depth = 0; depth < type.pointers; depth++) {
        name = arena_printf(arena, "pointer<%s>", name);
    }
    return type.is_const ? arena_printf(arena, "const %s", name) : name;
}

const char *dtype_signature(struct arena *arena, struct dtype type) {
    const char *name = dtype_table[type.scalar].signature;
    for (unsigned depth = 0; depth < type.pointers; depth++) {
        bool outermost = depth + 1u == type.pointers;
        name = arena_printf(arena, outermost && type.is_const ? "*k%s" : "*%s", name);
    }
    return name;
}

const char *dtype_str(struct arena *arena, struct dtype type) {
    const struct dtype_row *row = &dtype_table[type.scalar];
    const char *text = row->kind == KIND_FLOAT ? row->signature : row->name;
    for (unsigned depth = 1; depth <= type.pointers; depth++) {
        bool is_const = depth == type.pointers && type.is_const;
        text = arena_printf(arena, "%spointer<%s>", is_const ? "const_" : "", text);
    }
    return text;
}

const char *dtype_repr(struct arena *arena, struct dtype type) {
    return type.pointers ? dtype_str(arena, type)
                         : arena_printf(arena, "triton.language.%s", dtype_table[type.scalar].name);
}

MlirType dtype_mlir(struct ir *ir, struct dtype type) {
    MlirType mlir =
        mlirTypeParseGet(ir->context, mlirStringRefCreateFromCString(dtype_table[type.scalar].mlir));
    for (unsigned depth = 0; depth < type.pointers; depth++) {
        mlir = tk_ptr_type(ir, mlir);
    }
    return mlir;
}
