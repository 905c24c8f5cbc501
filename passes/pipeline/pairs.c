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
// copies, and reads, 128 rows and 128 columns; a block alone has 128 and 256.
//
// The blocks of a cluster take two neighbouring programs. The kernel compares their indices of the right operand: if they
// are the same, each block has its program. Else, and for an odd last program, both do one after the other: the odd block does the
// even one's program once more and stores nothing. That would take twice the time, so the pass wants proof of its rarity: the rows
// of the result fill pairs of tiles, and neighbouring programs share a column of tiles (grouped_pid).
// Clusters of two in the source (num_ctas) need no such proof.
//
// The even block starts the products, and their commits reach both blocks' barriers: a slot is free, and a buffer of columns full, in
// both. The barriers of full slots and of read buffers are the even block's. A block may end when nothing can reach
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
#include "dialects/tk/tensor_map.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "passes/pipeline/pair_slots.h"
#include "support/map.h"

enum {
    PRODUCER,
    CONSUMERS,
    MULTIPLIER,
    ROLES,
    BLOCKS = 2,
    PAIR_ROWS = BLOCKS * TENSOR_ROWS,
    LEAST_COLUMNS = 64, // of a pair's product
    CORNERS = 5,
    MOST = 8 // products, copies, right operands, indices
};

struct pairs {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, specialise;
    int roles;                  // 2, or 3 with a role for starting products
    MlirOperation tiles[ROLES]; // the roles' loops over programs
    MlirOperation dots[MOST];
    MlirOperation copies[MOST]; // of right operands, by the producer
    struct right rights[MOST];
    MlirOperation freed[MOST]; // mbarrier_alloc of slots given back by commits
    MlirOperation left_copy;   // of a left operand
    bool left_turned;          // whose rows are the slot's columns
    MlirOperation is_free;     // mbarrier_alloc of read buffers; null without a third role
    unsigned dot_count, copy_count, right_count, freed_count;
    MlirValue
        compared[MOST * CORNERS]; // indices of right operands in the producer, different between programs
    unsigned compared_count;
    bool near; // neighbouring programs may have others in one column of tiles
};

static MlirOperation alloc_behind(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value), none = {NULL};
    for (int depth = 0; depth < 4 && !mlirOperationIsNull(op) && op_kind(ir, op) != kind; depth++) {
        MlirOperation next = none;
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && mlirOperationIsNull(next); i++) {
            MlirOperation from = value_op(mlirOperationGetOperand(op, i));
            bool leads =
                !mlirOperationIsNull(from) && (op_kind(ir, from) == kind || op_kind(ir, from) == OP_ADDI);
            next = leads ? from : none;
        }
        op = next;
    }
    return mlirOperationIsNull(op) || op_kind(ir, op) != kind ? none : op;
}

static bool add(MlirOperation *list, unsigned *count, MlirOperation op) {
    for (unsigned i = 0; i < *count; i++) {
        if (mlirOperationEqual(list[i], op)) {
            return true;
        }
    }
    if (mlirOperationIsNull(op) || *count == MOST) {
        return false;
    }
    list[(*count)++] = op;
    return true;
}

static struct right *right_of(struct pairs *p, MlirOperation slots) {
    for (unsigned i = 0; i < p->right_count; i++) {
        if (mlirOperationEqual(p->rights[i].slots, slots)) {
            return &p->rights[i];
        }
    }
    return NULL;
}

// The role for starting products.
static int multiplier(const struct pairs *p) {
    return p->roles - 1;
}

// ---- differences between programs ----

struct slice {
    const struct pairs *p;
    MlirValue program; // the counter of the producer's loop, or of the multiplier's
    struct map seen;
    bool differs; // between programs
    bool near;    // between two neighbours: not only by a quotient of their number
    bool steps;   // within a program
};

static bool follow(struct slice *s, MlirValue value);

// An argument of the function, or a value carried by a loop: from its start and its yield.
static bool follow_argument(struct slice *s, MlirValue value) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation loop = mlirBlockGetParentOperation(block);
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (mlirBlockEqual(block, op_body(s->p->function, 0))) {
        return true;
    }
    s->steps = true;
    if (op_kind(s->p->ir, loop) != OP_FOR) {
        return false;
    }
    return number == 0 ? follow(s, for_lower(loop)) && follow(s, mlirOperationGetOperand(loop, at_for_step))
                       : follow(s, for_init(loop, number - 1)) &&
                             follow(s, yield_value(mlirBlockGetTerminator(block), number - 1));
}

