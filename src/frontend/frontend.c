// Selects the kernels of a file (kernel_emit.c emits their functions).
#include "frontend/frontend.h"

#include <ctype.h>
#include <string.h>

#include "frontend/builtin/table.h"
#include "frontend/kernel.h"
#include "frontend/semantics/language.h"
#include "frontend/syntax/parser.h"
#include "support/nearest.h"

const struct expr *frontend_parse_expression(struct frontend *frontend, const char *text, const char *what) {
    bool is_line = *text && !strpbrk(text, "\r\n") && !strchr(" \t\f", *text); // else brackets join its lines
    struct source *source =
        source_from_text(frontend->arena, arena_printf(frontend->arena, "<%s>", what),
                         arena_printf(frontend->arena, is_line ? "%s\n" : "(%s\n)\n", text));
    struct module *module = parse_module(frontend->arena, frontend->diag, source);
    if (!module) {
        return NULL;
    }
    const struct stmt *stmt = module->body.count == 1 ? module->body.items[0] : NULL;
    if (!stmt || stmt->kind != STMT_EXPR) {
        diag_error(frontend->diag, (struct location){0}, "%s: '%s' is not an expression", what, text);
        return NULL;
    }
    return stmt->expr;
}

// ---- selection ----

static bool has_string_annotation(const struct function_def *def) {
    for (size_t i = 0; i < def->params.count; i++) {
        const struct expr *annotation = annotation_text(def->params.items[i].annotation);
        if (annotation && annotation->kind == EXPR_STRING && !annotation_is_constexpr(annotation)) {
            return true;
        }
    }
    return false;
}

// The value of the last `NAME.attribute = …` at module level.
const struct expr *frontend_attribute(struct emitter *e, const struct module *module,
                                      const struct function_def *def, const char *attribute) {
    const struct expr *value = NULL;
    if (!emit_step(e, module->body.count / NAMES_A_STEP, def->name_location)) {
        return NULL;
    }
    for (size_t i = 0; i < module->body.count; i++) {
        const struct stmt *stmt = module->body.items[i];
        if (stmt->kind != STMT_ASSIGN || stmt->assign.targets.count != 1) {
            continue;
        }
        const struct expr *target = stmt->assign.targets.items[0];
        if (target->kind == EXPR_ATTRIBUTE && strcmp(target->attribute.name, attribute) == 0 &&
            target->attribute.object->kind == EXPR_NAME &&
            strcmp(target->attribute.object->name.id, def->name) == 0) {
            value = stmt->assign.value;
        }
    }
    return value;
}

static bool is_asked_for(const struct frontend_options *options, const char *name) {
    for (size_t i = 0; i < options->kernel_count; i++) {
        if (strcmp(options->kernels[i], name) == 0) {
            return true;
        }
    }
    return false;
}

struct selection {
    const struct function_def **defs;
    size_t count, jit_count;
    const struct function_def *only_jit;
    const char *jit_names;
};

// True if a later definition rebinds the name to another function.
static bool is_replaced(struct emitter *e, struct file_scope *file, const struct function_def *def) {
    struct value last;
    e->quiet++;
    bool found = file_lookup(e, file, def->name, &last);
    e->quiet--;
    return found && last.kind == VALUE_FUNCTION && last.function->def != def;
}

