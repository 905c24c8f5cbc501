// Machine code with one wait, one barrier or one change of EXEC removed, on gfx12 one wait for scalars too: every such instruction of a few
// kernels in turn becomes s_nop (s_and_saveexec and similar become a copy of EXEC). Of a packed operation on f32 the low half takes
// the high half of its first operand. A report of the emulator, or a wrong result, must reveal nearly all of these mutants. Instructions
// with nothing to wait for, or without an active lane affected, in any run do not count: the path that needs them is not taken.
//
// Undetected changes of EXEC make no difference: the extra lanes are masked off again by the next mask (of
// two stores of rows m and m + 32 the second one's mask is within the first one's; at the end of a loop all
// lanes have had their last element), or all lanes of a wave store the same sum to one place of LDS instead
// of one of them.
//
// Undetected waits cover accesses with unused results: the tile loaded by a main loop's last step for a step
// after the end, or stores to global memory, counted by gfx9 with the loads.
#include "chip_testing.h"

#include <elf.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include "artifact/artifact.h"
#include "codegen/llvmgen.h"
#include "driver/compile.h"
#include "emulator/emulator.h"

enum { NOP = 0xbf800000, MOST_ARGUMENTS = 12, WORDS = 1 << 15, REMOVALS = 512, EIGHTH = 0x3e000000 };

enum fault {
    NO_FAULT,
    FAULT_OF_WAIT,
    FAULT_OF_BARRIER,
    FAULT_OF_EXEC,
    FAULT_OF_SCALAR,
    FAULT_OF_PAIR,
    FAULTS
};

// A removed instruction, or a changed one: its offset in the file, and the first word to put there.
struct removal {
    size_t at;
    unsigned size;
    enum fault fault;
    uint32_t instead;
    char text[80];
};

// "s_or_b64 exec, exec, s[2:3]" is removed, "s_and_saveexec_b64 s[2:3], vcc" still saves: SOP1's target stands in bits 16 to 22,
// EXEC is operand 126, and s_mov has opcodes 0 and 1 (CDNA3 ISA 13.1.3, RDNA3 ISA 15.1.3).
static enum fault fault_of(const char *text, uint32_t word, uint32_t *instead) {
    *instead = NOP;
    if (!strncmp(text, "s_wait", 6) && !strstr(text, "depctr") && !strstr(text, "_alu")) {
        return FAULT_OF_WAIT;
    }
    if (!strncmp(text, "s_wait_alu", 10)) {
        return FAULT_OF_SCALAR;
    }
    if (!strncmp(text, "v_pk_", 5) && strstr(text, "_f32 ")) {
        *instead = word ^ 1u << 11; // the first bit of op_sel in VOP3P
        return FAULT_OF_PAIR;
    }
    if (!strcmp(text, "s_barrier") || !strncmp(text, "s_barrier_wait", 14)) {
        return FAULT_OF_BARRIER;
    }
    if (strstr(text, "saveexec")) {
        bool wide = strstr(text, "_b64");
        *instead = 0xbe800000u | (word & 0x7f0000) | (uint32_t)wide << 8 | 126;
        return FAULT_OF_EXEC;
    }
    const char *first = text + strcspn(text, " ");
    return !strncmp(first, " exec", 5) || !strncmp(text, "v_cmpx", 6) ? FAULT_OF_EXEC : NO_FAULT;
}

