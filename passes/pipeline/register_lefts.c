// register_lefts: where shared memory bounds a loop of products, left operands that stay the same come from registers.
//
//   scf.for %i = %first … {                              scf.for %i = %first … iter_args(%a0 = 0, %t0 = 0) {
//                                                          %a, %t = scf.if %i == %first {
//                                                            yield tk.smem_load %k, tk.smem_load (tk.smem_trans %k)
//                                                          } else {
//                                                            yield %a0, %t0
//                                                          }
//     %s = tk.warpgroup_dot %k, %q, 0              →       %s = tk.warpgroup_dot %a, %q, 0
//     %d = tk.warpgroup_dot %u, %k, 0                      %d = tk.warpgroup_dot %t, (tk.smem_trans %u), 0
//     tk.bulk_store %d {adds, fills}                       tk.bulk_store (tk.trans %d) {adds, fills}
//                                                          yield …, %a, %t
//   }                                                    }
//
// Reason: an instruction of 64 columns reads 4 KiB of shared memory in its 32 cycles, all of shared memory's bandwidth; one of
// 32 columns would need half as long again. Results on their way to memory and copies of the next operands come on top. With its left
// operand in registers an instruction reads half of that, or a third.
//
// The second form is for a product only added to memory (specialise_aside.c): its right operand stays the same, its left one is
// computed. Turned around, warpgroups part the rows of memory among them, not the columns: lower_bulk.c writes such tiles, too.
//
// The cost counts, for a step of the loop, the cycles of the matrix units and those of shared memory: operands, slots filled, results
// written and read again. Operands are taken while shared memory is the busier one, and registers are left.
//
// The loop's first step reads the operands. ptxas 12.8 to 13.0 forgets a left operand without a write in the loop, if a loop within the step
// (each wait for a barrier is one) follows the operand's product: other values of the step get its registers, and the next step multiplies
// those. Registers written by a branch of the step stay the operand's. A step pays a comparison and a branch.
//
// Where no operand fits, half of one, if each loop of products has room for it:
//
//   %s = tk.warpgroup_dot %k, %q, 0             →       %h = tk.warpgroup_dot %a, %q, 0 {end = 64}
//                                                       %s = tk.warpgroup_dot %k, %q, %h {start = 64}
//
// The tile %a is the whole operand; LLVM drops the words without a reader.
//
// The half, and the operands of a function's only loop of products with a turned one, are read ahead of the loop and once more by the first
// step, ahead of the step's last wait (H200, heads of 64, full, 4,096 and 16,384 queries: 514 and 534 TFLOP/s of 498 and 519 with the branch
// at the step's begin).
//
// requires: warpgroup, no dead ops, shared buffers without offsets
// provides: nothing; keeps everything
// test:     tests/golden/passes/register_lefts
#include <mlir-c/BuiltinAttributes.h>

#include "chip/registers.h"
#include "chip/wgmma.h"
#include "dialects/tk/tensor_map.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/pass.h"
#include "passes/pipeline/slots_read.h"

enum {
    MOST = 8,
    BYTES_A_CYCLE = 128, // of shared memory
    MARGIN = 8,          // shared memory is the bound if it takes an eighth longer
    STEP_BYTES = 32,     // of a row of an operand: one instruction's depth
};

struct left {
    MlirOperation dot, store; // store: of the turned product's result; null: not turned
    unsigned saved, registers;
    MlirValue slot; // the operand in shared memory, as the product takes it
};

struct lefts {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, loop;
    MlirOperation *ops; // of the function
    size_t count;
    unsigned num_warps;
    unsigned multiplied, read; // cycles of a step: of matrix units, of shared memory
    unsigned registers;        // of a thread
    unsigned compared;         // more of them: of tiles that a step compares
    bool halves;               // half of an operand may be kept
    unsigned loops;            // of products, in the function
    struct left found[MOST];
    unsigned found_count;
    struct left *chosen[MOST];
    unsigned chosen_count;
};

static unsigned bytes_of(MlirType tile) {
    return (unsigned)type_elements(tile) * type_bits(type_element(tile)) / 8;
}

// ---- cycles of a product ----

struct product {
    unsigned rows, columns, warps_m, warps_n; // of the result; warps along each
    unsigned depth;                           // bytes of a row of the left operand
};

