// whole_rows: of a loop over a row, the steps in which no element is masked run in a loop of their own, without masks.
//
//   scf.for %k = 0 to %n step 1024 {               %whole = … the steps within %n
//     %m = %k + tk.range 0 … 1023 < %n             scf.for %k = 0 to %whole step 1024 {
//     %x = tk.load %p, %m, 0                  →      %x = tk.load %p
//     %y = arith.select %m, … %x …, %s               %y = … %x …
//     … %y …                                         … %y …
//   }                                              }
//                                                  scf.for %k = %whole to %n step 1024 {       as it was
//                                                    …
//                                                  }
//
// A thread has seven predicates. Where a step has more masks, ptxas computes the last ones when others have been read for the last time,
// amid the arithmetic of the elements before, and their loads wait for it: one step asks memory three times in a row. H200, mean and
// variance of rows of 5,000 f16: 1.129 of Triton's time before, 0.867 split; of f32, whose loads run a step ahead (next_step.c), 0.999 to
// 1.017 of the time ahead: these stay, and those that the source gives stages of their own.
//
// Where a mask is one for a vector of elements, it costs little: rows of bf16 with vectors of eight took 0.96 to 1.02 of the time when split
// by hand.
//
// requires: layouts
// provides: the same
// test:     tests/golden/passes/whole_rows, tests/lang/whole_steps.c
#include "passes/pipeline/whole_loop.h"

#include "ir/build.h"
#include "passes/pipeline/next_step.h"

enum { MOST_ACCESSES = 16, MOST_VALUES = 4096 };

// A value of the loop that is another one in the first steps.
struct simpler {
    MlirValue value, is;
};

struct rows {
    struct whole_loop of;
    MlirOperation accesses[MOST_ACCESSES]; // masked
    int access_count;
    struct simpler *simpler;
    size_t simpler_count;
};

static bool is_access(enum op_kind kind) {
    return kind == OP_LOAD || kind == OP_STORE;
}

// ---- the loop ----

static unsigned registers_in(struct ir *ir, MlirType type) {
    const struct layout *layout = type_is_tensor(type) ? type_layout(ir, type) : NULL;
    return layout ? layout_registers(layout) : 1;
}

static unsigned masks_in_thread(struct ir *ir, MlirOperation access) {
    unsigned vector = (unsigned)op_int(access, ATTR_VECTOR);
    unsigned all = registers_in(ir, mlirValueGetType(access_mask(ir, access)));
    return vector >= all ? 1 : all / (vector > 0 ? vector : 1);
}

// True if the loop only loads, computes and stores, is small enough to have twice, and an access has more masks than a thread has predicates.
static bool is_row(struct rows *r) {
    enum { PREDICATES = 7 };
    unsigned values = 0, masks = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(r->of.body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(r->of.ir, op);
        if (kind == OP_DOT || (!is_access(kind) && !(op_traits(kind) & (PURE | TERMINATOR)))) {
            return false;
        }
        if (is_access(kind) && !mlirValueIsNull(access_mask(r->of.ir, op))) {
            unsigned own = masks_in_thread(r->of.ir, op);
            masks = own > masks ? own : masks;
        }
        for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
            values += registers_in(r->of.ir, mlirValueGetType(mlirOperationGetResult(op, i)));
        }
    }
    return values <= MOST_VALUES && masks > PREDICATES;
}

// ---- its masks ----

// Adds a masked access with its limits. False if some condition has none: no step is whole then.
static bool add_access(struct rows *r, MlirOperation access) {
    struct tile_mask mask;
    MlirValue value = access_mask(r->of.ir, access);
    if (mlirValueIsNull(value) || !type_is_tensor(mlirValueGetType(value))) {
        return true;
    }
    tile_mask_of(&r->of.affines, value, &mask);
    if (!mask.explained || r->access_count == MOST_ACCESSES ||
        !whole_loop_add(&r->of, access, mlirValueGetType(value), &mask)) {
        return false;
    }
    r->accesses[r->access_count++] = access;
    return true;
}

