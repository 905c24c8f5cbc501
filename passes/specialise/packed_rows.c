// packed_rows: programs of one short row each become the rows of a tile, and blocks go from tile to tile.
//
//   %r = tk.program_id x                            for %t = block to ceil(%programs / 16) step blocks {
//   %p = tk.addptr %x, %r * 128                       %r = %t * 16 + tk.range 16
//   %v = tk.load %p + tk.range 128                    %p = tk.addptr %x, %r * 128           : 16 pointers
//   %m = tk.reduce %v {axis = 0}          →           %v = tk.load %p + tk.range 128, %r < %programs : 16x128
//   …                                                 %m = tk.reduce %v {axis = 1}          : 16
//                                                     … }
//
// A block of one short row has too few bytes in flight: a multiprocessor holds 32 blocks at most, and a row of a
// few warps meets at barriers. In a tile of rows each warp holds whole rows (layouts_choose.c): a thread holds at
// least 16 elements, rows are reduced by few shuffles or by none, and no barrier is needed. H200: top 8 of 128
// 43.3 → 19.1 us; softmax of 1,024 columns beside a path for long rows 26.0 → 20.7 us.
//
// Programs along x may run in any order and at once, so packing is legal if a program has no effects but plain
// loads and stores. Values common to all programs are computed once a tile. A branch taken by each program
// on its own, such as an early return, becomes a mask of its accesses; one taken by all programs together (an
// scf.if on arguments) is packed with its content. If one way of it has a loop, for rows of any length, the way
// keeps a block a row:
//
//   %r = tk.program_id x                            if %c { for %t = … { tiles of rows: A, B } }
//   A; if %c { B } else { loop }          →         else  { for %r = block to %programs step blocks { A; loop } }
//
// requires: a tile program without layouts, no dots
// provides: a loop over tiles, tk.packed, tk.persistent, a hidden argument; another number of warps
// test:     tests/golden/passes/packed_rows
#include "passes/specialise/packed_rows.h"

#include "chip/occupancy.h"
#include "ir/build.h"
#include "passes/facts/apart.h"

enum {
    LANE_ELEMENTS = 32,       // most elements of a row in a lane, if a warp holds it alone
    LANE_ELEMENTS_LEAST = 16, // rows share a warp until a lane has as many
    WARP_ROWS = 8,            // most rows of a warp
    MOST_WORK = 8192,         // instructions of a thread
    ENOUGH_BYTES = 32 << 10,  // under way on a multiprocessor; latency times bandwidth is 25 KB on an H200
    MANY_EXCHANGES = 8        // so many reductions are worth fewer shuffles, whatever memory does
};

static bool any_operand(const struct map *map, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (map_has(map, mlirOperationGetOperand(op, i).ptr)) {
            return true;
        }
    }
    return false;
}

static void mark_results(struct map *map, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        map_put(map, result.ptr, (void *)result.ptr);
    }
}

// ---- ops of a packed program ----

// True for a load of an earlier step's stored tile in a chain: it is no load in the end.
static bool is_handed(struct packing *p, MlirOperation load) {
    MlirValue array =
        op_has(p->function, ATTR_CHAIN) ? pointer_argument(p->ir, load_pointer(load)) : (MlirValue){NULL};
    return !mlirValueIsNull(array) && !mlirAttributeIsNull(argument_attribute(
                                          p->function, mlirBlockArgumentGetArgNumber(array), ATTR_HANDED));
}

// Registers for the data of an op, in words of 32 bits; addresses do not count.
static int64_t words_of(MlirOperation op) {
    MlirValue value = mlirOperationGetNumResults(op) ? mlirOperationGetResult(op, 0) : store_value(op);
    MlirType type = mlirValueGetType(value);
    unsigned bits = type_bits(type_element(type));
    return type_elements(type) * (bits > 32 ? 2 : 1);
}

