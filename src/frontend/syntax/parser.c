// Parser: the module, blocks, and recovery from errors. Expressions are in parser_expr.c, parser_atom.c and
// parser_literal.c, statements in parser_simple.c and parser_compound.c.
//
// Recursive descent over the token array, with precedence climbing for binary operators. Most of a file of
// kernels is host code, so an error must not discard more than the code around it. There are two kinds of
// recovery point: the body of a function (the function keeps its header and gets the fault) and a statement
// of a module or class body (it becomes STMT_UNPARSED). A fault jumps (longjmp) to the innermost recovery
// point and skips the faulty code by its indentation: INDENT and DEDENT tokens are right even if the tokens
// between them make no sense. Nothing needs undoing, because all memory is the arena's.
#include "frontend/syntax/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontend/syntax/parser_internal.h"
#include "support/diag.h"

// ---- helpers for all files ----

void parser_check_memory(struct parser *parser, struct location location) {
    if (!diag_hold(parser->diag, BUDGET_MEMORY, arena_size(parser->arena) >> 20, location)) {
        parser_fault(parser, location, "memory does not suffice");
    }
}

void *parser_grow(struct parser *parser, void *array, size_t count, size_t size) {
    enum { FIRST = 4 };
    bool full = count == 0 || (count >= FIRST && (count & (count - 1)) == 0);
    if (!full) {
        return array;
    }
    void *grown = arena_alloc(parser->arena, (count ? count * 2 : FIRST) * size);
    if (count) {
        memcpy(grown, array, count * size);
    }
    return grown;
}

void parser_append_expr(struct parser *parser, struct expr_list *list, struct expr *expr) {
    APPEND(parser, list->items, list->count, expr);
}

struct location parser_location_of(const struct parser *parser, const struct token *token) {
    struct location location = {
        .source = parser->source, .line = token->line, .column = token->column, .length = token->length};
    const char *text = parser->source->text + token->offset;
    if (token->kind == TOK_STRING || token->kind == TOK_ERROR) {
        const char *line_end = memchr(text, '\n', token->length);
        location.length = line_end ? (uint32_t)(line_end - text) : token->length;
    }
    return location;
}

struct location parser_location_since(const struct parser *parser, const struct token *start) {
    const struct token *last = parser->token - 1;
    struct location location = parser_location_of(parser, start);
    if (last <= start) {
        return location;
    }
    uint32_t length = last->offset + last->length - start->offset;
    if (last->line != start->line || last->kind == TOK_STRING) {
        const char *text = parser->source->text + start->offset;
        const char *line_end = memchr(text, '\n', length);
        if (line_end) {
            length = (uint32_t)(line_end - text);
        }
    }
    location.length = length;
    return location;
}

void parser_fault(struct parser *parser, struct location location, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char message[512];
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct syntax_fault *fault = ARENA_NEW(parser->arena, struct syntax_fault);
    fault->location = location;
    fault->message = arena_strdup(parser->arena, message);
    fault->fix = parser->fix;
    parser->fix = (struct diag_fix){0};
    parser->last_fault = fault;
    longjmp(*parser->recovery, 1);
}

// A line that ends where a colon is expected wants one.
static void offer_colon(struct parser *parser, const char *what) {
    if (parser_at(parser, TOK_NEWLINE) && strcmp(what, token_kind_text(TOK_COLON)) == 0) {
        const struct token *last = parser->token - 1;
        struct location end = parser_location_of(parser, last);
        end.column += last->length;
        end.length = 0;
        parser->fix = (struct diag_fix){end, ":"};
    }
}

void parser_fault_expected(struct parser *parser, const char *what) {
    const struct token *token = parser->token;
    offer_colon(parser, what);
    struct location location = parser_location_of(parser, token);
    if (token->kind == TOK_ERROR) {
        parser_fault(parser, location, "%s", token->text);
    }
    if (token->kind == TOK_INDENT) {
        parser_fault(parser, location, "unexpected indent: begin where the line above begins");
    }
    if (token->kind == TOK_ASSIGN && strcmp(what, "':'") == 0) {
        parser_fault(parser, location, "expected %s, found '=': write == to compare", what);
    }
    if (token->kind == TOK_NAME) {
        parser_fault(parser, location, "expected %s, found '%s'", what, token->text);
    }
    parser_fault(parser, location, "expected %s, found %s", what, token_kind_text(token->kind));
}

