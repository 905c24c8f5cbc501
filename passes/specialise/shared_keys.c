// shared_keys: programs of two heads that read the same keys and values become the rows of one tile, if 16 warps are asked for 128 rows.
//
//   %h = tk.program_id y                            %h2 = 2 · tk.program_id y + rows / 128                : 256
//   %q = tk.load %Q + %h · 64 + rows …              %q = tk.load %Q + %h2 · 64 + rows % 128 …             : 256x64
//   %k = tk.load %K + %h / 4 · 64 …         →       %k = tk.load %K + (2 · tk.program_id y) / 4 · 64 …
//   %s = tk.dot %q, %k            : 128x64          %s = tk.dot %q, %k                                    : 256x64
//   …                                               …
//
// Reason: attention with heads of 64 on 8 warps is bound by waits. Two such blocks share a multiprocessor, and have too few registers to
// multiply weights and values beside the next exponentials (roles.c); 16 warps of one block have them, but 128 rows are not enough for
// their four warpgroups. Keys and values come once. H200, bf16, causal, grouped queries, 32 heads, tiles of 128 x 64, TFLOP/s beside 8 warps:
// 8,192 rows 539 and 502, 16,384 579 and 530, 4,096 463 and 442. Few programs are slower: 2,048 rows 349 and 354, 1,024 158 and 183, as the longest
// programs meet in one block. Kernels on 8 warps get a second form for many programs (paired_form.c).
//
// Programs may run in any order and at once, so two may be one if a program has no effects but plain loads and stores, and nothing but rows
// differs between them: bounds of loops, keys and values follow from the head's number divided by a multiple of two. The values of
// rows are found from the products' results on: what is computed with such a value is one, and what it is computed of.
// A row of a head that the grid lacks is masked. Blocks have half as many program ids to go through (specialise_deal.c).
//
// requires: a tile program without layouts, loops split (whole_steps), maxima with slack
// provides: the same, tk.sharing
// test:     tests/golden/passes/shared_keys, tests/lang/rows.tk
#include "passes/specialise/shared_keys.h"

#include <mlir-c/BuiltinAttributes.h>

#include "chip/registers.h"
#include "chip/wgmma.h"

enum {
    HEADS = SHARING_HEADS,
    WARPS = SHARING_WARPS,
    WARP_ROWS = 16 // each warpgroup has one row of instructions
};

// ---- values of rows ----

// True if a leaf can be had for all programs of a tile.
static bool leaf_is_plain(const struct sharing *h, MlirValue value) {
    MlirOperation op = value_op(value);
    switch (op_kind(h->ir, op)) {
    case OP_RANGE:
        return op_int(op, ATTR_START) == 0;
    case OP_CONSTANT: {
        MlirAttribute number = op_attribute(op, ATTR_VALUE);
        return mlirAttributeIsADenseElements(number) && mlirDenseElementsAttrIsSplat(number);
    }
    default:
        return true;
    }
}

// Notes the value as one of rows; false if it cannot be.
static bool take(struct sharing *h, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    if (!type_is_tensor(type)) {
        return !map_has(&h->varies, value.ptr);
    }
    if (type_extent(type, 0) != h->rows) {
        return false;
    }
    if (sharing_is_leaf(h, value)) {
        return leaf_is_plain(h, value);
    }
    if (!map_has(&h->tiles, value.ptr)) {
        map_put(&h->tiles, value.ptr, (void *)value.ptr);
        h->order = arena_grown(h->arena, h->order, h->tile_count, &h->tile_capacity, sizeof value);
        h->order[h->tile_count++] = value;
    }
    return true;
}

static bool take_all(struct sharing *h, MlirOperation op) {
    bool good = true;
    for (intptr_t i = 0; good && i < mlirOperationGetNumOperands(op); i++) {
        good = take(h, mlirOperationGetOperand(op, i));
    }
    for (intptr_t i = 0; good && i < mlirOperationGetNumResults(op); i++) {
        good = take(h, mlirOperationGetResult(op, i));
    }
    return good;
}

