// Source text to verified tile IR: parsing, choosing kernels, evaluation. The length of the input chooses the
// target, available to kernels, and the presence of variants. Only a small part of the budget is allowed,
// because a fuzzer runs a thousand inputs in the time of one bomb.
#include <mlir-c/IR.h>

#include "chip/target.h"
#include "dialects/tk/tk.h"
#include "frontend/frontend.h"
#include "fuzz_input.h"
#include "ir/context.h"
#include "support/arena.h"

static void ignore(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static const char *same_name(struct arena *arena, const char *name) {
    (void)arena;
    return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static const char *const targets[] = {"sm_90a", "gfx942", "sm_80", "gfx1100", "sm_75", "gfx1200"};
    const struct target *target = target_find(targets[length % (sizeof targets / sizeof targets[0])]);
    struct arena *arena = arena_create();
    struct diag diag = {.sink = ignore, .error_limit = 20, .budget.share = 16};
    struct frontend_options options = {.c_name = same_name, .target = target, .every_config = length / 6 % 2};
    const char *text = arena_strndup(arena, (const char *)bytes, length);
    struct source *source = source_from_text(arena, "/nowhere/input.tk", text); // imports find no files
    struct frontend *frontend = frontend_load(arena, &diag, source, &options);
    if (!frontend && !diag.error_count) {
        bug("no kernels, and no error");
    }
    if (frontend && diag_checkpoint(&diag)) {
        struct ir *ir = ir_create(&diag);
        MlirModule module = frontend_emit(frontend, ir, target);
        if (mlirModuleIsNull(module) && diag_checkpoint(&diag)) {
            bug("no module, and no error");
        }
        if (!mlirModuleIsNull(module)) {
            if (diag_checkpoint(&diag) && !tk_verify(ir, module, &diag)) {
                bug("the evaluator made IR that does not verify");
            }
            mlirModuleDestroy(module);
        }
        ir_destroy(ir);
    }
    arena_destroy(arena);
    return 0;
}
