// The syntax tree as S-expressions: one line a statement, blocks indented, expressions inline, and the
// location of each statement (line:column+length) before it. An absent child is written ().
#include "frontend/syntax/ast_dump.h"

#include <stdarg.h>

struct dump {
    struct strbuf *buf;
    unsigned indent;
};

static void dump_expr(struct dump *dump, const struct expr *expr);
static void dump_block(struct dump *dump, const struct stmt_list *list);

static void add(struct dump *dump, const char *text) {
    strbuf_add(dump->buf, text);
}

// ---- expressions ----

static void dump_quoted(struct dump *dump, const char *bytes, size_t length) {
    strbuf_add_char(dump->buf, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\') {
            strbuf_printf(dump->buf, "\\%c", c);
        } else if (c == '\n') {
            add(dump, "\\n");
        } else if (c < ' ' || c >= 0x7f) {
            strbuf_printf(dump->buf, "\\x%02x", c);
        } else {
            strbuf_add_char(dump->buf, (char)c);
        }
    }
    strbuf_add_char(dump->buf, '"');
}

static void dump_integer(struct dump *dump, const struct expr *expr) {
    if (expr->integer.overflow) {
        strbuf_printf(dump->buf, "(int %s)", expr->integer.text);
        return;
    }
    char digits[48];
    size_t start = sizeof digits - 1;
    digits[start] = '\0';
    __extension__ unsigned __int128 value = expr->integer.value;
    do {
        digits[--start] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    add(dump, digits + start);
}

static void dump_fstring(struct dump *dump, const struct expr *expr) {
    add(dump, "(fstring");
    for (size_t i = 0; i < expr->fstring.count; i++) {
        const struct fstring_part *part = &expr->fstring.parts[i];
        strbuf_add_char(dump->buf, ' ');
        if (!part->value) {
            dump_quoted(dump, part->text, part->length);
            continue;
        }
        add(dump, "(field ");
        dump_expr(dump, part->value);
        if (part->text) {
            add(dump, " = ");
            dump_quoted(dump, part->text, part->length);
        }
        if (part->conversion) {
            strbuf_printf(dump->buf, " !%c", part->conversion);
        }
        if (part->format) {
            add(dump, " : ");
            dump_expr(dump, part->format);
        }
        strbuf_add_char(dump->buf, ')');
    }
    strbuf_add_char(dump->buf, ')');
}

static void dump_each(struct dump *dump, const struct expr_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        strbuf_add_char(dump->buf, ' ');
        dump_expr(dump, list->items[i]);
    }
}

// Adds "(head a b …)".
static void dump_form(struct dump *dump, const char *head, size_t count, ...) {
    va_list args;
    va_start(args, count);
    strbuf_printf(dump->buf, "(%s", head);
    for (size_t i = 0; i < count; i++) {
        strbuf_add_char(dump->buf, ' ');
        dump_expr(dump, va_arg(args, const struct expr *));
    }
    strbuf_add_char(dump->buf, ')');
    va_end(args);
}

static void dump_list_form(struct dump *dump, const char *head, const struct expr_list *list) {
    strbuf_printf(dump->buf, "(%s", head);
    dump_each(dump, list);
    strbuf_add_char(dump->buf, ')');
}

static void dump_keywords(struct dump *dump, const struct keyword *keywords, size_t count) {
    for (size_t i = 0; i < count; i++) {
        strbuf_printf(dump->buf, " %s%s", keywords[i].name ? keywords[i].name : "**",
                      keywords[i].name ? "=" : "");
        dump_expr(dump, keywords[i].value);
    }
}

static void dump_parameters(struct dump *dump, const struct parameter_list *list) {
    static const char *const kinds[] = {[PARAMETER_POSITIONAL_ONLY] = "positional-only ",
                                        [PARAMETER_NORMAL] = "",
                                        [PARAMETER_VARARGS] = "*",
                                        [PARAMETER_KEYWORD_ONLY] = "keyword-only ",
                                        [PARAMETER_KWARGS] = "**"};
    strbuf_add_char(dump->buf, '(');
    for (size_t i = 0; i < list->count; i++) {
        const struct parameter *parameter = &list->items[i];
        strbuf_printf(dump->buf, "%s(%s%s", i ? " " : "", kinds[parameter->kind], parameter->name);
        if (parameter->annotation) {
            add(dump, " : ");
            dump_expr(dump, parameter->annotation);
        }
        if (parameter->default_value) {
            add(dump, " = ");
            dump_expr(dump, parameter->default_value);
        }
        strbuf_add_char(dump->buf, ')');
    }
    strbuf_add_char(dump->buf, ')');
}

