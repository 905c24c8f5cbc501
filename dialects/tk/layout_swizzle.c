// Layouts: a shared layout for passing a tile between two distributions without bank conflicts.
//
// The offset's bits are, from the lowest: the vector (and the rest of a 4-byte word), the banks, and the
// segment (index of the 128-byte line). The basis vectors of each part are chosen as follows.
//   vector   registers common to writer and reader, with no bit in any other basis of either, up to 16 bytes;
//            then, for one side only, more of its registers, as long as the other side still finds room
//            among the banks;
//   segment  lanes served together must not differ in the segment alone. With F the span of the vector, the
//            word and the group's lanes of one side, segment and F may only meet in 0, for the writer's F and
//            the reader's. Vectors outside two proper subspaces always exist (two subspaces never cover a
//            space): take x outside one and y outside the other; one of x, y, x + y is outside both;
//   banks    any completion of the basis.
// All but the vector are taken from a complement C of it; C contains every other basis of the vectorised
// sides, so that their vectors are aligned.
#include "dialects/tk/layout.h"

#include <string.h>

#include "dialects/tk/span.h"
#include "support/diag.h"

struct side {
    struct layout layout;      // register replicas removed
    uint32_t vector_registers; // register bits in this side's vector
    struct span group;         // F: its vector, the word, the lanes of a group
};

struct choice {
    unsigned size, line_bits, word_bits, widest; // log2, in elements
    struct side side[2];                         // writer, reader
    int wider;                                   // the side with a vector extension of its own, or -1
    uint32_t low[LAYOUT_MAX_BITS];               // the vector's and the word's basis
    unsigned low_count, vector_bits[2];
    const struct layout_banks *banks;
    unsigned element_bytes;
    unsigned fragment; // register bits of a fragment of the reader, kept together in order; 0: none
};

static void add_others(struct span *span, const struct side *side) {
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < side->layout.bits[input]; i++) {
            if (input != LAYOUT_REGISTER || (side->vector_registers >> i & 1) == 0) {
                span_add(span, side->layout.basis[input][i], 0);
            }
        }
    }
}

// C: the span of all bases outside the vector; it must not reach into the vector's bits.
static struct span complement_of(const struct choice *c) {
    struct span span = {0};
    for (int s = 0; s < 2; s++) {
        if (c->wider < 0 || c->wider == s) {
            add_others(&span, &c->side[s]);
        }
    }
    return span;
}

static bool vector_is_aligned(const struct choice *c) {
    struct span span = complement_of(c);
    for (unsigned i = 0; i < c->low_count; i++) {
        if (!span_add(&span, c->low[i], 0)) {
            return false;
        }
    }
    return true;
}

// F of a side, given the low bits chosen so far.
static struct span group_of(const struct choice *c, int s) {
    struct span span = {0};
    unsigned shared_low = c->vector_bits[s] > c->word_bits ? c->vector_bits[s] : c->word_bits;
    for (unsigned i = 0; i < shared_low && i < c->low_count; i++) {
        span_add(&span, c->low[i], 0);
    }
    unsigned bytes_log2 = (unsigned)__builtin_ctz(c->element_bytes) + c->vector_bits[s];
    unsigned lanes = c->banks->group[bytes_log2 > 4 ? 4 : bytes_log2];
    for (unsigned i = 0; i < c->side[s].layout.bits[LAYOUT_LANE] && 2u << i <= lanes; i++) {
        span_add(&span, c->side[s].layout.basis[LAYOUT_LANE][i], 0);
    }
    return span;
}

static unsigned segment_bits(const struct choice *c) {
    return c->size > c->line_bits ? c->size - c->line_bits : 0;
}

// Vectors spanning C, plain coordinates first (they give cheap address arithmetic).
struct candidates {
    uint32_t vector[2 * 32];
    unsigned count;
};

static struct candidates candidates_of(const struct span *complement, unsigned size, bool high_first) {
    struct candidates list = {.count = 0};
    for (unsigned n = 0; n < size; n++) {
        uint32_t unit = 1u << (high_first ? size - 1 - n : n);
        if (span_contains(complement, unit)) {
            list.vector[list.count++] = unit;
        }
    }
    for (int k = 31; k >= 0; k--) {
        if (complement->row[k] != 0) {
            list.vector[list.count++] = complement->row[k];
        }
    }
    return list;
}

