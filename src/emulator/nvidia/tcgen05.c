// Tensor memory and its products, tcgen05 (PTX ISA 8.6, section 9.7.16). Bit fields of descriptors are read here from the
// published tables alone, apart from the code that writes them (chip/tcgen05.c).
//
// One thread issues products; each is done as late as the rules allow: when a thread waits for the phase of an mbarrier at
// which a later commit of the issuing thread arrives. Until then its cells are BUSY, and its operands in shared memory are held.
//
// Order. Each access to a cell has a moment. A warp orders others' accesses before its own if it knows a later moment of
// theirs: a view carries it through barriers and mbarriers (struct view, `tensor`). fence::before_thread_sync puts the
// warp's own moment into its view, up to its first load or store that no wait covers; fence::after_thread_sync makes what
// the view holds count for the warp's accesses to tensor memory. A commit implies fence::before_thread_sync.
#include "emulator/nvidia/tcgen05.h"

#include <stdlib.h>

#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/number/number.h"
#include "emulator/nvidia/nvidia.h"
#include "emulator/report/report.h"
#include "support/memory.h"

enum { LEAST_COLUMNS = 32, WARP_LANES = TMEM_WARP_LANES, SCALE_COLUMNS = 4, ROWS = TMEM_ROWS };

// ---- order ----

// All of the warp's loads and stores before this moment are waited for.
static uint32_t own_moment(const struct warp *warp) {
    uint32_t moment = warp->block->tmem ? warp->block->tmem->moment + 1 : 1;
    moment = warp->tmem_load && warp->tmem_load < moment ? warp->tmem_load : moment;
    return warp->tmem_store && warp->tmem_store < moment ? warp->tmem_store : moment;
}

void exec_tmem_before(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    uint32_t own = own_moment(warp), *known = &warp->view.tensor[warp->index];
    *known = own > *known ? own : *known;
}

void exec_tmem_after(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    memcpy(warp->tmem_known, warp->view.tensor, sizeof warp->tmem_known);
}

// ---- allocation ----

// Blocks of one launch use instructions of a pair, or of single blocks.
static bool fits_launch(struct warp *warp, const struct instr *in, unsigned lane) {
    bool pair = in->immediate & TMEM_PAIR;
    if (pair == (warp->run->cluster > 1)) {
        return true;
    }
    TENSOR_FAULT(warp, in, lane, NULL, NULL,
                 pair ? "cta_group::2 in a launch without clusters of two blocks"
                      : "cta_group::1 in a cluster, which the emulator does not model");
    return false;
}

// All lanes of the warp or none, by the predicate.
static bool takes_part(struct warp *warp, const struct instr *in, unsigned predicate) {
    lane_mask lanes = lanes_where(warp, &in->operands[predicate]);
    if (!collective_check(warp, in, warp->full)) {
        warp->state = WARP_FAULT;
        return false;
    }
    if (lanes && lanes != warp->full) {
        TENSOR_FAULT(warp, in, 0, NULL, NULL, "some lanes of the warp take part, and others do not");
        return false;
    }
    return lanes != 0;
}

// The highest free columns, so that addresses of an allocation are seldom 0.
static bool find_columns(const struct tmem *tmem, unsigned rank, uint32_t columns, uint32_t *first) {
    for (uint32_t at = TMEM_COLUMNS - columns + 1; at-- > 0;) {
        bool is_free = at % columns == 0;
        for (unsigned i = 0; i < tmem->allocation_count && is_free; i++) {
            const struct tmem_allocation *other = &tmem->allocations[i];
            is_free =
                other->rank != rank || at + columns <= other->first || other->first + other->columns <= at;
        }
        if (is_free) {
            *first = at;
            return true;
        }
    }
    return false;
}

static void set_state(struct warp *warp, const struct instr *in, uint32_t first, uint32_t columns,
                      enum tmem_state state) {
    struct tmem *tmem = warp->block->tmem;
    tmem->moment++;
    for (uint32_t lane = tmem_first_lane(warp); lane < tmem_first_lane(warp) + TMEM_LANES; lane++) {
        for (uint32_t column = first; column < first + columns; column++) {
            tmem->cells[lane * TMEM_COLUMNS + column] = (struct tmem_cell){.word = 0xffffffff,
                                                                           .state = (uint8_t)state,
                                                                           .written = tmem->moment,
                                                                           .write_instr = in->index + 1,
                                                                           .writer = (uint8_t)warp->index};
        }
    }
}

