// tkc-diff: the command line.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/tool.h"
#include "command/options.h"
#include "diff.h"
#include "support/file.h"
#include "support/memory.h"

enum { STATUS_SAME = 0, STATUS_DIFFERENT = 1, STATUS_TROUBLE = 2, STATUS_WORSE = 3 };
enum action { ACTION_COMPARE, ACTION_HELP, ACTION_VERSION };

struct settings {
    enum action action;
    const char *before, *after, *format, *output, *ptxas, *nvdisasm;
    const char *const *allowed;
    size_t allowed_count;
    bool all, quiet;
};

static bool check_format(const struct option_use *use) {
    static const char *const formats[] = {"text", "json", "markdown"};
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!strcmp(use->value, formats[i])) {
            return true;
        }
    }
    return option_error(use, "%s wants text, json or markdown, not \"%s\"", use->name, use->value);
}

#define SETTINGS struct settings
static const struct option rows[] = {
#include "options.def"
};

static const struct option_table table = {
    .tool = "tkc-diff",
    .summary = "compare compiled GPU kernels",
    .about =
        "usage: tkc-diff OLD NEW [options]\n\n"
        "Compares compiled kernels: .ptx, .cubin, .hsaco, tkc's .json and .h, or folders of them. Numbers "
        "of\n"
        "registers, labels, comments and line tables do not count.\n"
        "Exit status: 0 the same, 1 different, 2 wrong usage or an unreadable file, 3 worse than --allow.\n",
    .notes =
        "A budget names metrics and how much worse each kernel may get: instructions, registers,\n"
        "scalar_registers, spills, stack, shared, threads, occupancy, code_bytes; and gone, the kernels\n"
        "that may go (0).\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
};

static int trouble(const char *text) {
    fprintf(stderr, "tkc-diff: error: %s\n", text);
    return STATUS_TROUBLE;
}

// nvdisasm on PATH; NULL: none.
static const char *find_nvdisasm(void) {
    const char *argv[] = {"nvdisasm", "--version", NULL};
    return tool_run(argv, NULL, NULL) ? argv[0] : NULL;
}

static bool write_report(const struct settings *settings, const struct strbuf *report) {
    if (settings->quiet) {
        return true;
    }
    if (settings->output && strcmp(settings->output, "-") != 0) {
        return file_write_atomic(settings->output, strbuf_text(report), report->length);
    }
    return fwrite(strbuf_text(report), 1, report->length, stdout) == report->length && fflush(stdout) == 0;
}

static int report(const struct settings *settings, const struct comparison *comparison) {
    struct strbuf out = {0};
    const char *format = settings->format ? settings->format : "text";
    if (!strcmp(format, "json")) {
        report_json(comparison, &out);
    } else if (!strcmp(format, "markdown")) {
        report_markdown(comparison, &out);
    } else {
        report_text(comparison, settings->all, &out);
    }
    bool written = write_report(settings, &out);
    strbuf_free(&out);
    if (!written) {
        fprintf(stderr, "tkc-diff: error: cannot write %s: %s\n",
                settings->output ? settings->output : "to standard output", strerror(errno));
        return STATUS_TROUBLE;
    }
    return comparison->excess_count         ? STATUS_WORSE
           : comparison_is_same(comparison) ? STATUS_SAME
                                            : STATUS_DIFFERENT;
}

static int compare(const struct settings *settings, struct loader *loader, const struct budget_set *budget) {
    struct side before, after;
    struct comparison comparison;
    if (!load_side(loader, settings->before, &before) || !load_side(loader, settings->after, &after)) {
        return trouble(strbuf_text(&loader->error));
    }
    if (before.is_folder != after.is_folder) {
        return trouble("a folder and a file: compare two of a kind");
    }
    compare_sides(loader->arena, &before, &after, &comparison);
    struct strbuf error = {0};
    bool good = allow_check(loader->arena, budget, &comparison, &error);
    int status = good ? report(settings, &comparison) : trouble(strbuf_text(&error));
    strbuf_free(&error);
    return status;
}

static int run(const struct settings *settings) {
    struct loader loader = {.arena = arena_create(), .ptxas = settings->ptxas};
    struct budget_set budget = {.given = false};
    int status = STATUS_SAME;
    for (size_t i = 0; i < settings->allowed_count && status == STATUS_SAME; i++) {
        const char *fault = allow_parse(loader.arena, &budget, settings->allowed[i]);
        status = fault ? trouble(arena_printf(loader.arena, "--allow: %s", fault)) : status;
    }
    if (status == STATUS_SAME) {
        loader.nvdisasm = settings->nvdisasm ? settings->nvdisasm : find_nvdisasm();
        status = compare(settings, &loader, &budget);
    }
    strbuf_free(&loader.error);
    names_free(&loader.names);
    arena_destroy(loader.arena);
    return status;
}

int main(int argc, char **argv) {
    struct settings settings = {.action = ACTION_COMPARE};
    int status = STATUS_TROUBLE;
    memory_watch_new();
    if (options_parse(&table, &settings, argc, argv, stderr)) {
        if (settings.action == ACTION_HELP) {
            options_help(&table, stdout);
            status = STATUS_SAME;
        } else if (settings.action == ACTION_VERSION) {
            printf("tkc-diff %s (LLVM %s)\n", tkc_version(), tkc_llvm_version());
            status = STATUS_SAME;
        } else if (!settings.before || !settings.after) {
            options_error(&table, stderr, "%s",
                          settings.before ? "no second file or folder" : "no files to compare");
        } else {
            status = run(&settings);
        }
    }
    options_free(&table, &settings);
    return status;
}
