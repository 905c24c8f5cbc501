// A kernel for several steps of a chain: each program runs the bodies of the steps one after another.
//
//     norm(x, h); softmax(h, y)          def layer_steps_1_to_2(x, y, M, N, h):
//     norm.grid = (M,)             →         norm's body; softmax's body, with h of the same program
//     softmax.grid = (n_rows,)
//
// Or, if rounding may change, a product's program, reading the array scaled by the first step (passes/simplify/row_factors.c), or both apart,
// with the factors of rows between them; or a product's program that does an elementwise first step on its operand (operand_steps.c).
//
// Decided here, by the chain alone: each kernel has one variant, and an array written by a step is only read, and by later steps alone.
// Decided by the passes, by the bodies: a program reads of such an array its own writes alone (passes/simplify/chain_edges.c); and a step
// with another grid can be done on an earlier step's tiles (retiled_steps.c).
#include <string.h>

#include "frontend/kernel.h"

struct merging {
    struct emitter *e;
    struct frontend *frontend;
    const struct kernel_chain *chain;
    size_t first, count;
    struct kernel_instance *made;
    struct kernel_merge *merge;
    struct chain_value *values; // of the made kernel's parameters
    const char **why;
};

static bool refuse(const struct merging *m, const char *why) {
    *m->why = why;
    return false;
}

static const struct kernel_instance *find_single(const struct merging *m, const char *function) {
    const struct kernel_instance *found = NULL;
    for (size_t i = 0; i < m->frontend->kernel_count; i++) {
        const struct kernel_instance *kernel = &m->frontend->kernels[i];
        if (strcmp(kernel->function, function) == 0) {
            if (found) {
                return NULL;
            }
            found = kernel;
        }
    }
    return found;
}

static const struct kernel_param *run_time_param(const struct kernel_instance *kernel, size_t number) {
    for (size_t i = 0;; i++) {
        if (!kernel->params[i].is_constant && number-- == 0) {
            return &kernel->params[i];
        }
    }
}

static bool same_value(const struct chain_value *a, const struct chain_value *b) {
    bool same = a->kind == b->kind && a->index == b->index && a->factor_count == b->factor_count &&
                (a->kind != CHAIN_NUMBER || value_equal(a->number, b->number));
    for (size_t i = 0; i < a->factor_count && same; i++) {
        same = same_value(&a->factors[i], &b->factors[i]);
    }
    return same;
}

// ---- arrays

enum touch { TOUCH_NONE, TOUCH_READ, TOUCH_WRITE };

// How a step touches an array.
static enum touch touch_of(const struct kernel_chain *chain, const struct kernel_instance *kernel,
                           size_t step, const struct chain_value *array) {
    enum touch touch = TOUCH_NONE;
    for (size_t i = 0; i < chain->steps[step].argument_count; i++) {
        const struct kernel_param *param = run_time_param(kernel, i);
        if (!dtype_is_pointer(param->dtype) || !same_value(&chain->steps[step].arguments[i], array)) {
            continue;
        }
        bool writes = param->tensor->role != KERNEL_GIVEN;
        touch = writes || touch == TOUCH_WRITE ? TOUCH_WRITE : TOUCH_READ;
    }
    return touch;
}

bool chain_step_writes(const struct kernel_chain *chain, const struct kernel_instance *kernel, size_t step,
                       const struct chain_value *array) {
    return touch_of(chain, kernel, step, array) == TOUCH_WRITE;
}

bool frontend_hands_on(const struct frontend *frontend, const struct kernel_chain *chain, size_t from,
                       size_t to) {
    const struct kernel_instance *kernel = NULL; // any variant: all write the same arrays
    bool hands = false;
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        kernel = strcmp(frontend->kernels[i].function, chain->steps[from].function) ? kernel
                                                                                    : &frontend->kernels[i];
    }
    for (size_t i = 0; i < chain->steps[to].argument_count && kernel; i++) {
        hands |= chain_step_writes(chain, kernel, from, &chain->steps[to].arguments[i]);
    }
    return hands;
}

// The merged steps' kernels have been found before.
static enum touch touch_at(const struct merging *m, size_t step, const struct chain_value *array) {
    const struct kernel_instance *kernel = find_single(m, m->chain->steps[step].function);
    return kernel ? touch_of(m->chain, kernel, step, array) : TOUCH_NONE;
}