// Operands: shared address, columns, predicate.
void exec_tmem_alloc(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    if (!takes_part(warp, in, 2) || !fits_launch(warp, in, 0)) {
        return;
    }
    struct tmem *tmem = tmem_of(warp->block);
    uint32_t columns = (uint32_t)tmem_operand(warp, in, 1, 0), first, least = tmem->least_columns[warp->rank];
    const char *fault = columns < LEAST_COLUMNS || columns > TMEM_COLUMNS || (columns & (columns - 1))
                            ? "the number of columns is no power of two from 32 to 512"
                        : tmem->relinquished[warp->rank] ? "the block has given up its permit"
                        : least && columns > least       ? "an allocation is larger than one before"
                        : tmem->allocation_count == TMEM_ALLOCATIONS ? "the emulator has no more allocations"
                        : !find_columns(tmem, warp->rank, columns, &first)
                            ? "the block waits for columns that it holds itself"
                            : NULL;
    if (fault) {
        TENSOR_FAULT(warp, in, 0, NULL, NULL, "takes %u columns of tensor memory: %s", columns, fault);
        return;
    }
    tmem->allocations[tmem->allocation_count++] =
        (struct tmem_allocation){first, columns, in, warp->index, warp->rank};
    tmem->least_columns[warp->rank] = columns;
    tmem->takes[warp->rank]++;
    set_state(warp, in, first, columns, TMEM_EMPTY);
    memory_write(warp, in, 0, tmem_operand(warp, in, 0, 0), SPACE_SHARED, sizeof first, sizeof first, &first);
}

void exec_tmem_relinquish(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    if (takes_part(warp, in, 0) && fits_launch(warp, in, 0)) {
        tmem_of(warp->block)->relinquished[warp->rank] = true;
    }
}

// Of a pair what either block does with its columns, as the blocks free them together.
static bool check_over(struct warp *warp, const struct instr *in, uint32_t first, uint32_t columns) {
    for (uint32_t lane = 0; lane < TMEM_LANES * warp->run->cluster; lane++) {
        for (uint32_t column = first; column < first + columns; column++) {
            const struct tmem_cell *cell = &warp->block->tmem->cells[lane * TMEM_COLUMNS + column];
            if (cell->state == TMEM_FREE) {
                continue; // the other block's warp came first
            }
            if (!tmem_check_idle(warp, in, 0, cell, "frees") ||
                !tmem_check_written_before(warp, in, 0, cell, "frees") ||
                !tmem_check_loaded_before(warp, in, 0, cell, "frees") ||
                !tmem_check_left_before(warp, in, 0, cell, "frees", false)) {
                return false;
            }
        }
    }
    return true;
}

// Operands: address, columns, predicate.
void exec_tmem_free(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    if (!takes_part(warp, in, 2) || !fits_launch(warp, in, 0)) {
        return;
    }
    struct tmem *tmem = tmem_of(warp->block);
    uint32_t address = (uint32_t)tmem_operand(warp, in, 0, 0),
             columns = (uint32_t)tmem_operand(warp, in, 1, 0);
    for (unsigned i = 0; i < tmem->allocation_count; i++) {
        if (tmem->allocations[i].first == address && tmem->allocations[i].columns == columns &&
            tmem->allocations[i].rank == warp->rank) {
            if (check_over(warp, in, address, columns)) {
                set_state(warp, in, address, columns, TMEM_FREE);
                tmem->allocations[i] = tmem->allocations[--tmem->allocation_count];
                tmem->frees[warp->rank]++;
            }
            return;
        }
    }
    TENSOR_FAULT(warp, in, 0, NULL, NULL,
                 "frees %u columns at 0x%x of tensor memory, which no allocation has", columns, address);
}

