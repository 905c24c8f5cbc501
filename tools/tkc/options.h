// The command line as data.
#ifndef TKC_TOOLS_OPTIONS_H
#define TKC_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "tkc/tkc.h"

enum action { ACTION_COMPILE, ACTION_HELP, ACTION_VERSION, ACTION_PRINT_PASSES, ACTION_PRINT_TARGETS };

struct command_line {
    enum action action;
    struct tkc_options options;
    void *memory; // the lists that `options` points into
};

// False for a usage error, which has been printed to `errors`.
bool options_parse(int argc, char **argv, struct command_line *line, FILE *errors);
void options_free(struct command_line *line);
void options_print_help(FILE *out);

#endif
