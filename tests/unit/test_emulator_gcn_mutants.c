// Machine code with one wait or one barrier removed: every such instruction of a matmul and of a softmax in turn becomes s_nop, and
// what the emulator reports, or a wrong result, must give nearly all of them away. Waits that never have anything to wait for
// do not count: the way on which they would is not taken.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "artifact/artifact.h"
#include "codegen/llvmgen.h"
#include "compile.h"
#include "emulator/emulator.h"

enum { NOP = 0xbf800000, MOST_ARGUMENTS = 12, WORDS = 1 << 15 };

// Encodings of SOPP: the opcode stands in bits 16 to 22 (CDNA3 ISA 13.1.5, RDNA3 ISA 15.1.5, RDNA4 ISA 15.1.5).
static bool has_opcode(uint32_t word, unsigned first, unsigned last) {
    return word >> 23 == NOP >> 23 && (word >> 16 & 0x7f) >= first && (word >> 16 & 0x7f) <= last;
}
static bool is_barrier(uint32_t word, const char *chip) {
    unsigned opcode = !strncmp(chip, "gfx9", 4)    ? 0x0a
                      : !strncmp(chip, "gfx11", 5) ? 0x3d
                                                   : 0x14; // s_barrier_wait
    return has_opcode(word, opcode, opcode);
}
static bool is_wait(uint32_t word, const char *chip) {
    if (!strncmp(chip, "gfx12", 5)) // s_wait_loadcnt … s_wait_storecnt_dscnt
        return has_opcode(word, 0x40, 0x49);
    unsigned opcode = !strncmp(chip, "gfx9", 4) ? 0x0c : 0x09;
    return has_opcode(word, opcode, opcode);
}

struct subject {
    const char *file, *kernel, *defines[6];
    unsigned pointers, numbers[MOST_ARGUMENTS], number_count, grid;
    unsigned extents[4][2];           // of each array: the numbers whose product is its length
    unsigned sizes[8][2], size_count; // runs with that number as another one
};

static void silent(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static struct strbuf compile(const struct subject *subject, const char *chip) {
    struct tkc_define defines[4];
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = subject->file;
    options.kernels = &subject->kernel;
    options.kernel_count = 1;
    options.config = 0;
    options.debug = TKC_DEBUG_LINES;
    for (unsigned i = 0; i < 6 && subject->defines[i]; i += 2)
        defines[options.define_count++] = (struct tkc_define){subject->defines[i], subject->defines[i + 1]};
    options.defines = defines;
    struct unit unit = {.arena = arena_create(), .diag.sink = silent};
    struct compiled compiled = {0};
    struct strbuf object = {0}, image = {0};
    const char *tool;
    assert_true(unit_open(&unit, &options, target_find(chip)) &&
                compile_for(&unit, target_find(chip), &compiled));
    assert_true(llvmgen_emit(compiled.llvm, compiled.target, LLVMGEN_OBJECT, &object, &unit.diag));
    assert_true(hsaco_link(unit.arena, object.data, object.length, NULL, &image, &tool, &unit.diag));
    strbuf_free(&object);
    compiled_free(&compiled);
    arena_destroy(unit.arena);
    return image;
}

// True when the run was clean. `out` gets all arrays.
static bool run(const struct subject *subject, const char *chip, const struct strbuf *image, uint16_t *out,
                uint8_t *waited) {
    struct emulator_options options = {
        .chip = chip, .workers = 1, .report_limit = 1, .timeout_seconds = 20, .waited = waited};
    struct emulator_buffer buffers[4] = {{0}};
    struct emulator_argument arguments[MOST_ARGUMENTS] = {{0}};
    memset(out, 0, 4 * WORDS * sizeof *out);
    for (unsigned i = 0; i < subject->pointers * WORDS; i++)
        out[i] = (uint16_t)(0x3000 + (i * 2654435761u >> 20)); // halves of 0.125 to 2
    for (unsigned i = 0; i < subject->pointers; i++) {
        buffers[i] = (struct emulator_buffer){.name = "array",
                                              .data = out + i * WORDS,
                                              .size = 2 * (size_t)subject->numbers[subject->extents[i][0]] *
                                                      subject->numbers[subject->extents[i][1]],
                                              .element_bits = 16};
        arguments[i] = (struct emulator_argument){.name = "array", .buffer = &buffers[i]};
    }
    for (unsigned i = 0; i < subject->number_count; i++)
        arguments[subject->pointers + i] =
            (struct emulator_argument){.name = "number", .bits = subject->numbers[i]};
    struct emulator_launch launch = {.kernel = subject->kernel,
                                     .arguments = arguments,
                                     .argument_count = subject->pointers + subject->number_count,
                                     .grid = {subject->grid, 1, 1}};
    struct emulator_result result;
    char *error = NULL;
    struct emulator *emulator = emulator_create_object(image->data, image->length, &options, &error);
    if (!emulator)
        fail_msg("%s", error);
    bool clean = emulator_run(emulator, &launch, &result);
    emulator_result_free(&result);
    emulator_destroy(emulator);
    return clean;
}

// The word of the loaded image that stands at an offset of the file.
static size_t word_of(const struct strbuf *image, size_t at) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image->data;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(image->data + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X && at >= segments[i].p_offset &&
            at < segments[i].p_offset + segments[i].p_filesz)
            return (at - segments[i].p_offset + segments[i].p_vaddr) / 4;
    return 0;
}

