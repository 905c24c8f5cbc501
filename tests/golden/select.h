// The lines of an IR dump that a golden is about.
#ifndef TKC_TESTS_GOLDEN_SELECT_H
#define TKC_TESTS_GOLDEN_SELECT_H

#include "support/strbuf.h"

// Writes the ops of `dump` that `patterns` names, in order, within the regions that hold them. Patterns are names of ops with blanks
// between: tk.barrier, arith.cmpi, tk.async_*, * (all).
//
//   - Results of ops that are shown are numbered anew, so that other ops may come and go.
//   - A constant is written where it is used.
//   - The value of an op that is not shown is an expression, without types: addptr(%arg0, muli(%arg4, 32)). One with several uses, or
//     a deep one, has a line before the first op that needs it: cmpi.0 = cmpi(slt, %arg4, %arg3).
//   - Types of operands are left out, as are layouts that no line mentions.
void select_lines(const char *dump, const char *patterns, struct strbuf *out);

#endif
