// Steps of loops and elements inside masks, program by program:
//
//     for start in range(0, tl.minimum(first + 128, n), 64):       ceil(min(id * 128 + 128, n) / 64) steps
//     tl.load(x + i, mask=id * 1024 + tl.arange(0, 1024) < n)      min(n - id * 1024, 1024) elements, and not below 0
//
// In a loop whose counter is a part of the mask's left side, `start + tl.arange(0, 64) < n`, the elements of all steps count:
// those from the loop's begin to the limit. A mask is a conjunction: comparisons that are not understood leave out nothing.
//
// test: tests/unit/test_work.c
#include "driver/steps.h"

#include <string.h>

#include "dialects/tk/tk.h"
#include "driver/condition.h"
#include "ir/build.h"

static const char *text_of(const struct steps_names *n, MlirValue value) {
    return condition_program_text(n->ir, n->arena, n->entry, n->names, n->count, value);
}

static const char *call(const struct steps_names *n, const char *name, const char *left, const char *right) {
    return left && right ? arena_printf(n->arena, "tkc_%s(%s, %s)", name, left, right) : NULL;
}

static const char *number(const struct steps_names *n, int64_t value) {
    return arena_printf(n->arena, "%lld", (long long)value);
}

static const char *difference(const struct steps_names *n, const char *from, const char *what) {
    return what && strcmp(what, "0") == 0 ? from : call(n, "sub", from, what);
}

const char *steps_of_range(const struct steps_names *n, const struct steps_range *range) {
    const char *span = difference(n, text_of(n, range->high), text_of(n, range->low));
    return call(n, "max", "0", call(n, "cdiv", span, number(n, range->step)));
}

bool steps_differ(const char *text) {
    return text && strstr(text, "tkc_id_");
}

// ---- masks ----

// A dimension of a tile: `base`, if it is not null, and 0 to `extent` - 1.
struct dimension {
    MlirValue base;
    int64_t extent;
};

static enum op_kind kind_of(const struct steps_names *n, MlirValue value) {
    return mlirValueIsABlockArgument(value) ? OP_FUNC : op_kind(n->ir, mlirOpResultGetOwner(value));
}

// The value behind changes of shape and width.
static MlirValue bare(const struct steps_names *n, MlirValue value) {
    enum op_kind kind = kind_of(n, value);
    while (kind == OP_EXPAND_DIMS || kind == OP_BROADCAST || kind == OP_EXTSI || kind == OP_EXTUI) {
        value = leading_operand(mlirOpResultGetOwner(value));
        kind = kind_of(n, value);
    }
    return value;
}

// What all elements of a tile are; null: they differ.
static MlirValue uniform(const struct steps_names *n, MlirValue tile) {
    MlirValue value = bare(n, tile);
    return kind_of(n, value) == OP_SPLAT ? leading_operand(mlirOpResultGetOwner(value)) : (MlirValue){0};
}

static bool is_range(const struct steps_names *n, MlirValue value, int64_t *extent) {
    if (kind_of(n, value) != OP_RANGE || op_int(mlirOpResultGetOwner(value), ATTR_START) != 0) {
        return false;
    }
    *extent = type_extent(mlirValueGetType(value), 0);
    return true;
}

static bool is_dimension(const struct steps_names *n, MlirValue tile, struct dimension *d) {
    MlirValue value = bare(n, tile);
    *d = (struct dimension){0};
    if (is_range(n, value, &d->extent)) {
        return true;
    }
    if (kind_of(n, value) != OP_ADDI) {
        return false;
    }
    MlirOperation sum = mlirOpResultGetOwner(value);
    MlirValue left = bare(n, binary_left(sum)), right = bare(n, binary_right(sum));
    if (is_range(n, left, &d->extent)) {
        d->base = uniform(n, right);
    } else if (is_range(n, right, &d->extent)) {
        d->base = uniform(n, left);
    }
    return !mlirValueIsNull(d->base);
}

// "start + range < limit", either way around, and <=. `plus`: 1 for the latter.
static bool is_limit(const struct steps_names *n, MlirOperation compare, struct dimension *d,
                     MlirValue *limit, int64_t *plus) {
    int64_t predicate = op_int(compare, ATTR_PREDICATE);
    bool below = predicate == INT_SLT || predicate == INT_ULT, above = predicate == INT_SGT;
    bool most = predicate == INT_SLE || predicate == INT_ULE, least = predicate == INT_SGE;
    above |= predicate == INT_UGT;
    least |= predicate == INT_UGE;
    MlirValue left = binary_left(compare), right = binary_right(compare);
    *limit = uniform(n, below || most ? right : left);
    *plus = most || least;
    return (below || most || above || least) && !mlirValueIsNull(*limit) &&
           is_dimension(n, below || most ? left : right, d);
}

// The elements inside the masks found so far.
struct inside {
    const struct steps_names *names;
    const struct steps_range *loop;
    const char *text;
    double per;
    bool walks; // a comparison with the loop's counter has counted all steps
};

// The elements of all steps of the loop: up to the limit, or to the last step's end.
static const char *walked(const struct inside *in, const char *limit) {
    const struct steps_names *n = in->names;
    const struct steps_range *loop = in->loop;
    const char *low = text_of(n, loop->low), *steps = steps_of_range(n, loop);
    const char *all = call(n, "mul", steps, number(n, loop->step));
    return call(n, "max", "0", call(n, "min", all, difference(n, limit, low)));
}

static void add_limit(struct inside *in, const struct dimension *d, const char *limit) {
    const struct steps_names *n = in->names;
    bool based = !mlirValueIsNull(d->base);
    bool walks = based && in->loop && mlirValueEqual(d->base, in->loop->counter);
    if (walks && (in->walks || d->extent != in->loop->step)) {
        return;
    }
    const char *left = based && !walks ? difference(n, limit, text_of(n, d->base)) : limit;
    const char *text =
        walks ? walked(in, limit) : call(n, "max", "0", call(n, "min", number(n, d->extent), left));
    if (text) {
        in->text = in->text ? call(n, "mul", in->text, text) : text;
        in->per *= (double)d->extent;
        in->walks |= walks;
    }
}

static void add_mask(struct inside *in, MlirValue mask, int depth) {
    const struct steps_names *n = in->names;
    MlirValue value = bare(n, mask);
    enum op_kind kind = depth ? kind_of(n, value) : OP_FUNC;
    if (kind == OP_ANDI) {
        add_mask(in, binary_left(mlirOpResultGetOwner(value)), depth - 1);
        add_mask(in, binary_right(mlirOpResultGetOwner(value)), depth - 1);
    }
    struct dimension d;
    MlirValue limit;
    int64_t plus;
    if (kind == OP_CMPI && is_limit(n, mlirOpResultGetOwner(value), &d, &limit, &plus)) {
        const char *text = text_of(n, limit);
        add_limit(in, &d, plus ? call(n, "add", text, "1") : text);
    }
}

const char *steps_inside_mask(const struct steps_names *n, MlirOperation access,
                              const struct steps_range *loop, double *per) {
    enum { DEPTH = 6 };
    struct inside in = {.names = n, .loop = loop, .per = 1};
    MlirValue mask = access_mask(n->ir, access);
    if (!mlirValueIsNull(mask)) {
        add_mask(&in, mask, DEPTH);
    }
    *per = in.per;
    return in.text && loop && !in.walks ? call(n, "mul", in.text, steps_of_range(n, loop)) : in.text;
}
