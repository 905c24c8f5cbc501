// Features of some chips only (tl.extra.cuda, through library/cuda.tk), and queries about the chip and the language.
#include <string.h>

#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"
#include "frontend/semantics/language.h"

// Inline PTX makes sense on NVIDIA chips only.
static struct value nvidia_only(struct emitter *e, const char *name, struct location at) {
    if (e->target && e->target->vendor != VENDOR_NVIDIA) {
        return emit_error(e, at, "tl.extra.cuda.%s needs an NVIDIA chip, and the target is %s", name,
                          e->target->name);
    }
    return emit_call_library(e, "cuda", name, NULL, 0, at);
}

// Programmatic dependent launch. NVIDIA's chips before sm_90 lack it, so the call does nothing there.
static struct value dependent_launch(struct emitter *e, const char *name, struct location at) {
    if (e->target && e->target->vendor == VENDOR_NVIDIA && !target_has(e->target, FEATURE(SM90))) {
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

// tl.extra.hip, through library/hip.tk, which takes the generation: 9 of gfx942, 11 of gfx1100.
static struct value amd_only(struct emitter *e, const char *name, struct location at) {
    if (!e->target || e->target->vendor != VENDOR_AMD) {
        return emit_error(e, at, "tl.extra.hip.%s needs an AMD chip, and the target is %s", name,
                          e->target ? e->target->name : "unknown");
    }
    const char *digits = e->target->name + strlen("gfx");
    struct value generation = value_int(*digits == '9' ? 9 : 10 * (digits[0] - '0') + (digits[1] - '0'));
    return emit_call_library(e, "hip", name, &generation, 1, at);
}

struct value builtin_hip_memrealtime(struct emitter *e, struct value *args, struct location at) {
    (void)args;
    return amd_only(e, "memrealtime", at);
}
struct value builtin_hip_smid(struct emitter *e, struct value *args, struct location at) {
    (void)args;
    return amd_only(e, "smid", at);
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
static struct value is_chip(struct emitter *e, const char *name) {
    return value_bool(e->target && strcmp(e->target->name, name) == 0);
}
struct value builtin_is_hip_cdna3(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    return is_chip(e, "gfx942");
}
struct value builtin_is_hip_cdna4(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    return is_chip(e, "gfx950");
}
struct value builtin_is_hip_gfx1250(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    return is_chip(e, "gfx1250");
}
struct value builtin_is_hip(struct emitter *e, struct value *args, struct location at) {
    (void)args, (void)at;
    return value_bool(e->target && e->target->vendor == VENDOR_AMD);
}

struct value builtin_language_has(struct emitter *e, struct value *args, struct location at) {
    const char *id;
    enum language_change change;
    if (!value_to_string(e, args[0], "the change", at, &id)) {
        return value_error();
    }
    if (!language_find_change(id, &change)) {
        return emit_error(e, at, "the language has no change %s", id);
    }
    return value_bool(language_has(e, change));
}
