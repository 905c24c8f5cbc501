// The work of one program of a kernel, for the launcher's cost rule (launcher/variant.h): multiply-adds of
// dots and bytes of global memory, outside loops and in each loop with a trip count by an
// argument. Read from the front end's tile IR, before the passes:
//
//     scf.for %i = %c0 to %trips step %c1 { … "tk.dot"(…: 128x32, 32x128) … }      %trips = (%arg5 + 31) / 32
//
// is the term {parameter 5, divisor 32, products 128·128·32}. A branch of an `if` counts under its condition, if that follows from
// arguments (condition.h). Else the branch with more work counts, in a loop both, as each has some of the steps. Nested loops multiply if
// one trip count is constant, and a loop with an unknown trip count counts as UNKNOWN_TRIPS. Loops in a row, one's end the next one's begin
// (attention's, without masks and with), share the steps up to the last one's end: of each resource, the copy with most of it
// counts. A loop with an end by the program (a causal one) has its steps as a text besides, for the mean over the programs, and an access
// the elements inside its mask (steps.h), for the page alone: launchers count whole tiles.
#include "driver/work.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tk.h"
#include "driver/condition.h"
#include "driver/steps.h"
#include "ir/build.h"

enum { UNKNOWN_TRIPS = 8, SEARCH_DEPTH = 12, SEARCH_STEPS = 512 };

struct trips {
    int parameter;
    int64_t divisor;
    const char *steps; // of loops with an end of the program's own; NULL: of others
};

// A load in a loop, through an argument.
struct loaded {
    unsigned argument;
    struct trips trips;
    unsigned branch;
    size_t loop;
};

struct survey {
    struct ir *ir;
    struct arena *arena;
    MlirBlock entry;
    struct steps_names names; // of arguments, in C
    struct work_survey *of;
    unsigned branch;    // of the op at hand, as in struct work_part
    unsigned steps;     // in the search for one bound
    int continues;      // of the loop at hand, as in struct work_loop
    size_t loop, loops; // number of the loop around the op at hand, from 1, and of all so far; 0: none
    // Of the masks at hand: whether they count, and the only loop around them. In loops within loops, and in loops of common steps (the copy
    // with the most work counts there), they do not.
    bool masks;
    const struct steps_range *range;
    struct loaded loads[WORK_LOADS];
    size_t load_count;
};

