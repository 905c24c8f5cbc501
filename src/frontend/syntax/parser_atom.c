// Parser: atoms (names, constants, groups, displays, comprehensions) and the postfix operators after them.
#include "frontend/syntax/parser_internal.h"

// ---- comprehensions ----

static bool at_comprehension(const struct parser *parser) {
    return parser_at(parser, TOK_FOR) || (parser_at(parser, TOK_ASYNC) && parser->token[1].kind == TOK_FOR);
}

static struct expr *parse_comprehension(struct parser *parser, const struct token *start,
                                        enum comprehension_kind kind, struct expr *element,
                                        struct expr *value) {
    struct comprehension_clause *clauses = NULL;
    size_t count = 0;
    while (at_comprehension(parser)) {
        struct comprehension_clause clause = {.is_async = parser_take(parser, TOK_ASYNC)};
        parser_expect(parser, TOK_FOR);
        clause.target = parse_target_list(parser);
        parser_expect(parser, TOK_IN);
        clause.iterable = parse_disjunction(parser);
        while (parser_take(parser, TOK_IF)) {
            bool walrus = parser_at(parser, TOK_NAME) && parser->token[1].kind == TOK_WALRUS;
            parser_append_expr(parser, &clause.conditions,
                               walrus ? parse_named_expression(parser) : parse_disjunction(parser));
        }
        APPEND(parser, clauses, count, clause);
    }
    struct expr *expr = parser_new_expr(parser, EXPR_COMPREHENSION, start);
    expr->comprehension.kind = kind;
    expr->comprehension.element = element;
    expr->comprehension.value = value;
    expr->comprehension.clauses = clauses;
    expr->comprehension.clause_count = count;
    parser_add_child(parser, expr, element);
    parser_add_child(parser, expr, value);
    for (size_t i = 0; i < count; i++) {
        parser_add_child(parser, expr, clauses[i].target);
        parser_add_child(parser, expr, clauses[i].iterable);
        parser_add_children(parser, expr, &clauses[i].conditions);
    }
    return expr;
}

// ---- displays ----

struct expr *parse_element(struct parser *parser) {
    const struct token *start = parser->token;
    if (!parser_take(parser, TOK_STAR)) {
        return parse_named_expression(parser);
    }
    struct expr *operand = parse_bit_or(parser);
    struct expr *starred = parser_new_expr(parser, EXPR_STARRED, start);
    starred->operand = operand;
    parser_add_child(parser, starred, operand);
    return starred;
}

// Takes the elements after `first`, and the closing bracket.
static struct expr *finish_display(struct parser *parser, const struct token *start, enum expr_kind kind,
                                   struct expr *first, enum token_kind end) {
    struct expr_list elements = {0};
    parser_append_expr(parser, &elements, first);
    while (parser_take(parser, TOK_COMMA) && !parser_at(parser, end)) {
        parser_append_expr(parser, &elements, parse_element(parser));
    }
    parser_expect(parser, end);
    struct expr *display = parser_new_expr(parser, kind, start);
    display->elements = elements;
    parser_add_children(parser, display, &elements);
    return display;
}

static struct expr *finish_comprehension(struct parser *parser, const struct token *start,
                                         enum comprehension_kind kind, struct expr *element,
                                         struct expr *value, enum token_kind end) {
    struct expr *expr = parse_comprehension(parser, start, kind, element, value);
    parser_expect(parser, end);
    expr->location = parser_location_since(parser, start);
    return expr;
}

// '(' …: an empty tuple, a group, a tuple or a generator.
static struct expr *parse_group(struct parser *parser) {
    const struct token *start = parser->token++;
    struct expr *expr;
    if (parser_take(parser, TOK_RPAREN)) {
        expr = parser_new_expr(parser, EXPR_TUPLE, start);
    } else if (parser_at(parser, TOK_YIELD)) {
        expr = parse_star_or_yield(parser);
        parser_expect(parser, TOK_RPAREN);
    } else {
        expr = parse_element(parser);
        if (at_comprehension(parser)) {
            expr = finish_comprehension(parser, start, COMPREHENSION_GENERATOR, expr, NULL, TOK_RPAREN);
        } else if (parser_at(parser, TOK_COMMA)) {
            expr = finish_display(parser, start, EXPR_TUPLE, expr, TOK_RPAREN);
        } else {
            if (expr->kind == EXPR_STARRED && !expr->parenthesized) {
                parser_fault(parser, expr->location, "a starred expression needs a tuple around it: (*x,)");
            }
            parser_expect(parser, TOK_RPAREN);
        }
    }
    expr->parenthesized = true;
    return expr;
}

static struct expr *parse_list(struct parser *parser) {
    const struct token *start = parser->token++;
    if (parser_take(parser, TOK_RBRACKET)) {
        return parser_new_expr(parser, EXPR_LIST, start);
    }
    struct expr *first = parse_element(parser);
    if (at_comprehension(parser)) {
        return finish_comprehension(parser, start, COMPREHENSION_LIST, first, NULL, TOK_RBRACKET);
    }
    return finish_display(parser, start, EXPR_LIST, first, TOK_RBRACKET);
}

