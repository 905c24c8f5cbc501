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
// As build_op, for an op with regions; the op takes them over.
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
MlirValue build_binary(struct builder *b, enum op_kind kind, MlirValue x, MlirValue y); // result: x's type
MlirValue build_compare(struct builder *b, enum int_predicate predicate, MlirValue x, MlirValue y); // scalars
MlirValue build_select(struct builder *b, MlirValue condition, MlirValue yes, MlirValue no);

// ---- control flow (the caller fills the blocks and ends each with the given terminator) ----
// scf.for: the body block has (induction variable, iter args…); end it with scf.yield.
MlirOperation build_for(struct builder *b, MlirValue lower, MlirValue upper, MlirValue step,
                        struct operands inits, MlirBlock *body);
// Moves an scf.for into the taken branch of a new scf.if with condition lower < upper. Uses of the loop's
// results become uses of the scf.if's results; the other branch yields the loop's initial values. Returns the
// taken branch's scf.yield.
MlirOperation build_guard(struct ir *ir, struct arena *arena, MlirOperation loop);
// scf.if: makes both blocks; end each with scf.yield. Without results the else block may contain only its
// yield.
MlirOperation build_if(struct builder *b, MlirValue condition, struct results results, MlirBlock *then_block,
                       MlirBlock *else_block);
// Replaces an scf.for, scf.while or scf.if by one with additional results after the existing ones; uses and
// blocks are moved to it. A loop also gets additional carried values with initial values `inits`; for an scf.if
// `inits` only gives the types of the results. Each block must then yield the additional values
// (build_yield_more).
MlirOperation build_more(struct ir *ir, struct arena *arena, MlirOperation op, struct operands inits);
// Appends values to the block's scf.yield or scf.condition.
void build_yield_more(struct ir *ir, struct arena *arena, MlirBlock block, struct operands more);
// scf.while: `before` has the inits as arguments and ends in scf.condition(cond, args…); `after` has results
// as arguments, scf.yield.
MlirOperation build_while(struct builder *b, struct operands inits, struct results results, MlirBlock *before,
                          MlirBlock *after);
void build_yield(struct builder *b, struct operands values); // scf.yield
// Maps the arguments of a loop's body to their values in the first iteration: the induction variable to the
// lower bound, each carried value to its initial value.
void map_first_iteration(struct map *map, MlirOperation loop);

#endif