static const char *array_name(const struct merging *m, const struct chain_value *array) {
    return array->kind == CHAIN_TEMPORARY ? m->chain->temporaries[array->index].name
                                          : m->chain->params[array->index].name;
}

// Finds the writer of an array among the steps. *handed: a later step reads it.
static bool check_array(const struct merging *m, const struct chain_value *array, bool *handed) {
    const char *writer = NULL;
    *handed = false;
    for (size_t s = m->first; s < m->first + m->count; s++) {
        enum touch touch = touch_at(m, s, array);
        const char *function = m->chain->steps[s].function;
        if (touch == TOUCH_WRITE && writer) {
            return refuse(m, arena_printf(m->e->arena, "%s and %s both write %s", writer, function,
                                          array_name(m, array)));
        }
        for (size_t r = m->first; r < s && touch == TOUCH_WRITE; r++) {
            if (touch_at(m, r, array) == TOUCH_READ) {
                return refuse(
                    m, arena_printf(m->e->arena,
                                    "%s writes %s, of which other programs may still need what %s reads",
                                    function, array_name(m, array), m->chain->steps[r].function));
            }
        }
        *handed |= touch == TOUCH_READ && writer;
        writer = touch == TOUCH_WRITE ? function : writer;
    }
    return true;
}

// Side by side, an array written by a step is touched by no other step: programs of both run at once.
static bool check_array_beside(const struct merging *m, const struct chain_value *array) {
    const char *writer = NULL, *other = NULL;
    for (size_t s = m->first; s < m->first + m->count; s++) {
        enum touch touch = touch_at(m, s, array);
        const char *function = m->chain->steps[s].function;
        other = touch == TOUCH_READ || (touch == TOUCH_WRITE && writer) ? function : other;
        writer = touch == TOUCH_WRITE ? function : writer;
        if (writer && other) {
            return refuse(m, arena_printf(m->e->arena, "%s writes %s, which %s touches, too", writer,
                                          array_name(m, array), other));
        }
    }
    return true;
}

static bool share_array(const struct merging *m, size_t one, size_t other) {
    const struct chain_step *step = &m->chain->steps[one];
    bool shares = false;
    for (size_t i = 0; i < step->argument_count && !shares; i++) {
        shares = touch_at(m, one, &step->arguments[i]) != TOUCH_NONE &&
                 touch_at(m, other, &step->arguments[i]) != TOUCH_NONE;
    }
    return shares;
}

// True if a step outside of the merged ones touches the temporary.
static bool is_seen(const struct merging *m, const struct chain_value *array) {
    for (size_t s = 0; s < m->chain->step_count; s++) {
        const struct chain_step *step = &m->chain->steps[s];
        for (size_t i = 0; i < step->argument_count && (s < m->first || s >= m->first + m->count); i++) {
            if (same_value(&step->arguments[i], array)) {
                return true;
            }
        }
    }
    return false;
}

// ---- parameters

static bool is_taken(const struct merging *m, const char *name) {
    bool taken = false;
    for (size_t i = 0; i < m->made->param_count; i++) {
        taken |= strcmp(m->made->params[i].name, name) == 0;
    }
    for (size_t i = 0; i < m->chain->param_count; i++) {
        taken |= strcmp(m->chain->params[i].name, name) == 0;
    }
    for (size_t i = 0; i < m->chain->temporary_count; i++) {
        taken |= strcmp(m->chain->temporaries[i].name, name) == 0;
    }
    return taken;
}

// A name for a product of sizes, unnamed in the chain: the kernel's parameter's, with a number behind it if it is taken.
static const char *free_name(const struct merging *m, const char *wanted) {
    const char *name = wanted;
    for (size_t i = 2; is_taken(m, name); i++) {
        name = arena_printf(m->e->arena, "%s_%zu", wanted, i);
    }
    return name;
}

static const char *name_of(const struct merging *m, const struct chain_value *value,
                           const struct kernel_param *param) {
    return value->kind == CHAIN_PARAMETER   ? m->chain->params[value->index].name
           : value->kind == CHAIN_TEMPORARY ? m->chain->temporaries[value->index].name
                                            : free_name(m, param->name);
}

