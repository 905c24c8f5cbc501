// Texts, constraints and descriptors of warpgroup matrix instructions.
#include "chip/wgmma.h"

#include "chip/registers.h"
#include "support/diag.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "{ .reg .pred keep; setp.ne.b32 keep, ";
static const char opcode[] = ", 0; wgmma.mma_async.sync.aligned.m64n";

static bool is_16_bit(const struct mma *mma) {
    return mma_type_bits(mma->a) == 16;
}

static unsigned a_words(const struct wgmma_group *g) {
    return g->form.a_in_registers ? WGMMA_A_WORDS : 1;
}

unsigned wgmma_group_a(const struct wgmma_group *g, unsigned step, unsigned row) {
    return (g->form.accumulate ? wgmma_group_results(g) : 0) + (step * g->rows + row) * a_words(g);
}

unsigned wgmma_group_b(const struct wgmma_group *g, unsigned step, unsigned part) {
    return wgmma_group_a(g, g->steps, 0) + step * g->parts + part;
}

unsigned wgmma_group_asked(const struct wgmma_group *g) {
    return wgmma_group_b(g, g->steps, 0);
}

unsigned wgmma_group_arguments(const struct wgmma_group *g) {
    return wgmma_group_asked(g) + g->asks;
}

// Composes one instruction. Results are the first operands of the text, arguments follow.
static void compose_instruction(const struct wgmma_group *g, unsigned step, unsigned row, unsigned part,
                                struct strbuf *text) {
    const struct wgmma *w = &g->form;
    unsigned results = wgmma_results(w), first = (row * g->parts + part) * results;
    unsigned a = wgmma_group_results(g) + wgmma_group_a(g, step, row);
    if (g->asks && step == 0) {
        strbuf_printf(text, "%s$%u", prefix, wgmma_group_results(g) + wgmma_group_asked(g));
    } else {
        strbuf_printf(text, "%s%d", prefix, w->accumulate || step > 0);
    }
    strbuf_printf(text, "%s%uk%u.%s {", opcode, w->columns, w->mma->k, w->mma->types);
    for (unsigned i = 0; i < results; i++) {
        strbuf_printf(text, "%s$%u", i ? ", " : "", first + i);
    }
    if (w->a_in_registers) {
        strbuf_printf(text, "}, {$%u, $%u, $%u, $%u}", a, a + 1, a + 2, a + 3);
    } else {
        strbuf_printf(text, "}, $%u", a);
    }
    strbuf_printf(text, ", $%u, keep", wgmma_group_results(g) + wgmma_group_b(g, step, part));
    if (w->mma->acc != MMA_I32) {
        strbuf_add(text, ", 1, 1");
    }
    if (is_16_bit(w->mma)) {
        if (!w->a_in_registers) {
            strbuf_printf(text, ", %d", w->a_rows_fastest);
        }
        strbuf_printf(text, ", %d", w->b_columns_fastest);
    }
    strbuf_add(text, "; }");
}

static void compose_text(const struct wgmma_group *g, struct strbuf *text) {
    for (unsigned step = 0; step < g->steps; step++) {
        for (unsigned block = 0; block < g->rows * g->parts; block++) {
            strbuf_add(text, step + block > 0 ? "\n\t" : "");
            compose_instruction(g, step, block / g->parts, block % g->parts, text);
        }
    }
}

// Outputs are early-clobber: results are written before the last operands are read.
void wgmma_compose(const struct wgmma_group *g, struct strbuf *text, struct strbuf *constraints) {
    compose_text(g, text);
    unsigned results = wgmma_group_results(g);
    for (unsigned i = 0; i < results; i++) {
        strbuf_printf(constraints, "%s=&%c", i ? "," : "", g->form.mma->acc == MMA_F32 ? 'f' : 'r');
    }
    for (unsigned i = 0; g->form.accumulate && i < results; i++) {
        strbuf_printf(constraints, ",%u", i);
    }
    for (unsigned i = wgmma_group_a(g, 0, 0); i < wgmma_group_arguments(g); i++) {
        bool is_word = (g->form.a_in_registers && i < wgmma_group_b(g, 0, 0)) || i == wgmma_group_asked(g);
        strbuf_add(constraints, is_word ? ",r" : ",l");
    }
}

// The text after the first opcode of a composed text; NULL for other texts.
static const char *first_opcode(const char *text, size_t length) {
    size_t head = sizeof prefix - 1;
    if (length <= head || memcmp(text, prefix, head) != 0) {
        return NULL;
    }
    head += strspn(text + head, "$0123456789");
    bool is_one = length >= head + sizeof opcode && memcmp(text + head, opcode, sizeof opcode - 1) == 0;
    return is_one ? text + head + sizeof opcode - 1 : NULL;
}