static void select_kernels(struct emitter *e, struct file_scope *file, const struct frontend_options *options,
                           struct selection *selection) {
    enum { LISTED = 20 };
    selection->defs = ARENA_ARRAY(e->arena, const struct function_def *, file->site_count + 1);
    struct strbuf names = {0};
    for (size_t i = 0; i < file->site_count; i++) {
        const struct binding_site *site = &file->sites[i];
        if (site->stmt->kind != STMT_FUNCTION || !decorators_have_jit(e, file, site->stmt->function)) {
            continue;
        }
        const struct function_def *def = site->stmt->function;
        if (is_replaced(e, file, def)) {
            continue;
        }
        selection->only_jit = def;
        if (selection->jit_count++ < LISTED) {
            strbuf_printf(&names, "%s%s", names.length ? ", " : "", def->name);
        }
        bool wanted = options->kernel_count ? is_asked_for(options, def->name)
                                            : has_string_annotation(def) ||
                                                  frontend_attribute(e, file->ast, def, "grid") != NULL ||
                                                  inductor_is_kernel(e, def);
        if (wanted) {
            selection->defs[selection->count++] = def;
        }
    }
    if (selection->jit_count > LISTED) {
        strbuf_printf(&names, " and %zu more", selection->jit_count - LISTED);
    }
    selection->jit_names = arena_strdup(e->arena, strbuf_text(&names));
    strbuf_free(&names);
    if (selection->count == 0 && options->kernel_count == 0 && selection->jit_count == 1) {
        selection->defs[selection->count++] = selection->only_jit;
    }
}

// Checks the name of an entry point: the kernel's, or the one given in the options. PTX identifiers allow
// ASCII letters, digits and _, and reserve "_" and "WARP_SZ". All targets follow this rule, so that a kernel
// has one name everywhere.
static bool check_name(struct emitter *e, const struct function_def *def, const char *given) {
    static const char *const taken[] = {"_", "WARP_SZ"};
    const char *name = given ? given : def->name;
    bool fits = !isdigit((unsigned char)*name) && *name;
    for (const char *c = name; *c; c++) {
        fits &= isalnum((unsigned char)*c) || *c == '_';
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        fits &= strcmp(name, taken[i]) != 0;
    }
    if (!fits) {
        emit_error(
            e, def->name_location,
            "kernel %s cannot be an entry point: its name has to be ASCII letters, digits and _, and neither "
            "\"_\" nor \"WARP_SZ\"; rename it",
            name);
    }
    return fits;
}

// ---- syntax errors ----

// True if the name is a kernel of the file: a @triton.jit function, or a function requested by the options.
static bool is_kernel_name(struct emitter *e, struct file_scope *file, const struct frontend_options *options,
                           const char *name) {
    for (struct binding_site *site = file_site(file, name); site; site = file_site_before(file, site)) {
        if (site->stmt->kind == STMT_FUNCTION && decorators_have_jit(e, file, site->stmt->function)) {
            return true;
        }
    }
    return is_asked_for(options, name);
}

// True if the unparsed statement contains @triton.jit or a kernel's name: without it a kernel or its launcher
// would be missing.
static bool concerns_kernel(struct emitter *e, struct file_scope *file,
                            const struct frontend_options *options, const struct stmt *stmt) {
    for (size_t i = 0; i < stmt->unparsed.mention_count; i++) {
        const struct mentioned_name *name = &stmt->unparsed.mentions[i];
        if (name->in_decorator ? strcmp(name->text, "jit") == 0
                               : is_kernel_name(e, file, options, name->text)) {
            return true;
        }
    }
    return false;
}

// Reports unparsed statements of the module and its classes: errors if they concern a kernel, else warnings.
// If a kernel later refers to one of them, that is an error. Returns the first fault; NULL if the whole file
// parses.
static const struct syntax_fault *report_faults(struct emitter *e, struct file_scope *file,
                                                const struct frontend_options *options,
                                                const struct stmt_list *list) {
    const struct syntax_fault *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct stmt *stmt = list->items[i];
        const struct syntax_fault *fault = NULL;
        if (stmt->kind == STMT_CLASS) {
            fault = report_faults(e, file, options, &stmt->class_->body);
        } else if (stmt->kind == STMT_UNPARSED && concerns_kernel(e, file, options, stmt)) {
            fault = stmt->unparsed.fault;
            emit_fault(e, fault);
        } else if (stmt->kind == STMT_UNPARSED) {
            fault = stmt->unparsed.fault;
            diag_warning(e->diag, WARNING_UNPARSED, fault->location,
                         "this statement does not parse and is left out: %s", fault->message);
        } else if (stmt->kind == STMT_FUNCTION && stmt->function->fault &&
                   !decorators_have_jit(e, file, stmt->function)) {
            fault = stmt->function->fault;
            diag_warning(e->diag, WARNING_UNPARSED, fault->location,
                         "function %s does not parse and is left out: %s", stmt->function->name,
                         fault->message);
        }
        first = first ? first : fault;
    }
    return first;
}