static void dump_comprehension(struct dump *dump, const struct expr *expr) {
    static const char *const kinds[] = {[COMPREHENSION_GENERATOR] = "generator",
                                        [COMPREHENSION_LIST] = "list",
                                        [COMPREHENSION_SET] = "set",
                                        [COMPREHENSION_DICT] = "dict"};
    strbuf_printf(dump->buf, "(%s-comprehension ", kinds[expr->comprehension.kind]);
    dump_expr(dump, expr->comprehension.element);
    if (expr->comprehension.value) {
        add(dump, " : ");
        dump_expr(dump, expr->comprehension.value);
    }
    for (size_t i = 0; i < expr->comprehension.clause_count; i++) {
        const struct comprehension_clause *clause = &expr->comprehension.clauses[i];
        add(dump, clause->is_async ? " (async-for " : " (for ");
        dump_expr(dump, clause->target);
        strbuf_add_char(dump->buf, ' ');
        dump_expr(dump, clause->iterable);
        dump_each(dump, &clause->conditions);
        strbuf_add_char(dump->buf, ')');
    }
    strbuf_add_char(dump->buf, ')');
}

static void dump_dict(struct dump *dump, const struct expr *expr) {
    add(dump, "(dict");
    for (size_t i = 0; i < expr->dict.count; i++) {
        const struct dict_item *item = &expr->dict.items[i];
        strbuf_add_char(dump->buf, ' ');
        if (item->key) {
            dump_form(dump, ":", 2, item->key, item->value);
        } else {
            dump_form(dump, "**", 1, item->value);
        }
    }
    strbuf_add_char(dump->buf, ')');
}

static void dump_compare(struct dump *dump, const struct expr *expr) {
    add(dump, "(compare ");
    dump_expr(dump, expr->compare.first);
    for (size_t i = 0; i < expr->compare.count; i++) {
        strbuf_printf(dump->buf, " %s ", compare_op_text(expr->compare.ops[i]));
        dump_expr(dump, expr->compare.operands[i]);
    }
    strbuf_add_char(dump->buf, ')');
}

static void dump_call(struct dump *dump, const struct expr *expr) {
    add(dump, "(call ");
    dump_expr(dump, expr->call.function);
    dump_each(dump, &expr->call.args);
    dump_keywords(dump, expr->call.keywords, expr->call.keyword_count);
    strbuf_add_char(dump->buf, ')');
}

static void dump_named(struct dump *dump, const char *head, const struct expr *child, const char *name) {
    strbuf_printf(dump->buf, "(%s ", head);
    dump_expr(dump, child);
    strbuf_printf(dump->buf, " %s)", name);
}

static void dump_atom(struct dump *dump, const struct expr *expr) {
    switch (expr->kind) {
    case EXPR_NAME:
        add(dump, expr->name.id);
        break;
    case EXPR_INT:
        dump_integer(dump, expr);
        break;
    case EXPR_FLOAT:
        strbuf_printf(dump->buf, "(float %.17g)", expr->number.value);
        break;
    case EXPR_IMAGINARY:
        strbuf_printf(dump->buf, "(imaginary %.17g)", expr->number.value);
        break;
    case EXPR_STRING:
        add(dump, expr->string.is_bytes ? "b" : "");
        dump_quoted(dump, expr->string.bytes, expr->string.length);
        break;
    case EXPR_FSTRING:
        dump_fstring(dump, expr);
        break;
    case EXPR_TRUE:
        add(dump, "True");
        break;
    case EXPR_FALSE:
        add(dump, "False");
        break;
    case EXPR_NONE:
        add(dump, "None");
        break;
    default:
        add(dump, "...");
        break;
    }
}

