// Emits the tile IR of a file's kernels: one function each.
#include "frontend/kernel.h"
#include "frontend/semantics/language.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

// `handed`: "memory" or "none" for an array between steps of a chain, "factors" for one with factors of rows between two kernels of a chain;
// NULL: any other argument.
// `late`: an array that an earlier launch may write.
// `factors`: of an argument that is their product; else null.
static MlirAttribute argument_attributes(struct builder *b, unsigned divisor, const char *handed, bool late,
                                         MlirAttribute factors) {
    MlirNamedAttribute named[4];
    intptr_t count = 0;
    if (divisor > 1) {
        named[count++] = attr_i32(b, ATTR_DIVISIBLE_BY, (int32_t)divisor);
    }
    if (handed) {
        named[count++] = attr_string(b, ATTR_HANDED, handed);
    }
    if (late) {
        named[count++] = attr_unit(b, ATTR_LATE);
    }
    if (!mlirAttributeIsNull(factors)) {
        named[count++] = attr(b, ATTR_FACTORS, factors);
    }
    return mlirDictionaryAttrGet(b->ir->context, count, named);
}

static const char *handed_as(const struct kernel_instance *kernel, size_t param) {
    const struct kernel_merge *merge = kernel->merge;
    bool dropped = param >= kernel->param_count;
    bool factors =
        merge && (merge->kind == MERGE_FACTORS || merge->kind == MERGE_SCALED) && param == merge->factors;
    return dropped ? "none" : factors ? "factors" : merge && merge->handed[param] ? "memory" : NULL;
}

// The arguments and numbers that a parameter of merged steps is the product of, as ATTR_FACTORS has them; null: it is none.
static MlirAttribute factors_of(struct emitter *e, const struct kernel_merge *merge, size_t param,
                                size_t count) {
    const struct chain_value *value = &merge->values[param];
    int32_t *numbers = ARENA_ARRAY(e->arena, int32_t, value->factor_count + 1);
    if (value->kind != CHAIN_PRODUCT || param >= count) {
        return mlirAttributeGetNull();
    }
    for (size_t f = 0; f < value->factor_count; f++) {
        const struct chain_value *factor = &value->factors[f];
        size_t at = 0;
        if (factor->kind == CHAIN_NUMBER && factor->number.integer >= 0 &&
            factor->number.integer < INT32_MAX) {
            numbers[f] = (int32_t)(-1 - factor->number.integer);
            continue;
        }
        while (at < count &&
               (merge->values[at].kind != factor->kind || merge->values[at].index != factor->index)) {
            at++;
        }
        if (factor->kind != CHAIN_PARAMETER || at == count) {
            return mlirAttributeGetNull();
        }
        numbers[f] = (int32_t)at;
    }
    return mlirDenseI32ArrayGet(e->ir->context, (intptr_t)value->factor_count, numbers);
}

