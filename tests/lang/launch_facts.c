// The line: "// 384 threads, 4096 bytes of shared memory, persistent 1, fills 0, cluster 0, hidden 2: …" and, for each hidden parameter, all
// numbers of its struct in order.
#include "launch_facts.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    TERMS = TKC_TENSOR_RANK + TKC_TENSOR_RANK - 1 + TKC_TENSOR_OFFSETS,
    NUMBERS = 8 + TKC_TENSOR_RANK + 5 * TERMS
};

// All terms of a map, one after another.
static struct tkc_term *term_of(struct tkc_tensor_map *map, unsigned i) {
    return i < TKC_TENSOR_RANK           ? &map->sizes[i]
           : i < 2 * TKC_TENSOR_RANK - 1 ? &map->strides[i - TKC_TENSOR_RANK]
                                         : &map->offsets[i - (2 * TKC_TENSOR_RANK - 1)];
}

static void to_numbers(struct tkc_hidden hidden, long long *n) {
    const struct tkc_tensor_map *map = &hidden.map;
    *n++ = hidden.kind, *n++ = map->pointer, *n++ = map->element;
    *n++ = map->element_bytes, *n++ = map->rank, *n++ = map->swizzle;
    *n++ = map->is_written, *n++ = map->offset_count;
    for (unsigned i = 0; i < TKC_TENSOR_RANK; i++) {
        *n++ = map->box[i];
    }
    for (unsigned i = 0; i < TERMS; i++) {
        const struct tkc_term *term = term_of(&hidden.map, i);
        *n++ = term->plus, *n++ = term->factor, *n++ = term->parameter, *n++ = term->by;
        *n++ = term->over;
    }
}

static void from_numbers(const long long *n, struct tkc_hidden *hidden) {
    struct tkc_tensor_map *map = &hidden->map;
    hidden->kind = (int)*n++, map->pointer = (unsigned)*n++, map->element = (int)*n++;
    map->element_bytes = (unsigned)*n++, map->rank = (unsigned)*n++, map->swizzle = (unsigned)*n++;
    map->is_written = (unsigned)*n++, map->offset_count = (unsigned)*n++;
    for (unsigned i = 0; i < TKC_TENSOR_RANK; i++) {
        map->box[i] = (uint32_t)*n++;
    }
    for (unsigned i = 0; i < TERMS; i++) {
        struct tkc_term *term = term_of(map, i);
        term->plus = *n++, term->factor = *n++, term->parameter = (int)*n++, term->by = (int)*n++;
        term->over = *n++;
    }
}

void launch_facts_write(const struct launch_facts *facts, char line[LAUNCH_LINE]) {
    long long numbers[NUMBERS];
    int length =
        snprintf(line, LAUNCH_LINE,
                 "// %u threads, %u bytes of shared memory, persistent %u, fills %u, cluster %u, hidden %u:",
                 facts->threads, facts->shared_bytes, facts->dealing.persistent, facts->dealing.fills,
                 facts->dealing.cluster, facts->hidden_count);
    for (unsigned i = 0; i < facts->hidden_count; i++) {
        to_numbers(facts->hidden[i], numbers);
        for (unsigned j = 0; j < NUMBERS; j++) {
            length += snprintf(line + length, (size_t)(LAUNCH_LINE - length), " %lld", numbers[j]);
        }
    }
}

bool launch_facts_read(const char *text, struct launch_facts *facts) {
    long long numbers[NUMBERS];
    int length = 0;
    unsigned fills;
    memset(facts, 0, sizeof *facts);
    if (sscanf(text,
               "// %u threads, %u bytes of shared memory, persistent %u, fills %u, cluster %u, hidden %u:%n",
               &facts->threads, &facts->shared_bytes, &facts->dealing.persistent, &fills,
               &facts->dealing.cluster, &facts->hidden_count, &length) != 6 ||
        !length || facts->hidden_count > LAUNCH_HIDDEN) {
        return false;
    }
    facts->dealing.fills = fills;
    char *at = (char *)(uintptr_t)text + length;
    for (unsigned i = 0; i < facts->hidden_count; i++) {
        for (unsigned j = 0; j < NUMBERS; j++) {
            numbers[j] = strtoll(at, &at, 10);
        }
        from_numbers(numbers, &facts->hidden[i]);
    }
    return *at == '\n' || !*at;
}
