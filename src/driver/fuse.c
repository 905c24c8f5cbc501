// Which steps of a chain become one kernel: as many as possible from the first on, then from the next on.
//
// The front end merges steps by what the chain says (frontend/chain_merge.c). Whether the bodies allow it is seen by compiling them,
// on each target, as far as values are handed on: the merged kernel and those of its steps, in a module that is thrown away.
//
// The merged kernel gives the same bits as its steps if
//
//   each value that a step loads of another one is what the same program has stored          tk.chain (passes/simplify/chain_edges.c)
//   what it stores to is declared as made by a step                                          here
//   each sum is over the same layout as in the step's own kernel: it is added in one order   here
//
// All else is elementwise, or a reduction that no order changes.
#include "driver/fuse.h"

#include <string.h>

#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/pass.h"

struct fusing {
    struct unit *unit;
    const struct target *const *targets;
    size_t target_count;
    bool remarks;
    struct kernel_chain *chain;
    const char **why; // of each step: it does not join the one before
};

// ---- bodies

struct trial {
    struct unit *unit;
    const struct target *target;
    const struct kernel_instance *merged;
    struct ir *ir;
    MlirModule module;
    const char *why;
};

static MlirOperation function_of(const struct trial *t, const char *name) {
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(t->module));
    for (; !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        MlirStringRef own = op_string(function, ATTR_SYM_NAME);
        if (own.length == strlen(name) && memcmp(own.data, name, own.length) == 0) {
            return function;
        }
    }
    bug("fuse: no function %s", name);
}

// True if no order changes the result: integers, and greatest and least floats, of which +0 is greater than -0 on all chips.
static bool is_free_of_order(const struct trial *t, MlirOperation reduce) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce, 0));
    bool alone = op_kind(t->ir, mlirOperationGetNextInBlock(op)) == OP_YIELD;
    switch (op_kind(t->ir, op)) {
    case OP_ADDI:
    case OP_ANDI:
    case OP_ORI:
    case OP_XORI:
    case OP_MAXSI:
    case OP_MAXUI:
    case OP_MINSI:
    case OP_MINUI:
    case OP_MAXNUMF:
    case OP_MINNUMF:
        return alone;
    default:
        return false;
    }
}

// Ops whose result depends on the order in which threads combine elements.
static size_t combining_ops(const struct trial *t, MlirOperation function, MlirOperation **out) {
    size_t count, kept = 0;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(t->ir, ops[i]);
        if ((kind == OP_REDUCE && !is_free_of_order(t, ops[i])) || kind == OP_SCAN || kind == OP_DOT) {
            ops[kept++] = ops[i];
        }
    }
    *out = ops;
    return kept;
}

static bool same_order(MlirOperation a, MlirOperation b) {
    bool same = attributes_alike(a, b) && mlirOperationGetNumOperands(a) == mlirOperationGetNumOperands(b);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(a) && same; i++) {
        same = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(a, i)),
                             mlirValueGetType(mlirOperationGetOperand(b, i)));
    }
    return same;
}

static bool check_sums(struct trial *t, MlirOperation merged) {
    MlirOperation *together, *apart;
    size_t count = combining_ops(t, merged, &together), next = 0;
    for (size_t s = 0; s < t->merged->merge->count; s++) {
        const struct kernel_instance *kernel = t->merged->merge->steps[s].kernel;
        MlirOperation function = function_of(t, kernel->name);
        size_t own = combining_ops(t, function, &apart);
        for (size_t i = 0; i < own; i++, next++) {
            if (next >= count || !same_order(together[next], apart[i]) ||
                op_num_warps(merged) != op_num_warps(function)) {
                t->why = arena_printf(
                    t->unit->arena,
                    "the sums of %s would be added in another order than in its own kernel, of %u warps; the "
                    "merged one has %u: give both the same warps, tiles and hints",
                    kernel->function, op_num_warps(function), op_num_warps(merged));
                return false;
            }
        }
    }
    return next == count;
}

static bool check_stores(struct trial *t, MlirOperation merged) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, merged, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) != OP_STORE) {
            continue;
        }
        MlirValue array = pointer_argument(t->ir, access_pointer(ops[i]));
        size_t number =
            mlirValueIsNull(array) ? t->merged->param_count : (size_t)mlirBlockArgumentGetArgNumber(array);
        const struct kernel_param *param =
            number < t->merged->param_count ? &t->merged->params[number] : NULL;
        if (!param || (param->tensor && param->tensor->role == KERNEL_GIVEN)) {
            t->why = arena_printf(t->unit->arena, "a step stores to %s, which no NAME.tensors says it makes",
                                  param ? param->name : "an array");
            return false;
        }
    }
    return true;
}

