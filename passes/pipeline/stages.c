// The number of stages of each pipelined loop: the kernel's num_stages, or fewer.
//
// Nested loops hold their buffers at the same time, beside other passes' buffers and the scratch of single
// ops. The allocator itself says whether all of it fits. If not, the outermost loop gives up a stage; once it has too few, its late tiles
// (late_tiles.c) get a single slot, then all tiles where readers allow it, and after that it is not pipelined: the inner loops run more often.
// Loops one after the other share nothing and are handled one by one.
#include "passes/pipeline/pipeline.h"

#include <string.h>

#include "chip/registers.h"
#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

static int depth_of(MlirOperation op) {
    int depth = 0;
    for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op);
         op = mlirOperationGetParentOperation(op)) {
        depth++;
    }
    return depth;
}

// The op of the function's body around this one.
static MlirOperation outermost(struct ir *ir, MlirOperation op, MlirOperation *function) {
    *function = mlirOperationGetParentOperation(op);
    while (op_kind(ir, *function) != OP_FUNC) {
        op = *function;
        *function = mlirOperationGetParentOperation(op);
    }
    return op;
}

static unsigned bytes_of(MlirOperation load) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
    return (unsigned)type_elements(type) * ((type_bits(type_element(type)) + 7) / 8);
}

// Conversions that nothing reads: specialisation leaves those of tiles that tensor copies store in pieces.
static void find_dead(struct pass_context *context, MlirOperation function, struct map *gone) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_CONVERT_LAYOUT &&
            !value_has_uses(mlirOperationGetResult(ops[i], 0))) {
            map_put(gone, ops[i].ptr, ops[i].ptr);
        }
    }
}

// They need no scratch, and conversions of staged loads read the stages.
static void find_gone(struct pass_context *context, MlirOperation function, const struct loop_stages *all,
                      size_t count, struct map *gone) {
    map_clear(gone);
    find_dead(context, function, gone);
    for (size_t i = 0; i < count; i++) {
        for (size_t l = 0; all[i].slots > 0 && l < all[i].operand_count; l++) {
            MlirValue tile = mlirOperationGetResult(all[i].loads[l], 0);
            for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
                 use = mlirOpOperandGetNextUse(use)) {
                MlirOperation convert = mlirOpOperandGetOwner(use);
                map_put(gone, convert.ptr, convert.ptr);
            }
        }
    }
}

static unsigned staged_bytes(const struct loop_stages *stages, size_t load) {
    unsigned slots = stages->late && stages->may_be_late[load] ? 1 : (unsigned)stages->slots;
    return bytes_of(stages->loads[load]) * slots;
}

static bool fits(struct pass_context *context, MlirOperation function, const struct loop_stages *nest,
                 size_t count, unsigned limit, const struct map *gone) {
    size_t claim_count = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        most += nest[i].load_count;
    }
    struct shared_claim *claims = ARENA_ARRAY(context->arena, struct shared_claim, most + 1);
    for (size_t i = 0; i < count; i++) {
        for (size_t l = 0; nest[i].slots > 0 && l < nest[i].load_count; l++) {
            claims[claim_count++] =
                (struct shared_claim){nest[i].loop, nest[i].loop, staged_bytes(&nest[i], l)};
        }
    }
    return shared_need(context, function, claims, claim_count, gone) <= limit;
}

// The outermost loop with more than so many stages; of two at the same depth, the one with more bytes. NULL:
// none.
static struct loop_stages *next_to_give(struct loop_stages *nest, size_t count, int more_than) {
    struct loop_stages *giver = NULL;
    int depth = 0;
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        size_t own_bytes = 0;
        int own_depth = depth_of(nest[i].loop);
        for (size_t l = 0; l < nest[i].load_count; l++) {
            own_bytes += staged_bytes(&nest[i], l);
        }
        if (own_bytes > 0 && nest[i].slots > more_than &&
            (!giver || own_depth < depth || (own_depth == depth && own_bytes > bytes))) {
            giver = &nest[i];
            depth = own_depth;
            bytes = own_bytes;
        }
    }
    return giver;
}

