// address_arrays: loads of an array of addresses are marked.
//
//   %a = tk.load %array                        %a = tk.load %array {addresses}
//   %p = tk.int_to_ptr %a : ptr<f16>     →     %p = tk.int_to_ptr %a : ptr<f16>
//   tk.store %p, %x                            tk.store %p, %x
//
// Kernels over several GPUs read their peers' addresses from an array in memory. A store through such an
// address might write any memory, the array itself too: all threads would have to read the array before one of
// them stores, and each address would have to be read again behind each store. An array of addresses is
// therefore taken to stay as it is while the kernel runs, and to be apart from the memory behind it.
// This holds for an argument without writes through it, of pointers to pointers, or of 64-bit
// integers if all become pointers to other elements than 64-bit integers.
//
// requires: nothing
// provides: `addresses` on these loads
// test:     tests/golden/passes/address_arrays
#include "passes/pass.h"

#include "ir/build.h"
#include "passes/facts/apart.h"

// True if every use of a loaded integer, or of a tile of them, makes it a pointer to elements other than 64-bit integers.
static bool become_pointers(struct ir *ir, MlirValue value, int depth) {
    enum { DEEPEST = 8 };
    if (depth == DEEPEST || !value_has_uses(value)) {
        return false;
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(ir, user);
        bool moves = kind == OP_SPLAT || kind == OP_BROADCAST || kind == OP_EXPAND_DIMS || kind == OP_HINT ||
                     kind == OP_RESHAPE || kind == OP_CONVERT_LAYOUT;
        if (kind == OP_INT_TO_PTR) {
            MlirType pointer = type_element(mlirValueGetType(mlirOperationGetResult(user, 0)));
            MlirType pointee = tk_ptr_pointee(ir, pointer);
            if (mlirTypeEqual(pointee, type_i64(ir))) {
                return false;
            }
        } else if (!moves || !become_pointers(ir, mlirOperationGetResult(user, 0), depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool reads_addresses(struct ir *ir, MlirOperation load, const struct map *written) {
    MlirValue argument = pointer_argument(ir, load_pointer(load)), result = mlirOperationGetResult(load, 0);
    MlirType element = type_element(mlirValueGetType(result));
    bool addresses =
        type_is_ptr(element) || (mlirTypeEqual(element, type_i64(ir)) && become_pointers(ir, result, 0));
    return addresses && !load_is_volatile(load) && !mlirValueIsNull(argument) &&
           !map_has(written, argument.ptr);
}

// True for a loaded pointer, perhaps with offsets: not of an argument, and not chosen among several.
static bool comes_from_memory(struct ir *ir, MlirValue pointer) {
    for (MlirOperation op = value_op(pointer); !mlirOperationIsNull(op); op = value_op(pointer)) {
        switch (op_kind(ir, op)) {
        case OP_ADDPTR:
        case OP_SPLAT:
        case OP_BROADCAST:
        case OP_EXPAND_DIMS:
        case OP_RESHAPE:
        case OP_PTR_CAST:
        case OP_HINT:
            pointer = leading_operand(op);
            break;
        default:
            return op_kind(ir, op) == OP_INT_TO_PTR || op_kind(ir, op) == OP_LOAD;
        }
    }
    return false;
}

static void mark(struct pass_context *context, MlirOperation function) {
    struct ir *ir = context->ir;
    struct map written = {0}; // arguments
    bool unknown = false;
    size_t count;
    MlirOperation *ops = ops_collect(ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(ir, ops[i]);
        if (kind != OP_STORE && !op_is_atomic(kind)) {
            continue;
        }
        MlirValue argument = pointer_argument(ir, access_pointer(ops[i]));
        if (!mlirValueIsNull(argument)) {
            map_put(&written, argument.ptr, (void *)argument.ptr);
        } else if (!comes_from_memory(ir, access_pointer(ops[i]))) {
            unknown = true; // it may be an array of addresses
        }
    }
    for (size_t i = 0; i < count && !unknown; i++) {
        if (op_kind(ir, ops[i]) == OP_LOAD && reads_addresses(ir, ops[i], &written)) {
            op_set_unit(ir, ops[i], ATTR_ADDRESSES);
        }
    }
    map_free(&written);
}

void pass_address_arrays(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        mark(context, op);
    }
}
