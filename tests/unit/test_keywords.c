// Keywords reach the code: keywords.def gives the effect of every keyword of every builtin on the final text
// of both vendors. A builtin with a new keyword needs a row here.
#include "testing.h"
#include "support/strbuf.h"
#include "tkc/tkc.h"

enum effect_kind { EFFECT_CHANGES, EFFECT_HAS, EFFECT_SAME, EFFECT_NOTES, EFFECT_REFUSED };

struct effect {
    enum effect_kind kind;
    const char *text; // text of the code or the message; the reason of SAME
};

#define CHANGES                                                                                              \
    { EFFECT_CHANGES, "" }
#define HAS(text)                                                                                            \
    { EFFECT_HAS, text }
#define SAME(reason)                                                                                         \
    { EFFECT_SAME, reason }
#define NOTES(text)                                                                                          \
    { EFFECT_NOTES, text }
#define REFUSED(text)                                                                                        \
    { EFFECT_REFUSED, text }

// Parts of bodies.
#define BLOCK_POINTER "p = tl.make_block_ptr(y, [n], [1], [0], [256], [0])\n"
#define DESCRIPTOR "d = tl.make_tensor_descriptor(x, [n], [1], [256])\n"
#define ROWS "(tl.arange(0, 8)[:, None] * 16 + tl.arange(0, 16)[None, :])"
#define SQUARE "(tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :])"
#define COLUMNS "tl.load(x + tl.arange(0, 16)[:, None] + tl.arange(0, 16)[None, :] * 16)"
#define REDUCED(expression)                                                                                  \
    "t = tl.load(x + " ROWS ")\n"                                                                            \
    "r = " expression "\n"                                                                                   \
    "if len(r.shape) > 0:\n"                                                                                 \
    "    tl.store(w + 64, len(r.shape))\n"                                                                   \
    "    tl.store(y + tl.arange(0, r.numel), tl.reshape(r, r.numel))\n"                                      \
    "else:\n"                                                                                                \
    "    tl.store(y, r)"
#define DOT(from)                                                                                            \
    "a = tl.load(" from " + " SQUARE ")\n"                                                                   \
    "b = tl.load(" from " + 1024 + " SQUARE ")\n"                                                            \
    "c = tl.load(x + 2048 + " SQUARE ")\n"                                                                   \
    "tl.store(y + " SQUARE ", tl.dot(a, b$))"
#define DOT_SCALED                                                                                           \
    "s = tl.full((32, 1), 127, tl.uint8)\n"                                                                  \
    "a = tl.load(h + " SQUARE ")\n"                                                                          \
    "b = tl.load(h + 1024 + " SQUARE ")\n"                                                                   \
    "tl.store(y + " SQUARE ", tl.dot_scaled(a, None, 'fp16', b, None, 'fp16'$))"
// A loop with loads copied ahead, unless the statement keeps them in place.
#define DOT_LOOP_WITH(statement)                                                                             \
    "acc = tl.zeros((32, 32), tl.float32)\n"                                                                 \
    "for k in range(n):\n"                                                                                   \
    "    " statement "\n"                                                                                    \
    "    acc = tl.dot(tl.load(h + k * 1024 + " SQUARE "), tl.load(g + k * 1024 + " SQUARE "), acc)\n"        \
    "tl.store(y + " SQUARE ", acc)"
#define DOT_LOOP_OF(range, load)                                                                             \
    "acc = tl.zeros((32, 32), tl.float32)\n"                                                                 \
    "for k in " range ":\n"                                                                                  \
    "    acc = tl.dot(tl.load(h + k * 1024 + " SQUARE load "), tl.load(g + k * 1024 + " SQUARE "), acc)\n"   \
    "tl.store(y + " SQUARE ", acc)"
#define LOOP                                                                                                 \
    "s = tl.zeros((256,), tl.float32)\n"                                                                     \
    "for k in tl.range(0, n$):\n"                                                                            \
    "    s += tl.load(x + k * 256 + i)\n"                                                                    \
    "tl.store(y + i, s)"

// Decorators end at the form feed.
#define CONFIG "@triton.autotune(configs=[triton.Config({}$)], key=[])\n\f" DOT_LOOP_OF("range(n)", "")

static const struct row {
    const char *builtin, *keyword, *value, *body;
    struct effect nvidia, amd;
} rows[] = {
#define KEYWORD(builtin, keyword, value, body, nvidia, amd) {builtin, keyword, value, body, nvidia, amd},
#include "keywords.def"
#undef KEYWORD
};

static const struct {
    const char *name, *signature;
} builtins[] = {
#define BUILTIN(name, handler, signature, doc) {name, signature},
#define COMPILE_TIME BUILTIN
#define MUST_USE BUILTIN
#include "frontend/builtin/builtins.def"
#include "frontend/builtin/builtins_python.def"
#undef MUST_USE
#undef COMPILE_TIME
#undef BUILTIN
};

// ---- kernels ----

static const char head[] = "import os\n"
                           "import triton\n"
                           "import triton.language as tl\n"
                           "\n"
                           "@triton.jit\n"
                           "def twice(a):\n"
                           "    return a + a\n"
                           "\n"
                           "@triton.jit\n"
                           "def alternate(a, b, c=None, d=None):\n"
                           "    if c is None:\n"
                           "        return a + b\n"
                           "    else:\n"
                           "        return a + c, b - d\n"
                           "\n"
                           "@triton.jit\n"
                           "def plus(a, b):\n"
                           "    return a + b\n"
                           "\n";