void parser_enter(struct parser *parser) {
    if (++parser->depth > MAX_EXPR_DEPTH) {
        parser_fault(parser, parser_location_of(parser, parser->token),
                     "expression is nested more than %d levels deep", MAX_EXPR_DEPTH);
    }
}

void parser_leave(struct parser *parser) {
    parser->depth--;
}

bool parser_at(const struct parser *parser, enum token_kind kind) {
    return parser->token->kind == kind;
}

bool parser_take(struct parser *parser, enum token_kind kind) {
    if (parser->token->kind != kind) {
        return false;
    }
    parser->token++;
    return true;
}

void parser_expect(struct parser *parser, enum token_kind kind) {
    if (!parser_take(parser, kind)) {
        parser_fault_expected(parser, token_kind_text(kind));
    }
}

const char *parser_expect_name(struct parser *parser) {
    parser_expect(parser, TOK_NAME);
    return parser->token[-1].text;
}

bool parser_at_soft_keyword(const struct parser *parser, const char *word) {
    return parser->token->kind == TOK_NAME && strcmp(parser->token->text, word) == 0;
}

// ---- skipping ----

static void skip_line(struct parser *parser) {
    while (!parser_at(parser, TOK_NEWLINE) && !parser_at(parser, TOK_END_OF_FILE)) {
        parser->token++;
    }
    parser_take(parser, TOK_NEWLINE);
}

// From an INDENT past its DEDENT.
static void skip_indented(struct parser *parser) {
    size_t level = 0;
    do {
        if (parser_at(parser, TOK_END_OF_FILE)) {
            return;
        }
        level += parser_at(parser, TOK_INDENT);
        level -= parser_at(parser, TOK_DEDENT);
        parser->token++;
    } while (level);
}

static void skip_line_and_block(struct parser *parser) {
    skip_line(parser);
    if (parser_at(parser, TOK_INDENT)) {
        skip_indented(parser);
    }
}

static bool at_continuing_clause(const struct parser *parser) {
    return parser_at(parser, TOK_ELIF) || parser_at(parser, TOK_ELSE) || parser_at(parser, TOK_EXCEPT) ||
           parser_at(parser, TOK_FINALLY);
}

// Skips one statement with its decorators, block and continuing clauses (else, except, …). Takes at least one
// token. Returns the name of the function, class or variable bound by the statement, or NULL.
static const char *skip_statement(struct parser *parser) {
    const char *name = NULL;
    while (parser_at(parser, TOK_AT)) {
        skip_line(parser);
    }
    if (parser_at(parser, TOK_INDENT)) {
        skip_indented(parser);
        return NULL;
    }
    const struct token *head = parser->token + parser_at(parser, TOK_ASYNC);
    if ((head->kind == TOK_DEF || head->kind == TOK_CLASS) && head[1].kind == TOK_NAME) {
        name = head[1].text;
    }
    if (head->kind == TOK_NAME && (head[1].kind == TOK_ASSIGN || head[1].kind == TOK_COLON)) {
        name = head->text;
    }
    if (!parser_at(parser, TOK_DEDENT) && !parser_at(parser, TOK_END_OF_FILE)) {
        skip_line_and_block(parser);
    }
    while (at_continuing_clause(parser)) {
        skip_line_and_block(parser);
    }
    return name;
}

// ---- blocks ----

static void parse_statement(struct parser *parser, struct stmt_list *list) {
    parser_check_memory(parser, parser_location_of(parser, parser->token));
    struct stmt *compound = parse_compound_statement(parser);
    if (compound) {
        APPEND(parser, list->items, list->count, compound);
    } else {
        parse_simple_statements(parser, list);
    }
}

