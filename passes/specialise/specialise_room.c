// Chooses the number of blocks per multiprocessor, the number of slots in shared memory beside the
// rest of the function, and one or two buffers for operands kept for a tile.
#include "passes/specialise/specialise.h"

#include "chip/registers.h"
#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

// Of products, with registers that move from the warps that copy.
enum { BLOCKS_THAT_PAY = 3 };

// Bytes of a buffer, rounded up: buffers begin at multiples of PIECE.
static unsigned pieces(unsigned bytes) {
    enum { PIECE = 1024 };
    return (bytes + PIECE - 1) / PIECE * PIECE;
}

// Kept operands have mbarriers, too.
unsigned slot_bytes(const struct specialise *s, int slots) {
    enum { KEPT_SLOTS = 2, BARRIERS = 3 }; // full, empty, started
    unsigned bytes = MBARRIER_BYTES * BARRIERS * SPECIALISE_GROUPS * (unsigned)(slots + KEPT_SLOTS);
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        bytes += pieces(s->loops[0].loads[i].bytes * (unsigned)slots);
    }
    for (size_t i = 0; i < s->residual_count; i++) {
        bytes += pieces(s->residuals[i].bytes * (unsigned)slots);
    }
    return bytes;
}

static unsigned kept_bytes(const struct specialise *s, int slots, int end_slots) {
    unsigned bytes = 0;
    for (size_t i = 0; i < s->kept_count; i++) {
        bytes += pieces(s->kept[i].bytes * (unsigned)(s->kept[i].at_end ? end_slots : slots));
    }
    return bytes;
}

// Adds the conversions of values to `gone`: they disappear with the values' loads.
static void forget_conversions(const struct specialise *s, struct map *gone, const struct copy *copies,
                               size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (copies[i].in_threads) {
            MlirOperation end = value_end(s, &copies[i]);
            map_put(gone, end.ptr, end.ptr);
        }
    }
}

unsigned specialise_registers(const struct specialise *s, MlirType tile) {
    return registers_spread(tile, s->num_warps * s->context->target->warp_size);
}

// True if the operand is read from a slot as it is needed, also through a transposed view.
static bool is_streamed(const struct specialise *s, MlirOperation maker) {
    while (!mlirOperationIsNull(maker) && op_kind(s->ir, maker) == OP_TRANS) {
        maker = value_op(unary_source(maker));
    }
    if (mlirOperationIsNull(maker)) {
        return false;
    }
    MlirOperation source = op_kind(s->ir, maker) == OP_CONVERT_LAYOUT ? value_op(unary_source(maker)) : maker;
    return op_kind(s->ir, maker) == OP_SMEM_LOAD ||
           (!mlirOperationIsNull(source) && op_kind(s->ir, source) == OP_LOAD && !stands_around(s, source));
}

// Of mma.sync: what a thread carries from step to step, the results of dots that begin anew, and operands that it computes or keeps.
// A slice of one warp unpacks the words of a part of K at a time: it holds the words.
unsigned mma_sync_registers(const struct specialise *s) {
    enum { NUMBERS_OF_WORD = 4 }; // registers of eight numbers
    unsigned most = 0;
    bool words = op_has(s->function, ATTR_WARP_SLICES);
    for (size_t n = 0; n < s->loop_count; n++) {
        unsigned need = registers_reserved(RESERVE_KEPT_OPERANDS);
        MlirBlock body = op_body(s->loops[n].loop, 0);
        for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); i++) {
            MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
            bool values = type_is_tensor(type) && !type_is_ptr(type_element(type));
            need += values ? registers_of(s->ir, mlirBlockGetArgument(body, i)) : 0;
        }
        for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
             op = mlirOperationGetNextInBlock(op)) {
            if (op_kind(s->ir, op) != OP_DOT) {
                continue;
            }
            for (intptr_t i = 0; i < 2; i++) {
                MlirValue operand = mlirOperationGetOperand(op, i);
                MlirOperation maker = value_op(operand);
                bool held = mlirOperationIsNull(maker) || !is_streamed(s, maker);
                unsigned all = registers_of(s->ir, operand);
                need += !held ? 0 : words ? all / NUMBERS_OF_WORD : all;
            }
            MlirOperation from = value_op(dot_c(op));
            bool anew = !mlirOperationIsNull(from) && op_kind(s->ir, from) == OP_CONSTANT;
            need += anew ? registers_of(s->ir, mlirOperationGetResult(op, 0)) : 0;
        }
        most = need > most ? need : most;
    }
    return most;
}

