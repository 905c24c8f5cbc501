// A kernel through the compiler: tile IR text (.mlir) through the passes and the lowering.
#include "program_compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/build.h"
#include "passes/pass.h"
#include "plot.h"
#include "support/file.h"
#include "target/llvmgen.h"
#include "target/lower.h"

// What must outlive the module.
struct compiled_tiles {
    struct diag diag;
    struct ir *ir;
    struct arena *arena;
};

static void read_attributes(struct compiled_tiles *tiles, MlirModule module, const struct target *target,
                            struct program *program) {
    size_t count;
    MlirOperation *ops = ops_collect(tiles->ir, tiles->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(tiles->ir, ops[i]) != OP_FUNC)
            continue;
        program->shared_bytes = (size_t)op_int(ops[i], "tk.shared_bytes", 0);
        program->threads = (unsigned)op_int(ops[i], "tk.num_warps", 4) * target->warp_size;
    }
}

bool program_compile(struct program *program, const struct program_request *request) {
    struct compiled_tiles *tiles = calloc(1, sizeof *tiles);
    const struct target *target = target_find(request->target);
    size_t length;
    char *text = file_read(request->path, &length);
    bool stopped = false;
    program->unit = tiles;
    if (!text) {
        fprintf(stderr, "tkc-run: error: cannot read %s: %s\n", request->path, strerror(errno));
        return false;
    }
    tiles->arena = arena_create();
    tiles->ir = ir_create(&tiles->diag);
    MlirModule module = ir_parse(tiles->ir, text, request->path);
    free(text);
    if (mlirModuleIsNull(module))
        return false;
    struct pass_context passes = {
        .ir = tiles->ir, .target = target, .arena = tiles->arena, .diag = &tiles->diag};
    bool good = passes_run(&passes, module, &(struct pass_options){.out = stderr}, &stopped);
    for (unsigned i = 0; i < request->plot_count && good; i++)
        good = plot_write(tiles->ir, tiles->arena, module, target, request->plots[i]);
    if (good) {
        read_attributes(tiles, module, target, program);
        program->context = LLVMContextCreate();
        program->module = lower_module(tiles->ir, module, target, program->context, DEBUG_LINES);
        good = program->module && llvmgen_optimise(program->module, target, 2, &tiles->diag);
    }
    mlirModuleDestroy(module);
    return good && program_describe(program, request);
}

void program_compile_free(struct program *program) {
    struct compiled_tiles *tiles = program->unit;
    if (!tiles)
        return;
    if (tiles->ir)
        ir_destroy(tiles->ir);
    if (tiles->arena)
        arena_destroy(tiles->arena);
    free(tiles);
}
