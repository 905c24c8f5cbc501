// pairs: two blocks multiply together, 256 rows by the columns of one tile, and each brings half of the right operand.
//
//   tk.specialise {                                 tk.specialise {
//     for %p = block to all step blocks {             for %t = block & ~1 to all step blocks {
//       for k {                                         for %p = first to end {
//         tk.mbarrier_wait %empty                         for k {
//         tk.mbarrier_expect %full                          tk.mbarrier_wait %empty
//         tk.bulk_load %a, %full                            tk.mbarrier_expect %full {pair}     the even block's, for both
//         tk.bulk_load %b, %full                            tk.bulk_load %a, %full {pair}
//       }                                     →             tk.bulk_load %half, %full {pair}
//     }                                                   }
//   }, {                                                }}
//     …                                                 tk.mbarrier_wait %empty, of each slot
//     store of %d                                     }, {
//   }, {                                                …
//     …                                                 scf.if %own { store of %d }
//   }                                                 }, {
//                                                       …    in the even block alone
//                                                     }
//
// Reason: an instruction of two multiprocessors reads each one's half of the right operand from its own shared memory. So each
// copies, and reads, 128 rows and 128 columns where a block alone has 128 and 256.
//
// The blocks of a cluster take two programs that follow each other. The kernel compares their indices of the right operand: if they
// are the same, each block has its program. Else, and for an odd last program, both do one after the other: the odd block does the
// even one's program once more and stores nothing. That would take twice the time, so the pass wants to know that it is rare: the rows
// of the result fill pairs of tiles, and programs that follow each other share a column of tiles (grouped_pid).
//
// The even block starts the products, and their commits reach both blocks' barriers: a slot is free, and a buffer of columns full, in
// both. The barriers of full slots, and of buffers that have been read, are the even block's. A block may end when nothing can reach
// it any more: its producer waits for all slots, and the blocks meet before they give tensor memory back.
//
// requires: tensor_roles, grouped_pid
// provides: tk.cluster; ops with {pair}
// test:     tests/golden/passes/pairs
#include <stdlib.h>
#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "chip/tcgen05.h"
#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "support/map.h"

enum {
    PRODUCER,
    CONSUMERS,
    MULTIPLIER,
    ROLES,
    BLOCKS = 2,
    PAIR_ROWS = BLOCKS * TENSOR_ROWS,
    LEAST_COLUMNS = 128, // of a pair's product: each half has a swizzled row of 64 elements
    CORNERS = 5,
    SIZE_NUMBERS = 5 // of a size in tk.tensor_map: constant, factor, two arguments, divisor
};

struct pairs {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, specialise;
    MlirOperation tiles[ROLES];          // the roles' loops over programs
    MlirOperation dot, steps;            // the product, and the loop around it
    MlirOperation a_load, b_load;        // of the producer
    MlirOperation full, empty, is_free;  // mbarrier_alloc: of slots, and of buffers that have been read
    MlirOperation b_alloc;               // the right operand's slots
    MlirValue compared[CORNERS];         // indices of the right operand in the producer that differ between programs
    unsigned compared_count;
    bool near;                           // programs that follow each other may have others in one column of tiles
    unsigned b_corner;                   // which index counts its columns
    MlirType half;                       // of a slot of half of its columns
};

static MlirOperation alloc_behind(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value), none = {NULL};
    for (int depth = 0; depth < 4 && !mlirOperationIsNull(op) && op_kind(ir, op) != kind; depth++) {
        MlirOperation next = none;
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && mlirOperationIsNull(next); i++) {
            MlirOperation from = value_op(mlirOperationGetOperand(op, i));
            bool leads = !mlirOperationIsNull(from) &&
                         (op_kind(ir, from) == kind || op_kind(ir, from) == OP_ADDI);
            next = leads ? from : none;
        }
        op = next;
    }
    return mlirOperationIsNull(op) || op_kind(ir, op) != kind ? none : op;
}

