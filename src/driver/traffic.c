// The traffic of shared memory by trip count, for the launcher's cost rule and for the page:
//
//     scf.for … {                                                      bytes of a step
//       "tk.async_copy"(%slot, …)          64x64 f16                   8,192 written
//       "tk.bulk_load"(%slot, …)           64x64 f16                   none: tensor copies have a way of their own
//       %a = "tk.smem_load"(%slot)         each of 2 columns of warps  16,384 read
//       %t = "tk.convert_layout"(%s) {scratch}   64x64 f32             16,384 written, 16,384 read
//       "tk.barrier"()                                                 a barrier
//     }
//
// The passes have moved loops by then: into the parts of a kernel with specialised warps, into a loop over programs, apart from the steps
// ahead of them and behind. So a loop belongs to the source's loop at the same place. Of several copies of one loop, for the same
// warps, the one with the most traffic counts, and a loop that was unrolled counts for as many steps. An op ahead of its loop or behind
// it, at the place of an op inside the loop, belongs to a step that was peeled off: the loop's trip count has that step already.
//
// Bank conflicts are left out: layouts of tiles in shared memory are chosen against them.
//
// test: tests/unit/test_report.c
#include "driver/traffic.h"

#include "chip/scratch.h"
#include "chip/wgmma.h"
#include "dialects/tk/tk.h"
#include "ir/build.h"

enum { ROLES = 3 }; // regions of tk.specialise

struct traffic {
    double shared, exchanged, barriers, accesses;
    double most;     // bytes of the largest exchange
    MlirLocation at; // and its place
};

// ---- one op ----

static double element_bytes(struct ir *ir, MlirType type) {
    MlirType element = type_element(type);
    return type_bits(type_is_ptr(element) ? tk_ptr_pointee(ir, element) : element) / 8.0;
}

static double tile_bytes(struct ir *ir, MlirType type) {
    return (double)type_elements(type) * element_bytes(ir, type);
}

// The bytes read by threads for a tile of their layout: an element held by several lanes or registers of a warp counts once.
static double read_bytes(struct ir *ir, MlirType type) {
    const struct layout *layout = type_layout(ir, type);
    double bytes = element_bytes(ir, type);
    for (unsigned input = 0; layout && input < LAYOUT_INPUTS; input++) {
        for (unsigned bit = 0; bit < layout->bits[input]; bit++) {
            bytes *= input == LAYOUT_WARP || layout->basis[input][bit] ? 2 : 1;
        }
    }
    return layout ? bytes : tile_bytes(ir, type);
}

// The number of warps side by side along a dimension of a tile.
static double warps_along(const struct layout *layout, unsigned dim) {
    double warps = 1;
    for (unsigned bit = 0; bit < layout->bits[LAYOUT_WARP]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(layout, layout->basis[LAYOUT_WARP][bit], at);
        warps *= at[dim] ? 2 : 1;
    }
    return warps;
}

double traffic_of_product(struct ir *ir, MlirOperation dot) {
    MlirType a = mlirValueGetType(dot_a(dot)), c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    const struct layout *layout = type_layout(ir, c);
    unsigned rank = (unsigned)type_rank(c);
    double part = (double)dot_depth(dot) / (double)type_extent(a, type_rank(a) - 1);
    double panel = part * tile_bytes(ir, a); // of the left operand; the right one's as many columns
    double other = panel / (double)type_extent(c, rank - 2) * (double)type_extent(c, rank - 1);
    double rows = warps_along(layout, rank - 2), columns = warps_along(layout, rank - 1);
    if (op_kind(ir, dot) != OP_WARPGROUP_DOT) {
        return panel * columns + other * rows;
    }
    // Each 64 rows read all columns of their right operand.
    return other * (double)type_extent(c, 0) / WGMMA_ROWS + (type_is_shared(ir, a) ? panel * columns : 0);
}

static bool feeds_product(struct ir *ir, MlirOperation op) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
    return !mlirOpOperandIsNull(use) && op_traits(op_kind(ir, mlirOpOperandGetOwner(use))) & MULTIPLIES;
}