unsigned consumer_warps(const struct specialise *s) {
    return op_has(s->function, ATTR_WARP_SLICES) ? s->num_warps * s->slices : s->num_warps;
}

// True for a loop of one product of one warpgroup.
static bool multiplies_alone(const struct specialise *s) {
    return !s->mma_sync && s->num_warps == WGMMA_WARPS && s->loop_count == 1 && s->dots == 1 &&
           s->slices <= 1 && !gathers(&s->loops[0]) && target_has(s->context->target, FEATURE(WGMMA));
}

// True for a chain of two dots in all loops.
static bool chains(const struct specialise *s) {
    bool all = s->dots == 2;
    for (size_t i = 0; i < s->loop_count; i++) {
        all &= !mlirOperationIsNull(s->loops[i].chained);
    }
    return all;
}

// True if a loop's load is copied in more runs of rows than a producer of few registers has places for.
static bool many_boxes(const struct specialise *s) {
    enum { MANY = 8 };
    bool many = false;
    for (size_t n = 0; n < s->loop_count; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            const struct tile_dim *rows = &s->loops[n].loads[i].tile.dim[1];
            many |= rows->run > 0 && rows->extent / rows->run > MANY;
        }
    }
    return many && s->dots == 1;
}

// For mma.sync one warp copies if its warp leaves threads the registers that they need, or if registers do not move. So it does beside a
// warpgroup of a fourth block: the four warps from which registers move take what a block has.
static enum producer producer_beside(const struct specialise *s, unsigned blocks) {
    if (blocks > BLOCKS_THAT_PAY && multiplies_alone(s)) {
        return PRODUCER_WARP;
    }
    const struct target *target = s->context->target;
    bool moves = s->mma_sync && (target->has & FEATURES_SETMAXNREG) && s->num_warps % WGMMA_WARPS == 0 &&
                 mma_sync_registers(s) >
                     registers_specialised(target, consumer_warps(s), PRODUCER_WARP, blocks).consumer;
    return s->mma_sync && !moves    ? PRODUCER_WARP
           : many_boxes(s)          ? PRODUCER_MANY_BOXES
           : !gathers(&s->loops[0]) ? PRODUCER_COPIES
           : chains(s)              ? PRODUCER_GATHERS_SLIM
                                    : PRODUCER_GATHERS;
}

enum producer specialise_producer(const struct specialise *s) {
    return producer_beside(s, s->blocks > 0 ? s->blocks : 1);
}

int specialise_producer_warps(const struct specialise *s) {
    return specialise_producer(s) == PRODUCER_WARP ? 1 : SPECIALISE_PRODUCER_WARPS;
}

// True if registers hold the sums, and an operand in registers, beside ptxas's need for the rest of a product
// (C7602).
static bool registers_suffice(const struct specialise *s, unsigned blocks) {
    MlirOperation dot = s->loops[0].dot;
    MlirType left = mlirValueGetType(dot_a(dot));
    unsigned need = specialise_registers(s, mlirValueGetType(mlirOperationGetResult(dot, 0)));
    need += type_is_shared(s->ir, left) ? 0 : specialise_registers(s, left);
    return need + registers_reserved(RESERVE_WARPGROUP_PRODUCT) <=
           registers_specialised(s->context->target, s->num_warps, producer_beside(s, blocks), blocks)
               .launched;
}

unsigned chain_registers(const struct specialise *s, const struct stage_loop *stage) {
    return specialise_registers(s, mlirValueGetType(mlirOperationGetResult(stage->chained, 0))) +
           specialise_registers(s, mlirValueGetType(dot_a(stage->dot))) +
           specialise_registers(s, mlirValueGetType(mlirOperationGetResult(stage->dot, 0))) +
           registers_reserved(RESERVE_CHAINED_DOTS);
}

