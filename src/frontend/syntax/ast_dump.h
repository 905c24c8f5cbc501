// The syntax tree as text (S-expressions), for tests and for --stop-after=parse.
#ifndef TKC_FRONTEND_SYNTAX_AST_DUMP_H
#define TKC_FRONTEND_SYNTAX_AST_DUMP_H

#include "frontend/syntax/ast.h"
#include "support/strbuf.h"

void ast_dump(struct strbuf *buf, const struct module *module);

#endif
