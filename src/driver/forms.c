// Second forms of kernels (passes/specialise/paired_form.c): a launch takes one if it has enough programs, each of enough steps, and whole
// rounds of them (launcher/common.h).
//
//   speed of the second form, many programs, by steps of a program           by rounds of 264 programs, 24 steps and more
//   steps     4     8     12    16    20    24    32    64    128             rounds  1.0   1.5   1.8   1.9   2.2   2.4   2.9   3.3   3.5   3.9   4.1   5.1
//   causal    0.88  0.95  0.98  1.00  1.02  1.03  1.04  1.08  1.09            causal  0.88  0.93  1.00  1.03  1.01  0.99  1.04  1.00  1.05  1.05  1.03  1.05
//   full      0.86  0.93  -     1.00  1.02  1.04  1.06  1.09  1.11            full    1.11  1.08  1.07  1.08  0.89  1.07  1.08  0.91  1.07  1.09  0.95  0.98
//
// (H200, bf16, heads of 64, four on one of keys, 64 keys a step; tests/bench/README.md.) A step's products run beside exponentials from its
// second step on, and one block of 16 warps has nobody beside it meanwhile. A pair is twice as long as a program: the last round of full
// attention, and the longest programs of causal attention where there are few, leave other multiprocessors idle. Steps are those of the program in
// the middle of the grid, the mean of causal ones.
//
// test: tests/lang/rows.c, tests/artifact/run_tensor.c, tests/cli/check_forms.sh
#include "driver/forms.h"

#include <string.h>

#include "driver/steps.h"
#include "ir/build.h"
#include "passes/pass.h"

enum { LEAST_PROGRAMS = 3, LEAST_STEPS = 20 }; // programs: a multiprocessor

static bool has_dot(struct ir *ir, MlirOperation loop) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
    while (!mlirOperationIsNull(op) && op_kind(ir, op) != OP_DOT) {
        op = mlirOperationGetNextInBlock(op);
    }
    return !mlirOperationIsNull(op);
}

// The steps of all loops of products.
static const char *steps_of(struct unit *unit, struct ir *ir, MlirOperation function,
                            const struct kernel_instance *kernel) {
    struct reflect_kernel all = reflect_instance(unit->arena, kernel, 0);
    const char **names = ARENA_ARRAY(unit->arena, const char *, all.param_count + 1);
    for (size_t i = 0; i < all.param_count; i++) {
        names[i] = artifact_c_name(unit->arena, all.params[i].name);
    }
    struct steps_names known = {ir, unit->arena, op_body(function, 0), names, all.param_count};
    size_t count;
    MlirOperation *ops = ops_collect(ir, unit->arena, function, &count);
    const char *sum = NULL;
    for (size_t i = 0; i < count; i++) {
        struct steps_range range = {.step = 0};
        if (op_kind(ir, ops[i]) != OP_FOR || !has_dot(ir, ops[i])) {
            continue;
        }
        range.low = for_lower(ops[i]);
        range.high = for_upper(ops[i]);
        bool steady = value_is_constant_int(ir, for_step(ops[i]), &range.step) && range.step > 0;
        const char *own = steady ? steps_of_range(&known, &range) : NULL;
        if (!own) {
            return NULL;
        }
        sum = sum ? arena_printf(unit->arena, "tkc_add(%s, %s)", sum, own) : own;
    }
    return sum;
}

const char *const *forms_steps(struct unit *unit, struct compiled *c) {
    size_t kernels = unit_kernel_count(unit);
    const char **steps = ARENA_ARRAY(unit->arena, const char *, kernels + 1);
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; i < kernels && target_has(c->target, FEATURE(WGMMA)); i++) {
        steps[i] = steps_of(unit, c->ir, function, &unit->frontend->kernels[i]);
        function = mlirOperationGetNextInBlock(function);
    }
    return steps;
}

// True if a launcher may do for the second form all that it does for the first: the same checks of arguments, and the same wait in a chain.
static bool launches_alike(const struct reflect_entry *first, const struct reflect_entry *second) {
    bool alike = first->waits == second->waits && first->apart_count == second->apart_count &&
                 (first->apart_count == 0 ||
                  memcmp(first->apart, second->apart, first->apart_count * sizeof *first->apart) == 0);
    for (size_t i = 0; i < second->implied_count && alike; i++) {
        unsigned known = i < first->implied_count ? first->implied[i] : 0;
        alike = second->implied[i] == 0 || second->implied[i] == known;
    }
    return alike;
}

static void read_form(struct unit *unit, struct compiled *c, size_t kernel, MlirOperation function,
                      MlirOperation form, const char *steps) {
    struct pass_context context = {.ir = c->ir, .arena = unit->arena, .remarks = &c->remarks};
    MlirStringRef name = op_string(form, ATTR_SYM_NAME);
    struct reflect_form *made = ARENA_NEW(unit->arena, struct reflect_form);
    *made = (struct reflect_form){.name = arena_strndup(unit->arena, name.data, name.length),
                                  .together = (unsigned)op_int(form, ATTR_SHARING),
                                  .programs = LEAST_PROGRAMS,
                                  .least_steps = LEAST_STEPS,
                                  .steps = steps,
                                  .entry = reflect_function(c->ir, unit->arena, form, c->target)};
    if (!launches_alike(&c->entries[kernel], &made->entry)) {
        mlirOperationDestroy(form);
        return;
    }
    c->entries[kernel].paired = made;
    remark(&context, REMARK_ROWS, function,
           "launches of %d programs a multiprocessor and more, of %d steps and more, take a second form if "
           "they fill whole rounds, %s: on %d warps, each program with that of the next head, which shares "
           "its keys and values (--without=paired_form leaves it out)",
           LEAST_PROGRAMS, LEAST_STEPS, made->name, (int)op_int(form, ATTR_NUM_WARPS));
}

void forms_read(struct unit *unit, struct compiled *c, const char *const *steps) {
    size_t kernels = unit_kernel_count(unit);
    MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles)), next;
    for (MlirOperation form = first; !mlirOperationIsNull(form); form = next) {
        next = mlirOperationGetNextInBlock(form);
        if (!op_has(form, ATTR_FORM_OF)) {
            continue;
        }
        MlirOperation function = first;
        size_t i = 0;
        while (i < kernels &&
               !mlirStringRefEqual(op_string(form, ATTR_FORM_OF), op_string(function, ATTR_SYM_NAME))) {
            function = mlirOperationGetNextInBlock(function);
            i++;
        }
        if (i < kernels && steps[i]) {
            read_form(unit, c, i, function, form, steps[i]);
        } else {
            mlirOperationDestroy(form);
        }
    }
}
