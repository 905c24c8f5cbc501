// Unites equal numbers of a chain's kernels: sizes and strides of common arrays, by the kernels' lines `NAME.tensors`.
//
//     norm.tensors    = "x[M, N] -> y[M, N]"               norm(x, h); softmax(h, out)
//     softmax.tensors = "x[R:x_stride, C] -> y[R, C]"      M of norm = R of softmax, N = C, x_stride = N
//
// Numbers that are one form a class (union-find). A class has a number of the source, or a product of sizes, or it
// becomes a parameter of the chain. Sizes are united before strides: a dense stride is a product of sizes.
#include <string.h>

#include "frontend/kernel.h"

// A size or stride as one kernel gives it: a number among the kernel's parameters, else a constant.
struct extent {
    bool is_slot;
    size_t slot;
    int64_t number;
};

struct slot {
    size_t parent; // itself: the root of its class
    size_t call, param;
    // of a root
    struct value number; // VALUE_ERROR: none
    const char *by;      // the source of the number
    const char *given;   // the name by keyword
    const struct extent *factors;
    size_t factor_count;
    bool is_product;
    size_t parameter; // of the chain, plus 1; 0: none yet
};

// An array's shape: sizes as its first use of the highest rank gives them; a stride without a value is dense.
struct shape {
    size_t rank;
    const struct extent *sizes;
    const struct extent **strides;
};

struct chain_sizes {
    const struct chain_reader *r;
    const bool *is_temporary;
    const char *const *arrays;
    size_t array_count;
    size_t *first; // a call's first slot
    struct slot *slots;
    size_t slot_count;
    struct shape *shapes; // of the arrays
};

static struct arena *arena_of(const struct chain_sizes *s) {
    return s->r->e->arena;
}

static struct slot *root_of(const struct chain_sizes *s, size_t slot) {
    while (s->slots[slot].parent != slot) {
        slot = s->slots[slot].parent;
    }
    return &s->slots[slot];
}

static const char *slot_text(const struct chain_sizes *s, const struct slot *slot) {
    const struct chain_call *call = &s->r->calls[slot->call];
    return arena_printf(arena_of(s), "%s of %s", call->params[slot->param]->name,
                        chain_kernel_name(s->r, call));
}

static const char *extent_text(const struct chain_sizes *s, struct extent extent) {
    if (!extent.is_slot) {
        return arena_printf(arena_of(s), "%lld", (long long)extent.number);
    }
    const struct slot *root = root_of(s, extent.slot);
    const char *name = slot_text(s, &s->slots[extent.slot]);
    return root->number.kind == VALUE_ERROR
               ? name
               : arena_printf(arena_of(s), "%s, which is %s,", name, value_text(arena_of(s), root->number));
}

static bool clash(const struct chain_sizes *s, const char *what, struct extent a, struct extent b) {
    chain_error(s->r, "%s is %s and %s: these are not one number", what, extent_text(s, a),
                extent_text(s, b));
    return false;
}

// ---- classes

static bool set_number(const struct chain_sizes *s, struct slot *root, struct value number,
                       const char *what) {
    if (root->number.kind == VALUE_ERROR) {
        root->number = number;
        root->by = what;
        return true;
    }
    if (value_equal(root->number, number)) {
        return true;
    }
    chain_error(s->r, "%s is %s by %s, and %s by %s", slot_text(s, root),
                value_text(arena_of(s), root->number), root->by, value_text(arena_of(s), number), what);
    return false;
}

static bool unite_slots(const struct chain_sizes *s, const char *what, size_t first, size_t second) {
    struct slot *a = root_of(s, first), *b = root_of(s, second);
    if (a == b) {
        return true;
    }
    struct dtype types[2] = {s->r->calls[a->call].params[a->param]->dtype,
                             s->r->calls[b->call].params[b->param]->dtype};
    if (!dtype_equal(types[0], types[1])) {
        chain_error(s->r, "%s is %s, a %s, and %s, a %s: give both one type", what,
                    slot_text(s, &s->slots[first]), dtype_signature(arena_of(s), types[0]),
                    slot_text(s, &s->slots[second]), dtype_signature(arena_of(s), types[1]));
        return false;
    }
    if (a > b) { // the earlier one names the class
        struct slot *swapped = a;
        a = b;
        b = swapped;
    }
    b->parent = (size_t)(a - s->slots);
    a->given = a->given ? a->given : b->given;
    return b->number.kind == VALUE_ERROR || set_number(s, a, b->number, b->by);
}

