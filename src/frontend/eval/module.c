// Module-level names. A file is indexed once (module_index.c) into binding sites: every statement that may
// bind or change a name, with the enclosing `if` or `try`. A look-up takes the last site that is reached and
// evaluates it alone, so host code between kernels never runs. Look-ups made by the site itself see only the
// sites before it.
#include "frontend/eval/module.h"

#include <string.h>

#include "frontend/eval/module_index.h"
#include "frontend/eval/walk.h"
#include "frontend/library/library.h"
#include "frontend/semantics/language.h"
#include "frontend/syntax/parser.h"

// ---- files ----

struct program *program_create(struct arena *arena, struct diag *diag, const struct builtin *builtins) {
    struct program *program = ARENA_NEW(arena, struct program);
    program->arena = arena;
    program->diag = diag;
    program->builtins = builtins;
    program->language = LANGUAGE_NEWEST;
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
    unsigned language = program->language;
    if (ast->language && !language_parse(ast->language, &language)) {
        diag_error(program->diag, ast->language_location, "language %s is unknown: %s", ast->language,
                   language_versions(program->arena));
        return NULL;
    }
    *file = (struct file_scope){
        .program = program, .source = ast->source, .ast = ast, .language = language, .library = library};
    module_index(file);
    program->files = arena_grown(program->arena, program->files, program->file_count, &program->file_capacity,
                                 sizeof *program->files);
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

// Runs a statement that changes names, on the values before it. Returns the new value of the site's name.
static struct value run_site(struct emitter *e, struct file_scope *file, const struct binding_site *site) {
    struct stmt *items[] = {(struct stmt *)site->stmt};
    struct name_list names = module_changed_names(e, file, site->stmt);
    e->quiet++;
    for (size_t i = 0; i < names.count; i++) {
        struct value v;
        if (file_lookup(e, file, names.items[i], &v) && !value_failed(v) && v.kind != VALUE_HOST) {
            scope_set(e, e->frame->scope, names.items[i], v);
        }
    }
    e->quiet--;
    enum flow flow = run_list(e, &(struct stmt_list){items, 1}, 0);
    struct binding *binding = scope_find(e->frame->scope, site->name);
    return flow == FLOW_NEXT && binding ? binding->value : value_error();
}

// In Python two names of one list or dict both see a change through either. Values here are immutable, so
// such a change is an error.
static bool is_changed_elsewhere(struct emitter *e, const struct file_scope *file,
                                 const struct binding_site *site, const struct expr *source, struct value v) {
    if (source->kind != EXPR_NAME || (v.kind != VALUE_LIST && v.kind != VALUE_DICT)) {
        return false;
    }
    for (const struct binding_site *later = site + 1; later < file->sites + file->site_count; later++) {
        bool one = strcmp(later->name, site->name) == 0 || strcmp(later->name, source->name.id) == 0;
        if (later->runs && one) {
            emit_error(e, site->stmt->location,
                       "%s and %s are one %s, which line %u changes; give one of them a copy", site->name,
                       source->name.id, value_type_name(e->arena, v), later->stmt->location.line);
            return true;
        }
    }
    return false;
}

// The opposite direction: `other = x`, and then `other` changes.
static bool is_changed_by_another(struct emitter *e, const struct file_scope *file,
                                  const struct binding_site *site, struct value v) {
    if (v.kind != VALUE_LIST && v.kind != VALUE_DICT) {
        return false;
    }
    const struct binding_site *end = file->sites + file->site_count;
    for (const struct binding_site *other = site + 1; other < end; other++) {
        const struct expr *source = other->stmt->kind == STMT_ASSIGN ? other->stmt->assign.value : NULL;
        bool one =
            source && !other->runs && source->kind == EXPR_NAME && strcmp(source->name.id, site->name) == 0;
        for (const struct binding_site *later = other + 1; one && later < end; later++) {
            bool same = strcmp(later->name, other->name) == 0;
            if (same && later->runs) {
                emit_error(e, site->stmt->location,
                           "%s and %s are one %s, which line %u changes; give one of them a copy", site->name,
                           other->name, value_type_name(e->arena, v), later->stmt->location.line);
                return true;
            }
            one = !same;
        }
    }
    return false;
}

static struct value eval_site(struct emitter *e, struct file_scope *file, struct binding_site *site) {
    const struct stmt *stmt = site->stmt;
    struct value v;
    struct import_alias alias;
    if (site->runs) {
        return run_site(e, file, site);
    }
    switch (stmt->kind) {
    case STMT_FUNCTION:
        return function_value(e, stmt->function, file, NULL);
    case STMT_CLASS:
        return class_value(e, stmt->class_, file);
    case STMT_UNPARSED:
        return emit_fault(e, stmt->unparsed.fault);
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
    const struct expr *source = stmt->kind == STMT_ASSIGN ? stmt->assign.value : stmt->annotated.value;
    if (!value_failed(v) &&
        (is_changed_elsewhere(e, file, site, source, v) || is_changed_by_another(e, file, site, v))) {
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

// Evaluation at module level without IR; look-ups see the sites before `until`.
struct module_level {
    struct call_frame frame;
    struct ir *ir;
    struct file_scope *file;
    const struct binding_site *until;
};

static void enter_module(struct emitter *e, struct module_level *level, struct file_scope *file,
                         const struct binding_site *until) {
    *level =
        (struct module_level){.frame = {.caller = e->frame, .file = file, .scope = scope_inside(e, NULL)},
                              .ir = e->ir,
                              .file = file,
                              .until = file->until};
    enter_frame(e, &level->frame);
    e->ir = NULL;
    file->until = until;
}

static void leave_module(struct emitter *e, struct module_level *level) {
    level->file->until = level->until;
    e->ir = level->ir;
    leave_frame(e);
}

// The first site of the statement: none of its own bindings is visible from there.
static const struct binding_site *ahead_of(const struct file_scope *file, const struct binding_site *site) {
    while (site > file->sites && site[-1].stmt == site->stmt) {
        site--;
    }
    return site;
}

static struct value eval_site_alone(struct emitter *e, struct file_scope *file, struct binding_site *site) {
    struct module_level level;
    enter_module(e, &level, file, ahead_of(file, site));
    site->is_busy = true;
    struct value v = eval_site(e, file, site);
    site->is_busy = false;
    leave_module(e, &level);
    return v;
}

static void decide(struct emitter *e, struct file_scope *file, struct module_test *test) {
    struct module_level level;
    enter_module(e, &level, file, file->sites + test->before);
    e->quiet++;
    test->is_busy = true;
    bool ok;
    test->truth = value_truth(eval(e, test->expr), &ok);
    test->is_decided = ok;
    test->is_known = true;
    test->is_busy = false;
    e->quiet--;
    leave_module(e, &level);
}

static enum site_standing standing_under(struct emitter *e, struct file_scope *file,
                                         const struct module_condition *condition) {
    if (!condition) {
        return SITE_REACHED;
    }
    enum site_standing outer = standing_under(e, file, condition->outer);
    struct module_test *test = condition->test;
    if (outer == SITE_EXCLUDED) {
        return outer;
    }
    if (!test->is_known && !test->is_busy) {
        decide(e, file, test);
    }
    if (test->is_known && test->is_decided) {
        return test->truth == condition->holds ? outer : SITE_EXCLUDED;
    }
    return condition->holds && outer != SITE_OPEN_ELSE ? SITE_OPEN_BODY : SITE_OPEN_ELSE;
}

static enum site_standing find_standing(struct emitter *e, struct file_scope *file,
                                        const struct binding_site *site) {
    enum site_standing standing = standing_under(e, file, site->condition);
    return standing != SITE_EXCLUDED && site->is_fallback ? SITE_FALLBACK : standing;
}

// Intermediate state of a look-up.
struct site_search {
    const char *name;
    struct value weak;           // first host value, or None of an uncertain site
    struct binding_site *failed; // first site with an error, not yet reported
};

// The value that `from … import *` gives the name; VALUE_ERROR without a message if the module has no known
// value of it.
static struct value star_value(struct emitter *e, struct file_scope *file, const struct binding_site *site,
                               const char *name) {
    const struct stmt *stmt = site->stmt;
    struct value v = value_error();
    e->quiet++;
    struct value module =
        *name == '_' ? v
                     : module_import(e, file, stmt->import_from.module ? stmt->import_from.module : "",
                                     stmt->import_from.level);
    if (module.kind == VALUE_MODULE) {
        v = module_attribute(e, module, name, site->import->location);
    }
    e->quiet--;
    return v;
}

static struct value site_value(struct emitter *e, struct file_scope *file, struct binding_site *site,
                               bool certain) {
    if (!site->is_known) {
        e->quiet += !certain;
        site->value = eval_site_alone(e, file, site);
        e->quiet -= !certain;
        site->is_known = !value_failed(site->value);
    }
    return site->value;
}

// Tries the sites of one standing, last first, until one binds the name to a value usable in a kernel. A site
// reached for certain ends the search with its value, even an error (reported there).
static bool try_sites(struct emitter *e, struct file_scope *file, struct site_search *search,
                      enum site_standing standing, struct value *out) {
    struct binding_site *named = file_site(file, search->name), *star = file_site(file, "*"), *site;
    for (; named || star;
         site == star ? (star = file_site_before(file, star)) : (named = file_site_before(file, named))) {
        site = !star || (named && named > star) ? named : star;
        if (site->is_busy || !emit_step(e, 1, site->stmt->location)) {
            continue;
        }
        if (!site->has_standing) {
            site->is_busy = true;
            site->standing = find_standing(e, file, site);
            site->is_busy = false;
            site->has_standing = true;
        }
        if (site->standing != standing) {
            continue;
        }
        if (site == star) {
            site->is_busy = true;
            *out = star_value(e, file, site, search->name);
            site->is_busy = false;
            if (!value_failed(*out) &&
                out->kind != VALUE_HOST) { // a partly known module gives a host value for any name
                return true;
            }
            continue;
        }
        bool certain = standing == SITE_REACHED && !site->in_try;
        *out = site_value(e, file, site, certain);
        if (certain || !(value_failed(*out) || out->kind == VALUE_HOST || value_is_none(*out))) {
            return true;
        }
        if (value_failed(*out)) {
            search->failed = search->failed ? search->failed : site;
        } else {
            search->weak = value_failed(search->weak) ? *out : search->weak;
        }
    }
    return false;
}

static bool is_plain(struct value v) {
    return value_is_number(v) || v.kind == VALUE_STRING || v.kind == VALUE_DTYPE;
}

// Warns once if the host may bind the name to another constant than the one compiled in.
static void warn_of_choice(struct emitter *e, struct file_scope *file, const char *name, struct value taken) {
    for (struct binding_site *site = file_site(file, name); site && is_plain(taken) && !e->quiet;
         site = file_site_before(file, site)) {
        if (site->is_busy || !site->has_standing || site->standing != SITE_OPEN_ELSE || site->is_warned) {
            continue;
        }
        struct value other = site_value(e, file, site, false);
        if (is_plain(other) && !value_equal(other, taken)) {
            site->is_warned = true;
            emit_warning(
                e, site->stmt->location, "whether %s is %s or %s depends on the host; it is taken to be %s",
                name, value_text(e->arena, taken), value_text(e->arena, other), value_text(e->arena, taken));
        }
    }
}

// If the host decides between several sites, the look-up takes the one with a value usable in a kernel.
bool file_lookup(struct emitter *e, struct file_scope *file, const char *name, struct value *out) {
    struct site_search search = {.name = name, .weak = value_error()};
    for (enum site_standing standing = SITE_REACHED; standing < SITE_EXCLUDED; standing++) {
        if (try_sites(e, file, &search, standing, out)) {
            if (standing == SITE_OPEN_BODY) {
                warn_of_choice(e, file, name, *out);
            }
            return true;
        }
    }
    *out = search.weak;
    if (value_failed(*out) && search.failed) {
        *out = eval_site_alone(e, file, search.failed); // again, to report its error
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

const struct binding_site *file_stand_at(struct file_scope *file, const struct function_def *def) {
    const struct binding_site *before = file->until, *found = before;
    file->until = NULL;
    for (struct binding_site *site = def ? file_site(file, def->name) : NULL; site;
         site = file_site_before(file, site)) {
        if (site->stmt->kind == STMT_FUNCTION && site->stmt->function == def) {
            found = site;
        }
    }
    file->until = def ? found : NULL;
    return before;
}

void file_stand_back(struct file_scope *file, const struct binding_site *before) {
    file->until = before;
}

void program_forget(struct program *program) {
    for (size_t i = 0; i < program->file_count; i++) {
        struct file_scope *file = program->files[i];
        for (size_t j = 0; j < file->site_count; j++) {
            file->sites[j].is_known = file->sites[j].has_standing = false;
            for (const struct module_condition *c = file->sites[j].condition; c; c = c->outer) {
                c->test->is_known = false;
            }
        }
    }
}

bool decorators_have(struct emitter *e, struct file_scope *file, const struct function_def *def,
                     enum known_type type) {
    struct call_frame frame = {.caller = e->frame, .file = file, .scope = scope_inside(e, NULL)};
    const struct binding_site *before = file_stand_at(file, def);
    bool found = false;
    enter_frame(e, &frame);
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
    leave_frame(e);
    file_stand_back(file, before);
    return found;
}

bool decorators_have_jit(struct emitter *e, struct file_scope *file, const struct function_def *def) {
    return decorators_have(e, file, def, TYPE_JIT);
}