// The widest tile computed or stored by an op.
static int64_t elements_of(MlirOperation op) {
    int64_t most = 1;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) + mlirOperationGetNumResults(op); i++) {
        intptr_t result = i - mlirOperationGetNumOperands(op);
        int64_t elements = type_elements(mlirValueGetType(result < 0 ? mlirOperationGetOperand(op, i)
                                                                     : mlirOperationGetResult(op, result)));
        most = elements > most ? elements : most;
    }
    return most;
}

// The region of a reduction is moved to the new op: it may name no value inside the loop.
static bool region_stands_alone(struct packing *p, MlirOperation op) {
    size_t count;
    MlirOperation *inner = ops_collect(p->ir, p->arena, op, &count);
    for (size_t i = 0; i < count; i++) {
        if (any_operand(&p->varies, inner[i]) || any_operand(&p->inside, inner[i])) {
            return decline(p->context, op, REASON_PACKED_OP);
        }
    }
    return true;
}

static int64_t bytes_of(MlirType type) {
    return type_elements(type) * type_bits(type_element(type)) / 8;
}

// True if the op can take rows of several programs at once.
static bool can_take_rows(struct packing *p, MlirOperation op) {
    enum op_kind kind = op_kind(p->ir, op);
    if (mlirOperationGetNumOperands(op) > PACKED_VALUES || mlirOperationGetNumResults(op) > PACKED_VALUES) {
        return decline(p->context, op, REASON_PACKED_OP);
    }
    int rank = mlirOperationGetNumOperands(op) ? type_rank(mlirValueGetType(leading_operand(op))) : 0;
    switch (kind) {
    case OP_LOAD:
    case OP_STORE:
        p->row = words_of(op) > p->row ? words_of(op) : p->row;
        if (kind == OP_LOAD && any_operand(&p->varies, op) && !is_handed(p, op)) {
            p->bytes += bytes_of(mlirValueGetType(mlirOperationGetResult(op, 0)));
        }
        p->writes |= kind == OP_STORE;
        return rank <= 1 || decline(p->context, op, REASON_PACKED_RANK);
    case OP_REDUCE:
    case OP_SCAN:
        p->exchanges++;
        return region_stands_alone(p, op);
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_RESHAPE:
    case OP_TRANS:
    case OP_JOIN:
    case OP_SPLIT:
    case OP_GATHER:
    case OP_HINT:
    case OP_ASSUME:
        return true;
    default:
        return ((op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE)) ||
               decline(p->context, op, REASON_PACKED_OP);
    }
}

// A tile common to all programs, such as weights: each warp loads it for its own rows, in their layout.
static bool is_shared_row(struct packing *p, MlirOperation op) {
    return op_kind(p->ir, op) == OP_LOAD && type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool take_op(struct packing *p, MlirOperation op) {
    enum op_kind kind = op_kind(p->ir, op);
    if (kind == OP_PROGRAM_ID) {
        mark_results(&p->varies, op);
        return true;
    }
    if (any_operand(&p->varies, op) || is_shared_row(p, op)) {
        int64_t elements = elements_of(op);
        p->row = elements > p->row ? elements : p->row;
        p->work += elements;
        mark_results(&p->varies, op);
        return can_take_rows(p, op);
    }
    if (!(op_traits(kind) & PURE) || any_operand(&p->inside, op)) {
        mark_results(&p->inside, op);
    }
    if (p->masked && !(op_traits(kind) & PURE)) { // nobody may take the branch
        return decline(p->context, op, REASON_PACKED_OP);
    }
    bool known = (op_traits(kind) & PURE) || kind == OP_LOAD || kind == OP_STORE || kind == OP_ASSUME;
    return (known && (mlirOperationGetNumRegions(op) == 0 || region_stands_alone(p, op))) ||
           decline(p->context, op, REASON_PACKED_OP);
}

// ---- branches ----

static bool take_block(struct packing *p, MlirBlock block);

static bool is_loop(struct packing *p, MlirOperation op) {
    return op_kind(p->ir, op) == OP_FOR || op_kind(p->ir, op) == OP_WHILE;
}

static bool has_loop(struct packing *p, MlirOperation branch, int way) {
    MlirBlock block = way < mlirOperationGetNumRegions(branch) ? op_body(branch, way) : (MlirBlock){NULL};
    bool has = false;
    for (MlirOperation op = mlirBlockIsNull(block) ? (MlirOperation){NULL}
                                                   : mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op) && !has; op = mlirOperationGetNextInBlock(op)) {
        size_t count;
        MlirOperation *inner = ops_collect(p->ir, p->arena, op, &count);
        has = is_loop(p, op);
        for (size_t i = 0; i < count && !has; i++) {
            has = is_loop(p, inner[i]);
        }
    }
    return has;
}