static MlirOperation slots_of(struct ir *ir, MlirValue slot) {
    MlirOperation op = value_op(slot), none = {NULL};
    bool known = !mlirOperationIsNull(op) && op_kind(ir, op) == OP_SMEM_SLOT;
    return known ? value_op(mlirOperationGetOperand(op, 0)) : none;
}

// ---- what differs between programs ----

struct slice {
    const struct pairs *p;
    MlirValue program; // the counter of the producer's loop, or of the multiplier's
    struct map seen;
    bool differs; // between programs
    bool near;    // between two that follow each other: not only by a quotient of their number
    bool steps;   // within a program
};

// Follows a scalar back. False: something that may not be computed again.
static bool follow(struct slice *s, MlirValue value) {
    if (map_get(&s->seen, value.ptr)) {
        return true;
    }
    map_put(&s->seen, value.ptr, s);
    if (value_is(value, s->program)) {
        s->differs = s->near = true;
        return true;
    }
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        s->steps |= !mlirBlockEqual(mlirBlockArgumentGetOwner(value), op_body(s->p->function, 0));
        return true;
    }
    if (!(op_traits(op_kind(s->p->ir, op)) & PURE) || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    bool quotient = op_kind(s->p->ir, op) == OP_DIVUI && value_is(binary_left(op), s->program);
    s->differs |= quotient;
    for (intptr_t i = quotient; i < mlirOperationGetNumOperands(op); i++) {
        if (!follow(s, mlirOperationGetOperand(op, i))) {
            return false;
        }
    }
    return true;
}

static struct slice slice_of(const struct pairs *p, int role) {
    return (struct slice){.p = p, .program = mlirBlockGetArgument(op_body(p->tiles[role], 0), 0)};
}

// True if all programs have the same value: it is computed from arguments alone.
static bool is_common(const struct pairs *p, int role, MlirValue value) {
    struct slice s = slice_of(p, role);
    bool common = follow(&s, value) && !s.differs && !s.steps;
    map_free(&s.seen);
    return common;
}

// ---- finding ----

static bool is_kind(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && op_kind(ir, op) == kind && op_int(op, ATTR_AXIS) == 0;
}

// The loop of a role that takes programs in turn: from the block's number on, by the number of blocks.
static bool find_tiles(struct pairs *p, int role) {
    MlirBlock block = op_body(p->specialise, role);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) == OP_FOR && is_kind(p->ir, for_lower(op), OP_PROGRAM_ID) &&
            is_kind(p->ir, mlirOperationGetOperand(op, at_for_step), OP_NUM_PROGRAMS)) {
            p->tiles[role] = op;
            return true;
        }
    }
    return false;
}

static int role_of(const struct pairs *p, MlirOperation op) {
    while (!mlirOperationEqual(mlirOperationGetParentOperation(op), p->specialise)) {
        op = mlirOperationGetParentOperation(op);
    }
    int role = 0;
    while (!mlirBlockEqual(op_body(p->specialise, role), mlirOperationGetBlock(op))) {
        role++;
    }
    return role;
}