// Fills the low bits up to a whole word with vectors of C.
static void complete_word(struct choice *c) {
    struct span complement = complement_of(c), low = {0};
    struct candidates list = candidates_of(&complement, c->size, false);
    for (unsigned i = 0; i < c->low_count; i++) {
        span_add(&low, c->low[i], 0);
    }
    for (unsigned i = 0; i < list.count && c->low_count < c->word_bits; i++) {
        if (span_add(&low, list.vector[i], 0)) {
            c->low[c->low_count++] = list.vector[i];
        }
    }
}

// dim(F ∩ C) = dim F + dim C - dim(F + C): the segment fits beside F if the rest of C has at least as many
// dimensions.
static bool segment_fits(const struct choice *c) {
    struct choice whole = *c;
    complete_word(&whole);
    struct span complement = complement_of(c);
    for (int s = 0; s < 2; s++) {
        struct span group = group_of(&whole, s), sum = complement;
        for (int k = 0; k < 32; k++) {
            if (group.row[k] != 0) {
                span_add(&sum, group.row[k], 0);
            }
        }
        unsigned meet = group.dimension + complement.dimension - sum.dimension;
        if (meet + segment_bits(c) > complement.dimension) {
            return false;
        }
    }
    return true;
}

static int find_register(const struct layout *layout, uint32_t basis) {
    for (unsigned i = 0; i < layout->bits[LAYOUT_REGISTER]; i++) {
        if (layout->basis[LAYOUT_REGISTER][i] == basis) {
            return (int)i;
        }
    }
    return -1;
}

// True if a vector of these registers of the reader holds whole fragments, or the leading part of one.
static bool holds_fragments(const struct choice *c, uint32_t registers) {
    uint32_t fragment = (1u << c->fragment) - 1, inside = registers & fragment;
    return inside == registers ? (inside & (inside + 1)) == 0 : inside == fragment;
}

static void choose_common_vector(struct choice *c) {
    const struct layout *writer = &c->side[0].layout, *reader = &c->side[1].layout;
    for (unsigned i = 0; i < writer->bits[LAYOUT_REGISTER] && c->low_count < c->widest; i++) {
        int j = find_register(reader, writer->basis[LAYOUT_REGISTER][i]);
        if (j < 0 || !holds_fragments(c, c->side[1].vector_registers | 1u << j)) {
            continue;
        }
        struct choice trial = *c;
        trial.low[trial.low_count++] = writer->basis[LAYOUT_REGISTER][i];
        trial.side[0].vector_registers |= 1u << i;
        trial.side[1].vector_registers |= 1u << j;
        if (vector_is_aligned(&trial)) {
            *c = trial;
        }
    }
    c->vector_bits[0] = c->vector_bits[1] = c->low_count;
}

// Adds more registers of side s to the vector, for this side only.
static struct choice extend(const struct choice *from, int s) {
    struct choice c = *from;
    c.wider = s;
    const struct layout *layout = &c.side[s].layout;
    for (unsigned i = 0; i < layout->bits[LAYOUT_REGISTER] && c.low_count < c.widest; i++) {
        uint32_t with = c.side[s].vector_registers | 1u << i;
        if (with == c.side[s].vector_registers || (s == 1 && !holds_fragments(&c, with))) {
            continue;
        }
        struct choice trial = c;
        trial.low[trial.low_count++] = layout->basis[LAYOUT_REGISTER][i];
        trial.side[s].vector_registers |= 1u << i;
        trial.vector_bits[s]++;
        if (vector_is_aligned(&trial) && segment_fits(&trial)) {
            c = trial;
        }
    }
    return c;
}

static unsigned accesses_saved(const struct choice *before, const struct choice *after, int s) {
    unsigned registers = layout_registers(&after->side[s].layout);
    return (registers >> before->vector_bits[s]) - (registers >> after->vector_bits[s]);
}

// A vector of the list's span outside both subspaces.
static uint32_t outside_both(const struct candidates *list, const struct span *a, const struct span *b) {
    uint32_t outside_a = 0, outside_b = 0;
    for (unsigned i = 0; i < list->count; i++) {
        bool in_a = span_contains(a, list->vector[i]), in_b = span_contains(b, list->vector[i]);
        if (!in_a && !in_b) {
            return list->vector[i];
        }
        if (!in_a) {
            outside_a = list->vector[i];
        }
        if (!in_b) {
            outside_b = list->vector[i];
        }
    }
    if (outside_a == 0 || outside_b == 0) {
        bug("layout: no room for the segment of a swizzle");
    }
    return outside_a ^ outside_b;
}

