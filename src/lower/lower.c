// Lowering: one walk over the final tile IR builds the per-thread LLVM module.
//
// A kernel's function gets an entry block for values computed once (thread index, the thread parts of
// layouts) and a body. The op tables name the lowering function of each op; families of them are in
// lower_*.c.
#include "lower/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "lower/lower_internal.h"

void lower_nothing(struct lowering *l, MlirOperation op) {
    (void)l;
    (void)op;
}

void lower_unsupported(struct lowering *l, MlirOperation op) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    lower_error(l, "%.*s is not supported on %s", (int)name.length, name.data, l->target->name);
}

static lower_function *const table[OP_KIND_COUNT] = {
    [OP_UNKNOWN] = lower_unsupported,
#define TK_OP(id, mnemonic, operands, min_out, max_out, traits, attributes, lowered, doc) [OP_##id] = lowered,
#include "dialects/tk/tk_ops.def"
#undef TK_OP
#define UPSTREAM_OP(id, name, operands, traits, attributes, lowered) [OP_##id] = lowered,
#include "dialects/tk/upstream_ops.def"
#undef UPSTREAM_OP
};

void lower_op(struct lowering *l, MlirOperation op) {
    MlirOperation outer = l->op;
    l->op = op;
    lower_debug_location(l, op);
    lower_function *function = table[op_kind(l->ir, op)];
    unsigned errors = l->diag->error_count;
    if (!l->diag->budget.exceeded) {
        function(l, op);
    }
    // After an error the walk goes on to find others, with poison for missing results.
    bool failed = l->diag->error_count > errors || l->diag->budget.exceeded;
    for (intptr_t i = 0; failed && i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        struct values *values = map_get(&l->values, result.ptr);
        values = values ? values : lower_define(l, result);
        for (unsigned r = 0; r < values->count; r++) {
            values->at[r] =
                values->at[r] ? values->at[r] : LLVMGetPoison(lower_type(l, lower_element(result)));
        }
    }
    l->op = outer;
    if (!mlirOperationIsNull(outer)) {
        lower_debug_location(l, outer);
    }
}

MlirOperation lower_block(struct lowering *l, MlirBlock block) {
    MlirOperation op = mlirBlockGetFirstOperation(block);
    for (;;) {
        MlirOperation next = mlirOperationGetNextInBlock(op);
        if (mlirOperationIsNull(next)) {
            return op;
        }
        lower_op(l, op);
        op = next;
    }
}

static const struct lower_vendor *const vendors[] = {
    [VENDOR_NVIDIA] = &lower_nvptx, [VENDOR_AMD] = &lower_amdgpu};

// ---- kernels ----

// Parameters as the launcher passes them: pointers in the global space, i1 as a byte.
static LLVMTypeRef parameter_type(struct lowering *l, MlirType type) {
    if (type_is_tensor_map(type)) {
        return LLVMPointerTypeInContext(l->context, 0); // to a copy of the argument's bytes
    }
    LLVMTypeRef lowered = lower_type(l, type);
    return lowered == l->i1 ? l->i8 : lowered;
}

static int64_t argument_divisibility(MlirOperation kernel, intptr_t index) {
    MlirAttribute found = argument_attribute(kernel, index, ATTR_DIVISIBLE_BY);
    return mlirAttributeIsNull(found) ? 0 : mlirIntegerAttrGetValueInt(found);
}

static void parameter_attribute(struct lowering *l, unsigned index, const char *name, uint64_t value) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(l->function, index + 1, LLVMCreateEnumAttribute(l->context, kind, value));
}

static void lower_parameters(struct lowering *l, MlirBlock body) {
    unsigned *maps = ARENA_ARRAY(l->arena, unsigned, mlirBlockGetNumArguments(body) + 1), map_count = 0;
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirValue argument = mlirBlockGetArgument(body, i);
        MlirType type = mlirValueGetType(argument);
        LLVMValueRef parameter = LLVMGetParam(l->function, (unsigned)i);
        struct values *values = lower_define(l, argument);
        values->at[0] = parameter;
        if (type_is_tensor_map(type)) {
            maps[map_count++] = (unsigned)i;
            continue;
        }
        if (lower_type(l, type) == l->i1) {
            values->at[0] = LLVMBuildICmp(l->entry, LLVMIntNE, parameter, LLVMConstInt(l->i8, 0, 0), "");
        }
        int64_t divisibility = argument_divisibility(l->kernel, i);
        if (type_is_ptr(type) && divisibility > 1) {
            uint64_t alignment = 1;
            while (divisibility % (int64_t)(alignment * 2) == 0 && alignment < 128) {
                alignment *= 2;
            }
            parameter_attribute(l, (unsigned)i, "align", alignment);
        }
    }
    if (map_count > 0) {
        lower_vendor(l)->tensor_maps(l, maps, map_count);
    }
}

