// golden_pass PASS FILE.mlir FILE.expect: runs one pass over tile IR and compares the dump, or the errors,
// with the expectation. A first line `// chip: NAME` names the chip (sm_80 otherwise). A line `// show:
// PATTERN…` names the ops to compare (select.h); without one the whole dump is compared. With UPDATE=1 in the
// environment the expectation is rewritten instead.
//
// golden_pass STEP FILE.ll FILE.expect: one step of the LLVM pipeline over LLVM's IR; the functions' bodies are compared, since
// declarations differ with the version of LLVM. Comments begin with a semicolon there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/llvmgen.h"
#include "passes/pass.h"
#include "select.h"
#include "support/file.h"

static void collect(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

static const struct target *chip_of(const char *text) {
    char name[32] = "sm_80";
    const char *line = text + strspn(text, "/; ");
    if (line > text && strncmp(line, "chip: ", 6) == 0) {
        sscanf(line + 6, "%31s", name);
    }
    return target_find(name);
}

// The text after "// show: " in the comment at the start of `text`, or NULL.
static char *shown_ops(const char *text) {
    for (; strncmp(text, "//", 2) == 0; text += strcspn(text, "\n") + 1) {
        if (strncmp(text, "// show: ", 9) == 0) {
            return strndup(text + 9, strcspn(text + 9, "\n"));
        }
    }
    return NULL;
}

static void run(const char *pass, const char *text, const char *path, struct strbuf *found) {
    struct diag diag = {.sink = collect, .sink_user = found};
    struct ir *ir = ir_create(&diag);
    struct arena *arena = arena_create();
    struct pass_context context = {.ir = ir,
                                   .target = chip_of(text),
                                   .arena = arena,
                                   .diag = &diag,
                                   .fp_contract = true,
                                   .tensor_maps = true};
    MlirModule module = ir_parse(ir, text, path);
    if (!mlirModuleIsNull(module) && pass_run_one(&context, module, pass)) {
        char *dump = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&dump, &size);
        ir_print(ir, module, out);
        fclose(out);
        char *shown = shown_ops(text);
        if (shown) {
            select_lines(dump, shown, found);
        } else {
            strbuf_add(found, dump);
        }
        free(shown);
        free(dump);
    }
    if (!mlirModuleIsNull(module)) {
        mlirModuleDestroy(module);
    }
    arena_destroy(arena);
    ir_destroy(ir);
}

// The lines of `text` from each "define" to its closing brace.
static void add_functions(const char *text, struct strbuf *found) {
    bool inside = false;
    for (const char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        inside |= strncmp(line, "define ", 7) == 0;
        if (inside) {
            strbuf_add_bytes(found, line, (size_t)(next - line));
        }
        inside &= line[0] != '}';
    }
}

static void run_step(const char *step, const char *text, const char *path, struct strbuf *found) {
    struct diag diag = {.sink = collect, .sink_user = found};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = llvmgen_read(context, text, path, &diag);
    if (module && step_run_one(module, chip_of(text), step)) {
        char *dump = LLVMPrintModuleToString(module);
        add_functions(dump, found);
        LLVMDisposeMessage(dump);
    }
    if (module) {
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
}

static int compare(const char *path, const char *expected, const char *found) {
    size_t line = 1;
    const char *line_start = found;
    for (; *expected && *expected == *found; expected++, found++) {
        if (*found == '\n') {
            line++;
            line_start = found + 1;
        }
    }
    if (*expected == *found) {
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "%s:%zu: differs from what the pass gives: %.*s\n(UPDATE=1 rewrites the file)\n", path,
            line, (int)strcspn(line_start, "\n"), line_start);
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    char *text = argc == 4 ? file_read(argv[2], &(size_t){0}) : NULL;
    if (!text || (pass_find(argv[1]) < 0 && step_find(argv[1]) < 0) || !chip_of(text)) {
        fputs("usage: golden_pass PASS FILE.mlir FILE.expect, golden_pass STEP FILE.ll FILE.expect\n",
              stderr);
        return EXIT_USAGE;
    }
    const char *slash = strrchr(argv[2], '/'), *update = getenv("UPDATE");
    struct strbuf found = {0};
    void (*run_one)(const char *, const char *, const char *, struct strbuf *) =
        step_find(argv[1]) >= 0 ? run_step : run;
    run_one(argv[1], text, slash ? slash + 1 : argv[2], &found);
    int status = EXIT_SUCCESS;
    if (update && strcmp(update, "1") == 0) {
        if (!file_write_atomic(argv[3], strbuf_text(&found), found.length)) {
            perror(argv[3]);
            status = EXIT_FAILURE;
        }
    } else {
        char *expected = file_read(argv[3], &(size_t){0});
        status = compare(argv[3], expected ? expected : "", strbuf_text(&found));
        free(expected);
    }
    strbuf_free(&found);
    free(text);
    return status;
}
