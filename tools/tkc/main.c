// tkc: the command line.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <mlir-c/IR.h>

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        MlirContext context = mlirContextCreate();
        mlirContextDestroy(context);
        unsigned major, minor, patch;
        LLVMGetVersion(&major, &minor, &patch);
        printf("tkc %s (LLVM %u.%u.%u)\n", TKC_VERSION, major, minor, patch);
        return 0;
    }
    fprintf(stderr, "usage: tkc FILE -o OUTPUT\n");
    return 2;
}