// The names among the tokens from `start` to the next one.
static void note_mentions(struct parser *parser, const struct token *start, struct stmt *stmt) {
    struct mentioned_name *names = NULL;
    size_t count = 0;
    bool line_starts = true, in_decorator = false;
    for (const struct token *token = start; token < parser->token; token++) {
        in_decorator = line_starts ? token->kind == TOK_AT : in_decorator;
        line_starts = token->kind == TOK_NEWLINE || token->kind == TOK_INDENT || token->kind == TOK_DEDENT;
        if (token->kind == TOK_NAME) {
            struct mentioned_name name = {token->text, in_decorator};
            APPEND(parser, names, count, name);
        }
    }
    stmt->unparsed.mentions = names;
    stmt->unparsed.mention_count = count;
}

// Parses one statement; after a syntax error appends an STMT_UNPARSED instead.
static void parse_statement_or_skip(struct parser *parser, struct stmt_list *list) {
    const struct token *start = parser->token;
    size_t count = list->count;
    unsigned depth = parser->depth;
    jmp_buf recovery;
    jmp_buf *outer = parser->recovery;
    parser->recovery = &recovery;
    if (setjmp(recovery) == 0) {
        parse_statement(parser, list);
        parser->recovery = outer;
        return;
    }
    parser->recovery = outer;
    parser->depth = depth;
    parser->in_pattern = false;
    parser->token = start;
    list->count = count; // of a line `a; b c` nothing stays
    struct stmt *stmt = parser_new_stmt(parser, STMT_UNPARSED);
    stmt->unparsed.fault = parser->last_fault;
    stmt->unparsed.name = skip_statement(parser);
    note_mentions(parser, start, stmt);
    parser->fault_count++;
    APPEND(parser, list->items, list->count, stmt);
}

// True at an indented block's first statement; false if the block is on the rest of the line.
static bool enter_block(struct parser *parser) {
    parser_expect(parser, TOK_COLON);
    if (!parser_take(parser, TOK_NEWLINE)) {
        return false;
    }
    if (!parser_take(parser, TOK_INDENT)) {
        parser_fault(parser, parser_location_of(parser, parser->token),
                     "expected an indented block: indent what belongs "
                     "to the line above");
    }
    return true;
}

// The statements of a block on lines of its own, each by `parse`, or those behind the colon.
static struct stmt_list parse_statements(struct parser *parser,
                                         void (*parse)(struct parser *parser, struct stmt_list *list)) {
    struct stmt_list list = {0};
    if (!enter_block(parser)) {
        parse_simple_statements(parser, &list);
        return list;
    }
    while (!parser_take(parser, TOK_DEDENT)) {
        parse(parser, &list);
    }
    return list;
}

struct stmt_list parse_block(struct parser *parser) {
    return parse_statements(parser, parse_statement);
}

struct stmt_list parse_class_body(struct parser *parser) {
    return parse_statements(parser, parse_statement_or_skip);
}

void parse_function_body(struct parser *parser, struct function_def *function) {
    if (!parser_at(parser, TOK_COLON)) {
        parser_fault_expected(parser, token_kind_text(TOK_COLON));
    }
    const struct token *start = parser->token;
    unsigned depth = parser->depth;
    jmp_buf recovery;
    jmp_buf *outer = parser->recovery;
    parser->recovery = &recovery;
    if (setjmp(recovery) == 0) {
        function->body = parse_block(parser);
        parser->recovery = outer;
        return;
    }
    parser->recovery = outer;
    parser->depth = depth;
    parser->in_pattern = false;
    parser->token = start;
    skip_line_and_block(parser);
    function->body = (struct stmt_list){0};
    function->fault = parser->last_fault;
    parser->fault_count++;
}

struct module *parse_module(struct arena *arena, struct diag *diag, const struct source *source) {
    struct token_list tokens;
    if (!lexer_run(arena, diag, source, &tokens)) {
        return NULL;
    }
    struct parser parser = {.arena = arena, .diag = diag, .source = source, .token = tokens.items};
    struct module *module = ARENA_NEW(arena, struct module);
    module->source = source;
    module->language = tokens.language.text;
    module->language_location = parser_location_of(&parser, &tokens.language);
    while (!parser_at(&parser, TOK_END_OF_FILE)) {
        parse_statement_or_skip(&parser, &module->body);
    }
    module->fault_count = parser.fault_count;
    return diag->budget.exceeded ? NULL : module;
}
