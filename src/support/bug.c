#include "support/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void bug_at(const char *file, int line, const char *format, ...) {
    va_list args;
    fflush(stdout);
    fprintf(stderr, "tkc: internal error: %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    fflush(stderr);
    _Exit(EXIT_INTERNAL);
}
