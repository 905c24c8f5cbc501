// Parsing and printing of the option table (options.def).
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
#define GROUP(title)
#define OPTION(id, ...) OPTION_##id,
#include "options.def"
#undef OPTION
#undef GROUP
    OPTION_COUNT
};

struct option_row {
    const char *group; // a heading, all else NULL
    enum option_id id;
    const char *long_name;
    const char *short_name;
    const char *argument;
    const char *help;
};

static const struct option_row rows[] = {
#define GROUP(title) {.group = title, .id = OPTION_COUNT},
#define OPTION(id, long_name, short_name, argument, help)                                                    \
    {NULL, OPTION_##id, long_name, short_name, argument, help},
#include "options.def"
#undef OPTION
#undef GROUP
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0], HELP_COLUMN = 30 };

struct lists {
    const char **outputs;
    const char **targets;
    const char **kernels;
    struct tkc_define *defines;
};

struct parser {
    struct tkc_options *options;
    struct command_line *line;
    struct lists *lists;
    FILE *errors;
};

static bool usage_error(const struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool usage_error(const struct parser *parser, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("tkc: ", parser->errors);
    vfprintf(parser->errors, format, args);
    fputs(" (tkc --help lists the options)\n", parser->errors);
    va_end(args);
    return false;
}

static bool take_number(const struct parser *parser, const char *name, const char *text, int low, int high,
                        int *out) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high) {
        if (high == INT_MAX) {
            return usage_error(parser, "%s wants a number of at least %d, not \"%s\"", name, low, text);
        }
        return usage_error(parser, "%s wants a number from %d to %d, not \"%s\"", name, low, high, text);
    }
    *out = (int)value;
    return true;
}

static char *copy_text(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) {
        fputs("tkc: internal error: out of memory\n", stderr);
        _Exit(70);
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

static bool take_define(const struct parser *parser, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return usage_error(parser, "-D wants NAME=VALUE, not \"%s\"", text);
    }
    struct tkc_define *define = &parser->lists->defines[parser->options->define_count++];
    define->name = copy_text(text, (size_t)(equals - text));
    define->value = equals + 1;
    return true;
}

static bool take_targets(const struct parser *parser, const char *text) {
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!length) {
            return usage_error(parser, "--target wants chip names separated by commas");
        }
        parser->lists->targets[parser->options->target_count++] = copy_text(text, length);
        if (!text[length]) {
            return true;
        }
        text += length + 1;
    }
}

static bool take_kind(const struct parser *parser, const char *text) {
    static const struct {
        const char *name;
        enum tkc_kind kind;
    } kinds[] = {{"ptx", TKC_PTX},    {"cubin", TKC_CUBIN}, {"hsaco", TKC_HSACO},
                 {"s", TKC_ASSEMBLY}, {"ll", TKC_LLVM_IR},  {"mlir", TKC_MLIR}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(text, kinds[i].name) == 0) {
            parser->options->kind = kinds[i].kind;
            return true;
        }
    }
    return usage_error(parser, "--emit knows ptx, cubin, hsaco, s, ll and mlir, not \"%s\"", text);
}

static bool take_switch(const struct parser *parser, const char *name, const char *text, bool *out) {
    *out = strcmp(text, "on") == 0;
    if (!*out && strcmp(text, "off") != 0) {
        return usage_error(parser, "%s wants on or off, not \"%s\"", name, text);
    }
    return true;
}

static bool take_pass(const struct parser *parser, const char *option, const char *text, const char **out) {
    const char *name, *description;
    *out = text;
    if (strcmp(option, "--dump-after") == 0 && strcmp(text, "all") == 0) {
        return true;
    }
    for (size_t i = 0; tkc_pass_at(i, &name, &description); i++) {
        if (strcmp(name, text) == 0) {
            return true;
        }
    }
    return usage_error(parser, "%s: there is no pass \"%s\"; --print-passes lists them", option, text);
}

