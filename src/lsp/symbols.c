// Names of a file: one walk over its syntax tree lists each binding: its place, its function, its value.
#include "lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/syntax/parser.h"

static void walk_statements(struct symbols *s, size_t scope, const struct stmt_list *list);
static void walk_expression(struct symbols *s, size_t scope, const struct expr *expr);

static struct binding *bind(struct symbols *s, size_t scope, enum binding_kind kind, const char *name,
                            struct location at) {
    s->bindings = arena_grown(s->arena, s->bindings, s->count, &s->capacity, sizeof *s->bindings);
    struct binding *binding = &s->bindings[s->count++];
    *binding = (struct binding){.kind = kind, .name = name, .at = at, .scope = scope};
    return binding;
}

static void reach(struct symbols *s, size_t scope, unsigned line) {
    for (;; scope = s->scopes[scope].parent) {
        s->scopes[scope].last_line = line > s->scopes[scope].last_line ? line : s->scopes[scope].last_line;
        if (!scope) {
            return;
        }
    }
}

static size_t add_scope(struct symbols *s, size_t parent, const struct function_def *function,
                        unsigned line) {
    s->scopes = arena_grown(s->arena, s->scopes, s->scope_count, &s->scope_capacity, sizeof *s->scopes);
    s->scopes[s->scope_count] = (struct scope){function, parent, line, line};
    return s->scope_count++;
}

// ---- expressions ----

static void bind_target(struct symbols *s, size_t scope, const struct expr *target,
                        const struct expr *value) {
    if (!target) {
        return;
    }
    if (target->kind == EXPR_NAME) {
        bind(s, scope, BINDING_VARIABLE, target->name.id, target->location)->value = value;
    } else if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        bool paired = value && value->kind == EXPR_TUPLE && value->elements.count == target->elements.count;
        for (size_t i = 0; i < target->elements.count; i++) {
            bind_target(s, scope, target->elements.items[i], paired ? value->elements.items[i] : NULL);
        }
    } else if (target->kind == EXPR_STARRED) {
        bind_target(s, scope, target->operand, NULL);
    } else {
        walk_expression(s, scope, target);
    }
}

static void walk_list(struct symbols *s, size_t scope, const struct expr_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        walk_expression(s, scope, list->items[i]);
    }
}

static void walk_call(struct symbols *s, size_t scope, const struct expr *expr) {
    walk_expression(s, scope, expr->call.function);
    walk_list(s, scope, &expr->call.args);
    for (size_t i = 0; i < expr->call.keyword_count; i++) {
        walk_expression(s, scope, expr->call.keywords[i].value);
    }
}

static void walk_expression(struct symbols *s, size_t scope, const struct expr *expr) {
    if (!expr) {
        return;
    }
    reach(s, scope, expr->location.line);
    s->expressions = arena_grown(s->arena, s->expressions, s->expression_count, &s->expression_capacity,
                                 sizeof *s->expressions);
    s->expressions[s->expression_count++] = expr;
    switch (expr->kind) {
    case EXPR_TUPLE:
    case EXPR_LIST:
    case EXPR_SET:
        walk_list(s, scope, &expr->elements);
        break;
    case EXPR_UNARY:
        walk_expression(s, scope, expr->unary.operand);
        break;
    case EXPR_BINARY:
        walk_expression(s, scope, expr->binary.left);
        walk_expression(s, scope, expr->binary.right);
        break;
    case EXPR_COMPARE:
        walk_expression(s, scope, expr->compare.first);
        for (size_t i = 0; i < expr->compare.count; i++) {
            walk_expression(s, scope, expr->compare.operands[i]);
        }
        break;
    case EXPR_BOOL:
        walk_list(s, scope, &expr->boolean.values);
        break;
    case EXPR_CALL:
        walk_call(s, scope, expr);
        break;
    case EXPR_ATTRIBUTE:
        walk_expression(s, scope, expr->attribute.object);
        break;
    case EXPR_SUBSCRIPT:
        walk_expression(s, scope, expr->subscript.object);
        walk_expression(s, scope, expr->subscript.index);
        break;
    case EXPR_SLICE:
        walk_expression(s, scope, expr->slice.lower);
        walk_expression(s, scope, expr->slice.upper);
        walk_expression(s, scope, expr->slice.step);
        break;
    case EXPR_TERNARY:
        walk_expression(s, scope, expr->ternary.test);
        walk_expression(s, scope, expr->ternary.then_value);
        walk_expression(s, scope, expr->ternary.else_value);
        break;
    case EXPR_WALRUS:
        bind(s, scope, BINDING_VARIABLE, expr->walrus.name, expr->location)->value = expr->walrus.value;
        walk_expression(s, scope, expr->walrus.value);
        break;
    case EXPR_STARRED:
        walk_expression(s, scope, expr->operand);
        break;
    default:
        break;
    }
}

// ---- statements ----