// A warp of each block takes and frees a pair's memory: alone, one would wait for ever.
static void end_pair(struct block *block) {
    const struct tmem *tmem = block->tmem;
    if (tmem->takes[0] != tmem->takes[1] || tmem->frees[0] != tmem->frees[1]) {
        const struct warp *warp = &block->warps[0];
        report_at(&block->warps[0], &warp->kernel->code[warp->pc - 1], 0, FAULT_TENSOR, NULL, NULL,
                  "blocks of a pair take tensor memory %u and %u times, and free it %u and %u times: they do "
                  "it together",
                  tmem->takes[0], tmem->takes[1], tmem->frees[0], tmem->frees[1]);
    }
}

static void end_memory(struct block *block) {
    const struct tmem *tmem = block->tmem;
    if (block->run->cluster > 1) {
        end_pair(block);
    }
    for (unsigned i = 0; i < tmem->allocation_count; i++) {
        const struct tmem_allocation *leaked = &tmem->allocations[i];
        report_at(&block->warps[leaked->warp], leaked->in, 0, FAULT_TENSOR, NULL, NULL,
                  "the program ends with %u columns of tensor memory that it has not freed", leaked->columns);
    }
}

// A block of a pair ends: what the other one's thread has issued may still reach it.
static void leave(struct block *block, unsigned rank) {
    const struct tmem *tmem = block->tmem;
    const struct tmem_commit *commit = NULL;
    for (unsigned i = 0; i < tmem->commit_count && !commit; i++) {
        uint32_t offset = block->mbarriers[tmem->commits[i].mbarrier].offset;
        commit = offset / block->run->shared_span == rank ? &tmem->commits[i] : NULL;
    }
    if (commit) {
        report_at(&block->warps[commit->warp], commit->in, commit->lane, FAULT_TENSOR, NULL, NULL,
                  "block %u of the cluster ends while this commit is on its way to its mbarrier; wait there, "
                  "then meet",
                  rank);
    } else if (tmem->product_count) {
        const struct tmem_product *product = &tmem->products[0];
        report_at(&block->warps[product->warp], product->in, product->lane, FAULT_TENSOR, NULL, NULL,
                  "block %u of the cluster ends before this product is done", rank);
    }
    block->failed |= commit || tmem->product_count;
}

// ---- products ----

static enum tmem_kind kind_of(const struct instr *in) {
    return (enum tmem_kind)(in->immediate & ~(uint64_t)(TMEM_LEFT | TMEM_PAIR));
}

static bool is_scaled(const struct instr *in) {
    return kind_of(in) >= TMEM_MXF8F6F4;
}

// Of the instruction descriptor: bits 4–5 D, 7–9 A, 10–12 B, 15 and 16 the operands' orders, 17–22 N / 8, 24–28 M / 16.
static const char *read_form(enum tmem_kind kind, bool pair, uint32_t bits, struct tmem_form *form) {
    static const struct {
        unsigned depth, types;
        enum matrix_type type[3];
    } kinds[] = {[TMEM_F16] = {16, 2, {MATRIX_F16, MATRIX_BF16}},
                 [TMEM_TF32] = {8, 3, {MATRIX_S32, MATRIX_S32, MATRIX_TF32}},
                 [TMEM_F8F6F4] = {32, 2, {MATRIX_E4M3, MATRIX_E5M2}},
                 [TMEM_I8] = {32, 2, {MATRIX_U8, MATRIX_S8}}};
    static const enum matrix_type results[] = {MATRIX_F16, MATRIX_F32, MATRIX_S32};
    if (kind >= TMEM_MXF8F6F4) {
        return tmem_read_scaled_form(kind, pair, bits, form);
    }
    unsigned a = bits >> 7 & 7, b = bits >> 10 & 7, d = bits >> 4 & 3, rows = (bits >> 24 & 31) * 16;
    if (bits & 0xe080604f) {
        return "has a bit set that the emulator does not model";
    }
    if (a >= kinds[kind].types || b >= kinds[kind].types || d > 2 ||
        (kind == TMEM_I8) != (results[d] == MATRIX_S32) || results[d] == MATRIX_F16 ||
        (kind == TMEM_TF32 && (a != 2 || b != 2))) {
        return "has types that the kind does not have, or that the emulator does not model";
    }
    *form = (struct tmem_form){.a = kinds[kind].type[a],
                               .b = kinds[kind].type[b],
                               .result = results[d],
                               .rows = rows,
                               .depth = kinds[kind].depth,
                               .columns = (bits >> 17 & 63) * 8,
                               .a_rows_fastest = bits >> 15 & 1,
                               .b_columns_fastest = bits >> 16 & 1};
    unsigned unit = pair && matrix_bits(form->a) == 8 ? 32 : 16;
    if (rows != (pair ? TMEM_PAIR_ROWS : ROWS) || form->columns < unit || form->columns > 256 ||
        form->columns % unit) {
        return "has a shape that no product has, or that the emulator does not model";
    }
    if ((form->a_rows_fastest || form->b_columns_fastest) && matrix_bits(form->a) != 16) {
        return "has operands that are contiguous along rows of A or columns of B, which tkc has of 16 bits "
               "alone";
    }
    return NULL;
}

