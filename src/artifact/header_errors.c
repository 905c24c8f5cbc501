// k_strerror(result): what the runtime says of a result, and of a device that no image fits what images there are.
#include <string.h>

#include "artifact/header.h"

static bool is_on(const struct header_family *family, size_t target) {
    for (size_t k = 0; k < family->count; k++) {
        if (family->kernels[k].entries[target].threads) {
            return true;
        }
    }
    return false;
}

static const char *runs_on(const struct reflect_target *target) {
    const char *name = target->target->name;
    if (target->target->vendor == VENDOR_AMD) {
        return target_family(target->target) ? " (a family)" : "";
    }
    return name[strlen(name) - 1] == 'a' ? " (that chip alone)"
           : target->kind == TKC_PTX     ? " (PTX, later chips too)"
                                         : " (and later ones of its generation)";
}

void header_strerror(const struct writer *w, const struct vendor_text *text,
                     const struct header_family *family) {
    size_t count = 0;
    strbuf_printf(w->out,
                  "static inline const char *%s_strerror(%s result) {\n"
                  "    return tkc_%s_error_text(result, \"no image of %s fits this device; there is ",
                  family->name, text->result, text->prefix, family->name);
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        const struct reflect_target *target = &w->reflection->targets[i];
        if (header_covers(text->wording, target->target) && is_on(family, i)) {
            strbuf_printf(w->out, "%s%s%s", count++ ? ", " : "", target->target->name, runs_on(target));
        }
    }
    strbuf_printf(w->out, "%s\");\n}\n\n", count ? "" : "none");
}