// Builds the function's op with an empty body; its block has one argument per run-time parameter, and of steps of a chain one for
// each array without memory.
static MlirBlock build_function(struct emitter *e, const struct kernel_instance *kernel) {
    size_t all = kernel->param_count + (kernel->merge ? kernel->merge->dropped_count : 0);
    MlirType *types = ARENA_ARRAY(e->arena, MlirType, all + 1);
    MlirLocation *locations = ARENA_ARRAY(e->arena, MlirLocation, all + 1);
    MlirAttribute *attributes = ARENA_ARRAY(e->arena, MlirAttribute, all + 1);
    intptr_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const struct kernel_param *param =
            i < kernel->param_count ? &kernel->params[i] : &kernel->merge->dropped[i - kernel->param_count];
        if (!param->is_constant) {
            bool late = kernel->order && i < kernel->param_count && kernel->order->late[count];
            types[count] = dtype_mlir(e->ir, param->dtype);
            locations[count] = ir_location(e->ir, param->location);
            MlirAttribute factors =
                kernel->merge ? factors_of(e, kernel->merge, i, kernel->param_count) : mlirAttributeGetNull();
            attributes[count++] =
                argument_attributes(&e->builder, param->divisible_by, handed_as(kernel, i), late, factors);
        }
    }
    MlirBlock body = mlirBlockCreate(count, types, locations);
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, body);
    struct builder *b = &e->builder;
    MlirType type = mlirFunctionTypeGet(e->ir->context, count, types, 0, NULL);
    MlirNamedAttribute named[] = {
        attr_string(b, ATTR_SYM_NAME, kernel->name),
        attr(b, ATTR_FUNCTION_TYPE, mlirTypeAttrGet(type)),
        attr(b, ATTR_ARG_ATTRS, mlirArrayAttrGet(e->ir->context, count, attributes)),
        attr_i32(b, ATTR_NUM_WARPS, kernel->num_warps),
        attr_i32(b, ATTR_NUM_STAGES, kernel->num_stages),
        attr_i32(b, ATTR_MAXNREG, kernel->max_registers)};
    intptr_t named_count = sizeof named / sizeof *named - (kernel->max_registers > 0 ? 0 : 1);
    MlirOperation function =
        build_op_regions(b, OP_FUNC, NO_OPERANDS, NO_RESULTS, (struct attrs){named_count, named}, 1, &region);
    if (kernel->merge) {
        MlirAttribute programs = mlirDenseI32ArrayGet(e->ir->context, 3, kernel->merge->programs);
        op_set_string(e->ir, function, ATTR_CHAIN, "merged");
        op_set_attribute(function, ATTR_PROGRAMS, programs);
        if (kernel->merge->pack_rows >= 0) {
            op_set_int(e->ir, function, ATTR_PACK_ROWS, kernel->merge->pack_rows);
        }
    }
    if (kernel->num_ctas > 1) {
        op_set_int(e->ir, function, ATTR_NUM_CTAS, kernel->num_ctas);
    }
    if (kernel->order && kernel->order->waits) {
        op_set_unit(e->ir, function, ATTR_WAITS);
    }
    if (kernel->order && kernel->order->triggers) {
        op_set_unit(e->ir, function, ATTR_TRIGGERS);
    }
    return body;
}

// Clusters affect speed, not results: here one block does the work of the cluster, and two may multiply together
// (passes/pipeline/pairs.c). Targets without clusters refuse num_ctas > 1, as in Triton, so that a configuration for another chip is noticed.
static bool check_clusters(struct emitter *e, const struct kernel_instance *kernel) {
    const struct target *target = e->target;
    bool none = target && !target_has(target, FEATURE(SM90));
    if (kernel->num_ctas > 1 && none) {
        emit_error(e, kernel->location,
                   "num_ctas is %d, but %s has no clusters of blocks: give --num-ctas 1, or a configuration "
                   "with num_ctas=1",
                   kernel->num_ctas, target->name);
        return false;
    }
    return true;
}

// A warp of 64 lanes has twice the threads of the source's assumption, so the block may exceed the limit.
static bool check_threads(struct emitter *e, const struct kernel_instance *kernel) {
    unsigned warps = (unsigned)kernel->num_warps;
    if (e->target && warps > target_most_warps(e->target)) {
        emit_error(e, kernel->location,
                   "num_warps is %u, %u threads, of which a block of %s has %d at most: use %u", warps,
                   warps * e->target->warp_size, e->target->name, TARGET_BLOCK_THREADS,
                   target_most_warps(e->target));
        return false;
    }
    return true;
}

// Binds a parameter. An element of a tuple is appended to the tuple of the source.
static void bind_parameter(struct emitter *e, struct scope *scope, const struct kernel_param *param,
                           struct value v) {
    if (!param->tuple) {
        scope_set(e, scope, param->name, v);
        return;
    }
    const struct binding *before = scope_find(scope, param->tuple);
    size_t count = before ? before->value.list.count : 0;
    struct value *items = ARENA_ARRAY(e->arena, struct value, count + 1);
    if (count) {
        memcpy(items, before->value.list.items, count * sizeof *items);
    }
    items[count] = v;
    scope_set(e, scope, param->tuple, value_tuple(e->arena, items, count + 1));
}

// The object of a named tuple or aggregate made by the host: no constructor of the class runs here.
static struct value make_object(struct emitter *e, struct function *class_, struct value parts,
                                struct location location) {
    if (!class_->aggregate) {
        return emit_call(e, value_function(class_), parts.list.items, parts.list.count, NULL, NULL, 0,
                         location);
    }
    struct scope *scope = scope_inside(e, NULL);
    for (size_t i = 0; i < parts.list.count; i++) {
        scope_set(e, scope, class_->fields->items[i].name, parts.list.items[i]);
    }
    return aggregate_from_fields(e, class_, scope, location);
}

