// Parser: expressions from conditionals down to unary operators, parameter lists, and lists without brackets.
//
// One function per level of Python's grammar if the levels build different nodes. The six levels of
// left-associative binary operators share one function, which climbs a table of precedences. Every node
// stores the height of its tree, and the height is bounded: the parser reads a sum of ten thousand terms in a
// loop, but walks over its tree recurse.
#include "frontend/syntax/parser_internal.h"

struct expr *parser_new_expr(struct parser *parser, enum expr_kind kind, const struct token *start) {
    struct location location = parser_location_since(parser, start);
    parser_check_memory(parser, location);
    struct expr *expr = ARENA_NEW(parser->arena, struct expr);
    expr->kind = kind;
    expr->location = location;
    return expr;
}

void parser_add_child(struct parser *parser, struct expr *expr, const struct expr *child) {
    if (!child || child->height < expr->height) {
        return;
    }
    expr->height = child->height + 1;
    if (expr->height > MAX_EXPR_HEIGHT) {
        parser_fault(parser, expr->location, "expression is more than %d operators deep; split it",
                     MAX_EXPR_HEIGHT);
    }
}

void parser_add_children(struct parser *parser, struct expr *expr, const struct expr_list *children) {
    for (size_t i = 0; i < children->count; i++) {
        parser_add_child(parser, expr, children->items[i]);
    }
}

// ---- operators ----

static struct expr *parse_unary(struct parser *parser);

static struct expr *new_binary(struct parser *parser, const struct token *start, enum binary_op op,
                               struct expr *left, struct expr *right) {
    struct expr *binary = parser_new_expr(parser, EXPR_BINARY, start);
    binary->binary.op = op;
    binary->binary.left = left;
    binary->binary.right = right;
    parser_add_child(parser, binary, left);
    parser_add_child(parser, binary, right);
    return binary;
}

static struct expr *parse_await(struct parser *parser) {
    const struct token *start = parser->token;
    if (!parser_take(parser, TOK_AWAIT)) {
        return parse_primary(parser);
    }
    struct expr *operand = parse_primary(parser);
    struct expr *await = parser_new_expr(parser, EXPR_AWAIT, start);
    await->operand = operand;
    parser_add_child(parser, await, operand);
    return await;
}

static struct expr *parse_power(struct parser *parser) {
    const struct token *start = parser->token;
    struct expr *base = parse_await(parser);
    if (!parser_take(parser, TOK_DOUBLE_STAR)) {
        return base;
    }
    parser_enter(parser);
    struct expr *exponent = parse_unary(parser);
    parser_leave(parser);
    return new_binary(parser, start, BINARY_POW, base, exponent);
}

static struct expr *new_unary(struct parser *parser, const struct token *start, enum unary_op op,
                              struct expr *operand) {
    struct expr *unary = parser_new_expr(parser, EXPR_UNARY, start);
    unary->unary.op = op;
    unary->unary.operand = operand;
    parser_add_child(parser, unary, operand);
    return unary;
}

static struct expr *parse_unary(struct parser *parser) {
    const struct token *start = parser->token;
    enum unary_op op;
    switch (start->kind) {
    case TOK_PLUS:
        op = UNARY_PLUS;
        break;
    case TOK_MINUS:
        op = UNARY_MINUS;
        break;
    case TOK_TILDE:
        op = UNARY_INVERT;
        break;
    default:
        return parse_power(parser);
    }
    parser->token++;
    parser_enter(parser);
    struct expr *operand = parse_unary(parser);
    parser_leave(parser);
    return new_unary(parser, start, op, operand);
}

enum {
    PRECEDENCE_NONE,
    PRECEDENCE_OR,
    PRECEDENCE_XOR,
    PRECEDENCE_AND,
    PRECEDENCE_SHIFT,
    PRECEDENCE_SUM,
    PRECEDENCE_TERM
};