// The bytes written to and read from an op's scratch memory.
static double scratch_traffic(struct ir *ir, const struct target *target, unsigned warps, MlirOperation op) {
    double bytes = op_traits(op_kind(ir, op)) & SCRATCH ? scratch_bytes(ir, target, warps, op) : 0;
    if (bytes <= 0 || op_kind(ir, op) != OP_CONVERT_LAYOUT) {
        return 2 * bytes;
    }
    MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
    return tile_bytes(ir, to) + read_bytes(ir, to);
}

// The bytes of ops between tiles and buffers in shared memory.
static double buffer_traffic(struct ir *ir, MlirOperation op) {
    switch (op_kind(ir, op)) {
    case OP_ASYNC_COPY:
    case OP_GATHER_LOAD:
        return tile_bytes(ir, mlirValueGetType(leading_operand(op)));
    case OP_SMEM_LOAD:
    case OP_SMEM_GATHER:
        return read_bytes(ir, mlirValueGetType(mlirOperationGetResult(op, 0)));
    case OP_SMEM_STORE:
        return tile_bytes(ir, mlirValueGetType(smem_store_tile(op)));
    case OP_SMEM_ROUND:
        return 2 * tile_bytes(ir, mlirValueGetType(smem_round_slot(op)));
    case OP_SLICES_GIVE:
        return tile_bytes(ir, mlirValueGetType(slices_give_tile(op)));
    case OP_SLICES_TAKE:
        return tile_bytes(ir, mlirValueGetType(slices_take_tile(op)));
    case OP_BULK_STORE: // threads write, unless another warp starts the copy alone
        return op_has(op, ATTR_ISSUES) ? 0 : tile_bytes(ir, mlirValueGetType(bulk_store_tile(op)));
    case OP_WARPGROUP_DOT:
        return traffic_of_product(ir, op);
    default:
        return 0;
    }
}

// The accesses of global memory by threads.
static double accesses_of(struct ir *ir, MlirOperation op) {
    switch (op_kind(ir, op)) {
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC_RMW: {
        double elements = (double)type_elements(mlirValueGetType(access_pointer(op)));
        return op_kind(ir, op) == OP_ATOMIC_RMW ? elements : elements / (double)op_int(op, ATTR_VECTOR);
    }
    case OP_ASYNC_COPY:
    case OP_GATHER_LOAD:
        return (double)type_elements(mlirValueGetType(async_copy_pointer(op))) /
               (double)op_int(op, ATTR_VECTOR);
    default:
        return 0;
    }
}

static struct traffic traffic_of(struct ir *ir, const struct target *target, unsigned warps,
                                 MlirOperation op) {
    double scratch = scratch_traffic(ir, target, warps, op);
    double exchanged = scratch > 0 && !feeds_product(ir, op) ? scratch : 0;
    return (struct traffic){.shared = scratch + buffer_traffic(ir, op),
                            .exchanged = exchanged,
                            .barriers = op_kind(ir, op) == OP_BARRIER && !op_has(op, ATTR_EACH_WARP),
                            .accesses = accesses_of(ir, op),
                            .most = exchanged,
                            .at = mlirOperationGetLocation(op)};
}

static bool has_traffic(struct traffic t) {
    return t.shared > 0 || t.barriers > 0 || t.accesses > 0;
}

// ---- loops ----

// The traffic of a step of the source's loops, by roles of warps, and outside loops, by the number of the branch.
struct tally {
    struct traffic loops[WORK_LOOPS][ROLES];
    struct traffic outside[WORK_BRANCHES + 1];
};

// The places of the ops with traffic inside the source's loops.
struct places {
    MlirLocation *all;
    size_t count, capacity;
};

struct visit {
    struct ir *ir;
    const struct target *target;
    unsigned warps, rows; // rows: programs done by a block at once
    const struct work_survey *survey;
    struct tally *tally;
    struct arena *arena;
    struct places *inside;
};

static bool has_loop_at(struct ir *ir, MlirOperation op, MlirLocation at) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
             !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
            for (MlirOperation in = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(in);
                 in = mlirOperationGetNextInBlock(in)) {
                enum op_kind kind = op_kind(ir, in);
                bool loop = (kind == OP_FOR || kind == OP_WHILE) &&
                            mlirLocationEqual(mlirOperationGetLocation(in), at);
                if (loop || has_loop_at(ir, in, at)) {
                    return true;
                }
            }
        }
    }
    return false;
}

