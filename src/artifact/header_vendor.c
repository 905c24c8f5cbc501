// The runtime parts common to both vendors are written once, in words of their own: gpu_launch, GPU_SUCCESS.
// This file replaces the words by a vendor's names (vendor_words.def).
#include <ctype.h>
#include <string.h>

#include "artifact/header.h"

static const struct {
    const char *word;
    size_t length;
    const char *in[WORDINGS];
} words[] = {
#define VENDOR_WORD(word, cuda, hip, any)                                                                    \
    {word, sizeof word - 1, {[IN_CUDA] = cuda, [IN_HIP] = hip, [IN_ANY] = any}},
#include "artifact/vendor_words.def"
#undef VENDOR_WORD
};

const char *header_vendor_word(enum wording wording, const char *word, size_t length) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].length == length && memcmp(words[i].word, word, length) == 0) {
            return words[i].in[wording];
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
        const char *word = name ? header_vendor_word(text->wording, at, name) : NULL;
        if (word) {
            strbuf_add(out, word);
            name += word[strlen(word) - 1] == '*' && at + name < end &&
                    at[name] == ' '; // "void *" and a name need one space
        } else if (name > prefixed && memcmp(at, prefix, prefixed) == 0) {
            strbuf_printf(out, "tkc_%s_%.*s", text->prefix, (int)(name - prefixed), at + prefixed);
        } else {
            strbuf_add_bytes(out, at, name ? name : 1);
        }
        at += name ? name : 1;
    }
}

// The length of the name of a driver function called at this place of a text; 0: none.
static size_t called_function(const char *at, const char *end) {
    size_t name = 0;
    while (at + name < end && (isalnum((unsigned char)at[name]) || at[name] == '_')) {
        name++;
    }
    bool ours = name > 2 && memcmp(at, "cu", 2) == 0 && isupper((unsigned char)at[2]);
    return ours && at + name < end && at[name] == '(' ? name : 0;
}

void header_add_by_table(struct strbuf *out, const char *part, size_t length) {
    static const char first[] =
        "cuCtxGetId"; // the first call of every function of the launcher: it opens the driver
    for (const char *at = part, *end = part + length; at < end;) {
        bool inside = at > part && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        size_t name = inside ? 0 : called_function(at, end);
        if (name) {
            bool opens = sizeof first - 1 == name && memcmp(at, first, name) == 0;
            strbuf_add(out, opens ? "tkc_cuda_opened()->call_" : "tkc_cuda_calls_3.call_");
        }
        strbuf_add_bytes(out, at, name ? name : 1);
        at += name ? name : 1;
    }
}
