// Names of a function call, and helpers of control flow: the run-time parts of values, and the names that
// statements may bind.
#include <string.h>

#include "frontend/eval/walk.h"

struct scope *scope_inside(struct emitter *e, struct scope *parent) {
    struct scope *scope = ARENA_NEW(e->arena, struct scope);
    *scope = (struct scope){.parent = parent};
    return scope;
}

struct binding *scope_find(struct scope *scope, const char *name) {
    for (size_t i = 0; i < scope->count; i++) {
        if (scope->items[i].name == name) {
            return &scope->items[i];
        }
    }
    for (size_t i = 0; i < scope->count; i++) {
        if (strcmp(scope->items[i].name, name) == 0) {
            return &scope->items[i];
        }
    }
    return NULL;
}

void scope_set(struct emitter *e, struct scope *scope, const char *name, struct value value) {
    struct binding *binding = scope_find(scope, name);
    if (binding) {
        binding->value = value;
        binding->first_read = NULL;
        return;
    }
    scope->items = arena_grown(e->arena, scope->items, scope->count, &scope->capacity, sizeof *scope->items);
    scope->items[scope->count++] = (struct binding){name, value, NULL};
}

struct scope scope_copy(struct emitter *e, const struct scope *scope) {
    struct scope copy = *scope;
    copy.capacity = scope->count + 8;
    copy.items = ARENA_ARRAY(e->arena, struct binding, copy.capacity);
    if (scope->count) {
        memcpy(copy.items, scope->items, scope->count * sizeof *copy.items);
    }
    return copy;
}

// ---- run-time parts ----

static size_t part_count(struct value v) {
    return 1 + 3 * (size_t)v.block_ptr->rank;
}

size_t value_flatten(struct value v, MlirValue *out) {
    size_t count = 0;
    switch (v.kind) {
    case VALUE_TENSOR:
        if (out) {
            out[0] = v.tensor.value;
        }
        return 1;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
    case VALUE_OBJECT: {
        struct value_list parts = value_parts(v);
        for (size_t i = 0; i < parts.count; i++) {
            count += value_flatten(parts.items[i], out ? out + count : NULL);
        }
        return count;
    }
    case VALUE_BLOCK_PTR:
    case VALUE_DESCRIPTOR:
        for (size_t i = 0; i < part_count(v); i++) {
            count += value_flatten(v.block_ptr->parts[i], out ? out + count : NULL);
        }
        return count;
    default:
        return 0;
    }
}

struct value value_unflatten(struct emitter *e, struct value like, const MlirValue *values, size_t *used) {
    switch (like.kind) {
    case VALUE_TENSOR:
        like.tensor.value = values[(*used)++];
        return like;
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
    case VALUE_OBJECT: {
        struct value_list parts = value_parts(like);
        struct value *items = ARENA_ARRAY(e->arena, struct value, parts.count + 1);
        for (size_t i = 0; i < parts.count; i++) {
            items[i] = value_unflatten(e, parts.items[i], values, used);
        }
        return value_with_parts(like, (struct value_list){.items = items, .count = parts.count});
    }
    case VALUE_BLOCK_PTR:
    case VALUE_DESCRIPTOR: {
        struct block_ptr *block = ARENA_NEW(e->arena, struct block_ptr);
        *block = *like.block_ptr;
        block->parts = ARENA_ARRAY(e->arena, struct value, part_count(like));
        for (size_t i = 0; i < part_count(like); i++) {
            block->parts[i] = value_unflatten(e, like.block_ptr->parts[i], values, used);
        }
        like.block_ptr = block;
        return like;
    }
    default:
        return like;
    }
}

static bool same_block(struct value a, struct value b) {
    const struct block_ptr *x = a.block_ptr, *y = b.block_ptr;
    if (x->rank != y->rank || x->of_booleans != y->of_booleans) {
        return false;
    }
    for (int i = 0; i < x->rank; i++) {
        if (x->block[i] != y->block[i] || x->order[i] != y->order[i]) {
            return false;
        }
    }
    for (size_t i = 0; i < part_count(a); i++) {
        if (!value_same_type(x->parts[i], y->parts[i])) {
            return false;
        }
    }
    return true;
}

