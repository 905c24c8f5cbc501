// Module-level names. A file is indexed once: every place that may bind a name, with the `if` or `try` around
// it. A look-up takes the last place that holds and evaluates it alone, so host code between kernels never
// runs.
#include "frontend/eval/module.h"

#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/library/library.h"
#include "frontend/syntax/parser.h"

// ---- the index ----

struct index_builder {
    struct file_scope *file;
    size_t capacity;
    const struct expr *condition;
    bool holds, is_fallback, in_try;
};

static struct binding_site *add_site(struct index_builder *b, const char *name, const struct stmt *stmt) {
    struct file_scope *file = b->file;
    if (file->site_count == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 64;
        struct binding_site *grown = ARENA_ARRAY(file->program->arena, struct binding_site, b->capacity);
        if (file->site_count) {
            memcpy(grown, file->sites, file->site_count * sizeof *grown);
        }
        file->sites = grown;
    }
    struct binding_site *site = &file->sites[file->site_count++];
    *site = (struct binding_site){.name = name,
                                  .stmt = stmt,
                                  .condition = b->condition,
                                  .condition_holds = b->holds,
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
    if (stmt->kind == STMT_IMPORT && !alias->as_name) { // import a.b binds a
        name = arena_strndup(b->file->program->arena, name, strcspn(name, "."));
    }
    add_site(b, name, stmt)->import = alias;
}

static void index_list(struct index_builder *b, const struct stmt_list *list);

static void index_under(struct index_builder *b, const struct stmt_list *list, const struct expr *condition,
                        bool holds, bool is_fallback) {
    struct index_builder saved = *b;
    if (condition) {
        b->condition = condition;
        b->holds = holds;
    }
    b->is_fallback = b->is_fallback || is_fallback;
    index_list(b, list);
    b->condition = saved.condition;
    b->holds = saved.holds;
    b->is_fallback = saved.is_fallback;
}

// Functions of a class under names that no expression has: a static method may be a kernel.
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

static void index_statement(struct index_builder *b, const struct stmt *stmt) {
    bool in_try;
    switch (stmt->kind) {
    case STMT_ASSIGN:
        for (size_t i = 0; i < stmt->assign.targets.count; i++) {
            index_target(b, stmt, stmt->assign.targets.items[i], stmt->assign.targets.items[i]);
        }
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
        index_under(b, &stmt->if_else.body, stmt->if_else.test, true, false);
        index_under(b, &stmt->if_else.orelse, stmt->if_else.test, false, false);
        break;
    case STMT_TRY:
        in_try = b->in_try;
        b->in_try = true;
        index_list(b, &stmt->try_block.body);
        index_list(b, &stmt->try_block.orelse);
        b->in_try = in_try;
        for (size_t i = 0; i < stmt->try_block.handler_count; i++) {
            index_under(b, &stmt->try_block.handlers[i].body, NULL, true, true);
        }
        index_list(b, &stmt->try_block.finally);
        break;
    case STMT_WITH:
        index_list(b, &stmt->with.body);
        break;
    default:
        break;
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

static struct binding_site *first_of(struct binding_site *site, const char *name) {
    while (site && strcmp(site->name, name) != 0) {
        site = site->earlier;
    }
    return site;
}

struct binding_site *file_site(const struct file_scope *file, const char *name) {
    return first_of(file->by_name[hash_of(file, name)], name);
}

struct binding_site *file_site_before(const struct binding_site *site) {
    return first_of(site->earlier, site->name);
}

// ---- files ----

struct program *program_create(struct arena *arena, struct diag *diag, const struct builtin *builtins) {
    struct program *program = ARENA_NEW(arena, struct program);
    program->arena = arena;
    program->diag = diag;
    program->builtins = builtins;
    return program;
}

struct file_scope *program_add_source(struct program *program, const struct source *source,
                                      const char *library) {
    const struct module *ast = parse_module(program->arena, program->diag, source);
    return ast ? program_add_module(program, ast, library) : NULL;
}

struct file_scope *program_add_module(struct program *program, const struct module *ast,
                                      const char *library) {
    struct file_scope *file = ARENA_NEW(program->arena, struct file_scope);
    *file = (struct file_scope){.program = program, .source = ast->source, .ast = ast, .library = library};
    struct index_builder builder = {.file = file, .holds = true};
    index_list(&builder, &ast->body);
    link_names(file);
    if (program->file_count == program->file_capacity) {
        size_t capacity = program->file_capacity ? 2 * program->file_capacity : 8;
        struct file_scope **grown = ARENA_ARRAY(program->arena, struct file_scope *, capacity);
        if (program->file_count) {
            memcpy(grown, program->files, program->file_count * sizeof *grown);
        }
        program->files = grown;
        program->file_capacity = capacity;
    }
    program->files[program->file_count++] = file;
    return file;
}

struct file_scope *program_library(struct program *program, const char *name) {
    for (size_t i = 0; i < program->file_count; i++) {
        if (program->files[i]->library && strcmp(program->files[i]->library, name) == 0) {
            return program->files[i];
        }
    }
    const struct library_file *library = library_find(name);
    if (!library) {
        return NULL;
    }
    const char *path = arena_printf(program->arena, "<library>/%s.tk", name);
    struct source *source = source_from_text(program->arena, path, library->text);
    source->is_library = true;
    return program_add_source(program, source, library->name);
}

// ---- evaluating a site ----

static struct value eval_site(struct emitter *e, struct file_scope *file, struct binding_site *site) {
    const struct stmt *stmt = site->stmt;
    struct value v;
    struct import_alias alias;
    switch (stmt->kind) {
    case STMT_FUNCTION:
        return function_value(e, stmt->function, file, NULL);
    case STMT_CLASS:
        return class_value(e, stmt->class_, file);
    case STMT_UNPARSED:
        return emit_error(e, stmt->unparsed.fault->location, "%s", stmt->unparsed.fault->message);
    case STMT_IMPORT:
        alias = *site->import;
        return module_import(e, file, alias.as_name ? alias.name : site->name, 0);
    case STMT_IMPORT_FROM:
        alias = *site->import;
        v = module_import(e, file, stmt->import_from.module ? stmt->import_from.module : "",
                          stmt->import_from.level);
        return value_failed(v) ? v : module_attribute(e, v, alias.name, alias.location);
    case STMT_ASSIGN:
        v = eval(e, stmt->assign.value);
        break;
    case STMT_ANNOTATED_ASSIGN:
        v = eval(e, stmt->annotated.value);
        break;
    default:
        return value_error();
    }
    if (value_failed(v) || site->target->kind == EXPR_NAME) {
        return v;
    }
    if (!assign_target(e, site->target, v)) {
        return value_error();
    }
    struct binding *binding = scope_find(e->frame->scope, site->name);
    return binding ? binding->value : value_error();
}

// Runs `eval_site` at module level: names of the file only, and no IR.
static struct value eval_site_alone(struct emitter *e, struct file_scope *file, struct binding_site *site) {
    struct call_frame frame = {.caller = e->frame, .file = file, .scope = scope_inside(e, NULL)};
    struct call_frame *saved = e->frame;
    struct ir *ir = e->ir;
    e->frame = &frame;
    e->ir = NULL;
    site->is_busy = true;
    struct value v = eval_site(e, file, site);
    site->is_busy = false;
    e->ir = ir;
    e->frame = saved;
    return v;
}

static enum site_standing find_standing(struct emitter *e, struct file_scope *file,
                                        struct binding_site *site) {
    enum site_standing open = site->condition_holds ? SITE_OPEN_BODY : SITE_OPEN_ELSE;
    if (!site->condition) {
        return site->is_fallback ? SITE_FALLBACK : SITE_REACHED;
    }
    struct call_frame frame = {.caller = e->frame, .file = file, .scope = scope_inside(e, NULL)};
    struct call_frame *saved = e->frame;
    struct ir *ir = e->ir;
    e->frame = &frame;
    e->ir = NULL;
    e->quiet++;
    site->is_busy = true;
    bool ok, truth = value_truth(eval(e, site->condition), &ok);
    site->is_busy = false;
    e->quiet--;
    e->ir = ir;
    e->frame = saved;
    if (ok && truth != site->condition_holds) {
        return SITE_EXCLUDED;
    }
    return site->is_fallback ? SITE_FALLBACK : ok ? SITE_REACHED : open;
}

// What a look-up found that is no answer yet.
struct site_search {
    const char *name;
    struct value weak;           // a host value, or the None of a branch or try that may not be what counts
    struct binding_site *failed; // could not be evaluated, which nobody was told
};

// The last place of that standing that binds the name to something a kernel can use. An error in a place that is
// reached for certain is told and ends the search.
static bool try_sites(struct emitter *e, struct file_scope *file, struct site_search *search,
                      enum site_standing standing, struct value *out) {
    for (struct binding_site *site = file_site(file, search->name); site; site = file_site_before(site)) {
        if (site->is_busy || !emit_step(e, 1, site->stmt->location)) {
            continue;
        }
        if (!site->has_standing) {
            site->standing = find_standing(e, file, site);
            site->has_standing = true;
        }
        if (site->standing != standing) {
            continue;
        }
        bool certain = standing == SITE_REACHED && !site->in_try;
        if (!site->is_known) {
            e->quiet += !certain;
            site->value = eval_site_alone(e, file, site);
            e->quiet -= !certain;
            site->is_known = !value_failed(site->value);
        }
        *out = site->value;
        if (value_failed(*out) && !certain) {
            search->failed = search->failed ? search->failed : site;
        } else if (out->kind == VALUE_HOST || (value_is_none(*out) && !certain)) {
            search->weak = value_failed(search->weak) ? *out : search->weak;
        } else {
            return true;
        }
    }
    return false;
}

static bool try_stars(struct emitter *e, struct file_scope *file, const char *name, struct value *out) {
    for (struct binding_site *site = file_site(file, "*"); site; site = file_site_before(site)) {
        if (site->is_busy) {
            continue;
        }
        const struct stmt *stmt = site->stmt;
        site->is_busy = true;
        e->quiet++;
        struct value module = module_import(e, file, stmt->import_from.module ? stmt->import_from.module : "",
                                            stmt->import_from.level);
        if (module.kind == VALUE_MODULE) {
            *out = module_attribute(e, module, name, site->import->location);
        }
        e->quiet--;
        site->is_busy = false;
        if (module.kind == VALUE_MODULE && !value_failed(*out)) {
            return true;
        }
    }
    return false;
}

// Where the host decides which of several places binds a name, the one counts that a kernel can use.
bool file_lookup(struct emitter *e, struct file_scope *file, const char *name, struct value *out) {
    struct site_search search = {.name = name, .weak = value_error()};
    for (enum site_standing standing = SITE_REACHED; standing < SITE_EXCLUDED; standing++) {
        if (try_sites(e, file, &search, standing, out)) {
            return true;
        }
    }
    if (try_stars(e, file, name, out)) {
        return true;
    }
    *out = search.weak;
    if (value_failed(*out) && search.failed) {
        *out = eval_site_alone(e, file, search.failed); // for its error
    }
    return !value_failed(*out) || search.failed;
}

bool library_function(struct emitter *e, const char *file, const char *name, struct value *out) {
    struct file_scope *scope = program_library(e->program, file);
    if (!scope || !file_lookup(e, scope, name, out)) {
        return false;
    }
    return out->kind == VALUE_FUNCTION && out->function->file == scope;
}

bool decorators_have(struct emitter *e, struct file_scope *file, const struct function_def *def,
                     enum known_type type) {
    struct call_frame frame = {.caller = e->frame, .file = file, .scope = scope_inside(e, NULL)};
    struct call_frame *saved = e->frame;
    bool found = false;
    e->frame = &frame;
    e->quiet++;
    for (size_t i = 0; i < def->decorators.count && !found; i++) {
        const struct expr *decorator = def->decorators.items[i];
        if (decorator->kind == EXPR_CALL) {
            decorator = decorator->call.function;
        }
        struct value v = eval(e, decorator);
        found = v.kind == VALUE_TYPE && v.type == type;
    }
    e->quiet--;
    e->frame = saved;
    return found;
}

bool decorators_have_jit(struct emitter *e, struct file_scope *file, const struct function_def *def) {
    return decorators_have(e, file, def, TYPE_JIT);
}