static void walk_function(struct symbols *s, size_t scope, const struct function_def *function) {
    bind(s, scope, BINDING_FUNCTION, function->name, function->name_location)->function = function;
    size_t inner = add_scope(s, scope, function, function->name_location.line);
    for (size_t i = 0; i < function->params.count; i++) {
        const struct parameter *parameter = &function->params.items[i];
        bind(s, inner, BINDING_PARAMETER, parameter->name, parameter->location)->parameter = parameter;
        reach(s, inner, parameter->location.line);
    }
    walk_statements(s, inner, &function->body);
}

static void bind_imports(struct symbols *s, size_t scope, const struct stmt *stmt) {
    bool from = stmt->kind == STMT_IMPORT_FROM;
    size_t count = from ? stmt->import_from.count : stmt->import.count;
    for (size_t i = 0; i < count; i++) {
        const struct import_alias *alias = from ? &stmt->import_from.names[i] : &stmt->import.names[i];
        const char *name = alias->as_name ? alias->as_name : alias->name;
        if (!from && !alias->as_name) { // import a.b binds a
            name = arena_strndup(s->arena, name, strcspn(name, "."));
        }
        struct binding *binding = bind(s, scope, BINDING_IMPORT, name, alias->location);
        binding->level = from ? stmt->import_from.level : 0;
        binding->module = from ? stmt->import_from.module : alias->as_name ? alias->name : name;
        binding->member = from ? alias->name : NULL;
    }
}

static void walk_statement(struct symbols *s, size_t scope, const struct stmt *stmt) {
    reach(s, scope, stmt->location.line);
    switch (stmt->kind) {
    case STMT_EXPR:
        walk_expression(s, scope, stmt->expr);
        break;
    case STMT_ASSIGN:
        for (size_t i = 0; i < stmt->assign.targets.count; i++) {
            bind_target(s, scope, stmt->assign.targets.items[i], stmt->assign.value);
        }
        walk_expression(s, scope, stmt->assign.value);
        break;
    case STMT_AUGMENTED_ASSIGN:
        bind_target(s, scope, stmt->augmented.target, NULL);
        walk_expression(s, scope, stmt->augmented.value);
        break;
    case STMT_ANNOTATED_ASSIGN:
        bind_target(s, scope, stmt->annotated.target, stmt->annotated.value);
        walk_expression(s, scope, stmt->annotated.value);
        break;
    case STMT_RETURN:
        walk_expression(s, scope, stmt->return_value.value);
        break;
    case STMT_IF:
        walk_expression(s, scope, stmt->if_else.test);
        walk_statements(s, scope, &stmt->if_else.body);
        walk_statements(s, scope, &stmt->if_else.orelse);
        break;
    case STMT_FOR:
        bind_target(s, scope, stmt->for_loop.target, NULL);
        walk_expression(s, scope, stmt->for_loop.iterable);
        walk_statements(s, scope, &stmt->for_loop.body);
        walk_statements(s, scope, &stmt->for_loop.orelse);
        break;
    case STMT_WHILE:
        walk_expression(s, scope, stmt->while_loop.test);
        walk_statements(s, scope, &stmt->while_loop.body);
        break;
    case STMT_ASSERT:
        walk_expression(s, scope, stmt->assertion.test);
        break;
    case STMT_WITH:
        for (size_t i = 0; i < stmt->with.count; i++) {
            bind_target(s, scope, stmt->with.items[i].target, NULL);
        }
        walk_statements(s, scope, &stmt->with.body);
        break;
    case STMT_TRY:
        walk_statements(s, scope, &stmt->try_block.body);
        for (size_t i = 0; i < stmt->try_block.handler_count; i++) {
            walk_statements(s, scope, &stmt->try_block.handlers[i].body);
        }
        break;
    case STMT_IMPORT:
    case STMT_IMPORT_FROM:
        bind_imports(s, scope, stmt);
        break;
    case STMT_FUNCTION:
        walk_function(s, scope, stmt->function);
        break;
    case STMT_CLASS:
        bind(s, scope, BINDING_CLASS, stmt->class_->name, stmt->class_->name_location);
        walk_statements(s, add_scope(s, scope, NULL, stmt->location.line), &stmt->class_->body);
        break;
    default:
        break;
    }
}

static void walk_statements(struct symbols *s, size_t scope, const struct stmt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        walk_statement(s, scope, list->items[i]);
    }
}

