// The rows of builtins.def and builtins_python.def as one table.
#include "frontend/builtin/table.h"

#define BUILTIN(name, handler, signature) builtin_handler handler;
#define COMPILE_TIME BUILTIN
#include "frontend/builtin/builtins.def"
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME
#undef BUILTIN

const struct builtin builtin_table[] = {
#define BUILTIN(name, handler, signature) {name, handler, signature, false},
#define COMPILE_TIME(name, handler, signature) {name, handler, signature, true},
#include "frontend/builtin/builtins.def"
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME
#undef BUILTIN
    {NULL, NULL, NULL, false},
};