// True if all loops are chains of dots, and registers hold the values of one iteration. With gathered rows threads have masks and places,
// too: with 8 registers beside the chain's they spill.
static bool chains_fit(const struct specialise *s, unsigned blocks) {
    enum { PLACES = 16 };
    unsigned more = gathers(&s->loops[0]) ? PLACES : 0;
    bool fit = !target_has(s->context->target, FEATURE(TCGEN05));
    for (size_t i = 0; i < s->loop_count && fit; i++) {
        fit = !mlirOperationIsNull(s->loops[i].chained) &&
              chain_registers(s, &s->loops[i]) + more <=
                  registers_specialised(s->context->target, s->num_warps, producer_beside(s, blocks), blocks)
                      .consumer;
    }
    return fit;
}

// True if threads compute operands of the loops' products and put them into shared memory.
static bool computes(const struct specialise *s) {
    bool any = false;
    for (size_t i = 0; i < s->loop_count; i++) {
        any |= s->loops[i].computes;
    }
    return any;
}

// The most blocks worth a trial. A block of 128 x 128 sums keeps the matrix units busy. Iterations of a smaller one are
// too short alone, so up to three such blocks share a multiprocessor if it has room for all their slots (H200, fp16
// products of 4096 x 4096 x 1024: tiles of 64 x 128 go from 441 to 561 TFLOP/s, of 64 x 64 from 304 to 433). Chains of
// dots want four consumers: they multiply while others compute exponentials (H200, bf16, heads of 64, grouped queries:
// tiles of 128 x 64 on 8 warps go from 452 to 503 TFLOP/s, of 64 x 64 on 4 warps from 314 to 452). Four of one warpgroup each
// are better still, where one warp that copies leaves them registers (H200, 4096 x 4096 x 1024: tiles of 64 x 64 x 32 from 117.7 to 109.5 us;
// of a left operand computed in registers, AWQ, 512 programs of 64 x 64 x 32: 91.0 to 57.3; six blocks of 64 x 32 x 64 lose 5 %).
// One warpgroup that puts an operand into shared memory in each step waits for itself there, and another block has as many registers beside it.
unsigned blocks_that_pay(const struct specialise *s) {
    enum { SUMS = WGMMA_BLOCK_SUMS, MOST = BLOCKS_THAT_PAY, CONSUMERS = 4, WARPS = 8 };
    if (s->slices > 1) {
        return 1;
    }
    if (s->mma_sync && s->num_warps < WARPS) { // two warps to each scheduler
        return WARPS / s->num_warps < MOST ? WARPS / s->num_warps : MOST;
    }
    if (chains_fit(s, 1) && s->dots == 2) {
        return CONSUMERS * WGMMA_WARPS / s->num_warps;
    }
    unsigned sums = (unsigned)type_elements(mlirValueGetType(mlirOperationGetResult(s->loops[0].dot, 0)));
    unsigned blocks = s->loop_count > 1 || s->dots > 1 || sums > SUMS ? 1 : SUMS / sums;
    unsigned most = multiplies_alone(s) ? MOST + 1 : MOST;
    unsigned least = computes(s) && s->num_warps == WGMMA_WARPS ? 2 : 1;
    return blocks > most ? most : blocks < least ? least : blocks;
}

// Beside a warp that copies a loop has few addresses, so the estimate may exceed the registers by LACK (H200, sm_90, 8 warps with 168 registers of
// about 188: attention by tiles of 128 x 64 spills 20 bytes and is 1.11 to 1.28 times as fast as without roles; of about 264 gradients spill 1,172 and lose).
bool mma_sync_fits(const struct specialise *s, unsigned blocks) {
    enum { LACK = 20 };
    return mma_sync_registers(s) <=
           registers_specialised(s->context->target, consumer_warps(s), producer_beside(s, blocks), blocks)
                   .consumer +
               LACK;
}