// The loop's number in the survey; WORK_LOOPS: a pass made it. A loop over the programs of a block has the place of a loop in it.
static unsigned loop_number(const struct visit *v, MlirOperation loop) {
    MlirLocation at = mlirOperationGetLocation(loop);
    for (unsigned i = 0; i < v->survey->loop_count; i++) {
        if (mlirLocationEqual(v->survey->loops[i].at, at)) {
            return has_loop_at(v->ir, loop, at) ? WORK_LOOPS : i;
        }
    }
    return WORK_LOOPS;
}

// An unrolled loop has the source's step times a constant, as constants or as a product or sum of them.
static bool constant_step(struct ir *ir, MlirValue value, int64_t *step) {
    int64_t left, right;
    if (value_is_constant_int(ir, value, step)) {
        return true;
    }
    MlirOperation op = mlirValueIsABlockArgument(value) ? (MlirOperation){0} : mlirOpResultGetOwner(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_FUNC : op_kind(ir, op);
    if ((kind != OP_MULI && kind != OP_ADDI) || !value_is_constant_int(ir, binary_left(op), &left) ||
        !value_is_constant_int(ir, binary_right(op), &right)) {
        return false;
    }
    *step = kind == OP_MULI ? left * right : left + right;
    return true;
}

// Steps of the source's loop in a step of this loop.
static double steps_of(const struct visit *v, MlirOperation loop, unsigned number) {
    int64_t step, own = v->survey->loops[number].step;
    bool known = own > 0 && op_kind(v->ir, loop) == OP_FOR && constant_step(v->ir, for_step(loop), &step);
    return known && step > own ? (double)step / (double)own : 1;
}

// The number of the first branch of an `if` of the survey; 0: it has none.
static unsigned branch_number(const struct visit *v, MlirOperation op) {
    for (unsigned i = 0; op_kind(v->ir, op) == OP_IF && i < v->survey->branch_count; i += 2) {
        if (mlirLocationEqual(v->survey->branches[i].at, mlirOperationGetLocation(op))) {
            return i + 1;
        }
    }
    return 0;
}

static bool is_outside(const struct visit *v, const struct traffic *into) {
    return into >= v->tally->outside && into <= &v->tally->outside[WORK_BRANCHES];
}

static void visit_block(const struct visit *v, MlirBlock block, unsigned role, struct traffic *into);

static void visit_regions(const struct visit *v, MlirOperation op, unsigned role, struct traffic *into) {
    bool roles = op_kind(v->ir, op) == OP_SPECIALISE;
    unsigned branch = is_outside(v, into) ? branch_number(v, op) : 0;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        MlirRegion region = mlirOperationGetRegion(op, i);
        unsigned of = roles && i < ROLES ? (unsigned)i : role;
        struct traffic *to = branch ? &v->tally->outside[branch + (i == 1)] : into;
        for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
             block = mlirBlockGetNextInRegion(block)) {
            visit_block(v, block, of, to);
        }
    }
}

static void add_traffic(struct traffic *to, struct traffic from, double times) {
    to->shared += times * from.shared;
    to->exchanged += times * from.exchanged;
    to->barriers += times * from.barriers;
    to->accesses += times * from.accesses;
    if (from.most > to->most) {
        to->most = from.most;
        to->at = from.at;
    }
}

// True if a loop of the source stands in a pass's loop.
static bool has_own_loop(const struct visit *v, MlirOperation loop) {
    for (size_t i = 0; i < v->survey->loop_count; i++) {
        if (has_loop_at(v->ir, loop, v->survey->loops[i].at)) {
            return true;
        }
    }
    return false;
}

static void visit_loop(const struct visit *v, MlirOperation loop, unsigned role, struct traffic *into) {
    unsigned number = loop_number(v, loop);
    struct traffic own = {0}, step = {0};
    if (number == WORK_LOOPS &&
        (v->rows == 1 || has_own_loop(v, loop))) { // over the programs of a block, one by one
        visit_regions(v, loop, role, into);
        return;
    }
    visit_regions(v, loop, role, &own);
    if (number == WORK_LOOPS) { // over tiles, each of several programs (packed_rows)
        add_traffic(into, own, 1.0 / v->rows);
        return;
    }
    add_traffic(&step, own, 1 / steps_of(v, loop, number));
    struct traffic *known = &v->tally->loops[number][role];
    *known = step.shared >= known->shared ? step : *known;
}

// ---- peeled steps ----