bool value_same_type(struct value a, struct value b) {
    if (a.kind != b.kind && !(value_is_sequence(a) && value_is_sequence(b))) { // Triton has no lists
        return false;
    }
    switch (a.kind) {
    case VALUE_TENSOR:
        return dtype_equal(a.tensor.dtype, b.tensor.dtype) && a.tensor.rank == b.tensor.rank &&
               (a.tensor.rank == 0 ||
                memcmp(a.tensor.shape, b.tensor.shape, (size_t)a.tensor.rank * sizeof *a.tensor.shape) == 0);
    case VALUE_TUPLE:
    case VALUE_LIST:
    case VALUE_DICT:
    case VALUE_OBJECT: {
        struct value_list x = value_parts(a), y = value_parts(b);
        bool same = x.count == y.count && (a.kind != VALUE_OBJECT || value_same_class(a, b));
        for (size_t i = 0; i < x.count && same; i++) {
            same = value_same_type(x.items[i], y.items[i]);
        }
        return same;
    }
    case VALUE_BLOCK_PTR:
    case VALUE_DESCRIPTOR:
        return same_block(a, b);
    default:
        return value_identical(a, b);
    }
}

// ---- names bound by statements ----

void name_list_add(struct emitter *e, struct name_list *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) {
            return;
        }
    }
    names->items = arena_grown(e->arena, names->items, names->count, &names->capacity, sizeof *names->items);
    names->items[names->count++] = name;
}

static void collect_target(struct emitter *e, const struct expr *target, struct name_list *names) {
    switch (target->kind) {
    case EXPR_NAME:
        name_list_add(e, names, target->name.id);
        break;
    case EXPR_TUPLE:
    case EXPR_LIST:
        for (size_t i = 0; i < target->elements.count; i++) {
            collect_target(e, target->elements.items[i], names);
        }
        break;
    case EXPR_STARRED:
        collect_target(e, target->operand, names);
        break;
    case EXPR_SUBSCRIPT: // t[i] = v gives the name another tuple
        collect_target(e, target->subscript.object, names);
        break;
    default:
        break;
    }
}

static void collect_statement(struct emitter *e, const struct stmt *stmt, struct name_list *names) {
    switch (stmt->kind) {
    case STMT_ASSIGN:
        for (size_t i = 0; i < stmt->assign.targets.count; i++) {
            collect_target(e, stmt->assign.targets.items[i], names);
        }
        break;
    case STMT_AUGMENTED_ASSIGN:
        collect_target(e, stmt->augmented.target, names);
        break;
    case STMT_ANNOTATED_ASSIGN:
        collect_target(e, stmt->annotated.target, names);
        break;
    case STMT_IF:
        collect_assigned(e, &stmt->if_else.body, names);
        collect_assigned(e, &stmt->if_else.orelse, names);
        break;
    case STMT_FOR:
        collect_target(e, stmt->for_loop.target, names);
        collect_assigned(e, &stmt->for_loop.body, names);
        collect_assigned(e, &stmt->for_loop.orelse, names);
        break;
    case STMT_WHILE:
        collect_assigned(e, &stmt->while_loop.body, names);
        collect_assigned(e, &stmt->while_loop.orelse, names);
        break;
    case STMT_WITH:
        collect_assigned(e, &stmt->with.body, names);
        break;
    case STMT_MATCH:
        for (size_t i = 0; i < stmt->match.count; i++) {
            collect_assigned(e, &stmt->match.cases[i].body, names);
        }
        break;
    default:
        break;
    }
}

void collect_assigned(struct emitter *e, const struct stmt_list *list, struct name_list *names) {
    for (size_t i = 0; i < list->count; i++) {
        collect_statement(e, list->items[i], names);
    }
}