static struct dict_item parse_dict_item(struct parser *parser) {
    struct dict_item item = {0};
    if (parser_take(parser, TOK_DOUBLE_STAR)) {
        item.value = parse_bit_or(parser);
        return item;
    }
    item.key = parse_expression(parser);
    parser_expect(parser, TOK_COLON);
    item.value = parse_expression(parser);
    return item;
}

// Takes the rest of a dict after its first item.
static struct expr *finish_dict(struct parser *parser, const struct token *start, struct dict_item first) {
    if (first.key && at_comprehension(parser)) {
        return finish_comprehension(parser, start, COMPREHENSION_DICT, first.key, first.value, TOK_RBRACE);
    }
    struct dict_item *items = NULL;
    size_t count = 0;
    APPEND(parser, items, count, first);
    while (parser_take(parser, TOK_COMMA) && !parser_at(parser, TOK_RBRACE)) {
        APPEND(parser, items, count, parse_dict_item(parser));
    }
    parser_expect(parser, TOK_RBRACE);
    struct expr *dict = parser_new_expr(parser, EXPR_DICT, start);
    dict->dict.items = items;
    dict->dict.count = count;
    for (size_t i = 0; i < count; i++) {
        parser_add_child(parser, dict, items[i].key);
        parser_add_child(parser, dict, items[i].value);
    }
    return dict;
}

static struct expr *parse_dict_or_set(struct parser *parser) {
    const struct token *start = parser->token++;
    if (parser_take(parser, TOK_RBRACE)) {
        return parser_new_expr(parser, EXPR_DICT, start);
    }
    if (parser_at(parser, TOK_DOUBLE_STAR)) {
        return finish_dict(parser, start, parse_dict_item(parser));
    }
    struct expr *first = parse_element(parser);
    if (at_comprehension(parser)) {
        return finish_comprehension(parser, start, COMPREHENSION_SET, first, NULL, TOK_RBRACE);
    }
    if (first->kind == EXPR_STARRED || !parser_take(parser, TOK_COLON)) {
        return finish_display(parser, start, EXPR_SET, first, TOK_RBRACE);
    }
    return finish_dict(parser, start, (struct dict_item){.key = first, .value = parse_expression(parser)});
}

// ---- atoms ----

static struct expr *parse_constant(struct parser *parser, enum expr_kind kind) {
    const struct token *start = parser->token++;
    return parser_new_expr(parser, kind, start);
}

static struct expr *parse_atom(struct parser *parser) {
    const struct token *start = parser->token;
    switch (start->kind) {
    case TOK_NAME:;
        struct expr *name = parse_constant(parser, EXPR_NAME);
        name->name.id = start->text;
        return name;
    case TOK_NUMBER:
        return parse_number(parser);
    case TOK_STRING:
    case TOK_FSTRING_START:
        return parse_strings(parser);
    case TOK_TRUE:
        return parse_constant(parser, EXPR_TRUE);
    case TOK_FALSE:
        return parse_constant(parser, EXPR_FALSE);
    case TOK_NONE:
        return parse_constant(parser, EXPR_NONE);
    case TOK_ELLIPSIS:
        return parse_constant(parser, EXPR_ELLIPSIS);
    case TOK_LPAREN:
        return parse_group(parser);
    case TOK_LBRACKET:
        return parse_list(parser);
    case TOK_LBRACE:
        return parse_dict_or_set(parser);
    default:
        parser_fault_expected(parser, "an expression");
    }
}

// ---- postfix operators ----

// Takes one argument; keyword arguments go into a list of their own.
static void parse_argument(struct parser *parser, struct expr_list *args, struct keyword **keywords,
                           size_t *keyword_count) {
    const struct token *start = parser->token;
    if (parser_take(parser, TOK_DOUBLE_STAR)) {
        struct expr *value = parse_expression(parser);
        APPEND(parser, *keywords, *keyword_count,
               (struct keyword){.value = value, .location = parser_location_of(parser, start)});
        return;
    }
    if (parser_take(parser, TOK_STAR)) {
        struct expr *operand = parse_expression(parser);
        struct expr *starred = parser_new_expr(parser, EXPR_STARRED, start);
        starred->operand = operand;
        parser_add_child(parser, starred, operand);
        parser_append_expr(parser, args, starred);
        return;
    }
    if (parser_at(parser, TOK_NAME) && start[1].kind == TOK_ASSIGN) {
        parser->token += 2;
        struct expr *value = parse_expression(parser);
        APPEND(parser, *keywords, *keyword_count,
               (struct keyword){
                   .name = start->text, .value = value, .location = parser_location_of(parser, start)});
        return;
    }
    struct expr *value = parse_named_expression(parser);
    if (at_comprehension(parser)) {
        value = parse_comprehension(parser, start, COMPREHENSION_GENERATOR, value, NULL);
    } else if (*keyword_count && (*keywords)[*keyword_count - 1].name) {
        parser_fault(parser, value->location, "positional argument after a keyword argument");
    }
    parser_append_expr(parser, args, value);
}

