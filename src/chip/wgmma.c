// Texts, constraints and descriptors of warpgroup matrix instructions.
#include "chip/wgmma.h"

#include "support/diag.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "{ .reg .pred keep; setp.ne.b32 keep, ";
static const char opcode[] = ", 0; wgmma.mma_async.sync.aligned.m64n";

static bool is_16_bit(const struct mma *mma) {
    return mma_type_bits(mma->a) == 16;
}

static void compose_text(const struct wgmma *w, struct strbuf *text) {
    unsigned results = wgmma_results(w), next = results * (w->accumulate ? 2 : 1);
    strbuf_printf(text, "%s%d%s%uk%u.%s {", prefix, w->accumulate, opcode, w->columns, w->mma->k,
                  w->mma->types);
    for (unsigned i = 0; i < results; i++) {
        strbuf_printf(text, "%s$%u", i ? ", " : "", i);
    }
    strbuf_printf(text, "}, ");
    if (w->a_in_registers) {
        strbuf_printf(text, "{$%u, $%u, $%u, $%u}", next, next + 1, next + 2, next + 3);
        next += WGMMA_A_WORDS;
    } else {
        strbuf_printf(text, "$%u", next++);
    }
    strbuf_printf(text, ", $%u, keep", next);
    if (w->mma->acc != MMA_I32) {
        strbuf_printf(text, ", 1, 1");
    }
    if (is_16_bit(w->mma)) {
        if (!w->a_in_registers) {
            strbuf_printf(text, ", %d", w->a_rows_fastest);
        }
        strbuf_printf(text, ", %d", w->b_columns_fastest);
    }
    strbuf_printf(text, "; }");
}

void wgmma_compose(const struct wgmma *w, struct strbuf *text, struct strbuf *constraints) {
    compose_text(w, text);
    unsigned results = wgmma_results(w);
    for (unsigned i = 0; i < results; i++) {
        strbuf_printf(constraints, "%s=%c", i ? "," : "", w->mma->acc == MMA_I32 ? 'r' : 'f');
    }
    for (unsigned i = 0; w->accumulate && i < results; i++) {
        strbuf_printf(constraints, ",%u", i);
    }
    strbuf_printf(constraints, w->a_in_registers ? ",r,r,r,r,l" : ",l,l");
}

bool wgmma_parse(const char *text, size_t length, struct wgmma *out) {
    struct wgmma w = {0};
    size_t head = sizeof prefix - 1;
    if (length < head + sizeof opcode || memcmp(text, prefix, head) != 0 ||
        memcmp(text + head + 1, opcode, sizeof opcode - 1) != 0) {
        return false;
    }
    unsigned depth;
    char types[32];
    if (sscanf(text + head + sizeof opcode, "%uk%u.%31[a-z0-9.]", &w.columns, &depth, types) != 3) {
        return false;
    }
    for (unsigned i = 0; i < mma_count && !w.mma; i++) {
        const struct mma *mma = &mma_table[i];
        w.mma = mma->warps > 1 && mma->k == depth && strcmp(mma->types, types) == 0 ? mma : NULL;
    }
    if (!w.mma) {
        return false;
    }
    // What the opcode does not say is tried: each combination has one text.
    for (unsigned choice = 0; choice < 16; choice++) {
        w.accumulate = choice & 1;
        w.a_in_registers = choice & 2;
        w.a_rows_fastest = choice & 4;
        w.b_columns_fastest = choice & 8;
        struct strbuf composed = {0};
        compose_text(&w, &composed);
        bool same = composed.length == length && memcmp(strbuf_text(&composed), text, length) == 0;
        strbuf_free(&composed);
        if (same) {
            *out = w;
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

bool wgmma_is_result(const struct layout *layout) {
    if (!layout || layout->rank != 2 || layout->bits[LAYOUT_WARP] < 2) {
        return false;
    }
    int64_t shape[2] = {layout_extent(layout, 0), layout_extent(layout, 1)};
    const struct mma *mma = mma_find("wgmma.f16", strlen("wgmma.f16"));
    unsigned warps = 1u << layout->bits[LAYOUT_WARP];
    for (unsigned warps_m = mma->warps; warps_m <= warps; warps_m *= 2) {
        struct layout result = mma_layout(mma, MMA_C, 2, shape, warps_m, warps / warps_m);
        if (layout_equal(&result, layout)) {
            return layout_is_injective(layout);
        }
    }
    return false;
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
    unsigned groups = 1u << (layout->bits[LAYOUT_WARP] - 2);
    struct bulk_store_plan plan = {.columns = BULK_STORE_ROW_BYTES / element_bytes,
                                   .blocks = wgmma_result_extent(layout, 0) / WGMMA_ROWS};
    plan.pieces = wgmma_result_extent(layout, 1) / plan.columns;
    plan.columns = plan.pieces > 0 ? plan.columns : 0;
    plan.piece_bytes = plan.blocks * BULK_STORE_BLOCK_BYTES;
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

struct register_shares register_shares(const struct target *target, unsigned num_warps) {
    enum { WARPGROUP_WARPS = 4, PRODUCER = 40, PRODUCER_OF_MANY = 32, MOST = 240 };
    unsigned consumers = num_warps / WARPGROUP_WARPS,
             threads = (num_warps + WARPGROUP_WARPS) * target->warp_size;
    unsigned launched = target->registers_per_sm / threads / 8 * 8;
    unsigned few = consumers >= 3 ? PRODUCER_OF_MANY : PRODUCER;
    unsigned many = (launched * (consumers + 1) - few) / consumers / 8 * 8;
    return (struct register_shares){few, many > MOST ? MOST : many};
}

unsigned wgmma_most_columns(const struct target *target, unsigned num_warps) {
    enum { OTHER_REGISTERS = 32 };
    unsigned registers = register_shares(target, num_warps).consumer, columns = WGMMA_MAX_COLUMNS;
    while (columns / 2 + OTHER_REGISTERS > registers) {
        columns /= 2;
    }
    return columns;
}
