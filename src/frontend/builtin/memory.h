// The part of memory.c used by block pointers and descriptors (block_pointer.c), and the reverse.
#ifndef TKC_FRONTEND_BUILTIN_MEMORY_H
#define TKC_FRONTEND_BUILTIN_MEMORY_H

#include "frontend/semantics/emit.h"

struct access_modifiers {
    enum cache_modifier cache;
    enum eviction_policy evict;
    bool is_volatile;
};

// ---- memory.c ----
bool access_words(struct emitter *e, struct value cache, struct value evict, bool is_store,
                  struct location at, struct access_modifiers *access);
// mask and other may be VALUE_NONE; all shapes and types must agree already.
struct value build_load(struct emitter *e, struct value pointer, struct value mask, struct value other,
                        struct access_modifiers access);
void build_store(struct emitter *e, struct value pointer, struct value value, struct value mask,
                 struct access_modifiers access);

// Makes a tensor of a mask, which must be of booleans.
bool mask_type(struct emitter *e, struct value *mask, struct location at);
// The value cast to the pointee of `pointer`. Booleans, which the pointer shows as bytes, are stored as 0 and 1.
struct value stored_value(struct emitter *e, struct value pointer, struct value value, bool of_booleans,
                          struct location at);

// The larger or smaller of 16-bit floats, which descriptors alone combine.
struct value emit_atomic_half(struct emitter *e, struct value pointer, struct value value, struct value mask,
                              bool is_max);

// ---- block_pointer.c ----
// The pointer tile of a block pointer or descriptor, and the mask of in-bounds elements for the dimensions in
// `boundary` (a tuple, an int or None). The mask is VALUE_NONE if no dimension is checked.
bool block_pointer_expand(struct emitter *e, struct value block, struct value boundary, struct location at,
                          struct value *pointer, struct value *mask);
// The value for elements out of bounds: zero unless `padding` is PADDING_NAN.
struct value block_padding(struct emitter *e, struct value pointer, enum padding_option padding,
                           struct location at);

#endif
