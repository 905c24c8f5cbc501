// Checks options and outputs against each other, before anything is read.
#include "driver/produce_check.h"

#include <string.h>

#include "chip/target.h"

struct checked {
    const struct output_plan *plan;
    bool every_config;
    struct diag *diag;
    enum launcher_runtime *runtime;
};

// Reads --runtime, and checks the launcher for an image for it.
static bool check_runtime(const struct checked *c, const struct tkc_options *options) {
    static const char *const names[] = {[RUNTIME_CUDA_DRIVER] = "cuda-driver",
                                        [RUNTIME_HIP] = "hip",
                                        [RUNTIME_CUDA_RUNTIME] = "cuda-runtime",
                                        [RUNTIME_DYNAMIC] = "dynamic"};
    *c->runtime = RUNTIME_LINKED;
    for (int i = RUNTIME_CUDA_DRIVER; i < RUNTIME_COUNT; i++) {
        *c->runtime = options->runtime && strcmp(options->runtime, names[i]) == 0 ? (enum launcher_runtime)i
                                                                                  : *c->runtime;
    }
    if (!options->runtime) {
        return true;
    }
    if (*c->runtime == RUNTIME_LINKED || !c->plan->header_path) {
        diag_error(c->diag, (struct location){0},
                   *c->runtime == RUNTIME_LINKED
                       ? "--runtime knows cuda-driver, cuda-runtime, hip and dynamic, not \"%s\""
                       : "--runtime %s is for a launcher, and none is written",
                   options->runtime);
        return false;
    }
    for (size_t i = 0; i < c->plan->target_count; i++) {
        bool nvidia = c->plan->targets[i]->vendor == VENDOR_NVIDIA;
        if (*c->runtime != RUNTIME_DYNAMIC && nvidia == (*c->runtime == RUNTIME_HIP)) {
            diag_error(c->diag, (struct location){0},
                       "--runtime %s does not launch on %s; compile for it apart", options->runtime,
                       c->plan->targets[i]->name);
            return false;
        }
    }
    return true;
}

static bool check_without(const struct checked *c, const struct tkc_options *options) {
    for (size_t i = 0; i < options->without_count; i++) {
        const char *fault = tkc_without_fault(options->without[i]);
        if (fault) {
            diag_error(c->diag, (struct location){0}, "--without=%s: %s", options->without[i], fault);
            return false;
        }
    }
    return true;
}

static bool check(const struct checked *c, const struct tkc_options *options) {
    if (options->out_name && c->every_config) {
        diag_error(c->diag, (struct location){0},
                   "--out-name is for one configuration; leave out --all-configs");
        return false;
    }
    if (options->config == TKC_CONFIG_ALL && !c->every_config) {
        diag_error(c->diag, (struct location){0},
                   "--all-configs needs outputs that hold several: files ending in .ptx, .cubin or .hsaco, "
                   "without --debug");
        return false;
    }
    if ((options->triton_abi || options->external_images) && !c->plan->header_path) {
        diag_error(c->diag, (struct location){0}, "%s is for the launcher header, and none is written",
                   options->triton_abi ? "--triton-abi" : "--external-images");
        return false;
    }
    if (options->external_images && c->plan->torch_path) {
        diag_error(c->diag, (struct location){0},
                   "--external-images: the extension \"%s\" holds its images; compile it apart",
                   c->plan->torch_path);
        return false;
    }
    if (!check_runtime(c, options) || !check_without(c, options)) {
        return false;
    }
    if (options->specialisation_count && !c->every_config) {
        diag_error(
            c->diag, (struct location){0},
            "--specialize makes variants: it needs a launcher header and images, and no --config, -D or "
            "the like (or --all-configs)");
        return false;
    }
    if (options->tuned && !c->every_config) {
        diag_error(c->diag, (struct location){0},
                   "--tuned chooses among all configurations: it needs a launcher header and images, and no "
                   "--config, -D or the like (or --all-configs)");
        return false;
    }
    return true;
}

bool check_options(const struct tkc_options *options, const struct output_plan *plan, bool every_config,
                   struct diag *diag, enum launcher_runtime *runtime) {
    struct checked checked = {plan, every_config, diag, runtime};
    return check(&checked, options);
}
