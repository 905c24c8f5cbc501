// Loads of few elements, spread over the rows or columns of a larger tile.
//
//   b = tl.load(bias + n)                         64 elements, 128 threads
//   y = x + b[None, :]                            each thread reads those of its own columns
//
// With one element a thread, distributing the loaded values would cost a buffer and two barriers. But the
// threads of a warp with one common element read it in one access, and all warps but the first find it in the
// cache. So such a load floats: it is repeated in each layout in use, if a thread then needs few accesses. A
// thread holds few rows of a product's accumulator and many columns; but equal neighbours (one scale for 128
// columns) are loaded once. With few warps the barriers are cheap, and in loops of functions without dots the added
// accesses cost more than they save (steps of recurrences of vectors: 1.4 times; the sines and cosines of a token, once a program: 0.984).
// On AMD only loads in loops with dots float: there each distribution is two waits of a step. A thread may hold 4 of their elements, rows of its
// loaded tile. All warps repeat the arithmetic on the columns of an accumulator, at a higher cost than the barriers'. So a thread holds more
// elements only without arithmetic ahead of the spread, if its accesses read four by four, like a buffer's, and registers are left beside the loop's products.
//
// A row of words that joins repeat for the numbers in them (zeros of AWQ's weights) floats as well, and its joins with it: each thread loads
// the words of its own columns.
#include "passes/layout/layouts.h"

#include "chip/registers.h"
#include "ir/build.h"
#include "passes/facts/operand_layout.h"
#include "passes/facts/value_work.h"

enum { DEEPEST = 16, MOST_LAYOUTS = 8, MOST_ACCESSES = 2, FEW_WARPS = 4 };
enum { BUFFER_READ = 4 };   // elements of one access to a buffer
enum { MOST_ELEMENTS = 4 }; // of a thread on AMD

// Numbers of a word are unpacked from copies of it.
static bool joins_with_itself(MlirOperation join) {
    return value_is(binary_left(join), binary_right(join));
}

// True if every value computed from the tile ends in a spread (expand_dims or broadcast), and there is one. A tile of more than one
// dimension, or one with another shape on the way, is joined with itself besides.
static bool only_spreads(struct layouts *l, MlirValue tile) {
    struct value_work work = {.arena = l->arena};
    bool any = false, only = true, joined = false, shaped = type_rank(mlirValueGetType(tile)) > 1;
    value_work_add(&work, tile);
    for (MlirValue value; only && !mlirValueIsNull(value = value_work_take(&work));) {
        for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && only;
             use = mlirOpOperandGetNextUse(use)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            enum op_kind kind = op_kind(l->ir, user);
            bool spreads = kind == OP_EXPAND_DIMS || kind == OP_BROADCAST;
            any |= spreads;
            joined |= kind == OP_JOIN;
            shaped |= kind == OP_JOIN || kind == OP_RESHAPE;
            only = spreads || kind == OP_RESHAPE || (kind == OP_JOIN && joins_with_itself(user)) ||
                   ((op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE) &&
                    mlirOperationGetNumResults(user) == 1);
            if (only && !spreads) {
                value_work_add(&work, mlirOperationGetResult(user, 0));
            }
        }
    }
    value_work_free(&work);
    return any && only && joined == shaped;
}

void layouts_find_spread(struct layouts *l) {
    int64_t threads = (int64_t)l->num_warps * l->context->target->warp_size;
    bool wanted = l->num_warps >= FEW_WARPS, nvidia = l->context->target->vendor == VENDOR_NVIDIA;
    bool multiplies = layouts_multiply(l);
    for (size_t i = 0; i < l->op_count && wanted; i++) {
        MlirOperation op = l->ops[i];
        if (op_kind(l->ir, op) != OP_LOAD || load_is_volatile(op) ||
            (op_is_in_loop(l->ir, op) ? !multiplies : !nvidia)) {
            continue;
        }
        MlirValue tile = mlirOperationGetResult(op, 0);
        MlirType type = mlirValueGetType(tile);
        if (type_is_tensor(type) && type_elements(type) < threads && only_spreads(l, tile)) {
            map_put(&l->spread, op.ptr, (void *)op.ptr);
        }
    }
}

// True if a join of tiles in some layout has this one.
static bool is_joined(const struct layout *layout) {
    struct layout half;
    unsigned bit;
    bool pairs = layout_split(layout, &half, &bit);
    struct layout joined = pairs ? layout_join(&half) : *layout;
    return pairs && layout_equal(&joined, layout);
}