static unsigned parts_of(const struct tmem_product *product) {
    return product->pair ? 2 : 1;
}

// Locates an operand's part in block `rank` of the cluster: all, or half of a pair's rows of A and columns of B. Bits 46–48 of its
// descriptor are 1; 61–63 the swizzle: 2, 4, 6 are wgmma's 1, 2, 3.
static bool locate(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form,
                   bool is_b, unsigned rank, struct shared_operand *operand) {
    uint64_t bits = is_b ? product->b : product->a;
    enum { VERSION_AT = 46, ODD_SWIZZLE_AT = 61, UNUSED_AT = 52 };
    if ((bits >> VERSION_AT & 7) != 1 || bits >> ODD_SWIZZLE_AT & 1 || bits >> UNUSED_AT & 0x1ff) {
        report_at(
            warp, product->in, product->lane, FAULT_DESCRIPTOR, NULL, NULL,
            "matrix descriptor 0x%016llx is none of tcgen05, or has a mode that the emulator does not model",
            (unsigned long long)bits);
        return false;
    }
    operand->rows = is_b ? form->columns / parts_of(product) : ROWS;
    bool packed = (is_b ? form->b : form->a) == MATRIX_E2M1;
    operand->depth = packed ? form->depth / 2 : form->depth;
    operand->element_bytes = packed ? 1 : matrix_bits(is_b ? form->b : form->a) / 8;
    operand->rows_fastest = is_b ? form->b_columns_fastest : form->a_rows_fastest;
    if (!operand_locate(warp, product->in, bits, 0, operand)) {
        return false;
    }
    for (unsigned i = 0; i < operand->chunk_count; i++) {
        operand->chunks[i] += rank * warp->run->shared_span;
    }
    return true;
}

static void hold_chunks(struct warp *warp, const struct tmem_product *product,
                        const struct shared_operand *operand) {
    for (unsigned i = 0; i < operand->chunk_count && warp->block->shadow; i++) {
        shadow_hold(warp, product->in, product->lane, operand->chunks[i]);
    }
}

// The same chunks of the cluster's next block.
static void go_to_next_block(const struct warp *warp, struct shared_operand *operand) {
    for (unsigned i = 0; i < operand->chunk_count; i++) {
        operand->chunks[i] += warp->run->shared_span;
    }
}

static bool hold(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form) {
    struct shared_operand operand;
    for (unsigned part = 0; part < 2 * parts_of(product); part++) {
        if (product->left && !(part & 1)) {
            continue;
        }
        if (!locate(warp, product, form, part & 1, part / 2, &operand)) {
            return false;
        }
        hold_chunks(warp, product, &operand);
    }
    return true;
}

static uint16_t thread_of(const struct warp *warp, const struct tmem_product *product) {
    return (uint16_t)(product->warp * warp->lanes + product->lane);
}

// True if a cell may be written by the product: products of one thread are in order by themselves.
static bool check_target(struct warp *warp, const struct tmem_product *product,
                         const struct tmem_cell *cell) {
    const char *what = product->adds ? "adds to" : "overwrites";
    bool by_product = cell->state == TMEM_BUSY || cell->writer == AGENT_TENSOR;
    // Also if that product is done by now, and the thread has not heard of it.
    bool own_left = (cell->left || cell->left_read) && cell->issuer == thread_of(warp, product);
    if (!tmem_check_left_before(warp, product->in, product->lane, cell, what, own_left)) {
        return false;
    }
    if (by_product && cell->issuer == thread_of(warp, product)) {
        return tmem_check_loaded_before(warp, product->in, product->lane, cell, what);
    }
    if (product->adds && cell->state == TMEM_EMPTY) {
        TENSOR_FAULT(warp, product->in, product->lane, NULL, NULL,
                     "adds to tensor memory that nothing has written");
        return false;
    }
    return tmem_check_idle(warp, product->in, product->lane, cell, what) &&
           tmem_check_written_before(warp, product->in, product->lane, cell, what) &&
           tmem_check_loaded_before(warp, product->in, product->lane, cell, what);
}