// Finds the loads of the product's operands, and its loop. False: there are other loads, or barriers.
static bool find_ops(struct pairs *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->specialise, &count);
    MlirOperation loads[2];
    unsigned load_count = 0;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(p->ir, ops[i]);
        if (kind == OP_TENSOR_DOT) {
            p->dot = ops[i];
        } else if (kind == OP_TENSOR_PASS && !op_has(ops[i], ATTR_AHEAD)) {
            p->is_free = value_op(tensor_pass_barriers(ops[i]));
        } else if (kind == OP_BULK_LOAD) {
            if (load_count == 2) {
                return false;
            }
            loads[load_count++] = ops[i];
        } else if (kind == OP_MBARRIER_WAIT && role_of(p, ops[i]) == PRODUCER) {
            p->empty = alloc_behind(p->ir, mbarrier_wait_barrier(ops[i]), OP_MBARRIER_ALLOC);
        }
    }
    if (load_count != 2 || mlirOperationIsNull(p->dot) || mlirOperationIsNull(p->is_free) ||
        mlirOperationIsNull(p->empty)) {
        return false;
    }
    MlirOperation a = slots_of(p->ir, tensor_dot_a(p->dot));
    p->b_alloc = slots_of(p->ir, tensor_dot_b(p->dot));
    bool turned = mlirOperationEqual(slots_of(p->ir, bulk_load_slot(loads[0])), p->b_alloc);
    p->a_load = loads[turned];
    p->b_load = loads[!turned];
    p->full = alloc_behind(p->ir, bulk_load_barrier(p->a_load), OP_MBARRIER_ALLOC);
    p->steps = mlirOperationGetParentOperation(p->dot);
    return !mlirOperationIsNull(p->b_alloc) && !mlirOperationIsNull(p->full) &&
           mlirOperationEqual(slots_of(p->ir, bulk_load_slot(p->a_load)), a) &&
           mlirOperationEqual(slots_of(p->ir, bulk_load_slot(p->b_load)), p->b_alloc) &&
           op_kind(p->ir, p->steps) == OP_FOR;
}

// ---- conditions ----

// A slot of half of the columns, its elements where they lie without the others.
static bool halve(struct pairs *p) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(p->b_alloc, 0));
    const struct layout *whole = type_layout(p->ir, type);
    int64_t shape[] = {type_extent(type, 0), type_extent(type, 1) / BLOCKS};
    struct layout half = layout_empty(2, shape);
    struct wgmma_operand before, behind;
    for (unsigned bit = 0; bit < whole->bits[LAYOUT_OFFSET]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(whole, whole->basis[LAYOUT_OFFSET][bit], at);
        if (at[1] < (uint32_t)shape[1]) {
            layout_push(&half, LAYOUT_OFFSET, layout_join_coordinates(&half, at));
        } else if (at[0] || at[1] != (uint32_t)shape[1]) {
            return false;
        }
    }
    unsigned bytes = type_bits(type_element(type)) / 8;
    if (!wgmma_operand_of(whole, bytes, &before) || !wgmma_operand_of(&half, bytes, &behind) ||
        before.swizzle != behind.swizzle) {
        return false;
    }
    p->b_corner = before.rows_fastest ? 1 : 0;
    p->half = type_with_layout(p->ir, tensor_type(2, shape, type_element(type), (MlirAttribute){NULL}), &half);
    return true;
}

static bool fits_shape(struct pairs *p) {
    MlirType a = mlirValueGetType(tensor_dot_a(p->dot)), b = mlirValueGetType(tensor_dot_b(p->dot));
    bool plain = mlirValueIsNull(tensor_dot_a_scale(p->dot)) && op_int(p->dot, ATTR_LEFT_ROWS) == 0;
    return (plain && type_extent(a, 0) == TENSOR_ROWS && type_extent(b, 1) >= LEAST_COLUMNS &&
            type_extent(b, 1) <= TENSOR_MOST_COLUMNS && halve(p)) ||
           decline(p->context, p->dot, REASON_PAIR_SHAPE);
}

// All programs take the same way to the product: the even block's takes it for both.
static bool same_way(struct pairs *p) {
    for (MlirOperation op = p->steps; !mlirOperationEqual(op, p->tiles[MULTIPLIER]);
         op = mlirOperationGetParentOperation(op)) {
        intptr_t values = op_kind(p->ir, op) == OP_FOR ? at_for_init : op_kind(p->ir, op) == OP_IF ? 1 : 0;
        bool common = values > 0;
        for (intptr_t i = 0; i < values && common; i++) {
            common = is_common(p, MULTIPLIER, mlirOperationGetOperand(op, i));
        }
        if (!common) {
            return decline(p->context, p->dot, REASON_PAIR_STEPS);
        }
    }
    return true;
}

