// The table of builtins, passed to the evaluator.
#ifndef TKC_FRONTEND_BUILTIN_TABLE_H
#define TKC_FRONTEND_BUILTIN_TABLE_H

#include "frontend/value/value.h"

extern const struct builtin builtin_table[]; // ended by a row without a name

#endif
