// Passes: plain C functions over one module. runner.c runs them in the order of passes.def, verifies the
// module after a pass, dumps it and takes the time.
#ifndef TKC_PASSES_PASS_H
#define TKC_PASSES_PASS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <mlir-c/IR.h>

#include "dialects/tk/tk.h"
#include "ir/context.h"
#include "support/arena.h"
#include "chip/target.h"
#include "passes/reason.h"
#include "passes/remark.h"

struct pass_context {
    struct ir *ir;
    const struct target *target;
    struct arena *arena; // scratch: reset after each pass
    struct diag *diag;
    int group_size;           // grouped_pid: 0 lets the pass choose, 1 switches it off
    bool fp_contract;         // fuse_fma: a multiply and an add may round once
    bool tensor_maps;         // specialise: kernels may get hidden arguments
    struct remarks *remarks;  // NULL: nobody wants any
    struct declined declined; // the last refusal and its reason (reason.h)
    // Of the run: what a pass may try on a copy (trial.c).
    const struct pass *passes;      // pass_table
    const struct pass_set *without; // passes left out; NULL: none
};

// A pass reports faults through diag. It leaves either a valid module or an error.
typedef void pass_function(struct pass_context *context, MlirModule module);

enum pass_id {
#define PASS(id, ...) PASS_##id,
#include "passes/passes.def"
#undef PASS
    PASS_COUNT
};

struct pass {
    const char *name;
    pass_function *run;
    bool needed; // kernels are wrong without it, or cannot be lowered
    const char *doc;
};

extern const struct pass pass_table[PASS_COUNT];

#define PASS(id, name, use, doc) void pass_##name(struct pass_context *context, MlirModule module);
#include "passes/passes.def"
#undef PASS

struct pass_set {
    bool has[PASS_COUNT];
};

struct pass_options {
    const char *dump_after;  // pass name, "all" or NULL
    const char *start_after; // pass name or NULL: those up to it have run
    const char *stop_after;  // pass name or NULL
    struct pass_set without; // left out: never a needed pass
    bool time_passes;
    FILE *out; // for dumps and times
};

// Runs the whole table. False when a pass recorded an error. *stopped is set when stop_after ended the run.
bool passes_run(struct pass_context *context, MlirModule module, const struct pass_options *options,
                bool *stopped);
// Runs one pass by name (--run-pass). False if no pass has the name or the pass failed.
bool pass_run_one(struct pass_context *context, MlirModule module, const char *name);
int pass_find(const char *name); // -1 when absent
// The documented constraints {before, after, why}: returns NULL when the table's order keeps them, else the
// broken one's text.
const char *passes_order_fault(void);

// Runs the passes behind `from` up to `to` on a module of the caller's, without remarks.
void passes_try(const struct pass_context *context, MlirModule module, enum pass_id from, enum pass_id to);

// IR text with layouts as #L0 aliases, and reading it back.
void ir_print(struct ir *ir, MlirModule module, FILE *out);
MlirModule ir_parse(struct ir *ir, const char *text, const char *path); // null module after an error

#endif