bool contains_return(const struct stmt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const struct stmt *stmt = list->items[i];
        switch (stmt->kind) {
        case STMT_RETURN:
            return true;
        case STMT_IF:
            if (contains_return(&stmt->if_else.body) || contains_return(&stmt->if_else.orelse)) {
                return true;
            }
            break;
        case STMT_FOR:
            if (contains_return(&stmt->for_loop.body) || contains_return(&stmt->for_loop.orelse)) {
                return true;
            }
            break;
        case STMT_WHILE:
            if (contains_return(&stmt->while_loop.body) || contains_return(&stmt->while_loop.orelse)) {
                return true;
            }
            break;
        case STMT_WITH:
            if (contains_return(&stmt->with.body)) {
                return true;
            }
            break;
        case STMT_MATCH:
            for (size_t j = 0; j < stmt->match.count; j++) {
                if (contains_return(&stmt->match.cases[j].body)) {
                    return true;
                }
            }
            break;
        default:
            break;
        }
    }
    return false;
}

bool contains_jump(const struct stmt_list *body) {
    for (size_t i = 0; i < body->count; i++) {
        const struct stmt *stmt = body->items[i];
        bool jumps = stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE;
        jumps = jumps || (stmt->kind == STMT_IF &&
                          (contains_jump(&stmt->if_else.body) || contains_jump(&stmt->if_else.orelse)));
        jumps = jumps || (stmt->kind == STMT_WITH && contains_jump(&stmt->with.body));
        jumps = jumps || (stmt->kind == STMT_FOR && contains_jump(&stmt->for_loop.orelse));
        jumps = jumps || (stmt->kind == STMT_WHILE && contains_jump(&stmt->while_loop.orelse));
        for (size_t j = 0; stmt->kind == STMT_MATCH && j < stmt->match.count; j++) {
            jumps = jumps || contains_jump(&stmt->match.cases[j].body);
        }
        if (jumps) {
            return true;
        }
    }
    return contains_return(body);
}

static bool is_name(const struct expr *target, const char *name) {
    return target && target->kind == EXPR_NAME && strcmp(target->name.id, name) == 0;
}

// The assignment that the statement itself makes to the name.
static struct assignment own_assignment(const struct stmt *stmt, const char *name) {
    struct assignment found = {0};
    if (stmt->kind == STMT_ASSIGN) {
        for (size_t i = 0; i < stmt->assign.targets.count; i++) {
            const struct expr *target = stmt->assign.targets.items[i];
            found = is_name(target, name) ? (struct assignment){target, stmt->assign.value} : found;
        }
    } else if (stmt->kind == STMT_AUGMENTED_ASSIGN && is_name(stmt->augmented.target, name)) {
        found.target = stmt->augmented.target;
    } else if (stmt->kind == STMT_ANNOTATED_ASSIGN && is_name(stmt->annotated.target, name)) {
        found = (struct assignment){stmt->annotated.target, stmt->annotated.value};
    }
    return found;
}

struct assignment last_assignment_before(const struct stmt_list *list, const char *name, uint32_t line) {
    struct assignment found = {0};
    for (size_t i = 0; i < list->count && list->items[i]->location.line < line; i++) {
        const struct stmt *stmt = list->items[i];
        struct assignment own = own_assignment(stmt, name);
        found = own.target ? own : found;
        const struct stmt_list *inner[] = {stmt->kind == STMT_IF      ? &stmt->if_else.body
                                           : stmt->kind == STMT_FOR   ? &stmt->for_loop.body
                                           : stmt->kind == STMT_WHILE ? &stmt->while_loop.body
                                                                      : NULL,
                                           stmt->kind == STMT_IF ? &stmt->if_else.orelse : NULL};
        for (size_t k = 0; k < 2; k++) {
            struct assignment within = {0};
            if (inner[k]) {
                within = last_assignment_before(inner[k], name, line);
            }
            found = within.target ? within : found;
        }
    }
    return found;
}

struct assignment last_assignment(const struct stmt_list *list, const char *name) {
    return last_assignment_before(list, name, UINT32_MAX);
}