// Searches nested statements for a function: in branches, other functions and classes.
static const struct function_def *function_within(const struct stmt_list *list, const char *name) {
    const struct function_def *found = NULL;
    for (size_t i = 0; i < list->count && !found; i++) {
        const struct stmt *stmt = list->items[i];
        const struct stmt_list *inner[3] = {NULL};
        switch (stmt->kind) {
        case STMT_FUNCTION:
            found = strcmp(stmt->function->name, name) == 0 ? stmt->function : NULL;
            inner[0] = &stmt->function->body;
            break;
        case STMT_CLASS:
            inner[0] = &stmt->class_->body;
            break;
        case STMT_IF:
            inner[0] = &stmt->if_else.body, inner[1] = &stmt->if_else.orelse;
            break;
        case STMT_WITH:
            inner[0] = &stmt->with.body;
            break;
        case STMT_TRY:
            inner[0] = &stmt->try_block.body, inner[1] = &stmt->try_block.orelse;
            inner[2] = stmt->try_block.handler_count ? &stmt->try_block.handlers[0].body : NULL;
            break;
        default:
            break;
        }
        for (size_t k = 0; k < 3 && !found; k++) {
            found = inner[k] ? function_within(inner[k], name) : NULL;
        }
    }
    return found;
}

static void report_missing(struct emitter *e, struct location whole, struct file_scope *file,
                           const struct selection *selection, const char *name) {
    const struct function_def *within = function_within(&file->ast->body, name);
    if (within) {
        emit_error(e, within->name_location,
                   "%s is no @triton.jit function of the module as far as this compiler can tell: it has no "
                   "such decorator, or is "
                   "in a function, a class or a branch that is not taken; move it to the top",
                   name);
        return;
    }
    struct nearest nearest = {.text = name};
    for (size_t i = 0; i < file->site_count; i++) {
        const struct stmt *stmt = file->sites[i].stmt;
        if (stmt->kind == STMT_FUNCTION && decorators_have_jit(e, file, stmt->function)) {
            nearest_offer(&nearest, file->sites[i].name);
        }
    }
    diag_usage(e->diag);
    emit_unknown(e, whole, &nearest, "there is no @triton.jit function %s here%s%s", name,
                 selection->jit_count ? "; there are: " : "", selection->jit_names);
}

static bool check_selection(struct emitter *e, struct file_scope *file,
                            const struct frontend_options *options, const struct selection *selection,
                            const struct syntax_fault *fault) {
    struct location whole = {.source = file->ast->source};
    for (size_t i = 0; i < options->kernel_count; i++) {
        bool found = false;
        for (size_t j = 0; j < selection->count; j++) {
            found = found || strcmp(selection->defs[j]->name, options->kernels[i]) == 0;
        }
        if (!found) {
            report_missing(e, whole, file, selection, options->kernels[i]);
            return false;
        }
    }
    if (selection->jit_count == 0 && fault) {
        emit_error(e, whole,
                   "there is no @triton.jit function here; line %u is the first that does not parse",
                   fault->location.line);
        return false;
    }
    if (selection->jit_count == 0) {
        emit_error(e, whole, "there is no @triton.jit function here");
        return false;
    }
    if (selection->count == 0) {
        emit_error(e, whole,
                   "no function says that it is a kernel (by types as string annotations or by NAME.grid); "
                   "choose one "
                   "with --kernel and give its types with --signature; there are: %s",
                   selection->jit_names);
        return false;
    }
    if ((options->signature || options->grid) && selection->count > 1) {
        emit_usage(e, whole,
                   "--signature and --grid are for one kernel, and there are %zu; choose one with --kernel",
                   selection->count);
        return false;
    }
    if (options->entry_name && selection->count > 1) {
        emit_usage(e, whole, "--out-name is for one kernel, and there are %zu; choose one with --kernel",
                   selection->count);
        return false;
    }
    return true;
}

