// tkc: the command line around tkc_compile.
//
// All artifacts are made in memory first, then written beside their places, and renamed when all are there.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "support/file.h"
#include "support/memory.h"
#include "tkc/tkc.h"

enum { STATUS_OK = 0, STATUS_USER_ERROR = 1, STATUS_USAGE = 2 };

static void report(void *user, enum tkc_severity severity, const char *text) {
    (void)user;
    (void)severity;
    fputs(text, stderr);
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

static int compile(struct tkc_options *options) {
    options->report = report;
    struct tkc_result *result = tkc_compile(options);
    int status = result->clash                           ? STATUS_USAGE
                 : result->ok && write_artifacts(result) ? STATUS_OK
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
        status = compile(&line.options);
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