// Parses the first instruction: the form except for the order of operands, and the numbers of steps, rows and
// parts.
static bool parse_first(const char *text, const char *first, struct wgmma_group *g) {
    size_t head = sizeof prefix - 1;
    unsigned depth, a, b, instructions = 0;
    char types[32];
    if (sscanf(first, "%uk%u.%31[a-z0-9.]", &g->form.columns, &depth, types) != 3) {
        return false;
    }
    for (unsigned i = 0; i < mma_count && !g->form.mma; i++) {
        const struct mma *mma = &mma_table[i];
        g->form.mma = mma->warps > 1 && mma->k == depth && strcmp(mma->types, types) == 0 ? mma : NULL;
    }
    const char *operands = strchr(first, '}'), *last = operands;
    g->asks = text[head] == '$';
    g->form.accumulate = g->asks || text[head] == '1';
    g->form.a_in_registers = operands && strncmp(operands, "}, {", 4) == 0;
    last = g->form.a_in_registers ? strstr(operands + 1, "}, $") : operands; // B stands behind A
    if (!g->form.mma || !operands || !last ||
        sscanf(operands, g->form.a_in_registers ? "}, {$%u" : "}, $%u", &a) != 1 ||
        sscanf(last, g->form.a_in_registers ? "}, $%u" : "}, $%*u, $%u", &b) != 1) {
        return false;
    }
    for (const char *at = text; (at = strstr(at, opcode)); at++) {
        instructions++;
    }
    unsigned blocks =
        a / (g->form.accumulate ? 2 : 1) / (wgmma_results(&g->form) ? wgmma_results(&g->form) : 1);
    g->steps = blocks ? instructions / blocks : 0;
    g->rows = g->steps ? (b - a) / (g->form.a_in_registers ? WGMMA_A_WORDS : 1) / g->steps : 0;
    g->parts = g->rows ? blocks / g->rows : 0;
    return g->parts > 0;
}

bool wgmma_is_product(const char *text, size_t length) {
    return first_opcode(text, length);
}

bool wgmma_parse(const char *text, size_t length, struct wgmma_group *out) {
    struct wgmma_group g = {0};
    const char *first = first_opcode(text, length);
    if (!first || !parse_first(text, first, &g)) {
        return false;
    }
    // Tries each order of operands: each has one text.
    for (unsigned choice = 0; choice < 4; choice++) {
        g.form.a_rows_fastest = choice & 1;
        g.form.b_columns_fastest = choice & 2;
        struct strbuf composed = {0};
        compose_text(&g, &composed);
        bool same = composed.length == length && memcmp(strbuf_text(&composed), text, length) == 0;
        strbuf_free(&composed);
        if (same) {
            *out = g;
            return true;
        }
    }
    return false;
}

static const char fence[] = "wgmma.fence.sync.aligned;";
static const char wait[] = "wgmma.wait_group.sync.aligned ";

void wgmma_order_compose(int pending, unsigned accumulators, char class, unsigned words, struct strbuf *text,
                         struct strbuf *constraints) {
    if (pending < 0) {
        strbuf_add(text, fence);
    } else {
        strbuf_printf(text, "%s%d;", wait, pending);
    }
    for (unsigned i = 0; i < accumulators + words; i++) {
        strbuf_printf(constraints, "%s=%c", i ? "," : "", i < accumulators ? class : 'r');
    }
    for (unsigned i = 0; i < accumulators + words; i++) {
        strbuf_printf(constraints, ",%u", i);
    }
}

bool wgmma_order_parse(const char *text, size_t length, int *pending) {
    if (length == sizeof fence - 1 && memcmp(text, fence, length) == 0) {
        *pending = -1;
        return true;
    }
    return length > sizeof wait && memcmp(text, wait, sizeof wait - 1) == 0 &&
           sscanf(text + sizeof wait - 1, "%d", pending) == 1;
}

// ---- results ----

static bool is_result_of(const struct mma *mma, const struct layout *layout) {
    int64_t shape[2] = {layout_extent(layout, 0), layout_extent(layout, 1)};
    unsigned warps = 1u << layout->bits[LAYOUT_WARP];
    for (unsigned warps_m = mma->warps; warps_m <= warps; warps_m *= 2) {
        struct layout result = mma_layout(mma, MMA_C, 2, shape, warps_m, warps / warps_m);
        if (layout_equal(&result, layout)) {
            return layout_is_injective(layout);
        }
    }
    return false;
}

bool wgmma_is_result(const struct layout *layout) {
    static const char *const names[] = {"wgmma.f16", "tcgen05.f16"}; // of one shape each, for all types
    bool is = false;
    for (size_t i = 0; i < 2 && layout && layout->rank == 2 && layout->bits[LAYOUT_WARP] >= 2; i++) {
        is |= is_result_of(mma_find(names[i], strlen(names[i])), layout);
    }
    return is;
}