// Collects the indices of the right operand that the blocks have to compare.
static bool find_compared(struct pairs *p) {
    for (intptr_t i = 0; i < bulk_load_corner_count(p->b_load); i++) {
        MlirValue corner = bulk_load_corner(p->b_load, i);
        struct slice s = slice_of(p, PRODUCER);
        bool known = follow(&s, corner) && !(s.differs && s.steps);
        map_free(&s.seen);
        if (!known) {
            return decline(p->context, p->dot, REASON_PAIR_STEPS);
        }
        if (s.differs) {
            p->compared[p->compared_count++] = corner;
        }
        p->near |= s.near;
    }
    return true;
}

// The number of rows of the left operand divides by those of a pair.
static bool fills_pairs(struct pairs *p) {
    MlirValue map = bulk_load_map(p->a_load);
    MlirAttribute entries = argument_attribute(p->function, mlirBlockArgumentGetArgNumber(map), ATTR_TENSOR_MAP);
    MlirAttribute sizes = dictionary_attribute(entries, ATTR_SIZES);
    MlirType slot = mlirValueGetType(bulk_load_slot(p->a_load));
    struct wgmma_operand lies;
    if (!wgmma_operand_of(type_layout(p->ir, slot), type_bits(type_element(slot)) / 8, &lies)) {
        return decline(p->context, p->dot, REASON_PAIR_SHAPE);
    }
    intptr_t first = SIZE_NUMBERS * !lies.rows_fastest;
    int64_t size[SIZE_NUMBERS];
    for (int i = 0; i < SIZE_NUMBERS; i++) {
        size[i] = mlirDenseI64ArrayGetElement(sizes, first + i);
    }
    bool plain = size[4] == 1 && size[3] < 0 && (size[2] < 0 || size[0] == 0);
    int64_t known = plain && size[2] < 0 ? size[0] : plain ? size[1] : 1;
    MlirValue argument = {NULL};
    if (plain && size[2] >= 0) {
        argument = mlirBlockGetArgument(op_body(p->function, 0), size[2]);
        MlirAttribute hint = argument_attribute(p->function, size[2], ATTR_DIVISIBLE_BY);
        known *= mlirAttributeIsNull(hint) ? 1 : mlirIntegerAttrGetValueInt(hint);
    }
    return known % PAIR_ROWS == 0 ||
           decline_hint(p->context, p->dot, REASON_PAIR_ROWS, known, argument, PAIR_ROWS);
}

// Programs that follow each other are in one column of tiles, except at the ends of columns, or of groups, of an odd number of rows.
static bool has_neighbours(struct pairs *p) {
    static const char grouped[] = "grouped ";
    MlirStringRef text = op_string(p->function, ATTR_GROUPED_PID);
    size_t length = sizeof grouped - 1;
    bool known = text.length > length && memcmp(text.data, grouped, length) == 0;
    char number[16] = "";
    if (known) {
        size_t digits = text.length - length < sizeof number - 1 ? text.length - length : sizeof number - 1;
        memcpy(number, text.data + length, digits);
    }
    unsigned long rows = strtoul(number, NULL, 10);
    bool groups = rows > 0 && rows % BLOCKS == 0;
    return (p->compared_count > 0 && (groups || !p->near)) ||
           decline(p->context, p->dot, REASON_PAIR_NEIGHBOURS);
}

static bool may_pair(struct pairs *p) {
    for (int role = 0; role < ROLES; role++) {
        if (!find_tiles(p, role)) {
            return decline(p->context, p->dot, REASON_PAIR_STEPS);
        }
    }
    return fits_shape(p) && same_way(p) && find_compared(p) && has_neighbours(p) && fills_pairs(p);
}

// ---- the rewrite ----