static void dump_expr(struct dump *dump, const struct expr *expr) {
    if (!expr) {
        add(dump, "()");
        return;
    }
    switch (expr->kind) {
    case EXPR_TUPLE:
        dump_list_form(dump, "tuple", &expr->elements);
        break;
    case EXPR_LIST:
        dump_list_form(dump, "list", &expr->elements);
        break;
    case EXPR_SET:
        dump_list_form(dump, "set", &expr->elements);
        break;
    case EXPR_DICT:
        dump_dict(dump, expr);
        break;
    case EXPR_UNARY:
        dump_form(dump, unary_op_text(expr->unary.op), 1, expr->unary.operand);
        break;
    case EXPR_BINARY:
        dump_form(dump, binary_op_text(expr->binary.op), 2, expr->binary.left, expr->binary.right);
        break;
    case EXPR_COMPARE:
        dump_compare(dump, expr);
        break;
    case EXPR_BOOL:
        dump_list_form(dump, bool_op_text(expr->boolean.op), &expr->boolean.values);
        break;
    case EXPR_CALL:
        dump_call(dump, expr);
        break;
    case EXPR_ATTRIBUTE:
        dump_named(dump, ".", expr->attribute.object, expr->attribute.name);
        break;
    case EXPR_SUBSCRIPT:
        dump_form(dump, "index", 2, expr->subscript.object, expr->subscript.index);
        break;
    case EXPR_SLICE:
        dump_form(dump, "slice", 3, expr->slice.lower, expr->slice.upper, expr->slice.step);
        break;
    case EXPR_LAMBDA:
        add(dump, "(lambda ");
        dump_parameters(dump, &expr->lambda.params);
        strbuf_add_char(dump->buf, ' ');
        dump_expr(dump, expr->lambda.body);
        strbuf_add_char(dump->buf, ')');
        break;
    case EXPR_TERNARY:
        dump_form(dump, "if", 3, expr->ternary.test, expr->ternary.then_value, expr->ternary.else_value);
        break;
    case EXPR_WALRUS:
        strbuf_printf(dump->buf, "(:= %s ", expr->walrus.name);
        dump_expr(dump, expr->walrus.value);
        strbuf_add_char(dump->buf, ')');
        break;
    case EXPR_COMPREHENSION:
        dump_comprehension(dump, expr);
        break;
    case EXPR_AWAIT:
        dump_form(dump, "await", 1, expr->operand);
        break;
    case EXPR_YIELD:
        dump_form(dump, "yield", 1, expr->operand);
        break;
    case EXPR_YIELD_FROM:
        dump_form(dump, "yield-from", 1, expr->operand);
        break;
    case EXPR_STARRED:
        dump_form(dump, "star", 1, expr->operand);
        break;
    case EXPR_AS_PATTERN:
        dump_named(dump, "as", expr->as_pattern.pattern, expr->as_pattern.name);
        break;
    default:
        dump_atom(dump, expr);
        break;
    }
}

// ---- statements ----

static void begin_line(struct dump *dump) {
    for (unsigned i = 0; i < dump->indent; i++) {
        add(dump, "  ");
    }
}

static void add_line(struct dump *dump, const char *text) {
    begin_line(dump);
    strbuf_printf(dump->buf, "%s\n", text);
}

// "name" on a line of its own, then the block.
static void dump_clause(struct dump *dump, const char *name, const struct stmt_list *list) {
    if (!list->count) {
        return;
    }
    add_line(dump, name);
    dump_block(dump, list);
}

static void dump_decorators(struct dump *dump, const struct expr_list *decorators) {
    for (size_t i = 0; i < decorators->count; i++) {
        add(dump, " @");
        dump_expr(dump, decorators->items[i]);
    }
}

static void dump_type_params(struct dump *dump, const struct type_param_list *list) {
    static const char *const stars[] = {"", "*", "**"};
    for (size_t i = 0; i < list->count; i++) {
        strbuf_printf(dump->buf, " (type-param %s%s", stars[list->items[i].stars], list->items[i].name);
        if (list->items[i].bound) {
            add(dump, " : ");
            dump_expr(dump, list->items[i].bound);
        }
        if (list->items[i].default_value) {
            add(dump, " = ");
            dump_expr(dump, list->items[i].default_value);
        }
        strbuf_add_char(dump->buf, ')');
    }
}

static void dump_fault(struct dump *dump, const struct syntax_fault *fault) {
    strbuf_printf(dump->buf, "%u:%u+%u: %s", fault->location.line, fault->location.column,
                  fault->location.length, fault->message);
}

static void dump_function(struct dump *dump, const struct function_def *function) {
    strbuf_printf(dump->buf, "%sfunction %s ", function->is_async ? "async-" : "", function->name);
    dump_parameters(dump, &function->params);
    dump_type_params(dump, &function->type_params);
    if (function->returns) {
        add(dump, " -> ");
        dump_expr(dump, function->returns);
    }
    dump_decorators(dump, &function->decorators);
    if (function->fault) {
        add(dump, " unparsed ");
        dump_fault(dump, function->fault);
    }
    add(dump, "\n");
    dump_block(dump, &function->body);
}

