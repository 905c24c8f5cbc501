// Trials: a pass whose decision depends on what later passes make of the function runs them on a copy. The runner hands the table of
// passes down in the context: were it called from here, it would call itself by way of the pass.
#include "passes/pass.h"

void passes_try(const struct pass_context *context, MlirModule module, enum pass_id from, enum pass_id to) {
    struct pass_context trial = *context;
    trial.remarks = NULL;
    for (int id = (int)from + 1; id <= (int)to; id++) {
        if (!context->without || !context->without->has[id]) {
            struct arena_mark mark = arena_mark(context->arena);
            context->passes[id].run(&trial, module);
            arena_reset(context->arena, mark);
        }
    }
}