// Computes a scalar of the producer again, for the program that the map has.
static MlirValue again(struct pairs *p, struct builder *b, struct map *map, MlirValue value) {
    MlirOperation op = value_op(value);
    if (map_get(map, value.ptr) || mlirOperationIsNull(op) ||
        mlirBlockEqual(mlirOperationGetBlock(op), op_body(p->function, 0))) {
        return value_under(map, value);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        again(p, b, map, mlirOperationGetOperand(op, i));
    }
    op_repeat(b, p->context->arena, map, op);
    return value_under(map, value);
}

// True where programs `first` and `second` have the same right operand.
static MlirValue share(struct pairs *p, struct builder *b, MlirValue first, MlirValue second) {
    MlirValue counter = mlirBlockGetArgument(op_body(p->tiles[PRODUCER], 0), 0), same = {NULL};
    struct map maps[BLOCKS] = {{0}};
    map_value(&maps[0], counter, first);
    map_value(&maps[1], counter, second);
    for (unsigned i = 0; i < p->compared_count; i++) {
        MlirValue one = again(p, b, &maps[0], p->compared[i]), other = again(p, b, &maps[1], p->compared[i]);
        MlirValue equal = build_compare(b, INT_EQ, one, other);
        same = i == 0 ? equal : build_binary(b, OP_ANDI, same, equal);
    }
    map_free(&maps[0]);
    map_free(&maps[1]);
    return same;
}

static MlirValue is_odd_block(struct builder *b) {
    MlirValue block = VALUE(b, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
    return build_binary(b, OP_ANDI, block, const_i32(b, 1));
}

// Puts a loop over pairs of programs around a role's loop, which now takes the block's programs of one pair. Returns whether the block
// stores what it computes.
static MlirValue take_pairs(struct pairs *p, int role) {
    MlirOperation inner = p->tiles[role];
    struct builder b = builder_before(p->ir, inner);
    MlirValue block = for_lower(inner), all = for_upper(inner), blocks = mlirOperationGetOperand(inner, at_for_step);
    MlirValue rank = is_odd_block(&b), zero = const_i32(&b, 0), one = const_i32(&b, 1), two = const_i32(&b, BLOCKS);
    MlirValue first = build_binary(&b, OP_SUBI, block, rank);
    if (role == MULTIPLIER) { // the odd block starts no product
        first = build_select(&b, build_compare(&b, INT_EQ, rank, zero), first, all);
    }
    intptr_t carried = mlirOperationGetNumResults(inner);
    MlirValue *inits = ARENA_ARRAY(p->context->arena, MlirValue, (size_t)carried + 1);
    for (intptr_t i = 0; i < carried; i++) {
        inits[i] = for_init(inner, i);
    }
    MlirBlock body;
    MlirOperation outer = build_for(&b, first, all, blocks, (struct operands){carried, inits}, &body);
    for (intptr_t i = 0; i < carried; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(inner, i), mlirOperationGetResult(outer, i));
    }
    struct builder in = builder_at_end(p->ir, body, b.location);
    MlirValue program = mlirBlockGetArgument(body, 0), next = build_binary(&in, OP_ADDI, program, one);
    MlirValue exists = build_compare(&in, INT_SLT, next, all);
    MlirValue together = build_binary(&in, OP_ANDI, exists, share(p, &in, program, next));
    MlirValue own = role == MULTIPLIER ? program : build_binary(&in, OP_ADDI, program, rank);
    MlirValue behind = build_binary(&in, OP_MINSI, build_binary(&in, OP_ADDI, program, two), all);
    MlirValue from = build_select(&in, together, own, program);
    MlirValue end = build_select(&in, together, build_binary(&in, OP_ADDI, own, one), behind);
    MlirValue is_even = build_compare(&in, INT_EQ, rank, zero);
    MlirValue stores = build_binary(&in, OP_ORI, together, is_even);
    mlirOperationRemoveFromParent(inner);
    build_insert(&in, inner);
    mlirOperationSetOperand(inner, at_for_lower, from);
    mlirOperationSetOperand(inner, at_for_upper, end);
    mlirOperationSetOperand(inner, at_for_step, one);
    for (intptr_t i = 0; i < carried; i++) {
        set_for_init(inner, i, mlirBlockGetArgument(body, i + 1));
        inits[i] = mlirOperationGetResult(inner, i);
    }
    build_yield(&in, (struct operands){carried, inits});
    return stores;
}

