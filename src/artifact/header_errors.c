// k_strerror(result): the text of a driver's result. For a device without a fitting image: the list of images
// in this file; for an invalid value: the rule broken by an argument of this thread's last launch.
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
    return name[strlen(name) - 1] == 'a' ? " (no other chip)"
           : target->kind == TKC_PTX     ? " (PTX, assembly that later chips take too)"
                                         : " (and later ones of its generation)";
}

void header_list_images(const struct writer *w, enum wording wording, const struct header_family *family) {
    size_t count = 0;
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        const struct reflect_target *target = &w->reflection->targets[i];
        if (header_covers(wording, target->target) && is_on(family, i)) {
            strbuf_printf(w->out, "%s%s%s", count++ ? ", " : "", target->target->name, runs_on(target));
        }
    }
    strbuf_add(w->out, count ? "" : "none");
}

void header_strerror(const struct writer *w, const struct vendor_text *text,
                     const struct header_family *family) {
    header_begin(w, text, family, HEADER_STRERROR);
    strbuf_printf(w->out,
                  "    const char *tkc_text = tkc_%s_error_text(result,\n        \"no image of %s fits this "
                  "device; there is ",
                  text->prefix, family->name);
    header_list_images(w, text->wording, family);
    strbuf_printf(w->out,
                  "\");\n    return result == %s ? tkc_rule_text(\"%s\", tkc_text) : tkc_text;\n}\n\n",
                  text->invalid, family->name);
}
