// Building the ops of the tables.
//
//   struct builder b = builder_at_end(ir, block, loc);
//   MlirValue acc = VALUE(&b, OP_DOT_WAIT, OPERANDS(acc), RESULTS(type), ATTRS(attr_i32(&b, ATTR_PENDING, 1)));
//   MlirOperation st = OP(&b, OP_STORE, OPERANDS(p, v), NO_RESULTS, NO_ATTRS);
#ifndef TKC_DIALECTS_TK_TK_BUILD_H
#define TKC_DIALECTS_TK_TK_BUILD_H

#include "dialects/tk/ops.h"
#include "ir/build.h"

MlirOperation build_op(struct builder *b, enum op_kind kind, struct operands operands, struct results results,
                       struct attrs attrs);
// With regions, which become the op's own.
MlirOperation build_op_regions(struct builder *b, enum op_kind kind, struct operands operands,
                               struct results results, struct attrs attrs, intptr_t region_count,
                               MlirRegion *regions);
#define OP(b, kind, operands, results, attrs) build_op((b), (kind), (operands), (results), (attrs))
#define VALUE(b, kind, operands, results, attrs)                                                             \
    mlirOperationGetResult(build_op((b), (kind), (operands), (results), (attrs)), 0)

// ---- constants ----
// arith.constant; a tensor type makes a splat of the value.
MlirValue const_int(struct builder *b, MlirType type, int64_t value);
MlirValue const_i32(struct builder *b, int64_t value);
MlirValue const_float(struct builder *b, MlirType type, double value);

// ---- arithmetic, of scalars or tiles of one type ----
// The predicates of arith.cmpi and arith.cmpf, by MLIR's numbers.
enum int_predicate { INT_EQ, INT_NE, INT_SLT, INT_SLE, INT_SGT, INT_SGE, INT_ULT, INT_ULE, INT_UGT, INT_UGE };
enum float_predicate {
    FLOAT_FALSE,
    FLOAT_OEQ,
    FLOAT_OGT,
    FLOAT_OGE,
    FLOAT_OLT,
    FLOAT_OLE,
    FLOAT_ONE,
    FLOAT_ORD,
    FLOAT_UEQ,
    FLOAT_UGT,
    FLOAT_UGE,
    FLOAT_ULT,
    FLOAT_ULE,
    FLOAT_UNE,
    FLOAT_UNO,
    FLOAT_TRUE
};
MlirValue build_binary(struct builder *b, enum op_kind kind, MlirValue x, MlirValue y); // gives x's type
MlirValue build_compare(struct builder *b, enum int_predicate predicate, MlirValue x, MlirValue y); // scalars
MlirValue build_select(struct builder *b, MlirValue condition, MlirValue yes, MlirValue no);

// ---- control flow (bodies are built by the caller; each block ends in the terminator named) ----
// scf.for: the body block has (induction variable, iter args…); end it with scf.yield.
MlirOperation build_for(struct builder *b, MlirValue lower, MlirValue upper, MlirValue step,
                        struct operands inits, MlirBlock *body);
// Puts a loop, an scf.for, into the branch of an scf.if that is taken if the loop runs at all. What read its results
// reads those of the scf.if, which gives the loop's initial values otherwise. Returns the branch's scf.yield.
MlirOperation build_guard(struct ir *ir, struct arena *arena, MlirOperation loop);
// scf.if: both blocks are made; end each with scf.yield. Without results the else block may stay empty but
// for its yield.
MlirOperation build_if(struct builder *b, MlirValue condition, struct results results, MlirBlock *then_block,
                       MlirBlock *else_block);
// The op, an scf.for or scf.if, with more results behind those that it has; what read the old one reads it, and its blocks are the
// same. A loop begins with `inits` for what it carries then; an scf.if has none of them, but their types. Each block has to yield
// more (build_yield_more).
MlirOperation build_more(struct ir *ir, struct arena *arena, MlirOperation op, struct operands inits);
// The values behind those that the block's scf.yield has.
void build_yield_more(struct ir *ir, struct arena *arena, MlirBlock block, struct operands more);
// scf.while: `before` has the inits as arguments and ends in scf.condition(cond, args…); `after` has results
// as arguments, scf.yield.
MlirOperation build_while(struct builder *b, struct operands inits, struct results results, MlirBlock *before,
                          MlirBlock *after);
void build_yield(struct builder *b, struct operands values); // scf.yield
// What a loop's body reads in its first iteration: the induction variable is the lower bound, what is carried its initial value.
void map_first_iteration(struct map *map, MlirOperation loop);

#endif
