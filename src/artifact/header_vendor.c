// Parts of a launcher that are one text for both vendors, in the words of one of them.
#include <ctype.h>
#include <string.h>

#include "artifact/header.h"

static const struct {
    const char *word, *cuda, *hip;
} words[] = {
#define VENDOR_WORD(word, cuda, hip) {word, cuda, hip},
#include "artifact/vendor_words.def"
#undef VENDOR_WORD
};

const char *header_vendor_word(enum vendor vendor, const char *word, size_t length) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0) {
            return vendor == VENDOR_NVIDIA ? words[i].cuda : words[i].hip;
        }
    }
    return NULL;
}

void header_add_for_vendor(struct strbuf *out, const struct vendor_text *text, const char *part,
                           size_t length) {
    static const char prefix[] = "tkc_gpu_";
    const size_t prefixed = sizeof prefix - 1;
    for (const char *at = part, *end = part + length; at < end;) {
        size_t name = 0;
        while (at + name < end && (isalnum((unsigned char)at[name]) || at[name] == '_')) {
            name++;
        }
        const char *word = header_vendor_word(text->vendor, at, name);
        if (word) {
            strbuf_add(out, word);
        } else if (name > prefixed && memcmp(at, prefix, prefixed) == 0) {
            strbuf_printf(out, "tkc_%s_%.*s", text->prefix, (int)(name - prefixed), at + prefixed);
        } else {
            strbuf_add_bytes(out, at, name ? name : 1);
        }
        at += name ? name : 1;
    }
}
