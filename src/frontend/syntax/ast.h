// The syntax tree of one Python 3.12 module.
//
// Two unions tagged by a kind: `struct expr` and `struct stmt`. Names and grouping follow Python's own ast
// module (an `elif` is an `if` alone in the else branch, keyword arguments are apart from positional ones).
// Everything lives in one arena; arrays are a pointer and a count (a NULL pointer if the count is 0). Absent
// children are NULL. Names are NUL-terminated, and equal names of one module are the same pointer (names of
// two modules need strcmp).
//
// Host code around kernels is parsed too, but a syntax error there must not stop a compilation. A function
// with an error in its body keeps its header and has a `struct syntax_fault`; any other statement with an
// error (at module or class level) becomes STMT_UNPARSED. If a kernel refers to one of these, its fault is
// reported with diag_error.
#ifndef TKC_FRONTEND_SYNTAX_AST_H
#define TKC_FRONTEND_SYNTAX_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/diag.h"
#include "support/source.h"

struct expr;
struct stmt;

// A syntax error kept for later: report it as diag_error(diag, fault->location, "%s", fault->message).
struct syntax_fault {
    struct location location;
    const char *message;
    struct diag_fix fix; // text NULL: none
};

enum unary_op { UNARY_PLUS, UNARY_MINUS, UNARY_INVERT, UNARY_NOT };

enum binary_op {
    BINARY_ADD,
    BINARY_SUB,
    BINARY_MUL,
    BINARY_DIV,       // a / b
    BINARY_FLOOR_DIV, // a // b
    BINARY_MOD,
    BINARY_POW,
    BINARY_MATMUL, // a @ b
    BINARY_SHL,
    BINARY_SHR,
    BINARY_AND,
    BINARY_OR,
    BINARY_XOR,
};

enum compare_op {
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_IS,
    COMPARE_IS_NOT,
    COMPARE_IN,
    COMPARE_NOT_IN,
};

enum bool_op { BOOL_AND, BOOL_OR };

// The operator as it is written in source: "+", "//", "not in", "and", ….
const char *unary_op_text(enum unary_op op);
const char *binary_op_text(enum binary_op op);
const char *compare_op_text(enum compare_op op);
const char *bool_op_text(enum bool_op op);

enum expr_kind {
    EXPR_NAME,
    EXPR_INT,
    EXPR_FLOAT,
    EXPR_IMAGINARY, // 2j: `number` holds the imaginary part
    EXPR_STRING,
    EXPR_FSTRING,
    EXPR_TRUE,
    EXPR_FALSE,
    EXPR_NONE,
    EXPR_ELLIPSIS,
    EXPR_TUPLE,
    EXPR_LIST,
    EXPR_SET,
    EXPR_DICT,
    EXPR_UNARY,
    EXPR_BINARY,
    EXPR_COMPARE,
    EXPR_BOOL,
    EXPR_CALL,
    EXPR_ATTRIBUTE,
    EXPR_SUBSCRIPT,
    EXPR_SLICE, // only inside a subscript's index
    EXPR_LAMBDA,
    EXPR_TERNARY,
    EXPR_WALRUS,
    EXPR_COMPREHENSION,
    EXPR_AWAIT,
    EXPR_YIELD,
    EXPR_YIELD_FROM,
    EXPR_STARRED,    // *x in a call, a display, a target or an index
    EXPR_AS_PATTERN, // `p as x`, only in the pattern of a match case
};

struct expr_list {
    struct expr **items;
    size_t count;
};

struct keyword {
    const char *name; // NULL: **value
    struct expr *value;
    struct location location; // of the name, or of the **
};

struct dict_item {
    struct expr *key; // NULL: **value
    struct expr *value;
};

// One piece of an f-string: literal text, or a replacement field {value=!conversion:format}.
struct fstring_part {
    const char *text; // literal text when value is NULL; with `=`, the source text of the field up to and
                      // with the `=`
    size_t length;
    struct expr *value;
    char conversion;     // 'r', 's', 'a' or 0
    struct expr *format; // an EXPR_FSTRING, or NULL
    struct location location;
};

// One `for target in iterable if condition …` of a comprehension.
struct comprehension_clause {
    struct expr *target;
    struct expr *iterable;
    struct expr_list conditions;
    bool is_async;
};

enum comprehension_kind {
    COMPREHENSION_GENERATOR,
    COMPREHENSION_LIST,
    COMPREHENSION_SET,
    COMPREHENSION_DICT
};

enum parameter_kind {
    PARAMETER_POSITIONAL_ONLY, // before a lone /
    PARAMETER_NORMAL,
    PARAMETER_VARARGS,      // *args
    PARAMETER_KEYWORD_ONLY, // after *args or a lone *
    PARAMETER_KWARGS,       // **kwargs
};