// Follows a scalar back. False: it holds an op with effects.
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
        return follow_argument(s, value);
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

// True if all programs have the same value, in the same step.
static bool is_common(const struct pairs *p, int role, MlirValue value) {
    struct slice s = slice_of(p, role);
    bool common = follow(&s, value) && !s.differs;
    map_free(&s.seen);
    return common;
}

// ---- finding ----

static bool is_kind(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && op_kind(ir, op) == kind && op_int(op, ATTR_AXIS) == 0;
}

// The loop of a role over the block's programs: from the block's number on, by the number of blocks.
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

static bool find_rights(struct pairs *p) {
    for (unsigned i = 0; i < p->dot_count; i++) {
        MlirOperation slots = pair_slots(p->ir, tensor_dot_b(p->dots[i]));
        if (mlirOperationIsNull(slots) || op_kind(p->ir, slots) != OP_SMEM_ALLOC ||
            !pair_right_alone(p->ir, slots)) {
            return false;
        }
        if (!right_of(p, slots)) {
            p->rights[p->right_count++] = (struct right){.slots = slots};
        }
    }
    return true;
}

// Sorts a copy: of a right operand, or of a left one. False: a third role has no others.
static bool sort_copy(struct pairs *p, MlirOperation copy) {
    MlirOperation slots = pair_slots(p->ir, bulk_load_slot(copy));
    if (right_of(p, slots)) {
        return add(p->copies, &p->copy_count, copy);
    }
    for (unsigned i = 0; i < p->dot_count; i++) {
        if (mlirOperationEqual(pair_slots(p->ir, tensor_dot_a(p->dots[i])), slots)) {
            p->left_copy = copy;
            p->left_turned = pair_is_turned(p->ir, tensor_dot_a(p->dots[i]));
            return true;
        }
    }
    return p->roles < ROLES;
}

static bool find_op(struct pairs *p, MlirOperation op) {
    switch (op_kind(p->ir, op)) {
    case OP_TENSOR_DOT:
        return add(p->dots, &p->dot_count, op);
    case OP_TENSOR_PASS:
        p->is_free = op_has(op, ATTR_AHEAD) ? p->is_free : value_op(tensor_pass_barriers(op));
        return true;
    case OP_TENSOR_RELEASE:
        return add(p->freed, &p->freed_count,
                   alloc_behind(p->ir, tensor_release_barrier(op), OP_MBARRIER_ALLOC));
    case OP_MBARRIER_WAIT:
        return p->roles < ROLES || role_of(p, op) != PRODUCER ||
               add(p->freed, &p->freed_count,
                   alloc_behind(p->ir, mbarrier_wait_barrier(op), OP_MBARRIER_ALLOC));
    default:
        return true;
    }
}

// Finds products, and the copies of their operands. False: there is something else.
static bool find_ops(struct pairs *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->specialise, &count);
    bool known = true;
    for (size_t i = 0; i < count; i++) {
        known &= find_op(p, ops[i]);
    }
    if (!known || !find_rights(p)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_BULK_LOAD && !sort_copy(p, ops[i])) {
            return false;
        }
    }
    return p->copy_count > 0 && !mlirOperationIsNull(p->left_copy) &&
           (p->roles < ROLES ||
            (p->dot_count == 1 && p->freed_count == 1 && !mlirOperationIsNull(p->is_free)));
}

// ---- conditions ----

static bool fits_shape(struct pairs *p) {
    for (unsigned i = 0; i < p->dot_count; i++) {
        MlirOperation dot = p->dots[i];
        MlirType b = mlirValueGetType(tensor_dot_b(dot));
        int64_t rows = op_int(dot, ATTR_LEFT_ROWS);
        rows = rows ? rows : type_extent(mlirValueGetType(tensor_dot_a(dot)), 0);
        if (rows != TENSOR_ROWS || type_extent(b, 1) < LEAST_COLUMNS ||
            type_extent(b, 1) > TENSOR_MOST_COLUMNS ||
            !pair_halve(p->ir, right_of(p, pair_slots(p->ir, tensor_dot_b(dot))), tensor_dot_b(dot))) {
            return decline(p->context, dot, REASON_PAIR_SHAPE);
        }
    }
    return true;
}