// A loop's carried value: its start, the body's argument, what the body yields, and the result.
static bool take_carried(struct sharing *h, MlirOperation loop, intptr_t number) {
    MlirBlock body = op_body(loop, 0);
    return take(h, mlirOperationGetOperand(loop, at_for_init + number)) &&
           take(h, mlirBlockGetArgument(body, number + 1)) &&
           take(h, mlirOperationGetOperand(mlirBlockGetTerminator(body), number)) &&
           take(h, mlirOperationGetResult(loop, number));
}

static bool take_yielded(struct sharing *h, MlirOperation branch, intptr_t number) {
    bool good = take(h, mlirOperationGetResult(branch, number));
    for (int way = 0; way < 2 && good; way++) {
        good = take(h, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(branch, way)), number));
    }
    return good;
}

// Takes what the op reads and makes beside a value of rows. `number`: the value among the operands, or -1 - its number among the results.
static bool take_around(struct sharing *h, MlirOperation op, intptr_t number) {
    enum op_kind kind = op_kind(h->ir, op);
    switch (kind) {
    case OP_DOT:
        return number != 1 && take(h, dot_a(op)) && take(h, dot_c(op)) &&
               take(h, mlirOperationGetResult(op, 0));
    case OP_BROADCAST: // of one row, the row is the same for all programs
        return take(h, mlirOperationGetResult(op, 0)) &&
               (type_extent(mlirValueGetType(unary_source(op)), 0) == 1 || take(h, unary_source(op)));
    case OP_EXPAND_DIMS:
    case OP_REDUCE:
        return op_int(op, ATTR_AXIS) > 0 && mlirOperationGetNumOperands(op) == 1 && take_all(h, op);
    case OP_FOR:
        return (number < 0 || number >= at_for_init) &&
               take_carried(h, op, number < 0 ? -1 - number : number - at_for_init);
    case OP_IF:
        return number < 0 && take_yielded(h, op, -1 - number);
    case OP_SCF_YIELD: {
        MlirOperation around = mlirOperationGetParentOperation(op);
        bool loop = op_kind(h->ir, around) == OP_FOR;
        return loop ? take_carried(h, around, number)
                    : op_kind(h->ir, around) == OP_IF && take_yielded(h, around, number);
    }
    case OP_LOAD:
        return !load_is_volatile(op) && take_all(h, op);
    case OP_STORE:
        return take_all(h, op);
    default:
        return (op_traits(kind) & PURE) && (op_traits(kind) & ELEMENTWISE) && take_all(h, op);
    }
}

static bool take_users(struct sharing *h, MlirValue value) {
    bool good = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); good && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        good = take_around(h, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use));
    }
    return good;
}

static bool take_maker(struct sharing *h, MlirValue value) {
    if (mlirValueIsABlockArgument(value)) {
        MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        return op_kind(h->ir, loop) == OP_FOR && number > 0 && take_carried(h, loop, number - 1);
    }
    return take_around(h, value_op(value), -1 - mlirOpResultGetResultNumber(value));
}

static bool tiles_close(struct sharing *h) {
    bool good = true;
    for (size_t i = 0; i < h->tile_count && good; i++) {
        good = take_maker(h, h->order[i]) && take_users(h, h->order[i]);
    }
    return good;
}

// ---- scalars ----

// True if the op divides the head's number by a constant, so that both programs have the same quotient.
static bool is_shared_quotient(const struct sharing *h, MlirOperation op, MlirValue number) {
    enum op_kind kind = op_kind(h->ir, op);
    int64_t group;
    return (kind == OP_DIVSI || kind == OP_DIVUI) && value_is(binary_left(op), number) &&
           value_is_constant_int(h->ir, binary_right(op), &group) && group > 0 && group % HEADS == 0;
}