struct parameter {
    enum parameter_kind kind;
    const char *name;
    struct expr *annotation;
    struct expr *default_value;
    struct location location; // of the name
};

struct parameter_list {
    struct parameter *items; // in source order
    size_t count;
};

struct expr {
    enum expr_kind kind;
    bool parenthesized; // written inside its own (…)
    uint16_t height;    // of the tree below; the parser bounds it, so recursive walks are safe
    // From the first byte to the last, or to the end of the first line if it spans several.
    struct location location;
    union {
        struct { // EXPR_NAME
            const char *id;
        } name;
        struct { // EXPR_INT
            __extension__ unsigned __int128 value;
            bool overflow;    // does not fit 128 bits: value is meaningless, text is right
            const char *text; // as written
        } integer;
        struct { // EXPR_FLOAT, EXPR_IMAGINARY
            double value;
            const char *text; // as written
        } number;
        struct {               // EXPR_STRING: adjacent literals are joined
            const char *bytes; // escapes decoded, UTF-8; NUL-terminated, but may hold NULs
            size_t length;
            bool is_bytes; // b"…"
        } string;
        struct { // EXPR_FSTRING: adjacent literals are joined
            struct fstring_part *parts;
            size_t count;
        } fstring;
        struct expr_list elements; // EXPR_TUPLE, EXPR_LIST, EXPR_SET
        struct {                   // EXPR_DICT
            struct dict_item *items;
            size_t count;
        } dict;
        struct { // EXPR_UNARY
            enum unary_op op;
            struct expr *operand;
        } unary;
        struct { // EXPR_BINARY
            enum binary_op op;
            struct expr *left;
            struct expr *right;
        } binary;
        struct { // EXPR_COMPARE: first ops[0] operands[0] ops[1] operands[1] …
            struct expr *first;
            enum compare_op *ops;
            struct expr **operands;
            size_t count;
        } compare;
        struct { // EXPR_BOOL: two or more values
            enum bool_op op;
            struct expr_list values;
        } boolean;
        struct { // EXPR_CALL
            struct expr *function;
            struct expr_list args; // some may be EXPR_STARRED
            struct keyword *keywords;
            size_t keyword_count;
        } call;
        struct { // EXPR_ATTRIBUTE
            struct expr *object;
            const char *name;
            struct location name_location;
        } attribute;
        struct { // EXPR_SUBSCRIPT: x[a, b] has an EXPR_TUPLE as index; x[a:b] an EXPR_SLICE
            struct expr *object;
            struct expr *index;
        } subscript;
        struct { // EXPR_SLICE: each may be NULL
            struct expr *lower;
            struct expr *upper;
            struct expr *step;
        } slice;
        struct { // EXPR_LAMBDA
            struct parameter_list params;
            struct expr *body;
        } lambda;
        struct { // EXPR_TERNARY
            struct expr *test;
            struct expr *then_value;
            struct expr *else_value;
        } ternary;
        struct { // EXPR_WALRUS
            const char *name;
            struct expr *value;
        } walrus;
        struct { // EXPR_COMPREHENSION
            enum comprehension_kind kind;
            struct expr *element; // the key, for a dict
            struct expr *value;   // only for a dict
            struct comprehension_clause *clauses;
            size_t clause_count;
        } comprehension;
        struct expr *operand; // EXPR_AWAIT, EXPR_YIELD (may be NULL), EXPR_YIELD_FROM, EXPR_STARRED
        struct {              // EXPR_AS_PATTERN
            struct expr *pattern;
            const char *name;
        } as_pattern;
    };
};

enum stmt_kind {
    STMT_EXPR,
    STMT_ASSIGN,
    STMT_AUGMENTED_ASSIGN,
    STMT_ANNOTATED_ASSIGN,
    STMT_RETURN,
    STMT_IF,
    STMT_FOR,
    STMT_WHILE,
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_PASS,
    STMT_ASSERT,
    STMT_RAISE,
    STMT_WITH,
    STMT_TRY,
    STMT_IMPORT,
    STMT_IMPORT_FROM,
    STMT_GLOBAL,
    STMT_NONLOCAL,
    STMT_DELETE,
    STMT_FUNCTION,
    STMT_CLASS,
    STMT_MATCH,
    STMT_TYPE_ALIAS,
    STMT_UNPARSED,
};

struct stmt_list {
    struct stmt **items;
    size_t count;
};

struct import_alias {
    const char *name;    // "a.b.c" for import, the name for from-import, "*" for a star
    const char *as_name; // NULL: no `as`
    struct location location;
};