// Both hints hold for one argument. Divisors are powers of two.
static void join_hints(struct kernel_param *into, const struct kernel_param *from) {
    into->divisible_by = from->divisible_by > into->divisible_by ? from->divisible_by : into->divisible_by;
    into->equals_one |= from->equals_one;
    into->dtype.is_const &= from->dtype.is_const;
}

static struct kernel_param make_param(const struct merging *m, const struct chain_value *value,
                                      const struct kernel_param *from) {
    struct kernel_param made = {.name = name_of(m, value, from),
                                .value = value_error(),
                                .dtype = from->dtype,
                                .divisible_by = from->divisible_by,
                                .equals_one = from->equals_one,
                                .location = from->location};
    if (value->kind == CHAIN_PARAMETER) {
        made.tensor = m->chain->params[value->index].tensor;
    }
    return made;
}

// The number of the parameter for a value; a new one is added. Number param_count + i is the i-th array without memory: a first round
// collects these arrays, so their numbers are known.
static bool place_value(struct merging *m, const struct chain_value *value, const struct kernel_param *param,
                        bool array_round) {
    bool handed = false, pointer = dtype_is_pointer(param->dtype);
    if (value->kind == CHAIN_NUMBER || pointer != array_round) {
        return true;
    }
    for (size_t i = 0; i < m->made->param_count; i++) {
        if (same_value(&m->values[i], value)) {
            join_hints(&m->made->params[i], param);
            return true;
        }
    }
    if (pointer &&
        !(m->merge->kind == MERGE_BESIDE ? check_array_beside(m, value) : check_array(m, value, &handed))) {
        return false;
    }
    m->merge->handed[m->made->param_count] = handed;
    m->values[m->made->param_count] = *value;
    m->made->params[m->made->param_count] = make_param(m, value, param); // reads the ones before it
    m->made->param_count++;
    return true;
}

static bool place_all(struct merging *m, bool array_round) {
    for (size_t s = 0; s < m->count; s++) {
        const struct chain_step *step = &m->chain->steps[m->first + s];
        for (size_t i = 0; i < step->argument_count; i++) {
            if (!place_value(m, &step->arguments[i], run_time_param(m->merge->steps[s].kernel, i),
                             array_round)) {
                return false;
            }
        }
    }
    return true;
}

// The step that scales rows, where it is in two launches.
static size_t scaling_step(const struct merging *m) {
    return m->merge->kind == MERGE_SCALED ? m->first : m->first + m->count - 1;
}

// True if the step that scales rows writes the array in one launch for another one: the factors of rows, or the rows that it scales.
static bool is_between_launches(const struct merging *m, const struct chain_value *array) {
    return (m->merge->kind == MERGE_FACTORS || m->merge->kind == MERGE_SCALED) &&
           touch_at(m, scaling_step(m), array) == TOUCH_WRITE;
}

// Moves arrays touched by these steps alone behind all others.
static void drop_arrays(struct merging *m) {
    size_t count = m->made->param_count, kept = 0;
    struct kernel_param *params = ARENA_ARRAY(m->e->arena, struct kernel_param, count + 1);
    struct chain_value *values = ARENA_ARRAY(m->e->arena, struct chain_value, count + 1);
    bool *handed = ARENA_ARRAY(m->e->arena, bool, count + 1);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            bool dropped = m->values[i].kind == CHAIN_TEMPORARY && !is_seen(m, &m->values[i]) &&
                           !is_between_launches(m, &m->values[i]);
            if (dropped == (round == 1)) {
                params[kept] = m->made->params[i];
                values[kept] = m->values[i];
                handed[kept++] = m->merge->handed[i] && !is_between_launches(m, &m->values[i]);
            }
        }
        m->made->param_count = round ? m->made->param_count : kept;
    }
    m->made->params = params;
    m->values = values;
    m->merge->handed = handed;
    m->merge->dropped = params + m->made->param_count;
    m->merge->dropped_count = count - m->made->param_count;
}

