// tkc: the command line around tkc_compile.
//
// All artifacts are made in memory first, then written beside their places, and renamed when all are there.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "diagnostics.h"
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
    line->options.report = report;
    line->options.report_user = &reporter;
    struct tkc_result *result = tkc_compile(&line->options);
    bool clash =
        result->clash || (line->diagnostics_file && clashes(&line->options, line->diagnostics_file, result));
    bool written = !as_data || clash || write_diagnostics(line, format, result);
    int status = clash                                              ? STATUS_USAGE
                 : written && result->ok && write_artifacts(result) ? STATUS_OK
                                                                    : STATUS_USER_ERROR;
    tkc_result_free(result);
    return status;
}

static void print_table(bool (*row)(size_t, const char **, const char **)) {
    const char *name, *description;
    for (size_t i = 0; row(i, &name, &description); i++) {
        printf("%-16s %s\n", name, description);
    }
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); // a write past the limit fails, and its temporary file is removed
    memory_watch_new();
    struct command_line line;
    if (!command_line_parse(argc, argv, &line, stderr)) {
        command_line_free(&line);
        return STATUS_USAGE;
    }
    int status = STATUS_OK;
    switch (line.action) {
    case ACTION_COMPILE:
        status = compile(&line);
        break;
    case ACTION_HELP:
        command_line_help(stdout);
        break;
    case ACTION_VERSION:
        printf("tkc %s (LLVM %s)\n", tkc_version(), tkc_llvm_version());
        break;
    case ACTION_PRINT_PASSES:
        print_table(tkc_pass_at);
        break;
    case ACTION_PRINT_TARGETS:
        print_table(tkc_target_at);
        break;
    }
    command_line_free(&line);
    if (fflush(stdout) != 0 && status == STATUS_OK) {
        fprintf(stderr, "tkc: error: cannot write to standard output: %s\n", strerror(errno));
        status = STATUS_USER_ERROR;
    }
    return status;
}