enum outcome { UNUSED, UNSEEN, NOTICED };

static bool is_target(uint32_t word, const char *chip) {
    return is_barrier(word, chip) || is_wait(word, chip);
}

// One instruction without its effect; `good` and `waited` are of the run with it.
static enum outcome try(const struct subject *subject, const char *chip, const struct strbuf *image,
                        size_t at, const uint16_t *good, const uint8_t *waited) {
    static uint16_t bad[4 * WORDS];
    uint32_t word, nop = NOP, trap = (strncmp(chip, "gfx9", 4) ? 0x10u : 0x12u) << 16 | NOP | 2;
    enum outcome outcome = UNUSED;
    memcpy(&word, image->data + at, 4);
    memcpy(image->data + at, &trap, 4);
    bool used = is_wait(word, chip) ? waited[word_of(image, at)] : !run(subject, chip, image, bad, NULL);
    memcpy(image->data + at, &nop, 4);
    if (used)
        outcome = run(subject, chip, image, bad, NULL) && !memcmp(good, bad, sizeof bad) ? UNSEEN : NOTICED;
    memcpy(image->data + at, &word, 4);
    return outcome;
}

// On every size: an instruction may stand for what only some of them bring along.
static void check(const struct subject *subject, const char *chip, unsigned *planted, unsigned *noticed) {
    static uint16_t good[4 * WORDS];
    static uint8_t waited[1 << 16];
    struct strbuf image = compile(subject, chip);
    uint8_t *outcomes = calloc(image.length / 4 + 1, 1);
    for (unsigned i = 0; i < subject->size_count; i++) {
        struct subject sized = *subject;
        sized.numbers[subject->sizes[i][0]] = subject->sizes[i][1];
        memset(waited, 0, sizeof waited);
        if (!run(&sized, chip, &image, good, waited))
            fail_msg("%s on %s is not clean as it is compiled", subject->kernel, chip);
        for (size_t at = 0; at + 4 <= image.length; at += 4) {
            uint32_t word;
            memcpy(&word, image.data + at, 4);
            enum outcome outcome = is_target(word, chip) && outcomes[at / 4] != NOTICED
                                       ? try(&sized, chip, &image, at, good, waited)
                                       : UNUSED;
            outcomes[at / 4] = outcome > outcomes[at / 4] ? outcome : outcomes[at / 4];
        }
    }
    for (size_t at = 0; at + 4 <= image.length; at += 4) {
        *planted += outcomes[at / 4] != UNUSED;
        *noticed += outcomes[at / 4] == NOTICED;
        if (outcomes[at / 4] == UNSEEN) {
            uint32_t word;
            memcpy(&word, image.data + at, 4);
            printf("%s on %s: 0x%08x at 0x%zx of the file can go unseen\n", subject->kernel, chip, word, at);
        }
    }
    free(outcomes);
    strbuf_free(&image);
}

static void check_chip(const char *chip) {
    static const struct subject subjects[] = {
        {.file = TEST_SOURCE_DIR "/examples/matmul.tk",
         .kernel = "matmul",
         .defines = {"BLOCK_M", "64", "BLOCK_N", "64", "BLOCK_K", "32"},
         .pointers = 3,
         .numbers = {64, 64, 96, 96, 1, 64, 1, 64, 1},
         .number_count = 9,
         .grid = 1,
         .extents = {{0, 3}, {2, 5}, {0, 7}},
         .sizes = {{0, 64}, {0, 4}, {0, 20}, {0, 50}, {2, 80}, {2, 16}, {1, 48}, {1, 16}},
         .size_count = 8},
        {.file = TEST_SOURCE_DIR "/examples/softmax.tk",
         .kernel = "softmax",
         .defines = {"BLOCK", "1024"},
         .pointers = 2,
         .numbers = {1000, 1000, 1, 1000},
         .number_count = 4,
         .grid = 1,
         .extents = {{2, 3}, {2, 3}},
         .sizes = {{3, 999}, {3, 97}, {3, 2998}, {3, 35}},
         .size_count = 4},
    };
    unsigned planted = 0, noticed = 0;
    for (unsigned i = 0; i < sizeof subjects / sizeof *subjects; i++)
        check(&subjects[i], chip, &planted, &noticed);
    printf("%s: %u of %u removed waits and barriers noticed\n", chip, noticed, planted);
    assert_true(planted > 20);
    assert_true(100 * noticed >= 95 * planted);
}

static void test_gfx942(void **state) {
    (void)state;
    check_chip("gfx942");
}

static void test_gfx1100(void **state) {
    (void)state;
    check_chip("gfx1100");
}

static void test_gfx1200(void **state) {
    (void)state;
    check_chip("gfx1200");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gfx942), cmocka_unit_test(test_gfx1100),
                                       cmocka_unit_test(test_gfx1200)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
