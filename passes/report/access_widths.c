// access_widths: names the loads and stores narrower than they could be, and the hints to widen them. It changes nothing.
//
//   %x = tk.load %p {vector = 1}        →   remark: loads of `a` are 2 bytes wide, not 16: `K` is not known to be a
//                                           multiple of 16; annotate `K: "i32:16"`
//
// Loads and stores with a role are copied by tensor maps, whatever the width of a thread's access.
//
// requires: layouts; the roles of specialised loops
// provides: nothing; keeps everything
// test:     tests/cli/check_remarks.py
#include "passes/facts/apart.h"
#include "passes/facts/missing_hints.h"

#include <stdio.h>

#include "ir/build.h"

// The outermost loop of the source around an op; null: none. The outermost one of all may be over tiles of packed rows.
static MlirOperation loop_around(struct ir *ir, MlirOperation op) {
    MlirOperation loop = {NULL}, inner = {NULL};
    for (; op_kind(ir, op) != OP_FUNC; op = mlirOperationGetParentOperation(op)) {
        if (op_kind(ir, op) == OP_FOR || op_kind(ir, op) == OP_WHILE) {
            inner = loop;
            loop = op;
        }
    }
    return op_has(op, ATTR_PACKED) ? inner : loop;
}

static bool has_dot(struct pass_context *context, MlirOperation loop) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_DOT) {
            return true;
        }
    }
    return false;
}

// True if the missing hints are worth a warning: of an access in a loop. A kernel without products whose rows have any length is made
// so, and no hint of a stride would help it: then the remark is enough.
static bool is_slow(struct pass_context *context, MlirOperation loop, const struct missing_hints *missing) {
    bool any_length = false;
    for (size_t i = 0; i < missing->count; i++) {
        any_length |= missing->hints[i].bounds;
    }
    return !mlirOperationIsNull(loop) && (!any_length || has_dot(context, loop));
}

// True if all elements of the tile are at one address, or it is a scalar: no width helps.
static bool is_one_element(struct axis *axis, MlirValue pointer) {
    struct axis_info info = axis_of(axis, pointer);
    MlirType type = mlirValueGetType(pointer);
    for (int d = 0; d < info.rank && type_is_tensor(type); d++) {
        if (info.constancy[d] < type_extent(type, d)) {
            return false;
        }
    }
    return true;
}

// True if a load of a loop with products is too narrow for asynchronous copies, and would not be with its hints.
static bool lacks_copies(struct pass_context *context, MlirOperation access,
                         const struct missing_hints *missing, MlirOperation loop) {
    enum { ASYNC_BYTES = 4 };
    return op_kind(context->ir, access) == OP_LOAD && !mlirOperationIsNull(loop) && has_dot(context, loop) &&
           missing->bytes < ASYNC_BYTES && missing->could >= ASYNC_BYTES &&
           target_has(context->target, FEATURE(CP_ASYNC));
}

// "loads of `a` in a loop are 2 bytes wide, not 16"
static const char *fact_of(struct pass_context *context, MlirOperation function, MlirOperation access,
                           const struct missing_hints *missing, MlirOperation loop) {
    bool load = op_kind(context->ir, access) == OP_LOAD;
    MlirValue argument = pointer_argument(context->ir, access_pointer(access));
    const char *of = "";
    if (!mlirValueIsNull(argument)) {
        unsigned number = (unsigned)mlirBlockArgumentGetArgNumber(argument);
        of = arena_printf(context->arena, load ? " of `%s`" : " to `%s`",
                          remark_parameter(context, function, number).name);
    }
    return arena_printf(
        context->arena, "%s%s%s are %lld %s wide, not %lld%s", load ? "loads" : "stores", of,
        mlirOperationIsNull(loop) ? "" : " in a loop", (long long)missing->bytes,
        missing->bytes == 1 ? "byte" : "bytes", (long long)missing->could,
        lacks_copies(context, access, missing, loop) ? " (asynchronous copies move 4 at least)" : "");
}

static void say(struct pass_context *context, MlirOperation function, MlirOperation access,
                const struct missing_hints *missing) {
    MlirOperation loop = loop_around(context->ir, access);
    const char *fact = fact_of(context, function, access, missing, loop);
    struct remark_hint hints[MISSING_HINTS_MAX];
    for (size_t i = 0; i < missing->count; i++) {
        hints[i] = remark_hint(context, function, missing->hints[i].argument, missing->hints[i].multiple);
    }
    struct remark remark = {.kind = REMARK_ACCESS,
                            .fact = fact,
                            .hints = hints,
                            .hint_count = missing->count,
                            .slow = missing->count && is_slow(context, loop, missing),
                            .lacks_copies = missing->count && lacks_copies(context, access, missing, loop)};
    if (!missing->count) {
        remark.fact = arena_printf(
            context->arena, "%s: neighbours are not known to be neighbours in memory under one mask", fact);
        remark.advice = "tl.multiple_of and tl.max_contiguous say what is true of values that no hint of an "
                        "argument reaches";
    }
    remark_add(context, access, remark);
}

// Without --remarks, nobody hears of accesses outside loops.
static bool is_told(struct pass_context *context, MlirOperation access) {
    return !context->remarks->slow_only || !mlirOperationIsNull(loop_around(context->ir, access));
}

void pass_access_widths(struct pass_context *context, MlirModule module) {
    enum { WORK = 1 << 20 }; // ops of a kernel's trials at most: a tenth of a second
    if (!context->remarks) {
        return;
    }
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        size_t count;
        struct axis axis;
        MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
        size_t trials = WORK / (count + 1);
        axis_analyse(&axis, context, function);
        for (size_t i = 0; i < count; i++) {
            enum op_kind kind = op_kind(context->ir, ops[i]);
            struct missing_hints missing;
            if ((kind == OP_LOAD || kind == OP_STORE) && !op_has(ops[i], ATTR_ROLE) &&
                is_told(context, ops[i]) && !is_one_element(&axis, access_pointer(ops[i])) &&
                missing_hints_find(context, function, &axis, ops[i], &trials, &missing)) {
                say(context, function, ops[i], &missing);
            }
        }
        axis_free(&axis);
    }
}
