// Operands by name. The op tables (tk_ops.def, upstream_ops.def, op_families.def) name the operands of each
// op; this header turns the names into functions and constants.
//
//   IN(load, pointer)      load_pointer(op)       set_load_pointer(op, value)
//   MAYBE(load, mask)      load_mask(op)          null if absent; set_load_mask(op, value) only if present
//   MANY(for, init)        for_init(op, i)        set_for_init(op, i, value), for_init_count(op); so does SOME
//
// An operand's index is a constant, at_load_mask; LEAST_LOAD and MOST_LOAD are an op's least and greatest
// number of operands. The functions do not check the op's kind; callers must.
#ifndef TKC_DIALECTS_TK_OPERANDS_H
#define TKC_DIALECTS_TK_OPERANDS_H

#include <stdint.h>

#include <mlir-c/IR.h>

enum { ANY_NUMBER = 1000 }; // of operands, at least

static inline MlirValue operand_or_null(MlirOperation op, intptr_t at) {
    return mlirOperationGetNumOperands(op) > at ? mlirOperationGetOperand(op, at) : (MlirValue){NULL};
}

#define NO_IN
#define IN2(op, a, b) IN(op, a) IN(op, b)
#define IN3(op, a, b, c) IN(op, a) IN(op, b) IN(op, c)
#define MANY(op, name) SOME(op, name, 0, ANY_NUMBER)

// ---- places ----
#define IN(op, name) at_##op##_##name,
#define MAYBE(op, name) at_##op##_##name,
#define SOME(op, name, least, most) at_##op##_##name,
#define LIKE(id)
#define OPERANDS_OF(id, ...) enum { __VA_ARGS__ END_OF_##id };
#include "dialects/tk/operand_rows.def"
#undef IN
#undef MAYBE
#undef SOME
#undef LIKE
#undef OPERANDS_OF

// ---- numbers ----
#define IN(op, name) +1
#define MAYBE(op, name)
#define SOME(op, name, least, most) +least
#define LIKE(id) +LEAST_##id
#define OPERANDS_OF(id, ...) enum { LEAST_##id = 0 __VA_ARGS__ };
#include "dialects/tk/operand_rows.def"
#undef MAYBE
#undef SOME
#undef LIKE
#undef OPERANDS_OF
#define MAYBE(op, name) +1
#define SOME(op, name, least, most) +most
#define LIKE(id) +MOST_##id
#define OPERANDS_OF(id, ...) enum { MOST_##id = 0 __VA_ARGS__ };
#include "dialects/tk/operand_rows.def"
#undef IN
#undef MAYBE
#undef SOME
#undef LIKE
#undef OPERANDS_OF

// ---- functions ----
#define SETTER(op, name)                                                                                     \
    static inline void set_##op##_##name(MlirOperation of, MlirValue value) {                                \
        mlirOperationSetOperand(of, at_##op##_##name, value);                                                \
    }
#define IN(op, name)                                                                                         \
    static inline MlirValue op##_##name(MlirOperation of) {                                                  \
        return mlirOperationGetOperand(of, at_##op##_##name);                                                \
    }                                                                                                        \
    SETTER(op, name)
#define MAYBE(op, name)                                                                                      \
    static inline MlirValue op##_##name(MlirOperation of) {                                                  \
        return operand_or_null(of, at_##op##_##name);                                                        \
    }                                                                                                        \
    SETTER(op, name)
#define SOME(op, name, least, most)                                                                          \
    static inline MlirValue op##_##name(MlirOperation of, intptr_t i) {                                      \
        return mlirOperationGetOperand(of, at_##op##_##name + i);                                            \
    }                                                                                                        \
    static inline void set_##op##_##name(MlirOperation of, intptr_t i, MlirValue value) {                    \
        mlirOperationSetOperand(of, at_##op##_##name + i, value);                                            \
    }                                                                                                        \
    static inline intptr_t op##_##name##_count(MlirOperation of) {                                           \
        return mlirOperationGetNumOperands(of) - at_##op##_##name;                                           \
    }
#define LIKE(id)
#define OPERANDS_OF(id, ...) __VA_ARGS__
#include "dialects/tk/operand_rows.def"
#undef SETTER
#undef NO_IN
#undef IN
#undef IN2
#undef IN3
#undef MANY
#undef MAYBE
#undef SOME
#undef LIKE
#undef OPERANDS_OF

#endif