// Checks that every -D names a parameter of some kernel.
static bool check_defines(struct emitter *e, const struct frontend *frontend, const struct source *source,
                          const struct frontend_options *options) {
    for (size_t i = 0; i < options->define_count; i++) {
        struct nearest nearest = {.text = options->defines[i].name};
        bool found = false;
        for (size_t k = 0; k < frontend->kernel_count; k++) {
            for (size_t j = 0; j < frontend->kernels[k].param_count; j++) {
                const char *name = frontend->kernels[k].params[j].name;
                found = found || strcmp(name, nearest.text) == 0;
                nearest_offer(&nearest, name);
            }
        }
        if (!found) {
            emit_usage(e, (struct location){.source = source},
                       "-D %s: no kernel here has such a parameter%s%s%s", nearest.text,
                       nearest.name ? "; did you mean " : "", nearest.name ? nearest.name : "",
                       nearest.name ? "?" : "");
            return false;
        }
    }
    return true;
}

// The first paragraph of a body's docstring, on one line; NULL: it has none.
static const char *docstring(struct arena *arena, const struct stmt_list *body) {
    const struct stmt *first = body->count ? body->items[0] : NULL;
    if (!first || first->kind != STMT_EXPR || first->expr->kind != EXPR_STRING ||
        first->expr->string.is_bytes) {
        return NULL;
    }
    struct strbuf text = {0};
    const char *at = first->expr->string.bytes;
    for (at += strspn(at, " \t\r\n"); *at;) {
        size_t word = strcspn(at, " \t\r\n"), blanks = strspn(at + word, " \t\r"),
               lines = at[word + blanks] == '\n';
        strbuf_add_bytes(&text, at, word);
        at += word + blanks + lines;
        at += strspn(at, " \t\r");
        if (lines && *at == '\n') {
            break;
        }
        strbuf_add(&text, *at ? " " : "");
    }
    const char *kept = text.length ? arena_strdup(arena, strbuf_text(&text)) : NULL;
    strbuf_free(&text);
    return kept;
}

// A file's docstring is about its kernel, if there is one.
static void document_kernels(struct frontend *frontend, const struct module *module) {
    const char *doc = docstring(frontend->arena, &module->body);
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        if (strcmp(frontend->kernels[i].function, frontend->kernels[0].function) != 0) {
            return;
        }
    }
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        struct kernel_instance *kernel = &frontend->kernels[i];
        kernel->doc = kernel->doc ? kernel->doc : doc;
    }
}

// Makes the instance of a kernel for one configuration. False after an error.
static bool make_instance(struct emitter *e, const struct frontend_options *options, struct file_scope *file,
                          const struct function_def *def, struct kernel_instance *kernel) {
    *kernel = (struct kernel_instance){.name = def->name,
                                       .function = def->name,
                                       .callee = function_value(e, def, file, NULL).function,
                                       .doc = docstring(e->arena, &def->body),
                                       .config_text = "",
                                       .config_name = "",
                                       .location = def->name_location};
    return check_name(e, def, options->entry_name) && kernel_fix_params(e, options, kernel) &&
           kernel_fix_grid(e, options, kernel, frontend_attribute(e, file->ast, def, "grid")) &&
           kernel_read_tensors(e, kernel, frontend_attribute(e, file->ast, def, "tensors"));
}

