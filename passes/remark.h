// Remarks: facts about the passes' choice of code, each with its place in the source. Passes record them; the driver prints the
// kinds asked for, and makes one warning a kernel (-Wslow) of the missing hints.
#ifndef TKC_PASSES_REMARK_H
#define TKC_PASSES_REMARK_H

#include <stdbool.h>
#include <stddef.h>

#include <mlir-c/IR.h>

#include "support/arena.h"
#include "support/source.h"

struct pass_context;

enum remark_kind {
#define REMARK(id, name, attribute, refused, doc) REMARK_##id,
#include "passes/remarks.def"
#undef REMARK
    REMARK_COUNT
};
const char *remark_name(enum remark_kind kind);
const char *remark_refused(enum remark_kind kind);
const char *remark_doc(enum remark_kind kind); // in words

// A run-time parameter of a kernel, as annotations of the source spell it: "stride_bk", "i32".
struct remark_parameter {
    const char *name, *type;
    bool pointer;
};
struct remark_kernel {
    const char *name; // of the entry
    const struct remark_parameter *parameters;
    size_t count;
};

// A hint for wider accesses: "stride_bk", "is not known to be a multiple of 16", "i32:16".
struct remark_hint {
    const char *parameter, *unknown, *annotation;
};

struct remark {
    enum remark_kind kind;
    struct location at;
    const char *kernel; // the entry's name
    const char *fact;
    const char *advice;              // the advice beside the hints; NULL: nothing, or no more than they say
    const struct remark_hint *hints; // missing ones
    size_t hint_count;
    bool refused; // an optimisation was left alone: the fact begins with remark_refused(kind)
    bool slow;    // worth a warning (-Wslow)
    // Of a load through registers, with its hints an asynchronous copy.
    bool lacks_copies;
};

// The remarks of one compilation. Equal ones, of copies of one op, are kept once.
struct remarks {
    struct arena *arena;
    const struct remark_kernel *kernels; // whose parameters the hints name
    size_t kernel_count;
    bool slow_only; // only those worth a warning will be heard
    struct remark *list;
    size_t count, capacity;
};

// Records a remark on an op; nothing if context->remarks is NULL.
void remark(struct pass_context *context, enum remark_kind kind, MlirOperation op, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same for a remark whose place and kernel are the op's; its texts are copied.
void remark_add(struct pass_context *context, MlirOperation op, struct remark remark);
// The parameter behind an argument of a kernel; called "argument 3" if the source's names are not known.
struct remark_parameter remark_parameter(struct pass_context *context, MlirOperation function,
                                         unsigned argument);
// The hint of an argument as a multiple of `multiple` (1: the argument is 1).
struct remark_hint remark_hint(struct pass_context *context, MlirOperation function, unsigned argument,
                               unsigned multiple);
// The fact, and the advice: "…: `n` is not known to be …; annotate `n: "i32:16"`", "…; give --num-stages 2 or more".
const char *remark_text(struct arena *arena, const struct remark *remark);
// ": `n` is not known to be a multiple of 16; annotate `n: "i32:16"`" for one hint or several; arena-allocated.
const char *remark_hints_text(struct arena *arena, const struct remark_hint *hints, size_t count);

#endif
