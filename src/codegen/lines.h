// Lines of inlined calls in PTX: LLVM's .loc directives say the innermost place alone.
#ifndef TKC_CODEGEN_LINES_H
#define TKC_CODEGEN_LINES_H

#include <llvm-c/Core.h>

#include "support/strbuf.h"

struct lines; // the inlined places of a module

// NULL: the module has no lines, or no inlined ones.
struct lines *lines_collect(LLVMModuleRef module);
// Gives instructions at inlined places numbers in place of lines. `module`: the collected one, or a copy of it without any change.
void lines_mark(const struct lines *lines, LLVMModuleRef module);
// The text of PTX, with the places for the numbers.
void lines_write(const struct lines *lines, const char *text, size_t length, struct strbuf *out);
void lines_free(struct lines *lines);

#endif
