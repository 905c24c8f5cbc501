// The language reference, src/frontend/LANGUAGE.md, is fresh: its part below the marker equals this program's
// output from the tables of the compiler. The part above the marker is written by hand.
//
//   language_reference FILE [TABLE…]               compares, and fails with the first different line
//   UPDATE=1 language_reference FILE [TABLE…]      rewrites the part below the marker
//
// The tables are inside of the program. It fails if a given table is newer than itself: it would write, or find fresh, the old lines.
//
// The tables: builtins.def and builtins_python.def (signature and description), tests/unit/keywords.def (the
// effect of each keyword, proved by unit.keywords), language.def, dtypes.def, targets.def, mma.def, and the functions of
// the embedded library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "chip/mma.h"
#include "chip/target.h"
#include "frontend/library/library.h"
#include "support/file.h"
#include "support/strbuf.h"

static const char marker[] =
    "<!-- Written by tests/documents/language_reference.c: UPDATE=1 ctest -R documents.language -->\n";

// In a cell of a table a bar would end the cell.
static void add_cell(struct strbuf *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        strbuf_add(out, text[i] == '|' ? "\\|" : (char[]){text[i], 0});
    }
}

// ---- types ----

static void write_types(struct strbuf *out) {
    static const struct {
        const char *name, *short_name;
        unsigned bits, mantissa, bias;
    } types[] = {
#define DTYPE(id, name, short_name, kind, bits, mantissa, bias, mlir)                                        \
    {name, short_name, bits, mantissa, bias},
#include "frontend/value/dtypes.def"
#undef DTYPE
    };
    strbuf_add(out, "## Element types\n\n"
                    "| type | in a signature | bits | stored bits of the mantissa | exponent bias |\n"
                    "|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        strbuf_printf(out, "| `tl.%s` | `%s` | %u | ", types[i].name, types[i].short_name, types[i].bits);
        if (types[i].mantissa) {
            strbuf_printf(out, "%u | %u |\n", types[i].mantissa, types[i].bias);
        } else {
            strbuf_add(out, "– | – |\n");
        }
    }
    strbuf_add(out,
               "\nCasts to 8-bit floats saturate on every chip: numbers beyond the largest, and infinities, "
               "become the "
               "largest of their sign. NaN stays NaN; `fp8e4b15` has none and gives its largest number.\n");
}

// ---- chips ----

static const struct {
    const char *title;
    enum mma_type operand, sum;
} products[] = {
    {"fp16", MMA_F16, MMA_F32},           {"bf16", MMA_BF16, MMA_F32},  {"fp32", MMA_F32, MMA_F32},
    {"fp32 as tf32", MMA_TF32, MMA_F32},  {"fp64", MMA_F64, MMA_F64},   {"int8", MMA_I8, MMA_I32},
    {"fp8e4nv", MMA_E4M3, MMA_F32},       {"fp8e5", MMA_E5M2, MMA_F32}, {"fp8e4b8", MMA_E4M3_FNUZ, MMA_F32},
    {"fp8e5b16", MMA_E5M2_FNUZ, MMA_F32},
};
enum { PRODUCTS = sizeof products / sizeof *products };

// The instructions for products of a large tile by four warps, one cell each.
static void write_products(struct strbuf *out, const struct target *target) {
    enum { M = 128, N = 128, K = 64, WARPS = 4 };
    for (int i = 0; i < PRODUCTS; i++) {
        enum mma_type type = products[i].operand, sum = products[i].sum;
        const struct mma *mma = mma_select_warpgroup(target, type, type, sum, M, N, K, WARPS);
        if (!mma) {
            mma = mma_select(target, type, type, sum, M, N, K, WARPS, false);
        }
        strbuf_printf(out, mma ? " `%s` |" : " – |", mma ? mma->name : "");
    }
}

static void write_chip_row(struct strbuf *out, const struct target *target) {
    strbuf_printf(out, " %u | %u |", target->warp_size, target->shared_limit);
    write_products(out, target);
}