// The cells of A in tensor memory: row i in lane i, two elements to a column.
static bool take_left(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form) {
    uint32_t first = product->a & 0xffff, top = (uint32_t)product->a >> 16;
    if (top || form->a_rows_fastest) {
        TENSOR_FAULT(warp, product->in, product->lane, NULL, NULL,
                     "a left operand in tensor memory begins at lane %u, or is contiguous along its rows",
                     top);
        return false;
    }
    for (uint32_t lane = 0; lane < form->rows; lane++) {
        for (uint32_t column = first; column < first + form->depth / 2; column++) {
            struct tmem_cell *cell = tmem_cell_at(warp, product->in, product->lane, lane, column);
            if (!cell || !tmem_check_idle(warp, product->in, product->lane, cell, "multiplies") ||
                !tmem_check_written_before(warp, product->in, product->lane, cell, "multiplies")) {
                return false;
            }
            if (cell->state == TMEM_EMPTY) {
                TENSOR_FAULT(warp, product->in, product->lane, NULL, NULL,
                             "multiplies tensor memory that nothing has written");
                return false;
            }
            cell->left = product->number;
            cell->left_instr = product->in->index + 1;
            cell->issuer = thread_of(warp, product);
        }
    }
    return true;
}

static bool take_cells(struct warp *warp, const struct tmem_product *product, unsigned columns) {
    uint32_t first = product->address & 0xffff, top = product->address >> 16;
    if (top) {
        TENSOR_FAULT(warp, product->in, product->lane, NULL, NULL,
                     "a product of 128 rows a block begins at lane %u", top);
        return false;
    }
    for (uint32_t lane = 0; lane < ROWS * parts_of(product); lane++) {
        for (uint32_t column = first; column < first + columns; column++) {
            struct tmem_cell *cell = tmem_cell_at(warp, product->in, product->lane, lane, column);
            if (!cell || !check_target(warp, product, cell)) {
                return false;
            }
            cell->state = TMEM_BUSY;
            cell->product = product->number;
            cell->issuer = thread_of(warp, product);
            cell->write_instr = product->in->index + 1;
        }
    }
    return true;
}

static void add_product(struct tmem *tmem, const struct tmem_product *product) {
    tmem->products =
        memory_grown(tmem->products, tmem->product_count, &tmem->product_capacity, sizeof *product);
    tmem->products[tmem->product_count++] = *product;
}

// Operands: address, descriptor. Scales come to 4 columns.
void exec_tmem_copy_scales(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    unsigned threads = (unsigned)__builtin_popcountll(warp->mask),
             lane = (unsigned)__builtin_ctzll(warp->mask);
    struct tmem *tmem = tmem_of(warp->block);
    struct shared_operand operand;
    if (threads != 1) {
        TENSOR_FAULT(warp, in, lane, NULL, NULL, "a copy to tensor memory is one thread's, and %u issue it",
                     threads);
        return;
    }
    if (!fits_launch(warp, in, lane)) {
        return;
    }
    struct tmem_product copy = {.in = in,
                                .a = tmem_operand(warp, in, 1, lane),
                                .number = ++tmem->issued,
                                .address = (uint32_t)tmem_operand(warp, in, 0, lane),
                                .warp = warp->index,
                                .lane = (uint8_t)lane,
                                .copies = true,
                                .pair = in->immediate & TMEM_PAIR};
    if (!tmem_locate_scales(warp, in, lane, copy.a, &operand) || !take_cells(warp, &copy, SCALE_COLUMNS)) {
        warp->state = WARP_FAULT;
        return;
    }
    for (unsigned rank = 0; rank < parts_of(&copy); rank++) {
        hold_chunks(warp, &copy, &operand);
        go_to_next_block(warp, &operand);
    }
    add_product(tmem, &copy);
}