static bool check_bodies(struct trial *t) {
    static const char left_alone[] = "left alone: ";
    MlirOperation merged = function_of(t, t->merged->name);
    MlirStringRef said = op_string(merged, ATTR_CHAIN);
    if (said.length != strlen("merged") || memcmp(said.data, "merged", said.length) != 0) {
        const char *text = arena_strndup(t->unit->arena, said.data, said.length);
        t->why = strncmp(text, left_alone, strlen(left_alone)) == 0 ? text + strlen(left_alone) : text;
        return false;
    }
    return check_stores(t, merged) && check_sums(t, merged);
}

// The merged kernel and those of its steps, each once.
static struct frontend trial_kernels(const struct trial *t) {
    const struct kernel_merge *merge = t->merged->merge;
    struct frontend only = *t->unit->frontend;
    only.kernels = ARENA_ARRAY(t->unit->arena, struct kernel_instance, merge->count + 1);
    only.kernels[0] = *t->merged;
    only.kernel_count = 1;
    for (size_t s = 0; s < merge->count; s++) {
        bool again = false;
        for (size_t i = 1; i < only.kernel_count; i++) {
            again |= strcmp(only.kernels[i].name, merge->steps[s].kernel->name) == 0;
        }
        if (!again) {
            only.kernels[only.kernel_count++] = *merge->steps[s].kernel;
        }
    }
    return only;
}

static void hear_nothing(void *user, const struct diag_message *message) {
    (void)user;
    (void)message;
}

static bool compile_trial(struct trial *t, struct diag *quiet) {
    struct frontend only = trial_kernels(t);
    bool stopped = false;
    only.diag = quiet;
    t->module = frontend_emit(&only, t->ir, t->target);
    if (mlirModuleIsNull(t->module)) {
        return false;
    }
    struct pass_context context;
    unit_pass_context(t->unit, t->ir, t->target, &context);
    struct pass_options how = {.stop_after = "handed_values", .out = stderr};
    context.diag = quiet;
    return passes_run(&context, t->module, &how, &stopped);
}

// The rows that packed_rows has given the steps with sums; below 0: not all the same.
static int packed_rows_of_steps(const struct trial *t) {
    int rows = -1;
    for (size_t s = 0; s < t->merged->merge->count; s++) {
        MlirOperation function = function_of(t, t->merged->merge->steps[s].kernel->name), *ops;
        int own = (int)op_int(function, ATTR_PACKED);
        if (combining_ops(t, function, &ops)) {
            if (rows >= 0 && rows != own) {
                return -1;
            }
            rows = own;
        }
    }
    return rows;
}

// Compiles and compares. *rows: what the kernel's rows would have to be; below 0: they are right, or cannot be.
static bool try_bodies(struct trial *t, int *rows) {
    struct diag quiet = {.error_limit = 1,
                         .receiver = hear_nothing,
                         .cancel = t->unit->diag.cancel,
                         .budget = t->unit->diag.budget};
    struct diag *heard = frontend_hear(t->unit->frontend, &quiet);
    t->ir = ir_create(&quiet);
    tk_register_ops(t->ir);
    bool compiles = compile_trial(t, &quiet);
    bool fits = compiles && check_bodies(t);
    *rows = compiles && !fits ? packed_rows_of_steps(t) : -1;
    if (*rows >= 0 && *rows == (int)op_int(function_of(t, t->merged->name), ATTR_PACKED)) {
        *rows = -1;
    }
    frontend_hear(t->unit->frontend, heard);
    if (!mlirModuleIsNull(t->module)) {
        mlirModuleDestroy(t->module);
    }
    ir_destroy(t->ir);
    return fits;
}

// True if the bodies may be one kernel on a target. Programs of rows are packed as the steps' own are.
static bool bodies_fit(struct unit *unit, const struct target *target, struct kernel_instance *merged,
                       const char **why) {
    struct trial t = {.unit = unit, .target = target, .merged = merged, .why = "a kernel does not compile"};
    int rows;
    bool fits = try_bodies(&t, &rows);
    if (!fits && rows >= 0 && merged->merge->pack_rows < 0) {
        frontend_pack_rows(unit->frontend, rows);
        *merged = unit->frontend->kernels[unit->frontend->kernel_count - 1];
        fits = try_bodies(&t, &rows);
    }
    *why = t.why;
    return fits;
}

// ---- groups of steps

