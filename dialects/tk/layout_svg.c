// Drawings of layouts for --plot: plain SVG 1.1 text, no library.
//
// Both drawings are a grid of the tile: the last dimension runs to the right, all others are stacked
// downwards. A tile larger than MAX_SIDE cells a side is cut, and the drawing says so. Colours are computed
// in integers, to make the text the same on every machine.
#include "dialects/tk/layout.h"

#include <stddef.h>
#include <stdio.h>

#include "support/diag.h"

enum { CELL_WIDTH = 46, CELL_HEIGHT = 28, LEFT = 46, TOP = 62, MAX_SIDE = 128, FOOT = 16 };

struct grid {
    uint32_t rows, columns;             // of the tile
    uint32_t shown_rows, shown_columns; // of the drawing
};

struct colour {
    unsigned red, green, blue;
};

static struct grid grid_of(const struct layout *layout) {
    unsigned size = layout_size_log2(layout);
    unsigned column_bits = layout->rank == 0 ? 0 : layout->log2_shape[layout->rank - 1];
    struct grid grid = {.rows = 1u << (size - column_bits), .columns = 1u << column_bits};
    grid.shown_rows = grid.rows > MAX_SIDE ? MAX_SIDE : grid.rows;
    grid.shown_columns = grid.columns > MAX_SIDE ? MAX_SIDE : grid.columns;
    return grid;
}

static void begin(struct strbuf *out, const struct grid *grid, const char *title,
                  const struct layout *layout) {
    unsigned width = LEFT + grid->shown_columns * CELL_WIDTH + 20;
    unsigned height = TOP + grid->shown_rows * CELL_HEIGHT + FOOT;
    struct strbuf text = {0};
    layout_print(&text, layout);
    unsigned needed = LEFT + 7 * (unsigned)text.length;
    width = width < needed ? needed : width;
    strbuf_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
        "<style>text{font-family:monospace;font-size:9px;text-anchor:middle;fill:#222}"
        ".head{font-size:11px;text-anchor:start}.title{font-size:14px;text-anchor:start;font-weight:bold}"
        "rect{stroke:#fff;stroke-width:1}.touched{fill:none;stroke:#000;stroke-width:2}"
        ".conflict{fill:none;stroke:#d00000;stroke-width:3}</style>\n"
        "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
        width, height, width, height, width, height);
    strbuf_printf(out, "<text class=\"title\" x=\"8\" y=\"18\">%s</text>\n", title);
    strbuf_printf(out, "<text class=\"head\" x=\"8\" y=\"34\">%s</text>\n", strbuf_text(&text));
    strbuf_free(&text);
}

// Row and column numbers; a stacked row shows all its leading coordinates.
static void axes(struct strbuf *out, const struct grid *grid, const struct layout *layout) {
    for (uint32_t column = 0; column < grid->shown_columns; column++) {
        strbuf_printf(out, "<text x=\"%u\" y=\"%u\">%u</text>\n", LEFT + column * CELL_WIDTH + CELL_WIDTH / 2,
                      TOP - 4, column);
    }
    for (uint32_t row = 0; row < grid->shown_rows && layout->rank > 1; row++) {
        uint32_t coordinates[LAYOUT_MAX_RANK];
        layout_split_coordinates(layout, row * grid->columns, coordinates);
        strbuf_printf(out, "<text x=\"%u\" y=\"%u\">", LEFT / 2, TOP + row * CELL_HEIGHT + 17);
        for (unsigned d = 0; d + 1 < layout->rank; d++) {
            strbuf_printf(out, "%s%u", d == 0 ? "" : ",", coordinates[d]);
        }
        strbuf_add(out, "</text>\n");
    }
}

static void end(struct strbuf *out, const struct grid *grid) {
    if (grid->shown_rows < grid->rows || grid->shown_columns < grid->columns) {
        strbuf_printf(out, "<text class=\"head\" x=\"8\" y=\"%u\">the first %u x %u of %u x %u</text>\n",
                      TOP + grid->shown_rows * CELL_HEIGHT + 12, grid->shown_rows, grid->shown_columns,
                      grid->rows, grid->columns);
    }
    strbuf_add(out, "</svg>\n");
}

