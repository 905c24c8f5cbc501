// Loop-carried values: the names bound before the loop that its body may bind again. They become arguments of
// the body's block, which is emitted by itself; arguments passed on unchanged are removed before the op is
// built. If the body turns a constant into a tensor, the constant becomes a tensor before the loop and the
// body is emitted again.
#include "frontend/eval/loop.h"

#include <string.h>

static bool is_listed(const struct name_list *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

bool may_carry(struct value v) {
    return value_flatten(v, NULL) > 0;
}

// Collects the carried names and their initial values. Numbers in `promoted` are carried as tensors.
void find_carries(struct emitter *e, struct loop *loop, const struct name_list *assigned,
                  const struct name_list *promoted) {
    struct scope *scope = e->frame->scope;
    loop->carries = ARENA_ARRAY(e->arena, struct carry, assigned->count + 1);
    loop->count = loop->flat = 0;
    for (size_t i = 0; i < assigned->count; i++) {
        struct binding *binding = scope_find(scope, assigned->items[i]);
        if (!binding) {
            continue;
        }
        if (is_listed(promoted, binding->name)) {
            binding->value = decay(e, binding->value, loop->stmt->location);
        }
        if (may_carry(binding->value)) {
            size_t parts = value_flatten(binding->value, NULL);
            loop->carries[loop->count++] =
                (struct carry){binding->name, binding->value, binding->value, loop->flat, parts, false};
            loop->flat += parts;
        }
    }
    loop->inits = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    loop->yields = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    loop->types = ARENA_ARRAY(e->arena, MlirType, loop->flat + 2);
    loop->locations = ARENA_ARRAY(e->arena, MlirLocation, loop->flat + 2);
    for (size_t i = 0; i < loop->count; i++) {
        value_flatten(loop->carries[i].before, loop->inits + loop->carries[i].first);
    }
    for (size_t i = 0; i < loop->flat + 1; i++) {
        loop->locations[i] = e->builder.location;
        if (i < loop->flat) {
            loop->types[i] = mlirValueGetType(loop->inits[i]);
        }
    }
    loop->before = scope_copy(e, scope);
    loop->reads = ARENA_ARRAY(e->arena, struct first_read, scope->count + 1);
    for (size_t i = 0; i < scope->count; i++) {
        loop->reads[i] = (struct first_read){.outer = scope->items[i].first_read};
        scope->items[i].first_read = &loop->reads[i];
    }
}

void carry_target(struct emitter *e, const struct stmt *stmt, const struct bounds *bounds,
                  struct name_list *assigned) {
    const struct expr *target = stmt->for_loop.target;
    struct value index = tensor_like(e, bounds->lower.tensor.value, bounds->type, bounds->lower);
    struct binding *earlier = target->kind == EXPR_NAME ? scope_find(e->frame->scope, target->name.id) : NULL;
    if (earlier && (value_is_number(earlier->value) || value_same_type(earlier->value, index))) {
        name_list_add(e, assigned, target->name.id);
    }
}

// Binds the carried names to the arguments of a block, from `first` on.
void bind_carries(struct emitter *e, struct loop *loop, MlirBlock block, intptr_t first) {
    MlirValue *arguments = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    for (size_t i = 0; i < loop->flat; i++) {
        arguments[i] = mlirBlockGetArgument(block, first + (intptr_t)i);
    }
    for (size_t i = 0; i < loop->count; i++) {
        struct carry *carry = &loop->carries[i];
        size_t used = 0;
        carry->inside = value_unflatten(e, carry->before, arguments + carry->first, &used);
        scope_set(e, e->frame->scope, carry->name, carry->inside);
    }
}

// Elements outside the loop's mask keep the values they had at the start of the body.
static enum flow keep_others(struct emitter *e, struct loop *loop) {
    for (size_t i = 0; i < loop->count; i++) {
        struct binding *binding = scope_find(e->frame->scope, loop->carries[i].name);
        struct value after = binding->value;
        if (!value_failed(after) && after.kind != VALUE_HOST) {
            binding->value =
                choose_lanewise(e, loop->lanes, after, loop->carries[i].inside, loop->stmt->location);
        }
        if (value_failed(binding->value)) {
            return FLOW_FAIL;
        }
    }
    return FLOW_NEXT;
}

enum flow run_body(struct emitter *e, struct loop *loop, MlirBlock block) {
    struct call_frame *frame = e->frame;
    struct builder saved = e->builder;
    struct continuation *rest = frame->rest;
    unsigned static_loops = frame->static_loops;
    const struct stmt *jump_loop = frame->jump_loop;
    e->builder = builder_at_end(e->ir, block, saved.location);
    frame->regions++;
    frame->static_loops = 0;
    frame->jump_loop = loop->jumps ? loop->stmt : NULL;
    frame->rest = NULL;
    const struct lanes *lanes = e->lanes, own = {loop->lanes, true, NULL};
    bool lanewise = is_lanewise(e, loop->lanes);
    e->lanes = lanewise ? &own : lanes;
    enum flow flow = run_list(e, loop->body, 0);
    flow = loop->jumps || flow == FLOW_DONE ? finish_path(e, flow) : flow;
    flow = flow == FLOW_NEXT && lanewise ? keep_others(e, loop) : flow;
    e->lanes = lanes;
    if (flow == FLOW_NEXT && loop->bounds) {
        next_index(e, loop->stmt);
    }
    frame->rest = rest;
    frame->jump_loop = jump_loop;
    frame->static_loops = static_loops;
    frame->regions--;
    e->builder = saved;
    return flow;
}

static const char *described(struct emitter *e, struct value v) {
    return v.kind == VALUE_HOST   ? arena_printf(e->arena, "without a value (%s)", v.host)
           : value_is_constant(v) ? value_text(e->arena, v)
                                  : value_type_name(e->arena, v);
}

// Settles a name that the body changes but the loop does not carry: it is carried in the next attempt, or
// becomes unusable after the loop.
static bool finish_other(struct emitter *e, struct loop *loop, size_t i, struct value after,
                         struct name_list *assigned, struct name_list *promoted) {
    struct location at = loop->stmt->location;
    struct binding *before = &loop->before.items[i];
    bool becomes = value_is_number(before->value) && after.kind == VALUE_TENSOR;
    bool unseen = may_carry(before->value) && value_same_type(before->value, after);
    if ((becomes || unseen) && e->frame->is_jit && promoted->count < promoted->capacity) {
        name_list_add(e, assigned, before->name);
        promoted->items[promoted->count++] = before->name;
        return true;
    }
    if (loop->reads[i].seen) {
        emit_error(
            e, at,
            "the loop's body reads %s, which is %s before it and at its end %s; a loop carries tensors only",
            before->name, described(e, before->value), described(e, after));
        return false;
    }
    before->value =
        value_host(arena_printf(e->arena, "it was %s before the loop on line %u, which changes it",
                                value_type_name(e->arena, before->value), at.line));
    return true;
}

bool same_extents(struct value x, struct value y) {
    return x.tensor.rank == y.tensor.rank &&
           !memcmp(x.tensor.shape, y.tensor.shape, sizeof(int64_t) * (size_t)x.tensor.rank);
}

// The start of a carried value that is like the body's.
static const char *start_like(struct emitter *e, const char *name, struct assignment start,
                              struct value before, struct value after) {
    bool tensors = before.kind == VALUE_TENSOR && after.kind == VALUE_TENSOR;
    bool cut = tensors && start.value && start.value->kind == EXPR_FLOAT &&
               dtype_is_integer(after.tensor.dtype); // 0.5 is no integer
    if (!tensors || cut || !start.value || dtype_is_pointer(after.tensor.dtype) ||
        dtype_is_pointer(before.tensor.dtype) || (before.tensor.rank && !same_extents(before, after))) {
        return value_type_name(e->arena, after);
    }
    const char *type = dtype_table[after.tensor.dtype.scalar].name;
    const char *text = emit_text_of(e, start.value->location, "…");
    bool decimal = !text[strspn(text, "0123456789_")];
    bool to_float = start.value->kind == EXPR_INT && decimal && after.tensor.dtype.scalar == SCALAR_FLOAT32;
    if (before.tensor.rank == 0 && after.tensor.rank) {
        return arena_printf(e->arena, "%s = tl.full(%s, %s, tl.%s) on line %u", name,
                            shape_text(e, after.tensor.rank, after.tensor.shape), text, type,
                            start.target->location.line);
    }
    if (to_float) {
        return arena_printf(e->arena, "%s = %s.0 on line %u", name, text, start.target->location.line);
    }
    bool number = start.value->kind == EXPR_INT || start.value->kind == EXPR_FLOAT;
    return number ? arena_printf(e->arena, "%s = tl.full([], %s, tl.%s) on line %u", name, text, type,
                                 start.target->location.line)
                  : arena_printf(e->arena, "%s = %s.to(tl.%s) on line %u", name,
                                 emit_operand_text(e, start.value->location, "(…)"), type,
                                 start.target->location.line);
}

// What else to do: a cast at the assignment in the body.
static const char *cast_inside(struct emitter *e, struct assignment inside, struct value before,
                               struct value after) {
    bool fits = before.kind == VALUE_TENSOR && after.kind == VALUE_TENSOR && inside.target &&
                !dtype_is_pointer(before.tensor.dtype) && !dtype_is_pointer(after.tensor.dtype) &&
                same_extents(before, after);
    return fits ? arena_printf(e->arena, ", or cast on line %u by .to(tl.%s)", inside.target->location.line,
                               dtype_table[before.tensor.dtype.scalar].name)
                : "";
}

static void refuse_type(struct emitter *e, const struct loop *loop, const struct carry *carry,
                        struct value after) {
    const struct function *function = e->frame->function;
    struct assignment inside = last_assignment(loop->body, carry->name), start = {0};
    if (function && function->def) {
        start = last_assignment_before(&function->def->body, carry->name, loop->stmt->location.line);
    }
    const struct expr *target = start.target ? start.target : inside.target;
    const char *before = value_type_name(e->arena, carry->before), *now = value_type_name(e->arena, after);
    emit_error(e, target ? target->location : loop->stmt->location,
               "%s is %s before the loop on line %u and %s at the end of its body, and must keep its type: "
               "start with %s%s",
               carry->name, before, loop->stmt->location.line, now,
               start_like(e, carry->name, start, carry->before, after),
               cast_inside(e, inside, carry->before, after));
    if (start.target && inside.target) {
        emit_note(e, inside.target->location, "%s is %s from here", carry->name, now);
    }
}

// After the body: fills the yields and settles the names not carried. False after an error. Names that must
// be carried too are added to `promoted`: the caller then emits the loop again.
bool finish_carries(struct emitter *e, struct loop *loop, MlirBlock block, struct name_list *assigned,
                    struct name_list *promoted) {
    struct scope *scope = e->frame->scope;
    struct location at = loop->stmt->location;
    bool ok = true;
    for (size_t i = 0; i < loop->count; i++) {
        struct carry *carry = &loop->carries[i];
        struct value after = scope_find(scope, carry->name)->value;
        if (value_failed(after)) {
            ok = false;
            continue;
        }
        if (after.kind == VALUE_HOST) {
            emit_error(e, at, "%s, which the loop carries, has no value at the end of its body: %s",
                       carry->name, after.host);
            ok = false;
            continue;
        }
        struct builder saved = e->builder;
        e->builder = builder_at_end(e->ir, block, saved.location);
        after = widen_lanewise(e, decay(e, after, at), carry->before, at);
        e->builder = saved;
        struct binding *before = scope_find(&loop->before, carry->name);
        struct value wide = widen_lanewise(e, before->value, after, at);
        if (!value_same_type(wide, before->value) && promoted->count < promoted->capacity) {
            before->value = wide; // one value per element from the start
            promoted->items[promoted->count++] = carry->name;
            continue;
        }
        if (!value_same_type(after, carry->before)) {
            refuse_type(e, loop, carry, after);
            ok = false;
            continue;
        }
        value_flatten(after, loop->yields + carry->first);
    }
    for (size_t i = 0; i < loop->before.count && ok; i++) {
        struct binding *before = &loop->before.items[i], *after = scope_find(scope, before->name);
        bool carried = false;
        for (size_t j = 0; j < loop->count; j++) {
            carried = carried || strcmp(loop->carries[j].name, before->name) == 0;
        }
        bool was_host = before->value.kind == VALUE_HOST; // its text says why
        if (carried || was_host || value_identical(before->value, after->value) ||
            value_failed(before->value)) {
            continue;
        }
        ok = finish_other(e, loop, i, after->value, assigned, promoted);
    }
    return ok;
}

// Restores the names from before the loop. Names bound only in the body become unusable.
void restore_scope(struct emitter *e, struct loop *loop) {
    struct scope *scope = e->frame->scope;
    struct scope inside = *scope;
    *scope = scope_copy(e, &loop->before);
    for (size_t i = 0; i < inside.count; i++) {
        if (!scope_find(&loop->before, inside.items[i].name)) {
            const char *why = arena_printf(e->arena, "it is set inside the loop on line %u only",
                                           loop->stmt->location.line);
            scope_set(e, scope, inside.items[i].name, value_host(why));
        }
    }
}

enum flow fail_loop(struct emitter *e, struct loop *loop) {
    restore_scope(e, loop);
    for (size_t i = 0; i < loop->count; i++) {
        scope_set(e, e->frame->scope, loop->carries[i].name, value_error());
    }
    return FLOW_FAIL;
}

void set_results(struct emitter *e, struct loop *loop, MlirOperation op, const size_t *kept,
                 size_t kept_count) {
    MlirValue *results = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    memcpy(results, loop->inits, loop->flat * sizeof *results);
    for (size_t i = 0; i < kept_count; i++) {
        results[kept[i]] = mlirOperationGetResult(op, (intptr_t)i);
    }
    for (size_t i = 0; i < loop->count; i++) {
        struct carry *carry = &loop->carries[i];
        size_t used = 0;
        scope_set(e, e->frame->scope, carry->name,
                  value_unflatten(e, carry->before, results + carry->first, &used));
    }
}

// Removes the arguments passed on unchanged from `block_count` blocks. Returns the number of the other
// carried values; `kept` receives their indices.
size_t prune(struct emitter *e, struct loop *loop, MlirBlock *blocks, const intptr_t *first, int block_count,
             size_t *kept) {
    MlirBlock last = blocks[block_count - 1];
    bool *drop = ARENA_ARRAY(e->arena, bool, loop->flat + 1);
    for (size_t i = 0; i < loop->flat; i++) {
        MlirValue argument = mlirBlockGetArgument(last, first[block_count - 1] + (intptr_t)i);
        drop[i] = mlirValueEqual(loop->yields[i], argument);
        if (!drop[i]) {
            continue;
        }
        for (int b = 0; b < block_count; b++) {
            mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(blocks[b], first[b] + (intptr_t)i),
                                          loop->inits[i]);
        }
        for (size_t j = 0; j < loop->flat; j++) {
            if (mlirValueEqual(loop->yields[j], argument)) {
                loop->yields[j] = loop->inits[i];
            }
        }
    }
    size_t count = 0;
    for (size_t i = loop->flat; i > 0; i--) {
        for (int b = 0; b < block_count && drop[i - 1]; b++) {
            mlirBlockEraseArgument(blocks[b], (unsigned)(first[b] + (intptr_t)i - 1));
        }
    }
    for (size_t i = 0; i < loop->flat; i++) {
        if (!drop[i]) {
            kept[count++] = i;
        }
    }
    return count;
}

void select_kept(struct loop *loop, const size_t *kept, size_t count, MlirValue *inits, MlirValue *yields,
                 MlirType *types) {
    for (size_t i = 0; i < count; i++) {
        inits[i] = loop->inits[kept[i]];
        yields[i] = loop->yields[kept[i]];
        types[i] = loop->types[kept[i]];
    }
}