// What the user wrote, for messages.
static const char *shown_name(const struct option_row *row, char *buffer, size_t size) {
    snprintf(buffer, size, row->long_name ? "--%s" : "-%s",
             row->long_name ? row->long_name : row->short_name);
    return buffer;
}

static bool apply(const struct parser *parser, const struct option_row *row, const char *value) {
    struct tkc_options *options = parser->options;
    char buffer[64];
    const char *name = shown_name(row, buffer, sizeof buffer);
    switch (row->id) {
    case OPTION_OUTPUT:
        parser->lists->outputs[options->output_count++] = value;
        return true;
    case OPTION_TARGET:
        return take_targets(parser, value);
    case OPTION_EMIT:
        return take_kind(parser, value);
    case OPTION_NO_HEADER:
        options->no_header = true;
        return true;
    case OPTION_NO_JSON:
        options->no_json = true;
        return true;
    case OPTION_DEPFILE:
        options->depfile = true;
        return true;
    case OPTION_DEPFILE_PATH:
        options->depfile = true;
        options->depfile_path = value;
        return true;
    case OPTION_KERNEL:
        parser->lists->kernels[options->kernel_count++] = value;
        return true;
    case OPTION_SIGNATURE:
        options->signature = value;
        return true;
    case OPTION_GRID:
        options->grid = value;
        return true;
    case OPTION_NUM_WARPS:
        return take_number(parser, name, value, 1, 32, &options->num_warps);
    case OPTION_NUM_STAGES:
        return take_number(parser, name, value, 1, 16, &options->num_stages);
    case OPTION_DEFINE:
        return take_define(parser, value);
    case OPTION_CONFIG:
        return take_number(parser, name, value, 0, INT_MAX, &options->config);
    case OPTION_GROUP_SIZE:
        return take_number(parser, name, value, 1, 65535, &options->group_size);
    case OPTION_NO_GROUPED_PID:
        options->no_grouped_pid = true;
        return true;
    case OPTION_FP_CONTRACT:
        return take_switch(parser, name, value, &options->fp_contract);
    case OPTION_OPT_LEVEL:
        return take_number(parser, name, value, 0, 3, &options->opt_level);
    case OPTION_LINE_INFO:
        options->debug = options->debug == TKC_DEBUG_NONE ? TKC_DEBUG_LINES : options->debug;
        return true;
    case OPTION_DEBUG:
        options->debug = TKC_DEBUG_FULL;
        return true;
    case OPTION_LD:
        options->ld = value;
        return true;
    case OPTION_PTXAS:
        options->ptxas = value;
        return true;
    case OPTION_DUMP_AFTER:
        return take_pass(parser, name, value, &options->dump_after);
    case OPTION_STOP_AFTER:
        return take_pass(parser, name, value, &options->stop_after);
    case OPTION_RUN_PASS:
        return take_pass(parser, name, value, &options->run_pass);
    case OPTION_TIME_PASSES:
        options->time_passes = true;
        return true;
    case OPTION_PRINT_PASSES:
        parser->line->action = ACTION_PRINT_PASSES;
        return true;
    case OPTION_PRINT_TARGETS:
        parser->line->action = ACTION_PRINT_TARGETS;
        return true;
    case OPTION_VERSION:
        parser->line->action = ACTION_VERSION;
        return true;
    case OPTION_HELP:
        parser->line->action = ACTION_HELP;
        return true;
    case OPTION_COUNT:
        break;
    }
    return false;
}

// Finds the row for one argument; *value is set when the value is attached (--name=value, -xvalue).
static const struct option_row *find_row(const char *text, const char **value) {
    *value = NULL;
    bool is_long = text[1] == '-';
    const char *name = text + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : strlen(name);
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++) {
        const char *row_name = is_long ? row->long_name : row->short_name;
        if (row_name && strlen(row_name) == length && strncmp(row_name, name, length) == 0) {
            *value = name[length] ? name + length + 1 : NULL;
            return row;
        }
    }
    for (const struct option_row *row = rows; !is_long && row < rows + ROW_COUNT; row++) {
        if (row->short_name && row->argument && !row->short_name[1] && row->short_name[0] == name[0]) {
            *value = name + 1;
            return row;
        }
    }
    return NULL;
}

