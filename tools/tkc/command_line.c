// The table of tkc's options, and their checks and actions.
#include "command_line.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "command/options.h"
#include "support/budget.h"
#include "support/file.h"
#include "support/nearest.h"

static bool take_kind(const struct option_use *use) {
    static const struct {
        const char *name;
        enum tkc_kind kind;
    } kinds[] = {{"ptx", TKC_PTX},     {"cubin", TKC_CUBIN}, {"hsaco", TKC_HSACO},
                 {"s", TKC_ASSEMBLY},  {"ll", TKC_LLVM_IR},  {"mlir", TKC_MLIR},
                 {"torch", TKC_TORCH}, {"json", TKC_JSON},   {"header", TKC_HEADER}};
    struct command_line *line = use->settings;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(use->value, kinds[i].name) == 0) {
            bool alone = kinds[i].kind == TKC_JSON || kinds[i].kind == TKC_HEADER;
            line->options.kind = alone ? TKC_KIND_DEFAULT : kinds[i].kind;
            line->only = alone ? kinds[i].kind : TKC_KIND_DEFAULT;
            return true;
        }
    }
    return option_error(use, "%s knows ptx, cubin, hsaco, s, ll, mlir, torch, header and json, not \"%s\"",
                        use->name, use->value);
}

static bool take_dependencies(const struct option_use *use) {
    struct command_line *line = use->settings;
    line->only = TKC_DEPFILE;
    return line->options.depfile = true;
}

// Depfiles have an empty rule for each file read anyway.
static bool take_phony(const struct option_use *use) {
    (void)use;
    return true;
}

// Weaker than --debug, in either order.
static bool take_line_info(const struct option_use *use) {
    struct tkc_options *options = &((struct command_line *)use->settings)->options;
    options->debug = options->debug == TKC_DEBUG_NONE ? TKC_DEBUG_LINES : options->debug;
    return true;
}

static bool check_prefix_map(const struct option_use *use) {
    return strchr(use->value, '=') ||
           option_error(use, "%s wants OLD=NEW, not \"%s\"", use->name, use->value);
}

static bool take_cache_size(const struct option_use *use) {
    char *end;
    unsigned long long mib = strtoull(use->value, &end, 10);
    if (end == use->value || *end || mib < 1 || mib > 1 << 20) {
        return option_error(use, "%s wants a number from 1 to %d, not \"%s\"", use->name, 1 << 20,
                            use->value);
    }
    ((struct command_line *)use->settings)->options.cache_bytes = (size_t)mib << 20;
    return true;
}

static bool check_pass(const struct option_use *use) {
    const char *name, *description;
    struct nearest nearest = {.text = use->value};
    for (size_t i = 0; tkc_pass_at(i, &name, &description); i++) {
        if (strcmp(name, use->value) == 0) {
            return true;
        }
        nearest_offer(&nearest, name);
    }
    return nearest.name ? option_error(use, "%s: there is no pass \"%s\"; did you mean %s?", use->name,
                                       use->value, nearest.name)
                        : option_error(use, "%s: there is no pass \"%s\"; --print-passes lists them",
                                       use->name, use->value);
}

// --stop-after writes tile IR.
static bool check_tile_pass(const struct option_use *use) {
    if (tkc_is_step(use->value)) {
        return option_error(
            use, "%s: \"%s\" is a step of the LLVM pipeline; -o FILE.ll writes the module after it",
            use->name, use->value);
    }
    return check_pass(use);
}

static bool check_without(const struct option_use *use) {
    const char *fault = tkc_without_fault(use->value);
    return !fault || option_error(use, "%s=%s: %s", use->name, use->value, fault);
}

static bool check_remarks(const struct option_use *use) {
    regex_t regex;
    char fault[128];
    int error = regcomp(&regex, use->value, REG_EXTENDED | REG_NOSUB);
    if (error) {
        regerror(error, &regex, fault, sizeof fault);
        return option_error(use, "%s: \"%s\" is no regular expression: %s", use->name, use->value, fault);
    }
    regfree(&regex);
    return true;
}

static bool check_warning(const struct option_use *use) {
    const char *fault = tkc_warning_fault(use->value);
    return !fault || option_error(use, "%s%s: %s", use->name, use->value, fault);
}

static bool check_pass_or_all(const struct option_use *use) {
    return strcmp(use->value, "all") == 0 || check_pass(use);
}

static bool is_one_of(const char *value, const char *const *words) {
    while (*words && strcmp(*words, value) != 0) {
        words++;
    }
    return *words;
}

static bool check_format(const struct option_use *use) {
    static const char *const formats[] = {"text", "json", "sarif", NULL};
    return is_one_of(use->value, formats) ||
           option_error(use, "%s wants text, json or sarif, not \"%s\"", use->name, use->value);
}