unsigned blocks_without_roles(const struct specialise *s) {
    enum { MOST = 8 };
    unsigned bytes = 0, blocks = 1, need = mma_sync_registers(s);
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        bytes += s->loops[0].loads[i].bytes;
    }
    while (blocks < MOST &&
           target_shared_share(s->context->target, blocks + 1) >= bytes * (unsigned)s->stages &&
           registers_share(s->context->target, s->num_warps, blocks + 1) >= need) {
        blocks++;
    }
    return blocks;
}

static unsigned blocks_that_fit(const struct specialise *s, unsigned bytes) {
    unsigned blocks = blocks_that_pay(s);
    while (s->mma_sync && blocks > 1 &&
           (bytes > target_shared_share(s->context->target, blocks) || !mma_sync_fits(s, blocks))) {
        blocks--;
    }
    while (!s->mma_sync && blocks > 1 &&
           (bytes > target_shared_share(s->context->target, blocks) || !registers_suffice(s, blocks) ||
            (s->dots > 1 && !chains_fit(s, blocks) && !computes(s)))) {
        blocks--;
    }
    return blocks > 1 ? blocks : 1;
}

// Of large slots as few as three are enough for the bytes under way. But two warpgroups, a step apart and with products under way, read two or
// three at a time, and leave none to copies. A fourth, where there is room, hides what holds up a warpgroup or a copy in some steps (H200, 1,024
// to 8,192 rows, depths of 256 to 8,192, speed of three slots):
//
//   sums that are added to memory (two parts of 128 x 256 x 64; 8192^3 by the card's power) 0.991 to 1.17
//   a left operand computed in registers (128 x 256 x 64)                                  1.003 to 1.047
//   operands that threads gather (convolution, 128 x 256 x 64)                             1.035
//   warpgroups with two instructions of 64 rows: shared memory takes and gives 144 bytes
//   in a cycle of the products (256 x 128 x 64)                                            1.012 to 1.10
//   others: blocks drift apart, the second-level cache is read a fifth more often, and the
//   clock falls (128 x 256 x 64)                                                           0.986 to 1.010
static bool wants_fourth_slot(const struct specialise *s) {
    enum { GROUPS = 2 };
    const struct stage_loop *stage = &s->loops[0];
    MlirType sums = mlirValueGetType(mlirOperationGetResult(stage->dot, 0));
    unsigned groups = s->num_warps / WGMMA_WARPS;
    if (groups < GROUPS || s->blocks > 1 || s->mma_sync || !target_has(s->context->target, FEATURE(WGMMA))) {
        return false;
    }
    bool wants = gathers(stage) || brings_values(stage->loads, stage->load_count) ||
                 type_extent(sums, 0) / groups > WGMMA_ROWS;
    for (size_t i = 0; i < s->store_count; i++) {
        wants |= op_kind(s->ir, s->stores[i].access) == OP_ATOMIC_RMW;
    }
    return wants;
}

// The number of slots for a product. num_stages suits copies issued by every warp, to hide their latency. A
// producer warp does nothing but copy, and throughput depends on the bytes in flight, so small slots are
// given more than were asked for (H200, tiles of 64 x 128 x 32, 4, 6 and 8 slots: 1024 x 1024 x 1024 in 13.0,
// 10.4 and 9.3 us; 4096 x 4096 x 1024 in 80.8, 70.5 and 76.7).
static int slots_to_want(const struct specialise *s, int wanted) {
    enum { MOST = 10, MOST_OF_SLICES = 16 };
    if (s->loop_count > 1 || s->dots > 1) {
        return wanted;
    }
    unsigned bytes = 0;
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        bytes += s->loops[0].loads[i].bytes;
    }
    int enough = (int)(SPECIALISE_UNDER_WAY / s->blocks / bytes);
    int most = s->slices > 1 ? MOST_OF_SLICES : MOST;
    enough = enough > most ? most : enough;
    if (enough < SPECIALISE_LEAST_SLOTS && wants_fourth_slot(s)) {
        enough = SPECIALISE_LEAST_SLOTS;
    }
    return wanted > enough ? wanted : enough;
}