struct subject {
    const char *file, *kernel, *defines[6];
    unsigned warps, pointers, numbers[MOST_ARGUMENTS], number_count, grid; // warps: 0: as the file says
    unsigned extents[4][2];            // of each array: the numbers of the sizes multiplied for its length
    unsigned sizes[11][4], size_count; // runs with that number, or those two, replaced
    bool pairs;                        // with faults of packed f32 alone
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
    options.num_warps = (int)subject->warps;
    options.debug = TKC_DEBUG_LINES;
    for (unsigned i = 0; i < 6 && subject->defines[i]; i += 2) {
        defines[options.define_count++] = (struct tkc_define){subject->defines[i], subject->defines[i + 1]};
    }
    options.defines = defines;
    struct unit unit = {.arena = arena_create(), .diag.sink = silent};
    struct compiled compiled = {0};
    struct strbuf *object = &compiled.object, image = {0};
    const char *tool;
    assert_true(unit_open(&unit, &options, target_find(chip)) &&
                compile_for(&unit, target_find(chip), &compiled));
    assert_true(object->length ||
                llvmgen_emit(compiled.llvm, compiled.target, LLVMGEN_OBJECT, NULL, object, &unit.diag));
    assert_true(hsaco_link(unit.arena, object, 1, NULL, &image, &tool, &unit.diag));
    compiled_free(&compiled);
    arena_destroy(unit.arena);
    return image;
}

// True when the run was clean. `out` gets all arrays.
static bool run(const struct subject *subject, const char *chip, const struct strbuf *image, uint16_t *out,
                uint8_t *mattered) {
    struct emulator_options options = {
        .chip = chip, .workers = 1, .report_limit = 1, .timeout_seconds = 20, .mattered = mattered};
    struct emulator_buffer buffers[4] = {{0}};
    struct emulator_argument arguments[MOST_ARGUMENTS] = {{0}};
    memset(out, 0, 4 * WORDS * sizeof *out);
    for (unsigned i = 0; i < subject->pointers * WORDS; i++) {
        out[i] = (uint16_t)(0xb000 + (i * 2654435761u >> 20)); // halves of -0.125 to -2
    }
    for (unsigned i = 0; i < subject->pointers; i++) {
        buffers[i] = (struct emulator_buffer){.name = "array",
                                              .data = out + i * WORDS,
                                              .size = 2 * (size_t)subject->numbers[subject->extents[i][0]] *
                                                      subject->numbers[subject->extents[i][1]],
                                              .element_bits = 16};
        arguments[i] = (struct emulator_argument){.name = "array", .buffer = &buffers[i]};
    }
    for (unsigned i = 0; i < subject->number_count; i++) {
        arguments[subject->pointers + i] =
            (struct emulator_argument){.name = "number", .bits = subject->numbers[i]};
    }
    struct emulator_launch launch = {.kernel = subject->kernel,
                                     .arguments = arguments,
                                     .argument_count = subject->pointers + subject->number_count,
                                     .grid = {subject->grid, 1, 1}};
    struct emulator_result result;
    char *error = NULL;
    struct emulator *emulator = emulator_create_object(image->data, image->length, &options, &error);
    if (!emulator) {
        fail_msg("%s", error);
    }
    bool clean = emulator_run(emulator, &launch, &result);
    emulator_result_free(&result);
    emulator_destroy(emulator);
    return clean;
}

// The segment of the code.
static Elf64_Phdr code_of(const struct strbuf *image) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image->data;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(image->data + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X) {
            return segments[i];
        }
    }
    fail_msg("the code object has no code");
    return (Elf64_Phdr){0};
}

static unsigned find_removals(const struct strbuf *image, const char *chip, bool pairs,
                              struct removal *removals) {
    Elf64_Phdr code = code_of(image);
    LLVMInitializeAMDGPUDisassembler();
    LLVMDisasmContextRef context = LLVMCreateDisasmCPU("amdgcn-amd-amdhsa", chip, NULL, 0, NULL, NULL);
    unsigned count = 0;
    size_t size;
    for (size_t at = code.p_offset; at < code.p_offset + code.p_filesz; at += size) {
        char text[256];
        uint32_t word;
        memcpy(&word, image->data + at, 4);
        size = LLVMDisasmInstruction(context, (uint8_t *)image->data + at, code.p_offset + code.p_filesz - at,
                                     0, text, sizeof text);
        if (!size) {
            break;
        }
        for (char *c = text; *c; c++) {
            *c = *c == '\t' ? ' ' : *c;
        }
        const char *begin = text + strspn(text, " ");
        struct removal removal = {.at = at, .size = (unsigned)size};
        removal.fault = fault_of(begin, word, &removal.instead);
        snprintf(removal.text, sizeof removal.text, "%.79s", begin);
        assert_true(count < REMOVALS);
        if (removal.fault && (removal.fault == FAULT_OF_PAIR) == pairs) {
            removals[count++] = removal;
        }
    }
    LLVMDisasmDispose(context);
    return count;
}