static void dump_class(struct dump *dump, const struct class_def *class_) {
    strbuf_printf(dump->buf, "class %s", class_->name);
    dump_type_params(dump, &class_->type_params);
    dump_each(dump, &class_->bases);
    dump_keywords(dump, class_->keywords, class_->keyword_count);
    dump_decorators(dump, &class_->decorators);
    add(dump, "\n");
    dump_block(dump, &class_->body);
}

static void dump_if(struct dump *dump, const struct stmt *stmt) {
    add(dump, "if ");
    dump_expr(dump, stmt->if_else.test);
    add(dump, "\n");
    dump_block(dump, &stmt->if_else.body);
    dump_clause(dump, "else", &stmt->if_else.orelse);
}

static void dump_for(struct dump *dump, const struct stmt *stmt) {
    strbuf_printf(dump->buf, "%sfor ", stmt->for_loop.is_async ? "async-" : "");
    dump_expr(dump, stmt->for_loop.target);
    add(dump, " in ");
    dump_expr(dump, stmt->for_loop.iterable);
    add(dump, "\n");
    dump_block(dump, &stmt->for_loop.body);
    dump_clause(dump, "else", &stmt->for_loop.orelse);
}

static void dump_while(struct dump *dump, const struct stmt *stmt) {
    add(dump, "while ");
    dump_expr(dump, stmt->while_loop.test);
    add(dump, "\n");
    dump_block(dump, &stmt->while_loop.body);
    dump_clause(dump, "else", &stmt->while_loop.orelse);
}

static void dump_with(struct dump *dump, const struct stmt *stmt) {
    strbuf_printf(dump->buf, "%swith", stmt->with.is_async ? "async-" : "");
    for (size_t i = 0; i < stmt->with.count; i++) {
        strbuf_add_char(dump->buf, ' ');
        dump_form(dump, "as", 2, stmt->with.items[i].context, stmt->with.items[i].target);
    }
    add(dump, "\n");
    dump_block(dump, &stmt->with.body);
}

static void dump_try(struct dump *dump, const struct stmt *stmt) {
    add(dump, "try\n");
    dump_block(dump, &stmt->try_block.body);
    for (size_t i = 0; i < stmt->try_block.handler_count; i++) {
        const struct except_handler *handler = &stmt->try_block.handlers[i];
        begin_line(dump);
        strbuf_printf(dump->buf, "except%s ", stmt->try_block.is_star ? "*" : "");
        dump_expr(dump, handler->type);
        if (handler->name) {
            strbuf_printf(dump->buf, " as %s", handler->name);
        }
        add(dump, "\n");
        dump_block(dump, &handler->body);
    }
    dump_clause(dump, "else", &stmt->try_block.orelse);
    dump_clause(dump, "finally", &stmt->try_block.finally);
}

static void dump_match(struct dump *dump, const struct stmt *stmt) {
    add(dump, "match ");
    dump_expr(dump, stmt->match.subject);
    add(dump, "\n");
    for (size_t i = 0; i < stmt->match.count; i++) {
        const struct match_case *match_case = &stmt->match.cases[i];
        begin_line(dump);
        add(dump, "case ");
        dump_expr(dump, match_case->pattern);
        if (match_case->guard) {
            add(dump, " if ");
            dump_expr(dump, match_case->guard);
        }
        add(dump, "\n");
        dump_block(dump, &match_case->body);
    }
}

static void dump_aliases(struct dump *dump, const struct import_alias *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        strbuf_printf(dump->buf, names[i].as_name ? " (as %s %s)" : " %s", names[i].name, names[i].as_name);
    }
    add(dump, "\n");
}

static void dump_import_from(struct dump *dump, const struct stmt *stmt) {
    add(dump, "from ");
    for (unsigned i = 0; i < stmt->import_from.level; i++) {
        strbuf_add_char(dump->buf, '.');
    }
    strbuf_printf(dump->buf, "%s import", stmt->import_from.module ? stmt->import_from.module : "");
    dump_aliases(dump, stmt->import_from.names, stmt->import_from.count);
}

