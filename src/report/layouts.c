// A picture of each layout, small for large tiles, too: one repetition of the pattern, with its repeat counts in words.
//
//   in registers   the elements of a warp's lanes next to each other, a field for each run of one lane, with the lane's number;
//                  below it the warps of a block, a field for each such pattern
//   in shared      8 rows of 16-byte pieces, each with its group of 4 banks: a swizzle permutes them from row to row
//
// A pattern is a box of powers of two, since layouts are linear: registers with coordinates beyond the box repeat it.
#include "report/page.h"

#include <stdio.h>
#include <string.h>

#include "report/svg.h"

enum { WIDTH = 288, ROWS_MAX = 32, RECTS_MAX = 300, PIECE = 16 };

// The last two dimensions of a tile: rows and columns. A vector is one row.
struct view {
    const struct layout *layout;
    struct layout_inverse inverse;
    unsigned rank, dims[2];
};

static uint32_t coordinate(const struct view *v, uint32_t flat, int which) {
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    layout_split_coordinates(v->layout, flat, at);
    return v->rank == 1 && which == 0 ? 0 : at[v->dims[which]];
}

static uint32_t flat_of(const struct view *v, uint32_t row, uint32_t column) {
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    at[v->dims[1]] = column;
    if (v->rank > 1) {
        at[v->dims[0]] = row;
    }
    return layout_join_coordinates(v->layout, at);
}

static uint32_t extent(const struct view *v, int which) {
    return v->rank == 1 && which == 0 ? 1 : (uint32_t)layout_extent(v->layout, v->dims[which]);
}

static bool view_of(const struct layout *layout, struct view *v) {
    *v = (struct view){.layout = layout, .rank = layout->rank};
    v->dims[1] = layout->rank - 1;
    v->dims[0] = layout->rank > 1 ? layout->rank - 2 : 0;
    return layout->rank > 0 && layout_invert(layout, &v->inverse);
}

// The box within reach of the bits of an input: a power of two a dimension.
static void reach(const struct view *v, enum layout_input input, uint32_t box[2]) {
    for (unsigned bit = 0; bit < v->layout->bits[input]; bit++) {
        for (int d = 0; d < 2; d++) {
            while (coordinate(v, v->layout->basis[input][bit], d) >= box[d]) {
                box[d] *= 2;
            }
        }
    }
}

// How many times registers, or warps, repeat a box along a dimension.
static uint32_t beyond(const struct view *v, enum layout_input input, const uint32_t box[2], int which) {
    uint32_t times = 1;
    for (unsigned bit = 0; bit < v->layout->bits[input]; bit++) {
        times *= coordinate(v, v->layout->basis[input][bit], which) >= box[which] ? 2 : 1;
    }
    return times;
}

// Threads with one element: bits without a coordinate.
static uint32_t replicas(const struct view *v) {
    uint32_t times = 1;
    for (int input = LAYOUT_LANE; input <= LAYOUT_WARP; input++) {
        for (unsigned bit = 0; bit < v->layout->bits[input]; bit++) {
            times *= v->layout->basis[input][bit] == 0 ? 2 : 1;
        }
    }
    return times;
}

// ---- fields: runs of one owner in a row ----

struct field_style {
    enum layout_input label; // gives a field its number and its colour
    uint32_t step[2];        // elements between neighbouring fields
    double height;
};

static uint32_t owner(const struct view *v, const struct field_style *style, uint32_t row, uint32_t column,
                      uint32_t *warp) {
    struct layout_point at =
        layout_locate(&v->inverse, flat_of(v, row * style->step[0], column * style->step[1]));
    *warp = at.at[LAYOUT_WARP];
    return at.at[style->label];
}