unsigned wgmma_result_rows(const struct layout *layout) {
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    layout_split_coordinates(layout, layout->basis[LAYOUT_WARP][0], at);
    return at[0];
}

unsigned wgmma_result_register(const struct layout *layout, uint32_t row, uint32_t column) {
    uint32_t flat = layout_join_coordinates(layout, (uint32_t[LAYOUT_MAX_RANK]){row, column}), found = 0;
    for (unsigned bit = 0; bit < layout->bits[LAYOUT_REGISTER]; bit++) {
        uint32_t basis = layout->basis[LAYOUT_REGISTER][bit]; // one coordinate bit each
        if (flat & basis) {
            found |= 1u << bit;
            flat ^= basis;
        }
    }
    if (flat) {
        bug("wgmma: element (%u, %u) is not in its thread", row, column);
    }
    return found;
}

uint32_t wgmma_result_extent(const struct layout *layout, unsigned dim) {
    uint32_t extent = (uint32_t)layout_extent(layout, dim);
    for (unsigned bit = 2; bit < layout->bits[LAYOUT_WARP]; bit++) {
        extent >>= (layout->basis[LAYOUT_WARP][bit] & layout_dim_mask(layout, dim)) != 0;
    }
    return extent;
}

struct bulk_store_plan bulk_store_plan(const struct layout *layout, unsigned element_bytes) {
    unsigned groups = 1u << (layout->bits[LAYOUT_WARP] - 2), rows = wgmma_result_extent(layout, 0);
    struct bulk_store_plan plan = {.columns = BULK_STORE_ROW_BYTES / element_bytes,
                                   .block_rows = rows < WGMMA_ROWS ? rows : WGMMA_ROWS};
    plan.blocks = rows / plan.block_rows;
    plan.pieces = wgmma_result_extent(layout, 1) / plan.columns;
    plan.columns = plan.pieces > 0 ? plan.columns : 0;
    plan.piece_bytes = rows * BULK_STORE_ROW_BYTES;
    plan.buffers = plan.pieces % 2 == 0 && 2 * groups * plan.piece_bytes <= BULK_STORE_LIMIT ? 2 : 1;
    plan.warpgroup_bytes = plan.buffers * plan.piece_bytes;
    plan.bytes = groups * plan.warpgroup_bytes;
    return plan;
}

// ---- shared operands ----

enum { GROUP = 8 }; // rows of a swizzle pattern

bool wgmma_shared_layout(const int64_t shape[2], unsigned fastest, unsigned element_bytes,
                         struct layout *layout) {
    int64_t row = shape[fastest] * element_bytes;
    unsigned swizzle = row >= 128 ? 128 : row >= 64 ? 64 : 32;
    if (row < 32 || shape[1 - fastest] < GROUP) {
        return false;
    }
    *layout = layout_tma_shared(2, shape, (unsigned[]){fastest, 1 - fastest}, element_bytes, swizzle);
    return true;
}

bool wgmma_operand_of(const struct layout *shared, unsigned element_bytes, struct wgmma_operand *operand) {
    if (shared->rank != 2) {
        return false;
    }
    int64_t shape[2] = {layout_extent(shared, 0), layout_extent(shared, 1)};
    for (unsigned fastest = 0; fastest < 2; fastest++) {
        struct layout canonical;
        if (wgmma_shared_layout(shape, fastest, element_bytes, &canonical) &&
            layout_equal(&canonical, shared)) {
            int64_t row = shape[fastest] * element_bytes;
            operand->swizzle = row >= 128 ? 128 : (unsigned)row;
            operand->rows_fastest = fastest == 0;
            operand->stride = GROUP * operand->swizzle;
            operand->leading = (unsigned)shape[1 - fastest] * operand->swizzle; // of 128-byte chunks
            return true;
        }
    }
    return false;
}

uint64_t wgmma_descriptor(const struct wgmma_operand *operand) {
    uint64_t mode = operand->swizzle == 128 ? 1 : operand->swizzle == 64 ? 2 : 3;
    return (uint64_t)(operand->leading >> 4 & 0x3fff) << 16 |
           (uint64_t)(operand->stride >> 4 & 0x3fff) << 32 | mode << 62;
}

unsigned wgmma_most_columns(const struct target *target, unsigned num_warps, unsigned limit) {
    enum { LEAST_COLUMNS = 8 };
    unsigned registers = registers_specialised(target, num_warps, PRODUCER_COPIES, 1).consumer;
    unsigned columns = WGMMA_MAX_COLUMNS, beside = registers_reserved(RESERVE_WARPGROUP_PRODUCT);
    registers = limit > 0 && limit < registers ? limit : registers;
    while (columns / 2 + beside > registers && columns > LEAST_COLUMNS) {
        columns /= 2;
    }
    return columns;
}
