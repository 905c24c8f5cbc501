// tkc: the command line around tkc_compile.
//
// All artifacts are made in memory first; none is written unless all of them could be made, each atomically.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "support/file.h"
#include "tkc/tkc.h"

enum { STATUS_OK = 0, STATUS_USER_ERROR = 1, STATUS_USAGE = 2 };

static void report(void *user, enum tkc_severity severity, const char *text) {
    (void)user;
    (void)severity;
    fputs(text, stderr);
}

static bool write_artifact(const struct tkc_artifact *artifact) {
    if (strcmp(artifact->path, "-") == 0) {
        if (fwrite(artifact->bytes, 1, artifact->length, stdout) == artifact->length && fflush(stdout) == 0) {
            return true;
        }
        fprintf(stderr, "tkc: error: cannot write to standard output: %s\n", strerror(errno));
        return false;
    }
    if (file_write_atomic(artifact->path, artifact->bytes, artifact->length)) {
        return true;
    }
    fprintf(stderr, "tkc: error: cannot write %s: %s\n", artifact->path, strerror(errno));
    return false;
}

static int compile(struct tkc_options *options) {
    options->report = report;
    struct tkc_result *result = tkc_compile(options);
    bool ok = result->ok;
    for (size_t i = 0; ok && i < result->artifact_count; i++) {
        ok = write_artifact(&result->artifacts[i]);
    }
    tkc_result_free(result);
    return ok ? STATUS_OK : STATUS_USER_ERROR;
}

static void print_table(bool (*row)(size_t, const char **, const char **)) {
    const char *name, *description;
    for (size_t i = 0; row(i, &name, &description); i++) {
        printf("%-14s %s\n", name, description);
    }
}

int main(int argc, char **argv) {
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