// Neighbouring chips of the table with the same facts share a row.
static void write_chips(struct strbuf *out) {
    strbuf_add(
        out,
        "\n## Chips\n\n"
        "Lanes of a warp, bytes of shared memory that a block may use, and the matrix instruction that\n"
        "`tl.dot` takes for a large tile of each operand type. Where there is none (–) 8-bit floats become\n"
        "fp16, and other types are multiplied and added element by element: every type works on every\n"
        "chip.\n\n"
        "| chip | lanes | shared memory |");
    for (int i = 0; i < PRODUCTS; i++) {
        strbuf_printf(out, " %s |", products[i].title);
    }
    strbuf_add(out, "\n|---|---|---|");
    for (int i = 0; i < PRODUCTS; i++) {
        strbuf_add(out, "---|");
    }
    strbuf_add(out, "\n");
    for (size_t i = 0, next; i < target_count; i = next) {
        struct strbuf row = {0};
        write_chip_row(&row, &target_table[i]);
        strbuf_printf(out, "| %s", target_table[i].name);
        for (next = i + 1; next < target_count; next++) {
            struct strbuf other = {0};
            write_chip_row(&other, &target_table[next]);
            bool same = strcmp(strbuf_text(&row), strbuf_text(&other)) == 0;
            strbuf_free(&other);
            if (!same) {
                break;
            }
            strbuf_printf(out, ", %s", target_table[next].name);
        }
        strbuf_printf(out, " |%s\n", strbuf_text(&row));
        strbuf_free(&row);
    }
    strbuf_add(out, "\nA family stands for several chips: ");
    const char *separator = "";
    for (size_t i = 0; i < target_count; i++) {
        const char *family = target_family(&target_table[i]);
        if (family) {
            strbuf_printf(out, "%s`%s` for %s", separator, target_table[i].name, family);
            separator = "; ";
        }
    }
    strbuf_add(out, ".\n");
}

// ---- versions ----

static void write_versions(struct strbuf *out) {
    static const struct {
        const char *what, *text;
        unsigned version;
    } rows[] = {
#define CHANGE(id, version, functions, text) {functions, text, version},
#define FORM(id, version, text) {"", text, version},
#define NAME(name, version, vendors) {"", "`" name "`", version},
#define PARAMETER(function, parameter, version) {"", "`" parameter "` of `" function "`", version},
#include "frontend/semantics/language.def"
#undef PARAMETER
#undef NAME
#undef FORM
#undef CHANGE
    };
    strbuf_add(
        out,
        "\n## Versions of the language\n\n"
        "The version since which a row holds, and the functions that have another meaning. A row without a\n"
        "function is new in its version. 3.10 is announced, and its rows do not hold yet.\n\n"
        "| Triton | functions | what |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        strbuf_printf(out, "| 3.%u | %s | ", rows[i].version, rows[i].what);
        add_cell(out, rows[i].text, strlen(rows[i].text));
        strbuf_add(out, " |\n");
    }
}

// ---- builtins ----

// A row without a signature is the title of a section.
static const struct builtin_row {
    const char *name, *signature, *doc;
} builtin_rows[] = {
#define SECTION(title) {title, NULL, NULL},
#define BUILTIN(name, handler, signature, doc) {name, signature, doc},
#define COMPILE_TIME BUILTIN
#define MUST_USE BUILTIN
#include "frontend/builtin/builtins.def"
#define SECTION(title) {title, NULL, NULL},
#include "frontend/builtin/builtins_python.def"
#undef MUST_USE
#undef COMPILE_TIME
#undef BUILTIN
};

// "python.len" is len, "tensor.store" is x.store.
static const char *spoken_name(const char *name) {
    static const char python[] = "python.";
    return strncmp(name, python, sizeof python - 1) == 0 ? name + sizeof python - 1 : name;
}

// For library code, not for kernels.
static bool is_internal(const char *name) {
    static const char internal[] = "tl._", experimental[] = "tl._experimental";
    return strncmp(name, internal, sizeof internal - 1) == 0 &&
           strncmp(name, experimental, sizeof experimental - 1) != 0;
}

