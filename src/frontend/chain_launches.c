// The launches of a chain: kernels of its steps, merged kernels, and where sizes decide both, under a rule.
//
// A product that takes in the step on its operand computes it for each tile of columns again, beside the operand's products. A kernel of its
// own computes it once, and its results go through memory. So the merged kernel is the better one where
//
//     ceil(programs / multiprocessors) * (steps * worth + tile) <= elements + launch
//
// elements: of the array between the two; steps: of the product's loop; worth, tile and launch: struct merge_loop, from the code
// (driver/fuse_trial.c). The same rule weighs sums over rows that a product's loop makes, and factors of rows that multiply a product's sums.
// A launch asks its device for the multiprocessors: the rule calls their number tkc_multiprocessors. For `quantise(x, s, q); product(q, b, s, y)` with tiles of 128 x 256 x 128:
//
//     tkc_le(tkc_mul(tkc_mul(tkc_cdiv(tkc_mul(tkc_cdiv(M, 128), tkc_cdiv(N, 256)), tkc_multiprocessors), tkc_cdiv(K, 128)), 334600), tkc_mul(M, K))
#include <ctype.h>
#include <string.h>

#include "frontend/kernel.h"

// ---- the rule

static const char *number_text(const struct frontend *f, const struct kernel_chain *chain,
                               const struct chain_value *value) {
    const char *text = NULL;
    switch (value->kind) {
    case CHAIN_PARAMETER:
        text = chain->params[value->index].name;
        return f->c_name ? f->c_name(f->arena, text) : text;
    case CHAIN_NUMBER:
        return value_is_integral(value->number)
                   ? arena_printf(f->arena, "%lld", (long long)value_integer(value->number))
                   : NULL;
    case CHAIN_PRODUCT:
        for (size_t i = 0; i < value->factor_count; i++) {
            const char *factor = number_text(f, chain, &value->factors[i]);
            text = i ? arena_printf(f->arena, "tkc_mul(%s, %s)", text, factor) : factor;
        }
        return text ? text : "1";
    case CHAIN_TEMPORARY:
        return NULL;
    }
    return NULL;
}

// The number that the chain passes to a merged kernel's parameter of this C name; of a function's name, or a number, the word itself.
static const char *named_text(const struct frontend *f, const struct kernel_chain *chain,
                              const struct kernel_instance *kernel, const char *name, size_t length) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *own = kernel->merge->names[i];
        if (strlen(own) == length && memcmp(own, name, length) == 0) {
            return number_text(f, chain, &kernel->merge->values[i]);
        }
    }
    return arena_strndup(f->arena, name, length);
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// An expression over the merged kernel's parameters as one over the chain's; NULL: the chain has no number for one of them.
static const char *in_chain(const struct frontend *f, const struct kernel_chain *chain,
                            const struct kernel_instance *kernel, const char *expression) {
    const char *out = "";
    for (const char *at = expression; *at;) {
        size_t length = 0;
        while (is_word(at[length])) {
            length++;
        }
        const char *text = length ? named_text(f, chain, kernel, at, length) : arena_strndup(f->arena, at, 1);
        if (!text) {
            return NULL;
        }
        out = arena_printf(f->arena, "%s%s", out, text);
        at += length ? length : 1;
    }
    return out;
}

static const char *programs_text(const struct frontend *f, const struct kernel_chain *chain,
                                 const struct kernel_instance *kernel) {
    const char *text = NULL;
    for (int axis = 0; axis < 3; axis++) {
        if (kernel->grid[axis]) {
            const char *side = in_chain(f, chain, kernel, kernel->grid[axis]);
            if (!side) {
                return NULL;
            }
            text = text ? arena_printf(f->arena, "tkc_mul(%s, %s)", text, side) : side;
        }
    }
    return text;
}

// True if the first step makes the array, and hands it on to the product.
static bool is_handed(const struct kernel_merge *merge, const struct kernel_chain *chain, size_t temporary) {
    return merge->kind == MERGE_SCALED ? merge->values[merge->factors].index == temporary
                                       : chain->temporaries[temporary].writer == merge->first;
}

// The elements of the array that the first step hands on.
static const char *elements_text(const struct frontend *f, const struct kernel_chain *chain,
                                 const struct kernel_merge *merge) {
    const char *text = NULL;
    for (size_t i = 0; i < chain->temporary_count; i++) {
        const struct chain_temporary *temporary = &chain->temporaries[i];
        for (size_t d = 0; d < temporary->rank && is_handed(merge, chain, i); d++) {
            const char *size = number_text(f, chain, &temporary->sizes[d]);
            if (!size) {
                return NULL;
            }
            text = text ? arena_printf(f->arena, "tkc_mul(%s, %s)", text, size) : size;
        }
    }
    return text;
}

