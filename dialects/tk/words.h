// The words of attributes as enums (words.def): CACHE_CG, ORDER_RELEASE, PRECISION_TF32 … Each kind has its own type, so that a
// word of one kind cannot be compared with another's.
#ifndef TKC_DIALECTS_TK_WORDS_H
#define TKC_DIALECTS_TK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <mlir-c/IR.h>

#include "ir/build.h"

// The number in tk.step of the step ahead of the kernel's product (passes row_factors, operand_steps), or ahead of the next kernel's.
enum {
    STEP_OF_ROWS = -1,        // scales rows: the factor of a row goes behind the product
    STEP_OF_OPERAND = -2,     // elementwise, done on the product's operand
    STEP_OF_SCALED_ROWS = -3, // as STEP_OF_ROWS, and the kernel ahead has written the factors
    STEP_MAKES_FACTORS = -4   // as STEP_OF_ROWS, of a kernel without the product, which writes the factors
};

enum word_kind {
#define WORD_KIND(type, KIND, attribute, what) WORDS_##KIND,
#include "dialects/tk/words.def"
    WORD_KIND_COUNT
};

enum cache_modifier {
#define CACHE_WORD(id, text) CACHE_##id,
#include "dialects/tk/words.def"
    CACHE_COUNT
};
enum eviction_policy {
#define EVICT_WORD(id, text) EVICT_##id,
#include "dialects/tk/words.def"
};
enum memory_order {
#define ORDER_WORD(id, text) ORDER_##id,
#include "dialects/tk/words.def"
    ORDER_COUNT
};
enum memory_scope {
#define SCOPE_WORD(id, text) SCOPE_##id,
#include "dialects/tk/words.def"
    SCOPE_COUNT
};
enum rmw_operation {
#define RMW_WORD(id, text) RMW_##id,
#include "dialects/tk/words.def"
    RMW_COUNT
};
enum dot_precision {
#define PRECISION_WORD(id, text) PRECISION_##id,
#include "dialects/tk/words.def"
};
enum float_rounding {
#define ROUNDING_WORD(id, text) ROUNDING_##id,
#include "dialects/tk/words.def"
};
enum padding_option {
#define PADDING_WORD(id, text) PADDING_##id,
#include "dialects/tk/words.def"
};
enum hidden_parameter {
#define HIDDEN_WORD(id, text) HIDDEN_##id,
#include "dialects/tk/words.def"
};
enum op_role {
#define ROLE_WORD(id, text) ROLE_##id,
#include "dialects/tk/words.def"
};
enum copy_way {
#define COPIES_WORD(id, text) COPIES_##id,
#include "dialects/tk/words.def"
};

_Static_assert(ORDER_ACQ_REL == (ORDER_ACQUIRE | ORDER_RELEASE), "an order is a set of two bits");

enum attribute_name word_attribute(enum word_kind kind); // ATTRIBUTE_COUNT: words outside the IR
const char *word_what(enum word_kind kind);              // for messages
int word_count(enum word_kind kind);
const char *word_text(enum word_kind kind, int word);
// Finds a word by its spelling; false if there is none. ignore_case: tl.dot's precision ignores case.
bool word_parse(enum word_kind kind, const char *text, size_t length, bool ignore_case, int *word);

// The word of an op; the kind's first word if the op lacks the attribute.
int op_word(MlirOperation op, enum word_kind kind);
MlirNamedAttribute attr_word(struct builder *b, enum word_kind kind, int word);
void op_set_word(struct builder *b, MlirOperation op, enum word_kind kind, int word);

// op_cache_modifier(op), attr_cache_modifier(b, CACHE_CG) and their like for each kind.
#define WORD_KIND(type, KIND, attribute, what)                                                               \
    static inline enum type op_##type(MlirOperation op) {                                                    \
        return (enum type)op_word(op, WORDS_##KIND);                                                         \
    }                                                                                                        \
    static inline MlirNamedAttribute attr_##type(struct builder *b, enum type word) {                        \
        return attr_word(b, WORDS_##KIND, (int)word);                                                        \
    }
#include "dialects/tk/words.def"

#endif
