// Sums of products: their symbols and their arithmetic. affine_values.c decomposes values into such sums.
#include "passes/facts/affine.h"

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"

// ---- symbols ----

static int symbol_number(struct affines *a, const void *key, struct affine_symbol symbol) {
    size_t known = (size_t)map_get(&a->numbers, key);
    if (known) {
        return (int)known - 1;
    }
    a->symbols = arena_grown(a->context->arena, a->symbols, (size_t)a->symbol_count, &a->symbol_capacity,
                             sizeof symbol);
    a->symbols[a->symbol_count] = symbol;
    map_put(&a->numbers, key, (void *)(size_t)(a->symbol_count + 1));
    return a->symbol_count++;
}

int affine_symbol_of(struct affines *a, MlirValue scalar) {
    return symbol_number(a, scalar.ptr, (struct affine_symbol){.value = scalar});
}

int affine_symbol_of_loop(struct affines *a, MlirOperation loop) {
    return symbol_number(a, loop.ptr, (struct affine_symbol){.loop = loop});
}

int affine_visible_argument(const struct affines *a, MlirValue value) {
    if (mlirValueIsNull(value) || !mlirValueIsABlockArgument(value) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(value), op_body(a->function, 0))) {
        return -1;
    }
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    bool hidden = !mlirAttributeIsNull(argument_attribute(a->function, number, ATTR_HIDDEN));
    return hidden ? -1 : (int)number;
}

int affine_argument(const struct affines *a, int symbol) {
    return affine_visible_argument(a, a->symbols[symbol].value);
}

// The value before hints and extensions from 32 bits or more.
static MlirValue unextended(struct ir *ir, MlirValue value) {
    for (MlirOperation op = value_op(value); !mlirOperationIsNull(op); op = value_op(value)) {
        enum op_kind kind = op_kind(ir, op);
        bool extends =
            (kind == OP_EXTSI || kind == OP_EXTUI) && type_bits(mlirValueGetType(unary_source(op))) >= 32;
        if (!extends && kind != OP_HINT) {
            break;
        }
        value = unary_source(op);
    }
    return value;
}

int affine_parameter(const struct affines *a, int symbol, int64_t *over) {
    MlirValue value = a->symbols[symbol].value;
    MlirOperation op = mlirValueIsNull(value) ? (MlirOperation){NULL} : value_op(value);
    struct ir *ir = a->context->ir;
    *over = 1;
    if (mlirOperationIsNull(op)) {
        return affine_argument(a, symbol);
    }
    // An unsigned quotient is the same number: divided arguments are not negative (src/decisions/06).
    enum op_kind kind = op_kind(ir, op);
    return (kind == OP_DIVSI || kind == OP_DIVUI) && type_bits(mlirValueGetType(value)) >= 32 &&
                   value_is_constant_int(ir, binary_right(op), over) && *over > 0
               ? affine_visible_argument(a, unextended(ir, binary_left(op)))
               : -1;
}

static bool is_within(MlirBlock block, MlirOperation loop) {
    for (MlirOperation op = mlirBlockGetParentOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetParentOperation(op)) {
        if (mlirOperationEqual(op, loop)) {
            return true;
        }
    }
    return false;
}

bool affine_symbol_varies_in(const struct affines *a, int symbol, MlirOperation loop) {
    struct affine_symbol s = a->symbols[symbol];
    if (mlirValueIsNull(s.value)) {
        return mlirOperationEqual(s.loop, loop) || is_within(mlirOperationGetBlock(s.loop), loop);
    }
    return is_within(mlirValueIsABlockArgument(s.value)
                         ? mlirBlockArgumentGetOwner(s.value)
                         : mlirOperationGetBlock(mlirOpResultGetOwner(s.value)),
                     loop);
}

// ---- sums ----

