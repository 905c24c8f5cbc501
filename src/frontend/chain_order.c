// Which kernels of a chain may begin before the one ahead of them ends, and what they must wait for.
#include <string.h>

#include "frontend/kernel.h"

static const struct kernel_instance *first_variant(const struct frontend *f, const char *function) {
    for (size_t i = 0; i < f->kernel_count; i++) {
        if (strcmp(f->kernels[i].function, function) == 0) {
            return &f->kernels[i];
        }
    }
    return NULL;
}

// The step's own kernel: the launched one, or one of those that it was made of.
static const struct kernel_instance *step_kernel(const struct frontend *f, const struct kernel_chain *chain,
                                                 const struct chain_launch *launch, size_t step) {
    const struct kernel_instance *launched = first_variant(f, launch->function);
    return launched && launched->merge ? launched->merge->steps[step - launch->first_step].kernel
                                       : first_variant(f, chain->steps[step].function);
}

// True if sizes choose one of both.
static bool are_forms(const struct chain_launch *a, const struct chain_launch *b) {
    return a->when && b->when && strcmp(a->when, b->when) == 0 && a->otherwise != b->otherwise;
}

// True if launches of the chain from `first` to `end` are made together with this one.
static bool any_with(const struct kernel_chain *chain, size_t launch, size_t first, size_t end) {
    bool any = false;
    for (size_t l = first; l < end; l++) {
        any |= !are_forms(&chain->launches[l], &chain->launches[launch]);
    }
    return any;
}

// True if a step of an earlier launch may write the array.
static bool is_written_before(const struct frontend *f, const struct kernel_chain *chain, size_t launch,
                              const struct chain_value *array) {
    for (size_t l = 0; l < launch; l++) {
        const struct chain_launch *earlier = &chain->launches[l];
        size_t end = earlier->first_step + earlier->step_count;
        for (size_t s = earlier->first_step; s < end && any_with(chain, launch, l, l + 1); s++) {
            const struct kernel_instance *kernel = step_kernel(f, chain, earlier, s);
            if (!kernel || chain_step_writes(chain, kernel, s, array)) {
                return true;
            }
        }
    }
    return false;
}

// A kernel may stand in several chains, and several times in one: it waits if it does so anywhere.
static void order_launch(struct frontend *f, const struct kernel_chain *chain, size_t launch) {
    const struct chain_launch *own = &chain->launches[launch];
    for (size_t k = 0; k < f->kernel_count; k++) {
        struct kernel_instance *kernel = &f->kernels[k];
        if (strcmp(kernel->function, own->function) != 0) {
            continue;
        }
        struct kernel_order *order = ARENA_NEW(f->arena, struct kernel_order);
        *order = kernel->order ? *kernel->order : (struct kernel_order){0};
        order->late = order->late ? order->late : ARENA_ARRAY(f->arena, bool, kernel->param_count + 1);
        order->triggers |= any_with(chain, launch, launch + 1, chain->launch_count);
        order->waits |= any_with(chain, launch, 0, launch);
        for (size_t i = 0; i < own->argument_count; i++) {
            const struct chain_value *value = &own->arguments[i];
            bool array =
                value->kind == CHAIN_TEMPORARY ||
                (value->kind == CHAIN_PARAMETER && dtype_is_pointer(chain->params[value->index].dtype));
            order->late[i] |= array && is_written_before(f, chain, launch, value);
        }
        kernel->order = order;
    }
}

void frontend_order(struct frontend *frontend) {
    for (size_t c = 0; c < frontend->chain_count; c++) {
        for (size_t l = 0; l < frontend->chains[c].launch_count; l++) {
            order_launch(frontend, &frontend->chains[c], l);
        }
    }
}