static void write_builtins(struct strbuf *out) {
    strbuf_add(
        out,
        "\n## Builtins\n\n"
        "Every line works on every chip unless it names chips. A method `x.f(…)` of a tensor is the line\n"
        "`tensor.f`, else `tl.f` with the tensor as its first argument.\n");
    for (size_t i = 0; i < sizeof builtin_rows / sizeof *builtin_rows; i++) {
        const struct builtin_row *row = &builtin_rows[i];
        if (!row->signature) {
            strbuf_printf(out, "\n### %c%s\n\n| call | result |\n|---|---|\n",
                          strncmp(row->name, "tl.", 3) == 0 ? row->name[0] : row->name[0] & ~0x20,
                          row->name + 1);
            continue;
        }
        if (is_internal(row->name)) {
            continue;
        }
        strbuf_printf(out, "| `%s(", spoken_name(row->name));
        add_cell(out, row->signature, strlen(row->signature));
        strbuf_add(out, ")` | ");
        add_cell(out, row->doc, strlen(row->doc));
        strbuf_add(out, " |\n");
    }
}

// ---- keywords ----

enum effect_kind { EFFECT_CODE, EFFECT_SAME, EFFECT_NOTES, EFFECT_REFUSED };

struct effect {
    enum effect_kind kind;
    const char *text;
};

#define CHANGES                                                                                              \
    { EFFECT_CODE, "" }
#define HAS(text)                                                                                            \
    { EFFECT_CODE, text }
#define SAME(reason)                                                                                         \
    { EFFECT_SAME, reason }
#define NOTES(text)                                                                                          \
    { EFFECT_NOTES, text }
#define REFUSED(text)                                                                                        \
    { EFFECT_REFUSED, text }

static const struct keyword_row {
    const char *builtin, *keyword, *value;
    struct effect nvidia, amd;
} keyword_rows[] = {
#define KEYWORD(builtin, keyword, value, body, nvidia, amd) {builtin, keyword, value, nvidia, amd},
#include "../unit/keywords.def"
#undef KEYWORD
};

static void write_effect(struct strbuf *out, const struct effect *effect) {
    static const char *const words[] = {"changes the code", "no change: ", "prints a message: ", "refused: "};
    const char *text = effect->text, *place;
    if (effect->kind == EFFECT_REFUSED && (place = strstr(text, "error: "))) {
        text = place + strlen("error: ");
    }
    strbuf_add(out, words[effect->kind]);
    if (effect->kind == EFFECT_CODE && *text) {
        strbuf_add(out, ": ");
    }
    text += strspn(text, " ");
    add_cell(out, text, strcspn(text, "\n"));
    strbuf_add(out, " |");
}

static void write_keywords(struct strbuf *out) {
    strbuf_add(
        out,
        "\n## Keywords\n\n"
        "The effect of each keyword of each builtin on the final code, on sm_80 and on gfx942. The test\n"
        "`unit.keywords` compiles a kernel with and without the keyword for each line. Several lines with\n"
        "one call are several surroundings of the call (`tests/unit/keywords.def`).\n\n"
        "| call | NVIDIA | AMD |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof keyword_rows / sizeof *keyword_rows; i++) {
        const struct keyword_row *row = &keyword_rows[i];
        if (is_internal(row->builtin)) {
            continue;
        }
        strbuf_printf(out, "| `%s(%s=%.*s)` | ", spoken_name(row->builtin), row->keyword,
                      (int)strcspn(row->value, "|"), row->value);
        write_effect(out, &row->nvidia);
        strbuf_add(out, " ");
        write_effect(out, &row->amd);
        strbuf_add(out, "\n");
    }
}

// ---- library ----

