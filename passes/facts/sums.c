// Registers for the accumulators of a loop. All accumulators alive at one time stay in registers, beside
// addresses and operands. If they do not fit, ptxas spills some to local memory and serialises the warpgroup
// products (warning C7512). Example: attention with 128 features on 16 warps has 256 x 64 scores and 256 x
// 128 sums, 96 of a thread's 112 registers. ptxas runs long after the launchers are written, so the count is
// made here.
//
// test: tests/cli/check_variants.sh
#include "passes/facts/sums.h"

#include "chip/registers.h"
#include "dialects/tk/tk.h"

// The live range of a dot's result in the loop's body.
struct life {
    size_t begin, end; // numbers of ops
    unsigned registers;
};

static bool is_dot(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return kind == OP_DOT || kind == OP_WARPGROUP_DOT;
}

// The dot's result behind a chain of waits.
static MlirValue unwaited(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_DOT_WAIT) {
        value = dot_wait_tile(op, 0);
        op = value_op(value);
    }
    return value;
}

// The number of the op of the body with the last reader of the value; a wait's result counts as the value.
static size_t last_reader(struct ir *ir, MlirValue value, MlirBlock body, const struct map *numbers) {
    size_t last = 0;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        size_t here = (size_t)(uintptr_t)map_get(numbers, op_in_block(user, body).ptr);
        if (op_kind(ir, user) == OP_DOT_WAIT) {
            here = last_reader(ir, mlirOperationGetResult(user, 0), body, numbers);
        }
        last = here > last ? here : last;
    }
    return last;
}

// The most registers of a thread taken by the loop's accumulators at one time. *tile: the type of its only accumulator; null: it has
// several.
static unsigned sums_of_loop(struct ir *ir, struct arena *arena, MlirOperation loop, unsigned threads,
                             MlirType *tile) {
    MlirBlock body = op_body(loop, 0);
    struct map numbers = {0};
    size_t count = 0, dots = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        map_put(&numbers, op.ptr, (void *)(uintptr_t)++count);
        dots += is_dot(ir, op);
    }
    struct life *lives = ARENA_ARRAY(arena, struct life, dots + 1);
    dots = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirValue sum = is_dot(ir, op) ? unwaited(ir, product_c(op)) : (MlirValue){NULL};
        bool goes_on = !mlirValueIsNull(sum) && !mlirValueIsABlockArgument(sum) && is_dot(ir, value_op(sum));
        if (mlirValueIsNull(sum) || goes_on) { // counted with the dot whose result it adds to
            continue;
        }
        MlirValue result = mlirOperationGetResult(op, 0);
        *tile = dots ? (MlirType){NULL} : mlirValueGetType(result);
        struct life *life = &lives[dots++];
        size_t last = last_reader(ir, result, body, &numbers);
        bool carried = mlirValueIsABlockArgument(sum) || last == count; // to the next iteration
        life->registers = registers_spread(mlirValueGetType(result), threads);
        life->begin = carried ? 0 : (size_t)(uintptr_t)map_get(&numbers, op.ptr);
        life->end = carried ? count : last;
    }
    map_free(&numbers);
    unsigned most = 0;
    for (size_t i = 0; i < dots; i++) { // the maximum is at the begin of some live range
        unsigned sums = 0;
        for (size_t j = 0; j < dots; j++) {
            bool alive = lives[j].begin <= lives[i].begin && lives[i].begin <= lives[j].end;
            sums += alive ? lives[j].registers : 0;
        }
        most = sums > most ? sums : most;
    }
    return most;
}

// Registers of a thread, if a block has `warps` warps for its products.
static unsigned registers_there(const struct target *target, MlirOperation function, unsigned warps) {
    if (op_has(function, ATTR_PRODUCER_WARPS)) {
        unsigned blocks = (unsigned)op_int(function, ATTR_PERSISTENT);
        return registers_specialised(target, warps, registers_producer(function), blocks).consumer;
    }
    return registers_share(target, warps, 1);
}

// The same of a kernel, specialised or not: the fewer of the two.
static unsigned registers_surely(const struct target *target, unsigned warps) {
    unsigned plain = registers_share(target, warps, 1);
    bool may = target_has(target, FEATURE(WGMMA)) && warps % 4 == 0 && warps <= 16;
    unsigned apart = may ? registers_specialised(target, warps, PRODUCER_COPIES, 1).consumer : plain;
    return apart < plain ? apart : plain;
}