static void fill_places(struct merging *m) {
    size_t all = m->made->param_count + m->merge->dropped_count;
    for (size_t s = 0; s < m->count; s++) {
        const struct chain_step *step = &m->chain->steps[m->first + s];
        struct merge_place *places = ARENA_ARRAY(m->e->arena, struct merge_place, step->argument_count + 1);
        for (size_t i = 0; i < step->argument_count; i++) {
            const struct chain_value *value = &step->arguments[i];
            places[i] = (struct merge_place){value->kind == CHAIN_NUMBER, value->number, 0};
            while (!places[i].is_number && places[i].parameter < all &&
                   !same_value(&m->values[places[i].parameter], value)) {
                places[i].parameter++;
            }
        }
        m->merge->steps[s].places = places;
    }
}

// ---- grid

static struct value symbol_of(const struct merging *m, const struct chain_value *value,
                              const struct kernel_param *param) {
    const struct frontend *f = m->frontend;
    switch (value->kind) {
    case CHAIN_NUMBER:
        return value->number;
    case CHAIN_PARAMETER: {
        const char *name = m->chain->params[value->index].name;
        return value_symbol(f->c_name ? f->c_name(m->e->arena, name) : name);
    }
    case CHAIN_PRODUCT: {
        struct value product = value_int(1);
        for (size_t i = 0; i < m->made->param_count;
             i++) { // the kernel's own parameter: it may lack those of the factors
            if (same_value(&m->values[i], value)) {
                const char *name = m->made->params[i].name;
                return value_symbol(f->c_name ? f->c_name(m->e->arena, name) : name);
            }
        }
        for (size_t i = 0; i < value->factor_count; i++) {
            struct value factor = symbol_of(m, &value->factors[i], param);
            product = i ? symbol_binary(m->e, BINARY_MUL, product, factor, param->location) : factor;
        }
        return product;
    }
    default:
        return value_host(arena_printf(m->e->arena, "%s, which is not an integer,", param->name));
    }
}

// The arguments of a step as its grid sees them: by the kernel's names, with the chain's numbers.
static struct value meta_of(const struct merging *m, size_t s) {
    const struct kernel_instance *kernel = m->merge->steps[s].kernel;
    const struct chain_step *step = &m->chain->steps[m->first + s];
    struct value *items = ARENA_ARRAY(m->e->arena, struct value, 2 * kernel->param_count + 5);
    size_t count = 0, next = 0;
    items[count++] = value_string(m->e->arena, "num_warps");
    items[count++] = value_int(kernel->num_warps);
    items[count++] = value_string(m->e->arena, "num_stages");
    items[count++] = value_int(kernel->num_stages);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        items[count++] = value_string(m->e->arena, param->name);
        items[count] = param->value;
        if (!param->is_constant) {
            bool integer = dtype_is_integer(param->dtype);
            struct chain_value none = {.kind = CHAIN_TEMPORARY};
            items[count] = symbol_of(m, integer ? &step->arguments[next] : &none, param);
            next++;
        }
        count++;
    }
    struct value dict = value_list_of(m->e->arena, items, count);
    dict.kind = VALUE_DICT;
    return dict;
}

static bool same_grid(const char *const *a, const char *const *b) {
    bool same = true;
    for (int axis = 0; axis < 3; axis++) {
        same &= strcmp(a[axis] ? a[axis] : "1", b[axis] ? b[axis] : "1") == 0;
    }
    return same;
}

// All programs of all steps, along one axis. No side counts as less than 0, as the kernel has it, too.
static const char *all_programs(const struct merging *m) {
    const struct value none = value_int(0);
    struct value all = none;
    for (size_t s = 0; s < m->count; s++) {
        const struct merge_step *step = &m->merge->steps[s];
        struct location at = step->kernel->location;
        struct value own = value_int(1);
        for (int axis = 0; axis < 3; axis++) {
            if (step->grid[axis]) {
                struct value side = symbol_min_max(m->e, true, value_symbol(step->grid[axis]), none, at);
                own = axis ? symbol_binary(m->e, BINARY_MUL, own, side, at) : side;
            }
        }
        all = s ? symbol_binary(m->e, BINARY_ADD, all, own, at) : own;
    }
    return symbol_text(m->e, all, m->chain->location);
}