static int precedence_of(enum token_kind kind, enum binary_op *op) {
    static const struct {
        unsigned char precedence;
        unsigned char op;
    } table[TOK_COUNT] = {
        [TOK_PIPE] = {PRECEDENCE_OR, BINARY_OR},
        [TOK_CARET] = {PRECEDENCE_XOR, BINARY_XOR},
        [TOK_AMPERSAND] = {PRECEDENCE_AND, BINARY_AND},
        [TOK_SHIFT_LEFT] = {PRECEDENCE_SHIFT, BINARY_SHL},
        [TOK_SHIFT_RIGHT] = {PRECEDENCE_SHIFT, BINARY_SHR},
        [TOK_PLUS] = {PRECEDENCE_SUM, BINARY_ADD},
        [TOK_MINUS] = {PRECEDENCE_SUM, BINARY_SUB},
        [TOK_STAR] = {PRECEDENCE_TERM, BINARY_MUL},
        [TOK_SLASH] = {PRECEDENCE_TERM, BINARY_DIV},
        [TOK_DOUBLE_SLASH] = {PRECEDENCE_TERM, BINARY_FLOOR_DIV},
        [TOK_PERCENT] = {PRECEDENCE_TERM, BINARY_MOD},
        [TOK_AT] = {PRECEDENCE_TERM, BINARY_MATMUL},
    };
    *op = table[kind].op;
    return table[kind].precedence;
}

static struct expr *parse_binary(struct parser *parser, int lowest) {
    const struct token *start = parser->token;
    struct expr *left = parse_unary(parser);
    for (;;) {
        enum binary_op op;
        int precedence = precedence_of(parser->token->kind, &op);
        if (precedence == PRECEDENCE_NONE || precedence < lowest) {
            return left;
        }
        parser->token++;
        struct expr *right = parse_binary(parser, precedence + 1);
        left = new_binary(parser, start, op, left, right);
    }
}

struct expr *parse_bit_or(struct parser *parser) {
    return parse_binary(parser, PRECEDENCE_OR);
}

// Takes a comparison operator if one is next.
static bool take_compare_op(struct parser *parser, enum compare_op *op) {
    const struct token *token = parser->token;
    switch (token->kind) {
    case TOK_EQUAL:
        *op = COMPARE_EQ;
        break;
    case TOK_NOT_EQUAL:
        *op = COMPARE_NE;
        break;
    case TOK_LESS:
        *op = COMPARE_LT;
        break;
    case TOK_LESS_EQUAL:
        *op = COMPARE_LE;
        break;
    case TOK_GREATER:
        *op = COMPARE_GT;
        break;
    case TOK_GREATER_EQUAL:
        *op = COMPARE_GE;
        break;
    case TOK_IN:
        *op = COMPARE_IN;
        break;
    case TOK_IS:
        *op = token[1].kind == TOK_NOT ? COMPARE_IS_NOT : COMPARE_IS;
        break;
    case TOK_NOT:
        if (token[1].kind != TOK_IN) {
            return false;
        }
        *op = COMPARE_NOT_IN;
        break;
    default:
        return false;
    }
    parser->token += *op == COMPARE_IS_NOT || *op == COMPARE_NOT_IN ? 2 : 1;
    return true;
}

static struct expr *parse_comparison(struct parser *parser) {
    const struct token *start = parser->token;
    struct expr *first = parse_bit_or(parser);
    enum compare_op op;
    if (!take_compare_op(parser, &op)) {
        return first;
    }
    enum compare_op *ops = NULL;
    struct expr_list operands = {0};
    size_t count = 0;
    do {
        APPEND(parser, ops, count, op);
        parser_append_expr(parser, &operands, parse_bit_or(parser));
    } while (take_compare_op(parser, &op));
    struct expr *compare = parser_new_expr(parser, EXPR_COMPARE, start);
    compare->compare.first = first;
    compare->compare.ops = ops;
    compare->compare.operands = operands.items;
    compare->compare.count = count;
    parser_add_child(parser, compare, first);
    parser_add_children(parser, compare, &operands);
    return compare;
}