static void add_field(struct strbuf *out, const struct field_style *style, double x, double y, double width,
                      uint32_t number, uint32_t warp) {
    char name[16], text[16];
    snprintf(name, sizeof name, "edge w%u", (style->label == LAYOUT_WARP ? number : number ^ warp) % 8);
    svg_rect(out, x, y, width, style->height, name);
    snprintf(text, sizeof text, "%u", number);
    if (width >= 7 * (double)strlen(text) && style->height >= 12) {
        svg_centred(out, x + width / 2, y + style->height - 4, "small", text);
    }
}

static void add_fields(struct strbuf *out, const struct view *v, const struct field_style *style,
                       uint32_t rows, uint32_t columns, const char *label) {
    double cell = (double)WIDTH / columns;
    cell = cell > 36 ? 36 : cell;
    unsigned rects = 0;
    svg_open(out, cell * columns, rows * style->height, label);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t from = 0, to; from < columns && rects < RECTS_MAX; from = to, rects++) {
            uint32_t warp, other, number = owner(v, style, row, from, &warp);
            for (to = from + 1;
                 to < columns && owner(v, style, row, to, &other) == number && other == warp;) {
                to++;
            }
            add_field(out, style, from * cell, row * style->height, (to - from) * cell, number, warp);
        }
    }
    svg_close(out);
}

// ---- tiles in registers ----

static void say_repeats(struct strbuf *out, const struct view *v, enum layout_input input,
                        const uint32_t box[2], const char *what) {
    uint32_t down = beyond(v, input, box, 0), right = beyond(v, input, box, 1);
    if (down > 1 && right > 1) {
        html_add(out, "; %u × %u %s", down, right, what);
    } else if (down * right > 1) {
        html_add(out, "; %u %s%s", down * right, what,
                 v->rank == 1 ? ""
                 : down > 1   ? " below each other"
                              : " side by side");
    }
}

static void add_distribution(struct strbuf *out, const struct view *v) {
    uint32_t lanes[2] = {1, 1}, all[2];
    reach(v, LAYOUT_LANE, lanes);
    for (int d = 0; d < 2;
         d++) { // lanes without coordinates, as of a vector along the other dimension: registers alone
        lanes[d] = lanes[d] > extent(v, d) ? extent(v, d) : lanes[d];
    }
    if (lanes[0] * lanes[1] == 1) {
        lanes[1] = extent(v, 1) < 8 ? extent(v, 1) : 8;
    }
    memcpy(all, lanes, sizeof all);
    reach(v, LAYOUT_WARP, all);
    struct field_style by_lane = {LAYOUT_LANE, {1, 1}, 16}, by_warp = {LAYOUT_WARP, {lanes[0], lanes[1]}, 8};
    uint32_t rows = lanes[0] < ROWS_MAX ? lanes[0] : ROWS_MAX;
    add_fields(out, v, &by_lane, rows, lanes[1], "lanes");
    if (all[0] * all[1] > lanes[0] * lanes[1]) {
        uint32_t down = all[0] / lanes[0], right = all[1] / lanes[1];
        by_warp.height = down * right <= 16 ? 14 : 6;
        add_fields(out, v, &by_warp, down < ROWS_MAX ? down : ROWS_MAX, right < 64 ? right : 64, "warps");
    }
    html_add(out, "<figcaption>a warp covers %u × %u elements", lanes[0], lanes[1]);
    say_repeats(out, v, LAYOUT_WARP, lanes, "warps");
    say_repeats(out, v, LAYOUT_REGISTER, all, "times more in further registers");
    if (replicas(v) > 1) {
        html_add(out, "; each element in %u threads", replicas(v));
    }
    unsigned elements = layout_registers(v->layout);
    html_add(out, "; %u element%s a thread", elements, elements == 1 ? "" : "s");
}

// ---- tiles in shared memory ----

