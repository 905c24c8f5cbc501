// The page of --report, from facts that no example has together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/gather.h"

// An op that touches memory or orders threads takes time in a loop: its row of doings.def may not be forgotten.
static void ops_with_effects_have_rows(void **state) {
    (void)state;
    static const bool rows[OP_KIND_COUNT] = {
#define DOES(op, doing) [OP_##op] = true,
#include "report/doings.def"
#undef DOES
    };
    enum { EFFECTS = READ | WRITE | SHARED_READ | SHARED_WRITE | SYNC };
    for (int kind = OP_UNKNOWN + 1; kind < OP_KIND_COUNT; kind++) {
        bool wants =
            (op_traits((enum op_kind)kind) & EFFECTS) && !(op_traits((enum op_kind)kind) & MULTIPLIES);
        if (wants && !rows[kind]) {
            fail_msg("%s has no row in src/report/doings.def", op_table[kind].name);
        }
    }
}

static void products_are_products(void **state) {
    (void)state;
    static const enum op_kind products[] = {OP_DOT, OP_SHARED_DOT, OP_WARPGROUP_DOT, OP_TENSOR_DOT};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        assert_int_equal(doing_of_kind(products[i]), DOING_MATRIX);
    }
    assert_int_equal(doing_of_kind(OP_TENSOR_TAKE), DOING_WAIT);
    assert_int_equal(doing_of_kind(OP_RECIPROCAL), DOING_SPECIAL);
    assert_int_equal(doing_of_kind(OP_ADDF), DOING_NOTHING);
}

// A kernel of one line on a chip, and its page.
struct fixture {
    struct arena *arena;
    struct source source;
    struct report_kernel kernel;
    struct report_code code;
    struct remarks remarks;
    struct resources resources;
    struct reflect_kernel reflected;
    struct report_part part;
    struct report report;
    struct strbuf page;
};

static void fixture_open(struct fixture *f, const char *chip) {
    static const char text[] = "def k(x): pass\n";
    static unsigned live[2] = {200, 100}; // of no line, and of line 1
    *f = (struct fixture){.arena = arena_create()};
    f->source = (struct source){.path = "k.tk", .text = text, .length = sizeof text - 1};
    f->kernel = (struct report_kernel){.name = "k", .line = 1, .warps = 4, .live = live, .line_count = 1};
    f->code = (struct report_code){.kernels = &f->kernel, .kernel_count = 1};
    for (int i = 0; i < REPORT_TEXTS; i++) {
        f->code.texts[i] = (struct report_text){.name = "PTX", .text = ""};
    }
    f->reflected = (struct reflect_kernel){.name = "k", .function = "k", .config_text = ""};
    f->part = (struct report_part){
        .target = target_find(chip), .code = &f->code, .remarks = &f->remarks, .resources = &f->resources};
    f->report =
        (struct report){.source = &f->source, .kernels = &f->reflected, .parts = &f->part, .part_count = 1};
}

static const char *fixture_write(struct fixture *f) {
    f->page.length = 0;
    report_write(f->arena, &f->report, &f->page);
    return strbuf_text(&f->page);
}

static void fixture_close(struct fixture *f) {
    strbuf_free(&f->page);
    arena_destroy(f->arena);
}

static void says(struct fixture *f, const char *text) {
    if (!strstr(fixture_write(f), text)) {
        fail_msg("the page says no \"%s\": %.400s", text, strstr(strbuf_text(&f->page), "<main>"));
    }
}

static void says_not(struct fixture *f, const char *text) {
    assert_null(strstr(fixture_write(f), text));
}

static void spills_are_said_where_known(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, "gfx908"); // no peaks
    says(&f, "nothing that the compiler sees</b> (no hints missing in loops)");
    f.resources.from = "LLVM";
    says(&f, "(no spills, no hints missing in loops)");
    fixture_close(&f);
}

static void warps_have_a_limit(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, "gfx942");
    f.resources = (struct resources){.from = "LLVM", .registers = 512, .spilled_values = 70, .stack = 280};
    says(&f, "tiles of floats take 100 registers at line 1");
    says(&f, "halve a side of the tile (more warps do not help: tkc tries them itself where values spill)");
    f.part.target = target_find("sm_80");
    f.resources.registers = 255;
    says(&f, "halve a side of the tile, or double num_warps, and look here again");
    f.kernel.live[1] = 300; // of 4 warps
    says(&f, "give it num_warps=8: tiles of floats then take 150 registers of a thread");
    f.kernel.live[1] = 520;
    says(&f, "no number of warps has registers for it");
    f.resources.spilled_values = 7;
    says(&f, "A thread also spills a little (7 values): too few values to matter");
    says_not(&f, "num_warps");
    fixture_close(&f);
}

static void copies_are_bound_by_memory(void **state) {
    (void)state;
    struct fixture f;
    struct report_term term = {.divisor = 1, .bytes = 4096};
    fixture_open(&f, "gfx908");
    f.kernel.terms = &term;
    f.kernel.term_count = 1;
    says(&f, "memory bandwidth</b>, as on every chip: a program moves data and does hardly any arithmetic");
    term.simple = 8192;
    says(&f, "as on every chip: a program does 2 operations for each byte");
    fixture_close(&f);
}