static struct expr *parse_not(struct parser *parser) {
    const struct token *start = parser->token;
    if (!parser_take(parser, TOK_NOT)) {
        return parse_comparison(parser);
    }
    parser_enter(parser);
    struct expr *operand = parse_not(parser);
    parser_leave(parser);
    return new_unary(parser, start, UNARY_NOT, operand);
}

// a and b and c (or the same with `or`) is one node.
static struct expr *parse_bool(struct parser *parser, enum bool_op op) {
    const struct token *start = parser->token;
    enum token_kind word = op == BOOL_OR ? TOK_OR : TOK_AND;
    struct expr *first = op == BOOL_OR ? parse_bool(parser, BOOL_AND) : parse_not(parser);
    if (!parser_at(parser, word)) {
        return first;
    }
    struct expr_list values = {0};
    parser_append_expr(parser, &values, first);
    while (parser_take(parser, word)) {
        parser_append_expr(parser, &values, op == BOOL_OR ? parse_bool(parser, BOOL_AND) : parse_not(parser));
    }
    struct expr *expr = parser_new_expr(parser, EXPR_BOOL, start);
    expr->boolean.op = op;
    expr->boolean.values = values;
    parser_add_children(parser, expr, &values);
    return expr;
}

struct expr *parse_disjunction(struct parser *parser) {
    return parse_bool(parser, BOOL_OR);
}

// ---- parameters, lambda, conditional, walrus ----

// One parameter after its stars, if any.
static struct parameter parse_parameter(struct parser *parser, enum parameter_kind kind, bool annotated) {
    struct parameter parameter = {.kind = kind, .location = parser_location_of(parser, parser->token)};
    parameter.name = parser_expect_name(parser);
    if (annotated && parser_take(parser, TOK_COLON)) {
        const struct token *start = parser->token;
        bool starred = kind == PARAMETER_VARARGS && parser_take(parser, TOK_STAR);
        parameter.annotation = starred ? parse_bit_or(parser) : parse_expression(parser);
        if (starred) {
            struct expr *star = parser_new_expr(parser, EXPR_STARRED, start);
            star->operand = parameter.annotation;
            parser_add_child(parser, star, parameter.annotation);
            parameter.annotation = star;
        }
    }
    if (kind != PARAMETER_VARARGS && kind != PARAMETER_KWARGS && parser_take(parser, TOK_ASSIGN)) {
        parameter.default_value = parse_expression(parser);
    }
    return parameter;
}

static void check_parameter(struct parser *parser, const struct parameter_list *list,
                            const struct parameter *next) {
    if (list->count && list->items[list->count - 1].kind == PARAMETER_KWARGS) {
        parser_fault(parser, next->location, "parameter '%s' after **%s", next->name,
                     list->items[list->count - 1].name);
    }
    if (list->count == MAX_PARAMETERS) {
        parser_fault(parser, next->location, "more than %d parameters", MAX_PARAMETERS);
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct parameter *other = &list->items[i];
        if (other->name == next->name) {
            parser_fault(parser, next->location, "parameter '%s' is named twice", next->name);
        }
        if (next->kind == PARAMETER_NORMAL && !next->default_value && other->default_value) {
            parser_fault(parser, next->location, "parameter '%s' without a default after one with a default",
                         next->name);
        }
    }
}

// A lone /: makes all parameters before it positional-only.
static void mark_positional_only(struct parser *parser, struct parameter_list *list,
                                 const struct token *slash) {
    if (!list->count || list->items[0].kind != PARAMETER_NORMAL ||
        list->items[list->count - 1].kind != PARAMETER_NORMAL) {
        parser_fault(parser, parser_location_of(parser, slash),
                     "'/' is not allowed here in a parameter list");
    }
    for (size_t i = 0; i < list->count; i++) {
        list->items[i].kind = PARAMETER_POSITIONAL_ONLY;
    }
}