static struct product product_of(struct lefts *l, MlirOperation dot, bool turned) {
    MlirType c = mlirValueGetType(warpgroup_dot_c(dot)), b = mlirValueGetType(warpgroup_dot_b(dot));
    MlirStringRef name = op_string(dot, ATTR_INSTRUCTION);
    struct product p = {.rows = (unsigned)type_extent(c, turned),
                        .columns = (unsigned)type_extent(c, !turned),
                        .depth = (unsigned)type_extent(b, 0) * type_bits(type_element(b)) / 8};
    mma_warps_of_groups(mma_find(name.data, name.length), l->num_warps, p.rows, &p.warps_m, &p.warps_n);
    return p;
}

// The instructions of 64 rows, as many columns as a warpgroup has, and one step of the depth.
static unsigned instructions(const struct product *p) {
    return p->rows / WGMMA_ROWS * p->warps_n * (p->depth / STEP_BYTES);
}

static unsigned cycles_multiplied(const struct product *p) {
    return instructions(p) * (p->columns / p->warps_n) / 2;
}

static unsigned cycles_read(const struct product *p, bool left) {
    unsigned rows = p->columns / p->warps_n + (left ? WGMMA_ROWS : 0);
    return instructions(p) * rows * STEP_BYTES / BYTES_A_CYCLE;
}

// Registers of a thread for the left operand: each warpgroup has its rows.
static unsigned registers_of_left(const struct product *p) {
    return p->rows / p->warps_m * WGMMA_WARPS * p->depth / 4 / (WGMMA_WARPS * 32);
}

// ---- operands to keep ----

// A slot of 16-bit elements, filled ahead of the loop and given back in the loop's block.
static bool is_outside(struct lefts *l, MlirValue value) {
    MlirOperation op = value_op(value);
    MlirType type = mlirValueGetType(value);
    return type_is_shared(l->ir, type) && type_bits(type_element(type)) == 16 && !mlirOperationIsNull(op) &&
           op_kind(l->ir, op) == OP_SMEM_SLOT &&
           mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(l->loop));
}

static MlirOperation only_user(MlirValue value) {
    return value_has_one_use(value) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(value))
                                    : (MlirOperation){NULL};
}

// The bulk_store handing the product's result to the adder, if nothing else is done with the result; null otherwise.
static MlirOperation adding_store(struct lefts *l, MlirOperation dot) {
    MlirValue result = mlirOperationGetResult(dot, 0);
    MlirOperation none = {NULL}, wait = only_user(result);
    if (mlirOperationIsNull(wait) ||
        !mlirTypeEqual(type_element(mlirValueGetType(result)), type_f32(l->ir)) ||
        op_kind(l->ir, wait) != OP_DOT_WAIT || mlirOperationGetNumResults(wait) != 1) {
        return none;
    }
    MlirOperation store = only_user(mlirOperationGetResult(wait, 0));
    bool fills = !mlirOperationIsNull(store) && op_kind(l->ir, store) == OP_BULK_STORE &&
                 op_has(store, ATTR_ADDS) && op_has(store, ATTR_FILLS);
    return fills ? store : none;
}

// The adder's part of a store; null: the map has further stores.
static MlirOperation issuing_store(struct lefts *l, MlirOperation store) {
    MlirOperation found = {NULL};
    unsigned stores = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (op_kind(l->ir, l->ops[i]) == OP_BULK_STORE &&
            value_is(bulk_store_map(l->ops[i]), bulk_store_map(store))) {
            found = op_has(l->ops[i], ATTR_ISSUES) ? l->ops[i] : found;
            stores++;
        }
    }
    return stores == 2 ? found : (MlirOperation){NULL};
}

// True if lower_bulk.c writes the turned result: blocks of whole units of 8 rows of memory, one a warpgroup, with a buffer for each of two pieces.
static bool turned_fits(const struct product *turned) {
    unsigned rows = turned->columns / turned->warps_n;
    return rows % 8 == 0 && rows <= WGMMA_ROWS &&
           2 * turned->columns * BULK_STORE_ROW_BYTES <= BULK_STORE_LIMIT;
}

