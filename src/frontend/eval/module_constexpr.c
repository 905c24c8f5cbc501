// Finds out if a module's name is a constexpr. Values do not record it, so it follows from the binding
// statement: a call of tl.constexpr or of a function returning one, an operator with a constexpr operand, or
// an import of a constexpr name.
#include <string.h>

#include "frontend/eval/walk.h"

static bool is_constexpr(struct emitter *e, struct file_scope *file, const struct expr *expr);

static bool any_constexpr(struct emitter *e, struct file_scope *file, struct expr *const *items,
                          size_t count) {
    bool any = false;
    for (size_t i = 0; i < count && !any; i++) {
        any = is_constexpr(e, file, items[i]);
    }
    return any;
}

// Evaluates an expression at module level. VALUE_ERROR without a message if it cannot be evaluated.
static struct value eval_in_file(struct emitter *e, struct file_scope *file, const struct expr *expr) {
    struct call_frame frame = {.caller = e->frame, .file = file, .scope = scope_inside(e, NULL)};
    struct ir *ir = e->ir;
    enter_frame(e, &frame);
    e->ir = NULL;
    e->quiet++;
    struct value v = eval(e, expr);
    e->quiet--;
    e->ir = ir;
    leave_frame(e);
    return v;
}

static bool is_constexpr(struct emitter *e, struct file_scope *file, const struct expr *expr) {
    struct value v;
    switch (expr->kind) {
    case EXPR_NAME:
        return file_name_is_constexpr(e, file, expr->name.id);
    case EXPR_CALL:
        v = eval_in_file(e, file, expr->call.function);
        return v.kind == VALUE_FUNCTION || (v.kind == VALUE_TYPE && v.type == TYPE_CONSTEXPR);
    case EXPR_ATTRIBUTE:
        v = eval_in_file(e, file, expr->attribute.object);
        return v.kind == VALUE_MODULE && v.module.file &&
               file_name_is_constexpr(e, v.module.file, expr->attribute.name);
    case EXPR_SUBSCRIPT:
        return is_constexpr(e, file, expr->subscript.object);
    case EXPR_UNARY:
        return is_constexpr(e, file, expr->unary.operand);
    case EXPR_BINARY:
        return is_constexpr(e, file, expr->binary.left) || is_constexpr(e, file, expr->binary.right);
    case EXPR_COMPARE:
        return is_constexpr(e, file, expr->compare.first) ||
               any_constexpr(e, file, expr->compare.operands, expr->compare.count);
    case EXPR_BOOL:
        return any_constexpr(e, file, expr->boolean.values.items, expr->boolean.values.count);
    case EXPR_TERNARY:
        return is_constexpr(e, file, expr->ternary.then_value) ||
               is_constexpr(e, file, expr->ternary.else_value);
    default:
        return false;
    }
}

static bool import_is_constexpr(struct emitter *e, struct file_scope *file, const struct binding_site *site,
                                const char *name) {
    const struct stmt *stmt = site->stmt;
    struct value module = module_import(e, file, stmt->import_from.module ? stmt->import_from.module : "",
                                        stmt->import_from.level);
    return module.kind == VALUE_MODULE && module.module.file &&
           file_name_is_constexpr(e, module.module.file, name);
}

static bool site_is_constexpr(struct emitter *e, struct file_scope *file, const struct binding_site *site) {
    switch (site->stmt->kind) {
    case STMT_ASSIGN:
        return is_constexpr(e, file, site->stmt->assign.value);
    case STMT_ANNOTATED_ASSIGN: // refused by Triton now, but kernels still use it
        return annotation_is_constexpr(site->stmt->annotated.annotation) ||
               is_constexpr(e, file, site->stmt->annotated.value);
    case STMT_IMPORT_FROM:
        return import_is_constexpr(e, file, site, site->import->name);
    default:
        return false;
    }
}

bool file_name_is_constexpr(struct emitter *e, struct file_scope *file, const char *name) {
    bool found = false;
    for (struct binding_site *site = file_site(file, name); site && !found;
         site = file_site_before(file, site)) {
        if (!site->is_busy && site->is_known) {
            site->is_busy = true; // the name's own earlier sites may define it
            found = site_is_constexpr(e, file, site);
            site->is_busy = false;
        }
    }
    for (struct binding_site *site = file_site(file, "*"); site && !found;
         site = file_site_before(file, site)) {
        if (!site->is_busy && site->stmt->kind == STMT_IMPORT_FROM) {
            site->is_busy = true;
            found = import_is_constexpr(e, file, site, name);
            site->is_busy = false;
        }
    }
    return found;
}