static const char signature[] = "@triton.jit\n"
                                "def kernel(x: '*fp32:16', y: '*fp32:16', h: '*fp16:16', g: '*fp16:16', "
                                "z: '*i32:16', w: '*i32:16', n: 'i32'):\n"
                                "    i = tl.arange(0, 256)\n"
                                "    ";

// The body, indented, with its `$` replaced.
static void write_kernel(struct strbuf *out, const struct row *row, bool with) {
    const char *otherwise = strchr(row->value, '|');
    bool decorated = strchr(row->body, '\f');
    strbuf_printf(out, "%s%s", head, decorated ? "" : signature);
    for (const char *at = row->body; *at; at++) {
        if (*at == '\f') {
            strbuf_add(out, signature);
            decorated = false;
        } else if (*at == '$' && at[1] == '$') {
            strbuf_add_char(out, *at++);
        } else if (*at == '$' && (with || otherwise)) {
            size_t length = strcspn(row->value, "|");
            strbuf_printf(out, ", %s=%.*s", row->keyword, with ? (int)length : 1000,
                          with ? row->value : otherwise + 1);
        } else if (*at != '$') {
            strbuf_add(out, *at == '\n' && !decorated ? "\n    " : (char[]){*at, 0});
        }
    }
    strbuf_add(out, "\n");
}

// The text for a chip, to be freed; NULL with the messages in `errors` if the kernel is refused.
static char *compile(const char *source, const char *chip, struct strbuf *errors) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "keywords.tk";
    options.text = source;
    options.targets = &chip;
    options.target_count = 1;
    options.outputs = (const char *const[]){"keywords.s"};
    options.output_count = 1;
    options.no_header = options.no_json = true;
    options.kernels = (const char *const[]){"kernel"};
    options.kernel_count = 1;
    struct tkc_result *result = tkc_compile(&options);
    char *text = NULL;
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        strbuf_add(errors, result->diagnostics[i].text);
    }
    if (result->ok) {
        assert_int_equal(result->artifact_count, 1);
        text = strndup(result->artifacts[0].bytes, result->artifacts[0].length);
    }
    tkc_result_free(result);
    return text;
}

// ---- effects ----

static unsigned failures;

static void complain(const struct row *row, const char *chip, const char *what, const char *more) {
    print_error("%s(%s=%s) on %s: %s%s\n", row->builtin, row->keyword, row->value, chip, what, more);
    failures++;
}

static void check_effect(const struct row *row, const char *chip, const struct effect *effect,
                         const char *without, const char *with, const struct strbuf *errors) {
    if (effect->kind == EFFECT_REFUSED) {
        if (with) {
            complain(row, chip, "is not refused", "");
        } else if (!strstr(strbuf_text(errors), effect->text)) {
            complain(row, chip, "is refused otherwise: ", strbuf_text(errors));
        }
        return;
    }
    if (!without || !with) {
        complain(row, chip,
                 without ? "is refused: " : "the kernel without it is refused: ", strbuf_text(errors));
        return;
    }
    bool same = strcmp(without, with) == 0;
    if (same != (effect->kind == EFFECT_SAME || effect->kind == EFFECT_NOTES)) {
        complain(row, chip, same ? "changes nothing" : "changes the code", "");
    } else if (effect->kind == EFFECT_HAS && (!strstr(with, effect->text) || strstr(without, effect->text))) {
        complain(row, chip, strstr(with, effect->text) ? "does not bring " : "does not give ", effect->text);
    }
    if (effect->kind == EFFECT_NOTES && !strstr(strbuf_text(errors), effect->text)) {
        complain(row, chip, "does not print ", effect->text);
    }
    if (getenv("SHOW") && strstr(row->builtin, getenv("SHOW"))) {
        printf("%s(%s=%s)\n%s\n%s\n", row->builtin, row->keyword, row->value, without, with);
    }
}

static void each_keyword_has_its_effect(void **state) {
    static const char *const chips[] = {"sm_80", "gfx942"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strbuf sources[2] = {0};
        write_kernel(&sources[0], &rows[i], false);
        write_kernel(&sources[1], &rows[i], true);
        for (size_t c = 0; c < 2; c++) {
            struct strbuf errors = {0};
            char *without = compile(strbuf_text(&sources[0]), chips[c], &errors);
            char *with = compile(strbuf_text(&sources[1]), chips[c], &errors);
            check_effect(&rows[i], chips[c], c ? &rows[i].amd : &rows[i].nvidia, without, with, &errors);
            free(without);
            free(with);
            strbuf_free(&errors);
        }
        strbuf_free(&sources[0]);
        strbuf_free(&sources[1]);
    }
    assert_int_equal(failures, 0);
}

// ---- the table is whole ----

static bool has_row(const char *builtin, const char *keyword, size_t length) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].builtin, builtin) == 0 && strlen(rows[i].keyword) == length &&
            memcmp(rows[i].keyword, keyword, length) == 0) {
            return true;
        }
    }
    return false;
}

static void each_keyword_has_a_row(void **state) {
    unsigned missing = 0;
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        for (const char *at = builtins[i].signature, *equals; (equals = strchr(at, '=')); at = equals + 1) {
            const char *start = equals;
            while (start > builtins[i].signature && start[-1] != ' ') {
                start--;
            }
            if (!has_row(builtins[i].name, start, (size_t)(equals - start))) {
                print_error("keywords.def has no row for %s(%.*s)\n", builtins[i].name, (int)(equals - start),
                            start);
                missing++;
            }
        }
    }
    assert_int_equal(missing, 0);
}

RUN(TEST(each_keyword_has_its_effect), TEST(each_keyword_has_a_row))