// Replaces the tuples of parts by descriptors and objects.
static bool make_objects(struct emitter *e, struct scope *scope, const struct kernel_instance *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        struct binding *binding = param->descriptor || param->class_ ? scope_find(scope, param->tuple) : NULL;
        if (binding && binding->value.kind == VALUE_TUPLE) {
            binding->value =
                param->descriptor
                    ? kernel_make_descriptor(e, param->descriptor, binding->value, param->location)
                    : make_object(e, param->class_, binding->value, param->location);
            if (value_failed(binding->value)) {
                return false;
            }
        }
    }
    return true;
}

// The argument, or the number, that a step of a chain gets for its run-time parameter.
static struct value step_argument(struct emitter *e, const struct merge_place *place,
                                  const struct kernel_param *param, MlirBlock body) {
    if (place->is_number) {
        return param->equals_one ? value_int(1)
                                 : emit_constant_in(e, place->number, param->dtype, param->location);
    }
    MlirValue argument = mlirBlockGetArgument(body, (intptr_t)place->parameter);
    return param->equals_one ? value_int(1) : tensor_from(e, argument, param->dtype, 0, NULL);
}

// Binds the parameters to the arguments of the function; `step`: of a function with several steps.
static bool bind_parameters(struct emitter *e, struct scope *scope, const struct kernel_instance *kernel,
                            const struct merge_step *step, MlirBlock body) {
    size_t next = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        struct merge_place place = {.parameter = next};
        struct value v = param->value;
        if (!param->is_constant) {
            v = step_argument(e, step ? &step->places[next] : &place, param, body);
            next++;
        } else if (strcmp(param->name, "num_warps") == 0) { // the launch setting as an argument
            e->asked_warps = true;
        }
        if (value_failed(v)) {
            return false;
        }
        bind_parameter(e, scope, param, v);
    }
    return make_objects(e, scope, kernel);
}

bool kernel_emit_body(struct emitter *e, const struct kernel_instance *kernel, const struct merge_step *step,
                      MlirBlock arguments, MlirBlock at) {
    e->keeps_subnormals = kernel->keeps_subnormals;
    const struct function_def *def = kernel->callee->def;
    struct scope *scope = scope_inside(e, NULL);
    struct call_frame frame = {
        .function = kernel->callee, .file = kernel->callee->file, .scope = scope, .is_jit = true};
    e->builder = builder_at_end(e->ir, at, ir_location(e->ir, kernel->location));
    enter_frame(e, &frame);
    bool ok = bind_parameters(e, scope, kernel, step, arguments);
    for (size_t i = 0; ok && i < def->params.count; i++) {
        ok = def->params.items[i].kind != PARAMETER_KEYWORD_ONLY ||
             language_takes(e, LANGUAGE_KEYWORD_PARAMETERS, def->params.items[i].location);
    }
    if (def->fault) {
        emit_fault(e, def->fault);
        ok = false;
    } else if (ok) {
        enum flow flow = run_list(e, &def->body, 0);
        ok = flow == FLOW_NEXT || flow == FLOW_RETURN;
        if (flow == FLOW_RETURN && !value_is_none(frame.returned)) {
            emit_error(
                e, frame.returned_at.line ? frame.returned_at : kernel->location,
                "kernel %s returns a value, and a kernel returns nothing: write it to memory, by tl.store",
                kernel->name);
            ok = false;
        }
    }
    leave_frame(e); // errors about the next kernel have no call frame
    return ok;
}

// Marks the ids and accesses of a step whose grid is not the kernel's (passes row_factors, operand_steps, retiled_steps).
static void mark_merged(struct emitter *e, MlirBlock body, const struct map *before, int number) {
    size_t count;
    MlirOperation *ops = ops_collect(e->ir, e->arena, mlirBlockGetParentOperation(body), &count);
    for (size_t i = 0; i < count; i++) {
        switch (map_has(before, ops[i].ptr) ? OP_UNKNOWN : op_kind(e->ir, ops[i])) {
        case OP_PROGRAM_ID:
        case OP_NUM_PROGRAMS:
        case OP_LOAD:
        case OP_STORE:
            op_set_int(e->ir, ops[i], ATTR_STEP, number);
            break;
        default:
            break;
        }
    }
}