// The wait for the product, or for the one that adds to its result; null if it is under way at the step's end, when the next step's branch may write
// the operand.
static MlirOperation wait_of(struct lefts *l, MlirOperation dot) {
    MlirBlock body = op_body(l->loop, 0);
    MlirOperation reader = value_reader(mlirOperationGetResult(dot, 0), body, READER_FIRST);
    if (!mlirOperationIsNull(reader) && op_kind(l->ir, reader) == OP_WARPGROUP_DOT) {
        reader = value_reader(mlirOperationGetResult(reader, 0), body, READER_FIRST);
    }
    bool waits = !mlirOperationIsNull(reader) && op_kind(l->ir, reader) == OP_DOT_WAIT;
    return waits ? reader : (MlirOperation){NULL};
}

static void add_candidate(struct lefts *l, MlirOperation dot) {
    struct product p = product_of(l, dot, false), turned = product_of(l, dot, true);
    struct left left = {.dot = dot, .slot = warpgroup_dot_a(dot)};
    if (is_outside(l, warpgroup_dot_a(dot))) {
        left.saved = cycles_read(&p, true) - cycles_read(&p, false);
        left.registers = registers_of_left(&p);
    } else if (is_outside(l, warpgroup_dot_b(dot)) && fills_with_zero(l->ir, warpgroup_dot_c(dot)) &&
               turned.rows == WGMMA_ROWS && turned_fits(&turned)) {
        left.store = adding_store(l, dot);
        if (mlirOperationIsNull(left.store) || mlirOperationIsNull(issuing_store(l, left.store))) {
            return;
        }
        left.saved = cycles_read(&p, true) - cycles_read(&turned, false);
        left.registers = registers_of_left(&turned);
    }
    if (left.registers > 0 && l->found_count < MOST && !mlirOperationIsNull(wait_of(l, dot))) {
        l->found[l->found_count++] = left;
    }
}

// The tile from which others are spread.
static MlirValue unspread(struct lefts *l, MlirValue tile) {
    MlirOperation op = value_op(tile);
    while (!mlirOperationIsNull(op) &&
           (op_kind(l->ir, op) == OP_BROADCAST || op_kind(l->ir, op) == OP_EXPAND_DIMS)) {
        tile = unary_source(op);
        op = value_op(tile);
    }
    return tile;
}

// Registers of a vector, the source of a sum's beginning: the sum's own are counted.
static unsigned registers_begun(struct lefts *l, MlirOperation begins) {
    MlirOperation op = value_op(unspread(l, unary_source(begins)));
    op = !mlirOperationIsNull(op) && op_kind(l->ir, op) == OP_NEGF ? value_op(unspread(l, unary_source(op)))
                                                                   : op;
    bool read = !mlirOperationIsNull(op) && op_kind(l->ir, op) == OP_SMEM_LOAD &&
                value_has_one_use(mlirOperationGetResult(op, 0));
    return read ? registers_of(l->ir, mlirOperationGetResult(op, 0)) : 0;
}

static unsigned registers_compared(struct lefts *l, MlirOperation compares) {
    unsigned registers = 0;
    for (intptr_t i = 0; i < 2; i++) {
        MlirValue tile = unspread(l, mlirOperationGetOperand(compares, i));
        registers += type_is_tensor(mlirValueGetType(tile)) ? registers_of(l->ir, tile) : 0;
    }
    return registers;
}

// Counts a step of the loop. False: it is not one of products alone, each counted.
static bool survey(struct lefts *l) {
    MlirBlock body = op_body(l->loop, 0);
    l->multiplied = l->read = l->registers = l->compared = l->found_count = l->chosen_count = 0;
    for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); i++) {
        l->registers += registers_of(l->ir, mlirBlockGetArgument(body, i));
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(l->ir, op);
        if (kind == OP_WARPGROUP_DOT) {
            struct product p = product_of(l, op, false);
            l->multiplied += cycles_multiplied(&p);
            l->read += cycles_read(&p, type_is_shared(l->ir, mlirValueGetType(warpgroup_dot_a(op))));
            // A sum only added to memory takes the place of its operands' tiles.
            bool counted =
                mlirValueIsABlockArgument(warpgroup_dot_c(op)) || !mlirOperationIsNull(adding_store(l, op));
            l->registers += counted ? 0 : registers_of(l->ir, mlirOperationGetResult(op, 0));
            add_candidate(l, op);
        } else if (kind == OP_SMEM_SLOT) {
            l->read += bytes_of(mlirValueGetType(mlirOperationGetResult(op, 0))) / BYTES_A_CYCLE;
        } else if (kind == OP_BULK_STORE) {
            l->read += 2 * bytes_of(mlirValueGetType(bulk_store_tile(op))) / BYTES_A_CYCLE;
        } else if (kind == OP_SMEM_LOAD) {
            l->registers += registers_of(l->ir, mlirOperationGetResult(op, 0));
        } else if (kind == OP_OPAQUE) {
            l->registers -= registers_begun(l, op);
        } else if (kind == OP_CMPI) {
            l->compared += registers_compared(l, op);
        } else if (mlirOperationGetNumRegions(op) > 0) {
            return false;
        }
    }
    return l->multiplied > 0;
}