// All programs take the same way to a product: the even block's takes it for both.
static bool same_way(struct pairs *p, MlirOperation dot) {
    int role = multiplier(p);
    for (MlirOperation op = mlirOperationGetParentOperation(dot); !mlirOperationEqual(op, p->tiles[role]);
         op = mlirOperationGetParentOperation(op)) {
        intptr_t values = op_kind(p->ir, op) == OP_FOR ? at_for_init : op_kind(p->ir, op) == OP_IF ? 1 : 0;
        bool common = values > 0;
        for (intptr_t i = 0; i < values && common; i++) {
            common = is_common(p, role, mlirOperationGetOperand(op, i));
        }
        if (!common) {
            return decline(p->context, dot, REASON_PAIR_STEPS);
        }
    }
    return true;
}

// Collects the indices of right operands for the blocks to compare.
static bool find_compared(struct pairs *p, MlirOperation copy) {
    for (intptr_t i = 0; i < bulk_load_corner_count(copy); i++) {
        MlirValue corner = bulk_load_corner(copy, i);
        struct slice s = slice_of(p, PRODUCER);
        bool known = follow(&s, corner) && !(s.differs && s.steps);
        map_free(&s.seen);
        if (!known) {
            return decline(p->context, copy, REASON_PAIR_STEPS);
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
    MlirType slot = mlirValueGetType(bulk_load_slot(p->left_copy));
    struct wgmma_operand lies;
    if (!wgmma_operand_of(type_layout(p->ir, slot), type_bits(type_element(slot)) / 8, &lies)) {
        return decline(p->context, p->dots[0], REASON_PAIR_SHAPE);
    }
    struct tile_size size = tensor_map_size(tensor_map_of(bulk_load_map(p->left_copy)), ATTR_SIZES,
                                            lies.rows_fastest == p->left_turned);
    int parameter = size.parameters[0];
    bool plain = size.over == 1 && size.parameters[1] < 0 && (parameter < 0 || size.constant == 0);
    int64_t known = plain && parameter < 0 ? size.constant : plain ? size.factor : 1;
    MlirValue argument = {NULL};
    if (plain && parameter >= 0) {
        argument = mlirBlockGetArgument(op_body(p->function, 0), parameter);
        MlirAttribute hint = argument_attribute(p->function, parameter, ATTR_DIVISIBLE_BY);
        known *= mlirAttributeIsNull(hint) ? 1 : mlirIntegerAttrGetValueInt(hint);
    }
    return known % PAIR_ROWS == 0 ||
           decline_hint(p->context, p->dots[0], REASON_PAIR_ROWS, known, argument, PAIR_ROWS);
}

// Neighbouring programs are in one column of tiles, except at the ends of columns, or of groups, of an odd number of rows.
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
           decline(p->context, p->dots[0], REASON_PAIR_NEIGHBOURS);
}

// The ops left out by an odd block's repetition of a program.
static bool is_stored(enum op_kind kind) {
    switch (kind) {
    case OP_STORE:
    case OP_BULK_STORE:
    case OP_ATOMIC_RMW:
    case OP_PRINT:
    case OP_WATCH:
    case OP_STEP:
        return true;
    default:
        return false;
    }
}

// A repeated program need not change memory if nobody reads old values: the other block's copy of it does.
static bool may_repeat(struct pairs *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->specialise, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(p->ir, ops[i]);
        bool writes = op_traits(kind) & WRITE && kind != OP_ASSUME && kind != OP_ASSERT;
        bool gives =
            mlirOperationGetNumResults(ops[i]) > 0 && value_has_uses(mlirOperationGetResult(ops[i], 0));
        if (writes && (!is_stored(kind) || gives)) {
            return decline(p->context, ops[i], REASON_PAIR_EFFECT);
        }
    }
    return true;
}

// Zeros in the place of a box (lower_bulk.c) could not count at the even block's mbarrier.
static bool boxes_are_loaded(struct pairs *p) {
    struct arena *arena = p->context->arena;
    bool loaded = !bulk_load_outside(p->left_copy, arena);
    for (unsigned i = 0; i < p->copy_count && loaded; i++) {
        loaded = !bulk_load_outside(p->copies[i], arena);
    }
    return loaded || decline(p->context, p->dots[0], REASON_PAIR_OUTSIDE);
}