// Operands: address, descriptors of A and B, instruction descriptor, addresses of scales if the kind has them, predicate.
void exec_tmem_multiply(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    unsigned threads = (unsigned)__builtin_popcountll(warp->mask),
             lane = (unsigned)__builtin_ctzll(warp->mask);
    struct tmem *tmem = tmem_of(warp->block);
    if (threads != 1) {
        TENSOR_FAULT(warp, in, lane, NULL, NULL, "a product is one thread's, and %u issue it", threads);
        return;
    }
    if (!fits_launch(warp, in, lane)) {
        return;
    }
    if (warp->rank) {
        TENSOR_FAULT(warp, in, lane, NULL, NULL,
                     "a pair's product is the even block's, and the odd one issues it");
        return;
    }
    struct tmem_product product = {.in = in,
                                   .a = tmem_operand(warp, in, 1, lane),
                                   .b = tmem_operand(warp, in, 2, lane),
                                   .number = ++tmem->issued,
                                   .instruction = (uint32_t)tmem_operand(warp, in, 3, lane),
                                   .address = (uint32_t)tmem_operand(warp, in, 0, lane),
                                   .warp = warp->index,
                                   .lane = (uint8_t)lane,
                                   .adds = tmem_operand(warp, in, is_scaled(in) ? 6 : 4, lane) & 1,
                                   .left = in->immediate & TMEM_LEFT,
                                   .pair = in->immediate & TMEM_PAIR};
    if (is_scaled(in)) {
        product.a_scale = (uint32_t)tmem_operand(warp, in, 4, lane);
        product.b_scale = (uint32_t)tmem_operand(warp, in, 5, lane);
    }
    struct tmem_form form;
    const char *fault = read_form(kind_of(in), product.pair, product.instruction, &form);
    if (fault) {
        report_at(warp, in, lane, FAULT_DESCRIPTOR, NULL, NULL, "instruction descriptor 0x%08x %s",
                  product.instruction, fault);
        warp->state = WARP_FAULT;
        return;
    }
    bool scaled = form.groups > 0;
    if (!hold(warp, &product, &form) || (product.left && !take_left(warp, &product, &form)) ||
        (scaled && (!tmem_take_scales(warp, &product, &form, false) ||
                    !tmem_take_scales(warp, &product, &form, true))) ||
        !take_cells(warp, &product, form.columns)) {
        warp->state = WARP_FAULT;
        return;
    }
    add_product(tmem, &product);
    warp->statistics.matrix_operations += 2ull * form.rows * form.columns * form.depth;
}

// A commit to the mbarrier. False after a report.
static bool commit_to(struct warp *warp, const struct instr *in, unsigned lane, struct mbarrier *barrier) {
    struct tmem *tmem = warp->block->tmem;
    if (!barrier) {
        return false;
    }
    if (barrier->arrived + barrier->commits >= barrier->expected) {
        report_at(
            warp, in, lane, FAULT_MBARRIER, NULL, NULL,
            "commits to the mbarrier at shared memory byte %u, whose phase %u has all of its %u arrivals",
            barrier->offset, barrier->phase, barrier->expected);
        warp->state = WARP_FAULT;
        return false;
    }
    tmem->commits =
        memory_grown(tmem->commits, tmem->commit_count, &tmem->commit_capacity, sizeof *tmem->commits);
    struct tmem_commit *commit = &tmem->commits[tmem->commit_count++];
    *commit = (struct tmem_commit){
        in,        (uint32_t)(barrier - warp->block->mbarriers), tmem->issued, warp->index, (uint8_t)lane,
        warp->view};
    commit->view.seen[warp->index] = 0; // its own accesses are no products
    if (warp->mask != warp->full) {
        commit->view.tensor[warp->index] = warp->tmem_met; // other lanes' moves: up to their last meeting
    }
    barrier->commits++;
    return true;
}

