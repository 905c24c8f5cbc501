// The chains of a source in the form of the launcher and the reflection.
#include <string.h>

#include "driver/compile.h"

static const char *number_text(struct arena *arena, struct value number) {
    if (value_is_integral(number)) {
        return arena_printf(arena, "%lld", (long long)value_integer(number));
    }
    const char *text = arena_printf(arena, "%.17g", value_number(number));
    return strpbrk(text, ".e") ? text : arena_printf(arena, "%s.0", text);
}

static struct reflect_value *reflect_values(struct arena *arena, const struct chain_value *values,
                                            size_t count) {
    static const enum reflect_value_kind kinds[] = {[CHAIN_PARAMETER] = REFLECT_PARAMETER,
                                                    [CHAIN_TEMPORARY] = REFLECT_TEMPORARY,
                                                    [CHAIN_NUMBER] = REFLECT_NUMBER,
                                                    [CHAIN_PRODUCT] = REFLECT_PRODUCT};
    struct reflect_value *out = ARENA_ARRAY(arena, struct reflect_value, count + 1);
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct reflect_value){.kind = kinds[values[i].kind], .index = values[i].index};
        if (values[i].kind == CHAIN_NUMBER) {
            out[i].number = number_text(arena, values[i].number);
        } else if (values[i].kind == CHAIN_PRODUCT) {
            out[i].factors = reflect_values(arena, values[i].factors, values[i].factor_count);
            out[i].factor_count = values[i].factor_count;
        }
    }
    return out;
}

static size_t kernel_index(const struct reflection *reflection, const char *function) {
    for (size_t i = 0; i < reflection->kernel_count; i++) {
        if (strcmp(reflection->kernels[i].function, function) == 0) {
            return i;
        }
    }
    bug("chain: no kernel %s", function);
}

static const char *step_names(struct arena *arena, const struct kernel_chain *chain,
                              const struct chain_launch *launch) {
    const char *names = "";
    for (size_t i = launch->first_step; i < launch->first_step + launch->step_count; i++) {
        names = arena_printf(arena, "%s%s%s", names, *names ? ", " : "", chain->steps[i].function);
    }
    return names;
}

static struct reflect_chain reflect_chain(struct arena *arena, const struct kernel_chain *chain,
                                          const struct reflection *reflection) {
    struct reflect_chain out = {
        .name = chain->name,
        .params = ARENA_ARRAY(arena, struct reflect_param, chain->param_count + 1),
        .param_count = chain->param_count,
        .temporaries = ARENA_ARRAY(arena, struct reflect_temporary, chain->temporary_count + 1),
        .temporary_count = chain->temporary_count,
        .launches = ARENA_ARRAY(arena, struct reflect_launch, chain->launch_count + 1),
        .launch_count = chain->launch_count};
    for (size_t i = 0; i < chain->param_count; i++) {
        out.params[i] = reflect_parameter(arena, &chain->params[i]);
    }
    for (size_t i = 0; i < chain->temporary_count; i++) {
        const struct chain_temporary *temporary = &chain->temporaries[i];
        out.temporaries[i] =
            (struct reflect_temporary){.name = temporary->name,
                                       .dtype = dtype_signature(arena, temporary->element),
                                       .sizes = reflect_values(arena, temporary->sizes, temporary->rank),
                                       .rank = temporary->rank,
                                       .element_bytes = (dtype_bits(temporary->element) + 7) / 8,
                                       .kept = chain->kept[i]};
    }
    for (size_t i = 0; i < chain->launch_count; i++) {
        const struct chain_launch *launch = &chain->launches[i];
        out.launches[i] = (struct reflect_launch){
            .kernel = kernel_index(reflection, launch->function),
            .steps = step_names(arena, chain, launch),
            .when = launch->when,
            .otherwise = launch->otherwise,
            .arguments = reflect_values(arena, launch->arguments, launch->argument_count),
            .argument_count = launch->argument_count};
    }
    return out;
}

void reflect_chains(struct arena *arena, const struct frontend *frontend, struct reflection *out) {
    out->chains = ARENA_ARRAY(arena, struct reflect_chain, frontend->chain_count + 1);
    out->chain_count = frontend->chain_count;
    for (size_t i = 0; i < frontend->chain_count; i++) {
        out->chains[i] = reflect_chain(arena, &frontend->chains[i], out);
    }
}