static bool may_pair(struct pairs *p) {
    for (int role = 0; role < p->roles; role++) {
        if (!find_tiles(p, role)) {
            return decline(p->context, p->dots[0], REASON_PAIR_STEPS);
        }
    }
    bool fits = fits_shape(p) && boxes_are_loaded(p) && may_repeat(p);
    for (unsigned i = 0; i < p->dot_count && fits; i++) {
        fits = same_way(p, p->dots[i]);
    }
    for (unsigned i = 0; i < p->copy_count && fits; i++) {
        fits = find_compared(p, p->copies[i]);
    }
    bool asked = op_int(p->function, ATTR_NUM_CTAS) == BLOCKS; // the program takes the risk of the slow way
    return fits && (asked || (has_neighbours(p) && fills_pairs(p)));
}

// ---- the rewrite ----

// Computes a scalar of the producer again, for the program in the map.
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

// i1: programs `first` and `second` have the same right operand.
static MlirValue share(struct pairs *p, struct builder *b, MlirValue first, MlirValue second) {
    MlirValue counter = mlirBlockGetArgument(op_body(p->tiles[PRODUCER], 0), 0),
              same = const_int(b, type_i1(p->ir), 1);
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
    MlirValue block =
        VALUE(b, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
    return build_binary(b, OP_ANDI, block, const_i32(b, 1));
}

// Puts a loop over pairs of programs around a role's loop, and narrows it to the block's programs of one pair. Returns an i1: the block
// stores its results.
static MlirValue take_pairs(struct pairs *p, int role) {
    MlirOperation inner = p->tiles[role];
    struct builder b = builder_before(p->ir, inner);
    MlirValue block = for_lower(inner), all = for_upper(inner),
              blocks = mlirOperationGetOperand(inner, at_for_step);
    MlirValue rank = is_odd_block(&b), zero = const_i32(&b, 0), one = const_i32(&b, 1),
              two = const_i32(&b, BLOCKS);
    MlirValue first = build_binary(&b, OP_SUBI, block, rank);
    if (role == MULTIPLIER) { // of the even block alone
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
        if (is_stored(op_kind(p->ir, ops[i]))) {
            guard_store(p, ops[i], condition);
        }
    }
}

static unsigned bytes_of(MlirType slot) {
    return (unsigned)(type_elements(slot) * type_bits(type_element(slot)) / 8);
}

// Of a third role the even block's barrier expects both blocks' bytes, else each block's its own.
static void expect_halves(struct pairs *p, MlirOperation expect) {
    int64_t bytes = op_int(expect, ATTR_BYTES);
    for (unsigned i = 0; i < p->copy_count; i++) {
        MlirType half = right_of(p, pair_slots(p->ir, bulk_load_slot(p->copies[i])))->half;
        bool here = value_is(bulk_load_barrier(p->copies[i]), mbarrier_expect_barrier(expect));
        bytes -= here ? bytes_of(half) : 0;
    }
    op_set_int(p->ir, expect, ATTR_BYTES, (int32_t)(p->roles == ROLES ? BLOCKS * bytes : bytes));
}

// The producer copies the block's half of the right operand.
static void copy_half(struct pairs *p, MlirOperation copy) {
    const struct right *right = right_of(p, pair_slots(p->ir, bulk_load_slot(copy)));
    struct builder b = builder_before(p->ir, copy);
    MlirValue columns = const_i32(&b, right->columns);
    MlirValue begin = build_binary(&b, OP_MULI, is_odd_block(&b), columns);
    MlirValue corner = bulk_load_corner(copy, (intptr_t)right->corner);
    set_bulk_load_corner(copy, (intptr_t)right->corner, build_binary(&b, OP_ADDI, corner, begin));
    pair_halve_box(p->ir, p->context->arena, copy, right);
}

// Behind its last copy the producer waits until each slot is free: then no commit is on its way to the block. The first two carried
// values of its loop are the next slot and its parity.
static void wait_for_slots(struct pairs *p, MlirOperation empty) {
    MlirOperation outer = mlirOperationGetParentOperation(p->tiles[PRODUCER]);
    MlirValue slot = mlirOperationGetResult(outer, 0), parity = mlirOperationGetResult(outer, 1);
    struct builder b = builder_after(p->ir, outer);
    MlirValue zero = const_i32(&b, 0), one = const_i32(&b, 1),
              slots = const_i32(&b, op_int(empty, ATTR_COUNT));
    MlirBlock body;
    build_for(&b, zero, slots, one, OPERANDS(slot, parity), &body);
    struct builder in = builder_at_end(p->ir, body, b.location);
    slot = mlirBlockGetArgument(body, 1), parity = mlirBlockGetArgument(body, 2);
    MlirValue other = build_binary(&in, OP_XORI, parity, one);
    MlirValue bytes = build_binary(&in, OP_MULI, slot, const_i32(&in, MBARRIER_BYTES));
    MlirValue barrier = build_binary(&in, OP_ADDI, mlirOperationGetResult(empty, 0), bytes);
    OP(&in, OP_MBARRIER_WAIT, OPERANDS(barrier, other), NO_RESULTS, NO_ATTRS);
    MlirValue next = build_binary(&in, OP_ADDI, slot, one);
    MlirValue wraps = build_compare(&in, INT_EQ, next, slots);
    slot = build_select(&in, wraps, zero, next);
    parity = build_select(&in, wraps, other, parity);
    build_yield(&in, OPERANDS(slot, parity));
}

// Of two roles the products' barriers are as many again: at the second half the odd block reports its part.
static void mark_op(struct pairs *p, MlirOperation op) {
    switch (op_kind(p->ir, op)) {
    case OP_MBARRIER_EXPECT:
    case OP_BULK_LOAD:
        if (p->roles == ROLES) {
            op_set_unit(p->ir, op, ATTR_PAIR);
        }
        return;
    case OP_TENSOR_ALLOC:
    case OP_TENSOR_DOT:
    case OP_TENSOR_RELEASE:
    case OP_TENSOR_TAKE:
    case OP_TENSOR_PASS:
    case OP_TENSOR_FREE:
        op_set_unit(p->ir, op, ATTR_PAIR);
        return;
    default:
        return;
    }
}

static void mark_ops(struct pairs *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_MBARRIER_EXPECT) {
            expect_halves(p, ops[i]);
        }
        mark_op(p, ops[i]);
    }
    MlirOperation ring = value_op(tensor_dot_barrier(p->dots[0]));
    if (p->roles == ROLES) {
        op_set_int(p->ir, p->is_free, ATTR_ARRIVALS, (int32_t)(BLOCKS * op_int(p->is_free, ATTR_ARRIVALS)));
    } else {
        op_set_int(p->ir, ring, ATTR_COUNT, (int32_t)(BLOCKS * op_int(ring, ATTR_COUNT)));
        op_set_unit(p->ir, ring, ATTR_PAIR);
    }
    op_set_int(p->ir, p->function, ATTR_CLUSTER, BLOCKS);
}

