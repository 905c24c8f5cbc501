// Features of some chips only (tl.extra.cuda, through library/cuda.tk), and queries about the chip.
#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"

// Inline PTX makes sense on NVIDIA chips only.
static struct value nvidia_only(struct emitter *e, const char *name, struct location at) {
    if (e->target && e->target->vendor != VENDOR_NVIDIA) {
        return emit_error(e, at, "tl.extra.cuda.%s needs an NVIDIA chip, and the target is %s", name,
                          e->target->name);
    }
    return emit_call_library(e, "cuda", name, NULL, 0, at);
}

// Programmatic dependent launch. Chips before sm_90 lack it, so the call does nothing there.
static struct value dependent_launch(struct emitter *e, const char *name, struct location at) {
    if (e->target && e->target->vendor == VENDOR_NVIDIA && e->target->compute_capability < 90) {
        return value_none();
    }
    return nvidia_only(e, name, at);
}

struct value builtin_cuda_globaltimer(struct emitter *e, struct value *args, struct location at) {
    (void)args;
    return nvidia_only(e, "globaltimer", at);
}
struct value builtin_cuda_smid(struct emitter *e, struct value *args, struct location at) {
    (void)args;
    return nvidia_only(e, "smid", at);
}
struct value builtin_cuda_gdc_wait(struct emitter *e, struct value *args, struct location at) {
    (void)args;
    return dependent_launch(e, "gdc_wait", at);
}
struct value builtin_cuda_gdc_launch_dependents(struct emitter *e, struct value *args, struct location at) {
    (void)args;
    return dependent_launch(e, "gdc_launch_dependents", at);
}

// tl.target_info: questions about the chip, answered while compiling.
struct value builtin_cuda_capability_geq(struct emitter *e, struct value *args, struct location at) {
    int64_t major, minor = 0;
    if (!value_to_int(e, args[0], "the major capability", at, &major) ||
        !int_option(e, args[1], "the minor capability", at, &minor)) {
        return value_error();
    }
    bool nvidia = !e->target || e->target->vendor == VENDOR_NVIDIA;
    return value_bool(nvidia && (!e->target || e->target->compute_capability >= major * 10 + minor));
}
struct value builtin_is_cuda(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    return value_bool(!e->target || e->target->vendor == VENDOR_NVIDIA);
}
struct value builtin_is_hip(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    return value_bool(e->target && e->target->vendor == VENDOR_AMD);
}
