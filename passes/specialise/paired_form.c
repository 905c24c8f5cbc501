// paired_form: a kernel on 8 warps, if programs of two heads can be rows of one tile (shared_keys.c), gets a second form on 16 warps, with these
// tiles. Each launch takes one of both, by its programs and their steps (src/driver/forms.c).
//
//   func.func @k() {tk.num_warps = 8}        func.func @k() {tk.num_warps = 8}
//                                      →     func.func @k$paired() {tk.num_warps = 16, tk.sharing = 2, tk.form_of = "k"}
//
// Reason: with many programs 16 warps with the rows of two are faster (shared_keys.c has the figures); with few ones the longest programs
// meet in one block while other multiprocessors have none. How many there are is known at the launch. A block cannot choose: one form has two
// blocks of 8 warps on a multiprocessor, the other one block of 16, and registers and shared memory are divided when a block begins.
//
// Both forms have the kernel's grid and parameters, and give the same bits: each row is computed by the same instructions in the same order.
// $ is in no name of the language, so the second form's name is nobody else's. Who launches by name alone gets the kernel as it was.
//
// The second form goes again if its loops get no warps that copy (specialise.c), or if a launch cannot know a program's steps (forms.c).
//
// requires: a tile program without layouts, loops split (whole_steps), maxima with slack
// provides: the same, tk.form_of
// test:     tests/golden/passes/paired_form, tests/lang/rows.tk, tests/cli/check_forms.sh
#include "ir/build.h"
#include "passes/specialise/shared_keys.h"

// Heads of 64, and 64 keys a step. Others gain nothing or little (H200, bf16, 8,192 rows, of FlashAttention-4 on 16 warps and on 8): heads of 32
// 0.699 and 0.729, 32 keys a step 0.844 and 0.831. A window is told by a program's steps, and packed sequences by lengths unknown at the launch.
static bool pays(const struct sharing *h) {
    enum { HEAD = 64, KEYS = 64 };
    size_t count;
    MlirOperation *ops = ops_collect(h->ir, h->arena, h->function, &count);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = op_kind(h->ir, ops[i]) != OP_DOT ||
               (type_extent(mlirValueGetType(dot_a(ops[i])), 1) == HEAD &&
                type_extent(mlirValueGetType(mlirOperationGetResult(ops[i], 0)), 1) == KEYS);
    }
    return good;
}

static void add_form(struct sharing *h, MlirModule module) {
    MlirStringRef name = op_string(h->function, ATTR_SYM_NAME);
    const char *own = arena_strndup(h->arena, name.data, name.length);
    MlirOperation form = mlirOperationClone(h->function);
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), form);
    op_set_string(h->ir, form, ATTR_SYM_NAME, arena_printf(h->arena, "%s$paired", own));
    op_set_string(h->ir, form, ATTR_FORM_OF, own);
    op_set_int(h->ir, form, ATTR_NUM_WARPS, SHARING_WARPS);
    struct sharing copy;
    if (!sharing_find(&copy, h->context, form)) {
        bug("%s: a copy differs", own);
    }
    sharing_rewrite(&copy);
    sharing_close(&copy);
}

void pass_paired_form(struct pass_context *context, MlirModule module) {
    MlirOperation last = {NULL}; // forms stand behind all kernels
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        last = op;
    }
    bool ends = mlirOperationIsNull(last);
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !ends;
         op = mlirOperationGetNextInBlock(op)) {
        ends = mlirOperationEqual(op, last);
        struct sharing h = {0};
        if (op_int(op, ATTR_NUM_WARPS) * SHARING_HEADS == SHARING_WARPS && sharing_find(&h, context, op) &&
            pays(&h)) {
            add_form(&h, module);
        }
        sharing_close(&h);
    }
}
