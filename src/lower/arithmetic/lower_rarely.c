// tk.rarely: a choice whose first value is expensive and hardly ever taken.
//
//   y = rarely(c, a, b)      →      if any of this thread's c { for each: if c { y = a } else { y = b } } else { y = b }
//
// A thread of more than a few elements tests them in groups: the code before a branch is independent of it,
// and the code behind waits. codegen/rare_turns.c interleaves each group's code with the branches. If the
// rare value is right for all elements, and cheap, such a thread always takes it: its code is then a single
// block, and loads overlap with arithmetic (a divergence of 16,384 a row takes 0.72 of the time). So does what a
// scan or reduction combines: branches would keep the chains of a thread's elements apart. Not beside
// dots: there arithmetic dominates loads, and a block over all elements takes more registers.
//
// Lowering places the computation of `a`, by all threads, before the branches: other uses of its parts are
// not known yet. Once the function is complete, codegen/rare.c moves the code used only by `a` into the
// branches, marked for it. Branches of single elements follow each other, so only one element's registers are
// live.
//
// Several choices with one condition share their branches, so that common parts of their values move too.
#include "lower/lower_internal.h"

enum { MOST_TOGETHER = 4, MOST_ASKED_AT_ONCE = 8 };

struct choices {
    unsigned count;
    MlirOperation ops[MOST_TOGETHER];
    struct values *out[MOST_TOGETHER];
};

static bool reads_any(MlirOperation op, const struct choices *choices) {
    bool reads = false;
    for (unsigned i = 0; i < choices->count; i++) {
        MlirValue chosen = mlirOperationGetResult(choices->ops[i], 0);
        reads |= mlirValueEqual(select_yes(op), chosen) || mlirValueEqual(select_no(op), chosen);
    }
    return reads;
}

// The op and the ops directly behind it with the same condition, if they do not read each other's results.
static struct choices choices_from(struct lowering *l, MlirOperation op) {
    struct choices choices = {.count = 0};
    MlirValue condition = select_condition(op);
    do {
        choices.out[choices.count] = lower_result(l, op, 0);
        choices.ops[choices.count++] = op;
        op = mlirOperationGetNextInBlock(op);
    } while (choices.count < MOST_TOGETHER && op_kind(l->ir, op) == OP_RARELY &&
             mlirValueEqual(select_condition(op), condition) && !reads_any(op, &choices));
    return choices;
}

static LLVMValueRef join(struct lowering *l, const struct lower_if *branch, LLVMValueRef then,
                         LLVMValueRef otherwise) {
    LLVMValueRef phi = LLVMBuildPhi(l->b, LLVMTypeOf(then), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){then, otherwise},
                    (LLVMBasicBlockRef[]){branch->then, branch->before}, 2);
    return phi;
}

static struct lower_if begin_rare(struct lowering *l, LLVMValueRef condition) {
    struct lower_if branch = lower_if_begin(l, condition);
    LLVMMetadataRef weights[] = {LLVMMDStringInContext2(l->context, "branch_weights", 14),
                                 LLVMValueAsMetadata(lower_i32(l, 1)),
                                 LLVMValueAsMetadata(lower_i32(l, 1 << 20))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(l->context, weights, 3);
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(branch.before),
                    LLVMGetMDKindIDInContext(l->context, "prof", 4), LLVMMetadataAsValue(l->context, node));
    return branch;
}

// Element r of all choices.
static void choose(struct lowering *l, const struct choices *choices, LLVMValueRef condition, unsigned r) {
    struct lower_if branch = begin_rare(l, condition);
    lower_if_end(l, &branch);
    for (unsigned i = 0; i < choices->count; i++) {
        choices->out[i]->at[r] = join(l, &branch, lower_values(l, select_yes(choices->ops[i]))->at[r],
                                      lower_values(l, select_no(choices->ops[i]))->at[r]);
    }
}

// The disjunction of the conditions of the elements from `begin` on, as many distinct ones as one branch
// tests; sets the end and their number.
static LLVMValueRef any_of(struct lowering *l, const struct values *condition, uint32_t repeated,
                           unsigned begin, unsigned *end, unsigned *distinct) {
    LLVMValueRef any = NULL;
    *distinct = 0;
    unsigned r = begin;
    for (; r < condition->count && *distinct < MOST_ASKED_AT_ONCE; r++) {
        if (!(r & repeated)) {
            any = any ? LLVMBuildOr(l->b, any, condition->at[r], "") : condition->at[r];
            ++*distinct;
        }
    }
    *end = r;
    return any;
}

