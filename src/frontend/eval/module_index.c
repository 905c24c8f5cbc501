// The index of a file's module level: all binding sites in order, with the conditions around them.
#include "frontend/eval/module_index.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/eval/walk.h"

struct index_builder {
    struct emitter e; // only its arena is used
    struct file_scope *file;
    size_t capacity;
    const struct module_condition *condition;
    bool is_fallback, in_try;
};

static struct binding_site *add_site(struct index_builder *b, const char *name, const struct stmt *stmt) {
    struct file_scope *file = b->file;
    file->sites =
        arena_grown(file->program->arena, file->sites, file->site_count, &b->capacity, sizeof *file->sites);
    struct binding_site *site = &file->sites[file->site_count++];
    *site = (struct binding_site){.name = name,
                                  .stmt = stmt,
                                  .condition = b->condition,
                                  .is_fallback = b->is_fallback,
                                  .in_try = b->in_try};
    return site;
}

static void index_target(struct index_builder *b, const struct stmt *stmt, const struct expr *whole,
                         const struct expr *target) {
    if (target->kind == EXPR_NAME) {
        add_site(b, target->name.id, stmt)->target = whole;
    } else if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        for (size_t i = 0; i < target->elements.count; i++) {
            index_target(b, stmt, whole, target->elements.items[i]);
        }
    }
}

static void index_import(struct index_builder *b, const struct stmt *stmt, const struct import_alias *alias) {
    const char *name = alias->as_name ? alias->as_name : alias->name;
    if (stmt->kind == STMT_IMPORT && !alias->as_name) { // `import a.b` binds a
        name = arena_strndup(b->file->program->arena, name, strcspn(name, "."));
    }
    add_site(b, name, stmt)->import = alias;
}

static void index_list(struct index_builder *b, const struct stmt_list *list);

static void index_branch(struct index_builder *b, const struct stmt_list *list, struct module_test *test,
                         bool holds) {
    const struct module_condition *outer = b->condition;
    struct module_condition *condition = ARENA_NEW(b->file->program->arena, struct module_condition);
    *condition = (struct module_condition){test, holds, outer};
    b->condition = condition;
    index_list(b, list);
    b->condition = outer;
}

static void index_if(struct index_builder *b, const struct stmt *stmt) {
    struct module_test *test = ARENA_NEW(b->file->program->arena, struct module_test);
    *test = (struct module_test){.expr = stmt->if_else.test, .before = b->file->site_count};
    index_branch(b, &stmt->if_else.body, test, true);
    index_branch(b, &stmt->if_else.orelse, test, false);
}

static void index_try(struct index_builder *b, const struct stmt *stmt) {
    bool in_try = b->in_try, is_fallback = b->is_fallback;
    b->in_try = true;
    index_list(b, &stmt->try_block.body);
    index_list(b, &stmt->try_block.orelse);
    b->in_try = in_try;
    b->is_fallback = true;
    for (size_t i = 0; i < stmt->try_block.handler_count; i++) {
        index_list(b, &stmt->try_block.handlers[i].body);
    }
    b->is_fallback = is_fallback;
    index_list(b, &stmt->try_block.finally);
}

// Indexes the functions of a class as `Class.function`: a static method may be a kernel.
static void index_methods(struct index_builder *b, const struct class_def *class_) {
    for (size_t i = 0; i < class_->body.count; i++) {
        const struct stmt *stmt = class_->body.items[i];
        if (stmt->kind == STMT_FUNCTION) {
            const char *name =
                arena_printf(b->file->program->arena, "%s.%s", class_->name, stmt->function->name);
            add_site(b, name, stmt);
        }
    }
}

// ---- changes of lists and dicts ----

static bool is_changing(const char *method) {
    static const char *const methods[] = {"append", "extend",  "insert", "remove",     "pop", "clear",
                                          "sort",   "reverse", "update", "setdefault", "add", "discard"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (strcmp(method, methods[i]) == 0) {
            return true;
        }
    }
    return false;
}

struct changes {
    struct emitter *e;
    const struct file_scope *file; // NULL within one of its functions
    const char *wanted;            // NULL: collects all names
    bool found;                    // `wanted` was found
    struct name_list names;
};

static void note_change(struct changes *c, const char *name) {
    if (c->wanted) {
        c->found |= strcmp(c->wanted, name) == 0;
    } else {
        name_list_add(c->e, &c->names, name);
    }
}