static bool same_steps(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static struct work_part *find_part(struct work_survey *of, const struct work_part *like, const char *steps) {
    for (size_t i = 0; i < of->count; i++) {
        struct work_part *known = &of->parts[i];
        if (known->parameter == like->parameter && known->divisor == like->divisor &&
            known->branch == like->branch && same_steps(known->steps, steps)) {
            return known;
        }
    }
    return NULL;
}

struct work_part *work_part(struct work_survey *of, const struct work_part *like) {
    struct work_part *found = find_part(of, like, like->steps);
    if (found) {
        return found;
    }
    if (of->count == WORK_PARTS) {
        found = find_part(of, like, NULL);
        return found ? found : &of->parts[WORK_PARTS - 1];
    }
    of->parts[of->count] = (struct work_part){.parameter = like->parameter,
                                              .divisor = like->divisor,
                                              .branch = like->branch,
                                              .steps = like->steps,
                                              .per = like->per,
                                              .loop_steps = like->loop_steps};
    return &of->parts[of->count++];
}

static struct work_part *part(struct survey *s, struct trips trips) {
    const struct work_part like = {.parameter = trips.parameter,
                                   .divisor = trips.divisor,
                                   .branch = s->branch,
                                   .steps = trips.steps,
                                   .per = 1};
    return work_part(s->of, &like);
}

// The part of an access: of the elements inside its mask, if the host can count these.
static struct work_part *part_of_access(struct survey *s, MlirOperation access, struct trips trips) {
    struct work_part like = {.parameter = trips.parameter,
                             .divisor = trips.divisor,
                             .branch = s->branch,
                             .loop_steps = trips.steps};
    like.steps = s->masks ? steps_inside_mask(&s->names, access, s->range, &like.per) : NULL;
    return like.steps ? work_part(s->of, &like) : part(s, trips);
}

// Finds the first integer argument in the value's computation, and multiplies `divisor` by the constants it
// is divided by on the way. -1: none, or none within the search's limits.
static int find_parameter(struct survey *s, MlirValue value, int64_t *divisor, int depth) {
    if (mlirValueIsABlockArgument(value)) {
        bool is_argument = mlirBlockEqual(mlirBlockArgumentGetOwner(value), s->entry) &&
                           mlirTypeIsAInteger(mlirValueGetType(value));
        return is_argument ? (int)mlirBlockArgumentGetArgNumber(value) : -1;
    }
    s->steps++;
    MlirOperation op = mlirOpResultGetOwner(value);
    enum op_kind kind = op_kind(s->ir, op);
    intptr_t count = depth && s->steps < SEARCH_STEPS ? mlirOperationGetNumOperands(op) : 0;
    int64_t by;
    if ((kind == OP_DIVSI || kind == OP_DIVUI) && value_is_constant_int(s->ir, binary_right(op), &by) &&
        by > 0) {
        *divisor = *divisor > INT32_MAX / by ? *divisor : *divisor * by;
        count = count ? 1 : 0;
    }
    int found = -1;
    for (intptr_t i = 0; i < count && found < 0; i++) {
        found = find_parameter(s, mlirOperationGetOperand(op, i), divisor, depth - 1);
    }
    return found;
}

static struct trips loop_trips(struct survey *s, MlirOperation loop) {
    int64_t low, high, step = 0;
    MlirValue upper = for_upper(loop);
    bool steady = value_is_constant_int(s->ir, for_step(loop), &step) && step > 0;
    if (steady && value_is_constant_int(s->ir, for_lower(loop), &low) &&
        value_is_constant_int(s->ir, upper, &high)) {
        return (struct trips){-1, high > low ? (high - low - 1) / step + 1 : 0, NULL};
    }
    int64_t divisor = 1;
    s->steps = 0;
    int parameter = steady ? find_parameter(s, upper, &divisor, SEARCH_DEPTH) : -1;
    divisor = step > 1 ? step : divisor; // an unrounded bound counts elements
    return parameter < 0 ? (struct trips){-1, UNKNOWN_TRIPS, NULL} : (struct trips){parameter, divisor, NULL};
}

// The trip count of a loop within a loop: counts multiply if one is constant.
static struct trips nested(struct trips outer, struct trips inner, double *times) {
    if (outer.parameter >= 0 && inner.parameter >= 0) {
        *times *= UNKNOWN_TRIPS;
        return inner;
    }
    struct trips constant = outer.parameter < 0 ? outer : inner;
    *times *= (double)constant.divisor;
    return outer.parameter < 0 ? inner : outer;
}

static double bytes_of(MlirType pointers, struct ir *ir) {
    MlirType element = tk_ptr_pointee(ir, type_element(pointers));
    return (double)type_elements(pointers) * type_bits(element) / 8;
}

double work_products(MlirOperation dot) {
    return (double)type_elements(mlirValueGetType(mlirOperationGetResult(dot, 0))) * (double)dot_depth(dot);
}

// The argument that a load's pointers begin at; -1: not known.
static int base_argument(struct survey *s, MlirValue pointer) {
    for (int depth = 0; depth < SEARCH_DEPTH && !mlirValueIsABlockArgument(pointer); depth++) {
        MlirOperation op = mlirOpResultGetOwner(pointer);
        enum op_kind kind = op_kind(s->ir, op);
        if (kind != OP_ADDPTR && kind != OP_SPLAT && kind != OP_BROADCAST && kind != OP_EXPAND_DIMS) {
            return -1;
        }
        pointer = leading_operand(op);
    }
    bool found =
        mlirValueIsABlockArgument(pointer) && mlirBlockEqual(mlirBlockArgumentGetOwner(pointer), s->entry);
    return found ? (int)mlirBlockArgumentGetArgNumber(pointer) : -1;
}

// The first value of one carried by a loop; else the value itself.
static MlirValue before_loops(struct survey *s, MlirValue value) {
    for (int depth = 0; depth < SEARCH_DEPTH && mlirValueIsABlockArgument(value); depth++) {
        MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        if (op_kind(s->ir, loop) != OP_FOR || number == 0) {
            break;
        }
        value = for_init(loop, number - 1);
    }
    return value;
}

// Notes the argument behind a load in a loop, with pointers moved by the loop, too.
static void note_looped(struct survey *s, MlirOperation load) {
    struct work_survey *of = s->of;
    int argument = s->loop ? base_argument(s, before_loops(s, access_pointer(load))) : -1;
    for (size_t i = 0; i < of->looped_count; i++) {
        argument = of->looped[i] == (unsigned)argument ? -1 : argument;
    }
    if (argument >= 0 && of->looped_count < WORK_LOADS) {
        of->looped[of->looped_count++] = (unsigned)argument;
    }
}

// Notes a load. True if another loop with the same trips has loaded through this argument before.
static bool loads_again(struct survey *s, MlirOperation load, struct trips trips) {
    int argument = s->loop ? base_argument(s, access_pointer(load)) : -1;
    for (size_t i = 0; argument >= 0 && i < s->load_count; i++) {
        const struct loaded *known = &s->loads[i];
        if (known->argument == (unsigned)argument && known->trips.parameter == trips.parameter &&
            known->trips.divisor == trips.divisor && known->branch == s->branch && known->loop != s->loop) {
            return true;
        }
    }
    if (argument >= 0 && s->load_count < WORK_LOADS) {
        s->loads[s->load_count++] = (struct loaded){(unsigned)argument, trips, s->branch, s->loop};
    }
    return false;
}

// Whether all elements, or all of a row, are divided by one number.
static bool shares_divisor(struct survey *s, MlirOperation op) {
    if (op_kind(s->ir, op) != OP_DIVF || mlirValueIsABlockArgument(binary_right(op))) {
        return false;
    }
    enum op_kind kind = op_kind(s->ir, mlirOpResultGetOwner(binary_right(op)));
    return kind == OP_SPLAT || kind == OP_BROADCAST;
}

static void survey_op(struct survey *s, MlirOperation op, struct trips trips, double times) {
    enum op_kind kind = op_kind(s->ir, op);
    if (kind == OP_DOT) {
        MlirType c = mlirValueGetType(mlirOperationGetResult(op, 0));
        unsigned sums = (unsigned)(type_elements(c) * type_bits(type_element(c)) / 8);
        part(s, trips)->products += times * work_products(op);
        s->of->sums = sums > s->of->sums ? sums : s->of->sums;
    } else if (kind == OP_LOAD || kind == OP_STORE || kind == OP_ATOMIC_RMW) {
        double bytes = times * bytes_of(mlirValueGetType(access_pointer(op)), s->ir);
        struct work_part *to = part_of_access(s, op, trips);
        to->bytes += bytes;
        to->again += kind == OP_LOAD && loads_again(s, op, trips) ? bytes : 0;
        if (kind == OP_LOAD) {
            note_looped(s, op);
        }
    } else if ((op_traits(kind) & ELEMENTWISE) && mlirOperationGetNumResults(op) == 1) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
        if (type_is_tensor(type) && mlirTypeIsAFloat(type_element(type))) {
            struct work_part *to = part(s, trips);
            *(op_traits(kind) & SPECIAL_UNIT ? &to->special : &to->simple) +=
                times * (double)type_elements(type);
            to->quotients += shares_divisor(s, op) ? times * (double)type_elements(type) : 0;
        }
    }
}