// The layouts in which a floating value is needed; MOST_LAYOUTS if some are not known, as for a dot's
// operand.
static size_t needed(struct layouts *l, MlirValue value, int depth, struct layout found[MOST_LAYOUTS]) {
    size_t count = 0;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && count < MOST_LAYOUTS;
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(l->ir, user);
        bool maps = kind == OP_EXPAND_DIMS || kind == OP_BROADCAST || kind == OP_RESHAPE ||
                    kind == OP_TRANS || kind == OP_JOIN || (op_traits(kind) & ELEMENTWISE);
        if (!maps || depth == DEEPEST) {
            return MOST_LAYOUTS;
        }
        bool again = kind == OP_JOIN && mlirOpOperandGetOperandNumber(use) > 0; // of a tile with itself
        if (mlirOperationGetNumResults(user) != 1 || again) {                   // a store has no result
            continue;
        }
        MlirValue result = mlirOperationGetResult(user, 0);
        struct home home = layouts_home(l, result);
        struct layout of[MOST_LAYOUTS];
        size_t results = 1;
        if (home.layout) {
            of[0] = *home.layout;
        } else {
            results = needed(l, result, depth + 1, of);
        }
        if (results == MOST_LAYOUTS) {
            return MOST_LAYOUTS;
        }
        for (size_t i = 0; i < results && count < MOST_LAYOUTS; i++) {
            if (kind == OP_JOIN && !is_joined(&of[i])) {
                return MOST_LAYOUTS;
            }
            found[count++] =
                operand_layout(l->ir, l->arena, user, mlirOpOperandGetOperandNumber(use), &of[i]);
        }
    }
    return count;
}

// True if no value is computed of the tile's elements ahead of their spread.
static bool only_copied(struct layouts *l, MlirValue tile) {
    bool copied = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use) && copied;
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(l->ir, user);
        copied = kind == OP_BROADCAST ||
                 (kind == OP_EXPAND_DIMS && only_copied(l, mlirOperationGetResult(user, 0)));
    }
    return copied;
}

// True if a thread has registers for the load's elements beside the results of the dots around it.
static bool has_registers(struct layouts *l, MlirOperation load, unsigned registers) {
    const struct target *target = l->context->target;
    unsigned threads = l->num_warps * target->warp_size;
    unsigned needed = registers + registers_reserved(RESERVE_COLUMNS_LOADED);
    for (size_t i = 0; i < l->op_count; i++) {
        if (op_kind(l->ir, l->ops[i]) == OP_DOT &&
            mlirBlockEqual(mlirOperationGetBlock(l->ops[i]), mlirOperationGetBlock(load))) {
            needed += registers_spread(mlirValueGetType(mlirOperationGetResult(l->ops[i], 0)), threads);
        }
    }
    return needed <= registers_share(target, l->num_warps, target->compute_units);
}

// True if a thread needs few accesses to load its elements in this layout: at most two, or no more than it would need to
// read them from a buffer.
static bool takes_few(struct layouts *l, MlirOperation load, const struct layout *layout) {
    struct layout distinct = layout_remove_replicas(layout);
    const int32_t *constancy;
    unsigned registers = layout_registers(&distinct),
             accesses = registers / (unsigned)layouts_vector(l, load, layout);
    if (l->context->target->vendor == VENDOR_AMD) {
        return registers <= MOST_ELEMENTS ||
               (accesses <= registers / BUFFER_READ && only_copied(l, mlirOperationGetResult(load, 0)) &&
                has_registers(l, load, registers));
    }
    if (op_i32_array(load, ATTR_CONSTANCY, &constancy, l->arena) == (intptr_t)distinct.rank) {
        unsigned alone = registers >> __builtin_popcount(layout_alike(&distinct, constancy));
        accesses = alone < accesses ? alone : accesses;
    }
    return accesses <= MOST_ACCESSES || accesses <= registers / BUFFER_READ;
}

bool layouts_drop_spread(struct layouts *l) {
    bool dropped = false;
    for (size_t i = 0; i < l->op_count; i++) {
        MlirOperation op = l->ops[i];
        if (!map_get(&l->spread, op.ptr)) {
            continue;
        }
        struct layout found[MOST_LAYOUTS];
        size_t count = needed(l, mlirOperationGetResult(op, 0), 0, found);
        bool few = count < MOST_LAYOUTS;
        for (size_t k = 0; k < count && few; k++) {
            few &= takes_few(l, op, &found[k]);
        }
        if (!few) {
            map_put(&l->spread, op.ptr, NULL);
            dropped = true;
        }
    }
    return dropped;
}