// The mark of a step's ids and accesses; 0: none.
static int mark_of(const struct kernel_merge *merge, size_t s) {
    if (merge->kind == MERGE_FACTORS && s + 1 == merge->count) {
        return STEP_MAKES_FACTORS;
    }
    if (!merge->steps[s].retiled) {
        return 0;
    }
    if (s > 0) {
        return (int)s;
    }
    return merge->kind == MERGE_OPERAND  ? STEP_OF_OPERAND
           : merge->kind == MERGE_SCALED ? STEP_OF_SCALED_ROWS
                                         : STEP_OF_ROWS;
}

static bool emit_merged(struct emitter *e, const struct kernel_merge *merge, size_t s, MlirBlock body) {
    struct map before = {0};
    size_t count = 0;
    MlirOperation *ops = ops_collect(e->ir, e->arena, mlirBlockGetParentOperation(body), &count);
    for (size_t i = 0; i < count; i++) {
        map_put(&before, ops[i].ptr, ops[i].ptr);
    }
    bool ok = kernel_emit_body(e, merge->steps[s].kernel, &merge->steps[s], body, body);
    if (mark_of(merge, s)) {
        mark_merged(e, body, &before, mark_of(merge, s));
    }
    map_free(&before);
    return ok;
}

static bool emit_steps(struct emitter *e, const struct kernel_instance *kernel, MlirBlock body) {
    const struct kernel_merge *merge = kernel->merge;
    bool ok = true;
    for (size_t s = 0; s < merge->count && merge->kind != MERGE_BESIDE; s++) {
        ok = emit_merged(e, merge, s, body) && ok;
    }
    return merge->kind == MERGE_BESIDE ? kernel_emit_beside(e, kernel, body) : ok;
}

static bool emit_kernel(struct emitter *e, const struct kernel_instance *kernel, MlirBlock module_body) {
    e->diag->budget.taken[BUDGET_OPS] = 0;
    e->builder = builder_at_end(e->ir, module_body, ir_location(e->ir, kernel->location));
    MlirBlock body = build_function(e, kernel);
    e->num_warps = kernel->num_warps;
    e->asked_warps = false;
    e->num_stages = kernel->num_stages;
    bool ok = kernel->merge ? emit_steps(e, kernel, body) : kernel_emit_body(e, kernel, NULL, body, body);
    e->builder = builder_at_end(e->ir, body, ir_location(e->ir, kernel->location));
    OP(&e->builder, OP_RETURN, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    if (ok) {
        emit_spread_hints(e, mlirBlockGetParentOperation(body));
    }
    if (e->asked_warps) {
        op_set_unit(e->ir, mlirBlockGetParentOperation(body), ATTR_FIXED_WARPS);
    }
    return ok;
}

MlirModule frontend_emit(struct frontend *frontend, struct ir *ir, const struct target *target) {
    struct emitter e = program_emitter(frontend->program);
    frontend->diag->budget.taken[BUDGET_STEPS] = 0; // one budget per target
    e.ir = ir;
    e.target = target;
    e.asserts = frontend->asserts;
    e.pads = frontend->pads;
    e.shows = frontend->shows;
    if (e.shows) {
        e.shows->count = 0;
    }
    program_forget(frontend->program);
    MlirModule module = mlirModuleCreateEmpty(ir_location(ir, frontend->kernels[0].location));
    bool ok = true;
    unsigned errors = frontend->diag->error_count;
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        ok = check_clusters(&e, &frontend->kernels[i]) && check_threads(&e, &frontend->kernels[i]) &&
             emit_kernel(&e, &frontend->kernels[i], mlirModuleGetBody(module)) && ok;
    }
    if (!ok) {
        mlirModuleDestroy(module);
        if (frontend->diag->error_count == errors) {
            bug("a kernel was not emitted, and no error says why");
        }
        return (MlirModule){NULL};
    }
    return module;
}
