// Parser: statements of one line, and type parameter lists.
#include "frontend/syntax/parser_internal.h"

struct stmt *parser_new_stmt(struct parser *parser, enum stmt_kind kind) {
    struct stmt *stmt = ARENA_NEW(parser->arena, struct stmt);
    stmt->kind = kind;
    stmt->location = parser_location_of(parser, parser->token);
    return stmt;
}

static bool at_statement_end(const struct parser *parser) {
    return parser_at(parser, TOK_NEWLINE) || parser_at(parser, TOK_SEMICOLON);
}

// ---- imports ----

// a.b.c as one string.
static const char *parse_dotted_name(struct parser *parser) {
    const char *name = parser_expect_name(parser);
    while (parser_take(parser, TOK_DOT)) {
        const char *next = parser_expect_name(parser);
        name = arena_printf(parser->arena, "%s.%s", name, next);
    }
    return name;
}

static struct import_alias parse_alias(struct parser *parser, bool dotted) {
    const struct token *start = parser->token;
    struct import_alias alias = {.name = dotted ? parse_dotted_name(parser) : parser_expect_name(parser)};
    alias.location = parser_location_since(parser, start);
    if (parser_take(parser, TOK_AS)) {
        alias.as_name = parser_expect_name(parser);
    }
    return alias;
}

static struct stmt *parse_import(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_IMPORT);
    parser->token++;
    do {
        struct import_alias alias = parse_alias(parser, true);
        APPEND(parser, stmt->import.names, stmt->import.count, alias);
    } while (parser_take(parser, TOK_COMMA));
    return stmt;
}

static void parse_imported_names(struct parser *parser, struct stmt *stmt) {
    const struct token *start = parser->token;
    if (parser_take(parser, TOK_STAR)) {
        APPEND(parser, stmt->import_from.names, stmt->import_from.count,
               (struct import_alias){.name = "*", .location = parser_location_of(parser, start)});
        return;
    }
    bool grouped = parser_take(parser, TOK_LPAREN);
    do {
        if (grouped && stmt->import_from.count && parser_at(parser, TOK_RPAREN)) {
            break;
        }
        struct import_alias alias = parse_alias(parser, false);
        APPEND(parser, stmt->import_from.names, stmt->import_from.count, alias);
    } while (parser_take(parser, TOK_COMMA));
    if (grouped) {
        parser_expect(parser, TOK_RPAREN);
    }
}

static struct stmt *parse_import_from(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_IMPORT_FROM);
    parser->token++;
    for (;;) {
        if (parser_take(parser, TOK_DOT)) {
            stmt->import_from.level += 1;
        } else if (parser_take(parser, TOK_ELLIPSIS)) {
            stmt->import_from.level += 3;
        } else {
            break;
        }
    }
    if (!stmt->import_from.level || !parser_at(parser, TOK_IMPORT)) {
        stmt->import_from.module = parse_dotted_name(parser);
    }
    parser_expect(parser, TOK_IMPORT);
    parse_imported_names(parser, stmt);
    return stmt;
}

// ---- keyword statements ----

static struct stmt *parse_return(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_RETURN);
    parser->token++;
    if (!at_statement_end(parser)) {
        stmt->return_value.value = parse_star_expressions(parser);
    }
    return stmt;
}

static struct stmt *parse_raise(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_RAISE);
    parser->token++;
    if (at_statement_end(parser)) {
        return stmt;
    }
    stmt->raise.exception = parse_expression(parser);
    if (parser_take(parser, TOK_FROM)) {
        stmt->raise.cause = parse_expression(parser);
    }
    return stmt;
}

static struct stmt *parse_assert(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_ASSERT);
    parser->token++;
    stmt->assertion.test = parse_named_expression(parser);
    if (parser_take(parser, TOK_COMMA)) {
        stmt->assertion.message = parse_named_expression(parser);
    }
    return stmt;
}

static struct stmt *parse_scope(struct parser *parser, enum stmt_kind kind) {
    struct stmt *stmt = parser_new_stmt(parser, kind);
    parser->token++;
    do {
        const char *name = parser_expect_name(parser);
        APPEND(parser, stmt->scope.names, stmt->scope.count, name);
    } while (parser_take(parser, TOK_COMMA));
    return stmt;
}

static struct stmt *parse_delete(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_DELETE);
    parser->token++;
    do {
        if (stmt->targets.count && at_statement_end(parser)) {
            break;
        }
        struct expr *target = parse_bit_or(parser);
        parser_check_target(parser, target);
        parser_append_expr(parser, &stmt->targets, target);
    } while (parser_take(parser, TOK_COMMA));
    return stmt;
}

static struct stmt *parse_keyword_alone(struct parser *parser, enum stmt_kind kind) {
    struct stmt *stmt = parser_new_stmt(parser, kind);
    parser->token++;
    return stmt;
}

// ---- type parameters ----

static struct type_param parse_type_param(struct parser *parser) {
    struct type_param param = {0};
    if (parser_take(parser, TOK_STAR)) {
        param.stars = 1;
    } else if (parser_take(parser, TOK_DOUBLE_STAR)) {
        param.stars = 2;
    }
    param.location = parser_location_of(parser, parser->token);
    param.name = parser_expect_name(parser);
    if (param.stars == 0 && parser_take(parser, TOK_COLON)) {
        param.bound = parse_expression(parser);
    }
    if (parser_take(parser, TOK_ASSIGN)) {
        param.default_value = parse_element(parser);
    }
    return param;
}