static int32_t max32(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static bool same_product(const struct affine_term *a, const struct affine_term *b) {
    if (a->dim != b->dim || a->wrap != b->wrap || a->symbol_count != b->symbol_count) {
        return false;
    }
    for (int i = 0; i < a->symbol_count; i++) {
        if (a->symbols[i] != b->symbols[i]) {
            return false;
        }
    }
    return true;
}

bool affine_add_term(struct affine *sum, struct affine_term term) {
    for (int i = 0; i < sum->count; i++) {
        struct affine_term *known = &sum->terms[i];
        if (!same_product(known, &term)) {
            continue;
        }
        if (__builtin_add_overflow(known->factor, term.factor, &known->factor)) {
            return false;
        }
        if (known->narrow == term.narrow) {
            known->fits = max32(known->fits, term.fits);
        } else if (affine_fits(&term) > 0) {
            known->fits = term.fits;
            known->narrow = term.narrow;
        }
        known->whole = known->whole == term.whole ? known->whole : 0;
        if (known->factor == 0) {
            for (; i + 1 < sum->count; i++) {
                sum->terms[i] = sum->terms[i + 1];
            }
            sum->count--;
        }
        return true;
    }
    if (term.factor != 0) {
        if (sum->count == AFFINE_TERMS) {
            return false;
        }
        sum->terms[sum->count++] = term;
    }
    return true;
}

bool affine_add(struct affine *sum, const struct affine *other, int64_t factor) {
    if (!mlirValueIsNull(other->base)) {
        if (!mlirValueIsNull(sum->base) || factor != 1) {
            return false;
        }
        sum->base = other->base;
    }
    sum->assumes |= other->assumes;
    for (int i = 0; i < other->count; i++) {
        struct affine_term term = other->terms[i];
        if (__builtin_mul_overflow(term.factor, factor, &term.factor) || !affine_add_term(sum, term)) {
            return false;
        }
    }
    return true;
}

bool affine_equal(const struct affine *a, const struct affine *b) {
    struct affine difference = *a;
    difference.base = (MlirValue){NULL};
    struct affine other = *b;
    other.base = (MlirValue){NULL};
    return value_is(a->base, b->base) && affine_add(&difference, &other, -1) && difference.count == 0;
}

bool affine_is_size(const struct affines *a, const struct affine_term *term) {
    bool is = term->dim < 0 && term->symbol_count <= AFFINE_FACTORS;
    int quotients = 0;
    for (int s = 0; s < term->symbol_count && is; s++) {
        int64_t over;
        is = affine_parameter(a, term->symbols[s], &over) >= 0;
        quotients += over > 1;
    }
    return is && quotients < 2;
}

int32_t affine_fits(const struct affine_term *term) {
    return term->narrow == (1u << term->symbol_count) - 1 ? term->fits : 0;
}

static bool multiply_terms(const struct affines *a, const struct affine_term *x, const struct affine_term *y,
                           struct affine_term *out) {
    *out = (struct affine_term){.dim = x->dim > y->dim ? x->dim : y->dim, .wrap = max32(x->wrap, y->wrap)};
    if ((x->dim >= 0 && y->dim >= 0) || x->symbol_count + y->symbol_count > AFFINE_SYMBOLS ||
        __builtin_mul_overflow(x->factor, y->factor, &out->factor)) {
        return false;
    }
    // In a product formed in 64 bits only the factor other than a stride is known to fit.
    const struct affine_term *narrow = x->symbol_count == 0   ? y
                                       : affine_is_size(a, y) ? x
                                       : affine_is_size(a, x) ? y
                                                              : NULL;
    out->fits = narrow ? narrow->fits : 0;
    for (int i = 0, j = 0; i < x->symbol_count || j < y->symbol_count;) {
        bool from_x = j == y->symbol_count || (i < x->symbol_count && x->symbols[i] < y->symbols[j]);
        const struct affine_term *from = from_x ? x : y;
        int *next = from_x ? &i : &j;
        uint32_t bit = from == narrow ? narrow->narrow >> *next & 1u : 0;
        out->narrow |= bit << out->symbol_count;
        out->symbols[out->symbol_count++] = from->symbols[(*next)++];
    }
    return true;
}

bool affine_multiply(const struct affines *a, const struct affine *x, const struct affine *y,
                     struct affine *out) {
    if (!mlirValueIsNull(x->base) || !mlirValueIsNull(y->base)) {
        return false;
    }
    *out = (struct affine){.assumes = x->assumes | y->assumes};
    for (int i = 0; i < x->count; i++) {
        for (int j = 0; j < y->count; j++) {
            struct affine_term term;
            if (!multiply_terms(a, &x->terms[i], &y->terms[j], &term) || !affine_add_term(out, term)) {
                return false;
            }
        }
    }
    return true;
}

struct affine affine_constant(int64_t value) {
    struct affine sum = {.count = value != 0};
    sum.terms[0] = (struct affine_term){value, -1, 0, -1, {0}, INT32_MAX, 0, 0, 0};
    return sum;
}

// ---- uniformity ----

// True for ops with a scalar result and maybe another one in each thread.
static bool may_differ(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return (kind == OP_INLINE_ASM || (kind == OP_LOAD && load_is_volatile(op))) &&
           !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool is_uniform(const struct affines *a, MlirValue scalar, int depth) {
    if (mlirValueIsABlockArgument(scalar)) {
        MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(scalar));
        bool counts = op_kind(a->context->ir, parent) == OP_FOR && mlirBlockArgumentGetArgNumber(scalar) == 0;
        return affine_visible_argument(a, scalar) >= 0 ||
               (counts && is_uniform(a, for_lower(parent), depth + 1) &&
                is_uniform(a, for_step(parent), depth + 1));
    }
    MlirOperation op = mlirOpResultGetOwner(scalar);
    unsigned traits = op_traits(op_kind(a->context->ir, op));
    bool uniform = depth < 6 && (traits & PURE) && !may_differ(a->context->ir, op) &&
                   mlirOperationGetNumRegions(op) == 0;
    for (intptr_t i = 0; uniform && i < mlirOperationGetNumOperands(op); i++) {
        uniform = is_uniform(a, mlirOperationGetOperand(op, i), depth + 1);
    }
    return uniform;
}

bool affine_is_uniform(const struct affines *a, MlirValue scalar) {
    return !a->may_differ || is_uniform(a, scalar, 0);
}

void affines_open(struct affines *a, struct pass_context *context, MlirOperation function) {
    *a = (struct affines){.context = context, .function = function};
    axis_analyse(&a->axis, context, function);
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count && !a->may_differ; i++) {
        a->may_differ = may_differ(context->ir, ops[i]);
    }
}

void affines_close(struct affines *a) {
    map_free(&a->sums);
    map_free(&a->numbers);
    map_free(&a->signs);
    axis_free(&a->axis);
}
