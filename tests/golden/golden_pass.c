// golden_pass PASS FILE.mlir FILE.expect: runs one pass over tile IR and compares the dump, or the errors,
// with the expectation. With UPDATE=1 in the environment the expectation is rewritten instead. Comments at the start of the file:
//
//   // chip: NAME        the chip (sm_80 otherwise)
//   // show: PATTERN…    the ops to compare (select.h); golden_select() has the default
//   // input: FILE       the IR is that of this case, from the folder of the passes, and none follows here
//   // with: OLD => NEW  each OLD in that IR is NEW
//   // after: PASS…      the IR is first rewritten by these passes
//   // llvm: NUMBER      the first version of LLVM with this expectation
//
// Skipped (status 77): a chip unknown to this build's LLVM, or an older LLVM.
//
// golden_pass STEP FILE.ll FILE.expect: one step of the LLVM pipeline over LLVM's IR; the functions' bodies are compared, since
// declarations differ with the version of LLVM. Comments begin with a semicolon there.
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/llvm.h"
#include "codegen/llvmgen.h"
#include "passes/pass.h"
#include "support/file.h"

// The value of a comment in a file of tile IR or of LLVM's; allocated, or NULL.
static char *setting_of(const char *text, const char *name) {
    char *slashes = golden_setting(text, "//", name);
    return slashes ? slashes : golden_setting(text, ";", name);
}

static const struct target *chip_of(const char *text) {
    char *name = setting_of(text, "chip");
    const struct target *target = target_find(name ? name : "sm_80");
    free(name);
    return target;
}

// True if this build's LLVM lacks the case's chip, or is older than the case asks for.
static bool is_beyond_llvm(const char *text) {
    char *chip = setting_of(text, "chip"), *version = setting_of(text, "llvm");
    bool beyond = (chip && target_withheld(chip)) || (version && !LLVM_AT_LEAST(atoi(version)));
    free(chip);
    free(version);
    return beyond;
}

// Takes `ir`, and gives it with the replacement under "with".
static char *changed(const char *text, char *ir) {
    char *old = golden_setting(text, "//", "with"), *arrow = old ? strstr(old, " => ") : NULL;
    if (!arrow) {
        free(old);
        return ir;
    }
    *arrow = 0;
    struct strbuf out = {0};
    const char *rest = ir;
    for (const char *at; (at = strstr(rest, old)); rest = at + strlen(old)) {
        strbuf_add_bytes(&out, rest, (size_t)(at - rest));
        strbuf_add(&out, arrow + strlen(" => "));
    }
    strbuf_add(&out, rest);
    char *result = strdup(strbuf_text(&out));
    strbuf_free(&out);
    free(old);
    free(ir);
    return result;
}

// The IR of a case: its own text, or that of the case under "input". The result is allocated.
static char *input_of(const char *text, const char *path) {
    char *other = golden_setting(text, "//", "input"), *found = NULL;
    if (!other) {
        return strdup(text);
    }
    struct strbuf name = {0};
    strbuf_printf(&name, "%.*s../%s", (int)(golden_name(path) - path), path, other);
    found = file_read(strbuf_text(&name), &(size_t){0});
    if (!found) {
        perror(strbuf_text(&name));
        exit(EXIT_FAILURE);
    }
    char *input = input_of(found, strbuf_text(&name));
    strbuf_free(&name);
    free(found);
    free(other);
    return changed(text, input);
}

static bool run_before(struct pass_context *context, MlirModule module, const char *text) {
    char *passes = golden_setting(text, "//", "after"), *rest = NULL;
    bool good = true;
    for (char *pass = passes ? strtok_r(passes, " ", &rest) : NULL; pass && good;
         pass = strtok_r(NULL, " ", &rest)) {
        good = pass_run_one(context, module, pass);
    }
    free(passes);
    return good;
}

static void run(const char *pass, const char *text, const char *path, struct strbuf *found) {
    struct diag diag = {.sink = golden_collect, .sink_user = found};
    struct ir *ir = ir_create(&diag);
    struct arena *arena = arena_create();
    struct pass_context context = {.ir = ir,
                                   .target = chip_of(text),
                                   .arena = arena,
                                   .diag = &diag,
                                   .fp_contract = true,
                                   .tensor_maps = true};
    char *input = input_of(text, path);
    MlirModule module = ir_parse(ir, input, golden_name(path));
    if (!mlirModuleIsNull(module) && run_before(&context, module, text) &&
        pass_run_one(&context, module, pass)) {
        char *dump = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&dump, &size);
        ir_print(ir, module, out);
        fclose(out);
        golden_select(text, "//", dump, found);
        free(dump);
    }
    if (!mlirModuleIsNull(module)) {
        mlirModuleDestroy(module);
    }
    free(input);
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
    struct diag diag = {.sink = golden_collect, .sink_user = found};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = llvmgen_read(context, text, golden_name(path), &diag);
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

int main(int argc, char **argv) {
    char *text = argc == 4 ? file_read(argv[2], &(size_t){0}) : NULL;
    enum { EXIT_SKIPPED = 77 };
    if (text && is_beyond_llvm(text)) {
        free(text);
        return EXIT_SKIPPED;
    }
    if (!text || (pass_find(argv[1]) < 0 && step_find(argv[1]) < 0) || !chip_of(text)) {
        fputs("usage: golden_pass PASS FILE.mlir FILE.expect, golden_pass STEP FILE.ll FILE.expect\n",
              stderr);
        return EXIT_USAGE;
    }
    struct strbuf found = {0};
    (step_find(argv[1]) >= 0 ? run_step : run)(argv[1], text, argv[2], &found);
    int status = golden_compare(argv[3], &found);
    strbuf_free(&found);
    free(text);
    return status;
}
