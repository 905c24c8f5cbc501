// Text of tile IR, as --run-pass reads it, to a verified module and back to text.
#include <mlir-c/IR.h>

#include "dialects/tk/tk.h"
#include "fuzz_input.h"
#include "passes/pass.h"
#include "support/arena.h"

static void ignore(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    struct arena *arena = arena_create();
    struct diag diag = {.sink = ignore};
    struct ir *ir = ir_create(&diag);
    MlirModule module = ir_parse(ir, arena_strndup(arena, (const char *)bytes, length), "input.mlir");
    if (!mlirModuleIsNull(module)) {
        if (tk_verify(ir, module, &diag)) {
            FILE *out = fopen("/dev/null", "w");
            ir_print(ir, module, out);
            fclose(out);
        }
        mlirModuleDestroy(module);
    } else if (!diag.error_count) {
        bug("no module, and no error");
    }
    ir_destroy(ir);
    arena_destroy(arena);
    return 0;
}
