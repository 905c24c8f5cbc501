// Appending an argument to a kernel: the block's argument, the function's type, and the argument's attributes.
#include "passes/facts/hidden_argument.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static void extend_type(struct ir *ir, struct arena *arena, MlirOperation function) {
    MlirBlock body = op_body(function, 0);
    intptr_t count = mlirBlockGetNumArguments(body);
    MlirType *inputs = ARENA_ARRAY(arena, MlirType, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        inputs[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
    }
    MlirType type = mlirFunctionTypeGet(ir->context, count, inputs, 0, NULL);
    op_set_attribute(function, ATTR_FUNCTION_TYPE, mlirTypeAttrGet(type));
}

static void extend_attributes(struct ir *ir, struct arena *arena, MlirOperation function, MlirAttribute own) {
    intptr_t count = mlirBlockGetNumArguments(op_body(function, 0));
    MlirAttribute known = op_attribute(function, ATTR_ARG_ATTRS);
    MlirAttribute *all = ARENA_ARRAY(arena, MlirAttribute, count + 1);
    for (intptr_t i = 0; i + 1 < count; i++) {
        bool has = !mlirAttributeIsNull(known) && i < mlirArrayAttrGetNumElements(known);
        all[i] = has ? mlirArrayAttrGetElement(known, i) : mlirDictionaryAttrGet(ir->context, 0, NULL);
    }
    all[count - 1] = own;
    op_set_attribute(function, ATTR_ARG_ATTRS, mlirArrayAttrGet(ir->context, count, all));
}

MlirValue appended_argument(struct ir *ir, struct arena *arena, MlirOperation function, MlirType type,
                            MlirAttribute attributes) {
    MlirValue argument = mlirBlockAddArgument(op_body(function, 0), type, mlirOperationGetLocation(function));
    extend_type(ir, arena, function);
    extend_attributes(ir, arena, function, attributes);
    return argument;
}

MlirValue hidden_argument(struct ir *ir, struct arena *arena, MlirOperation function,
                          enum hidden_parameter hidden, MlirType type, MlirAttribute map) {
    struct builder b = builder_before(ir, function);
    MlirNamedAttribute entries[2] = {attr_hidden_parameter(&b, hidden)};
    intptr_t count = 1;
    if (!mlirAttributeIsNull(map)) {
        entries[count++] = attr(&b, ATTR_TENSOR_MAP, map);
    }
    return appended_argument(ir, arena, function, type, mlirDictionaryAttrGet(ir->context, count, entries));
}