static void lower_kernel(struct lowering *l, MlirOperation kernel) {
    MlirAttribute name_attribute = op_attribute(kernel, ATTR_SYM_NAME);
    MlirStringRef name_ref = mlirStringAttrGetValue(name_attribute);
    const char *name = arena_strndup(l->arena, name_ref.data, name_ref.length);
    MlirBlock body = op_body(kernel, 0);
    unsigned count = (unsigned)mlirBlockGetNumArguments(body);
    LLVMTypeRef *parameters = ARENA_ARRAY(l->arena, LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++) {
        parameters[i] = parameter_type(l, mlirValueGetType(mlirBlockGetArgument(body, i)));
    }
    l->diag->budget.taken[BUDGET_VALUES] = 0;
    l->kernel = kernel;
    l->num_warps = (unsigned)op_int(kernel, ATTR_NUM_WARPS);
    l->shared_bytes = (unsigned)op_int(kernel, ATTR_SHARED_BYTES);
    l->lane_bits = (unsigned)__builtin_ctz(l->target->warp_size);
    l->warp_bits = (unsigned)__builtin_ctz(l->num_warps);
    l->function = LLVMAddFunction(l->module, name, LLVMFunctionType(l->void_type, parameters, count, 0));
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(l->function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(l->context, nounwind, 0));
    l->shared = NULL;
    memset(l->policies, 0, sizeof l->policies);
    l->linear = NULL;
    l->part_filled = l->part_free = l->part_turn = NULL;
    l->reads_grid_size = false;
    l->specialised = false;
    l->slice = NULL;
    l->op = (MlirOperation){NULL};
    lower_vendor(l)->kernel(l);

    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(l->context, l->function, "entry");
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMPositionBuilderAtEnd(l->entry, entry);
    LLVMPositionBuilderAtEnd(l->b, start);
    lower_debug_kernel(l, name);
    lower_thread_setup(l);
    lower_parameters(l, body);
    MlirOperation terminator = lower_block(l, body);
    lower_debug_location(l, terminator);
    LLVMBuildRetVoid(l->b);
    LLVMBuildBr(l->entry, start);
    lower_vendor(l)->finish(l);
    map_clear(&l->values);
}

static void set_types(struct lowering *l) {
    l->i1 = LLVMInt1TypeInContext(l->context);
    l->i8 = LLVMInt8TypeInContext(l->context);
    l->i16 = LLVMInt16TypeInContext(l->context);
    l->i32 = LLVMInt32TypeInContext(l->context);
    l->i64 = LLVMInt64TypeInContext(l->context);
    l->f16 = LLVMHalfTypeInContext(l->context);
    l->bf16 = LLVMBFloatTypeInContext(l->context);
    l->f32 = LLVMFloatTypeInContext(l->context);
    l->f64 = LLVMDoubleTypeInContext(l->context);
    l->void_type = LLVMVoidTypeInContext(l->context);
    l->global_ptr = LLVMPointerTypeInContext(l->context, SPACE_GLOBAL);
    l->shared_ptr = LLVMPointerTypeInContext(l->context, SPACE_SHARED);
}

// In every build: LLVM makes wrong code from a broken module, and the check is a hundredth of the work.
static void check_module(struct lowering *l) {
    char *message = NULL;
    if (LLVMVerifyModule(l->module, LLVMReturnStatusAction, &message)) {
        bug("the lowered module is broken: %s", message);
    }
    LLVMDisposeMessage(message);
}

LLVMModuleRef lower_module(struct ir *ir, MlirModule module, const struct target *target,
                           LLVMContextRef context, const struct lower_options *options) {
    struct lowering l = {.ir = ir,
                         .target = target,
                         .vendor = vendors[target->vendor],
                         .diag = ir->diag,
                         .context = context,
                         .arena = arena_create(),
                         .options = options};
    unsigned errors = l.diag->error_count;
    l.module = LLVMModuleCreateWithNameInContext("tkc", context);
    LLVMSetTarget(l.module, target->triple);
    LLVMSetDataLayout(l.module, target->data_layout);
    l.b = LLVMCreateBuilderInContext(context);
    l.entry = LLVMCreateBuilderInContext(context);
    set_types(&l);
    lower_vendor(&l)->module(&l);
    lower_debug_begin(&l, options->debug);
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_FUNC) {
            lower_kernel(&l, op);
        }
    }
    lower_debug_finish(&l);
    LLVMDisposeBuilder(l.b);
    LLVMDisposeBuilder(l.entry);
    map_free(&l.values);
    if (l.diag->error_count > errors) {
        LLVMDisposeModule(l.module);
        l.module = NULL;
    } else {
        check_module(&l);
    }
    arena_destroy(l.arena);
    return l.module;
}
