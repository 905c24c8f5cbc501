// Errors of the command line and of devices.
#include "tune.h"

#include <stdarg.h>
#include <stdio.h>

bool complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "tkc-tune: error: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}