void parse_arguments(struct parser *parser, struct expr_list *args, struct keyword **keywords,
                     size_t *keyword_count) {
    parser_expect(parser, TOK_LPAREN);
    while (!parser_at(parser, TOK_RPAREN)) {
        parse_argument(parser, args, keywords, keyword_count);
        if (!parser_take(parser, TOK_COMMA)) {
            break;
        }
    }
    parser_expect(parser, TOK_RPAREN);
}

static struct expr *parse_call(struct parser *parser, const struct token *start, struct expr *function) {
    struct expr_list args = {0};
    struct keyword *keywords = NULL;
    size_t keyword_count = 0;
    parse_arguments(parser, &args, &keywords, &keyword_count);
    struct expr *call = parser_new_expr(parser, EXPR_CALL, start);
    call->call.function = function;
    call->call.args = args;
    call->call.keywords = keywords;
    call->call.keyword_count = keyword_count;
    parser_add_child(parser, call, function);
    parser_add_children(parser, call, &args);
    for (size_t i = 0; i < keyword_count; i++) {
        parser_add_child(parser, call, keywords[i].value);
    }
    return call;
}

// One element of an index: a slice, a starred expression, or a (named) expression.
static struct expr *parse_slice(struct parser *parser) {
    const struct token *start = parser->token;
    if (parser_take(parser, TOK_STAR)) {
        struct expr *operand = parse_bit_or(parser);
        struct expr *starred = parser_new_expr(parser, EXPR_STARRED, start);
        starred->operand = operand;
        parser_add_child(parser, starred, operand);
        return starred;
    }
    struct expr *bounds[3] = {0};
    if (!parser_at(parser, TOK_COLON)) {
        bounds[0] = parse_named_expression(parser);
    }
    if (!parser_take(parser, TOK_COLON)) {
        return bounds[0];
    }
    for (int i = 1; i < 3; i++) {
        if (!parser_at(parser, TOK_COLON) && !parser_at(parser, TOK_COMMA) &&
            !parser_at(parser, TOK_RBRACKET)) {
            bounds[i] = parse_expression(parser);
        }
        if (!parser_take(parser, TOK_COLON)) {
            break;
        }
    }
    struct expr *slice = parser_new_expr(parser, EXPR_SLICE, start);
    slice->slice.lower = bounds[0];
    slice->slice.upper = bounds[1];
    slice->slice.step = bounds[2];
    for (int i = 0; i < 3; i++) {
        parser_add_child(parser, slice, bounds[i]);
    }
    return slice;
}

static struct expr *parse_index(struct parser *parser) {
    const struct token *start = parser->token;
    struct expr *first = parse_slice(parser);
    if (!parser_at(parser, TOK_COMMA) && first->kind != EXPR_STARRED) {
        return first;
    }
    struct expr_list elements = {0};
    parser_append_expr(parser, &elements, first);
    while (parser_take(parser, TOK_COMMA) && !parser_at(parser, TOK_RBRACKET)) {
        parser_append_expr(parser, &elements, parse_slice(parser));
    }
    struct expr *tuple = parser_new_expr(parser, EXPR_TUPLE, start);
    tuple->elements = elements;
    parser_add_children(parser, tuple, &elements);
    return tuple;
}

static struct expr *parse_subscript(struct parser *parser, const struct token *start, struct expr *object) {
    parser_expect(parser, TOK_LBRACKET);
    struct expr *index = parse_index(parser);
    parser_expect(parser, TOK_RBRACKET);
    struct expr *subscript = parser_new_expr(parser, EXPR_SUBSCRIPT, start);
    subscript->subscript.object = object;
    subscript->subscript.index = index;
    parser_add_child(parser, subscript, object);
    parser_add_child(parser, subscript, index);
    return subscript;
}

static struct expr *parse_attribute(struct parser *parser, const struct token *start, struct expr *object) {
    parser_expect(parser, TOK_DOT);
    struct location name_location = parser_location_of(parser, parser->token);
    const char *name = parser_expect_name(parser);
    struct expr *attribute = parser_new_expr(parser, EXPR_ATTRIBUTE, start);
    attribute->attribute.object = object;
    attribute->attribute.name = name;
    attribute->attribute.name_location = name_location;
    parser_add_child(parser, attribute, object);
    return attribute;
}

struct expr *parse_primary(struct parser *parser) {
    const struct token *start = parser->token;
    struct expr *expr = parse_atom(parser);
    for (;;) {
        if (parser_at(parser, TOK_LPAREN)) {
            expr = parse_call(parser, start, expr);
        } else if (parser_at(parser, TOK_LBRACKET)) {
            expr = parse_subscript(parser, start, expr);
        } else if (parser_at(parser, TOK_DOT)) {
            expr = parse_attribute(parser, start, expr);
        } else {
            return expr;
        }
    }
}