// Takes a slot from all loads of the loop, from its late loads, or from the others; false: the loop has none to give.
static bool give(struct loop_stages *giver) {
    if (giver->slots > giver->least) {
        giver->slots--;
        return true;
    }
    if (giver->late && giver->may_refill && giver->slots > 1) {
        giver->slots = 1;
        return true;
    }
    bool gives = giver->slots == giver->least && giver->may_have_late && !giver->late;
    giver->late = gives;
    return gives;
}

// The end of the run of loops in the same outermost op as the first.
static size_t nest_end(struct ir *ir, const struct loop_stages *all, size_t first, size_t count) {
    MlirOperation function, top = outermost(ir, all[first].loop, &function);
    size_t end = first + 1;
    while (end < count && mlirOperationEqual(outermost(ir, all[end].loop, &function), top)) {
        end++;
    }
    return end;
}

void stages_share(struct pass_context *context, struct loop_stages *all, size_t count, unsigned limit) {
    struct map gone = {0};
    for (size_t first = 0, end; first < count; first = end) {
        MlirOperation function;
        outermost(context->ir, all[first].loop, &function);
        end = nest_end(context->ir, all, first, count);
        struct loop_stages *nest = all + first, *giver = next_to_give(nest, end - first, 0);
        if (!giver) { // no loads: a kernel may have thousands of such loops
            continue;
        }
        find_gone(context, function, all, count, &gone);
        while (giver && !fits(context, function, nest, end - first, limit, &gone)) {
            giver = next_to_give(nest, end - first, 0);
            if (giver && !give(giver)) {
                giver->slots = 0;
                find_gone(context, function, all, count, &gone);
            }
        }
    }
    map_free(&gone);
}

bool stages_kept(struct pass_context *context, const struct loop_stages *stages, size_t count,
                 unsigned limit) {
    struct arena_mark mark = arena_mark(context->arena);
    struct loop_stages *shared = ARENA_ARRAY(context->arena, struct loop_stages, count);
    memcpy(shared, stages, count * sizeof *shared);
    stages_share(context, shared, count, limit);
    bool kept = true;
    for (size_t i = 0; i < count && kept; i++) {
        kept = shared[i].slots == stages[i].slots && shared[i].late == stages[i].late;
    }
    arena_reset(context->arena, mark);
    return kept;
}

static unsigned dots_in(struct pass_context *context, MlirOperation loop) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    unsigned dots = 0;
    for (size_t i = 0; i < count; i++) {
        dots += op_kind(context->ir, ops[i]) == OP_DOT;
    }
    return dots;
}

void stages_spare(struct pass_context *context, struct loop_stages *all, size_t count, unsigned blocks,
                  unsigned limit) {
    const struct target *target = context->target;
    struct map gone = {0};
    for (size_t first = 0, end; first < count; first = end) {
        MlirOperation function, top = outermost(context->ir, all[first].loop, &function);
        end = nest_end(context->ir, all, first, count);
        size_t bytes = (end - first) * sizeof *all;
        struct loop_stages *nest = ARENA_ARRAY(context->arena, struct loop_stages, end - first);
        memcpy(nest, all + first, bytes);
        struct loop_stages *giver = next_to_give(nest, end - first, 2);
        unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
        bool room = registers_blocks(target, warps, target->registers_per_thread) >= blocks;
        if (!giver || !room || dots_in(context, top) < 2) {
            continue;
        }
        find_gone(context, function, all, count, &gone);
        bool fit = fits(context, function, nest, end - first, limit, &gone);
        for (; giver && !fit; giver = next_to_give(nest, end - first, 2)) {
            giver->slots--;
            fit = fits(context, function, nest, end - first, limit, &gone);
        }
        if (fit) {
            memcpy(all + first, nest, bytes);
        }
    }
    map_free(&gone);
}