// False if flags made the variant equal to an earlier one of its level. A name used before gets a number.
static bool is_new_variant(struct emitter *e, const struct kernel_instance *before, size_t count,
                           struct kernel_instance *kernel) {
    size_t same_name = 0;
    for (size_t i = 0; i < count; i++) {
        if (before[i].level != kernel->level) {
            continue;
        }
        if (strcmp(before[i].config_text, kernel->config_text) == 0) {
            return false;
        }
        same_name += strcmp(before[i].config_name, kernel->config_name) == 0;
    }
    if (same_name) {
        kernel->config_name = arena_printf(e->arena, "%s_no_%u", kernel->config_name, kernel->config);
    }
    return true;
}

// Names a variant by its function and by the differences from other variants: configuration and
// hints.
static const char *variant_name(struct emitter *e, const struct kernel_instance *kernel,
                                const struct kernel_instance *general) {
    const char *config = kernel->config_name;
    if (kernel->level_count == 1) {
        return arena_printf(e->arena, "%s_%s", kernel->function, config);
    }
    const char *level = kernel_level_name(e, kernel, general);
    return arena_printf(e->arena, "%s_%s%s%s", kernel->function, config, *config ? "_" : "", level);
}

// Adds the kernel of a function, or one variant for each of its levels and configurations. False after an
// error.
static bool add_kernel(struct emitter *e, struct frontend *frontend, const struct frontend_options *options,
                       struct file_scope *file, const struct function_def *def) {
    struct frontend_options one = *options;
    struct kernel_instance first;
    one.config = options->every_config ? 0 : options->config;
    one.level = options->every_config ? 0 : options->level;
    if (!make_instance(e, &one, file, def, &first)) {
        return false;
    }
    // Without a grid of its own the kernel has one variant: the caller computes the grid for that tile size.
    bool every = options->every_config && first.grid[0];
    size_t configs = every && first.config_count ? first.config_count : 1, count = 1;
    size_t most = configs * (every ? first.level_count : 1);
    struct kernel_instance *variants = ARENA_ARRAY(e->arena, struct kernel_instance, most);
    variants[0] = first;
    unsigned repeated = 0; // levels equal to an earlier one: no launch would select them
    for (size_t i = 1; i < most; i++) {
        one.config = first.config_count ? (int)(i % configs) : one.config;
        one.level = (unsigned)(i / configs);
        if (!make_instance(e, &one, file, def, &variants[count])) {
            return false;
        }
        if (i % configs == 0 && kernel_level_repeats(variants, count, &variants[count])) {
            repeated++;
            i += configs - 1;
            continue;
        }
        variants[count].level -= repeated;
        count += is_new_variant(e, variants, count, &variants[count]);
    }
    for (size_t i = 0; i < count && every; i++) {
        variants[i].level_count -= repeated;
    }
    struct kernel_instance *all =
        ARENA_ARRAY(e->arena, struct kernel_instance, frontend->kernel_count + count);
    if (frontend->kernel_count) {
        memcpy(all, frontend->kernels, frontend->kernel_count * sizeof *all);
    }
    for (size_t i = 0; i < count; i++) {
        if (options->entry_name) {
            variants[i].name = options->entry_name;
        } else if (count > 1) {
            variants[i].name = variant_name(e, &variants[i], &variants[count - 1]);
            for (size_t j = 0; j < i; j++) {
                if (strcmp(variants[i].name, variants[j].name) == 0) {
                    variants[i].name = arena_printf(e->arena, "%s_no_%zu", variants[i].name, i);
                }
            }
        }
        all[frontend->kernel_count++] = variants[i];
    }
    frontend->kernels = all;
    return true;
}

// A variant may have the name of another kernel.
static bool check_entries(struct emitter *e, const struct frontend *frontend) {
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        const struct kernel_instance *kernel = &frontend->kernels[i];
        for (size_t j = 0; j < i; j++) {
            const struct kernel_instance *other = &frontend->kernels[j];
            if (strcmp(kernel->name, other->name) == 0) {
                emit_error(e, kernel->location,
                           "kernels \"%s\" and \"%s\" would both have an entry point %s; rename one, or "
                           "compile them "
                           "apart with --kernel",
                           other->function, kernel->function, kernel->name);
                return false;
            }
        }
    }
    return true;
}