// ---- the rewrite ----

static MlirType tile_type(struct lefts *l, MlirOperation dot, enum mma_operand operand, int64_t rows,
                          int64_t columns, MlirType element, const struct product *p) {
    MlirStringRef name = op_string(dot, ATTR_INSTRUCTION);
    int64_t shape[] = {rows, columns};
    struct layout layout =
        mma_layout(mma_find(name.data, name.length), operand, 2, shape, p->warps_m, p->warps_n);
    return type_with_layout(l->ir, tensor_type(2, shape, element, (MlirAttribute){NULL}), &layout);
}

static MlirType turned_type(struct lefts *l, MlirType type) {
    static const unsigned order[] = {1, 0};
    struct layout layout = layout_trans(type_layout(l->ir, type), order);
    int64_t shape[] = {type_extent(type, 1), type_extent(type, 0)};
    return type_with_layout(l->ir, tensor_type(2, shape, type_element(type), (MlirAttribute){NULL}), &layout);
}

static MlirValue turned(struct lefts *l, struct builder *b, enum op_kind kind, MlirValue tile) {
    return VALUE(b, kind, OPERANDS(tile), RESULTS(turned_type(l, mlirValueGetType(tile))),
                 ATTRS(attr_i32_array(b, ATTR_ORDER, 2, (int32_t[]){1, 0})));
}

// Boxes of the map have as many rows as a warpgroup has.
static void set_box_rows(struct lefts *l, MlirOperation store, int32_t rows) {
    tensor_map_set_box(l->ir, l->context->arena, bulk_store_map(store), 1, rows);
}

// The adder's tile, never written, gives its store a layout. Stores of results may have the same tile, and keep theirs.
static void turn_unwritten(MlirOperation issues, MlirType type) {
    MlirOperation shared = value_op(bulk_store_tile(issues)), own = mlirOperationClone(shared);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(issues), issues, own);
    mlirValueSetType(mlirOperationGetResult(own, 0), type);
    set_bulk_store_tile(issues, mlirOperationGetResult(own, 0));
    if (!value_has_uses(mlirOperationGetResult(shared, 0))) {
        mlirOperationDestroy(shared);
    }
}

// The view of the operand's slot becomes the left operand, the product's left tile the right one.
static void turn(struct lefts *l, struct left *left) {
    struct product p = product_of(l, left->dot, true);
    struct builder ahead = builder_before(l->ir, l->loop), at = builder_before(l->ir, left->dot);
    MlirValue result = mlirOperationGetResult(left->dot, 0), waited = bulk_store_tile(left->store);
    MlirType element = type_element(mlirValueGetType(result));
    MlirType type = tile_type(l, left->dot, MMA_C, p.rows, p.columns, element, &p);
    MlirValue right = turned(l, &at, OP_SMEM_TRANS, warpgroup_dot_a(left->dot));
    left->slot = turned(l, &ahead, OP_SMEM_TRANS, warpgroup_dot_b(left->dot));
    set_warpgroup_dot_b(left->dot, right);
    set_warpgroup_dot_c(left->dot, const_float(&at, type, 0));
    mlirValueSetType(result, type);
    mlirValueSetType(waited, type);
    struct builder b = builder_before(l->ir, left->store);
    MlirValue tile = turned(l, &b, OP_TRANS, waited);
    set_bulk_store_tile(left->store, tile);
    MlirOperation issues = issuing_store(l, left->store);
    turn_unwritten(issues, mlirValueGetType(tile));
    set_box_rows(l, left->store, (int32_t)(p.columns / p.warps_n));
}

