// Selects the lines of an IR dump for a golden.
#ifndef TKC_TESTS_GOLDEN_SELECT_H
#define TKC_TESTS_GOLDEN_SELECT_H

#include "support/strbuf.h"

// Writes the ops of `dump` named by `patterns`, in order, within their regions. Patterns are names of ops
// with blanks between: tk.barrier, arith.cmpi, tk.async_*, * (all); -tk.range takes ops away.
//
// - Results of selected ops are renumbered, so other ops may come and go.
// - A constant is written at its use.
// - The value of another op is an expression, without types: addptr(%arg0, muli(%arg4, 32)). One with several
//   uses, or a deep one, has a line before the first op with a use: cmpi.0 = cmpi(slt, %arg4, %arg3).
// - Types of operands and unused layouts are left out.
void select_lines(const char *dump, const char *patterns, struct strbuf *out);

#endif
