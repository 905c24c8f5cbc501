// A chain's own parameters, its temporaries, and what each of its kernels gets, from its calls (chain_read.c).
#include <string.h>

#include "frontend/kernel.h"

// The arrays of a chain, in the order of their first use.
struct arrays {
    const char **names;
    const struct kernel_param **first; // the parameter of the first use
    bool *given, *made, *read_later;   // by a kernel ahead of any other's writing; by a kernel; after that
    bool *temporary;
    size_t *writer,
        *place; // the first call that makes it; its number among the temporaries or the parameters
    size_t count;
};

static size_t array_index(const struct arrays *all, const char *name) {
    size_t i = 0;
    while (i < all->count && strcmp(all->names[i], name) != 0) {
        i++;
    }
    return i;
}

static bool check_element(const struct chain_reader *r, const struct arrays *all, size_t array,
                          const struct chain_call *call, const struct kernel_param *param) {
    struct dtype was = dtype_pointee(all->first[array]->dtype), is = dtype_pointee(param->dtype);
    if (dtype_equal(was, is)) {
        return true;
    }
    chain_error(r, "%s has elements of %s for %s of %s, and of %s elsewhere", all->names[array],
                dtype_signature(r->e->arena, is), param->name, chain_kernel_name(r, call),
                dtype_signature(r->e->arena, was));
    return false;
}

static bool use_array(const struct chain_reader *r, struct arrays *all, size_t number,
                      const struct kernel_param *param, const char *name) {
    const struct chain_call *call = &r->calls[number];
    size_t i = array_index(all, name);
    if (i == all->count) {
        all->names[all->count] = name;
        all->first[all->count++] = param;
    }
    if (!param->tensor) {
        chain_error(r, "%s.tensors is missing, which says if %s reads or makes %s",
                    chain_kernel_name(r, call), chain_kernel_name(r, call), param->name);
        return false;
    }
    bool reads = param->tensor->role != KERNEL_MADE, writes = param->tensor->role != KERNEL_GIVEN;
    all->given[i] = all->given[i] || (reads && !all->made[i]);
    all->read_later[i] = all->read_later[i] || (reads && all->made[i]);
    if (writes && !all->made[i]) {
        all->made[i] = true;
        all->writer[i] = number;
    }
    return check_element(r, all, i, call, param);
}

static bool collect_arrays(const struct chain_reader *r, struct arrays *all) {
    size_t room = 1;
    for (size_t c = 0; c < r->call_count; c++) {
        room += r->calls[c].param_count;
    }
    struct arena *arena = r->e->arena;
    *all = (struct arrays){.names = ARENA_ARRAY(arena, const char *, room),
                           .first = ARENA_ARRAY(arena, const struct kernel_param *, room),
                           .given = ARENA_ARRAY(arena, bool, room),
                           .made = ARENA_ARRAY(arena, bool, room),
                           .read_later = ARENA_ARRAY(arena, bool, room),
                           .temporary = ARENA_ARRAY(arena, bool, room),
                           .writer = ARENA_ARRAY(arena, size_t, room),
                           .place = ARENA_ARRAY(arena, size_t, room)};
    for (size_t c = 0; c < r->call_count; c++) {
        const struct chain_call *call = &r->calls[c];
        for (size_t i = 0; i < call->param_count; i++) {
            if (dtype_is_pointer(call->params[i]->dtype) &&
                !use_array(r, all, c, call->params[i], call->given[i].name)) {
                return false;
            }
        }
    }
    return true;
}

// ---- temporaries and outputs