static void add_shared(struct arena *arena, struct strbuf *out, const struct view *v,
                       unsigned element_bytes) {
    uint32_t pieces[2] = {1, 1};
    unsigned per_piece = PIECE / (element_bytes ? element_bytes : 1);
    int along =
        v->layout->bits[LAYOUT_OFFSET] && coordinate(v, v->layout->basis[LAYOUT_OFFSET][0], 0) ? 0 : 1;
    pieces[along] = per_piece ? per_piece : 1;
    uint32_t columns = extent(v, along) / pieces[along], rows = extent(v, 1 - along);
    columns = columns < 1 ? 1 : columns > 16 ? 16 : columns;
    rows = rows > 8 ? 8 : rows;
    double cell = (double)WIDTH / columns;
    cell = cell > 36 ? 36 : cell;
    svg_open(out, cell * columns, rows * 16, "groups of banks");
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            uint32_t first = column * pieces[along];
            uint32_t flat = along ? flat_of(v, row, first) : flat_of(v, first, row);
            uint32_t group = layout_locate(&v->inverse, flat).at[LAYOUT_OFFSET] * element_bytes / PIECE % 8;
            char name[16], text[16];
            snprintf(name, sizeof name, "edge w%u", group);
            snprintf(text, sizeof text, "%u", group);
            svg_rect(out, column * cell, row * 16, cell, 16, name);
            svg_centred(out, (column + 0.5) * cell, row * 16 + 12, "small", text);
        }
    }
    svg_close(out);
    html_add(out, "<figcaption>the first %s of 16-byte pieces, each with its group of 4 banks (of 8 groups)",
             rows > 1 ? arena_printf(arena, "%u %s", rows, along ? "rows" : "columns")
             : along  ? "row"
                      : "column");
}

static bool draws(const struct report_tile *tile, struct view *v) {
    return layout_size_log2(&tile->layout) > 1 && view_of(&tile->layout, v);
}

static void add_tile(const struct page_part *page, const struct report_tile *tile, const struct view *v,
                     struct strbuf *out) {
    html_add(out, "<figure id=\"p%zuL%u\"><h5>#L%u: %s %s%s</h5>\n", page->number, tile->number, tile->number,
             tile->shape, tile->element, tile->is_shared ? " in shared memory" : "");
    if (tile->is_shared) {
        add_shared(page->arena, out, v, tile->element_bytes);
    } else {
        add_distribution(out, v);
    }
    if (tile->line) {
        html_add(out, "; first at line %u", tile->line);
    }
    strbuf_add(out, ".</figcaption></figure>\n");
}

void page_add_layouts(const struct page_part *page, struct strbuf *out) {
    bool any = false;
    for (size_t k = 0; k < page->part->code->kernel_count; k++) {
        const struct report_kernel *kernel = &page->part->code->kernels[k];
        for (size_t i = 0; i < kernel->tile_count; i++) {
            struct view v;
            unsigned number = kernel->tiles[i].number;
            if (number >= PAGE_LAYOUTS || page->pictured[number] || !draws(&kernel->tiles[i], &v)) {
                continue; // kernels of one module share the numbers
            }
            page->pictured[number] = true;
            if (!any) {
                strbuf_add(
                    out,
                    "<h4>Layouts of tiles</h4>\n<p class=\"quiet\">Which thread holds which element of a "
                    "tile; #L3 names a layout in the rows above and in the tile IR. Accesses are wide where "
                    "a "
                    "thread "
                    "holds neighbours along a row of memory; where one line has two layouts of a tile, its "
                    "elements change threads. In registers: a field is a run of elements that one thread "
                    "holds, with the number of its lane if it has room; the strip below, if there is one, "
                    "has the warps by number. In shared memory: a field is 16 bytes, with the number of its "
                    "group of banks; good if a row or column has all eight. One repetition of each pattern "
                    "is drawn, and the words below it say how many elements a warp covers at once, how the "
                    "warps of "
                    "the block lie beside each other, how often the whole repeats in further registers of "
                    "the same "
                    "threads, and how many elements a thread holds.</p>\n<div class=\"pictures\">\n");
                any = true;
            }
            add_tile(page, &kernel->tiles[i], &v, out);
        }
    }
    strbuf_add(out, any ? "</div>\n" : "");
}