static void cell(struct strbuf *out, uint32_t row, uint32_t column, struct colour colour, const char *tip,
                 const char *upper, const char *lower) {
    unsigned x = LEFT + column * CELL_WIDTH, y = TOP + row * CELL_HEIGHT;
    strbuf_printf(
        out,
        "<g><title>%s</title><rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#%02x%02x%02x\"/>",
        tip, x, y, CELL_WIDTH, CELL_HEIGHT, colour.red, colour.green, colour.blue);
    strbuf_printf(out, "<text x=\"%u\" y=\"%u\">%s</text><text x=\"%u\" y=\"%u\">%s</text></g>\n",
                  x + CELL_WIDTH / 2, y + 12, upper, x + CELL_WIDTH / 2, y + 23, lower);
}

static void frame(struct strbuf *out, uint32_t row, uint32_t column, const char *class_name) {
    strbuf_printf(out, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n", class_name,
                  LEFT + column * CELL_WIDTH + 2, TOP + row * CELL_HEIGHT + 2, CELL_WIDTH - 4,
                  CELL_HEIGHT - 4);
}

// `strength` of 256 parts of the colour, the rest white.
static struct colour tint(struct colour c, unsigned strength) {
    unsigned white = 255 * (256 - strength);
    return (struct colour){(c.red * strength + white) / 256, (c.green * strength + white) / 256,
                           (c.blue * strength + white) / 256};
}

// Eight colours distinguishable for colour-blind readers.
static struct colour distinct_colour(uint32_t index) {
    static const struct colour colours[8] = {{86, 180, 233}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167},
                                             {240, 228, 66}, {0, 114, 178}, {213, 94, 0},  {140, 140, 140}};
    return colours[index % 8];
}

// ---- the owner of each element ----

void layout_svg_distribution(struct strbuf *out, const struct layout *layout) {
    struct layout_inverse inverse;
    if (!layout_invert(layout, &inverse)) {
        bug("layout: a drawing needs a surjective layout");
    }
    struct grid grid = grid_of(layout);
    unsigned all_bits = 0;
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        all_bits += layout->bits[input];
    }
    unsigned copies = 1u << (all_bits - layout_size_log2(layout));
    unsigned lanes = 1u << layout->bits[LAYOUT_LANE];
    begin(out, &grid, "Distribution: w warp, t lane, r register; colour by warp, darker with the lane",
          layout);
    if (copies > 1) {
        strbuf_printf(
            out,
            "<text class=\"head\" x=\"8\" y=\"48\">each element has %u copies; the owner is shown</text>\n",
            copies);
    }
    axes(out, &grid, layout);
    for (uint32_t row = 0; row < grid.shown_rows; row++) {
        for (uint32_t column = 0; column < grid.shown_columns; column++) {
            struct layout_point place = layout_locate(&inverse, row * grid.columns + column);
            uint32_t reg = place.at[LAYOUT_REGISTER], lane = place.at[LAYOUT_LANE],
                     warp = place.at[LAYOUT_WARP];
            uint32_t block = place.at[LAYOUT_BLOCK];
            char tip[96], upper[32], lower[16];
            snprintf(tip, sizeof tip, "block %u warp %u lane %u register %u", block, warp, lane, reg);
            snprintf(upper, sizeof upper, "w%u t%u", warp, lane);
            snprintf(lower, sizeof lower, "r%u", reg);
            struct colour colour = tint(distinct_colour(warp + block), 80 + 160 * lane / lanes);
            cell(out, row, column, colour, tip, upper, lower);
        }
    }
    end(out, &grid);
}

// ---- banks of shared memory ----

// A bank's colour: once around the colour wheel, pale.
static struct colour bank_colour(unsigned bank, unsigned banks) {
    unsigned hue = bank * 1536 / banks, rise = hue % 256;
    struct colour wheel[6] = {{255, rise, 0},       {255 - rise, 255, 0}, {0, 255, rise},
                              {0, 255 - rise, 255}, {rise, 0, 255},       {255, 0, 255 - rise}};
    return tint(wheel[hue / 256], 90);
}

// True if two accesses of `bytes` touch different words of one bank.
static bool touches_share_bank(uint32_t a, uint32_t b, unsigned bytes, const struct layout_banks *banks) {
    unsigned step = bytes < banks->bank_bytes ? bytes : banks->bank_bytes;
    for (unsigned i = 0; i < bytes; i += step) {
        for (unsigned j = 0; j < bytes; j += step) {
            uint32_t x = (a + i) / banks->bank_bytes, y = (b + j) / banks->bank_bytes;
            if (x != y && x % banks->banks == y % banks->banks) {
                return true;
            }
        }
    }
    return false;
}