static void dump_pair(struct dump *dump, const char *head, const struct expr *a, const struct expr *b) {
    dump_form(dump, head, 2, a, b);
    add(dump, "\n");
}

static void dump_one_line(struct dump *dump, const struct stmt *stmt) {
    static const char *const words[] = {[STMT_BREAK] = "break",
                                        [STMT_CONTINUE] = "continue",
                                        [STMT_PASS] = "pass",
                                        [STMT_GLOBAL] = "global",
                                        [STMT_NONLOCAL] = "nonlocal"};
    switch (stmt->kind) {
    case STMT_EXPR:
        dump_expr(dump, stmt->expr);
        break;
    case STMT_ASSIGN:
        dump_list_form(dump, "=", &stmt->assign.targets);
        strbuf_add_char(dump->buf, ' ');
        dump_expr(dump, stmt->assign.value);
        break;
    case STMT_AUGMENTED_ASSIGN:
        strbuf_printf(dump->buf, "(%s= ", binary_op_text(stmt->augmented.op));
        dump_expr(dump, stmt->augmented.target);
        strbuf_add_char(dump->buf, ' ');
        dump_expr(dump, stmt->augmented.value);
        strbuf_add_char(dump->buf, ')');
        break;
    case STMT_ANNOTATED_ASSIGN:
        dump_form(dump, "annotated", 3, stmt->annotated.target, stmt->annotated.annotation,
                  stmt->annotated.value);
        break;
    case STMT_RETURN:
        dump_form(dump, "return", 1, stmt->return_value.value);
        break;
    case STMT_DELETE:
        dump_list_form(dump, "del", &stmt->targets);
        break;
    case STMT_TYPE_ALIAS:
        strbuf_printf(dump->buf, "type %s", stmt->type_alias.name);
        dump_type_params(dump, &stmt->type_alias.type_params);
        strbuf_add_char(dump->buf, ' ');
        dump_expr(dump, stmt->type_alias.value);
        break;
    case STMT_UNPARSED:
        strbuf_printf(dump->buf, "unparsed %s ", stmt->unparsed.name ? stmt->unparsed.name : "()");
        dump_fault(dump, stmt->unparsed.fault);
        break;
    default:
        add(dump, words[stmt->kind]);
        if (stmt->kind == STMT_GLOBAL || stmt->kind == STMT_NONLOCAL) {
            for (size_t i = 0; i < stmt->scope.count; i++) {
                strbuf_printf(dump->buf, " %s", stmt->scope.names[i]);
            }
        }
        break;
    }
    add(dump, "\n");
}

static void dump_stmt(struct dump *dump, const struct stmt *stmt) {
    begin_line(dump);
    strbuf_printf(dump->buf, "%u:%u+%u ", stmt->location.line, stmt->location.column, stmt->location.length);
    switch (stmt->kind) {
    case STMT_IF:
        dump_if(dump, stmt);
        break;
    case STMT_FOR:
        dump_for(dump, stmt);
        break;
    case STMT_WHILE:
        dump_while(dump, stmt);
        break;
    case STMT_ASSERT:
        dump_pair(dump, "assert", stmt->assertion.test, stmt->assertion.message);
        break;
    case STMT_RAISE:
        dump_pair(dump, "raise", stmt->raise.exception, stmt->raise.cause);
        break;
    case STMT_WITH:
        dump_with(dump, stmt);
        break;
    case STMT_TRY:
        dump_try(dump, stmt);
        break;
    case STMT_IMPORT:
        add(dump, "import");
        dump_aliases(dump, stmt->import.names, stmt->import.count);
        break;
    case STMT_IMPORT_FROM:
        dump_import_from(dump, stmt);
        break;
    case STMT_FUNCTION:
        dump_function(dump, stmt->function);
        break;
    case STMT_CLASS:
        dump_class(dump, stmt->class_);
        break;
    case STMT_MATCH:
        dump_match(dump, stmt);
        break;
    default:
        dump_one_line(dump, stmt);
        break;
    }
}

static void dump_block(struct dump *dump, const struct stmt_list *list) {
    dump->indent++;
    for (size_t i = 0; i < list->count; i++) {
        dump_stmt(dump, list->items[i]);
    }
    dump->indent--;
}

void ast_dump(struct strbuf *buf, const struct module *module) {
    struct dump dump = {.buf = buf};
    for (size_t i = 0; i < module->body.count; i++) {
        dump_stmt(&dump, module->body.items[i]);
    }
}