static void guard_store(struct pairs *p, MlirOperation store, MlirValue condition) {
    struct builder b = builder_before(p->ir, store);
    MlirBlock then_block, else_block;
    build_if(&b, condition, NO_RESULTS, &then_block, &else_block);
    struct builder in = builder_at_end(p->ir, then_block, b.location);
    mlirOperationRemoveFromParent(store);
    build_insert(&in, store);
    build_yield(&in, NO_OPERANDS);
    in = builder_at_end(p->ir, else_block, b.location);
    build_yield(&in, NO_OPERANDS);
}

static void guard_stores(struct pairs *p, MlirValue condition) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->specialise, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(p->ir, ops[i]);
        if (kind == OP_STORE || kind == OP_BULK_STORE || kind == OP_ATOMIC_RMW) {
            guard_store(p, ops[i], condition);
        }
    }
}

// The producer's loads: half of the right operand, at the even block's barrier, which expects both blocks' bytes.
static void load_halves(struct pairs *p) {
    struct builder b = builder_before(p->ir, p->b_load);
    int32_t columns = (int32_t)type_extent(p->half, 1);
    MlirValue begin = build_binary(&b, OP_MULI, is_odd_block(&b), const_i32(&b, columns));
    MlirValue corner = bulk_load_corner(p->b_load, (intptr_t)p->b_corner);
    set_bulk_load_corner(p->b_load, (intptr_t)p->b_corner, build_binary(&b, OP_ADDI, corner, begin));
    op_set_unit(p->ir, p->a_load, ATTR_PAIR);
    op_set_unit(p->ir, p->b_load, ATTR_PAIR);
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->specialise, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_MBARRIER_EXPECT) {
            MlirType a = mlirValueGetType(bulk_load_slot(p->a_load));
            int64_t bytes = (type_elements(a) + type_elements(p->half)) * type_bits(type_element(a)) / 8;
            op_set_int(p->ir, ops[i], ATTR_BYTES, (int32_t)(BLOCKS * bytes));
            op_set_unit(p->ir, ops[i], ATTR_PAIR);
        }
    }
}

// A copy of columns in rows of the box has half as many.
static void halve_box(struct pairs *p) {
    intptr_t number = mlirBlockArgumentGetArgNumber(bulk_load_map(p->b_load));
    MlirAttribute entries = argument_attribute(p->function, number, ATTR_TENSOR_MAP);
    intptr_t count = mlirDictionaryAttrGetNumElements(entries);
    MlirNamedAttribute *all = ARENA_ARRAY(p->context->arena, MlirNamedAttribute, (size_t)count + 1);
    struct builder b = builder_before(p->ir, p->specialise);
    for (intptr_t i = 0; i < count; i++) {
        all[i] = mlirDictionaryAttrGetElement(entries, i);
        if (attribute_of(p->ir, all[i].name) != ATTR_BOX || p->b_corner == 0) {
            continue;
        }
        int32_t box[CORNERS];
        intptr_t rank = mlirDenseArrayGetNumElements(all[i].attribute);
        for (intptr_t d = 0; d < rank; d++) {
            box[d] = mlirDenseI32ArrayGetElement(all[i].attribute, d);
        }
        box[p->b_corner] /= BLOCKS;
        all[i] = attr_i32_array(&b, ATTR_BOX, rank, box);
    }
    set_argument_attribute(p->ir, p->context->arena, p->function, number, ATTR_TENSOR_MAP,
                           mlirDictionaryAttrGet(p->ir->context, count, all));
}

static void halve_slots(struct pairs *p) {
    MlirValue slots = mlirOperationGetResult(p->b_alloc, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(slots); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        mlirValueSetType(mlirOperationGetResult(mlirOpOperandGetOwner(use), 0), p->half);
    }
    mlirValueSetType(slots, p->half);
}