// Takes the parameters before the token `end`.
struct parameter_list parse_parameters(struct parser *parser, enum token_kind end, bool annotated) {
    struct parameter_list list = {0};
    enum parameter_kind kind = PARAMETER_NORMAL;
    while (!parser_at(parser, end)) {
        const struct token *start = parser->token;
        struct parameter next;
        if (parser_take(parser, TOK_SLASH)) {
            mark_positional_only(parser, &list, start);
        } else if (parser_take(parser, TOK_STAR)) {
            if (kind == PARAMETER_KEYWORD_ONLY) {
                parser_fault(parser, parser_location_of(parser, start), "a second '*' in a parameter list");
            }
            kind = PARAMETER_KEYWORD_ONLY;
            if (parser_at(parser, TOK_COMMA)) {
                if (start[2].kind == end || start[2].kind == TOK_DOUBLE_STAR) {
                    parser_fault(parser, parser_location_of(parser, start),
                                 "named parameters must follow a lone '*'");
                }
            } else {
                next = parse_parameter(parser, PARAMETER_VARARGS, annotated);
                check_parameter(parser, &list, &next);
                APPEND(parser, list.items, list.count, next);
            }
        } else {
            bool keywords = parser_take(parser, TOK_DOUBLE_STAR);
            next = parse_parameter(parser, keywords ? PARAMETER_KWARGS : kind, annotated);
            check_parameter(parser, &list, &next);
            APPEND(parser, list.items, list.count, next);
        }
        if (!parser_take(parser, TOK_COMMA)) {
            break;
        }
    }
    return list;
}

static struct expr *parse_lambda(struct parser *parser) {
    const struct token *start = parser->token;
    parser_expect(parser, TOK_LAMBDA);
    struct parameter_list params = parse_parameters(parser, TOK_COLON, false);
    parser_expect(parser, TOK_COLON);
    struct expr *body = parse_expression(parser);
    struct expr *lambda = parser_new_expr(parser, EXPR_LAMBDA, start);
    lambda->lambda.params = params;
    lambda->lambda.body = body;
    parser_add_child(parser, lambda, body);
    for (size_t i = 0; i < params.count; i++) {
        parser_add_child(parser, lambda, params.items[i].default_value);
    }
    return lambda;
}

// Within a pattern of a match case: alternatives, and a name bound by `as`.
static struct expr *parse_pattern(struct parser *parser) {
    const struct token *start = parser->token;
    struct expr *pattern = parse_bit_or(parser);
    if (!parser_take(parser, TOK_AS)) {
        return pattern;
    }
    const char *name = parser_expect_name(parser);
    struct expr *expr = parser_new_expr(parser, EXPR_AS_PATTERN, start);
    expr->as_pattern.pattern = pattern;
    expr->as_pattern.name = name;
    parser_add_child(parser, expr, pattern);
    return expr;
}

static struct expr *parse_ternary(struct parser *parser) {
    const struct token *start = parser->token;
    struct expr *then_value = parse_disjunction(parser);
    if (!parser_take(parser, TOK_IF)) {
        return then_value;
    }
    struct expr *test = parse_disjunction(parser);
    if (!parser_at(parser, TOK_ELSE)) {
        parser_fault_expected(parser, "'else' of a conditional expression");
    }
    parser->token++;
    struct expr *else_value = parse_expression(parser);
    struct expr *ternary = parser_new_expr(parser, EXPR_TERNARY, start);
    ternary->ternary.test = test;
    ternary->ternary.then_value = then_value;
    ternary->ternary.else_value = else_value;
    parser_add_child(parser, ternary, test);
    parser_add_child(parser, ternary, then_value);
    parser_add_child(parser, ternary, else_value);
    return ternary;
}