static bool is_output(const struct chain_reader *r, const char *name) {
    for (size_t i = 0; i < r->output_count; i++) {
        if (strcmp(r->outputs[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_outputs(const struct chain_reader *r, const struct arrays *all) {
    for (size_t i = 0; i < r->output_count; i++) {
        size_t array = array_index(all, r->outputs[i]);
        if (array == all->count || !all->made[array]) {
            chain_error(r, "%s is behind the arrow, and no kernel makes it", r->outputs[i]);
            return false;
        }
    }
    return true;
}

static bool split_arrays(const struct chain_reader *r, struct arrays *all) {
    bool any = false;
    if (!check_outputs(r, all)) {
        return false;
    }
    for (size_t i = 0; i < all->count; i++) {
        bool inner = all->made[i] && !all->given[i];
        all->temporary[i] = inner && (r->has_arrow ? !is_output(r, all->names[i]) : all->read_later[i]);
        any = any || (all->made[i] && !all->temporary[i]);
    }
    if (!any) {
        chain_error(r, "it has no output: every array that its kernels make is read by a later one; name the "
                       "outputs behind an arrow, \"norm(x, h); softmax(h, y) -> h, y\"");
    }
    return any;
}

// ---- the chain

static void add_array(const struct chain_reader *r, struct arrays *all, size_t i) {
    struct kernel_chain *chain = r->chain;
    if (all->temporary[i]) {
        all->place[i] = chain->temporary_count;
        chain->temporaries[chain->temporary_count++] = (struct chain_temporary){
            .name = all->names[i], .element = dtype_pointee(all->first[i]->dtype), .writer = all->writer[i]};
        return;
    }
    all->place[i] = chain->param_count;
    chain->params[chain->param_count++] = (struct kernel_param){
        .name = all->names[i], .dtype = all->first[i]->dtype, .location = chain->location};
}

static struct kernel_extent extent_of(const struct kernel_chain *chain, const struct chain_value *value) {
    if (!value || value->kind == CHAIN_PRODUCT) {
        return (struct kernel_extent){0};
    }
    return value->kind == CHAIN_PARAMETER
               ? (struct kernel_extent){KERNEL_EXTENT_PARAMETER, chain->params[value->index].name, 0}
               : (struct kernel_extent){KERNEL_EXTENT_NUMBER, NULL, (int64_t)value_integer(value->number)};
}

// Describes an array of the chain as NAME.tensors does one of a kernel. A size that is a product has no such form:
// the array stays undescribed.
static struct kernel_tensor *tensor_of(const struct chain_reader *r, const struct arrays *all,
                                       const struct chain_sizes *sizes, size_t array) {
    struct kernel_tensor *tensor = ARENA_NEW(r->e->arena, struct kernel_tensor);
    tensor->role = !all->made[array] ? KERNEL_GIVEN : all->given[array] ? KERNEL_CHANGED : KERNEL_MADE;
    tensor->rank = chain_rank(sizes, array);
    tensor->dimensions = ARENA_ARRAY(r->e->arena, struct kernel_dimension, tensor->rank + 1);
    for (size_t i = 0; i < tensor->rank; i++) {
        struct chain_value size = chain_size(sizes, array, i);
        if (size.kind == CHAIN_PRODUCT) {
            return NULL;
        }
        tensor->dimensions[i] = (struct kernel_dimension){extent_of(r->chain, &size),
                                                          extent_of(r->chain, chain_stride(sizes, array, i))};
    }
    return tensor;
}

static void describe_arrays(const struct chain_reader *r, const struct arrays *all,
                            const struct chain_sizes *sizes) {
    for (size_t i = 0; i < all->count; i++) {
        if (!all->temporary[i]) {
            r->chain->params[all->place[i]].tensor = tensor_of(r, all, sizes, i);
            continue;
        }
        struct chain_temporary *temporary = &r->chain->temporaries[all->place[i]];
        temporary->rank = chain_rank(sizes, i);
        temporary->sizes = ARENA_ARRAY(r->e->arena, struct chain_value, temporary->rank + 1);
        for (size_t k = 0; k < temporary->rank; k++) {
            temporary->sizes[k] = chain_size(sizes, i, k);
        }
    }
}

static void fill_steps(const struct chain_reader *r, const struct arrays *all,
                       const struct chain_sizes *sizes) {
    for (size_t c = 0; c < r->call_count; c++) {
        const struct chain_call *call = &r->calls[c];
        struct chain_step *step = &r->chain->steps[c];
        *step = (struct chain_step){chain_kernel_name(r, call),
                                    ARENA_ARRAY(r->e->arena, struct chain_value, call->param_count + 1),
                                    call->param_count};
        for (size_t i = 0; i < call->param_count; i++) {
            if (!dtype_is_pointer(call->params[i]->dtype)) {
                step->arguments[i] = chain_number(sizes, c, i);
                continue;
            }
            size_t array = array_index(all, call->given[i].name);
            step->arguments[i] =
                (struct chain_value){.kind = all->temporary[array] ? CHAIN_TEMPORARY : CHAIN_PARAMETER,
                                     .index = all->place[array]};
        }
    }
}

// A launch for each step, as --no-fuse has it.
static void launch_apart(const struct chain_reader *r) {
    struct kernel_chain *chain = r->chain;
    chain->launches = ARENA_ARRAY(r->e->arena, struct chain_launch, chain->step_count + 1);
    for (size_t i = 0; i < chain->step_count; i++) {
        const struct chain_step *step = &chain->steps[i];
        chain->launches[chain->launch_count++] =
            (struct chain_launch){.first_step = i,
                                  .step_count = 1,
                                  .function = step->function,
                                  .arguments = step->arguments,
                                  .argument_count = step->argument_count};
    }
    chain->kept = ARENA_ARRAY(r->e->arena, bool, chain->temporary_count + 1);
    for (size_t i = 0; i < chain->temporary_count; i++) {
        chain->kept[i] = true;
    }
}

// A temporary begins at a multiple of this (artifact/launcher/chain.h).
enum { TEMPORARY_ALIGNMENT = 256 };

static bool check_alignment(const struct chain_reader *r) {
    for (size_t c = 0; c < r->call_count; c++) {
        for (size_t i = 0; i < r->calls[c].param_count; i++) {
            const struct kernel_param *param = r->calls[c].params[i];
            if (r->chain->steps[c].arguments[i].kind == CHAIN_TEMPORARY &&
                param->divisible_by > TEMPORARY_ALIGNMENT) {
                chain_error(r, "%s of %s has a hint, a multiple of %u, and a temporary begins at one of %d",
                            param->name, chain_kernel_name(r, &r->calls[c]), param->divisible_by,
                            TEMPORARY_ALIGNMENT);
                return false;
            }
        }
    }
    return true;
}

bool chain_bind(struct chain_reader *r) {
    struct arena *arena = r->e->arena;
    struct kernel_chain *chain = r->chain;
    struct arrays all;
    if (!collect_arrays(r, &all) || !split_arrays(r, &all)) {
        return false;
    }
    size_t room = all.count + 1;
    for (size_t c = 0; c < r->call_count; c++) {
        room += r->calls[c].param_count;
    }
    chain->params = ARENA_ARRAY(arena, struct kernel_param, room);
    chain->temporaries = ARENA_ARRAY(arena, struct chain_temporary, all.count + 1);
    chain->steps = ARENA_ARRAY(arena, struct chain_step, r->call_count + 1);
    chain->step_count = r->call_count;
    for (size_t i = 0; i < all.count; i++) {
        add_array(r, &all, i);
    }
    struct chain_sizes *sizes = chain_unite(r, all.temporary, all.names, all.count);
    if (!sizes || !chain_sizes_settle(sizes)) {
        return false;
    }
    describe_arrays(r, &all, sizes);
    fill_steps(r, &all, sizes);
    launch_apart(r);
    return check_alignment(r);
}