static bool check_color(const struct option_use *use) {
    static const char *const words[] = {"auto", "always", "never", NULL};
    return is_one_of(use->value, words) ||
           option_error(use, "%s wants auto, always or never, not \"%s\"", use->name, use->value);
}

#define SETTINGS struct command_line
static const struct option rows[] = {
#include "options.def"
};

static const struct option_table table = {
    .tool = "tkc",
    .summary = "ahead-of-time compiler for GPU kernels in the Triton language",
    .about =
        "usage: tkc SOURCE... [options]\n"
        "       tkc lsp [options]\n\n"
        "Compiles the Triton-language kernels of SOURCE (.tk or .py; - is standard input) ahead of time.\n"
        "Beside the outputs it writes a launcher header (.h) and a description (.json). Without -o it "
        "writes\n"
        "SOURCE's name with .ptx. Without -t the chip is sm_80 for NVIDIA's outputs, gfx942 for AMD's. "
        "@FILE\n"
        "stands for the options in a file.\n"
        "tkc lsp is a language server for editors, over standard input and output.\n"
        "Exit status: 0 done, 1 errors in the source, 2 wrong usage, 70 a fault of tkc itself.\n",
    .notes = budget_notes,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
};

// Outputs of several sources are named after them, in the working folder.
static bool check_sources(const struct command_line *line, FILE *errors) {
    const struct tkc_options *options = &line->options;
    const char *alone = options->output_count    ? "-o"
                        : options->out_path      ? "--out-path"
                        : options->out_name      ? "--out-name"
                        : options->depfile_path  ? "-MF"
                        : options->tuned         ? "--tuned"
                        : options->page          ? "--report"
                        : line->diagnostics_file ? "--diagnostics-file"
                                                 : NULL;
    if (alone) {
        return options_error(&table, errors, "%s is for one source file, and there are %zu", alone,
                             line->input_count);
    }
    for (size_t i = 0; i < line->input_count; i++) {
        for (size_t j = 0; j < i; j++) {
            size_t one, other;
            const char *name = file_stem(line->inputs[i], &one),
                       *earlier = file_stem(line->inputs[j], &other);
            if (one == other && memcmp(name, earlier, one) == 0) {
                return options_error(&table, errors, "%s and %s would write the same outputs, %.*s.*",
                                     line->inputs[j], line->inputs[i], (int)one, name);
            }
        }
    }
    return true;
}

// True for words other than the grid behind -g: another option, a source or an output.
static bool is_no_grid(const char *text) {
    static const char *const suffixes[] = {".tk", ".py", ".mlir", ".ptx", ".cubin", ".hsaco",
                                           ".c",  ".ll", ".s",    ".h",   ".json"};
    bool is_option = text[0] == '-' && (text[1] == '-' || (text[1] >= 'A' && text[1] <= 'z'));
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t size = strlen(suffixes[i]);
        is_option |= length > size && strcmp(text + length - size, suffixes[i]) == 0;
    }
    return is_option;
}

// -g is the grid, as in Triton's tool. Without a grid behind it, it is debug information, as for other compilers.
static char **read_g(int argc, char **argv, FILE *errors) {
    char **read = malloc(((size_t)argc + 1) * sizeof *read);
    bool ended = false;
    for (int i = 0; i < argc; i++) {
        ended |= strcmp(argv[i], "--") == 0;
        bool is_debug =
            i && !ended && strcmp(argv[i], "-g") == 0 && (i + 1 == argc || is_no_grid(argv[i + 1]));
        read[i] = is_debug ? "--debug" : argv[i];
        if (is_debug) {
            fprintf(errors, "tkc: note: -g is --debug (-G) here, as no grid follows it\n");
        }
    }
    read[argc] = NULL;
    return read;
}

bool command_line_parse(int argc, char **argv, bool serves, struct command_line *line, FILE *errors) {
    *line = (struct command_line){0};
    tkc_options_init(&line->options);
    char **read = read_g(argc, argv, errors); // its texts are argv's
    bool good = options_parse(&table, line, argc, read, errors);
    free(read);
    if (!good) {
        return false;
    }
    if (serves && line->input_count) {
        return options_error(&table, errors, "tkc lsp takes its sources from the editor, not \"%s\"",
                             line->inputs[0]);
    }
    if (line->action == ACTION_COMPILE && !serves && !line->input_count) {
        return options_error(&table, errors, "no source file");
    }
    return line->input_count < 2 || check_sources(line, errors);
}

void command_line_free(struct command_line *line) {
    options_free(&table, line);
}

void command_line_help(FILE *out) {
    options_help(&table, out);
}
