// tk.rarely: a choice whose first value hardly any element takes, and which takes long to compute.
//
//   y = rarely(c, a, b)      →      if any of this thread's c { for each: if c { y = a } else { y = b } } else { y = b }
//
// Here stands a, computed by all threads, before the branches: what else uses a part of it is not known yet. Once the whole
// function stands, codegen/rare.c moves what only a needs into the branches, which are marked for it. One element's come behind
// the other's, so that the registers are those of one.
//
// Several choices by one condition share their branches, as what their values have in common then moves too.
#include "lower/lower_internal.h"

enum { MOST_TOGETHER = 4 };

struct choices {
    unsigned count;
    MlirOperation ops[MOST_TOGETHER];
    struct values *out[MOST_TOGETHER];
};

// The op and those right behind it that have its condition.
static struct choices choices_from(struct lowering *l, MlirOperation op) {
    struct choices choices = {.count = 0};
    MlirValue condition = mlirOperationGetOperand(op, 0);
    do {
        choices.out[choices.count] = lower_result(l, op, 0);
        choices.ops[choices.count++] = op;
        op = mlirOperationGetNextInBlock(op);
    } while (choices.count < MOST_TOGETHER && op_kind(l->ir, op) == OP_RARELY &&
             mlirValueEqual(mlirOperationGetOperand(op, 0), condition));
    return choices;
}

static LLVMValueRef join(struct lowering *l, const struct lower_if *branch, LLVMValueRef then,
                         LLVMValueRef otherwise) {
    LLVMValueRef phi = LLVMBuildPhi(l->b, LLVMTypeOf(then), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){then, otherwise},
                    (LLVMBasicBlockRef[]){branch->then, branch->before}, 2);
    return phi;
}

static struct lower_if begin(struct lowering *l, LLVMValueRef condition) {
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
    struct lower_if branch = begin(l, condition);
    lower_if_end(l, &branch);
    for (unsigned i = 0; i < choices->count; i++) {
        choices->out[i]->at[r] = join(l, &branch, lower_operand(l, choices->ops[i], 1)->at[r],
                                      lower_operand(l, choices->ops[i], 2)->at[r]);
    }
}

void lower_rarely(struct lowering *l, MlirOperation op) {
    if (l->rarely_until.ptr) { // done with the first of its choices
        l->rarely_until.ptr = op.ptr == l->rarely_until.ptr ? NULL : l->rarely_until.ptr;
        return;
    }
    struct choices choices = choices_from(l, op);
    l->rarely_until.ptr = choices.count > 1 ? choices.ops[choices.count - 1].ptr : NULL;
    const struct values *condition = lower_operand(l, op, 0);
    uint32_t repeated = lower_alike(l, op);
    LLVMValueRef any = NULL;
    unsigned distinct = 0;
    for (unsigned r = 0; r < condition->count; r++) {
        if (!(r & repeated)) {
            any = any ? LLVMBuildOr(l->b, any, condition->at[r], "") : condition->at[r];
            distinct++;
        }
    }
    struct lower_if branch;
    if (distinct > 1) {
        branch = begin(l, any);
    }
    for (unsigned r = 0; r < condition->count; r++) {
        if (!(r & repeated)) {
            choose(l, &choices, condition->at[r], r);
        }
    }
    if (distinct > 1) {
        lower_if_end(l, &branch);
    }
    for (unsigned i = 0; i < choices.count; i++) {
        for (unsigned r = 0; r < condition->count; r++) {
            LLVMValueRef *out = choices.out[i]->at;
            out[r] = r & repeated   ? out[r & ~repeated]
                     : distinct > 1 ? join(l, &branch, out[r], lower_operand(l, choices.ops[i], 2)->at[r])
                                    : out[r];
        }
    }
}