static void drop(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static int compare(const struct binding *a, size_t scope, const char *name, unsigned line) {
    int names = strcmp(a->name, name);
    return a->scope != scope ? (a->scope > scope) - (a->scope < scope)
           : names           ? names
                             : (a->at.line > line) - (a->at.line < line);
}

static int by_scope_name_line(const void *x, const void *y) {
    const struct binding *a = *(const struct binding *const *)x, *b = *(const struct binding *const *)y;
    int order = compare(a, b->scope, b->name, b->at.line);
    return order ? order : (a > b) - (a < b);
}

static void sort(struct symbols *s) {
    s->sorted = ARENA_ARRAY(s->arena, const struct binding *, s->count + 1);
    for (size_t i = 0; i < s->count; i++) {
        s->sorted[i] = &s->bindings[i];
    }
    qsort(s->sorted, s->count, sizeof *s->sorted, by_scope_name_line);
}

void symbols_read(struct arena *arena, const char *path, const char *text, struct symbols *symbols) {
    struct diag diag = {.sink = drop};
    *symbols = (struct symbols){.arena = arena, .source = source_from_text(arena, path, text)};
    add_scope(symbols, 0, NULL, 1);
    if (!lexer_run(arena, &diag, symbols->source, &symbols->tokens)) {
        symbols->tokens = (struct token_list){0};
    }
    symbols->module = parse_module(arena, &diag, symbols->source);
    if (symbols->module) {
        walk_statements(symbols, 0, &symbols->module->body);
    }
    sort(symbols);
}

// ---- queries ----

// Scopes stand in the order of their first lines: the last one begun is the innermost, or stands in it and has ended.
size_t symbols_scope(const struct symbols *symbols, unsigned line) {
    size_t best = 0, end = symbols->scope_count;
    while (end - best > 1) {
        size_t middle = best + (end - best) / 2;
        bool begun = symbols->scopes[middle].first_line <= line;
        best = begun ? middle : best;
        end = begun ? end : middle;
    }
    while (best && symbols->scopes[best].last_line < line) {
        best = symbols->scopes[best].parent;
    }
    return best;
}

// The last binding up to the line; else the first one behind it.
static const struct binding *find_in(const struct symbols *symbols, size_t scope, const char *name,
                                     unsigned line) {
    size_t from = 0, end = symbols->count;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        bool behind = compare(symbols->sorted[middle], scope, name, line) > 0;
        from = behind ? from : middle + 1;
        end = behind ? middle : end;
    }
    for (size_t at = from > 0 ? from - 1 : 0; at < symbols->count && at <= from; at++) {
        const struct binding *binding = symbols->sorted[at];
        if (binding->scope == scope && strcmp(binding->name, name) == 0) {
            return binding;
        }
    }
    return NULL;
}

const struct binding *symbols_find(const struct symbols *symbols, const char *name, unsigned line) {
    for (size_t scope = symbols_scope(symbols, line);; scope = symbols->scopes[scope].parent) {
        const struct binding *found = find_in(symbols, scope, name, line);
        if (found || !scope) {
            return found;
        }
    }
}

bool symbols_is_kernel(const struct function_def *function) {
    for (size_t i = 0; i < function->decorators.count; i++) {
        const struct expr *one = function->decorators.items[i];
        one = one->kind == EXPR_CALL ? one->call.function : one;
        const char *name = one->kind == EXPR_ATTRIBUTE ? one->attribute.name
                           : one->kind == EXPR_NAME    ? one->name.id
                                                       : "";
        if (strcmp(name, "jit") == 0) {
            return true;
        }
    }
    return false;
}

static void add_source(struct strbuf *out, const struct source *source, struct location at) {
    const char *line;
    size_t length = source_line(source, at.line, &line), from = at.column ? at.column - 1 : 0;
    if (from < length) {
        strbuf_add_bytes(out, line + from, at.length < length - from ? at.length : length - from);
    }
}

void signature_add(struct strbuf *out, const struct source *source, const struct function_def *function) {
    static const char *const stars[] = {[PARAMETER_VARARGS] = "*", [PARAMETER_KWARGS] = "**"};
    strbuf_printf(out, "def %s(", function->name);
    for (size_t i = 0; i < function->params.count; i++) {
        const struct parameter *parameter = &function->params.items[i];
        bool starred = parameter->kind == PARAMETER_VARARGS || parameter->kind == PARAMETER_KWARGS;
        strbuf_printf(out, "%s%s%s", i ? ", " : "", starred ? stars[parameter->kind] : "", parameter->name);
        if (parameter->annotation) {
            strbuf_add(out, ": ");
            add_source(out, source, parameter->annotation->location);
        }
        if (parameter->default_value) {
            strbuf_add(out, parameter->annotation ? " = " : "=");
            add_source(out, source, parameter->default_value->location);
        }
    }
    strbuf_add_char(out, ')');
}

bool symbols_is_inner(const struct symbols *symbols, const struct expr *expr) {
    for (size_t i = 0; i < symbols->expression_count; i++) {
        struct location other = symbols->expressions[i]->location;
        if (other.line == expr->location.line && other.column == expr->location.column &&
            other.length > expr->location.length) {
            return true;
        }
    }
    return false;
}

const struct token *symbols_token(const struct symbols *symbols, size_t offset) {
    for (size_t i = 0; i < symbols->tokens.count; i++) {
        const struct token *token = &symbols->tokens.items[i];
        if (token->kind == TOK_NAME && offset >= token->offset &&
            offset <= (size_t)token->offset + token->length) {
            return token;
        }
    }
    return NULL;
}

const char *symbols_dotted(const struct symbols *symbols, const struct token *token) {
    const char *name = arena_strndup(symbols->arena, symbols->source->text + token->offset, token->length);
    while (token >= symbols->tokens.items + 2 && token[-1].kind == TOK_DOT) {
        token -= 2;
        if (token->kind != TOK_NAME) { // x[0].sum, f(x).sum
            return arena_printf(symbols->arena, "?.%s", name);
        }
        name = arena_printf(symbols->arena, "%.*s.%s", (int)token->length,
                            symbols->source->text + token->offset, name);
    }
    return name;
}
