// The MLIR context of one compilation for one target, with side tables for facts without an accessor in
// MLIR's C API.
#include "ir/context.h"

#include <string.h>

#include <mlir-c/Diagnostics.h>
#include <mlir-c/Dialect/Arith.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/Math.h>
#include <mlir-c/Dialect/SCF.h>

#include "support/strbuf.h"

static void append_text(MlirStringRef text, void *buffer) {
    strbuf_add_bytes(buffer, text.data, text.length);
}

// MLIR's own messages (a verifier's, a parser's) go through the one printer, at the op's place in the source.
static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *user) {
    struct ir *ir = user;
    struct strbuf text = {0};
    mlirDiagnosticPrint(diagnostic, append_text, &text);
    const struct ir_place *place = ir_place(ir, mlirDiagnosticGetLocation(diagnostic));
    struct location at = place ? place->position : (struct location){0};
    switch (mlirDiagnosticGetSeverity(diagnostic)) {
    case MlirDiagnosticError:
        if (!place) {
            mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), append_text, &text);
        }
        diag_error(ir->diag, at, "%s", strbuf_text(&text));
        break;
    case MlirDiagnosticWarning:
        diag_warning(ir->diag, WARNING_MLIR, at, "%s", strbuf_text(&text));
        break;
    default:
        break;
    }
    strbuf_free(&text);
    return mlirLogicalResultSuccess();
}

struct ir *ir_create(struct diag *diag) {
    struct arena *arena = arena_create();
    struct ir *ir = ARENA_NEW(arena, struct ir);
    ir->arena = arena;
    ir->diag = diag;
    ir->context = mlirContextCreateWithThreading(false);
    mlirContextSetAllowUnregisteredDialects(ir->context, true);
    MlirDialectHandle handles[] = {mlirGetDialectHandle__arith__(), mlirGetDialectHandle__math__(),
                                   mlirGetDialectHandle__scf__(), mlirGetDialectHandle__func__()};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        mlirDialectHandleLoadDialect(handles[i], ir->context);
    }
    mlirContextAttachDiagnosticHandler(ir->context, on_diagnostic, ir, NULL);
    return ir;
}

size_t ir_size(const struct ir *ir) {
    enum { LOCATION_BYTES = 256, OP_BYTES = 512 };
    return ir->places.count * LOCATION_BYTES + ir->diag->budget.taken[BUDGET_OPS] * OP_BYTES;
}

void ir_destroy(struct ir *ir) {
    mlirContextDestroy(ir->context);
    map_free(&ir->attribute_names);
    map_free(&ir->op_kinds);
    map_free(&ir->op_costs);
    map_free(&ir->layouts);
    map_free(&ir->pointees);
    map_free(&ir->places);
    map_free(&ir->sound);
    arena_destroy(ir->arena);
}

MlirLocation ir_location(struct ir *ir, struct location location) {
    if (!location.source) {
        return mlirLocationUnknownGet(ir->context);
    }
    MlirLocation made = mlirLocationFileLineColGet(
        ir->context, mlirStringRefCreateFromCString(location.source->path), location.line, location.column);
    if (!map_has(&ir->places, made.ptr)) {
        struct ir_place *place = ARENA_NEW(ir->arena, struct ir_place);
        place->position = location;
        map_put(&ir->places, made.ptr, place);
    }
    return made;
}

MlirLocation ir_call_location(struct ir *ir, MlirLocation callee, MlirLocation caller, const char *function,
                              unsigned function_line) {
    const struct ir_place *inner = ir_place(ir, callee), *outer = ir_place(ir, caller);
    if (!inner || !outer) {
        return inner ? callee : caller;
    }
    MlirLocation made = mlirLocationCallSiteGet(callee, caller);
    if (!map_has(&ir->places, made.ptr)) {
        struct ir_place *place = ARENA_NEW(ir->arena, struct ir_place);
        *place = *inner;
        place->caller = outer;
        place->function = function;
        place->function_line = function_line;
        map_put(&ir->places, made.ptr, place);
    }
    return made;
}

const struct ir_place *ir_place(struct ir *ir, MlirLocation location) {
    return map_get(&ir->places, location.ptr);
}

struct location ir_op_location(struct ir *ir, MlirOperation op) {
    const struct ir_place *place = ir_place(ir, mlirOperationGetLocation(op));
    return place ? place->position : (struct location){0};
}

struct location ir_user_location(struct ir *ir, MlirOperation op) {
    const struct ir_place *place = ir_place(ir, mlirOperationGetLocation(op));
    while (place && place->caller && place->position.source && place->position.source->is_library) {
        place = place->caller;
    }
    return place ? place->position : (struct location){0};
}