// The first step's result has no memory: its work goes into the second step, a product.
static bool is_ahead_of_product(const struct merging *m) {
    return m->merge->kind == MERGE_FACTORED || m->merge->kind == MERGE_OPERAND ||
           m->merge->kind == MERGE_SCALED;
}

// The step with the kernel's programs.
static size_t home_step(const struct merging *m) {
    return is_ahead_of_product(m) ? 1 : 0;
}

static void join_grids(struct merging *m) {
    if (m->merge->kind == MERGE_BESIDE) {
        m->made->grid[0] = all_programs(m);
        return;
    }
    size_t home = home_step(m);
    for (size_t s = 0; s < m->count; s++) {
        m->merge->steps[s].retiled =
            s < home || !same_grid(m->merge->steps[s].grid, m->merge->steps[home].grid);
    }
    memcpy(m->made->grid, m->merge->steps[home].grid, sizeof m->made->grid);
}

// One step's grid is the kernel's, or, side by side, all of them are. A step with another one is done on the tiles of an earlier one,
// if the passes can.
static bool fix_grid(struct merging *m) {
    const struct module *module = m->frontend->program->files[0]->ast;
    for (size_t s = 0; s < m->count; s++) {
        struct merge_step *step = &m->merge->steps[s];
        const struct expr *source = frontend_attribute(m->e, module, step->kernel->callee->def, "grid");
        if (!source || !kernel_grid_texts(m->e, source, meta_of(m, s), step->grid)) {
            return refuse(m, arena_printf(m->e->arena, "%s has no grid of its own in the source",
                                          step->kernel->function));
        }
    }
    for (size_t s = 0; s < m->count && m->merge->kind == MERGE_BESIDE; s++) {
        const struct merge_step *step = &m->merge->steps[s];
        if (!chain_grid_is_plain(step->grid)) {
            return refuse(m, arena_printf(m->e->arena, "the grid of %s is not one that a kernel computes",
                                          step->kernel->function));
        }
    }
    join_grids(m);
    return true;
}

// The parameters equal to the grid's sides: their texts are alike.
static void fix_programs(struct merging *m) {
    const struct frontend *f = m->frontend;
    for (int axis = 0; axis < 3; axis++) {
        m->merge->programs[axis] = -1;
        for (size_t i = 0; i < m->made->param_count && m->made->grid[axis]; i++) {
            const char *name = m->made->params[i].name;
            name = f->c_name ? f->c_name(m->e->arena, name) : name;
            bool own = m->values[i].kind == CHAIN_PARAMETER && strcmp(m->made->grid[axis], name) == 0;
            m->merge->programs[axis] = own ? (int)i : m->merge->programs[axis];
        }
    }
}

// The warps and stages of the steps with their own tiles.
static void fix_warps(struct merging *m) {
    for (size_t s = 0; s < m->count; s++) {
        const struct kernel_instance *kernel = m->merge->steps[s].kernel;
        if (!m->merge->steps[s].retiled) {
            m->made->num_warps =
                kernel->num_warps > m->made->num_warps ? kernel->num_warps : m->made->num_warps;
            m->made->num_stages =
                kernel->num_stages > m->made->num_stages ? kernel->num_stages : m->made->num_stages;
        }
    }
}

// ---- the kernel

// Steps without a common array are better off side by side: one after another, a program would wait for the memory of each.
static bool check_shared(const struct merging *m) {
    bool *reached = arena_alloc(m->e->arena, m->count + 1);
    size_t count = 1, before = 0;
    memset(reached, 0, m->count + 1);
    reached[0] = true;
    while (count != before && count < m->count) {
        before = count;
        for (size_t s = 1; s < m->count; s++) {
            for (size_t o = 0; o < m->count && !reached[s]; o++) {
                reached[s] = reached[o] && share_array(m, m->first + s, m->first + o);
                count += reached[s];
            }
        }
    }
    for (size_t s = 1; s < m->count; s++) {
        if (!reached[s]) {
            return refuse(m, arena_printf(m->e->arena, "%s shares no array with them",
                                          m->chain->steps[m->first + s].function));
        }
    }
    return true;
}