static void survey_block(struct survey *s, MlirBlock block, struct trips trips, double times);

static void survey_region(struct survey *s, MlirRegion region, struct trips trips, double times) {
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block)) {
        survey_block(s, block, trips, times);
    }
}

static void survey_regions(struct survey *s, MlirOperation op, struct trips trips, double times) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        survey_region(s, mlirOperationGetRegion(op, i), trips, times);
    }
}

// Sets the amounts of the survey's parts; 0 of parts that `from` lacks.
static void set_amounts(struct work_survey *of, const struct work_survey *from) {
    for (size_t i = 0; i < of->count; i++) {
        const struct work_part *part = &from->parts[i];
        of->parts[i].products = part->products;
        of->parts[i].bytes = part->bytes;
        of->parts[i].again = part->again;
        of->parts[i].special = part->special;
        of->parts[i].quotients = part->quotients;
        of->parts[i].simple = part->simple;
    }
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void raise_amounts(struct work_survey *of, const struct work_survey *other) {
    for (size_t i = 0; i < of->count; i++) {
        struct work_part *part = &of->parts[i];
        part->products = larger(part->products, other->parts[i].products);
        part->bytes = larger(part->bytes, other->parts[i].bytes);
        part->again = larger(part->again, other->parts[i].again);
        part->special = larger(part->special, other->parts[i].special);
        part->quotients = larger(part->quotients, other->parts[i].quotients);
        part->simple = larger(part->simple, other->parts[i].simple);
    }
}

// The loop goes on where the other ends, by the same steps, whose number depends on an argument.
static bool continues(struct survey *s, MlirOperation loop, MlirOperation before) {
    int64_t step, other;
    return !mlirOperationIsNull(before) && mlirValueEqual(for_lower(loop), for_upper(before)) &&
           value_is_constant_int(s->ir, for_step(loop), &step) &&
           value_is_constant_int(s->ir, for_step(before), &other) && step == other &&
           loop_trips(s, loop).parameter >= 0 &&
           loop_trips(s, loop).parameter == loop_trips(s, before).parameter;
}

static const char *host_condition(struct survey *s, MlirValue condition) {
    return condition_text(s->ir, s->arena, s->entry, s->names.names, s->names.count, condition);
}

// Adds the branches of an `if`. Returns the number of the first.
static unsigned add_branches(struct survey *s, MlirOperation op) {
    static const enum int_predicate opposite[] = {
        [INT_EQ] = INT_NE,   [INT_NE] = INT_EQ,   [INT_SLT] = INT_SGE, [INT_SLE] = INT_SGT,
        [INT_SGT] = INT_SLE, [INT_SGE] = INT_SLT, [INT_ULT] = INT_UGE, [INT_ULE] = INT_UGT,
        [INT_UGT] = INT_ULE, [INT_UGE] = INT_ULT};
    MlirValue condition = if_condition(op);
    struct work_branch branch = {.at = mlirOperationGetLocation(op),
                                 .within = s->branch,
                                 .parameter = -1,
                                 .when = host_condition(s, condition)};
    MlirOperation compare =
        mlirValueIsABlockArgument(condition) ? (MlirOperation){0} : mlirOpResultGetOwner(condition);
    if (!mlirOperationIsNull(compare) && op_kind(s->ir, compare) == OP_CMPI &&
        mlirValueIsABlockArgument(binary_left(compare)) &&
        value_is_constant_int(s->ir, binary_right(compare), &branch.bound)) {
        int64_t divisor = 1;
        branch.parameter = find_parameter(s, binary_left(compare), &divisor, 1);
        branch.predicate = (int)op_int(compare, ATTR_PREDICATE);
    }
    s->of->branches[s->of->branch_count++] = branch;
    branch.predicate = (int)opposite[branch.predicate];
    branch.when = condition_not(s->arena, branch.when);
    s->of->branches[s->of->branch_count++] = branch;
    return (unsigned)s->of->branch_count - 1;
}

static void survey_branches(struct survey *s, MlirOperation op, struct trips trips, double times) {
    unsigned around = s->branch, first = add_branches(s, op);
    for (int i = 0; i < 2; i++) {
        s->branch = first + (unsigned)i;
        survey_region(s, mlirOperationGetRegion(op, i), trips, times);
    }
    s->branch = around;
}

static void note_loop(struct survey *s, MlirOperation loop, struct trips trips, double times) {
    int64_t step = 0;
    if (s->of->loop_count < WORK_LOOPS) {
        s->of->loops[s->of->loop_count++] = (struct work_loop){
            .at = mlirOperationGetLocation(loop),
            .parameter = trips.parameter,
            .divisor = trips.divisor,
            .step = op_kind(s->ir, loop) == OP_FOR && value_is_constant_int(s->ir, for_step(loop), &step)
                        ? step
                        : 0,
            .branch = s->branch,
            .steps = trips.steps,
            .times = times,
            .continues = s->continues};
    }
    s->continues = -1;
}

// Whether no other loop shares the steps.
static bool range_is_of(const struct steps_range *range, MlirOperation loop) {
    return mlirValueEqual(range->low, for_lower(loop)) && mlirValueEqual(range->high, for_upper(loop));
}

// The regions of an op. `range`: the steps of a loop and of the loops in a row with it, else NULL.
static void survey_inside(struct survey *s, MlirOperation op, const struct steps_range *range,
                          struct trips trips, double times) {
    enum op_kind kind = op_kind(s->ir, op);
    bool outside = trips.parameter < 0 && trips.divisor == 1 && times == 1;
    if (kind == OP_IF && s->of->branch_count + 2 <= WORK_BRANCHES &&
        (outside || host_condition(s, if_condition(op)))) {
        survey_branches(s, op, trips, times);
        return;
    }
    if (kind == OP_FOR) {
        struct trips own = loop_trips(s, op);
        const char *steps = own.parameter >= 0 ? steps_of_range(&s->names, range) : NULL;
        own.steps = steps_differ(steps) ? steps : NULL;
        trips = nested(trips, own, &times);
    } else if (kind == OP_WHILE) {
        times *= UNKNOWN_TRIPS;
    }
    const struct steps_range *range_around = s->range;
    size_t around = s->loop;
    bool masks = s->masks;
    if (kind == OP_FOR || kind == OP_WHILE) {
        note_loop(s, op, trips, times);
        s->masks &= !s->loop && kind == OP_FOR && range_is_of(range, op);
        s->range = range;
        s->loop = ++s->loops;
    }
    survey_regions(s, op, trips, times);
    s->loop = around;
    s->masks = masks;
    s->range = range_around;
}

// A loop that goes on where the one before it ends: the steps of both count once, and the one loads other rows than the other. `start`: the
// survey ahead of both, with `load_start` loads.
static void survey_copy(struct survey *s, MlirOperation loop, const struct steps_range *range,
                        struct trips trips, double times, const struct work_survey *start,
                        size_t load_start) {
    struct work_survey others = *s->of;
    struct loaded loads[WORK_LOADS];
    size_t load_count = s->load_count;
    memcpy(loads, s->loads, sizeof loads);
    set_amounts(s->of, start);
    s->continues = (int)start->loop_count;
    s->load_count = load_start;
    survey_inside(s, loop, range, trips, times);
    raise_amounts(s->of, &others);
    for (size_t i = load_start; i < load_count && s->load_count < WORK_LOADS; i++) {
        s->loads[s->load_count++] = loads[i];
    }
}

// The last of the loops in a row that begins with this one.
static MlirOperation last_copy(struct survey *s, MlirOperation loop) {
    MlirOperation last = loop;
    for (MlirOperation op = mlirOperationGetNextInBlock(loop); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_FOR && !continues(s, op, last)) {
            break;
        }
        last = op_kind(s->ir, op) == OP_FOR ? op : last;
    }
    return last;
}

