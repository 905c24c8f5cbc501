// Loads of few elements that are spread over rows or columns of a larger tile.
//
//   b = tl.load(bias + n)                         64 elements, 128 threads
//   y = x + b[None, :]                            each thread reads those of its own columns
//
// Loaded an element a thread and handed over, they cost a buffer and two barriers. The threads of a warp that need one element
// read it at once, and all but the first of its warps find it in the cache. So such a load floats: it is done again in the
// layout that it is needed in.
#include "passes/layouts.h"

#include "ir/build.h"

enum { DEEPEST = 16 };

// Whether all that is computed of the value is spread, and how often it is.
static bool only_spreads(struct layouts *l, MlirValue value, int depth, unsigned *count) {
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(l->ir, user);
        if (kind == OP_EXPAND_DIMS || kind == OP_BROADCAST) {
            ++*count;
        } else if (!(op_traits(kind) & ELEMENTWISE) || !(op_traits(kind) & PURE) || depth == DEEPEST ||
                   mlirOperationGetNumResults(user) != 1 ||
                   !only_spreads(l, mlirOperationGetResult(user, 0), depth + 1, count)) {
            return false;
        }
    }
    return true;
}

void layouts_find_spread(struct layouts *l) {
    int64_t threads = (int64_t)l->num_warps * l->context->target->warp_size;
    for (size_t i = 0; i < l->op_count && l->context->target->vendor == VENDOR_NVIDIA; i++) {
        MlirOperation op = l->ops[i];
        if (op_kind(l->ir, op) != OP_LOAD || load_is_volatile(op)) {
            continue;
        }
        MlirValue tile = mlirOperationGetResult(op, 0);
        MlirType type = mlirValueGetType(tile);
        bool line = type_is_tensor(type) && type_rank(type) == 1;
        unsigned count = 0;
        if (line && type_elements(type) < threads && only_spreads(l, tile, 0, &count) && count > 0) {
            map_put(&l->spread, op.ptr, (void *)op.ptr);
        }
    }
}
