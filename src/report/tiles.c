// The layouts of a kernel's tiles, under their numbers in the dump: one for each layout and shape, the most used ones.
#include <stdio.h>
#include <string.h>

#include <mlir-c/BuiltinTypes.h>

#include "report/gather.h"

enum { TILES_MAX = 12 };

static void append(MlirStringRef text, void *buffer) {
    strbuf_add_bytes(buffer, text.data, text.length);
}

// The number of the alias "#L3 = {…}" with the text of this encoding; -1: none.
static int alias_of(const struct report_text *text, const char *encoding, size_t length) {
    for (const char *line = text->text; strncmp(line, "#L", 2) == 0;) {
        int number = 0, read = 0;
        size_t whole = strcspn(line, "\n");
        if (sscanf(line, "#L%d = %n", &number, &read) == 1 && read && whole - (size_t)read == length &&
            memcmp(line + read, encoding, length) == 0) {
            return number;
        }
        line += whole + (line[whole] == '\n');
    }
    return -1;
}

const char *gather_element(struct arena *arena, MlirType element) {
    struct strbuf text = {0};
    mlirTypePrint(element, append, &text);
    const char *kept = type_is_ptr(element) ? "pointer" : arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

const char *gather_shape(struct arena *arena, MlirType type) {
    struct strbuf text = {0};
    for (int d = 0; d < type_rank(type); d++) {
        strbuf_printf(&text, "%s%lld", d ? "×" : "", (long long)type_extent(type, d));
    }
    const char *kept = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

static struct report_tile *find_tile(struct report_kernel *kernel, unsigned number,
                                     const struct layout *layout) {
    for (size_t i = 0; i < kernel->tile_count; i++) {
        if (kernel->tiles[i].number == number && layout_equal(&kernel->tiles[i].layout, layout)) {
            return &kernel->tiles[i];
        }
    }
    return NULL;
}

static void add_type(struct gathering *g, MlirType type, unsigned line) {
    MlirAttribute encoding =
        mlirTypeIsARankedTensor(type) ? mlirRankedTensorTypeGetEncoding(type) : (MlirAttribute){NULL};
    if (mlirAttributeIsNull(encoding)) {
        return;
    }
    struct strbuf text = {0};
    mlirAttributePrint(encoding, append, &text);
    int number = alias_of(g->text, strbuf_text(&text), text.length);
    strbuf_free(&text);
    if (number < 0) {
        return;
    }
    const struct layout *layout = type_layout(g->ir, type);
    struct report_tile *known = find_tile(g->kernel, (unsigned)number, layout);
    if (known) {
        known->element = strcmp(known->element, "pointer") == 0 ? gather_element(g->arena, type_element(type))
                                                                : known->element;
        known->uses++;
        known->line = known->line ? known->line : line;
        return;
    }
    MlirType element = type_element(type);
    g->kernel->tiles[g->kernel->tile_count++] =
        (struct report_tile){.number = (unsigned)number,
                             .layout = *layout,
                             .shape = gather_shape(g->arena, type),
                             .element = gather_element(g->arena, element),
                             .is_shared = type_is_shared(g->ir, type),
                             .element_bytes = (type_bits(element) + 7) / 8,
                             .line = line,
                             .uses = 1};
}

static bool matters_more(const struct report_tile *a, const struct report_tile *b) {
    unsigned one = layout_size_log2(&a->layout), other = layout_size_log2(&b->layout);
    return one != other ? one > other : a->uses != b->uses ? a->uses > b->uses : a->number < b->number;
}

void gather_tiles(struct gathering *g) {
    struct report_kernel *kernel = g->kernel;
    size_t most = 0;
    for (size_t i = 0; i < g->count; i++) {
        most += (size_t)mlirOperationGetNumResults(g->ops[i]);
    }
    kernel->tiles = ARENA_ARRAY(g->arena, struct report_tile, most + 1);
    for (size_t i = 0; i < g->count; i++) {
        for (intptr_t r = 0; r < mlirOperationGetNumResults(g->ops[i]); r++) {
            MlirType type = mlirValueGetType(mlirOperationGetResult(g->ops[i], r));
            add_type(g, type, gather_line(g->ir, g->ops[i], g->source));
        }
    }
    for (size_t i = 1; i < kernel->tile_count; i++) { // a few: sorted by insertion
        struct report_tile tile = kernel->tiles[i];
        size_t at = i;
        for (; at > 0 && matters_more(&tile, &kernel->tiles[at - 1]); at--) {
            kernel->tiles[at] = kernel->tiles[at - 1];
        }
        kernel->tiles[at] = tile;
    }
    kernel->tile_count = kernel->tile_count < TILES_MAX ? kernel->tile_count : TILES_MAX;
}