const char *frontend_merge_rule(const struct frontend *f, const struct kernel_chain *chain,
                                const struct kernel_instance *kernel) {
    const struct merge_loop *loop = &kernel->merge->loop;
    const char *programs = programs_text(f, chain, kernel),
               *elements = elements_text(f, chain, kernel->merge);
    if (!programs || !elements || (loop->worth && !loop->divisor)) {
        return NULL;
    }
    const char *rounds = arena_printf(f->arena, "tkc_cdiv(%s, tkc_multiprocessors)", programs), *more = NULL;
    if (loop->worth) {
        const char *steps = arena_printf(f->arena, "%lld", (long long)loop->divisor);
        if (loop->parameter >= 0) {
            steps = arena_printf(f->arena, "tkc_cdiv(%s, %s)",
                                 number_text(f, chain, &kernel->merge->values[loop->parameter]), steps);
        }
        more =
            arena_printf(f->arena, "tkc_mul(tkc_mul(%s, %s), %lld)", rounds, steps, (long long)loop->worth);
    }
    if (loop->tile) {
        const char *tiles = arena_printf(f->arena, "tkc_mul(%s, %lld)", rounds, (long long)loop->tile);
        more = more ? arena_printf(f->arena, "tkc_add(%s, %s)", more, tiles) : tiles;
    }
    if (loop->launch) {
        elements = arena_printf(f->arena, "tkc_add(%s, %lld)", elements, (long long)loop->launch);
    }
    return arena_printf(f->arena, "tkc_le(%s, %s)", more ? more : "0", elements);
}

// ---- launches

// The chain's value of each parameter of a merged kernel, found again by the steps' places.
static struct chain_value *arguments_of(struct arena *arena, const struct kernel_chain *chain,
                                        const struct kernel_instance *kernel) {
    const struct kernel_merge *merge = kernel->merge;
    struct chain_value *values = ARENA_ARRAY(arena, struct chain_value, kernel->param_count + 1);
    for (size_t s = 0; s < merge->count; s++) {
        const struct chain_step *step = &chain->steps[merge->first + s];
        for (size_t i = 0; i < step->argument_count; i++) {
            const struct merge_place *place = &merge->steps[s].places[i];
            if (!place->is_number && place->parameter < kernel->param_count) {
                values[place->parameter] = step->arguments[i];
            }
        }
    }
    return values;
}

static bool drops(const struct kernel_merge *merge, const char *temporary) {
    bool dropped = false;
    for (size_t i = 0; merge && i < merge->dropped_count; i++) {
        dropped |= strcmp(merge->dropped[i].name, temporary) == 0;
    }
    return dropped;
}

static const struct kernel_instance *find_merged(const struct frontend *f, const struct kernel_chain *chain,
                                                 const struct chain_launch *group) {
    for (size_t i = 0; i < f->kernel_count; i++) {
        const struct kernel_merge *merge = f->kernels[i].merge;
        if (merge && strcmp(merge->chain, chain->name) == 0 && merge->first == group->first_step &&
            merge->count == group->step_count && merge->kind == group->kind) {
            return &f->kernels[i];
        }
    }
    return NULL;
}

void frontend_group(struct frontend *frontend, struct kernel_chain *chain, const struct chain_launch *groups,
                    size_t count) {
    struct chain_launch *launches = ARENA_ARRAY(frontend->arena, struct chain_launch, count + 1);
    bool *made_there = ARENA_ARRAY(frontend->arena, bool, chain->temporary_count + 1);
    bool *written = ARENA_ARRAY(frontend->arena, bool, chain->temporary_count + 1);
    for (size_t g = 0; g < count; g++) {
        bool made = groups[g].step_count > 1 || groups[g].kind == MERGE_FACTORS;
        const struct kernel_instance *merged = made ? find_merged(frontend, chain, &groups[g]) : NULL;
        launches[g] = chain->launches[groups[g].first_step];
        if (merged) {
            launches[g] = groups[g];
            launches[g].function = merged->function;
            launches[g].arguments = arguments_of(frontend->arena, chain, merged);
            launches[g].argument_count = merged->param_count;
        }
        launches[g].when = groups[g].when;
        launches[g].otherwise = groups[g].otherwise;
        for (size_t k = 0; k < chain->temporary_count; k++) {
            size_t writer = chain->temporaries[k].writer, first = groups[g].first_step;
            bool here = writer >= first && writer < first + groups[g].step_count;
            bool dropped = drops(merged ? merged->merge : NULL, chain->temporaries[k].name);
            made_there[k] |= here;
            written[k] |= here && !dropped;
        }
    }
    for (size_t k = 0; k < chain->temporary_count; k++) {
        chain->kept[k] &= !made_there[k] || written[k];
    }
    chain->launches = launches;
    chain->launch_count = count;
}