static struct steps_range range_of(struct survey *s, MlirOperation first, MlirOperation loop) {
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    struct steps_range range = {.counter = mlirBlockGetArgument(body, 0),
                                .low = for_lower(first),
                                .high = for_upper(last_copy(s, loop))};
    bool known = value_is_constant_int(s->ir, for_step(loop), &range.step) && range.step > 0;
    range.step = known ? range.step : 1;
    return range;
}

static void survey_block(struct survey *s, MlirBlock block, struct trips trips, double times) {
    MlirOperation before = {0}, first = {0}; // the last loop, and the first in a row with it
    struct work_survey start = {0};          // the survey ahead of the first
    size_t load_start = 0;                   // its loads
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        survey_op(s, op, trips, times);
        if (op_kind(s->ir, op) != OP_FOR) {
            survey_inside(s, op, NULL, trips, times);
            continue;
        }
        bool is_copy = continues(s, op, before);
        first = is_copy ? first : op;
        struct steps_range range = range_of(s, first, op);
        if (!is_copy) {
            start = *s->of;
            load_start = s->load_count;
            survey_inside(s, op, &range, trips, times);
        } else {
            survey_copy(s, op, &range, trips, times, &start, load_start);
        }
        before = op;
    }
}

// A rough sum of all resources, to tell branches with much work from those with little. A loop counts as one step.
static double amount_of(const struct work_part *part) {
    return 2 * part->products + part->bytes + part->special + part->simple;
}

// Marks the branch with less work of each `if`. The work of a branch has that of the larger branches within.
static void compare_branches(struct work_survey *of) {
    double work[WORK_BRANCHES + 1] = {0};
    for (size_t i = 0; i < of->count; i++) {
        work[of->parts[i].branch] += amount_of(&of->parts[i]);
    }
    for (size_t i = of->branch_count; i >= 2; i -= 2) { // an `if` has a number behind the one around it
        bool first = work[i - 1] >= work[i];
        of->branches[first ? i - 1 : i - 2].less = true;
        work[of->branches[i - 1].within] += work[first ? i - 1 : i];
    }
}

struct work_survey work_survey(struct ir *ir, struct arena *arena, MlirOperation function,
                               const char *const *names, size_t count) {
    struct work_survey survey = {0};
    MlirRegion body = mlirOperationGetRegion(function, 0);
    struct survey s = {.ir = ir,
                       .arena = arena,
                       .entry = mlirRegionGetFirstBlock(body),
                       .names = {ir, arena, mlirRegionGetFirstBlock(body), names, count},
                       .continues = -1,
                       .masks = true,
                       .of = &survey};
    survey_regions(&s, function, (struct trips){-1, 1, NULL}, 1);
    compare_branches(&survey);
    return survey;
}