unsigned consumer_registers(const struct specialise *s) {
    return registers_specialised(s->context->target, consumer_warps(s), specialise_producer(s), s->blocks)
        .consumer;
}

int slots_that_fit(struct specialise *s, int wanted) {
    struct map gone = {0};
    for (size_t n = 0; n < s->loop_count; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(s->loops[n].loads[i].access, 0));
            for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
                map_put(&gone, mlirOpOperandGetOwner(use).ptr, mlirOpOperandGetOwner(use).ptr);
            }
        }
    }
    for (size_t n = 0; n < s->loop_count; n++) {
        forget_conversions(s, &gone, s->loops[n].loads, s->loops[n].load_count);
    }
    forget_conversions(s, &gone, s->kept, s->kept_count);
    unsigned taken = 0;
    for (size_t i = 0; i < s->store_count; i++) {
        MlirOperation convert = value_op(store_value(s->stores[i].access));
        map_put(&gone, convert.ptr, convert.ptr);
        unsigned bytes = store_continues(s, i) ? 0 : pieces(s->stores[i].bytes);
        taken = !stores_share(s) ? taken + bytes : bytes > taken ? bytes : taken;
    }
    for (size_t n = 0; n < s->loop_count && stores_share(s); n++) {
        map_put(&gone, s->loops[n].aside.ptr, s->loops[n].aside.ptr);
    }
    taken += pieces(aside_bytes(s));
    for (size_t i = 0; i < s->kept_count; i++) {
        taken += s->kept[i].in_threads ? pieces(s->kept[i].bytes) : 0; // operands: see below
    }
    // Other operands in shared memory stay there while the loops run.
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirType type = op_kind(s->ir, ops[i]) == OP_CONVERT_LAYOUT && !map_has(&gone, ops[i].ptr)
                            ? mlirValueGetType(mlirOperationGetResult(ops[i], 0))
                            : (MlirType){NULL};
        if (!mlirTypeIsNull(type) && type_is_shared(s->ir, type)) {
            taken += pieces((unsigned)type_elements(type) * type_bits(type_element(type)) / 8);
            map_put(&gone, ops[i].ptr, ops[i].ptr);
        }
    }
    taken += pieces(s->slices_bytes);
    taken += pieces(shared_need(s->context, s->function, NULL, 0, &gone));
    map_free(&gone);
    // Of mma.sync two blocks with fewer slots each are worth more than one with all; so are two blocks of one warpgroup that computes operands of
    // short products (H200, linear attention, values of 32 columns: 0.244 ms with three slots, 0.194 with two; of 64: 0.159, 0.175).
    enum { ENOUGH = 3, SHORT = 32 };
    int64_t columns = type_extent(mlirValueGetType(mlirOperationGetResult(s->loops[0].dot, 0)), 1);
    bool is_short = computes(s) && s->num_warps == WGMMA_WARPS && columns <= SHORT;
    int least = is_short ? 2 : s->mma_sync && wanted > ENOUGH ? ENOUGH : wanted;
    s->blocks = blocks_that_fit(s, taken + slot_bytes(s, least));
    unsigned limit = target_shared_share(s->context->target, s->blocks);
    unsigned kept_twice =
        kept_bytes(s, 2, 1) - kept_bytes(s, 1, 1); // `taken` has one buffer of each kept operand
    bool twice = taken + slot_bytes(s, wanted) + kept_twice <= limit;
    int fit = slots_to_want(s, wanted);
    while (fit > 0 && taken + slot_bytes(s, fit) + (twice ? kept_twice : 0) > limit) {
        fit--;
    }
    s->kept_slots = taken + slot_bytes(s, fit) + kept_twice <= limit ? 2 : 1;
    // Tiles for the results have what is left over. With one buffer the next tile's copy waits for this tile's arithmetic.
    unsigned ends_twice = kept_bytes(s, 2, 2) - kept_bytes(s, 1, 1);
    s->end_slots = s->kept_slots == 2 && taken + slot_bytes(s, fit) + ends_twice <= limit ? 2 : 1;
    return fit;
}