static bool unite(const struct chain_sizes *s, const char *what, struct extent a, struct extent b) {
    if (a.is_slot && b.is_slot) {
        return unite_slots(s, what, a.slot, b.slot);
    }
    if (a.is_slot || b.is_slot) {
        return set_number(s, root_of(s, a.is_slot ? a.slot : b.slot),
                          value_int(a.is_slot ? b.number : a.number), what);
    }
    return a.number == b.number || clash(s, what, a, b);
}

// The number of an extent, if the source tells it.
static bool known(const struct chain_sizes *s, struct extent extent, int64_t *number) {
    *number = extent.number;
    if (!extent.is_slot) {
        return true;
    }
    const struct slot *root = root_of(s, extent.slot);
    if (root->number.kind == VALUE_ERROR || !value_is_integral(root->number)) {
        return false;
    }
    *number = (int64_t)value_integer(root->number);
    return true;
}

static bool same_factors(const struct chain_sizes *s, const struct slot *root, const struct extent *factors,
                         size_t count) {
    bool same = root->factor_count == count;
    for (size_t i = 0; i < count && same; i++) {
        int64_t a, b;
        bool numbers = known(s, root->factors[i], &a) && known(s, factors[i], &b);
        same = numbers ? a == b
                       : root->factors[i].is_slot && factors[i].is_slot &&
                             root_of(s, root->factors[i].slot) == root_of(s, factors[i].slot);
    }
    return same;
}

// Makes an extent the product of sizes.
static bool set_product(const struct chain_sizes *s, const char *what, struct extent extent,
                        const struct extent *factors, size_t count) {
    int64_t product = 1, number;
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        bool one = known(s, factors[i], &number);
        all = all && one && !__builtin_mul_overflow(product, number, &product);
    }
    if (all) {
        return unite(s, what, extent, (struct extent){.number = product});
    }
    if (count == 1) {
        return unite(s, what, extent, factors[0]);
    }
    struct slot *root = extent.is_slot ? root_of(s, extent.slot) : NULL;
    if (!root || root->number.kind != VALUE_ERROR ||
        (root->is_product && !same_factors(s, root, factors, count))) {
        const char *product_text = "";
        for (size_t i = 0; i < count; i++) {
            product_text = arena_printf(arena_of(s), "%s%s%s", product_text, i ? " times " : "",
                                        extent_text(s, factors[i]));
        }
        chain_error(
            s->r,
            "%s is %s and %s: these are not known to be one number; numbers of one keyword are, as in N=N",
            what, extent_text(s, extent), product_text);
        return false;
    }
    root->is_product = true;
    root->factors = factors;
    root->factor_count = count;
    return true;
}

// ---- arrays

static bool read_extent(const struct chain_sizes *s, size_t call, const struct kernel_extent *from,
                        struct extent *to) {
    *to = (struct extent){.number = from->number};
    for (size_t i = 0; from->kind == KERNEL_EXTENT_PARAMETER && i < s->r->calls[call].param_count; i++) {
        if (strcmp(s->r->calls[call].params[i]->name, from->parameter) == 0) {
            *to = (struct extent){.is_slot = true, .slot = s->first[call] + i};
        }
    }
    return from->kind != KERNEL_EXTENT_DENSE;
}

static const char *dimension_text(const struct chain_sizes *s, const char *what, size_t array,
                                  size_t dimension) {
    return arena_printf(arena_of(s), "%s %zu of %s", what, dimension, s->arrays[array]);
}

typedef bool visitor(struct chain_sizes *s, size_t array, size_t call, const struct kernel_param *param);

