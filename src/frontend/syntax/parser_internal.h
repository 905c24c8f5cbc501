// Between the files of the parser. Not for use outside parser*.c.
//
// A parse function takes the tokens of the construct in its name and returns its node, never NULL unless its
// comment says so. A syntax error leaves through parser_fault, which jumps to the innermost recovery point: a
// function's body, or a statement at module or class level (parser.c).
#ifndef TKC_FRONTEND_SYNTAX_PARSER_INTERNAL_H
#define TKC_FRONTEND_SYNTAX_PARSER_INTERNAL_H

#include <setjmp.h>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/lexer.h"
#include "support/arena.h"

enum { MAX_EXPR_DEPTH = 200, MAX_EXPR_HEIGHT = 2000, MAX_ELIF_BRANCHES = 1000, MAX_PARAMETERS = 4096 };

struct parser {
    struct arena *arena;
    struct diag *diag; // for memory errors; syntax errors stay in the tree
    const struct source *source;
    const struct token *token;             // the next one
    jmp_buf *recovery;                     // the innermost recovery point
    const struct syntax_fault *last_fault; // set on arrival at a recovery point
    size_t fault_count;
    struct diag_fix fix; // of the next fault
    unsigned depth;      // of expressions being parsed
    bool in_pattern;     // of a match case: `as` binds, and conditionals end
};

// Appends to an array in the arena. Its capacity follows from its count: it doubles when full.
#define APPEND(parser, array, count, ...)                                                                    \
    do {                                                                                                     \
        (array) = parser_grow((parser), (array), (count), sizeof *(array));                                  \
        (array)[(count)++] = __VA_ARGS__;                                                                    \
    } while (0)

// parser.c
// Checks the memory budget before an allocation for the token at `location`; a fault if it is exceeded.
void parser_check_memory(struct parser *parser, struct location location);
void *parser_grow(struct parser *parser, void *array, size_t count, size_t size);
_Noreturn void parser_fault(struct parser *parser, struct location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void parser_fault_expected(struct parser *parser, const char *what); // at the next token
void parser_enter(struct parser *parser);                                      // one level of nesting
void parser_leave(struct parser *parser);
struct location parser_location_of(const struct parser *parser, const struct token *token);
struct location parser_location_since(const struct parser *parser,
                                      const struct token *start); // to the last token taken
bool parser_at(const struct parser *parser, enum token_kind kind);
bool parser_take(struct parser *parser, enum token_kind kind); // if it is next
void parser_expect(struct parser *parser, enum token_kind kind);
const char *parser_expect_name(struct parser *parser);
bool parser_at_soft_keyword(const struct parser *parser, const char *word);
void parser_append_expr(struct parser *parser, struct expr_list *list, struct expr *expr);
void parse_function_body(struct parser *parser, struct function_def *function);
struct stmt_list parse_class_body(struct parser *parser);
struct stmt_list parse_block(struct parser *parser); // ':' and its block

// parser_expr.c
struct expr *parser_new_expr(struct parser *parser, enum expr_kind kind, const struct token *start);
void parser_add_child(struct parser *parser, struct expr *expr, const struct expr *child); // NULL is allowed
void parser_add_children(struct parser *parser, struct expr *expr, const struct expr_list *children);
struct expr *parse_expression(struct parser *parser);       // a ternary, a lambda, or below
struct expr *parse_named_expression(struct parser *parser); // or name := expression
struct expr *parse_disjunction(struct parser *parser);      // no conditional or lambda
struct expr *parse_bit_or(struct parser *parser);           // an operand of a comparison
struct expr *parse_star_expressions(struct parser *parser); // a, *b, c; a lone one is no tuple
struct expr *parse_star_or_yield(struct parser *parser);
struct expr *parse_target_list(struct parser *parser); // of a for loop or a del: ends before `in`
void parser_check_target(struct parser *parser, const struct expr *target);
struct parameter_list parse_parameters(struct parser *parser, enum token_kind end, bool annotated);

// parser_atom.c
struct expr *parse_element(struct parser *parser); // *a, or a named expression
struct expr *parse_primary(struct parser *parser); // an atom with calls, attributes and subscripts after it
void parse_arguments(struct parser *parser, struct expr_list *args, struct keyword **keywords,
                     size_t *keyword_count);

// parser_literal.c
struct expr *parse_number(struct parser *parser);
struct expr *parse_strings(struct parser *parser);

// parser_simple.c
void parse_simple_statements(struct parser *parser, struct stmt_list *list); // one logical line
struct stmt *parser_new_stmt(struct parser *parser, enum stmt_kind kind);
struct type_param_list parse_type_params(struct parser *parser); // empty if there is no '['

// parser_compound.c
struct stmt *parse_compound_statement(struct parser *parser); // NULL: the next token begins none

#endif
