// Names of the tables, and the refusal of an instruction: shared by the decoder and by every file that binds instructions.
#include "emulator/amdgcn/amdgcn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *gcn_alias(const char *name) {
    static const char *const names[][2] = {
#define ALIAS(name, there) {#name, #there},
#include "emulator/amdgcn/isa_alias.def"
#undef ALIAS
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(name, names[i][0])) {
            return names[i][1];
        }
    }
    return name;
}

bool gcn_refuse(struct gcn_decoder *decoder, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!decoder->error->length) {
        strbuf_add(decoder->error, text);
    }
    return false;
}