struct with_item {
    struct expr *context;
    struct expr *target; // NULL: no `as`
};

struct except_handler {
    struct expr *type; // NULL: a bare except
    const char *name;  // NULL: no `as`
    struct stmt_list body;
    struct location location;
};

struct type_param {
    const char *name;
    unsigned stars; // 0: T, 1: *Ts, 2: **P
    struct expr *bound;
    struct expr *default_value; // Python 3.13
    struct location location;
};

struct type_param_list {
    struct type_param *items;
    size_t count;
};

struct match_case {
    struct expr *pattern; // a pattern is stored as the expression of the same form
    struct expr *guard;
    struct stmt_list body;
    struct location location;
};

// A name in a statement with a syntax error.
struct mentioned_name {
    const char *text;
    bool in_decorator;
};

struct function_def {
    const char *name;
    struct location name_location;
    struct expr_list decorators;
    struct type_param_list type_params;
    struct parameter_list params;
    struct expr *returns;
    struct stmt_list body;            // empty when fault is set
    const struct syntax_fault *fault; // the body did not parse
    bool is_async;
};

struct class_def {
    const char *name;
    struct location name_location;
    struct expr_list decorators;
    struct type_param_list type_params;
    struct expr_list bases;
    struct keyword *keywords;
    size_t keyword_count;
    struct stmt_list body;
};

struct stmt {
    enum stmt_kind kind;
    // From the first byte to the last of the statement or of a compound statement's header, within its first
    // line.
    struct location location;
    union {
        struct expr *expr; // STMT_EXPR
        struct {           // STMT_ASSIGN: a = b = value
            struct expr_list targets;
            struct expr *value;
        } assign;
        struct { // STMT_AUGMENTED_ASSIGN
            struct expr *target;
            enum binary_op op;
            struct expr *value;
        } augmented;
        struct { // STMT_ANNOTATED_ASSIGN
            struct expr *target;
            struct expr *annotation;
            struct expr *value; // may be NULL
        } annotated;
        struct {                // STMT_RETURN
            struct expr *value; // may be NULL
        } return_value;
        struct { // STMT_IF: `elif` is a lone STMT_IF in orelse
            struct expr *test;
            struct stmt_list body;
            struct stmt_list orelse;
        } if_else;
        struct { // STMT_FOR
            struct expr *target;
            struct expr *iterable;
            struct stmt_list body;
            struct stmt_list orelse;
            bool is_async;
        } for_loop;
        struct { // STMT_WHILE
            struct expr *test;
            struct stmt_list body;
            struct stmt_list orelse;
        } while_loop;
        struct { // STMT_ASSERT
            struct expr *test;
            struct expr *message; // may be NULL
        } assertion;
        struct {                    // STMT_RAISE
            struct expr *exception; // may be NULL
            struct expr *cause;     // may be NULL
        } raise;
        struct { // STMT_WITH
            struct with_item *items;
            size_t count;
            struct stmt_list body;
            bool is_async;
        } with;
        struct { // STMT_TRY
            struct stmt_list body;
            struct except_handler *handlers;
            size_t handler_count;
            bool is_star; // except*
            struct stmt_list orelse;
            struct stmt_list finally;
        } try_block;
        struct { // STMT_IMPORT
            struct import_alias *names;
            size_t count;
        } import;
        struct {                // STMT_IMPORT_FROM
            const char *module; // NULL: `from . import x`
            unsigned level;     // leading dots
            struct import_alias *names;
            size_t count;
        } import_from;
        struct { // STMT_GLOBAL, STMT_NONLOCAL
            const char **names;
            size_t count;
        } scope;
        struct expr_list targets;      // STMT_DELETE
        struct function_def *function; // STMT_FUNCTION
        struct class_def *class_;      // STMT_CLASS
        struct {                       // STMT_MATCH
            struct expr *subject;
            struct match_case *cases;
            size_t count;
        } match;
        struct { // STMT_TYPE_ALIAS
            const char *name;
            struct type_param_list type_params;
            struct expr *value;
        } type_alias;
        struct {              // STMT_UNPARSED
            const char *name; // the name it would bind (function, class, variable); NULL: unknown
            const struct syntax_fault *fault;
            const struct mentioned_name *mentions; // every name in it, in order
            size_t mention_count;
        } unparsed;
    };
};

struct module {
    const struct source *source;
    struct stmt_list body;
    const char *language; // as its comment `# tkc: language VERSION` says; NULL: it has none
    struct location language_location;
    size_t fault_count; // functions and statements below, at any depth, with a syntax_fault
};

#endif