enum outcome { UNUSED, UNSEEN, NOTICED };

// Puts a word in the place of the instruction's first one; a second word stays or becomes s_nop.
static void put(struct strbuf *image, const struct removal *removal, uint32_t word, bool stays) {
    uint32_t words[2] = {word, NOP};
    memcpy(image->data + removal->at, words, stays ? sizeof word : removal->size);
}

// `good` and `mattered` are of the run with the instruction.
static enum outcome try(const struct subject *subject, const char *chip, struct strbuf *image,
                        const struct removal *removal, const uint16_t *good, const uint8_t *mattered) {
    static uint16_t bad[4 * WORDS];
    uint32_t trap = (strncmp(chip, "gfx9", 4) ? 0x10u : 0x12u) << 16 | NOP | 2;
    uint8_t old[8];
    Elf64_Phdr code = code_of(image);
    memcpy(old, image->data + removal->at, removal->size);
    put(image, removal, trap, false);
    bool noted = removal->fault != FAULT_OF_BARRIER && removal->fault != FAULT_OF_PAIR;
    bool used = noted ? mattered[(removal->at - code.p_offset + code.p_vaddr) / 4]
                      : !run(subject, chip, image, bad, NULL);
    enum outcome outcome = UNUSED;
    memcpy(image->data + removal->at, old, removal->size);
    put(image, removal, removal->instead, removal->fault == FAULT_OF_PAIR);
    if (used) {
        outcome = run(subject, chip, image, bad, NULL) && !memcmp(good, bad, sizeof bad) ? UNSEEN : NOTICED;
    }
    memcpy(image->data + removal->at, old, removal->size);
    return outcome;
}

struct score {
    unsigned planted, noticed;
};

// On every size: an instruction may be needed for only some of them.
static void check(const struct subject *subject, const char *chip, struct score *scores) {
    static uint16_t good[4 * WORDS];
    static uint8_t mattered[1 << 16];
    static struct removal removals[REMOVALS];
    enum outcome outcomes[REMOVALS] = {UNUSED};
    struct strbuf image = compile(subject, chip);
    unsigned count = find_removals(&image, chip, subject->pairs, removals);
    for (unsigned i = 0; i < subject->size_count; i++) {
        struct subject sized = *subject;
        sized.numbers[subject->sizes[i][0]] = subject->sizes[i][1];
        if (subject->sizes[i][3]) {
            sized.numbers[subject->sizes[i][2]] = subject->sizes[i][3];
        }
        memset(mattered, 0, sizeof mattered);
        if (!run(&sized, chip, &image, good, mattered)) {
            fail_msg("%s on %s is not clean as it is compiled", subject->kernel, chip);
        }
        for (unsigned j = 0; j < count; j++) {
            if (outcomes[j] == NOTICED) {
                continue;
            }
            enum outcome outcome = try(&sized, chip, &image, &removals[j], good, mattered);
            outcomes[j] = outcome > outcomes[j] ? outcome : outcomes[j];
        }
    }
    for (unsigned j = 0; j < count; j++) {
        struct score *score = &scores[removals[j].fault];
        score->planted += outcomes[j] != UNUSED;
        score->noticed += outcomes[j] == NOTICED;
        if (outcomes[j] == UNSEEN) {
            printf("%s on %s: `%s` at 0x%zx of the file can go unseen\n", subject->kernel, chip,
                   removals[j].text, removals[j].at);
        }
    }
    strbuf_free(&image);
}

