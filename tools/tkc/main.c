// tkc: the command line around tkc_compile.
//
// All artifacts are made in memory first, then written beside their places, and renamed when all are there.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/response.h"
#include "command_line.h"
#include "diagnostics.h"
#include "lsp/lsp.h"
#include "support/file.h"
#include "support/memory.h"
#include "tkc/tkc.h"

enum { STATUS_OK = 0, STATUS_USER_ERROR = 1, STATUS_USAGE = 2 };

struct reporter {
    bool is_colored, is_silent;
};

static void report(void *user, const struct tkc_diagnostic *diagnostic) {
    const struct reporter *reporter = user;
    if (reporter->is_silent) {
        return;
    }
    struct strbuf text = {0};
    if (reporter->is_colored) {
        color_print(diagnostic, &text);
    }
    fputs(reporter->is_colored ? strbuf_text(&text) : diagnostic->text, stderr);
    strbuf_free(&text);
}

static bool cannot_write(const char *path) {
    fprintf(stderr, "tkc: error: cannot write %s: %s\n", path, strerror(errno));
    return false;
}

static bool is_standard_output(const struct tkc_artifact *artifact) {
    return strcmp(artifact->path, "-") == 0;
}

// Standard output is written after all paths are checked, and before any file changes.
static bool write_artifacts(const struct tkc_result *result) {
    struct file_batch batch = {0};
    const char *failed = NULL;
    for (size_t i = 0; i < result->artifact_count && !failed; i++) {
        const struct tkc_artifact *artifact = &result->artifacts[i];
        if (!is_standard_output(artifact) &&
            !file_batch_add(&batch, artifact->path, artifact->bytes, artifact->length)) {
            failed = artifact->path;
        }
    }
    for (size_t i = 0; i < result->artifact_count && !failed; i++) {
        const struct tkc_artifact *artifact = &result->artifacts[i];
        if (is_standard_output(artifact) &&
            (fwrite(artifact->bytes, 1, artifact->length, stdout) != artifact->length ||
             fflush(stdout) != 0)) {
            failed = "to standard output";
        }
    }
    if (failed) {
        file_batch_discard(&batch);
        return cannot_write(failed);
    }
    return file_batch_commit(&batch, &failed) || cannot_write(failed);
}

// --emit=json, --emit=header, -M: the companion of unwritten outputs. Returns its path, if it has one.
static const char *companion_path(struct command_line *line, char **stem) {
    struct tkc_options *options = &line->options;
    if (line->only == TKC_DEPFILE) {
        return options->depfile_path ? options->depfile_path : "-";
    }
    const char *path = options->output_count ? options->outputs[0] : NULL;
    if (path && strcmp(path, "-") != 0) {
        const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
        size_t length = dot && (!slash || dot > slash + 1) ? (size_t)(dot - path) : strlen(path);
        options->out_path = *stem = strndup(path, length);
    }
    if (path) {
        options->output_count = 0;
    }
    return path;
}

static void keep_only(enum tkc_kind kind, const char *path, struct tkc_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < result->artifact_count; i++) {
        bool is_companion = result->artifacts[i].kind == kind;
        if (is_companion || result->artifacts[i].kind == TKC_REPORT) {
            result->artifacts[count] = result->artifacts[i];
            result->artifacts[count].path = path && is_companion ? path : result->artifacts[i].path;
            count++;
        }
    }
    result->artifact_count = count;
}