// Operands: the mbarrier's address; of a pair, the mask of blocks whose mbarriers at this offset it arrives at.
void exec_tmem_commit(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    tmem_of(warp->block);
    FOR_LANES(lane, warp->mask) {
        uint32_t address = (uint32_t)tmem_operand(warp, in, 0, lane);
        bool pair = in->immediate & TMEM_PAIR;
        uint32_t blocks = pair ? (uint32_t)tmem_operand(warp, in, 1, lane) & 0xffff : 0;
        if (!fits_launch(warp, in, lane)) {
            return;
        }
        if (!pair && !commit_to(warp, in, lane, mbarrier_find(warp, in, lane, address))) {
            return;
        }
        for (unsigned rank = 0; blocks >> rank; rank++) {
            uint32_t mapped = address | (rank + 1) << CLUSTER_AT;
            if (blocks >> rank & 1 &&
                !commit_to(warp, in, lane, mbarrier_find_mapped(warp, in, lane, mapped))) {
                return;
            }
        }
    }
}

// ---- landing ----

static void release_chunks(struct warp *warp, const struct tmem_product *product,
                           const struct shared_operand *operand) {
    for (unsigned i = 0; i < operand->chunk_count && warp->block->shadow; i++) {
        shadow_release(warp, product->in, AGENT_TENSOR, product->number, 0, operand->chunks[i]);
    }
}

static void release(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form) {
    struct shared_operand operand;
    for (unsigned part = 0; part < 2 * parts_of(product); part++) {
        if (product->left && !(part & 1)) {
            continue;
        }
        locate(warp, product, form, part & 1, part / 2, &operand);
        release_chunks(warp, product, &operand);
    }
}

static void add_to(const struct tmem_form *form, uint32_t *word, double sum, bool adds) {
    if (form->result == MATRIX_S32) {
        *word = (uint32_t)(uint64_t)(int64_t)(sum + (adds ? (int32_t)*word : 0));
    } else {
        *word = float_bits((float)(sum + (adds ? float_from_bits(*word) : 0)));
    }
}

// The numbers of A in tensor memory, [k * rows + row]; the product is done with them.
static void left_numbers(struct tmem *tmem, const struct tmem_product *product, const struct tmem_form *form,
                         double *a) {
    for (unsigned row = 0; row < form->rows; row++) {
        struct tmem_cell *cells = &tmem->cells[row * TMEM_COLUMNS + (product->a & 0xffff)];
        for (unsigned k = 0; k < form->depth; k++) {
            uint32_t half = cells[k / 2].word >> (k % 2 * 16) & 0xffff;
            a[(size_t)k * form->rows + row] = matrix_number(form->a, half);
        }
        for (unsigned column = 0; column < form->depth / 2; column++) {
            if (cells[column].left == product->number) {
                cells[column].left = 0;
                cells[column].left_read = tmem->moment;
            }
        }
    }
}

// The cell has its word, unless a later product or copy is under way there.
static void write_cell(struct tmem *tmem, struct tmem_cell *cell, const struct tmem_product *product) {
    if (cell->product == product->number) {
        cell->state = TMEM_WRITTEN;
        cell->writer = AGENT_TENSOR;
        cell->written = tmem->moment;
    }
}

// The numbers of A or B in shared memory, [k * rows + row], scaled. False after a report.
static bool shared_numbers(struct warp *warp, const struct tmem_product *product,
                           const struct tmem_form *form, bool is_b, double *numbers) {
    static _Thread_local double part[OPERAND_ROWS * TMEM_MOST_DEPTH];
    struct shared_operand operand;
    enum matrix_type type = is_b ? form->b : form->a;
    unsigned rows = is_b ? form->columns : form->rows;
    for (unsigned rank = 0; rank < parts_of(product); rank++) {
        double *to = product->pair ? part : numbers;
        locate(warp, product, form, is_b, rank, &operand);
        if (type == MATRIX_E2M1) {
            tmem_packed_numbers(warp, &operand, type, to);
        } else {
            operand_numbers(warp, &operand, type, to);
        }
        for (unsigned k = 0; k < form->depth && product->pair; k++) {
            memcpy(numbers + (size_t)k * rows + rank * operand.rows, part + (size_t)k * operand.rows,
                   operand.rows * sizeof *part);
        }
    }
    return form->groups == 0 || tmem_apply_scales(warp, product, form, is_b, numbers);
}

