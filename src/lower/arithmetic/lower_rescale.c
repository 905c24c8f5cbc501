// tk.rescale: a product with a factor of 1 most of the time (the growth of a row's running maximum).
//
//   c = a · f      →      if not all lanes' f are 1 { c = a · f } else { c = a }
//
// A thread has few distinct factors if there is one for each row. Exact: a · 1 is a.
//
// tk.warp_any: the condition of such a branch.
#include "lower/lower_internal.h"

enum { MOST_FACTORS = 4 };

// The distinct values of a tile, by LLVM value; returns MOST_FACTORS + 1 if there are more.
static unsigned distinct(const struct values *values, LLVMValueRef found[MOST_FACTORS]) {
    unsigned count = 0;
    for (unsigned r = 0; r < values->count; r++) {
        unsigned known = 0;
        while (known < count && found[known] != values->at[r]) {
            known++;
        }
        if (known == MOST_FACTORS) {
            return MOST_FACTORS + 1;
        }
        found[known] = values->at[r];
        count = known == count ? count + 1 : count;
    }
    return count;
}

static void multiply(struct lowering *l, const struct values *tile, const struct values *factor,
                     LLVMValueRef *out) {
    for (unsigned r = 0; r < tile->count; r++) {
        out[r] = LLVMBuildFMul(l->b, tile->at[r], factor->at[r], "");
    }
}

void lower_rescale(struct lowering *l, MlirOperation op) {
    const struct values *tile = lower_values(l, rescale_tile(op)),
                        *factor = lower_values(l, rescale_factor(op));
    struct values *out = lower_result(l, op, 0);
    LLVMValueRef factors[MOST_FACTORS], ones = NULL;
    unsigned count = distinct(factor, factors);
    if (count > MOST_FACTORS) {
        multiply(l, tile, factor, out->at);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef one = LLVMConstReal(LLVMTypeOf(factors[i]), 1.0);
        ones = lower_and(l, ones, LLVMBuildFCmp(l->b, LLVMRealOEQ, factors[i], one, ""));
    }
    LLVMValueRef all = lower_vendor(l)->vote_all(l, ones);
    struct lower_if branch = lower_if_begin(l, LLVMBuildNot(l->b, all, ""));
    multiply(l, tile, factor, out->at);
    lower_if_end(l, &branch);
    for (unsigned r = 0; r < tile->count; r++) {
        LLVMValueRef phi = LLVMBuildPhi(l->b, LLVMTypeOf(out->at[r]), "");
        LLVMAddIncoming(phi, (LLVMValueRef[]){out->at[r], tile->at[r]},
                        (LLVMBasicBlockRef[]){branch.then, branch.before}, 2);
        out->at[r] = phi;
    }
}

void lower_warp_any(struct lowering *l, MlirOperation op) {
    const struct values *tile = lower_values(l, unary_source(op));
    LLVMValueRef none = NULL;
    for (unsigned r = 0; r < tile->count; r++) {
        if (r == 0 || tile->at[r] != tile->at[r - 1]) {
            none = lower_and(l, none, LLVMBuildNot(l->b, tile->at[r], ""));
        }
    }
    lower_result(l, op, 0)->at[0] = LLVMBuildNot(l->b, lower_vendor(l)->vote_all(l, none), "");
}