// Lowers the elements from `begin` on, behind one branch. Returns the next element.
static unsigned choose_some(struct lowering *l, const struct choices *choices, const struct values *condition,
                            uint32_t repeated, unsigned begin) {
    unsigned end, distinct;
    LLVMValueRef any = any_of(l, condition, repeated, begin, &end, &distinct);
    struct lower_if branch;
    if (distinct > 1) {
        branch = begin_rare(l, any);
    }
    for (unsigned r = begin; r < end; r++) {
        if (!(r & repeated)) {
            choose(l, choices, condition->at[r], r);
        }
    }
    if (distinct > 1) {
        lower_if_end(l, &branch);
    }
    for (unsigned i = 0; i < choices->count && distinct > 1; i++) {
        for (unsigned r = begin; r < end; r++) {
            if (!(r & repeated)) {
                LLVMValueRef *out = &choices->out[i]->at[r];
                *out = join(l, &branch, *out, lower_values(l, select_no(choices->ops[i]))->at[r]);
            }
        }
    }
    return end;
}

static bool always_rare(const struct choices *choices) {
    bool always = true;
    for (unsigned i = 0; i < choices->count; i++) {
        always &= op_has(choices->ops[i], ATTR_ALWAYS);
    }
    return always;
}

static bool stands_beside_dot(struct lowering *l, MlirOperation op) {
    MlirOperation other = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
    while (!mlirOperationIsNull(other) && op_kind(l->ir, other) != OP_DOT &&
           op_kind(l->ir, other) != OP_SHARED_DOT && op_kind(l->ir, other) != OP_WARPGROUP_DOT) {
        other = mlirOperationGetNextInBlock(other);
    }
    return !mlirOperationIsNull(other);
}

// Part of what a scan or reduction combines, for threads of several elements: a thread runs it once for each of them and exchanges.
static bool combines(struct lowering *l, MlirOperation op) {
    enum { SEVERAL = 4 };
    MlirOperation around = mlirOperationGetParentOperation(op);
    bool repeats = op_kind(l->ir, around) == OP_SCAN || op_kind(l->ir, around) == OP_REDUCE;
    MlirType tile = repeats ? mlirValueGetType(mlirOperationGetOperand(around, 0)) : (MlirType){NULL};
    const struct layout *layout = repeats ? type_layout(l->ir, tile) : NULL;
    return layout && layout_registers(layout) >= SEVERAL;
}

static unsigned count_distinct(const struct values *condition, uint32_t repeated) {
    unsigned count = 0;
    for (unsigned r = 0; r < condition->count; r++) {
        count += (r & repeated) == 0;
    }
    return count;
}

void lower_rarely(struct lowering *l, MlirOperation op) {
    if (l->rarely_until.ptr) { // lowered together with the first of its choices
        l->rarely_until.ptr = op.ptr == l->rarely_until.ptr ? NULL : l->rarely_until.ptr;
        return;
    }
    struct choices choices = choices_from(l, op);
    l->rarely_until.ptr = choices.count > 1 ? choices.ops[choices.count - 1].ptr : NULL;
    const struct values *condition = lower_values(l, select_condition(op));
    uint32_t repeated = lower_alike(l, op);
    bool many = count_distinct(condition, repeated) > MOST_ASKED_AT_ONCE || combines(l, op);
    if (always_rare(&choices) && many && !stands_beside_dot(l, op)) {
        for (unsigned i = 0; i < choices.count; i++) {
            for (unsigned r = 0; r < condition->count; r++) {
                choices.out[i]->at[r] = lower_values(l, select_yes(choices.ops[i]))->at[r];
            }
        }
        return;
    }
    for (unsigned r = 0; r < condition->count;) {
        r = choose_some(l, &choices, condition, repeated, r);
    }
    for (unsigned i = 0; i < choices.count; i++) {
        for (unsigned r = 0; r < condition->count; r++) {
            LLVMValueRef *out = choices.out[i]->at;
            out[r] = out[r & ~repeated];
        }
    }
}