// Tiles of the chosen operands, of zeros and read from the slots.
static void tiles_of(struct lefts *l, struct builder *b, bool read, MlirValue *tiles) {
    for (unsigned i = 0; i < l->chosen_count; i++) {
        struct left *left = l->chosen[i];
        struct product p = product_of(l, left->dot, !mlirOperationIsNull(left->store));
        MlirType slot = mlirValueGetType(left->slot);
        MlirType type = tile_type(l, left->dot, MMA_A, type_extent(slot, 0), type_extent(slot, 1),
                                  type_element(slot), &p);
        tiles[i] = read ? VALUE(b, OP_SMEM_LOAD, OPERANDS(left->slot), RESULTS(type), NO_ATTRS)
                        : const_float(b, type, 0);
    }
}

// The loop carries the chosen operands and reads them in its first step: at the step's begin, or ahead of the op `late`, behind their products. Then
// the loop begins with operands read ahead of it.
static void keep(struct lefts *l, MlirOperation late) {
    bool is_late = !mlirOperationIsNull(late);
    MlirValue starts_with[MOST], read[MOST], held[MOST];
    MlirType types[MOST];
    intptr_t count = l->chosen_count, carried = mlirBlockGetNumArguments(op_body(l->loop, 0));
    struct builder ahead = builder_before(l->ir, l->loop);
    tiles_of(l, &ahead, is_late, starts_with);
    MlirOperation before = l->loop;
    l->loop = build_more(l->ir, l->context->arena, l->loop, (struct operands){count, starts_with});
    for (size_t i = 0; i < l->count; i++) {
        l->ops[i] = mlirOperationEqual(l->ops[i], before) ? l->loop : l->ops[i];
    }
    MlirBlock body = op_body(l->loop, 0), first, others;
    for (intptr_t i = 0; i < count; i++) {
        held[i] = mlirBlockGetArgument(body, carried + i);
        types[i] = mlirValueGetType(held[i]);
    }
    struct builder b = builder_before(l->ir, is_late ? late : mlirBlockGetFirstOperation(body));
    MlirValue starts = build_compare(&b, INT_EQ, mlirBlockGetArgument(body, 0), for_lower(l->loop));
    MlirOperation branch = build_if(&b, starts, (struct results){count, types}, &first, &others);
    struct builder then = builder_at_end(l->ir, first, b.location),
                   otherwise = builder_at_end(l->ir, others, b.location);
    tiles_of(l, &then, true, read);
    build_yield(&then, (struct operands){count, read});
    build_yield(&otherwise, (struct operands){count, held});
    for (intptr_t i = 0; i < count; i++) {
        MlirValue again = mlirOperationGetResult(branch, i);
        set_warpgroup_dot_a(l->chosen[i]->dot, is_late ? held[i] : again);
        held[i] = again;
    }
    build_yield_more(l->ir, l->context->arena, body, (struct operands){count, held});
    slots_free_together(l->ir, l->loop);
}

// Of the operands that fit, the one with the greatest saving.
static struct left *best(struct lefts *l, unsigned budget) {
    struct left *best = NULL;
    for (unsigned i = 0; i < l->found_count; i++) {
        struct left *left = &l->found[i];
        if (left->saved > 0 && l->registers + left->registers <= budget &&
            (!best || left->saved > best->saved)) {
            best = left;
        }
    }
    return best;
}

// Registers of a thread for a loop, with such a reserve.
static unsigned budget(const struct lefts *l, enum reserve_id reserve) {
    unsigned share = registers_specialised(l->context->target, l->num_warps, registers_producer(l->function),
                                           (unsigned)op_int(l->function, ATTR_PERSISTENT))
                         .consumer,
             kept = registers_reserved(reserve);
    return share > kept ? share - kept : 0;
}

static bool is_bound(const struct lefts *l) {
    return l->read * MARGIN >= l->multiplied * (MARGIN + 1);
}

// The operand to be kept by halves, where shared memory bounds the loop and no operand fits; NULL: none.
static struct left *best_half(struct lefts *l) {
    struct left *most = NULL;
    unsigned registers = l->registers + l->compared, limit = budget(l, RESERVE_KEPT_HALF);
    bool wanted = is_bound(l) && !best(l, budget(l, RESERVE_KEPT_LEFTS));
    for (unsigned i = 0; wanted && i < l->found_count; i++) {
        struct left *left = &l->found[i];
        bool even =
            type_extent(mlirValueGetType(left->slot), 1) % STEP_BYTES == 0; // two steps of 16-bit elements
        if (mlirOperationIsNull(left->store) && even && !op_has(left->dot, ATTR_ROW_ORDER) &&
            registers + left->registers / 2 <= limit && (!most || left->saved > most->saved)) {
            most = left;
        }
    }
    return most;
}

