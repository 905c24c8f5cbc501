// A kernel source through the compiler.
#include "program_compile.h"

#include <stdio.h>

bool program_compile(struct program *program, const struct program_request *request) {
    (void)program;
    fprintf(stderr, "tkc-run: error: %s: only LLVM IR (.ll) can be run so far\n", request->path);
    return false;
}

void program_compile_free(struct program *program) {
    (void)program;
}