static bool is_inside(const struct visit *v, MlirLocation at) {
    for (size_t i = 0; i < v->inside->count; i++) {
        if (mlirLocationEqual(v->inside->all[i], at)) {
            return true;
        }
    }
    return false;
}

// Notes the places of ops below with traffic, of those in a loop of the source.
static void note_places(const struct visit *v, MlirOperation op, bool in_loop) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
             !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
            for (MlirOperation in = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(in);
                 in = mlirOperationGetNextInBlock(in)) {
                enum op_kind kind = op_kind(v->ir, in);
                bool loop = kind == OP_FOR || kind == OP_WHILE;
                MlirLocation at = mlirOperationGetLocation(in);
                if (in_loop && has_traffic(traffic_of(v->ir, v->target, v->warps, in)) && !is_inside(v, at)) {
                    struct places *to = v->inside;
                    to->all = arena_grown(v->arena, to->all, to->count, &to->capacity, sizeof *to->all);
                    to->all[to->count++] = at;
                }
                note_places(v, in, in_loop || (loop && loop_number(v, in) < WORK_LOOPS));
            }
        }
    }
}

// ---- the walk ----

static void visit_block(const struct visit *v, MlirBlock block, unsigned role, struct traffic *into) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(v->ir, op);
        if (kind == OP_FOR || kind == OP_WHILE) {
            visit_loop(v, op, role, into);
            continue;
        }
        if (!is_outside(v, into) || !is_inside(v, mlirOperationGetLocation(op))) {
            add_traffic(into, traffic_of(v->ir, v->target, v->warps, op), 1);
        }
        if (kind == OP_IF || kind == OP_SPECIALISE) {
            visit_regions(v, op, role, into);
        }
    }
}

static struct traffic all_roles(const struct tally *tally, size_t number) {
    struct traffic sum = {0};
    for (unsigned role = 0; role < ROLES; role++) {
        add_traffic(&sum, tally->loops[number][role], 1);
    }
    return sum;
}

// The traffic of loop `number`, or of its continuation with more. Nothing for a continuation itself.
static struct traffic loop_traffic(const struct work_survey *survey, const struct tally *tally,
                                   size_t number) {
    struct traffic most = {0};
    for (size_t i = number; i < survey->loop_count && survey->loops[number].continues < 0; i++) {
        struct traffic t = all_roles(tally, i);
        bool shares = survey->loops[i].continues == (int)number;
        most = i == number || (shares && t.shared > most.shared) ? t : most;
    }
    return most;
}

static void add_to_part(struct work_survey *survey, const struct work_loop *loop, struct traffic t) {
    if (!has_traffic(t)) {
        return;
    }
    const struct work_part like = {.parameter = loop->parameter,
                                   .divisor = loop->divisor,
                                   .branch = loop->branch,
                                   .steps = loop->steps,
                                   .per = 1};
    struct work_part *part = work_part(survey, &like);
    part->shared += loop->times * t.shared;
    part->exchanged += loop->times * t.exchanged;
    part->barriers += loop->times * t.barriers;
    part->accesses += loop->times * t.accesses;
    if (t.most > part->largest_exchange) {
        part->largest_exchange = t.most;
        part->exchange_at = t.at;
    }
}

void traffic_add(struct work_survey *survey, struct ir *ir, struct arena *arena, const struct target *target,
                 MlirOperation function, enum traffic_peeled peeled) {
    struct tally *tally = ARENA_NEW(arena, struct tally);
    struct places inside = {0};
    unsigned packed = (unsigned)op_int_or(function, ATTR_PACKED, 1);
    struct visit v = {ir,    target, (unsigned)op_int(function, ATTR_NUM_WARPS), packed, survey, tally,
                      arena, &inside};
    if (peeled == TRAFFIC_PEELED_ONCE) {
        note_places(&v, function, false);
    }
    visit_regions(&v, function, 1, &tally->outside[0]);
    for (size_t i = 0; i < survey->loop_count; i++) {
        add_to_part(survey, &survey->loops[i], loop_traffic(survey, tally, i));
    }
    for (unsigned branch = 0; branch <= survey->branch_count; branch++) {
        const struct work_loop none = {.parameter = -1, .divisor = 1, .branch = branch, .times = 1};
        add_to_part(survey, &none, tally->outside[branch]);
    }
}