struct expr *parse_expression(struct parser *parser) {
    parser_enter(parser);
    struct expr *expr = parser->in_pattern              ? parse_pattern(parser)
                        : parser_at(parser, TOK_LAMBDA) ? parse_lambda(parser)
                                                        : parse_ternary(parser);
    parser_leave(parser);
    return expr;
}

struct expr *parse_named_expression(struct parser *parser) {
    const struct token *start = parser->token;
    if (!parser_at(parser, TOK_NAME) || start[1].kind != TOK_WALRUS) {
        return parse_expression(parser);
    }
    parser->token += 2;
    struct expr *value = parse_expression(parser);
    struct expr *walrus = parser_new_expr(parser, EXPR_WALRUS, start);
    walrus->walrus.name = start->text;
    walrus->walrus.value = value;
    parser_add_child(parser, walrus, value);
    return walrus;
}

// ---- lists without brackets ----

static struct expr *parse_star_expression(struct parser *parser, bool target) {
    const struct token *start = parser->token;
    if (!parser_take(parser, TOK_STAR)) {
        return target ? parse_bit_or(parser) : parse_named_expression(parser);
    }
    struct expr *operand = parse_bit_or(parser);
    struct expr *starred = parser_new_expr(parser, EXPR_STARRED, start);
    starred->operand = operand;
    parser_add_child(parser, starred, operand);
    return starred;
}

// After a comma of a list without brackets: true if no other element follows.
static bool at_list_end(const struct parser *parser) {
    switch (parser->token->kind) {
    case TOK_NEWLINE:
    case TOK_SEMICOLON:
    case TOK_ASSIGN:
    case TOK_COLON:
    case TOK_RPAREN:
    case TOK_RBRACKET:
    case TOK_RBRACE:
    case TOK_EXCLAMATION:
    case TOK_IN:
    case TOK_IF:
    case TOK_END_OF_FILE:
        return true;
    default:
        return false;
    }
}

static struct expr *parse_bare_list(struct parser *parser, bool target) {
    const struct token *start = parser->token;
    struct expr *first = parse_star_expression(parser, target);
    if (!parser_at(parser, TOK_COMMA)) {
        return first;
    }
    struct expr_list elements = {0};
    parser_append_expr(parser, &elements, first);
    while (parser_take(parser, TOK_COMMA) && !at_list_end(parser)) {
        parser_append_expr(parser, &elements, parse_star_expression(parser, target));
    }
    struct expr *tuple = parser_new_expr(parser, EXPR_TUPLE, start);
    tuple->elements = elements;
    parser_add_children(parser, tuple, &elements);
    return tuple;
}

struct expr *parse_star_expressions(struct parser *parser) {
    return parse_bare_list(parser, false);
}

struct expr *parse_target_list(struct parser *parser) {
    struct expr *target = parse_bare_list(parser, true);
    parser_check_target(parser, target);
    return target;
}

struct expr *parse_star_or_yield(struct parser *parser) {
    const struct token *start = parser->token;
    if (!parser_take(parser, TOK_YIELD)) {
        return parse_star_expressions(parser);
    }
    bool from = parser_take(parser, TOK_FROM);
    struct expr *operand = NULL;
    if (from) {
        operand = parse_expression(parser);
    } else if (!at_list_end(parser)) {
        operand = parse_star_expressions(parser);
    }
    struct expr *yield = parser_new_expr(parser, from ? EXPR_YIELD_FROM : EXPR_YIELD, start);
    yield->operand = operand;
    parser_add_child(parser, yield, operand);
    return yield;
}

void parser_check_target(struct parser *parser, const struct expr *target) {
    switch (target->kind) {
    case EXPR_NAME:
    case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT:
        return;
    case EXPR_STARRED:
        parser_check_target(parser, target->operand);
        return;
    case EXPR_TUPLE:
    case EXPR_LIST:
        for (size_t i = 0; i < target->elements.count; i++) {
            parser_check_target(parser, target->elements.items[i]);
        }
        return;
    default:
        parser_fault(parser, target->location, "cannot assign to this expression");
    }
}
