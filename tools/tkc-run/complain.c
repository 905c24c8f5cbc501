// Errors of the command line, of arguments and of files.
#include "settings.h"

#include <stdarg.h>
#include <stdio.h>

bool complain(const char *format, ...) {
    va_list args;
    fprintf(stderr, "tkc-run: error: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    return false;
}
