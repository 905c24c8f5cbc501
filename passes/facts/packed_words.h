// Operands of dots unpacked from words: the bits of K within a word.
#ifndef TKC_PASSES_PACKED_WORDS_H
#define TKC_PASSES_PACKED_WORDS_H

#include "dialects/tk/tk.h"
#include "support/arena.h"

// log2 of the numbers in a word of an integer tile, neighbours along K, if operand `index` (0 or 1) of the dot is computed from such words
// in the dot's own block: 2 or 3. Else 0.
unsigned packed_words(struct ir *ir, struct arena *arena, MlirOperation dot, intptr_t index);

#endif
