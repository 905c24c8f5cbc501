// The source spelling of the operators of the syntax tree.
#include "frontend/syntax/ast.h"

const char *unary_op_text(enum unary_op op) {
    static const char *const texts[] = {
        [UNARY_PLUS] = "+", [UNARY_MINUS] = "-", [UNARY_INVERT] = "~", [UNARY_NOT] = "not"};
    return texts[op];
}

const char *binary_op_text(enum binary_op op) {
    static const char *const texts[] = {
        [BINARY_ADD] = "+",        [BINARY_SUB] = "-",  [BINARY_MUL] = "*",  [BINARY_DIV] = "/",
        [BINARY_FLOOR_DIV] = "//", [BINARY_MOD] = "%",  [BINARY_POW] = "**", [BINARY_MATMUL] = "@",
        [BINARY_SHL] = "<<",       [BINARY_SHR] = ">>", [BINARY_AND] = "&",  [BINARY_OR] = "|",
        [BINARY_XOR] = "^"};
    return texts[op];
}

const char *compare_op_text(enum compare_op op) {
    static const char *const texts[] = {
        [COMPARE_EQ] = "==", [COMPARE_NE] = "!=",        [COMPARE_LT] = "<",  [COMPARE_LE] = "<=",
        [COMPARE_GT] = ">",  [COMPARE_GE] = ">=",        [COMPARE_IS] = "is", [COMPARE_IS_NOT] = "is not",
        [COMPARE_IN] = "in", [COMPARE_NOT_IN] = "not in"};
    return texts[op];
}

const char *bool_op_text(enum bool_op op) {
    return op == BOOL_AND ? "and" : "or";
}
