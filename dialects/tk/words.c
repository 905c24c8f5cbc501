// The table of words, and attributes with a word as value.
#include "dialects/tk/words.h"

#include <string.h>
#include <strings.h>

#include <mlir-c/BuiltinAttributes.h>

static const char *const cache_words[] = {
#define CACHE_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const evict_words[] = {
#define EVICT_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const order_words[] = {
#define ORDER_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const scope_words[] = {
#define SCOPE_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const rmw_words[] = {
#define RMW_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const precision_words[] = {
#define PRECISION_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const rounding_words[] = {
#define ROUNDING_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const padding_words[] = {
#define PADDING_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const hidden_words[] = {
#define HIDDEN_WORD(id, text) text,
#include "dialects/tk/words.def"
};

static const char *const role_words[] = {
#define ROLE_WORD(id, text) text,
#include "dialects/tk/words.def"
};
static const char *const copies_words[] = {
#define COPIES_WORD(id, text) text,
#include "dialects/tk/words.def"
};

#define LIST(words) (words), sizeof(words) / sizeof *(words)
static const struct {
    const char *const *words;
    size_t count;
} lists[WORD_KIND_COUNT] = {
    [WORDS_CACHE] = {LIST(cache_words)},       [WORDS_EVICT] = {LIST(evict_words)},
    [WORDS_ORDER] = {LIST(order_words)},       [WORDS_SCOPE] = {LIST(scope_words)},
    [WORDS_RMW] = {LIST(rmw_words)},           [WORDS_PRECISION] = {LIST(precision_words)},
    [WORDS_ROUNDING] = {LIST(rounding_words)}, [WORDS_PADDING] = {LIST(padding_words)},
    [WORDS_HIDDEN] = {LIST(hidden_words)},     [WORDS_ROLE] = {LIST(role_words)},
    [WORDS_COPIES] = {LIST(copies_words)},
};

static const struct {
    enum attribute_name attribute;
    const char *what;
} kinds[WORD_KIND_COUNT] = {
#define WORD_KIND(type, KIND, attribute, what) {attribute, what},
#include "dialects/tk/words.def"
};

enum attribute_name word_attribute(enum word_kind kind) {
    return kinds[kind].attribute;
}

const char *word_what(enum word_kind kind) {
    return kinds[kind].what;
}

int word_count(enum word_kind kind) {
    return (int)lists[kind].count;
}

const char *word_text(enum word_kind kind, int word) {
    return lists[kind].words[word];
}

bool word_parse(enum word_kind kind, const char *text, size_t length, bool ignore_case, int *word) {
    for (int i = 0; i < word_count(kind); i++) {
        const char *known = word_text(kind, i);
        if (strlen(known) == length &&
            (ignore_case ? strncasecmp(known, text, length) : memcmp(known, text, length)) == 0) {
            *word = i;
            return true;
        }
    }
    return false;
}

int op_word(MlirOperation op, enum word_kind kind) {
    MlirStringRef text = op_string(op, word_attribute(kind));
    int word = 0;
    if (text.data && !word_parse(kind, text.data, text.length, false, &word)) {
        bug("no %s is called %.*s", word_what(kind), (int)text.length,
            text.data); // the verifier would have refused it
    }
    return word;
}

MlirNamedAttribute attr_word(struct builder *b, enum word_kind kind, int word) {
    return attr_string(b, word_attribute(kind), word_text(kind, word));
}

void op_set_word(struct builder *b, MlirOperation op, enum word_kind kind, int word) {
    op_set_string(b->ir, op, word_attribute(kind), word_text(kind, word));
}