// The last wait behind those for the chosen products, or the step's end: ahead of it their registers may be written.
static MlirOperation last_wait(struct lefts *l) {
    MlirBlock body = op_body(l->loop, 0);
    MlirOperation op = {NULL}, last = mlirBlockGetTerminator(body);
    for (unsigned i = 0; i < l->chosen_count; i++) {
        MlirOperation own = wait_of(l, l->chosen[i]->dot);
        op = i == 0 || op_is_before(op, own) ? own : op;
    }
    for (op = mlirOperationGetNextInBlock(op); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        last = op_kind(l->ir, op) == OP_DOT_WAIT ? op : last;
    }
    return last;
}

// The product's second half, from the slot.
static void halve(struct lefts *l, struct left *left) {
    MlirOperation dot = left->dot;
    int32_t half = (int32_t)type_extent(mlirValueGetType(left->slot), 1) / 2;
    MlirValue first = mlirOperationGetResult(dot, 0);
    struct builder b = builder_after(l->ir, dot);
    b.location = mlirOperationGetLocation(dot);
    MlirValue second = VALUE(&b, OP_WARPGROUP_DOT, OPERANDS(left->slot, warpgroup_dot_b(dot), first),
                             RESULTS(mlirValueGetType(first)),
                             ATTRS(attr(&b, ATTR_INSTRUCTION, op_attribute(dot, ATTR_INSTRUCTION)),
                                   attr_i32(&b, ATTR_START, half)));
    mlirValueReplaceAllUsesOfWith(first, second);
    set_warpgroup_dot_c(value_op(second), first);
    op_set_int(l->ir, dot, ATTR_END, half);
}

static void run_on_loop(struct lefts *l) {
    if (!survey(l)) {
        return;
    }
    struct left *half = l->halves ? best_half(l) : NULL;
    if (half) {
        halve(l, half);
        l->chosen[l->chosen_count++] = half;
        keep(l, last_wait(l));
        return;
    }
    if (!is_bound(l)) {
        return;
    }
    for (struct left *left; l->read > l->multiplied && (left = best(l, budget(l, RESERVE_KEPT_LEFTS)));) {
        l->chosen[l->chosen_count++] = left;
        l->read -= left->saved;
        l->registers += left->registers;
        left->saved = 0;
    }
    bool turns = false;
    for (unsigned i = 0; i < l->chosen_count; i++) {
        if (!mlirOperationIsNull(l->chosen[i]->store)) {
            turn(l, l->chosen[i]);
            turns = true;
        }
    }
    if (l->chosen_count > 0) {
        keep(l, turns && l->loops == 1 ? last_wait(l) : (MlirOperation){NULL});
    }
}

// True if each loop of products keeps half of an operand: beside another loop's values none is left (gradients with causal masks, heads of
// 128: 300 bytes of spills).
static bool all_keep_halves(struct lefts *l) {
    bool all = true;
    for (size_t i = 0; i < l->count; i++) {
        if (op_kind(l->ir, l->ops[i]) == OP_FOR) {
            l->loop = l->ops[i];
            bool products = survey(l);
            l->loops += products;
            all &= !products || best_half(l);
        }
    }
    return all;
}

static void rewrite_function(struct pass_context *context, MlirOperation function) {
    struct lefts l = {.context = context, .ir = context->ir, .function = function};
    if (!op_int(function, ATTR_PERSISTENT) || op_int(function, ATTR_MAXNREG)) {
        return; // warps of one role
    }
    l.num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
    l.ops = ops_collect(l.ir, context->arena, function, &l.count);
    l.halves = all_keep_halves(&l);
    for (size_t i = 0; i < l.count; i++) {
        if (op_kind(l.ir, l.ops[i]) == OP_FOR) {
            l.loop = l.ops[i];
            run_on_loop(&l);
        }
    }
}

void pass_register_lefts(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (target_has(context->target, FEATURE(WGMMA))) {
            rewrite_function(context, op);
        }
    }
}