static void rewrite(struct pairs *p) {
    for (int role = CONSUMERS; role < p->roles; role++) {
        MlirValue stores = take_pairs(p, role);
        if (role == CONSUMERS) {
            guard_stores(p, stores);
        }
    }
    take_pairs(p, PRODUCER); // last: the others compute its indices again
    for (unsigned i = 0; i < p->copy_count; i++) {
        copy_half(p, p->copies[i]);
    }
    mark_ops(p);
    for (unsigned i = 0; i < p->right_count; i++) {
        pair_halve_slots(p->ir, &p->rights[i]);
    }
    for (unsigned i = 0; i < p->freed_count; i++) {
        wait_for_slots(p, p->freed[i]);
    }
}

static bool find_specialise(struct pairs *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_SPECIALISE) {
            p->specialise = ops[i];
            p->roles = (int)mlirOperationGetNumRegions(ops[i]);
            return true;
        }
    }
    return false;
}

// One block on a multiprocessor, whose warps do all steps of its programs.
static bool is_plain(struct pass_context *context, MlirOperation function) {
    return target_has(context->target, FEATURE(TCGEN05)) && op_has(function, ATTR_PERSISTENT) &&
           op_int(function, ATTR_PERSISTENT) == 1 && op_int(function, ATTR_SLICES) == 1 &&
           !op_has(function, ATTR_GATHERS) && !op_has(function, ATTR_TURNS);
}

void pass_pairs(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct pairs p = {.context = context, .ir = context->ir, .function = op};
        if (!is_plain(context, op) || !find_specialise(&p)) {
            continue;
        }
        bool known = find_ops(&p) || p.dot_count == 0 || decline(context, p.dots[0], REASON_PAIR_SHAPE);
        if (p.dot_count == 0) {
            continue;
        }
        if (!known || !may_pair(&p)) {
            reason_keep(context, op, ATTR_PAIRS);
            continue;
        }
        rewrite(&p);
        remark(
            context, REMARK_PAIRS, p.dots[0],
            "two blocks multiply together, %d rows by %d columns, and each copies half of the right operand",
            PAIR_ROWS, (int)(BLOCKS * p.rights[0].columns));
    }
}