static bool has_kernel(const struct frontend *frontend, const char *name) {
    for (size_t i = 0; i + 1 < frontend->kernel_count; i++) {
        if (strcmp(frontend->kernels[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Merges steps, and leaves the kernel in the front end if they fit.
static bool merge_fits(const struct fusing *f, size_t first, size_t count, const char **why) {
    struct frontend *frontend = f->unit->frontend;
    const struct kernel_instance *merged = frontend_merge(frontend, f->chain, first, count, why);
    if (!merged) {
        return false;
    }
    struct kernel_instance kernel = *merged;
    bool fits = !has_kernel(frontend, kernel.name);
    *why = fits ? *why : "a kernel of the source has the name of the merged one";
    for (size_t i = 0; i < f->target_count && fits; i++) {
        fits = bodies_fit(f->unit, f->targets[i], &kernel, why);
    }
    if (!fits) {
        frontend_unmerge(frontend);
    }
    return fits;
}

// The number of steps from `first` on that become one kernel.
static size_t longest_group(const struct fusing *f, size_t first) {
    size_t count = f->chain->step_count - first;
    for (; count > 1; count--) {
        const char *why;
        if (merge_fits(f, first, count, &why)) {
            break;
        }
        f->why[first + count - 1] = why;
    }
    return count;
}

// ---- remarks

static const char *registers_text(const struct fusing *f, const struct kernel_merge *merge) {
    const char *text = "";
    for (size_t i = 0; i < merge->dropped_count; i++) {
        text = arena_printf(f->unit->arena, "%s%s%s", text,
                            *text ? ", " : "; in registers: ", merge->dropped[i].name);
    }
    return text;
}

static void say_groups(const struct fusing *f, const size_t *first, size_t count) {
    const struct kernel_chain *chain = f->chain;
    for (size_t g = 0; g < count; g++) {
        const struct chain_launch *launch = &chain->launches[g];
        const char *steps = "";
        for (size_t s = first[g]; s < first[g + 1]; s++) {
            steps =
                arena_printf(f->unit->arena, "%s%s%s", steps, *steps ? ", " : "", chain->steps[s].function);
        }
        for (size_t i = 0; i < f->unit->frontend->kernel_count; i++) {
            const struct kernel_instance *kernel = &f->unit->frontend->kernels[i];
            if (kernel->merge && strcmp(kernel->function, launch->function) == 0) {
                diag_remark(&f->unit->diag, remark_name(REMARK_CHAIN), chain->location,
                            "%s: %s are one kernel, %s%s", chain->name, steps, kernel->name,
                            registers_text(f, kernel->merge));
            }
        }
        if (g > 0) {
            diag_remark(&f->unit->diag, remark_name(REMARK_CHAIN), chain->location,
                        "%s: a launch ends between %s and %s, and what they hand on goes through memory: %s",
                        chain->name, chain->steps[first[g] - 1].function, chain->steps[first[g]].function,
                        f->why[first[g]]);
        }
    }
}

static void fuse_chain(struct fusing *f) {
    struct kernel_chain *chain = f->chain;
    size_t *first = ARENA_ARRAY(f->unit->arena, size_t, chain->step_count + 2), count = 0;
    f->why = ARENA_ARRAY(f->unit->arena, const char *, chain->step_count + 1);
    for (size_t s = 0; s < chain->step_count;) {
        first[count++] = s;
        s += longest_group(f, s);
        first[count] = s;
    }
    frontend_group(f->unit->frontend, chain, first, count);
    if (f->remarks) {
        say_groups(f, first, count);
    }
}

void chains_fuse(struct unit *unit, const struct target *const *targets, size_t target_count,
                 const char *only, bool remarks) {
    for (size_t i = 0; i < unit->frontend->chain_count; i++) {
        if (only && strcmp(unit->frontend->chains[i].name, only) != 0) {
            continue;
        }
        struct fusing f = {.unit = unit,
                           .targets = targets,
                           .target_count = target_count,
                           .remarks = remarks,
                           .chain = &unit->frontend->chains[i]};
        fuse_chain(&f);
    }
}

void chain_fuse_again(struct unit *unit, const struct kernel_merge *merge) {
    for (size_t i = 0; i < unit->frontend->chain_count; i++) {
        const char *why;
        if (strcmp(unit->frontend->chains[i].name, merge->chain) == 0) {
            const struct kernel_instance *kernel =
                frontend_merge(unit->frontend, &unit->frontend->chains[i], merge->first, merge->count, &why);
            if (!kernel) {
                bug("fuse: steps of %s merged once and not again: %s", merge->chain, why);
            }
            frontend_pack_rows(unit->frontend, merge->pack_rows);
            frontend_keep(unit->frontend, kernel->function);
            return;
        }
    }
    bug("fuse: no chain %s", merge->chain);
}
