// Parser: statements with blocks.
#include "frontend/syntax/parser_internal.h"

// The statement's location is its header: from the start to the last token taken.
static void set_header(struct parser *parser, struct stmt *stmt, const struct token *start) {
    stmt->location = parser_location_since(parser, start);
}

static struct stmt_list parse_else(struct parser *parser) {
    if (!parser_take(parser, TOK_ELSE)) {
        return (struct stmt_list){0};
    }
    return parse_block(parser);
}

// A loop over the elif branches; each is the only statement in the else branch of the one before.
static struct stmt *parse_if(struct parser *parser) {
    struct stmt *first = NULL;
    struct stmt_list *orelse = NULL;
    for (unsigned branches = 0; !first || parser_at(parser, TOK_ELIF); branches++) {
        const struct token *start = parser->token;
        struct stmt *stmt = parser_new_stmt(parser, STMT_IF);
        if (branches > MAX_ELIF_BRANCHES) {
            parser_fault(parser, stmt->location, "more than %d elif branches", MAX_ELIF_BRANCHES);
        }
        parser->token++;
        stmt->if_else.test = parse_named_expression(parser);
        set_header(parser, stmt, start);
        stmt->if_else.body = parse_block(parser);
        if (first) {
            APPEND(parser, orelse->items, orelse->count, stmt);
        } else {
            first = stmt;
        }
        orelse = &stmt->if_else.orelse;
    }
    *orelse = parse_else(parser);
    return first;
}

static struct stmt *parse_while(struct parser *parser) {
    const struct token *start = parser->token;
    struct stmt *stmt = parser_new_stmt(parser, STMT_WHILE);
    parser->token++;
    stmt->while_loop.test = parse_named_expression(parser);
    set_header(parser, stmt, start);
    stmt->while_loop.body = parse_block(parser);
    stmt->while_loop.orelse = parse_else(parser);
    return stmt;
}

static struct stmt *parse_for(struct parser *parser, const struct token *start) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_FOR);
    parser->token++;
    stmt->for_loop.is_async = start->kind == TOK_ASYNC;
    stmt->for_loop.target = parse_target_list(parser);
    parser_expect(parser, TOK_IN);
    stmt->for_loop.iterable = parse_star_expressions(parser);
    set_header(parser, stmt, start);
    stmt->for_loop.body = parse_block(parser);
    stmt->for_loop.orelse = parse_else(parser);
    return stmt;
}

// ---- with ----

// At '(': true if the parentheses enclose the items themselves, as in `with (a as b, c as d):`; that is, if
// they directly contain an `as` or a comma and a ':' follows.
static bool at_grouped_with_items(const struct parser *parser) {
    if (!parser_at(parser, TOK_LPAREN)) {
        return false;
    }
    bool has_items = false;
    size_t level = 0;
    for (const struct token *token = parser->token;; token++) {
        switch (token->kind) {
        case TOK_LPAREN:
        case TOK_LBRACKET:
        case TOK_LBRACE:
            level++;
            break;
        case TOK_RPAREN:
        case TOK_RBRACKET:
        case TOK_RBRACE:
            level--;
            break;
        case TOK_AS:
        case TOK_COMMA:
            has_items = has_items || level == 1;
            break;
        case TOK_NEWLINE:
        case TOK_END_OF_FILE:
            return false;
        default:
            break;
        }
        if (level == 0) {
            return has_items && token[1].kind == TOK_COLON;
        }
    }
}

static struct with_item parse_with_item(struct parser *parser) {
    struct with_item item = {.context = parse_named_expression(parser)};
    if (parser_take(parser, TOK_AS)) {
        item.target = parse_bit_or(parser);
        parser_check_target(parser, item.target);
    }
    return item;
}

static struct stmt *parse_with(struct parser *parser, const struct token *start) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_WITH);
    parser->token++;
    stmt->with.is_async = start->kind == TOK_ASYNC;
    bool grouped = at_grouped_with_items(parser);
    if (grouped) {
        parser->token++;
    }
    do {
        if (grouped && stmt->with.count && parser_at(parser, TOK_RPAREN)) {
            break;
        }
        struct with_item item = parse_with_item(parser);
        APPEND(parser, stmt->with.items, stmt->with.count, item);
    } while (parser_take(parser, TOK_COMMA));
    if (grouped) {
        parser_expect(parser, TOK_RPAREN);
    }
    set_header(parser, stmt, start);
    stmt->with.body = parse_block(parser);
    return stmt;
}

// ---- try ----

static struct except_handler parse_except(struct parser *parser, bool *is_star) {
    const struct token *start = parser->token++;
    struct except_handler handler = {0};
    *is_star = parser_take(parser, TOK_STAR);
    if (!parser_at(parser, TOK_COLON)) {
        handler.type = parse_star_expressions(parser);
    }
    if (handler.type && parser_take(parser, TOK_AS)) {
        handler.name = parser_expect_name(parser);
    }
    handler.location = parser_location_since(parser, start);
    handler.body = parse_block(parser);
    return handler;
}

static struct stmt *parse_try(struct parser *parser) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_TRY);
    parser->token++;
    stmt->try_block.body = parse_block(parser);
    while (parser_at(parser, TOK_EXCEPT)) {
        struct except_handler handler = parse_except(parser, &stmt->try_block.is_star);
        APPEND(parser, stmt->try_block.handlers, stmt->try_block.handler_count, handler);
    }
    if (stmt->try_block.handler_count) {
        stmt->try_block.orelse = parse_else(parser);
    }
    if (parser_take(parser, TOK_FINALLY)) {
        stmt->try_block.finally = parse_block(parser);
    } else if (!stmt->try_block.handler_count) {
        parser_fault_expected(parser, "'except' or 'finally' after the block of 'try'");
    }
    return stmt;
}

