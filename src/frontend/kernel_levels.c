// Kernels compiled for several sets of hints. A level is one set of hints; the
// launcher tests the levels in order and takes the first whose hints hold:
//
//     M: "i32:16|i32", N: "i32:16|i32"         level 0: both divide by 16; level 1: no hint
//     --specialize "M:16 N:16"                 a level before those of the source: its first one, and these hints
//
// The n-th alternatives of all parameters form the n-th level; a parameter with fewer alternatives keeps its
// last one.
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

// Finds a parameter of the compiled kernel by name, or an element of a tuple or descriptor.
static struct kernel_param *find_hinted(struct kernel_param *params, size_t count, const char *name,
                                        size_t length) {
    for (size_t i = 0; i < count; i++) {
        struct kernel_param *param = &params[i];
        struct kernel_param *part = find_hinted(param->parts, param->part_count, name, length);
        if (part) {
            return part;
        }
        if (!param->parts && strlen(param->name) == length && strncmp(param->name, name, length) == 0) {
            return param;
        }
    }
    return NULL;
}

// Applies one hint of --specialize, "M:16". The `count` hints before it must be for other parameters.
static bool apply_hint(struct emitter *e, struct kernel_instance *kernel, const char *hint,
                       struct kernel_param **given, size_t count) {
    const char *colon = strchr(hint, ':');
    size_t length = colon ? (size_t)(colon - hint) : strlen(hint);
    char *end = NULL;
    unsigned long number = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (!number || *end || number > 1u << 20 || (number & (number - 1))) {
        emit_usage(e, kernel->location, "--specialize: \"%s\" is no NAME:NUMBER with a power of two", hint);
        return false;
    }
    struct kernel_param *param = find_hinted(kernel->params, kernel->param_count, hint, length);
    if (!param) {
        emit_usage(e, kernel->location, "--specialize: %s has no parameter \"%.*s\"", kernel->name,
                   (int)length, hint);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (given[i] == param) {
            emit_usage(e, kernel->location, "--specialize: two hints of %s, the second one \"%s\"",
                       param->name, hint);
            return false;
        }
    }
    bool pointer = dtype_is_pointer(param->dtype);
    if (param->is_constant || (!pointer && !dtype_is_integer(param->dtype)) || (pointer && number == 1)) {
        emit_usage(e, kernel->location, "--specialize: %s takes no hint such as \"%s\"", param->name, hint);
        return false;
    }
    given[count] = param;
    param->equals_one = number == 1;
    if (number > 1 && (!param->divisible_by || param->divisible_by % number)) {
        param->divisible_by = (unsigned)number;
    } else if (number == 1) {
        param->divisible_by = 0;
    }
    return true;
}

bool kernel_specialize(struct emitter *e, struct kernel_instance *kernel, const char *hints) {
    struct kernel_param **given = ARENA_ARRAY(e->arena, struct kernel_param *, strlen(hints) / 2 + 1);
    size_t count = 0;
    for (const char *c = hints; *c;) {
        size_t length = strcspn(c, " ,\t\n");
        if (length && !apply_hint(e, kernel, arena_strndup(e->arena, c, length), given, count)) {
            return false;
        }
        count += length > 0;
        c += length + (c[length] != 0);
    }
    if (!count) {
        emit_usage(e, kernel->location, "--specialize: \"%s\" has no hint; give it NAME:NUMBER", hints);
    }
    return count > 0;
}

static bool same_hints(const struct kernel_param *a, const struct kernel_param *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i].equals_one != b[i].equals_one || a[i].divisible_by != b[i].divisible_by ||
            a[i].is_constant != b[i].is_constant ||
            (a[i].is_constant && !value_equal(a[i].value, b[i].value)) ||
            a[i].part_count != b[i].part_count || !dtype_equal(a[i].dtype, b[i].dtype) ||
            !same_hints(a[i].parts, b[i].parts, a[i].part_count)) {
            return false;
        }
    }
    return true;
}

bool kernel_level_repeats(const struct kernel_instance *before, size_t count,
                          const struct kernel_instance *kernel) {
    for (size_t i = 0; i < count; i++) {
        if (before[i].param_count == kernel->param_count &&
            same_hints(before[i].params, kernel->params, kernel->param_count)) {
            return true;
        }
    }
    return false;
}

const char *kernel_level_name(struct emitter *e, const struct kernel_instance *kernel,
                              const struct kernel_instance *general) {
    struct strbuf name = {0};
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i], *other = &general->params[i];
        if (param->equals_one != other->equals_one || param->divisible_by != other->divisible_by) {
            strbuf_add(&name, name.length ? "_" : "");
            kernel_add_identifier(&name, param->name);
            strbuf_printf(&name, "_%u", param->equals_one ? 1 : param->divisible_by);
        }
    }
    const char *text = arena_strdup(e->arena, name.length ? strbuf_text(&name) : "any");
    strbuf_free(&name);
    return text;
}
