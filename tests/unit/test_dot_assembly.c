// Dots down to machine code: NVIDIA's is checked with ptxas if it is installed, AMD's is disassembled with
// llvm-objdump if it is. Both must show the dot's matrix instruction. No case may spill.
#include "testing.h"
#include "dot_testing.h"

#include <unistd.h>

static bool is_program(const char *path) {
    return access(path, X_OK) == 0;
}

static char *run_command(const char *command, struct strbuf *output) {
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char buffer[4096];
    size_t length;
    while ((length = fread(buffer, 1, sizeof buffer, pipe)) > 0) {
        strbuf_printf(output, "%.*s", (int)length, buffer);
    }
    if (pclose(pipe) != 0) {
        fail_msg("%s: %s", command, output->data ? output->data : "");
    }
    return output->data;
}

static void write_file(const char *path, const struct strbuf *contents) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(contents->data, 1, contents->length, file), contents->length);
    fclose(file);
}

// The text to find: the instruction up to its shape.
static void mnemonic(const struct mma *mma, char *out, size_t size) {
    if (strncmp(mma->name, "mma.", 4) == 0) {
        snprintf(out, size, "mma.sync.aligned.m%un%uk%u.row.col.", mma->m, mma->n, mma->k);
        return;
    }
    char kind[8], type[8];
    assert_int_equal(sscanf(mma->name, "%7[a-z].%7[a-z0-9].", kind, type), 2);
    snprintf(out, size, "v_%s_%s_%ux%ux%u", kind, type, mma->m, mma->n, mma->k);
}

static void check_nvidia(const struct dot_case *c, const struct strbuf *text) {
    static const char ptxas[] = "/usr/local/cuda/bin/ptxas";
    if (!is_program(ptxas)) {
        return;
    }
    char path[64], command[256];
    snprintf(path, sizeof path, "dot_%d.ptx", (int)getpid());
    write_file(path, text);
    struct strbuf output = {0};
    snprintf(command, sizeof command, "%s -v -arch=%s %s -o %s.cubin 2>&1", ptxas, c->chip, path, path);
    run_command(command, &output);
    assert_non_null(strstr(output.data, " 0 bytes spill stores"));
    remove(path);
    strncat(path, ".cubin", sizeof path - strlen(path) - 1);
    remove(path);
    strbuf_free(&output);
}

static void check_amd(const struct dot_case *c, struct lowered_dot *lowered, const char *wanted) {
    static const char objdump[] = LLVM_TOOLS "/llvm-objdump";
    if (!is_program(objdump)) {
        return;
    }
    struct strbuf object = {0}, listing = {0};
    assert_true(
        llvmgen_emit(lowered->module, lowered->target, LLVMGEN_OBJECT, NULL, &object, &lowered->diag));
    char path[64], command[256];
    snprintf(path, sizeof path, "dot_%d.o", (int)getpid());
    write_file(path, &object);
    snprintf(command, sizeof command, "%s -d --mcpu=%s %s 2>&1", objdump, c->chip, path);
    run_command(command, &listing);
    if (!strstr(listing.data, wanted) || strstr(listing.data, "scratch_")) {
        fail_msg("%s %s: no %s, or scratch, in\n%s", c->chip, c->instruction, wanted, listing.data);
    }
    remove(path);
    strbuf_free(&object);
    strbuf_free(&listing);
}

static void check_case(const struct dot_case *c, int variant) {
    struct lowered_dot lowered;
    if (lacks_chip(c->chip)) {
        return;
    }
    lower_dot_case(&lowered, c, variant);
    struct strbuf text = {0};
    char wanted[96] = "fma";
    bool nvidia = lowered.target->vendor == VENDOR_NVIDIA;
    if (*c->instruction) {
        mnemonic(mma_find(c->instruction, strlen(c->instruction)), wanted, sizeof wanted);
    }
    if (nvidia) { // emission may change the module: once for each
        assert_true(
            llvmgen_emit(lowered.module, lowered.target, LLVMGEN_ASSEMBLY, NULL, &text, &lowered.diag));
        if (!strstr(text.data, wanted)) {
            fail_msg("%s %s: no %s in\n%s", c->chip, c->instruction, wanted, text.data);
        }
        check_nvidia(c, &text);
    } else {
        check_amd(c, &lowered, wanted);
    }
    strbuf_free(&text);
    LLVMDisposeModule(lowered.module);
    LLVMContextDispose(lowered.context);
    lowered_dot_free(&lowered);
}

static void test_all(void **state) {
    for (size_t group = 0; group < sizeof dot_cases / sizeof *dot_cases; group++) {
        for (size_t i = 0; i < dot_cases[group].count; i++) {
            check_case(&dot_cases[group].cases[i], 1);
        }
    }
}

// f16 operands come from shared memory by ldmatrix, B with its columns contiguous by ldmatrix.trans.
static void test_ldmatrix(void **state) {
    const struct dot_case c = {"sm_80", "f16", "f16", "f32", "tf32", {0, 64, 64, 64}, 4, "mma.m16n8k16.f16",
                               0,       0};
    struct lowered_dot lowered;
    lower_dot_case(&lowered, &c, 1);
    struct strbuf text = {0};
    assert_true(llvmgen_emit(lowered.module, lowered.target, LLVMGEN_ASSEMBLY, NULL, &text, &lowered.diag));
    assert_non_null(strstr(text.data, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"));
    assert_non_null(strstr(text.data, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"));
    strbuf_free(&text);
    LLVMDisposeModule(lowered.module);
    LLVMContextDispose(lowered.context);
    lowered_dot_free(&lowered);
}

RUN(TEST(test_all), TEST(test_ldmatrix))