// Compiles again and writes each intermediate form into a folder; of a kernel with variants, those of the first.
static bool write_temporaries(const struct command_line *line) {
    const char *folder = *line->temporaries ? line->temporaries : ".";
    static const char *const suffixes[] = {"mlir", "ll", "s"};
    size_t length;
    const char *name = file_stem(line->options.input, &length);
    char *paths[3];
    struct tkc_options options = line->options;
    for (size_t i = 0; i < 3; i++) {
        paths[i] = malloc(strlen(folder) + strlen(name) + 8);
        sprintf(paths[i], "%s/%.*s.%s", folder, (int)length, name, suffixes[i]);
    }
    options.outputs = (const char *const *)paths;
    options.output_count = 3;
    options.kind = TKC_KIND_DEFAULT;
    options.out_path = options.depfile_path = options.tuned = options.runtime = options.page = NULL;
    options.no_header = options.no_json = true;
    options.depfile = options.triton_abi = options.external_images = options.time_passes = false;
    options.specialisation_count = 0;
    options.config = options.config == TKC_CONFIG_ALL ? TKC_CONFIG_AUTO : options.config;
    options.report = NULL;
    options.verbose = false;
    struct tkc_result *result = tkc_compile(&options);
    bool good = result->ok && (mkdir(folder, 0777) == 0 || errno == EEXIST || cannot_write(folder)) &&
                write_artifacts(result);
    tkc_result_free(result);
    for (size_t i = 0; i < 3; i++) {
        free(paths[i]);
    }
    return good;
}

static void say_written(const struct tkc_result *result) {
    for (size_t i = 0; i < result->artifact_count; i++) {
        const struct tkc_artifact *artifact = &result->artifacts[i];
        if (!is_standard_output(artifact)) {
            fprintf(stderr, "writes %s (%zu B%s)\n", artifact->path, artifact->length,
                    result->cached ? ", from the cache" : "");
        }
    }
}

// A file of messages may be neither a source nor an output.
static bool clashes(const struct tkc_options *options, const char *path, const struct tkc_result *result) {
    const struct file_use *written, *other;
    struct file_use *uses = memory_zeroed(result->artifact_count + 2, sizeof *uses);
    size_t count = 0;
    uses[count++] = (struct file_use){"source", options->input, false};
    uses[count++] = (struct file_use){"file of diagnostics", path, true};
    for (size_t i = 0; i < result->artifact_count; i++) {
        uses[count++] = (struct file_use){"output", result->artifacts[i].path, true};
    }
    bool found = file_clash(uses, count, &written, &other);
    if (found) {
        fprintf(stderr, "tkc: error: the %s \"%s\" would overwrite the %s \"%s\"\n", written->what,
                written->path, other->what, other->path);
    }
    free(uses);
    return found;
}

static bool write_diagnostics(const struct command_line *line, enum diagnostics_format format,
                              const struct tkc_result *result) {
    const char *path = line->diagnostics_file;
    struct strbuf text = {0};
    diagnostics_write(format, result, &text);
    bool good = true;
    if (path && strcmp(path, "-") != 0) {
        good = file_write_atomic(path, strbuf_text(&text), text.length);
    } else {
        fputs(strbuf_text(&text), path ? stdout : stderr);
    }
    strbuf_free(&text);
    return good || cannot_write(path);
}

// Messages as data are written in any case; without a file of theirs they take the place of text.
static int compile(struct command_line *line) {
    enum diagnostics_format format;
    if (!diagnostics_choose(line, &format)) {
        fprintf(
            stderr,
            "tkc: --diagnostics-file %s: the suffix is neither .json nor .sarif; say --diagnostics-format\n",
            line->diagnostics_file);
        return STATUS_USAGE;
    }
    bool as_data = line->diagnostics_file || format != DIAGNOSTICS_TEXT;
    struct reporter reporter = {color_is_on(line->color), as_data && !line->diagnostics_file};
    line->options.remarks_joined = !as_data;
    line->options.report = report;
    line->options.report_user = &reporter;
    char *stem = NULL;
    if (line->only && line->only != TKC_DEPFILE && line->options.output_count > 1) {
        fprintf(stderr, "tkc: --emit of a header or json takes one -o\n");
        return STATUS_USAGE;
    }
    const char *companion = line->only ? companion_path(line, &stem) : NULL;
    struct tkc_result *result = tkc_compile(&line->options);
    if (line->only) {
        keep_only(line->only, companion, result);
    }
    bool clash =
        result->clash || (line->diagnostics_file && clashes(&line->options, line->diagnostics_file, result));
    bool written = !as_data || clash || write_diagnostics(line, format, result);
    int status = clash || result->usage                             ? STATUS_USAGE
                 : written && result->ok && write_artifacts(result) ? STATUS_OK
                                                                    : STATUS_USER_ERROR;
    if (status == STATUS_OK && line->options.verbose) {
        say_written(result);
    }
    if (status == STATUS_OK && line->temporaries && !write_temporaries(line)) {
        status = STATUS_USER_ERROR;
    }
    tkc_result_free(result);
    free(stem);
    return status;
}