// Frames the elements accessed by lane `lane`, in red if a lane of its group accesses another word of the
// same bank.
static void draw_touch(struct strbuf *out, const struct grid *grid, const struct layout *shared,
                       const uint32_t address[], unsigned lane, unsigned group, unsigned bytes,
                       unsigned element_bytes, const struct layout_banks *banks) {
    bool conflict = false;
    for (unsigned other = lane / group * group; other < (lane / group + 1) * group && !conflict; other++) {
        conflict = touches_share_bank(address[lane], address[other], bytes, banks);
    }
    for (unsigned i = 0; i < bytes / element_bytes; i++) {
        uint32_t flat = layout_column(shared, LAYOUT_OFFSET, address[lane] / element_bytes + i);
        uint32_t row = flat / grid->columns, column = flat % grid->columns;
        if (row < grid->shown_rows && column < grid->shown_columns) {
            frame(out, row, column, conflict ? "conflict" : "touched");
        }
    }
}

// The first access of warp 0: its vector registers, all lanes.
static void draw_access(struct strbuf *out, const struct grid *grid, const struct layout *shared,
                        const struct layout *access, unsigned element_bytes, unsigned vector_elements,
                        const struct layout_banks *banks) {
    enum { MAX_LANES = 64 };
    struct layout distinct = layout_remove_replicas(access);
    struct layout map = layout_offset_map(shared, &distinct);
    uint8_t vector_bit[LAYOUT_MAX_BITS];
    unsigned wanted = (unsigned)__builtin_ctz(vector_elements);
    unsigned bytes = element_bytes << layout_offset_vector_bits(&map, wanted, vector_bit);
    unsigned lanes = 1u << map.bits[LAYOUT_LANE];
    unsigned group = banks->group[bytes >= 16 ? 4 : (unsigned)__builtin_ctz(bytes)];
    group = group > lanes ? lanes : group;
    uint32_t address[MAX_LANES];
    for (uint32_t lane = 0; lane < lanes && lane < MAX_LANES; lane++) {
        address[lane] = layout_at(&map, 0, lane, 0) * element_bytes;
    }
    for (uint32_t lane = 0; lane < lanes && lane < MAX_LANES; lane++) {
        draw_touch(out, grid, shared, address, lane, group, bytes, element_bytes, banks);
    }
}

void layout_svg_banks(struct strbuf *out, const struct layout *shared, const struct layout *access,
                      unsigned element_bytes, unsigned vector_elements, const struct layout_banks *banks) {
    struct layout_inverse inverse;
    if (!layout_invert(shared, &inverse)) {
        bug("layout: a drawing needs a surjective layout");
    }
    struct grid grid = grid_of(shared);
    begin(out, &grid, "Shared memory: offset of each element (upper) and its bank (lower, b)", shared);
    if (access != NULL) {
        unsigned extra = layout_bank_conflicts(shared, access, element_bytes, vector_elements, banks);
        strbuf_printf(out,
                      "<text class=\"head\" x=\"8\" y=\"48\">framed: the first access of warp 0, red where "
                      "banks conflict; "
                      "%u wavefronts beyond the ideal in the whole tile</text>\n",
                      extra);
    }
    axes(out, &grid, shared);
    for (uint32_t row = 0; row < grid.shown_rows; row++) {
        for (uint32_t column = 0; column < grid.shown_columns; column++) {
            uint32_t offset = layout_locate(&inverse, row * grid.columns + column).at[LAYOUT_OFFSET];
            unsigned bank = offset * element_bytes / banks->bank_bytes % banks->banks;
            char tip[64], upper[16], lower[16];
            snprintf(tip, sizeof tip, "byte %u, bank %u", offset * element_bytes, bank);
            snprintf(upper, sizeof upper, "%u", offset);
            snprintf(lower, sizeof lower, "b%u", bank);
            cell(out, row, column, bank_colour(bank, banks->banks), tip, upper, lower);
        }
    }
    if (access != NULL) {
        draw_access(out, &grid, shared, access, element_bytes, vector_elements, banks);
    }
    end(out, &grid);
}