// Follows a scalar that differs between programs: to further ones, and to tiles of it in all elements.
static bool scalar_varies(struct sharing *h, MlirValue value, int depth, bool *shares) {
    enum { MOST_DEPTH = 32 };
    map_put(&h->varies, value.ptr, (void *)value.ptr);
    bool good = depth < MOST_DEPTH;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); good && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(h->ir, user);
        if (is_shared_quotient(h, user, value) && value_is(value, mlirOperationGetResult(h->id, 0))) {
            *shares = true;
        } else if (kind != OP_SPLAT) {
            good = (op_traits(kind) & PURE) && (op_traits(kind) & ELEMENTWISE) &&
                   mlirOperationGetNumResults(user) == 1 &&
                   !type_is_tensor(mlirValueGetType(mlirOperationGetResult(user, 0))) &&
                   (map_has(&h->varies, mlirOperationGetResult(user, 0).ptr) ||
                    scalar_varies(h, mlirOperationGetResult(user, 0), depth + 1, shares));
        }
    }
    return good;
}

// True if all tiles of scalars that vary are read by ops of rows.
static bool scalars_stay_in_rows(const struct sharing *h, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (op_kind(h->ir, ops[i]) != OP_SPLAT || !map_has(&h->varies, unary_source(ops[i]).ptr)) {
            continue;
        }
        MlirValue tile = mlirOperationGetResult(ops[i], 0);
        for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
             use = mlirOpOperandGetNextUse(use)) {
            if (type_extent(mlirValueGetType(tile), 0) != h->rows ||
                !sharing_reads_tile(h, mlirOpOperandGetOwner(use))) {
                return false;
            }
        }
    }
    return true;
}

// ---- the kernel ----

static bool effects_are_plain(const struct sharing *h, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(h->ir, ops[i]);
        bool structure =
            kind == OP_FOR || kind == OP_IF || kind == OP_ASSUME || (op_traits(kind) & TERMINATOR);
        if (op_is_atomic(kind) || op_names_block(h->ir, ops[i]) ||
            !(structure || kind == OP_LOAD || kind == OP_DOT || kind == OP_PROGRAM_ID ||
              kind == OP_NUM_PROGRAMS || (kind == OP_STORE && sharing_reads_tile(h, ops[i])) ||
              (op_traits(kind) & PURE))) {
            return false;
        }
    }
    return true;
}

// True if registers of 16 warps hold what a step needs whose second product runs beside the next step's exponentials.
static bool registers_suffice(const struct sharing *h, MlirOperation scores, MlirOperation sums) {
    MlirType first = mlirValueGetType(mlirOperationGetResult(scores, 0));
    MlirType second = mlirValueGetType(mlirOperationGetResult(sums, 0));
    unsigned threads = WARPS / HEADS * h->context->target->warp_size;
    unsigned weights = registers_spread(mlirValueGetType(dot_a(sums)), threads);
    unsigned need = registers_spread(first, threads) + 2 * weights + registers_spread(second, threads) +
                    registers_reserved(RESERVE_CHAINED_DOTS);
    return need <= registers_specialised(h->context->target, WARPS, PRODUCER_COPIES, 1).consumer;
}

// True if the dot's right operand is loaded from addresses that tensor maps may have. Else the kernel would not get warps that copy.
static bool right_is_box(struct sharing *h, MlirOperation dot) {
    MlirOperation op = value_op(dot_b(dot));
    op = !mlirOperationIsNull(op) && op_kind(h->ir, op) == OP_TRANS ? value_op(unary_source(op)) : op;
    return !mlirOperationIsNull(op) && op_kind(h->ir, op) == OP_LOAD && !load_is_volatile(op) &&
           affine_of(&h->affines, load_pointer(op));
}

// Takes the products of a loop of two, the second of weights from the first one's scores.
static bool take_chain(struct sharing *h, MlirOperation loop) {
    enum { FEW_PRODUCTS = 128 }; // as in specialise.c
    MlirOperation dots[2];
    size_t count = 0;
    MlirBlock body = op_body(loop, 0);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(h->ir, op) == OP_DOT) {
            if (count == 2) {
                return false;
            }
            dots[count++] = op;
        }
    }
    if (count != 2 || type_rank(mlirValueGetType(dot_a(dots[0]))) != 2) {
        return false;
    }
    MlirType left = mlirValueGetType(dot_a(dots[0])),
             sum = mlirValueGetType(mlirOperationGetResult(dots[1], 0));
    return right_is_box(h, dots[0]) && right_is_box(h, dots[1]) && type_extent(left, 0) == h->rows &&
           type_extent(sum, 0) == h->rows && type_bits(type_element(left)) == 16 &&
           type_bits(type_element(mlirValueGetType(dot_a(dots[1])))) == 16 &&
           type_extent(left, 1) + type_extent(sum, 1) <= FEW_PRODUCTS &&
           registers_suffice(h, dots[0], dots[1]) && take(h, mlirOperationGetResult(dots[0], 0)) &&
           take(h, mlirOperationGetResult(dots[1], 0));
}

