// Output planning, C names and types, the depfile, the reflection, and linking of .hsaco.
#include "chip_testing.h"
#include "artifact/artifact.h"
#include "artifact/header.h"
#include "artifact/tool.h"

static void keep_text(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

// Plans and renders: "ptx sm_80 k.ptx | … | h k.h | json k.json", or the errors.
static const char *plan(struct arena *arena, const char *const *outputs, const char *const *targets,
                        struct tkc_options options) {
    options.input = "dir/k.tk";
    options.outputs = outputs;
    options.targets = targets;
    while (outputs && outputs[options.output_count]) {
        options.output_count++;
    }
    while (targets && targets[options.target_count]) {
        options.target_count++;
    }
    struct strbuf text = {0};
    struct diag diag = {.sink = keep_text, .sink_user = &text};
    struct output_plan plan;
    if (outputs_plan(arena, &options, &diag, &plan)) {
        for (size_t i = 0; i < plan.output_count; i++) {
            const struct output *output = &plan.outputs[i];
            strbuf_printf(&text, "%s%s %s %s", i ? " | " : "", outputs_kind_name(output->kind),
                          output->target->name, output->path);
        }
        const char *others[] = {plan.header_path, plan.json_path, plan.depfile_path};
        for (size_t i = 0; i < 3; i++) {
            if (others[i]) {
                strbuf_printf(&text, " | %s", others[i]);
            }
        }
    }
    const char *result = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return result;
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_OPTIONS ((struct tkc_options){0})

static void outputs_cross_targets(void **state) {
    struct arena *a = arena_create();
    assert_string_equal(plan(a, NULL, NULL, NO_OPTIONS), "ptx sm_80 k.ptx | k.h | k.json");
    assert_string_equal(plan(a, NULL, LIST("gfx1100"), NO_OPTIONS), "hsaco gfx1100 k.hsaco | k.h | k.json");
    assert_string_equal(plan(a, LIST("o.d/x.ptx"), LIST("sm_80", "sm_90a", "sm_80"), NO_OPTIONS),
                        "ptx sm_80 o.d/x.sm_80.ptx | ptx sm_90a o.d/x.sm_90a.ptx | o.d/x.h | o.d/x.json");
    assert_string_equal(plan(a, LIST("x.ptx", "y.hsaco"), LIST("sm_75", "gfx942"), NO_OPTIONS),
                        "ptx sm_75 x.ptx | hsaco gfx942 y.hsaco | x.h | x.json");
    assert_string_equal(plan(a, LIST("x.ptx", "x.hsaco"), NULL, NO_OPTIONS),
                        "ptx sm_80 x.ptx | hsaco gfx942 x.hsaco | x.h | x.json");
    assert_string_equal(plan(a, LIST("-"), LIST("gfx942"), NO_OPTIONS), "s gfx942 -");
    assert_string_equal(plan(a, LIST("x.ll"), NULL, (struct tkc_options){.depfile = true}),
                        "ll sm_80 x.ll | x.json | x.d");
    assert_string_equal(
        plan(a, LIST("x.ptx"), NULL, (struct tkc_options){.no_header = true, .no_json = true}),
        "ptx sm_80 x.ptx");
    assert_string_equal(plan(a, LIST("folder.ptx/x"), NULL, (struct tkc_options){.kind = TKC_LLVM_IR}),
                        "ll sm_80 folder.ptx/x | folder.ptx/x.json");
    arena_destroy(a);
}

static void outputs_refuse_what_does_not_fit(void **state) {
    struct arena *a = arena_create();
    assert_non_null(
        strstr(plan(a, LIST("x.ptx"), LIST("gfx942"), NO_OPTIONS), "no output holds code for target gfx942"));
    assert_non_null(strstr(plan(a, LIST("x.bin"), NULL, NO_OPTIONS), "names no kind of output"));
    assert_non_null(strstr(plan(a, LIST("x.ptx"), LIST("sm_12"), NO_OPTIONS), "unknown target \"sm_12\""));
    assert_non_null(strstr(plan(a, LIST("-"), LIST("sm_80", "sm_90"), NO_OPTIONS), "takes one target"));
    assert_non_null(strstr(plan(a, LIST("x.ptx", "x.ptx"), NULL, NO_OPTIONS), "named twice"));
    assert_non_null(strstr(plan(a, LIST("-"), NULL, (struct tkc_options){.depfile = true}), "needs -MF"));
    arena_destroy(a);
}

static void names_are_safe_in_c(void **state) {
    struct arena *a = arena_create();
    assert_string_equal(artifact_c_name(a, "x"), "x_");
    assert_string_equal(artifact_c_name(a, "register"), "register_");
    assert_string_equal(artifact_c_name(a, "tkc_grid"), "tkc_grid_");
    assert_string_equal(artifact_c_name(a, "_X"), "u___X0");
    assert_string_equal(artifact_c_name(a, "\xce\xb1"), "u__3b1_0");
    assert_string_equal(artifact_c_name(a, "\xce\xb1"
                                           "_1"),
                        "u__3b1___10");
    assert_string_equal(artifact_source_names(a, "tkc_cdiv(tkc_cdiv_, 2) + u__3b1_0 * n_ + 0x1f",
                                              LIST("n", "tkc_cdiv", "\xce\xb1"), 3),
                        "tkc_cdiv(tkc_cdiv, 2) + \xce\xb1 * n + 0x1f");
    assert_string_equal(artifact_source_names(a, "tkc_mul(L1_, -2147483648LL) + 0LL + 0x1f", LIST("L1"), 1),
                        "tkc_mul(L1, -2147483648) + 0 + 0x1f");
    assert_string_equal(artifact_c_type("u16"), "uint16_t");
    assert_string_equal(artifact_c_type("bf16"), "float");
    assert_null(artifact_c_type("fp8e5"));
    arena_destroy(a);
}

static void depfile_quotes_paths(void **state) {
    struct strbuf text = {0};
    struct diag diag = {.sink = keep_text, .sink_user = &text};
    assert_true(depfile_write(LIST("a b.ptx", "c$d.h"), 2, LIST("k#1.tk", "m:1%.tk"), 2, &text, &diag));
    assert_string_equal(strbuf_text(&text), "a\\ b.ptx c$$d.h: \\\n  k\\#1.tk \\\n  m\\:1%.tk\n"
                                            "k\\#1.tk:\nm\\:1\\%.tk:\n");
    strbuf_clear(&text);
    assert_false(depfile_write(LIST("a.ptx"), 1, LIST("k\n.tk"), 1, &text, &diag));
    assert_string_equal(strbuf_text(&text),
                        "tkc: error: a depfile cannot name \"k\n.tk\": its path has a line "
                        "break; compile without -MD\n");
    strbuf_free(&text);
}

static void scalars_that_c_lacks_are_refused(void **state) {
    struct arena *a = arena_create();
    struct reflect_param params[] = {{.name = "s", .dtype = "fp8e5"},
                                     {.name = "p", .dtype = "fp8e5", .pointer = true}};
    struct reflect_kernel kernel = {.name = "k", .function = "k", .params = params, .param_count = 2};
    struct reflection reflection = {.source = "k.tk", .kernels = &kernel, .kernel_count = 1};
    struct strbuf errors = {0}, text = {0};
    struct diag diag = {.sink = keep_text, .sink_user = &errors};
    assert_false(header_write(a, &reflection, "k", &text, &diag));
    assert_int_equal(diag.error_count, 1);
    assert_non_null(strstr(strbuf_text(&errors), "cannot pass \"s\", a scalar of type fp8e5"));
    assert_int_equal(text.length, 0);
    strbuf_free(&errors);
    strbuf_free(&text);
    arena_destroy(a);
}

static void tools_report_how_to_repeat(void **state) {
    struct strbuf errors = {0};
    struct diag diag = {.sink = keep_text, .sink_user = &errors};
    assert_false(tool_run(LIST("sh", "-c", "echo 'it broke' >&2; exit 3"), NULL, &diag));
    assert_string_equal(strbuf_text(&errors),
                        "tkc: error: sh failed with status 3; it says:\nit broke\nto repeat it: "
                        "sh -c 'echo '\\''it broke'\\'' >&2; exit 3'\n");
    strbuf_clear(&errors);
    assert_false(tool_run(LIST("/nonexistent/tool"), NULL, &diag));
    assert_non_null(strstr(strbuf_text(&errors), "cannot run /nonexistent/tool"));
    strbuf_clear(&errors);
    struct strbuf out = {0};
    assert_true(tool_run(LIST("sh", "-c", "echo one; echo two >&2"), &out, &diag));
    assert_string_equal(strbuf_text(&out), "one\ntwo\n");
    strbuf_free(&out);
    struct arena *a = arena_create();
    const char *tool;
    assert_false(hsaco_link(a, &(struct strbuf){.data = (char[]){"x"}, .length = 1}, 1, "/bin/false", &out,
                            &tool, &diag));
    assert_non_null(strstr(strbuf_text(&errors), "--ld /bin/false is no LLD that runs"));
    strbuf_free(&errors);
    arena_destroy(a);
}

// A chip's own row comes before its family's.
static void test_families(void **state) {
    assert_string_equal(target_for_chip("gfx1100")->name, "gfx1100");
    assert_string_equal(target_for_chip("gfx1152")->name, "gfx11-generic");
    assert_string_equal(target_for_chip("gfx906")->name, "gfx9-generic");
    assert_string_equal(target_for_chip("gfx1013")->name, "gfx10-1-generic");
    assert_null(target_for_chip("gfx90"));
    assert_null(target_for_chip("gfx103"));
    assert_null(target_for_chip(""));
    need_chip("gfx12-generic");
    assert_null(target_family(target_find("gfx1201")));
    assert_non_null(strstr(target_family(target_find("gfx12-generic")), "gfx1201"));
}

static void grids_are_shown(void **state) {
    static const char *const cases[][2] = {
        {"7", "7"},
        {"2147483648LL", "2147483648"},
        {"n_", "n_"},
        {"tkc_cdiv(n_, 1024)", "ceil(n_ / 1024)"},
        {"tkc_mul(tkc_cdiv(M_, 64), tkc_cdiv(N_, 32))", "ceil(M_ / 64) * ceil(N_ / 32)"},
        {"tkc_mul(tkc_add(a_, 1), b_)", "(a_ + 1) * b_"},
        {"tkc_min(tkc_add(a_, 1), tkc_neg(b_))", "min(a_ + 1, -b_)"},
        {"tkc_choose(tkc_lt(a_, 3), -4, tkc_mod(a_, 2))", "-4 if (a_ < 3) else (a_ mod 2)"},
        {"n_ + 1", "n_ + 1"}, // no call of launcher/grid.h: as it is
    };
    struct arena *a = arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(artifact_shown_expression(a, cases[i][0]), cases[i][1]);
    }
    arena_destroy(a);
}

static void lines_are_wrapped(void **state) {
    struct strbuf text = {0}, expected = {0};
    char word[HEADER_WIDTH];
    memset(word, 'x', sizeof word);
    word[sizeof word - 8] = 0;
    header_wrap(&text, word, "--");
    header_wrap(&text, ", a, bc, d\ne, f", "--"); // "x…, a, bc," fills the line
    strbuf_printf(&expected, "%s, a, bc,\n--d\ne, f", word);
    assert_string_equal(strbuf_text(&text), strbuf_text(&expected));
    strbuf_free(&text);
    strbuf_free(&expected);
}

RUN(TEST(test_families), TEST(outputs_cross_targets), TEST(outputs_refuse_what_does_not_fit),
    TEST(names_are_safe_in_c), TEST(depfile_quotes_paths), TEST(scalars_that_c_lacks_are_refused),
    TEST(grids_are_shown), TEST(lines_are_wrapped), TEST(tools_report_how_to_repeat))