// ---- match ----

// `match` is a keyword if its line is followed by an indented block that begins with `case`.
static bool at_match(const struct parser *parser) {
    if (!parser_at_soft_keyword(parser, "match")) {
        return false;
    }
    const struct token *token = parser->token;
    while (token->kind != TOK_NEWLINE && token->kind != TOK_END_OF_FILE) {
        token++;
    }
    if (token->kind != TOK_NEWLINE || token[-1].kind != TOK_COLON || token[1].kind != TOK_INDENT) {
        return false;
    }
    struct parser ahead = {.token = token + 2};
    return parser_at_soft_keyword(&ahead, "case");
}

static struct match_case parse_case(struct parser *parser) {
    const struct token *start = parser->token;
    if (!parser_at_soft_keyword(parser, "case")) {
        parser_fault_expected(parser, "'case'");
    }
    parser->token++;
    struct match_case match_case = {0};
    parser->in_pattern = true;
    match_case.pattern = parse_star_expressions(parser);
    parser->in_pattern = false;
    if (parser_take(parser, TOK_IF)) {
        match_case.guard = parse_named_expression(parser);
    }
    match_case.location = parser_location_since(parser, start);
    match_case.body = parse_block(parser);
    return match_case;
}

static struct stmt *parse_match(struct parser *parser) {
    const struct token *start = parser->token;
    struct stmt *stmt = parser_new_stmt(parser, STMT_MATCH);
    parser->token++;
    stmt->match.subject = parse_star_expressions(parser);
    set_header(parser, stmt, start);
    parser_expect(parser, TOK_COLON);
    parser_expect(parser, TOK_NEWLINE);
    parser_expect(parser, TOK_INDENT);
    while (!parser_take(parser, TOK_DEDENT)) {
        struct match_case match_case = parse_case(parser);
        APPEND(parser, stmt->match.cases, stmt->match.count, match_case);
    }
    return stmt;
}

// ---- functions and classes ----

static struct stmt *parse_function(struct parser *parser, const struct token *start,
                                   struct expr_list decorators) {
    struct stmt *stmt = parser_new_stmt(parser, STMT_FUNCTION);
    struct function_def *function = ARENA_NEW(parser->arena, struct function_def);
    stmt->function = function;
    function->is_async = start->kind == TOK_ASYNC;
    function->decorators = decorators;
    parser_expect(parser, TOK_DEF);
    function->name_location = parser_location_of(parser, parser->token);
    function->name = parser_expect_name(parser);
    function->type_params = parse_type_params(parser);
    parser_expect(parser, TOK_LPAREN);
    function->params = parse_parameters(parser, TOK_RPAREN, true);
    parser_expect(parser, TOK_RPAREN);
    if (parser_take(parser, TOK_ARROW)) {
        function->returns = parse_expression(parser);
    }
    set_header(parser, stmt, start);
    parse_function_body(parser, function);
    return stmt;
}

static struct stmt *parse_class(struct parser *parser, struct expr_list decorators) {
    const struct token *start = parser->token;
    struct stmt *stmt = parser_new_stmt(parser, STMT_CLASS);
    struct class_def *class_ = ARENA_NEW(parser->arena, struct class_def);
    stmt->class_ = class_;
    class_->decorators = decorators;
    parser_expect(parser, TOK_CLASS);
    class_->name_location = parser_location_of(parser, parser->token);
    class_->name = parser_expect_name(parser);
    class_->type_params = parse_type_params(parser);
    if (parser_at(parser, TOK_LPAREN)) {
        parse_arguments(parser, &class_->bases, &class_->keywords, &class_->keyword_count);
    }
    set_header(parser, stmt, start);
    class_->body = parse_class_body(parser);
    return stmt;
}

// async def, for or with.
static struct stmt *parse_async(struct parser *parser, struct expr_list decorators) {
    const struct token *start = parser->token++;
    switch (parser->token->kind) {
    case TOK_DEF:
        return parse_function(parser, start, decorators);
    case TOK_FOR:
        return parse_for(parser, start);
    case TOK_WITH:
        return parse_with(parser, start);
    default:
        parser_fault_expected(parser, "'def', 'for' or 'with' after 'async'");
    }
}

static struct stmt *parse_decorated(struct parser *parser) {
    struct expr_list decorators = {0};
    while (parser_take(parser, TOK_AT)) {
        parser_append_expr(parser, &decorators, parse_named_expression(parser));
        parser_expect(parser, TOK_NEWLINE);
    }
    if (parser_at(parser, TOK_DEF)) {
        return parse_function(parser, parser->token, decorators);
    }
    if (parser_at(parser, TOK_CLASS)) {
        return parse_class(parser, decorators);
    }
    if (parser_at(parser, TOK_ASYNC) && parser->token[1].kind == TOK_DEF) {
        return parse_async(parser, decorators);
    }
    parser_fault_expected(parser, "a function or class after a decorator");
}

struct stmt *parse_compound_statement(struct parser *parser) {
    static const struct expr_list no_decorators;
    switch (parser->token->kind) {
    case TOK_IF:
        return parse_if(parser);
    case TOK_WHILE:
        return parse_while(parser);
    case TOK_FOR:
        return parse_for(parser, parser->token);
    case TOK_WITH:
        return parse_with(parser, parser->token);
    case TOK_TRY:
        return parse_try(parser);
    case TOK_AT:
        return parse_decorated(parser);
    case TOK_DEF:
        return parse_function(parser, parser->token, no_decorators);
    case TOK_CLASS:
        return parse_class(parser, no_decorators);
    case TOK_ASYNC:
        return parse_async(parser, no_decorators);
    case TOK_NAME:
        return at_match(parser) ? parse_match(parser) : NULL;
    default:
        return NULL;
    }
}