static bool has_dot(const struct sharing *h, MlirOperation loop) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
    while (!mlirOperationIsNull(op) && op_kind(h->ir, op) != OP_DOT) {
        op = mlirOperationGetNextInBlock(op);
    }
    return !mlirOperationIsNull(op);
}

// True if the kernel's dots are those of chains in loops.
static bool take_chains(struct sharing *h, const MlirOperation *ops, size_t count) {
    size_t dots = 0, loops = 0;
    for (size_t i = 0; i < count; i++) {
        MlirOperation around = mlirOperationGetParentOperation(ops[i]);
        if (op_kind(h->ir, ops[i]) == OP_DOT) {
            dots++;
            if (op_kind(h->ir, around) != OP_FOR) {
                return false;
            }
        }
        if (op_kind(h->ir, ops[i]) == OP_FOR && has_dot(h, ops[i])) {
            loops++;
            if (!take_chain(h, ops[i])) {
                return false;
            }
        }
    }
    return loops > 0 && dots == 2 * loops;
}

// The program id whose quotient leads to keys and values.
static bool find_heads(struct sharing *h, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (op_kind(h->ir, ops[i]) != OP_PROGRAM_ID ||
            !mlirBlockEqual(mlirOperationGetBlock(ops[i]), op_body(h->function, 0))) {
            continue;
        }
        size_t alike = 0;
        for (size_t j = 0; j < count; j++) {
            alike += op_kind(h->ir, ops[j]) == OP_PROGRAM_ID &&
                     op_int(ops[j], ATTR_AXIS) == op_int(ops[i], ATTR_AXIS);
        }
        bool shares = false;
        h->id = ops[i];
        map_free(&h->varies);
        h->varies = (struct map){0};
        if (alike == 1 && scalar_varies(h, mlirOperationGetResult(ops[i], 0), 0, &shares) && shares) {
            return true;
        }
    }
    return false;
}

bool sharing_find(struct sharing *h, struct pass_context *context, MlirOperation function) {
    *h = (struct sharing){.context = context,
                          .ir = context->ir,
                          .arena = context->arena,
                          .function = function,
                          .rows = (int64_t)WARPS / HEADS * WARP_ROWS,
                          .count = HEADS};
    if (!target_has(context->target, FEATURE(WGMMA)) || !context->tensor_maps ||
        op_has(function, ATTR_FIXED_WARPS) || op_int(function, ATTR_MAXNREG) ||
        op_has(function, ATTR_CHAIN) || op_int(function, ATTR_NUM_CTAS) > 1) {
        return false;
    }
    size_t count;
    MlirOperation *ops = ops_collect(h->ir, h->arena, h->function, &count);
    affines_open(&h->affines, context, function);
    bool found = find_heads(h, ops, count) && take_chains(h, ops, count) && tiles_close(h) &&
                 scalars_stay_in_rows(h, ops, count) && effects_are_plain(h, ops, count);
    affines_close(&h->affines);
    return found;
}

void sharing_close(struct sharing *h) {
    map_free(&h->tiles);
    map_free(&h->varies);
    map_free(&h->made);
}

void pass_shared_keys(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct sharing h = {0};
        if (op_int(op, ATTR_NUM_WARPS) == WARPS && sharing_find(&h, context, op)) {
            remark(context, REMARK_ROWS, h.function,
                   "programs of %d heads that share keys and values are done at once, by %d warps", HEADS,
                   WARPS);
            sharing_rewrite(&h);
        }
        sharing_close(&h);
    }
}