static bool take_way(struct packing *p, MlirOperation branch, int way) {
    MlirBlock block = way < mlirOperationGetNumRegions(branch) ? op_body(branch, way) : (MlirBlock){NULL};
    return mlirBlockIsNull(block) || take_block(p, block);
}

// One way has a loop: its programs are not packed.
static bool take_fork(struct packing *p, MlirOperation op, int packed_way) {
    bool outer = op_kind(p->ir, mlirOperationGetParentOperation(op)) == OP_FUNC;
    if (!outer || !mlirOperationIsNull(p->fork) || any_operand(&p->inside, op)) {
        return decline(p->context, op, REASON_PACKED_BRANCH);
    }
    p->fork = op;
    p->packed_way = packed_way;
    mark_results(&p->varies, op);
    return take_way(p, op, packed_way);
}

// Programs decide on their own: each way's accesses are masked.
static bool take_masked(struct packing *p, MlirOperation op) {
    bool around = p->masked;
    p->masked = true;
    bool good = take_way(p, op, 0) && take_way(p, op, 1);
    p->masked = around;
    return good;
}

static bool take_branch(struct packing *p, MlirOperation op) {
    bool first = has_loop(p, op, 0), second = has_loop(p, op, 1), own = any_operand(&p->varies, op);
    if (own && (first || second || mlirOperationGetNumResults(op))) {
        return decline(p->context, op, REASON_PACKED_CONDITION);
    }
    if (own) {
        return take_masked(p, op);
    }
    if (first && second) {
        return decline(p->context, op, REASON_PACKED_BRANCH);
    }
    if (first || second) {
        return take_fork(p, op, first); // the packed way is the other one
    }
    if (mlirOperationGetNumResults(op)) {
        return decline(p->context, op, REASON_PACKED_OP);
    }
    return take_way(p, op, 0) && take_way(p, op, 1);
}

static bool take_block(struct packing *p, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(p->ir, op);
        bool good = (op_traits(kind) & TERMINATOR) || (kind == OP_IF ? take_branch(p, op) : take_op(p, op));
        if (!good) {
            return false;
        }
    }
    return true;
}

// ---- the kernel ----

// False, without a reason, for kernels of other work than rows: without a program id or a reduction, with ids along
// y or z, with products, or with effects whose order among programs may count.
static bool is_row_kernel(struct packing *p) {
    size_t count;
    bool combines = false, numbered = false;
    MlirOperation *ops = ops_collect(p->ir, p->arena, p->function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(p->ir, ops[i]);
        bool id = kind == OP_PROGRAM_ID || kind == OP_NUM_PROGRAMS;
        if (kind == OP_DOT || op_is_atomic(kind) || op_names_block(p->ir, ops[i]) ||
            (kind == OP_LOAD && load_is_volatile(ops[i])) || (id && op_int(ops[i], ATTR_AXIS) != 0)) {
            return false;
        }
        combines |= kind == OP_REDUCE || kind == OP_SCAN;
        numbered |= kind == OP_PROGRAM_ID;
    }
    return combines && numbered && !op_has(p->function, ATTR_FIXED_WARPS) &&
           !op_int(p->function, ATTR_MAXNREG);
}