static void multiply(struct warp *warp, const struct tmem_product *product, const struct tmem_form *form) {
    static _Thread_local double a[TMEM_PAIR_ROWS * TMEM_MOST_DEPTH], b[OPERAND_ROWS * TMEM_MOST_DEPTH];
    struct tmem *tmem = warp->block->tmem;
    if (product->left) {
        left_numbers(tmem, product, form, a);
    } else if (!shared_numbers(warp, product, form, false, a)) {
        return;
    }
    if (!shared_numbers(warp, product, form, true, b)) {
        return;
    }
    for (unsigned row = 0; row < form->rows; row++) {
        double sum[OPERAND_ROWS] = {0};
        for (unsigned k = 0; k < form->depth; k++) {
            double factor = a[(size_t)k * form->rows + row];
            const double *line = b + (size_t)k * form->columns;
            for (unsigned column = 0; column < form->columns; column++) {
                sum[column] += factor * line[column];
            }
        }
        struct tmem_cell *cells = &tmem->cells[row * TMEM_COLUMNS + (product->address & 0xffff)];
        for (unsigned column = 0; column < form->columns; column++) {
            add_to(form, &cells[column].word, sum[column], product->adds);
            write_cell(tmem, &cells[column], product);
        }
    }
}

// 16 bytes of a row come to 4 columns of its lane, in each quarter of the lanes, of each block from its own memory.
static void copy_scales(struct warp *warp, const struct tmem_product *copy) {
    struct tmem *tmem = warp->block->tmem;
    struct shared_operand operand;
    tmem_locate_scales(warp, copy->in, copy->lane, copy->a, &operand);
    for (uint32_t lane = 0; lane < TMEM_LANES * parts_of(copy); lane++) {
        const uint8_t *row = warp->block->shared + operand.chunks[lane % WARP_LANES];
        for (uint32_t column = 0; column < SCALE_COLUMNS; column++) {
            struct tmem_cell *cell = &tmem->cells[lane * TMEM_COLUMNS + (copy->address & 0xffff) + column];
            memcpy(&cell->word, row + column * sizeof cell->word, sizeof cell->word);
            write_cell(tmem, cell, copy);
        }
        if (lane % TMEM_LANES == TMEM_LANES - 1) {
            release_chunks(warp, copy, &operand);
            go_to_next_block(warp, &operand);
        }
    }
}

static void finish(struct block *block, const struct tmem_product *product) {
    struct warp *warp = &block->warps[product->warp];
    struct tmem_form form;
    if (product->copies) {
        copy_scales(warp, product);
        return;
    }
    read_form(kind_of(product->in), product->pair, product->instruction, &form);
    multiply(warp, product, &form);
    release(warp, product, &form);
}

// All products of the commit's thread up to its number are done.
static void land_products(struct block *block, const struct tmem_commit *commit) {
    struct tmem *tmem = block->tmem;
    unsigned kept = 0;
    tmem->moment++;
    for (unsigned i = 0; i < tmem->product_count; i++) {
        struct tmem_product product = tmem->products[i];
        if (product.warp != commit->warp || product.lane != commit->lane || product.number > commit->number) {
            tmem->products[kept++] = product;
            continue;
        }
        finish(block, &product);
    }
    tmem->product_count = kept;
}

static void land(struct block *block, struct mbarrier *barrier) {
    struct tmem *tmem = block->tmem;
    unsigned kept = 0;
    for (unsigned i = 0; i < tmem->commit_count; i++) {
        struct tmem_commit commit = tmem->commits[i];
        if (&block->mbarriers[commit.mbarrier] != barrier) {
            tmem->commits[kept++] = commit;
            continue;
        }
        land_products(block, &commit);
        struct view *view = &barrier->running;
        view_join(block->run, view, &commit.view);
        view->seen[AGENT_TENSOR] =
            view->seen[AGENT_TENSOR] > commit.number ? view->seen[AGENT_TENSOR] : commit.number + 1;
        view->tensor[AGENT_TENSOR] = tmem->moment + 1;
        barrier->arrived++;
        barrier->commits--;
    }
    tmem->commit_count = kept;
}

struct tmem *tmem_of(struct block *block) {
    if (!block->tmem) {
        block->tmem = calloc(1, sizeof *block->tmem);
        block->tmem->land = land;
        block->tmem->end = end_memory;
        block->tmem->leave = leave;
    }
    return block->tmem;
}
