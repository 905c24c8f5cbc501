// Every example with its configurations, and kernels of this folder, on an AMD chip: final code keeps shared memory on its
// side of the barriers. Chips of one family have one back end and share the examples' configurations: gfx90a takes those with
// even numbers, gfx942 those with odd numbers (so do gfx1100 and gfx1200), and both take a kernel with one configuration. Of each module every barrier is also moved by one access, up and down, in the assembly, and the
// checker must see each of these faults.
//
//   order_test --chip gfx1100 [--verbose] [FILE …]      all of them, or these kernels
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/llvmgen.h"
#include "driver/compile.h"
#include "order.h"

enum { MAX_CONFIGS = 16 };
// With the first `configs` configurations: the later ones are for another vendor's chips, and take minutes.
static const struct {
    const char *name;
    int configs;
} kernels[] = {
    {"examples/attention", 3},
    {"examples/attention_backward", 2},
    {"examples/batched_matmul", MAX_CONFIGS},
    {"examples/dropout", MAX_CONFIGS},
    {"examples/layer_norm", MAX_CONFIGS},
    {"examples/matmul", 4},
    {"examples/matmul_activation", MAX_CONFIGS},
    {"examples/reduce_atomic", MAX_CONFIGS},
    {"examples/softmax", MAX_CONFIGS},
    {"examples/vector_add", MAX_CONFIGS},
    {"tests/order/straight", MAX_CONFIGS},
    {"tests/order/loop", MAX_CONFIGS},
};

static unsigned failures, all_moves;

// The text of the instructions alone.
static char *instructions_of(const char *assembly) {
    struct strbuf out = {0};
    for (const char *at = assembly; *at; at += *at == '\n') {
        size_t length = strcspn(at, "\n"), code = strcspn(at, ";\n");
        const char *word = at + strspn(at, "\t ");
        if (*at == '\t' && *word != '.' && *word != ';' && *word != '\n' && strncmp(at, "\t.", 2) != 0) {
            strbuf_add_bytes(&out, at, code < length ? code : length);
            strbuf_add(&out, "\n");
        }
        at += length;
    }
    char *text = strdup(strbuf_text(&out));
    strbuf_free(&out);
    return text;
}

// ---- barriers out of place ----

struct line {
    const char *text;
    size_t length;
    unsigned place; // the debug line in force
};

struct lines {
    struct line *at;
    size_t count;
};

static struct lines split(const char *assembly) {
    struct lines lines = {calloc(strlen(assembly) / 2 + 1, sizeof *lines.at), 0};
    unsigned place = 0;
    for (const char *at = assembly; *at; at += at[strcspn(at, "\n")] ? strcspn(at, "\n") + 1 : strlen(at)) {
        char *after;
        if (strncmp(at, "\t.loc\t", 6) == 0 && strtoul(at + 6, &after, 10)) { // the file, the line
            place = (unsigned)strtoul(after, NULL, 10);
        }
        lines.at[lines.count++] = (struct line){at, strcspn(at, "\n"), place};
    }
    return lines;
}

static bool is(const struct line *line, const char *start) {
    return strncmp(line->text, start, strlen(start)) == 0;
}

static bool is_access(const struct line *line) {
    return is(line, "\tds_") && !is(line, "\tds_bpermute") && !is(line, "\tds_swizzle");
}

// The nearest access above or below the barrier in its block; `count` when there is none.
static size_t neighbour(const struct lines *lines, size_t barrier, bool up) {
    for (size_t i = barrier; i > 0 && i < lines->count;) {
        i = up ? i - 1 : i + 1;
        if (i == lines->count || is(&lines->at[i], ".L") || is(&lines->at[i], "\ts_barrier") ||
            is(&lines->at[i], "\ts_cbranch") || is(&lines->at[i], "\ts_branch") ||
            is(&lines->at[i], "\ts_endpgm")) {
            break;
        }
        if (is_access(&lines->at[i])) {
            return i;
        }
    }
    return lines->count;
}

static void add_line(struct strbuf *out, const struct line *line) {
    strbuf_add_bytes(out, line->text, line->length);
    strbuf_add(out, "\n");
}

static char *moved(const struct lines *lines, size_t barrier, size_t to, bool up) {
    struct strbuf out = {0};
    for (size_t i = 0; i < lines->count; i++) {
        if (i == to && !up) {
            add_line(&out, &lines->at[i]);
        }
        if (i == to) {
            strbuf_printf(&out, "\t.loc\t1 %u 0\n", lines->at[barrier].place);
            add_line(&out, &lines->at[barrier]);
            strbuf_printf(&out, "\t.loc\t1 %u 0\n", lines->at[i].place);
        }
        if (i != barrier && (i != to || up)) {
            add_line(&out, &lines->at[i]);
        }
    }
    char *text = strdup(strbuf_text(&out));
    strbuf_free(&out);
    return text;
}

// Half of a barrier on gfx12: waves leave the earlier accesses at the signal, and begin the later ones after
// the wait.
static bool can_move(const struct line *line, bool up) {
    return is(line, "\ts_barrier") && !is(line, up ? "\ts_barrier_wait" : "\ts_barrier_signal");
}