static bool reads_masks(struct rows *r) {
    for (MlirOperation op = mlirBlockGetFirstOperation(r->of.body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (is_access(op_kind(r->of.ir, op)) && !add_access(r, op)) {
            return false;
        }
    }
    return r->access_count > 0;
}

// True if the condition holds for all elements of the first steps.
static bool holds(struct rows *r, MlirOperation user, MlirValue condition) {
    struct tile_mask mask;
    tile_mask_of(&r->of.affines, condition, &mask);
    return mask.explained && whole_loop_holds(&r->of, user, mlirValueGetType(condition), &mask);
}

static void add_simpler(struct rows *r, MlirOperation op, MlirValue is) {
    r->simpler[r->simpler_count++] = (struct simpler){mlirOperationGetResult(op, 0), is};
}

// Finds what the masks choose and restrict beside the accesses.
static void find_simpler(struct rows *r) {
    size_t count = 0;
    ops_collect(r->of.ir, r->of.context->arena, r->of.loop, &count);
    r->simpler = ARENA_ARRAY(r->of.context->arena, struct simpler, count + 1);
    for (MlirOperation op = mlirBlockGetFirstOperation(r->of.body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(r->of.ir, op);
        if (kind == OP_SELECT && type_is_tensor(mlirValueGetType(select_condition(op))) &&
            holds(r, op, select_condition(op))) {
            add_simpler(r, op, select_yes(op));
        }
        if (kind == OP_ANDI && type_bits(type_element(mlirValueGetType(binary_left(op)))) == 1) {
            if (holds(r, op, binary_left(op))) {
                add_simpler(r, op, binary_right(op));
            } else if (holds(r, op, binary_right(op))) {
                add_simpler(r, op, binary_left(op));
            }
        }
    }
}

// ---- rewriting ----

// The elements of an access through these pointers in this layout, without a mask: of 16 bytes at most, as each chip has.
static int64_t widest(struct rows *r, MlirValue pointer) {
    enum { BYTES = 16 };
    const struct layout *layout = type_layout(r->of.ir, mlirValueGetType(pointer));
    int64_t best = 1;
    for (unsigned d = 0; d < layout->rank; d++) {
        int64_t elements =
            axis_access_elements(&r->of.affines.axis, pointer, (MlirValue){NULL}, (int)d, BYTES);
        int64_t held = layout_contiguity(layout, d);
        int64_t both = elements < held ? elements : held;
        best = both > best ? both : best;
    }
    return best;
}

// Without its mask an access may be wider.
static void unmask(struct rows *r, MlirOperation access) {
    bool loads = op_kind(r->of.ir, access) == OP_LOAD;
    MlirValue pointer = access_pointer(access);
    MlirValue operands[2] = {pointer, loads ? (MlirValue){NULL} : store_value(access)};
    int64_t vector = widest(r, pointer);
    const char *assumes = axis_access_assumes(&r->of.affines.axis, pointer, (MlirValue){NULL});
    mlirOperationSetOperands(access, loads ? 1 : 2, operands);
    op_set_int(r->of.ir, access, ATTR_VECTOR, (int32_t)vector);
    if (vector > 1 && assumes) {
        op_set_string(r->of.ir, access, ATTR_ASSUMES, assumes);
    }
}

static void split(struct rows *r) {
    MlirOperation rest = whole_loop_split(&r->of);
    for (size_t i = 0; i < r->simpler_count; i++) {
        mlirValueReplaceAllUsesOfWith(r->simpler[i].value, r->simpler[i].is);
    }
    for (int i = 0; i < r->access_count; i++) {
        unmask(r, r->accesses[i]);
    }
    whole_loop_drop_dead(&r->of);
    op_set_string(r->of.ir, r->of.loop, ATTR_WHOLE_STEPS, "no element is masked");
    remark(r->of.context, REMARK_WHOLE_STEPS, rest,
           "the loop is split: steps in which no element is masked run first, without masks");
}

static void split_loop(struct pass_context *context, MlirOperation function, MlirOperation loop) {
    struct rows r = {.of = {.context = context,
                            .ir = context->ir,
                            .function = function,
                            .loop = loop,
                            .body = op_body(loop, 0)}};
    bool ahead = next_step_for_masks(r.of.ir, r.of.body) || op_int_or(loop, ATTR_NUM_STAGES, 1) > 1;
    if (!ahead && is_row(&r) && whole_loop_counts(&r.of)) {
        affines_open(&r.of.affines, context, function);
        if (reads_masks(&r)) {
            find_simpler(&r);
            split(&r);
        }
        affines_close(&r.of.affines);
    }
    context->declined = (struct declined){0};
}

void pass_whole_rows(struct pass_context *context, MlirModule module) {
    size_t count, loop_count = 0;
    if (context->target->vendor != VENDOR_NVIDIA) {
        return;
    }
    MlirOperation function = {NULL};
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    MlirOperation *loops =
        ARENA_ARRAY(context->arena, MlirOperation, 2 * count + 1); // each behind its function
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            function = ops[i];
        } else if (kind == OP_FOR) {
            loops[loop_count++] = function;
            loops[loop_count++] = ops[i];
        }
    }
    for (size_t i = 0; i < loop_count; i += 2) {
        split_loop(context, loops[i], loops[i + 1]);
    }
}