struct frontend *frontend_load(struct arena *arena, struct diag *diag, const struct source *source,
                               const struct frontend_options *options) {
    struct frontend *frontend = ARENA_NEW(arena, struct frontend);
    *frontend = (struct frontend){.arena = arena,
                                  .diag = diag,
                                  .program = program_create(arena, diag, builtin_table),
                                  .c_name = options->c_name,
                                  .asserts = options->asserts,
                                  .pads = options->pads,
                                  .shows = options->shows};
    if (options->language && !language_parse(options->language, &frontend->program->language)) {
        diag_error(diag, (struct location){0}, "--language=%s: Triton's language is %s here",
                   options->language, language_versions(arena));
        return NULL;
    }
    frontend->program->folders = options->folders;
    frontend->program->folder_count = options->folder_count;
    frontend->program->memory_files = options->files;
    frontend->program->memory_file_count = options->file_count;
    struct file_scope *file = options->parsed ? program_add_module(frontend->program, options->parsed, NULL)
                                              : program_add_source(frontend->program, source, NULL);
    if (!file) {
        return NULL;
    }
    if (frontend->shows) {
        frontend->shows->arena = arena;
        frontend->shows->items = NULL;
        frontend->shows->count = frontend->shows->room = 0;
        frontend->shows->source = file->source;
    }
    struct emitter e = program_emitter(frontend->program);
    e.target = options->target;
    struct call_frame frame = {.file = file, .scope = scope_inside(&e, NULL)};
    enter_frame(&e, &frame);
    struct selection selection = {0};
    const struct syntax_fault *fault = report_faults(&e, file, options, &file->ast->body);
    select_kernels(&e, file, options, &selection);
    if (!diag_checkpoint(diag) || !check_selection(&e, file, options, &selection, fault)) {
        return NULL;
    }
    bool ok = true;
    for (size_t i = 0; i < selection.count; i++) {
        ok = add_kernel(&e, frontend, options, file, selection.defs[i]) && ok;
    }
    document_kernels(frontend, file->ast);
    // A single kernel: the entries, defines and chains of the others have been checked already.
    return ok && (options->entry_name ||
                  (check_entries(&e, frontend) && check_defines(&e, frontend, source, options) &&
                   frontend_read_chains(&e, frontend, file)))
               ? frontend
               : NULL;
}

struct diag *frontend_hear(struct frontend *frontend, struct diag *diag) {
    struct diag *before = frontend->diag;
    frontend->diag = frontend->program->diag = diag;
    return before;
}

void frontend_keep(struct frontend *frontend, const char *function) {
    size_t kept = 0;
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        if (strcmp(frontend->kernels[i].function, function) == 0) {
            frontend->kernels[kept++] = frontend->kernels[i];
        }
    }
    frontend->kernel_count = kept;
}

bool frontend_contracts(const struct frontend *frontend) {
    struct emitter e = program_emitter(frontend->program);
    e.language = frontend->program->files[0]->language;
    return !language_has(&e, LANGUAGE_NO_CONTRACTION);
}

const struct module *frontend_parsed(const struct frontend *frontend) {
    return frontend->program->files[0]->ast;
}

const char **frontend_dependencies(struct frontend *frontend, size_t *count) {
    struct program *program = frontend->program;
    const char **paths = ARENA_ARRAY(frontend->arena, const char *, program->file_count + 1);
    *count = 0;
    for (size_t i = 0; i < program->file_count; i++) {
        if (!program->files[i]->library && !program->files[i]->source->is_stdin) {
            paths[(*count)++] = program->files[i]->source->path;
        }
    }
    return paths;
}

const char *const *frontend_absent(const struct frontend *frontend, size_t *count) {
    *count = frontend->program->absent_count;
    return frontend->program->absent;
}