static bool parse_one(const struct parser *parser, int argc, char **argv, int *index) {
    const char *text = argv[*index];
    if (text[0] != '-' || !text[1]) {
        if (parser->options->input) {
            return usage_error(parser, "one source at a time: \"%s\" and \"%s\"", parser->options->input,
                               text);
        }
        parser->options->input = text;
        return true;
    }
    const char *value;
    const struct option_row *row = find_row(text, &value);
    if (!row) {
        return usage_error(parser, "unknown option \"%s\"", text);
    }
    if (!row->argument && value) {
        return usage_error(parser, "--%s takes no value", row->long_name);
    }
    if (row->argument && !value) {
        if (*index + 1 >= argc) {
            return usage_error(parser, "%s wants %s", text, row->argument);
        }
        value = argv[++*index];
    }
    return apply(parser, row, value);
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        fputs("tkc: internal error: out of memory\n", stderr);
        _Exit(70);
    }
    return memory;
}

bool options_parse(int argc, char **argv, struct command_line *line, FILE *errors) {
    *line = (struct command_line){0};
    tkc_options_init(&line->options);
    size_t targets = 1;
    for (int i = 1; i < argc; i++) {
        targets += strlen(argv[i]) / 2 + 1; // a comma list has at most so many names
    }
    struct lists *lists = allocate(1, sizeof *lists);
    line->memory = lists;
    lists->outputs = allocate((size_t)argc + 1, sizeof *lists->outputs);
    lists->kernels = allocate((size_t)argc + 1, sizeof *lists->kernels);
    lists->defines = allocate((size_t)argc + 1, sizeof *lists->defines);
    lists->targets = allocate(targets, sizeof *lists->targets);
    struct parser parser = {&line->options, line, lists, errors};
    for (int i = 1; i < argc; i++) {
        if (!parse_one(&parser, argc, argv, &i)) {
            return false;
        }
    }
    line->options.outputs = lists->outputs;
    line->options.targets = lists->targets;
    line->options.kernels = lists->kernels;
    line->options.defines = lists->defines;
    if (line->action == ACTION_COMPILE && !line->options.input) {
        return usage_error(&parser, "no source file");
    }
    return true;
}

void options_free(struct command_line *line) {
    struct lists *lists = line->memory;
    for (size_t i = 0; i < line->options.target_count; i++) {
        free((char *)lists->targets[i]);
    }
    for (size_t i = 0; i < line->options.define_count; i++) {
        free((char *)lists->defines[i].name);
    }
    free(lists->outputs);
    free(lists->kernels);
    free(lists->defines);
    free(lists->targets);
    free(lists);
    *line = (struct command_line){0};
}

static void print_row(FILE *out, const struct option_row *row) {
    int width = 0;
    if (row->group) {
        fprintf(out, "\n%s:\n", row->group);
        return;
    }
    if (row->short_name) {
        width += fprintf(out, row->long_name ? "  -%s, " : "  -%s", row->short_name);
    } else {
        width += fprintf(out, "      ");
    }
    if (row->long_name) {
        width += fprintf(out, "--%s", row->long_name);
    }
    if (row->argument) {
        width += fprintf(out, "%s%s", row->long_name ? "=" : " ", row->argument);
    }
    if (width > HELP_COLUMN - 2) {
        fputc('\n', out);
        width = 0;
    }
    fprintf(out, "%*s%s\n", HELP_COLUMN - width, "", row->help);
}

void options_print_help(FILE *out) {
    fputs("usage: tkc SOURCE [options]\n\n"
          "Compiles the Triton-language kernels of SOURCE (.tk or .py) ahead of time. Beside the outputs it "
          "writes a\n"
          "launcher header (.h) and a reflection (.json). Without -o it writes SOURCE's name with .ptx.\n"
          "Exit status: 0 done, 1 errors in the source, 2 wrong usage, 70 a fault of tkc itself.\n",
          out);
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++) {
        print_row(out, row);
    }
}