static void variants_left_out_are_named(void **state) {
    (void)state;
    struct fixture f;
    struct reflect_entry entries[2] = {{.threads = 128}, {.threads = 0}};
    struct reflect_kernel kernels[2];
    fixture_open(&f, "sm_90a");
    kernels[0] = kernels[1] = f.reflected;
    kernels[0].entries = &entries[0];
    kernels[1].entries = &entries[1];
    kernels[1].config_text = "BLOCK=64";
    f.report.kernels = kernels;
    f.report.kernel_count = 1;
    says_not(&f, "Left out on this chip");
    f.report.kernel_count = 2;
    entries[1].left_out = "its values do not fit in registers";
    says(&f, "Left out on this chip: BLOCK=64, because its values do not fit in registers.");
    fixture_close(&f);
}

static void integers_of_a_run_are_exact(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, "gfx942");
    struct report_value value = {"n", 9007199254740993};
    struct report_run run = {.where = "a card", .grid = {1, 1, 1}, .values = &value, .value_count = 1};
    f.report.run = &run;
    says(&f, "n=9007199254740993");
    fixture_close(&f);
}

// Listings of nvdisasm: lines, labels, live registers; what is cut short is no fault.
static void machine_code_has_lines(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, "sm_90a");
    report_sass(f.arena, &f.code,
                "\t.section\t.text.k,\"ax\"\n.text.k:\n\t//## File \"k.tk\", line 1\n        /*0000*/        "
                "  LDC R1, "
                "c[0x0][0x28] ;\n.L_x_0:\n        /*0010*/      @!P0 EXIT ;\n\t//## File \"k.tk\", line 9\n  "
                "      /*0020*/ NOP;\n",
                ".text.k:                          // |       |\n        /*0000*/     LDC R1, c[0x0][0x28] ; "
                "// |  70   |   1    |\n"
                "        /*0010*/     @!P0 EXIT ;            // |  90   |   1    |\n");
    const struct report_text *sass = &f.code.texts[REPORT_SASS];
    assert_string_equal(sass->text,
                        "k:\n0000      LDC R1, c[0x0][0x28]\n.L_x_0:\n0010  @!P0 EXIT\n0020      NOP\n");
    static const unsigned lines[] = {0, 1, 0, 1, 9};
    assert_int_equal(sass->count, 5);
    assert_memory_equal(sass->lines, lines, sizeof lines);
    assert_int_equal(f.kernel.registers[1], 90);
    report_sass(f.arena, &f.code, "/*00*\n.text.\n.text.other:\n  /*\n\t//## File\n/*0*/", "");
    assert_null(strstr(f.code.texts[REPORT_SASS].text, "File"));
    fixture_close(&f);
}

// Many variants of a long source with long code: the page keeps its size, and every variant its row and its answer.
static void pages_have_a_limit(void **state) {
    (void)state;
    enum { PARTS = 16, LINES = 2000, LENGTH = 50 };
    struct fixture f;
    fixture_open(&f, "gfx942");
    struct report_part *parts = ARENA_ARRAY(f.arena, struct report_part, PARTS);
    char *text = ARENA_ARRAY(f.arena, char, LINES *LENGTH + 1);
    unsigned *lines = ARENA_ARRAY(f.arena, unsigned, LINES);
    for (int i = 0; i < LINES * LENGTH; i++) {
        text[i] = i % LENGTH == LENGTH - 1 ? '\n' : 'x';
    }
    f.source.text = text;
    f.source.length = LINES * LENGTH;
    f.code.texts[REPORT_LLVM] = (struct report_text){
        .name = "LLVM", .text = text, .length = LINES * LENGTH, .lines = lines, .count = LINES};
    for (int i = 0; i < PARTS; i++) {
        parts[i] = f.part;
        parts[i].target = target_find(i < PARTS / 2 ? "gfx942" : "sm_80");
    }
    f.report.parts = parts;
    f.report.part_count = PARTS;
    const char *page = fixture_write(&f);
    assert_non_null(strstr(page, "Code and pictures are left out"));
    assert_non_null(strstr(page, "The table of source lines is left out"));
    assert_non_null(strstr(page, "id=\"p15\""));
    assert_true(f.page.length <= REPORT_BYTES_MAX && f.page.length > REPORT_BYTES_MAX / 2);
    fixture_close(&f);
}

static void kernels_have_a_limit(void **state) {
    (void)state;
    enum { PARTS = 1200 };
    struct fixture f;
    fixture_open(&f, "gfx942");
    struct report_part *parts = ARENA_ARRAY(f.arena, struct report_part, PARTS);
    for (int i = 0; i < PARTS; i++) {
        parts[i] = f.part;
    }
    f.report.parts = parts;
    f.report.part_count = PARTS;
    says(&f, "700 more variants are left out of this page, which has room for 500");
    assert_true(f.page.length <= REPORT_BYTES_MAX);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_with_effects_have_rows),  cmocka_unit_test(products_are_products),
        cmocka_unit_test(spills_are_said_where_known), cmocka_unit_test(warps_have_a_limit),
        cmocka_unit_test(copies_are_bound_by_memory),  cmocka_unit_test(variants_left_out_are_named),
        cmocka_unit_test(integers_of_a_run_are_exact), cmocka_unit_test(machine_code_has_lines),
        cmocka_unit_test(pages_have_a_limit),          cmocka_unit_test(kernels_have_a_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