// The bytes of a kernel's parameters are few on all chips (CUDA: 4,096); the launcher and the passes add some.
static bool check_beside(const struct merging *m) {
    enum { MOST_PARAMETERS = 440 };
    for (size_t s = 1; s < m->count; s++) {
        const struct kernel_instance *a = m->merge->steps[0].kernel, *b = m->merge->steps[s].kernel;
        if (a->num_warps != b->num_warps) {
            return refuse(m, arena_printf(m->e->arena, "%s has %d warps, and %s has %d", a->function,
                                          a->num_warps, b->function, b->num_warps));
        }
    }
    if (m->made->param_count > MOST_PARAMETERS) {
        return refuse(m, arena_printf(m->e->arena, "one kernel would have %zu parameters, more than %d",
                                      m->made->param_count, MOST_PARAMETERS));
    }
    return true;
}

// The factors of rows stand in the array that the scaling step hands on to the products of one launch alone.
static bool find_factors(const struct merging *m) {
    size_t scaling = scaling_step(m), found = 0;
    for (size_t i = 0; i < m->made->param_count; i++) {
        const struct chain_value *array = &m->values[i];
        if (array->kind == CHAIN_TEMPORARY && touch_at(m, scaling, array) == TOUCH_WRITE &&
            touch_at(m, scaling + 1, array) == TOUCH_READ &&
            (m->merge->kind == MERGE_FACTORS || !is_seen(m, array))) {
            m->merge->factors = i;
            found++;
        }
    }
    const struct merge_step *step = &m->merge->steps[scaling - m->first];
    if (found != 1) {
        return refuse(
            m, arena_printf(m->e->arena,
                            "%s does not hand one array on to %s, and to later steps of its kernel, alone",
                            step->kernel->function, m->chain->steps[scaling + 1].function));
    }
    return m->merge->kind == MERGE_SCALED || !step->retiled ||
           refuse(m, arena_printf(m->e->arena, "%s has other programs than the steps ahead of it",
                                  step->kernel->function));
}

// The product reads the first step's array in place of its result.
static bool check_ahead(const struct merging *m) {
    const struct chain_step *step = &m->chain->steps[m->first];
    for (size_t i = 0; i < step->argument_count; i++) {
        if (touch_at(m, m->first, &step->arguments[i]) == TOUCH_WRITE &&
            (step->arguments[i].kind != CHAIN_TEMPORARY || is_seen(m, &step->arguments[i]))) {
            return refuse(m, arena_printf(m->e->arena, "%s is needed beside the product, too",
                                          array_name(m, &step->arguments[i])));
        }
    }
    return true;
}

static bool find_kernels(struct merging *m) {
    m->made->num_warps = m->made->num_stages = m->made->num_ctas = 1;
    for (size_t s = 0; s < m->count; s++) {
        const char *function = m->chain->steps[m->first + s].function;
        const struct kernel_instance *kernel = find_single(m, function);
        if (!kernel) {
            return refuse(m, arena_printf(m->e->arena,
                                          "%s has several variants; choose one with --config, or list one",
                                          function));
        }
        if (kernel->num_ctas > 1 || kernel->max_registers) {
            return refuse(
                m, arena_printf(m->e->arena, "%s asks for clusters or registers of its own", function));
        }
        struct kernel_instance *copy = ARENA_NEW(m->e->arena, struct kernel_instance);
        *copy = *kernel;
        m->merge->steps[s].kernel = copy;
    }
    return true;
}

// The function behind the kernel: the driver tells kernels apart by their definitions.
static struct function *make_callee(const struct merging *m) {
    struct function *callee = ARENA_NEW(m->e->arena, struct function);
    struct function_def *def = ARENA_NEW(m->e->arena, struct function_def);
    *callee = *m->merge->steps[0].kernel->callee;
    *def = *callee->def;
    def->name = m->made->name;
    callee->def = def;
    return callee;
}

