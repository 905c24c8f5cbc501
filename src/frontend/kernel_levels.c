// Kernels compiled for several promises about their arguments. A level is one set of hints; the launcher tests them in order and
// takes the first level that holds:
//
//     M: "i32:16|i32", N: "i32:16|i32"         level 0: both divide by 16; level 1: no promise
//     --specialize "M:16 N:16"                 a level before those of the source: its first one, and these hints
//
// The n-th alternatives of all parameters make the n-th level; a parameter that has fewer keeps its last.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/kernel.h"

const char *kernel_alternative(struct emitter *e, const char *text, struct kernel_param *param) {
    unsigned count = 1;
    const char *start = text;
    for (const char *c = text; *c; c++) {
        if (*c == '|') {
            start = count <= param->alternative ? c + 1 : start;
            count++;
        }
    }
    param->alternative_count = count > param->alternative_count ? count : param->alternative_count;
    size_t length = strcspn(start, "|");
    while (length && isspace((unsigned char)*start)) {
        start++, length--;
    }
    while (length && isspace((unsigned char)start[length - 1])) {
        length--;
    }
    return arena_strndup(e->arena, start, length);
}

// "M:16": one hint of --specialize.
static bool apply_hint(struct emitter *e, struct kernel_instance *kernel, const char *hint) {
    const char *colon = strchr(hint, ':');
    size_t length = colon ? (size_t)(colon - hint) : strlen(hint);
    char *end = NULL;
    unsigned long number = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (!number || *end || number > 1u << 20 || (number & (number - 1))) {
        emit_error(e, kernel->location, "--specialize: \"%s\" is no NAME:NUMBER with a power of two", hint);
        return false;
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        struct kernel_param *param = &kernel->params[i];
        if (strlen(param->name) != length || strncmp(param->name, hint, length) != 0) {
            continue;
        }
        bool pointer = dtype_is_pointer(param->dtype);
        if (param->is_constant || (!pointer && !dtype_is_integer(param->dtype)) || (pointer && number == 1)) {
            emit_error(e, kernel->location, "--specialize: nothing can be promised of %s by \"%s\"",
                       param->name, hint);
            return false;
        }
        param->equals_one = number == 1;
        param->divisible_by = number > 1 ? (unsigned)number : 0;
        return true;
    }
    emit_error(e, kernel->location, "--specialize: %s has no parameter \"%.*s\"", kernel->name, (int)length,
               hint);
    return false;
}

bool kernel_specialize(struct emitter *e, struct kernel_instance *kernel, const char *hints) {
    bool ok = true;
    for (const char *c = hints; *c && ok;) {
        size_t length = strcspn(c, " ,");
        ok = !length || apply_hint(e, kernel, arena_strndup(e->arena, c, length));
        c += length + (c[length] != 0);
    }
    return ok;
}

const char *kernel_level_name(struct emitter *e, const struct kernel_instance *kernel,
                              const struct kernel_instance *general) {
    struct strbuf name = {0};
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i], *other = &general->params[i];
        if (param->equals_one != other->equals_one || param->divisible_by != other->divisible_by) {
            strbuf_printf(&name, "%s%s_%u", name.length ? "_" : "", param->name,
                          param->equals_one ? 1 : param->divisible_by);
        }
    }
    const char *text = arena_strdup(e->arena, name.length ? strbuf_text(&name) : "any");
    strbuf_free(&name);
    return text;
}