// Completes the word with vectors of C, then chooses the segment and the banks, and writes down the layout.
static struct layout finish(struct choice *c) {
    struct span complement = complement_of(c), all = {0};
    struct candidates low_first = candidates_of(&complement, c->size, false);
    struct candidates high_first = candidates_of(&complement, c->size, true);
    complete_word(c);
    for (unsigned i = 0; i < c->low_count; i++) {
        span_add(&all, c->low[i], 0);
    }
    struct span beside[2] = {group_of(c, 0), group_of(c, 1)};
    uint32_t segment[LAYOUT_MAX_BITS];
    for (unsigned i = 0; i < segment_bits(c); i++) {
        segment[i] = outside_both(&high_first, &beside[0], &beside[1]);
        span_add(&beside[0], segment[i], 0);
        span_add(&beside[1], segment[i], 0);
        span_add(&all, segment[i], 0);
    }
    struct layout shared = c->side[0].layout;
    memset(shared.bits, 0, sizeof shared.bits);
    memset(shared.basis, 0, sizeof shared.basis);
    for (unsigned i = 0; i < c->low_count; i++) {
        layout_push(&shared, LAYOUT_OFFSET, c->low[i]);
    }
    for (unsigned i = 0; i < low_first.count; i++) {
        if (span_add(&all, low_first.vector[i], 0)) {
            layout_push(&shared, LAYOUT_OFFSET, low_first.vector[i]);
        }
    }
    for (unsigned i = segment_bits(c); i-- > 0;) {
        layout_push(&shared, LAYOUT_OFFSET, segment[i]);
    }
    return shared;
}

static struct choice choose_vectors(const struct choice *from, unsigned fragment) {
    struct choice c = *from;
    c.fragment = fragment;
    choose_common_vector(&c);
    struct choice wider[2] = {extend(&c, 0), extend(&c, 1)};
    unsigned saved[2] = {accesses_saved(&c, &wider[0], 0), accesses_saved(&c, &wider[1], 1)};
    int best = saved[1] > saved[0] ? 1 : 0;
    return saved[best] != 0 ? wider[best] : c;
}

// log2 of the registers in a matrix instruction's fragment: those that follow one another along one
// dimension.
static unsigned fragment_of(const struct layout *reader) {
    const uint32_t *basis = reader->basis[LAYOUT_REGISTER];
    unsigned bits = 0;
    while (bits < reader->bits[LAYOUT_REGISTER] && basis[bits] == basis[0] << bits) {
        bits++;
    }
    return bits;
}

// The number of accesses of both sides, plus a move for each word if fragments are assembled from several
// vectors.
static unsigned cost_of(const struct choice *c, bool moves) {
    enum { WORD_BYTES = 4 };
    unsigned cost = moves ? layout_registers(&c->side[1].layout) * c->element_bytes / WORD_BYTES : 0;
    for (int s = 0; s < 2; s++) {
        cost += layout_registers(&c->side[s].layout) >> c->vector_bits[s];
    }
    return cost;
}

struct layout_swizzle layout_swizzle_for(const struct layout *writer, const struct layout *reader,
                                         unsigned element_bytes, const struct layout_banks *banks,
                                         bool fragments) {
    if (!layout_same_shape(writer, reader) || !layout_is_surjective(writer) ||
        !layout_is_surjective(reader)) {
        bug("layout: a swizzle needs two surjective layouts of one shape");
    }
    unsigned element = (unsigned)__builtin_ctz(element_bytes),
             bank = (unsigned)__builtin_ctz(banks->bank_bytes);
    struct choice from;
    memset(&from, 0, sizeof from);
    from.size = layout_size_log2(writer);
    from.word_bits = bank > element ? bank - element : 0;
    from.widest = element < 4 ? 4 - element : 0;
    unsigned line = bank + (unsigned)__builtin_ctz(banks->banks);
    from.line_bits = line > element ? line - element : 0;
    from.side[0].layout = layout_remove_replicas(writer);
    from.side[1].layout = layout_remove_replicas(reader);
    from.wider = -1;
    from.banks = banks;
    from.element_bytes = element_bytes;
    struct choice c = choose_vectors(&from, 0);
    if (fragments) {
        struct choice whole = choose_vectors(&from, fragment_of(&from.side[1].layout));
        bool moves = !holds_fragments(&whole, c.side[1].vector_registers);
        c = cost_of(&whole, false) < cost_of(&c, moves) ? whole : c;
    }
    struct layout_swizzle result = {.shared = finish(&c)};
    result.write_vector_elements = 1u << c.vector_bits[0];
    result.read_vector_elements = 1u << c.vector_bits[1];
    return result;
}