static bool each_use(struct chain_sizes *s, visitor *visit) {
    for (size_t call = 0; call < s->r->call_count; call++) {
        const struct chain_call *at = &s->r->calls[call];
        for (size_t i = 0; i < at->param_count; i++) {
            for (size_t array = 0; array < s->array_count && dtype_is_pointer(at->params[i]->dtype);
                 array++) {
                if (strcmp(s->arrays[array], at->given[i].name) == 0 &&
                    !visit(s, array, call, at->params[i])) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool is_dense(const struct kernel_tensor *tensor) {
    for (size_t i = 0; i < tensor->rank; i++) {
        const struct kernel_extent *stride = &tensor->dimensions[i].stride;
        bool one = i + 1 == tensor->rank && stride->kind == KERNEL_EXTENT_NUMBER && stride->number == 1;
        if (stride->kind != KERNEL_EXTENT_DENSE && !one) {
            return false;
        }
    }
    return true;
}

// The shape is that of the first use with the highest rank.
static bool choose_shape(struct chain_sizes *s, size_t array, size_t call, const struct kernel_param *param) {
    const struct kernel_tensor *tensor = param->tensor;
    if (!tensor) {
        chain_error(s->r, "%s.tensors is missing, which says what %s points to",
                    chain_kernel_name(s->r, &s->r->calls[call]), param->name);
        return false;
    }
    struct shape *shape = &s->shapes[array];
    if (shape->sizes && tensor->rank <= shape->rank) {
        return true;
    }
    struct extent *sizes = ARENA_ARRAY(arena_of(s), struct extent, tensor->rank + 1);
    for (size_t i = 0; i < tensor->rank; i++) {
        read_extent(s, call, &tensor->dimensions[i].size, &sizes[i]);
    }
    *shape = (struct shape){tensor->rank, sizes,
                            ARENA_ARRAY(arena_of(s), const struct extent *, tensor->rank + 1)};
    return true;
}

static bool unite_sizes(struct chain_sizes *s, size_t array, size_t call, const struct kernel_param *param) {
    const struct shape *shape = &s->shapes[array];
    const struct kernel_tensor *tensor = param->tensor;
    bool fewer = tensor->rank < shape->rank;
    if (fewer && !is_dense(tensor)) {
        chain_error(s->r, "%s has %zu dimensions with strides for %s and %zu dimensions for another kernel",
                    s->arrays[array], tensor->rank, chain_kernel_name(s->r, &s->r->calls[call]), shape->rank);
        return false;
    }
    for (size_t i = 0; i < tensor->rank - fewer; i++) {
        struct extent size;
        read_extent(s, call, &tensor->dimensions[i].size, &size);
        if (!unite(s, dimension_text(s, "size", array, i), shape->sizes[i], size)) {
            return false;
        }
    }
    return true;
}

// A use with fewer dimensions, as a flat array has: its last size is the product of the sizes from there on, and nobody may have strides.
static bool unite_flat(struct chain_sizes *s, size_t array, size_t call, const struct kernel_param *param) {
    const struct shape *shape = &s->shapes[array];
    struct extent size;
    size_t last = param->tensor->rank - 1;
    if (last + 1 == shape->rank) {
        return true;
    }
    for (size_t i = 0; i < shape->rank; i++) {
        if (shape->strides[i] && !s->is_temporary[array]) {
            chain_error(s->r, "%s is dense for %s, and another kernel takes strides of it", s->arrays[array],
                        chain_kernel_name(s->r, &s->r->calls[call]));
            return false;
        }
    }
    read_extent(s, call, &param->tensor->dimensions[last].size, &size);
    const char *what = last ? dimension_text(s, "size", array, last)
                            : arena_printf(arena_of(s), "the number of elements of %s", s->arrays[array]);
    return set_product(s, what, size, shape->sizes + last, shape->rank - last);
}

static bool unite_strides(struct chain_sizes *s, size_t array, size_t call,
                          const struct kernel_param *param) {
    struct shape *shape = &s->shapes[array];
    for (size_t i = 0; i < shape->rank && param->tensor->rank == shape->rank; i++) {
        struct extent *stride = ARENA_NEW(arena_of(s), struct extent);
        const char *what = dimension_text(s, "stride", array, i);
        if (!read_extent(s, call, &param->tensor->dimensions[i].stride, stride)) {
            continue;
        }
        if (s->is_temporary[array] &&
            !set_product(s, what, *stride, shape->sizes + i + 1, shape->rank - i - 1)) {
            return false;
        }
        if (shape->strides[i] && !unite(s, what, *shape->strides[i], *stride)) {
            return false;
        }
        shape->strides[i] = shape->strides[i] ? shape->strides[i] : stride;
    }
    return true;
}

// A stride taken by one kernel and dense in another.
static bool unite_dense(struct chain_sizes *s, size_t array, size_t call, const struct kernel_param *param) {
    const struct shape *shape = &s->shapes[array];
    for (size_t i = 0; i < shape->rank && param->tensor->rank == shape->rank; i++) {
        bool dense = param->tensor->dimensions[i].stride.kind == KERNEL_EXTENT_DENSE;
        if (dense && shape->strides[i] &&
            !set_product(s, dimension_text(s, "stride", array, i), *shape->strides[i], shape->sizes + i + 1,
                         shape->rank - i - 1)) {
            return false;
        }
    }
    (void)call;
    return true;
}

// ---- numbers by keyword

static const struct chain_given *given_of(const struct chain_sizes *s, size_t slot) {
    return &s->r->calls[s->slots[slot].call].given[s->slots[slot].param];
}

static const struct kernel_param *param_of(const struct chain_sizes *s, size_t slot) {
    return s->r->calls[s->slots[slot].call].params[s->slots[slot].param];
}

// True if a number is meant by a name: by its keyword, or, without one, by its parameter.
static bool is_named(const struct chain_sizes *s, size_t slot, const char *name) {
    const struct chain_given *given = given_of(s, slot);
    const char *own = given->name ? given->name : param_of(s, slot)->name;
    return !dtype_is_pointer(param_of(s, slot)->dtype) && given->number.kind == VALUE_ERROR &&
           strcmp(own, name) == 0;
}

// Numbers of one keyword are one number, together with the first parameter of the keyword's name.
static bool read_name(struct chain_sizes *s, size_t slot, const char *name) {
    size_t first = 0;
    while (!is_named(s, first, name)) {
        first++;
    }
    if (!unite_slots(s, name, first, slot)) {
        return false;
    }
    struct slot *root = root_of(s, slot);
    if (root->given && strcmp(root->given, name) != 0) {
        chain_error(s->r, "%s and %s are one number by the arrays' sizes", root->given, name);
        return false;
    }
    root->given = name;
    return true;
}

static bool read_keywords(struct chain_sizes *s) {
    for (size_t i = 0; i < s->slot_count; i++) {
        const struct chain_given *given = given_of(s, i);
        if (dtype_is_pointer(param_of(s, i)->dtype)) {
            continue;
        }
        if (given->number.kind != VALUE_ERROR &&
            !set_number(s, root_of(s, i), given->number, "its keyword")) {
            return false;
        }
        if (given->name && !read_name(s, i, given->name)) {
            return false;
        }
    }
    return true;
}

struct chain_sizes *chain_unite(const struct chain_reader *r, const bool *is_temporary,
                                const char *const *arrays, size_t array_count) {
    struct chain_sizes *s = ARENA_NEW(r->e->arena, struct chain_sizes);
    *s = (struct chain_sizes){.r = r,
                              .is_temporary = is_temporary,
                              .arrays = arrays,
                              .array_count = array_count,
                              .first = ARENA_ARRAY(r->e->arena, size_t, r->call_count + 1),
                              .shapes = ARENA_ARRAY(r->e->arena, struct shape, array_count + 1)};
    for (size_t i = 0; i < r->call_count; i++) {
        s->first[i] = s->slot_count;
        s->slot_count += r->calls[i].param_count;
    }
    s->slots = ARENA_ARRAY(r->e->arena, struct slot, s->slot_count + 1);
    for (size_t i = 0, next = 0; i < r->call_count; i++) {
        for (size_t k = 0; k < r->calls[i].param_count; k++, next++) {
            s->slots[next] = (struct slot){.parent = next, .call = i, .param = k, .number = value_error()};
        }
    }
    bool ok = each_use(s, choose_shape) && each_use(s, unite_sizes) && read_keywords(s) &&
              each_use(s, unite_strides) && each_use(s, unite_flat) && each_use(s, unite_dense);
    return ok ? s : NULL;
}

// ---- results

static struct chain_value value_of(const struct chain_sizes *s, struct extent extent);

// The factors, with products among them spread.
static struct chain_value product_of(const struct chain_sizes *s, const struct slot *root) {
    struct chain_value out = {.kind = CHAIN_PRODUCT};
    size_t room = 0;
    for (size_t i = 0; i < root->factor_count; i++) {
        struct chain_value factor = value_of(s, root->factors[i]);
        size_t count = factor.kind == CHAIN_PRODUCT ? factor.factor_count : 1;
        for (size_t k = 0; k < count; k++) {
            out.factors = arena_grown(arena_of(s), out.factors, out.factor_count, &room, sizeof *out.factors);
            out.factors[out.factor_count++] = factor.kind == CHAIN_PRODUCT ? factor.factors[k] : factor;
        }
    }
    return out;
}

static struct chain_value value_of(const struct chain_sizes *s, struct extent extent) {
    if (!extent.is_slot) {
        return (struct chain_value){.kind = CHAIN_NUMBER, .number = value_int(extent.number)};
    }
    const struct slot *root = root_of(s, extent.slot);
    if (root->number.kind != VALUE_ERROR) {
        return (struct chain_value){.kind = CHAIN_NUMBER, .number = root->number};
    }
    return root->is_product ? product_of(s, root)
                            : (struct chain_value){.kind = CHAIN_PARAMETER, .index = root->parameter - 1};
}

struct chain_value chain_number(const struct chain_sizes *s, size_t call, size_t param) {
    return value_of(s, (struct extent){.is_slot = true, .slot = s->first[call] + param});
}

struct chain_value chain_size(const struct chain_sizes *s, size_t array, size_t dimension) {
    return value_of(s, s->shapes[array].sizes[dimension]);
}

size_t chain_rank(const struct chain_sizes *s, size_t array) {
    return s->shapes[array].rank;
}

const struct chain_value *chain_stride(const struct chain_sizes *s, size_t array, size_t dimension) {
    const struct extent *stride = s->shapes[array].strides[dimension];
    struct chain_value *out = ARENA_NEW(arena_of(s), struct chain_value);
    if (!stride) {
        return NULL;
    }
    *out = value_of(s, *stride);
    return out->kind == CHAIN_PRODUCT ? NULL : out;
}

static bool is_taken(const struct chain_sizes *s, const char *name) {
    for (size_t i = 0; i < s->r->chain->param_count; i++) {
        if (strcmp(s->r->chain->params[i].name, name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < s->array_count; i++) {
        if (strcmp(s->arrays[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// A class's name: of the keyword, else of its first parameter, else with the kernel ahead of it, and a number behind it.
static const char *class_name(const struct chain_sizes *s, const struct slot *root) {
    const struct chain_call *call = &s->r->calls[root->call];
    const char *own = call->params[root->param]->name, *name = root->given ? root->given : own;
    if (!is_taken(s, name) || root->given) {
        return name;
    }
    name = arena_printf(arena_of(s), "%s_%s", chain_kernel_name(s->r, call), own);
    for (size_t i = 2; is_taken(s, name); i++) {
        name = arena_printf(arena_of(s), "%s_%s_%zu", chain_kernel_name(s->r, call), own, i);
    }
    return name;
}

// A product with itself as a factor: sizes satisfy it by chance alone.
static bool has_cycle(const struct chain_sizes *s, const struct slot *root, size_t depth) {
    if (depth > s->slot_count) {
        return true;
    }
    for (size_t i = 0; root->is_product && i < root->factor_count; i++) {
        if (root->factors[i].is_slot && has_cycle(s, root_of(s, root->factors[i].slot), depth + 1)) {
            return true;
        }
    }
    return false;
}

bool chain_sizes_settle(struct chain_sizes *s) {
    struct kernel_chain *chain = s->r->chain;
    for (size_t i = 0; i < s->slot_count; i++) {
        struct slot *root = root_of(s, i);
        const struct kernel_param *param = s->r->calls[root->call].params[root->param];
        if (dtype_is_pointer(param->dtype)) {
            continue;
        }
        if (has_cycle(s, root, 0)) {
            chain_error(s->r, "%s is a product of sizes that contains itself", slot_text(s, root));
            return false;
        }
        if (root->number.kind != VALUE_ERROR || root->is_product || root->parameter) {
            continue;
        }
        const char *name = class_name(s, root);
        if (is_taken(s, name)) {
            chain_error(s->r, "%s is a number of %s, and the name of something else, too", name,
                        chain_kernel_name(s->r, &s->r->calls[root->call]));
            return false;
        }
        chain->params[chain->param_count++] =
            (struct kernel_param){.name = name, .dtype = param->dtype, .location = chain->location};
        root->parameter = chain->param_count;
    }
    return true;
}