// Compiles each source by itself: an error in one does not stop the others. Returns the largest status.
static int compile_all(struct command_line *line) {
    int status = STATUS_OK;
    for (size_t i = 0; i < line->input_count; i++) {
        line->options.input = line->inputs[i];
        int one = compile(line);
        status = one > status ? one : status;
    }
    return status;
}

static void print_version(bool verbose) {
    printf("tkc %s (LLVM %s)\n", tkc_version(), tkc_llvm_version());
    if (!verbose) {
        return;
    }
    printf("commit: %s\n", *tkc_commit() ? tkc_commit() : "not known: built outside a repository");
#ifdef NDEBUG
    printf("checks: after the last pass\n");
#else
    printf("checks: after every pass\n");
#endif
}

static void print_table(bool (*row)(size_t, const char **, const char **)) {
    const char *name, *description;
    for (size_t i = 0; row(i, &name, &description); i++) {
        printf("%-16s %s\n", name, description);
    }
}

// A line a chip with its products, then a line a group.
static void print_targets(void) {
    const char *name, *description, *product, *target;
    for (size_t i = 0; tkc_target_at(i, &name, &description); i++) {
        size_t count = 0;
        printf("%-16s %s", name, description);
        for (size_t j = 0; tkc_product_at(j, &product, &target); j++) {
            if (strcmp(target, name) == 0) {
                printf("%s%s", count++ ? ", " : "; ", product);
            }
        }
        putchar('\n');
    }
    for (size_t i = 0; tkc_group_at(i, &name, &target); i++) {
        printf("%-16s a group: %s\n", name, target);
    }
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); // a write past the limit fails, and its temporary file is removed
    memory_watch_new();
    struct response arguments;
    struct command_line line = {0};
    bool serves = argc > 1 && strcmp(argv[1], "lsp") == 0; // its options follow; a file of this name is ./lsp
    if (!response_expand(&arguments, "tkc", argc - serves, argv + serves, stderr) ||
        !command_line_parse(arguments.argc, arguments.argv, serves, &line, stderr)) {
        command_line_free(&line);
        response_free(&arguments);
        return STATUS_USAGE;
    }
    int status = STATUS_OK;
    switch (line.action) {
    case ACTION_COMPILE:
        status = serves ? lsp_serve(&line.options) : compile_all(&line);
        break;
    case ACTION_HELP:
        command_line_help(stdout);
        break;
    case ACTION_VERSION:
        print_version(line.options.verbose);
        break;
    case ACTION_PRINT_PASSES:
        print_table(tkc_pass_at);
        break;
    case ACTION_PRINT_REMARKS:
        print_table(tkc_remark_at);
        break;
    case ACTION_PRINT_WARNINGS:
        print_table(tkc_warning_at);
        break;
    case ACTION_PRINT_TARGETS:
        print_targets();
        break;
    }
    command_line_free(&line);
    response_free(&arguments);
    if (fflush(stdout) != 0 && status == STATUS_OK) {
        fprintf(stderr, "tkc: error: cannot write to standard output: %s\n", strerror(errno));
        status = STATUS_USER_ERROR;
    }
    return status;
}