static unsigned check_moves(const char *what, LLVMModuleRef module, const char *assembly) {
    unsigned moves = 0;
    struct lines lines = split(assembly);
    for (size_t i = 0; i < lines.count; i++) {
        for (int up = 0; up < 2; up++) {
            size_t to = can_move(&lines.at[i], up) ? neighbour(&lines, i, up) : lines.count;
            if (to == lines.count) {
                continue;
            }
            char *faulty = moved(&lines, i, to, up);
            struct order_report report = order_check(module, faulty);
            bool named = lines.at[to].place != 0; // two accesses in one instruction have no line in LLVM 22
            moves += named || report.faults > 0;
            if (named && report.faults == 0) {
                printf("%s: the barrier at line %zu of the assembly may move %s unseen\n", what, i + 1,
                       up ? "up" : "down");
                failures++;
            }
            strbuf_free(&report.text);
            free(faulty);
        }
    }
    free(lines.at);
    return moves;
}

// ---- modules ----

// `plain`: its assembly, if the search for warps has made it; the function frees it.
static void check_module(const char *what, LLVMModuleRef module, const struct target *target,
                         struct strbuf plain, bool verbose) {
    struct strbuf numbered = {0};
    struct diag diag = {0};
    bool good = plain.length || llvmgen_emit(module, target, LLVMGEN_ASSEMBLY, NULL, &plain, &diag);
    unsigned lines = order_number(module);
    good = good && llvmgen_emit(module, target, LLVMGEN_ASSEMBLY, NULL, &numbered, &diag);
    char *a = instructions_of(strbuf_text(&plain)), *b = instructions_of(strbuf_text(&numbered));
    if (!good || strcmp(a, b) != 0) {
        printf("%s: the numbered module gives other code\n", what);
        failures++;
    } else {
        struct order_report report = order_check(module, strbuf_text(&numbered));
        unsigned moves = report.faults ? 0 : check_moves(what, module, strbuf_text(&numbered));
        all_moves += moves;
        if (report.faults || verbose) {
            printf("%s: %u lines, %u accesses, %u barriers, %u in the assembly, %u moves seen, %u faults\n%s",
                   what, lines, report.accesses, report.barriers, report.seen, moves, report.faults,
                   strbuf_text(&report.text));
        }
        failures += report.faults > 0;
        strbuf_free(&report.text);
    }
    free(a);
    free(b);
    strbuf_free(&plain);
    strbuf_free(&numbered);
}

static void silent(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

// False when there is no such configuration, or the chip has not the memory for it.
static bool check_config(const char *path, const char *chip, int config, bool verbose, bool *compiled) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = path;
    options.config = config;
    options.debug = TKC_DEBUG_LINES;
    struct unit unit = {.arena = arena_create(), .diag.sink = silent};
    struct compiled c = {0};
    const struct target *target = target_find(chip);
    bool opened = unit_open(&unit, &options, target);
    unit.wants_assembly = true;
    *compiled = opened && compile_for(&unit, target, &c);
    if (*compiled) {
        char what[512];
        snprintf(what, sizeof what, "%s --config %d on %s", path, config, chip);
        check_module(what, c.llvm, target, c.object, verbose);
        c.object = (struct strbuf){0};
    }
    compiled_free(&c);
    arena_destroy(unit.arena);
    return opened;
}

// The configurations checked by a chip.
struct turns {
    int first, step;
};

static struct turns turns_of(const char *chip) {
    static const char *const odd[] = {"gfx942", "gfx1200"}, *const even[] = {"gfx90a", "gfx1100"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        if (!strcmp(chip, odd[i]) || !strcmp(chip, even[i])) {
            return (struct turns){!strcmp(chip, odd[i]), 2};
        }
    }
    return (struct turns){0, 1};
}

static void check_file(const char *path, const char *chip, int configs, struct turns turns, bool verbose) {
    unsigned count = 0;
    for (int config = turns.first; config < configs; config += turns.step) {
        bool compiled, opened = check_config(path, chip, config, verbose, &compiled);
        if (!opened && config == 1) { // there is one configuration
            opened = check_config(path, chip, 0, verbose, &compiled);
        }
        if (!opened) {
            break;
        }
        count += compiled;
    }
    if (count == 0) {
        printf("%s: nothing was compiled for %s\n", path, chip);
        failures++;
    }
}

int main(int argc, char **argv) {
    const char *chip = "gfx1100";
    bool verbose = false, files = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0) {
            verbose = true;
        } else if (strcmp(argv[i], "--chip") == 0 && i + 1 < argc) {
            chip = argv[++i];
        } else {
            check_file(argv[i], chip, MAX_CONFIGS, (struct turns){0, 1}, verbose);
            files = true;
        }
    }
    for (size_t e = 0; !files && e < sizeof kernels / sizeof *kernels; e++) {
        char path[1024];
        snprintf(path, sizeof path, TEST_SOURCE_DIR "/%s.tk", kernels[e].name);
        bool shared = strncmp(kernels[e].name, "examples/", 9) == 0;
        check_file(path, chip, kernels[e].configs, shared ? turns_of(chip) : (struct turns){0, 1}, verbose);
    }
    printf("%u barriers moved, %u failures\n", all_moves, failures);
    return failures || !all_moves ? 1 : 0;
}