struct sums sums_of(struct ir *ir, struct arena *arena, const struct target *target, MlirOperation function) {
    size_t count;
    unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
    struct sums sums = {.warps = warps,
                        .limit = registers_there(target, function, warps),
                        .reserve = registers_reserved(RESERVE_SUMS_OF_PRODUCTS)};
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirType tile = {NULL};
        unsigned here = op_kind(ir, ops[i]) == OP_FOR
                            ? sums_of_loop(ir, arena, ops[i], warps * target->warp_size, &tile)
                            : 0;
        if (here > sums.registers) {
            bool known = !mlirTypeIsNull(tile) && type_rank(tile) == 2;
            sums.registers = here;
            sums.rows = known ? (unsigned)type_extent(tile, 0) : 0;
            sums.columns = known ? (unsigned)type_extent(tile, 1) : 0;
        }
    }
    return sums;
}

bool sums_fit(const struct sums *sums) {
    return !sums->registers || sums->registers + sums->reserve <= sums->limit;
}

unsigned sums_warps(unsigned registers, unsigned warps, const struct target *target) {
    unsigned reserve = registers_reserved(RESERVE_SUMS_OF_PRODUCTS), lanes = target->warp_size;
    for (; warps <= target_most_warps(target); warps *= 2) {
        if ((registers + warps * lanes - 1) / (warps * lanes) + reserve <= registers_surely(target, warps)) {
            return warps;
        }
    }
    return 0;
}

// The fewest warps, not below today's, with room for their part of the sums; 0: no number has.
static unsigned warps_for(const struct sums *sums, const struct target *target, unsigned part) {
    return sums_warps(sums->registers * sums->warps * target->warp_size / part, sums->warps, target);
}

// "a tile of 256×128 or 128×256": the larger side halved until the tile is `part` times smaller.
static const char *smaller_tile(struct arena *arena, const struct sums *sums, unsigned part) {
    unsigned rows = sums->rows, columns = sums->columns;
    if (!rows) {
        return part == 2 ? "tiles with half of the sums (halve one side)"
                         : arena_printf(arena, "tiles with 1/%u of the sums", part);
    }
    for (; part > 1; part /= 2) {
        if (rows > columns) {
            rows /= 2;
        } else {
            columns /= 2;
        }
    }
    return sums->rows == sums->columns && rows != columns
               ? arena_printf(arena, "a tile of %u×%u or %u×%u", rows, columns, columns, rows)
               : arena_printf(arena, "a tile of %u×%u", rows, columns);
}

const char *sums_advice(struct arena *arena, const struct sums *sums, const struct target *target) {
    enum { LEAST_PART = 64 };
    unsigned warps = warps_for(sums, target, 1);
    if (warps) {
        return arena_printf(arena, "give it num_warps=%u", warps);
    }
    for (unsigned part = 2; part <= LEAST_PART; part *= 2) {
        warps = warps_for(sums, target, part);
        if (warps) {
            return arena_printf(
                arena, "use %s with num_warps=%u; no number of warps holds %s",
                smaller_tile(arena, sums, part), warps,
                sums->rows ? arena_printf(arena, "the sums of a tile of %u×%u", sums->rows, sums->columns)
                           : "all of these sums");
        }
    }
    return "use smaller tiles";
}

// " (65,536 of a multiprocessor, for 16 warps that compute beside 4 that copy with 32 each: setmaxnreg)"
static const char *shares_text(struct arena *arena, const struct target *target, MlirOperation function) {
    unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS),
             blocks = (unsigned)op_int(function, ATTR_PERSISTENT);
    struct registers_specialised r =
        registers_specialised(target, warps, registers_producer(function), blocks);
    return arena_printf(arena,
                        " (a launch gives each thread %u; then setmaxnreg divides the registers of a block "
                        "among %u warps that compute "
                        "and %u that only copy, whose threads keep %u)",
                        r.launched, warps, (unsigned)op_int(function, ATTR_PRODUCER_WARPS), r.producer);
}

static bool warn_of(struct ir *ir, struct arena *arena, const struct target *target, MlirOperation function,
                    struct diag *diag) {
    struct sums sums = sums_of(ir, arena, target, function);
    if (sums_fit(&sums)) {
        return false;
    }
    MlirStringRef name = op_string(function, ATTR_SYM_NAME);
    const char *why = op_has(function, ATTR_PRODUCER_WARPS) ? shares_text(arena, target, function) : "";
    diag_warning(
        diag, WARNING_SUMS, ir_user_location(ir, function),
        "%.*s on %s: the sums of a loop's products need %u registers of a thread and other values %u "
        "more, but it has %u%s: ptxas then keeps some in local memory, or does products one after the "
        "other; %s",
        (int)name.length, name.data, target->name, sums.registers, sums.reserve, sums.limit, why,
        sums_advice(arena, &sums, target));
    return true;
}

bool sums_warn(struct ir *ir, struct arena *arena, const struct target *target, MlirModule module,
               struct diag *diag) {
    bool any = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        any |= warn_of(ir, arena, target, op, diag);
    }
    return any;
}