// Registers of a thread in the fork's other way, a bound for both: its loops' carried values and its widest tile.
static unsigned registers_of_fork(struct packing *p, int64_t threads) {
    enum { SCALARS = 16 };
    int64_t carried = 0, widest = 0;
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->arena, p->fork, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t own = 0;
        for (intptr_t r = 0; r < mlirOperationGetNumResults(ops[i]); r++) {
            int64_t elements = type_elements(mlirValueGetType(mlirOperationGetResult(ops[i], r)));
            widest = elements > widest ? elements : widest;
            own += elements;
        }
        carried = is_loop(p, ops[i]) && own > carried ? own : carried;
    }
    return (unsigned)((carried + widest) / threads) + SCALARS;
}

// Bytes of rows under way on a multiprocessor without packing.
static int64_t bytes_under_way(struct packing *p) {
    int64_t threads = op_int(p->function, ATTR_NUM_WARPS) * p->context->target->warp_size;
    struct occupancy_need need = {.threads = (unsigned)threads};
    need.registers = mlirOperationIsNull(p->fork) ? 0 : registers_of_fork(p, threads);
    return p->bytes * occupancy_of(p->context->target, &need).blocks;
}

// The number of rows: whole rows for each warp, and work for each lane.
static bool choose_rows(struct packing *p) {
    int64_t lanes = p->context->target->warp_size, most = lanes * LANE_ELEMENTS;
    if (!p->exchanges || !p->bytes || !p->writes) {
        return decline(p->context, p->function, REASON_PACKED_NO_ROW);
    }
    if (p->row > most) {
        return decline_numbers(p->context, p->function, REASON_PACKED_LONG, (long long)p->row,
                               (long long)most);
    }
    // Steps of a chain are packed as their own kernels are, or their sums would be added in another order.
    bool given = op_has(p->function, ATTR_PACK_ROWS);
    if (given && !op_int(p->function, ATTR_PACK_ROWS)) {
        return decline(p->context, p->function, REASON_PACKED_CHAIN);
    }
    int64_t under_way = bytes_under_way(p);
    if (!given && under_way >= ENOUGH_BYTES && p->exchanges < MANY_EXCHANGES) {
        return decline_numbers(p->context, p->function, REASON_PACKED_ENOUGH, (long long)under_way,
                               ENOUGH_BYTES);
    }
    int64_t of_warp = lanes * LANE_ELEMENTS_LEAST / p->row;
    of_warp = of_warp < 1 ? 1 : of_warp < WARP_ROWS ? of_warp : WARP_ROWS;
    int64_t warps = op_int(p->function, ATTR_NUM_WARPS); // the other way of a fork may need them
    p->warps = mlirOperationIsNull(p->fork) || warps < PACKED_WARPS ? PACKED_WARPS : warps;
    of_warp = given ? op_int(p->function, ATTR_PACK_ROWS) / p->warps : of_warp;
    p->rows = of_warp * p->warps;
    int64_t work = p->work * of_warp / lanes;
    if (work > MOST_WORK) {
        return decline_numbers(p->context, p->function, REASON_PACKED_WORK, (long long)work, MOST_WORK);
    }
    return true;
}

static void pack(struct packing *p) {
    if (!is_row_kernel(p)) {
        return;
    }
    if (take_block(p, op_body(p->function, 0)) && choose_rows(p)) {
        packed_rows_rewrite(p);
        remark(p->context, REMARK_ROWS, p->function,
               "%lld programs of rows of %lld elements are done at once, by %lld warps", (long long)p->rows,
               (long long)p->row, (long long)p->warps);
    } else {
        reason_keep(p->context, p->function, ATTR_ROWS);
    }
}

void pass_packed_rows(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE(WGMMA)) || !context->tensor_maps) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct packing p = {
            .context = context, .ir = context->ir, .arena = context->arena, .function = op, .row = 1};
        pack(&p);
        map_free(&p.varies);
        map_free(&p.inside);
        map_free(&p.made);
    }
}