static bool make_kernel(struct merging *m) {
    size_t room = 1;
    for (size_t s = 0; s < m->count; s++) {
        room += m->chain->steps[m->first + s].argument_count;
    }
    m->made->params = ARENA_ARRAY(m->e->arena, struct kernel_param, room);
    m->values = ARENA_ARRAY(m->e->arena, struct chain_value, room);
    m->merge->handed = ARENA_ARRAY(m->e->arena, bool, room);
    m->merge->steps = ARENA_ARRAY(m->e->arena, struct merge_step, m->count + 1);
    bool beside = m->merge->kind == MERGE_BESIDE;
    if (!find_kernels(m) || !(beside || check_shared(m)) || !place_all(m, true) || !place_all(m, false) ||
        !fix_grid(m) || !(!beside || check_beside(m))) {
        return false;
    }
    fix_warps(m);
    drop_arrays(m);
    bool factors = m->merge->kind == MERGE_FACTORS || m->merge->kind == MERGE_SCALED;
    if ((factors && !find_factors(m)) || (!factors && is_ahead_of_product(m) && !check_ahead(m))) {
        return false;
    }
    fill_places(m);
    m->merge->values = m->values;
    m->merge->names = ARENA_ARRAY(m->e->arena, const char *, m->made->param_count + 1);
    for (size_t i = 0; i < m->made->param_count; i++) {
        const char *name = m->made->params[i].name;
        m->merge->names[i] = m->frontend->c_name ? m->frontend->c_name(m->e->arena, name) : name;
    }
    fix_programs(m);
    m->made->callee = make_callee(m);
    return true;
}

static void append(struct frontend *f, const struct kernel_instance *made) {
    struct kernel_instance *all = ARENA_ARRAY(f->arena, struct kernel_instance, f->kernel_count + 1);
    memcpy(all, f->kernels, f->kernel_count * sizeof *all);
    all[f->kernel_count++] = *made;
    f->kernels = all;
}

const struct kernel_instance *frontend_merge(struct frontend *frontend, const struct kernel_chain *chain,
                                             size_t first, size_t count, enum merge_kind kind,
                                             const char **why) {
    struct emitter e = program_emitter(frontend->program);
    struct call_frame frame = {.file = frontend->program->files[0], .scope = scope_inside(&e, NULL)};
    enter_frame(&e, &frame);
    e.quiet++;
    struct kernel_merge *merge = ARENA_NEW(e.arena, struct kernel_merge);
    *merge = (struct kernel_merge){.chain = chain->name,
                                   .first = first,
                                   .count = count,
                                   .kind = kind,
                                   .pack_rows = kind == MERGE_IN_TURN || kind == MERGE_FACTORS ? -1 : 0};
    const char *steps = count == 1 ? arena_printf(e.arena, "step_%zu", first + 1)
                                   : arena_printf(e.arena, "steps_%zu_to_%zu", first + 1, first + count);
    const char *form = kind == MERGE_FACTORS ? "_factors" : kind == MERGE_SCALED ? "_scaled" : "";
    const char *name = arena_printf(e.arena, "%s_%s%s", chain->name, steps, form);
    struct kernel_instance made = {.name = name,
                                   .function = name,
                                   .config_text = "",
                                   .config_name = "",
                                   .merge = merge,
                                   .location = chain->location,
                                   .level_count = 1};
    struct merging m = {.e = &e,
                        .frontend = frontend,
                        .chain = chain,
                        .first = first,
                        .count = count,
                        .made = &made,
                        .merge = merge,
                        .why = why};
    *why = NULL;
    bool ok = make_kernel(&m);
    leave_frame(&e);
    if (!ok) {
        return NULL;
    }
    append(frontend, &made);
    return &frontend->kernels[frontend->kernel_count - 1];
}

// The last kernel's merge, to be changed.
static struct kernel_merge *own_merge(struct frontend *frontend) {
    struct kernel_instance *kernel = &frontend->kernels[frontend->kernel_count - 1];
    struct kernel_merge *merge = ARENA_NEW(frontend->arena, struct kernel_merge);
    *merge = *kernel->merge;
    kernel->merge = merge;
    return merge;
}

void frontend_pack_rows(struct frontend *frontend, int rows) {
    own_merge(frontend)->pack_rows = rows;
}

void frontend_merge_loop(struct frontend *frontend, struct merge_loop loop) {
    own_merge(frontend)->loop = loop;
}

const struct kernel_instance *frontend_kernel_named(const struct frontend *frontend, const char *name) {
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        if (strcmp(frontend->kernels[i].name, name) == 0) {
            return &frontend->kernels[i];
        }
    }
    return NULL;
}

void frontend_unmerge(struct frontend *frontend) {
    frontend->kernel_count--;
}