// Behind its last copy the producer waits until each slot is free: then no commit is on its way to the block.
static void wait_for_slots(struct pairs *p) {
    MlirOperation outer = mlirOperationGetParentOperation(p->tiles[PRODUCER]);
    struct builder b = builder_after(p->ir, outer);
    MlirValue zero = const_i32(&b, 0), one = const_i32(&b, 1);
    MlirValue slots = const_i32(&b, op_int(p->empty, ATTR_COUNT));
    MlirBlock body;
    build_for(&b, zero, slots, one, OPERANDS(mlirOperationGetResult(outer, 0), mlirOperationGetResult(outer, 1)), &body);
    struct builder in = builder_at_end(p->ir, body, b.location);
    MlirValue slot = mlirBlockGetArgument(body, 1), parity = mlirBlockGetArgument(body, 2);
    MlirValue other = build_binary(&in, OP_XORI, parity, const_i32(&in, 1));
    MlirValue bytes = build_binary(&in, OP_MULI, slot, const_i32(&in, MBARRIER_BYTES));
    MlirValue barrier = build_binary(&in, OP_ADDI, mlirOperationGetResult(p->empty, 0), bytes);
    OP(&in, OP_MBARRIER_WAIT, OPERANDS(barrier, other), NO_RESULTS, NO_ATTRS);
    MlirValue next = build_binary(&in, OP_ADDI, slot, const_i32(&in, 1));
    MlirValue wraps = build_compare(&in, INT_EQ, next, slots);
    build_yield(&in, OPERANDS(build_select(&in, wraps, const_i32(&in, 0), next), build_select(&in, wraps, other, parity)));
}

static void mark_ops(struct pairs *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->function, &count);
    for (size_t i = 0; i < count; i++) {
        switch (op_kind(p->ir, ops[i])) {
        case OP_TENSOR_ALLOC:
        case OP_TENSOR_DOT:
        case OP_TENSOR_TAKE:
        case OP_TENSOR_PASS:
        case OP_TENSOR_FREE:
            op_set_unit(p->ir, ops[i], ATTR_PAIR);
            break;
        default:
            break;
        }
    }
    op_set_int(p->ir, p->is_free, ATTR_ARRIVALS, (int32_t)(BLOCKS * op_int(p->is_free, ATTR_ARRIVALS)));
    op_set_int(p->ir, p->function, ATTR_CLUSTER, BLOCKS);
}

static void rewrite(struct pairs *p) {
    for (int role = CONSUMERS; role < ROLES; role++) {
        MlirValue stores = take_pairs(p, role);
        if (role == CONSUMERS) {
            guard_stores(p, stores);
        }
    }
    take_pairs(p, PRODUCER); // last: the others compute its indices again
    load_halves(p);
    halve_box(p);
    halve_slots(p);
    wait_for_slots(p);
    mark_ops(p);
}

static bool find_specialise(struct pairs *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_SPECIALISE) {
            p->specialise = ops[i];
            return mlirOperationGetNumRegions(ops[i]) == ROLES;
        }
    }
    return false;
}

void pass_pairs(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct pairs p = {.context = context, .ir = context->ir, .function = op};
        if (!target_has(context->target, FEATURE_TCGEN05) || op_int(op, ATTR_PERSISTENT) != 1 ||
            !op_has(op, ATTR_PERSISTENT) || !find_specialise(&p) || !find_ops(&p)) {
            continue;
        }
        if (!may_pair(&p)) {
            reason_keep(context, op, ATTR_PAIRS);
            continue;
        }
        rewrite(&p);
        remark(context, REMARK_PAIRS, p.dot,
               "two blocks multiply together, %d rows by %d columns, and each copies half of the right operand", PAIR_ROWS,
               (int)(BLOCKS * type_extent(p.half, 1)));
    }
}