struct type_param_list parse_type_params(struct parser *parser) {
    struct type_param_list list = {0};
    if (!parser_take(parser, TOK_LBRACKET)) {
        return list;
    }
    do {
        if (list.count && parser_at(parser, TOK_RBRACKET)) {
            break;
        }
        struct type_param param = parse_type_param(parser);
        APPEND(parser, list.items, list.count, param);
    } while (parser_take(parser, TOK_COMMA));
    parser_expect(parser, TOK_RBRACKET);
    return list;
}

// `type` is a keyword only if a name follows it.
static bool at_type_alias(const struct parser *parser) {
    return parser_at_soft_keyword(parser, "type") && parser->token[1].kind == TOK_NAME;
}

static struct stmt *parse_type_alias(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_TYPE_ALIAS);
    parser->token++;
    stmt->type_alias.name = parser_expect_name(parser);
    stmt->type_alias.type_params = parse_type_params(parser);
    parser_expect(parser, TOK_ASSIGN);
    stmt->type_alias.value = parse_expression(parser);
    return stmt;
}

// ---- assignments and expressions ----

static bool augmented_op(enum token_kind kind, enum binary_op *op) {
    static const signed char table[TOK_COUNT] = {
        [TOK_PLUS_ASSIGN] = BINARY_ADD + 1,
        [TOK_MINUS_ASSIGN] = BINARY_SUB + 1,
        [TOK_STAR_ASSIGN] = BINARY_MUL + 1,
        [TOK_SLASH_ASSIGN] = BINARY_DIV + 1,
        [TOK_DOUBLE_SLASH_ASSIGN] = BINARY_FLOOR_DIV + 1,
        [TOK_PERCENT_ASSIGN] = BINARY_MOD + 1,
        [TOK_DOUBLE_STAR_ASSIGN] = BINARY_POW + 1,
        [TOK_AT_ASSIGN] = BINARY_MATMUL + 1,
        [TOK_SHIFT_LEFT_ASSIGN] = BINARY_SHL + 1,
        [TOK_SHIFT_RIGHT_ASSIGN] = BINARY_SHR + 1,
        [TOK_AMPERSAND_ASSIGN] = BINARY_AND + 1,
        [TOK_PIPE_ASSIGN] = BINARY_OR + 1,
        [TOK_CARET_ASSIGN] = BINARY_XOR + 1,
    };
    if (!table[kind]) {
        return false;
    }
    *op = (enum binary_op)(table[kind] - 1);
    return true;
}

static bool is_single_target(const struct expr *expr) {
    return expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_SUBSCRIPT;
}

static void check_single_target(struct parser *parser, const struct expr *target, const char *what) {
    if (!is_single_target(target)) {
        parser_fault(parser, target->location, "%s needs a name, an attribute or a subscript on its left",
                     what);
    }
}

static void parse_assign(struct parser *parser, struct stmt *stmt, struct expr *first) {
    struct expr *value = first;
    stmt->kind = STMT_ASSIGN;
    while (parser_take(parser, TOK_ASSIGN)) {
        if (value->kind == EXPR_STARRED) {
            parser_fault(parser, value->location, "a starred target needs a tuple or list around it");
        }
        parser_check_target(parser, value);
        parser_append_expr(parser, &stmt->assign.targets, value);
        value = parse_star_or_yield(parser);
    }
    stmt->assign.value = value;
}

static struct stmt *parse_expression_statement(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_EXPR);
    struct expr *first = parse_star_or_yield(parser);
    enum binary_op op;
    if (parser_at(parser, TOK_ASSIGN)) {
        parse_assign(parser, stmt, first);
    } else if (augmented_op(parser->token->kind, &op)) {
        check_single_target(parser, first, "an augmented assignment");
        parser->token++;
        stmt->kind = STMT_AUGMENTED_ASSIGN;
        stmt->augmented.target = first;
        stmt->augmented.op = op;
        stmt->augmented.value = parse_star_or_yield(parser);
    } else if (parser_take(parser, TOK_COLON)) {
        check_single_target(parser, first, "an annotation");
        stmt->kind = STMT_ANNOTATED_ASSIGN;
        stmt->annotated.target = first;
        stmt->annotated.annotation = parse_expression(parser);
        if (parser_take(parser, TOK_ASSIGN)) {
            stmt->annotated.value = parse_star_or_yield(parser);
        }
    } else {
        stmt->expr = first;
    }
    return stmt;
}

static struct stmt *parse_simple_statement(struct parser *parser) {
    switch (parser->token->kind) {
    case TOK_PASS:
        return parse_keyword_alone(parser, STMT_PASS);
    case TOK_BREAK:
        return parse_keyword_alone(parser, STMT_BREAK);
    case TOK_CONTINUE:
        return parse_keyword_alone(parser, STMT_CONTINUE);
    case TOK_RETURN:
        return parse_return(parser);
    case TOK_RAISE:
        return parse_raise(parser);
    case TOK_ASSERT:
        return parse_assert(parser);
    case TOK_DEL:
        return parse_delete(parser);
    case TOK_IMPORT:
        return parse_import(parser);
    case TOK_FROM:
        return parse_import_from(parser);
    case TOK_GLOBAL:
        return parse_scope(parser, STMT_GLOBAL);
    case TOK_NONLOCAL:
        return parse_scope(parser, STMT_NONLOCAL);
    default:
        return at_type_alias(parser) ? parse_type_alias(parser) : parse_expression_statement(parser);
    }
}

void parse_simple_statements(struct parser *parser, struct stmt_list *list) {
    do {
        const struct token *start = parser->token;
        struct stmt *stmt = parse_simple_statement(parser);
        stmt->location = parser_location_since(parser, start);
        APPEND(parser, list->items, list->count, stmt);
    } while (parser_take(parser, TOK_SEMICOLON) && !parser_at(parser, TOK_NEWLINE));
    parser_expect(parser, TOK_NEWLINE);
}
