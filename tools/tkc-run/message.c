// Error messages, printed and freed by the caller.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

char *message(const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return strdup(text);
}
