// Branches of warps ahead of the products started in their step.
#ifndef TKC_PASSES_BRANCH_FIRST_H
#define TKC_PASSES_BRANCH_FIRST_H

#include "passes/pass.h"

// Moves the scf.if, with its operands' ops, ahead of the first product of warpgroups that may start behind it. The code behind
// the branch is then in one block with the product, and its parts are issued between other instructions. Leaves the branch if
// an op on the way is not pure.
void branch_first(struct pass_context *context, MlirOperation branch);

#endif
