// Python 3.12 source to syntax tree.
#ifndef TKC_FRONTEND_SYNTAX_PARSER_H
#define TKC_FRONTEND_SYNTAX_PARSER_H

#include "frontend/syntax/ast.h"

struct arena;
struct diag;

// Parses a whole file. Syntax errors inside a function or in one statement are kept in the tree (struct
// syntax_fault) and not reported. NULL, with the error reported, if the file's structure is lost:
// inconsistent indentation, or an unclosed bracket or triple-quoted string.
struct module *parse_module(struct arena *arena, struct diag *diag, const struct source *source);

#endif