// x[i] = …, del x[i] and the like change the value of x.
static void add_element_of(struct changes *c, const struct expr *target) {
    bool several = target->kind == EXPR_TUPLE || target->kind == EXPR_LIST;
    for (size_t i = 0; several && i < target->elements.count; i++) {
        add_element_of(c, target->elements.items[i]);
    }
    while (target->kind == EXPR_SUBSCRIPT) {
        target = target->subscript.object;
        if (target->kind == EXPR_NAME) {
            note_change(c, target->name.id);
        }
    }
}

static void add_changed(struct changes *c, const struct stmt_list *list);

static int by_function_and_place(const void *a, const void *b) {
    const struct changed_parameter *x = a, *y = b;
    int order = strcmp(x->function, y->function);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static bool changes_parameter(const struct file_scope *file, const char *function, size_t place) {
    struct changed_parameter key = {function, place};
    return file && file->changed_count &&
           bsearch(&key, file->changed, file->changed_count, sizeof key, by_function_and_place);
}

static void find_changed_parameters(struct index_builder *b) {
    struct file_scope *file = b->file;
    const struct stmt_list *body = &file->ast->body;
    size_t most = 0;
    for (size_t i = 0; i < body->count; i++) {
        most += body->items[i]->kind == STMT_FUNCTION ? body->items[i]->function->params.count : 0;
    }
    file->changed = ARENA_ARRAY(file->program->arena, struct changed_parameter, most + 1);
    for (size_t i = 0; i < body->count; i++) {
        const struct function_def *def =
            body->items[i]->kind == STMT_FUNCTION ? body->items[i]->function : NULL;
        for (size_t j = 0; def && j < def->params.count; j++) {
            struct changes inside = {.e = &b->e, .wanted = def->params.items[j].name};
            add_changed(&inside, &def->body);
            if (inside.found) {
                file->changed[file->changed_count++] = (struct changed_parameter){def->name, j};
            }
        }
    }
    qsort(file->changed, file->changed_count, sizeof *file->changed, by_function_and_place);
}

// Finds x.append(…) and f(x): as a statement, an assigned value, an argument, or an element of a
// comprehension.
static void add_changed_in(struct changes *c, const struct expr *expr) {
    if (expr->kind == EXPR_COMPREHENSION) {
        add_changed_in(c, expr->comprehension.element);
    }
    if (expr->kind != EXPR_CALL) {
        return;
    }
    const struct expr *function = expr->call.function;
    if (function->kind == EXPR_ATTRIBUTE && is_changing(function->attribute.name) &&
        function->attribute.object->kind == EXPR_NAME) {
        note_change(c, function->attribute.object->name.id);
    }
    for (size_t i = 0; i < expr->call.args.count; i++) {
        const struct expr *argument = expr->call.args.items[i];
        if (argument->kind == EXPR_NAME && function->kind == EXPR_NAME &&
            changes_parameter(c->file, function->name.id, i)) {
            note_change(c, argument->name.id);
        }
        add_changed_in(c, argument);
    }
}

static void add_changed_by(struct changes *c, const struct stmt *stmt) {
    switch (stmt->kind) {
    case STMT_EXPR:
        add_changed_in(c, stmt->expr);
        break;
    case STMT_ASSIGN:
        add_changed_in(c, stmt->assign.value);
        for (size_t i = 0; i < stmt->assign.targets.count; i++) {
            add_element_of(c, stmt->assign.targets.items[i]);
        }
        break;
    case STMT_AUGMENTED_ASSIGN:
        add_element_of(c, stmt->augmented.target);
        break;
    case STMT_DELETE:
        for (size_t i = 0; i < stmt->targets.count; i++) {
            add_element_of(c, stmt->targets.items[i]);
        }
        break;
    case STMT_IF:
        add_changed(c, &stmt->if_else.body);
        add_changed(c, &stmt->if_else.orelse);
        break;
    case STMT_FOR:
        add_element_of(c, stmt->for_loop.target);
        add_changed(c, &stmt->for_loop.body);
        add_changed(c, &stmt->for_loop.orelse);
        break;
    case STMT_WHILE:
        add_changed(c, &stmt->while_loop.body);
        add_changed(c, &stmt->while_loop.orelse);
        break;
    case STMT_WITH:
        add_changed(c, &stmt->with.body);
        break;
    case STMT_TRY:
        add_changed(c, &stmt->try_block.body);
        for (size_t i = 0; i < stmt->try_block.handler_count; i++) {
            add_changed(c, &stmt->try_block.handlers[i].body);
        }
        add_changed(c, &stmt->try_block.orelse);
        add_changed(c, &stmt->try_block.finally);
        break;
    case STMT_MATCH:
        for (size_t i = 0; i < stmt->match.count; i++) {
            add_changed(c, &stmt->match.cases[i].body);
        }
        break;
    default:
        break;
    }
}

static void add_changed(struct changes *c, const struct stmt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        add_changed_by(c, list->items[i]);
    }
}