// "name(arguments)" of each public function of a file, in its order.
static void write_functions(struct strbuf *out, const char *file_name) {
    const struct library_file *file = library_find(file_name);
    if (!file) {
        fprintf(stderr, "language_reference: the library has no file %s\n", file_name);
        exit(1);
    }
    const char *separator = "";
    for (const char *at = file->text; (at = strstr(at, "\ndef ")) != NULL;) {
        at += strlen("\ndef ");
        if (*at == '_') {
            continue;
        }
        strbuf_printf(out, "%s`", separator);
        separator = ", ";
        bool space = false;
        for (; *at && strncmp(at, "):\n", 3) != 0; at++) {
            bool blank = *at == ' ' || *at == '\n';
            if (!blank || !space) {
                strbuf_add_char(out, blank ? ' ' : *at);
            }
            space = blank;
        }
        strbuf_add(out, ")`");
    }
    strbuf_add(out, ".\n");
}

static void write_library(struct strbuf *out) {
    static const struct {
        const char *file, *title;
    } files[] = {
        {"standard", "`tl`: activations, sorting, order of programs"},
        {"random", "`tl`: random numbers (Philox)"},
        {"exponential", "`tl.math` and `libdevice`: exponentials, logarithms, powers, roots"},
        {"circular", "`tl.math` and `libdevice`: trigonometric functions"},
        {"hyperbolic", "`tl.math` and `libdevice`: hyperbolic functions"},
        {"error", "`tl.math` and `libdevice`: error functions"},
        {"rounding", "`libdevice`: conversions and arithmetic with a rounding mode"},
        {"special", "`libdevice`: gamma, inverse error functions"},
        {"bessel", "`libdevice`: Bessel functions"},
        {"libdevice", "`libdevice`: everything else"},
        {"inductor", "`torch._inductor.runtime.triton_helpers`"},
    };
    strbuf_add(
        out,
        "\n## Library\n\n"
        "These functions are written in the kernel language (`src/frontend/library`), so that all chips\n"
        "compute the same values; the head of each file states the errors. Arguments are tiles or "
        "scalars.\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        strbuf_printf(out, "\n**%s.** ", files[i].title);
        write_functions(out, files[i].file);
    }
}

// ---- comparison ----

static void write_reference(struct strbuf *out) {
    write_types(out);
    write_versions(out);
    write_chips(out);
    write_builtins(out);
    write_keywords(out);
    write_library(out);
}

// The number of the first different line of two texts.
static unsigned differing_line(const char *a, const char *b) {
    unsigned line = 1;
    for (; *a && *a == *b; a++, b++) {
        line += *a == '\n';
    }
    return line;
}

static bool is_older(const struct stat *a, const struct stat *b) {
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec < b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

// The first of the files that is newer than this program, or cannot be read; NULL: none.
static const char *newer_file(char **files) {
    struct stat program, file;
    if (stat("/proc/self/exe", &program) != 0) {
        return "/proc/self/exe";
    }
    while (*files && stat(*files, &file) == 0 && !is_older(&program, &file)) {
        files++;
    }
    return *files;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: language_reference FILE [TABLE...]\n");
        return 2;
    }
    const char *newer = newer_file(argv + 2);
    if (newer) {
        fprintf(stderr,
                "language_reference is older than %s: build it first (ninja tests/language_reference)\n",
                newer);
        return 1;
    }
    size_t length;
    char *text = file_read(argv[1], &length);
    char *written = text ? strstr(text, marker) : NULL;
    if (!written) {
        fprintf(stderr, "%s: %s\n", argv[1], text ? "has no line of the marker" : file_read_error());
        return 1;
    }
    written += strlen(marker);
    struct strbuf fresh = {0};
    strbuf_add(&fresh, "\n");
    write_reference(&fresh);
    int status = 0;
    if (strcmp(written, strbuf_text(&fresh)) == 0) {
        status = 0;
    } else if (getenv("UPDATE")) {
        struct strbuf whole = {0};
        strbuf_add_bytes(&whole, text, (size_t)(written - text));
        strbuf_add(&whole, strbuf_text(&fresh));
        status = !file_write_atomic(argv[1], whole.data, whole.length);
        strbuf_free(&whole);
    } else {
        fprintf(stderr, "%s: stale from line %u of the part below the marker on: UPDATE=1 rewrites it\n",
                argv[1], differing_line(written, strbuf_text(&fresh)));
        status = 1;
    }
    strbuf_free(&fresh);
    free(text);
    return status;
}
