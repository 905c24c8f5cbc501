// The macros of a launcher header: k_NAME for every integer constant common to all variants of k.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/header.h"

// A constant as C spells it; NULL: no integer type of C holds it.
static const char *c_value(struct arena *arena, const char *value) {
    if (strcmp(value, "True") == 0 || strcmp(value, "False") == 0) {
        return value[0] == 'T' ? "1" : "0";
    }
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (!errno) { // C has no literal for INT64_MIN
        return number == INT64_MIN ? "-9223372036854775807 - 1" : value;
    }
    errno = 0;
    (void)strtoull(value, &end, 10);
    return errno || value[0] == '-' ? NULL : arena_printf(arena, "%su", value);
}

static bool is_setting(const struct reflect_constant *constant) {
    return strcmp(constant->name, "NUM_WARPS") == 0 || strcmp(constant->name, "NUM_STAGES") == 0;
}

const struct header_constant *header_constants(const struct writer *w, const struct header_family *family,
                                               size_t *count) {
    const struct reflect_kernel *kernel = family->kernels;
    struct header_constant *all = ARENA_ARRAY(w->arena, struct header_constant, kernel->constant_count + 2);
    *count = 0;
    if (family->count == 1) {
        all[(*count)++] = (struct header_constant){.name = "NUM_WARPS",
                                                   .value = arena_printf(w->arena, "%u", kernel->num_warps),
                                                   .is_integer = true};
        all[(*count)++] = (struct header_constant){.name = "NUM_STAGES",
                                                   .value = arena_printf(w->arena, "%u", kernel->num_stages),
                                                   .is_integer = true};
    }
    for (size_t i = 0; i < kernel->constant_count; i++) {
        const struct reflect_constant *constant = &kernel->constants[i];
        if (header_is_common(family, constant)) {
            all[(*count)++] =
                (struct header_constant){.name = constant->name,
                                         .value = constant->value,
                                         .is_integer = constant->is_integer && !is_setting(constant)};
        }
    }
    for (size_t i = 0; i < *count; i++) {
        if (all[i].is_integer) {
            all[i].macro = arena_printf(w->arena, "%s_%s", family->name, all[i].name);
            all[i].in_c = c_value(w->arena, all[i].value);
            all[i].is_macro = all[i].in_c && header_has_macro(&w->names, all[i].macro);
        }
    }
    return all;
}

void header_macros(const struct writer *w, const struct header_family *family) {
    size_t count;
    const struct header_constant *constants = header_constants(w, family, &count);
    for (size_t i = 0; i < count; i++) {
        const struct header_constant *one = &constants[i];
        if (one->is_macro) {
            strbuf_printf(w->out, one->in_c[0] == '-' ? "#define %s (%s)\n" : "#define %s %s\n", one->macro,
                          one->in_c);
        } else if (one->is_integer) {
            strbuf_printf(w->out,
                          one->in_c ? "// no macro %s, %s: the name could be taken\n"
                                    : "// no macro %s: no integer type of C holds %s\n",
                          one->macro, one->value);
        }
    }
}
