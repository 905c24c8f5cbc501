// The rows of builtins.def and builtins_python.def as one table.
#include "frontend/builtin/table.h"

#define BUILTIN(name, handler, signature, doc) builtin_handler handler;
#define MUST_USE BUILTIN
#define COMPILE_TIME BUILTIN
#include "frontend/builtin/builtins.def"
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME
#undef MUST_USE
#undef BUILTIN

const struct builtin builtin_table[] = {
#define BUILTIN(name, handler, signature, doc) {name, handler, signature, false, false},
#define MUST_USE(name, handler, signature, doc) {name, handler, signature, false, true},
#define COMPILE_TIME(name, handler, signature, doc) {name, handler, signature, true, false},
#include "frontend/builtin/builtins.def"
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME
#undef MUST_USE
#undef BUILTIN
    {NULL, NULL, NULL, false, false},
};