static void check_chip(const char *chip) {
    need_chip(chip);
    static const struct subject subjects[] = {
        {.file = TEST_SOURCE_DIR "/examples/matmul.tk",
         .kernel = "matmul",
         .defines = {"BLOCK_M", "64", "BLOCK_N", "64", "BLOCK_K", "32"},
         .pointers = 3,
         .numbers = {64, 64, 96, 96, 1, 64, 1, 64, 1},
         .number_count = 9,
         .grid = 1,
         .extents = {{0, 3}, {2, 5}, {0, 7}},
         .sizes = {{0, 64},
                   {0, 4},
                   {0, 20},
                   {0, 50},
                   {2, 80},
                   {2, 16},
                   {1, 48},
                   {1, 16},
                   {2, 16, 3, 16},
                   {2, 80, 3, 80},
                   {2, 112, 3, 112}}, // two steps of each loop
         .size_count = 11},
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
        {.file = TEST_SOURCE_DIR "/tests/unit/masks.tk",
         .kernel = "masks",
         .defines = {"BLOCK", "512"},
         .warps = 1,
         .pointers = 3,
         .numbers = {512, 2, 3, 1},
         .number_count = 1,
         .grid = 1,
         .extents = {{0, 3}, {0, 1}, {0, 2}},
         .sizes = {{0, 500}, {0, 131}},
         .size_count = 2},
        {.file = TEST_SOURCE_DIR "/examples/attention.tk", // full steps of its programs: none, 2, 4
         .kernel = "attention",
         .defines = {"BLOCK_M", "64", "BLOCK_N", "32", "HEAD_DIM", "64"},
         .warps = 4,
         .pointers = 4,
         .numbers = {EIGHTH, 1, 1, 192, 192 * 64, 192 * 64, 64},
         .number_count = 7,
         .grid = 3,
         .extents = {{3, 6}, {3, 6}, {3, 6}, {3, 6}},
         .sizes = {{3, 192}, {3, 170}, {3, 131}},
         .size_count = 3,
         .pairs = true}, // its weights return to their own wave, so barriers around them may go unseen
    };
    static const char *const names[FAULTS] = {"",
                                              "removed waits",
                                              "removed barriers",
                                              "removed changes of EXEC",
                                              "removed waits for scalars",
                                              "changed halves of packed f32"};
    struct score scores[FAULTS] = {{0}};
    enum { HARMLESS = 9 }; // changes of EXEC around what all lanes may do, as reading parts of a sum
    bool has_pairs = target_has(target_find(chip), FEATURE(MFMA_GFX90A));
    for (unsigned i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        if (has_pairs || !subjects[i].pairs) {
            check(&subjects[i], chip, scores);
        }
    }
    bool has[FAULTS] = {false, true, true, true, !strcmp(chip, "gfx1200"), has_pairs};
    for (unsigned i = 1; i < FAULTS; i++) {
        printf("%s: %u of %u %s noticed\n", chip, scores[i].noticed, scores[i].planted, names[i]);
        assert_true(!has[i] || scores[i].planted > 5);
        unsigned unseen = scores[i].planted - scores[i].noticed;
        assert_true(100 * unseen <= 5 * scores[i].planted || (i == FAULT_OF_EXEC && unseen <= HARMLESS));
    }
}

static void test_gfx90a(void **state) {
    check_chip("gfx90a");
}

static void test_gfx942(void **state) {
    check_chip("gfx942");
}

static void test_gfx1100(void **state) {
    check_chip("gfx1100");
}

static void test_gfx950(void **state) {
    check_chip("gfx950");
}

static void test_gfx1200(void **state) {
    check_chip("gfx1200");
}

static void test_gfx1250(void **state) {
    check_chip("gfx1250");
}

RUN(TEST(test_gfx90a), TEST(test_gfx942), TEST(test_gfx950), TEST(test_gfx1100), TEST(test_gfx1200),
    TEST(test_gfx1250))