struct name_list module_changed_names(struct emitter *e, const struct file_scope *file,
                                      const struct stmt *stmt) {
    struct changes changes = {.e = e, .file = file};
    struct stmt *items[] = {(struct stmt *)stmt};
    struct stmt_list list = {items, 1};
    if (stmt->kind != STMT_ASSIGN) { // an assignment has sites of its own for these
        collect_assigned(e, &list, &changes.names);
    }
    add_changed(&changes, &list);
    return changes.names;
}

// Adds a site for each name that running the statement may change.
static void index_run(struct index_builder *b, const struct stmt *stmt) {
    struct name_list names = module_changed_names(&b->e, b->file, stmt);
    for (size_t i = 0; i < names.count; i++) {
        add_site(b, names.items[i], stmt)->runs = true;
    }
}

// ---- statements ----

static void index_statement(struct index_builder *b, const struct stmt *stmt) {
    switch (stmt->kind) {
    case STMT_ASSIGN:
        for (size_t i = 0; i < stmt->assign.targets.count; i++) {
            index_target(b, stmt, stmt->assign.targets.items[i], stmt->assign.targets.items[i]);
        }
        index_run(b, stmt);
        break;
    case STMT_ANNOTATED_ASSIGN:
        if (stmt->annotated.value) {
            index_target(b, stmt, stmt->annotated.target, stmt->annotated.target);
        }
        break;
    case STMT_FUNCTION:
        add_site(b, stmt->function->name, stmt);
        break;
    case STMT_CLASS:
        add_site(b, stmt->class_->name, stmt);
        index_methods(b, stmt->class_);
        break;
    case STMT_UNPARSED:
        if (stmt->unparsed.name) {
            add_site(b, stmt->unparsed.name, stmt);
        }
        break;
    case STMT_IMPORT:
        for (size_t i = 0; i < stmt->import.count; i++) {
            index_import(b, stmt, &stmt->import.names[i]);
        }
        break;
    case STMT_IMPORT_FROM:
        for (size_t i = 0; i < stmt->import_from.count; i++) {
            index_import(b, stmt, &stmt->import_from.names[i]);
        }
        break;
    case STMT_IF:
        index_if(b, stmt);
        break;
    case STMT_TRY:
        index_try(b, stmt);
        break;
    case STMT_WITH:
        index_list(b, &stmt->with.body);
        break;
    default:
        index_run(b, stmt);
    }
}

static void index_list(struct index_builder *b, const struct stmt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        index_statement(b, list->items[i]);
    }
}

// ---- names ----

static size_t hash_of(const struct file_scope *file, const char *name) {
    size_t hash = 5381;
    for (; *name; name++) {
        hash = hash * 33 + (unsigned char)*name;
    }
    return hash & (file->hashes - 1);
}

static void link_names(struct file_scope *file) {
    for (file->hashes = 16; file->hashes < file->site_count;) {
        file->hashes *= 2;
    }
    file->by_name = ARENA_ARRAY(file->program->arena, struct binding_site *, file->hashes);
    for (size_t i = 0; i < file->site_count; i++) {
        struct binding_site **last = &file->by_name[hash_of(file, file->sites[i].name)];
        file->sites[i].earlier = *last;
        *last = &file->sites[i];
    }
}

void module_index(struct file_scope *file) {
    struct index_builder builder = {.e = program_emitter(file->program), .file = file};
    find_changed_parameters(&builder);
    index_list(&builder, &file->ast->body);
    link_names(file);
}

static struct binding_site *first_of(const struct file_scope *file, struct binding_site *site,
                                     const char *name) {
    while (site && ((file->until && site >= file->until) || strcmp(site->name, name) != 0)) {
        site = site->earlier;
    }
    return site;
}

struct binding_site *file_site(const struct file_scope *file, const char *name) {
    return first_of(file, file->by_name[hash_of(file, name)], name);
}

struct binding_site *file_site_before(const struct file_scope *file, const struct binding_site *site) {
    return first_of(file, site->earlier, site->name);
}
