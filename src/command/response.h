// Command lines with response files (@FILE).
#ifndef TKC_COMMAND_RESPONSE_H
#define TKC_COMMAND_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "support/strbuf.h"

struct response {
    int argc;
    char **argv;
    size_t capacity;
};

// False after wrong usage, printed to `errors`. The arguments are the response's until response_free.
bool response_expand(struct response *response, const char *tool, int argc, char *const *argv, FILE *errors);
void response_free(struct response *response);

#endif
