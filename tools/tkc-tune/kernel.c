// A kernel's properties for launches, from the compiler's description.
#include "command/expression.h"
#include "tune.h"

static const struct {
    const char *name;
    unsigned bytes;
    bool real;
} types[] = {{"i1", 1, false},  {"i8", 1, false},  {"i16", 2, false}, {"i32", 4, false}, {"i64", 8, false},
             {"u1", 1, false},  {"u8", 1, false},  {"u16", 2, false}, {"u32", 4, false}, {"u64", 8, false},
             {"fp16", 2, true}, {"bf16", 2, true}, {"fp32", 4, true}, {"fp64", 8, true}};

static int find_type(const char *type) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, type) == 0) {
            return (int)i;
        }
    }
    return -1;
}

unsigned type_bytes(const char *type) {
    int i = find_type(type);
    return i >= 0 ? types[i].bytes : strncmp(type, "fp8", 3) == 0 ? 1 : 0;
}

bool type_is_real(const char *type) {
    int i = find_type(type);
    return i >= 0 && types[i].real;
}

bool type_holds(const char *type, int64_t number) {
    int i = find_type(type);
    if (i < 0 || types[i].real) {
        return true;
    }
    bool bit = type[1] == '1' && !type[2], sign = type[0] == 'i' && !bit;
    unsigned bits = bit ? 1 : 8 * types[i].bytes - sign; // without the sign's
    if (bits >= 63) {
        return sign || number >= 0;
    }
    int64_t end = INT64_C(1) << bits;
    return number < end && number >= (sign ? -end : 0);
}

uint64_t scalar_bits(const char *type, int64_t number, double real) {
    uint64_t bits = (uint64_t)number;
    float single = (float)real;
    uint16_t half;
    if (strcmp(type, "fp64") == 0) {
        memcpy(&bits, &real, sizeof real);
    } else if (strcmp(type, "fp32") == 0) {
        bits = 0;
        memcpy(&bits, &single, sizeof single);
    } else if (strcmp(type, "fp16") == 0 || strcmp(type, "bf16") == 0) {
        half = type[0] == 'f' ? tkc_half_bits(single) : tkc_bfloat_bits(single);
        bits = half;
    }
    return bits;
}

int kernel_parameter(const struct kernel *kernel, const char *name) {
    for (unsigned i = 0; name && i < kernel->parameter_count; i++) {
        if (strcmp(kernel->parameters[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool read_parameter(struct arena *arena, const struct json *described, struct parameter *parameter) {
    const char *type = json_text(described, "type"), *role = json_text(described, "role");
    long long one = 0;
    parameter->name = json_text(described, "name");
    parameter->pointer = type && *type == '*';
    parameter->type = parameter->pointer ? arena_strdup(arena, type + 1) : type;
    parameter->treatment = json_member(described, "reset_to_zero")   ? TKC_ARRAY_RESET
                           : json_member(described, "restore_value") ? TKC_ARRAY_RESTORE
                           : role && strcmp(role, "input") != 0 && strcmp(role, "output") != 0
                               ? TKC_ARRAY_RESTORE
                               : TKC_ARRAY_KEEP;
    parameter->is_one = json_integer(json_member(described, "equals"), &one) && one == 1;
    parameter->shape = json_member(described, "shape");
    parameter->strides = json_member(described, "strides");
    return type_bytes(parameter->type) != 0 ||
           complain("parameter %s is of type %s, which tkc-tune has no values for", parameter->name, type);
}

bool kernel_read(struct arena *arena, const struct json *described, struct kernel *kernel) {
    const struct json *parameters = json_member(described, "params"), *key = json_member(described, "key");
    *kernel = (struct kernel){.name = json_text(described, "function")};
    if (parameters->count > TUNE_PARAMETERS) {
        return complain("%s has %zu parameters; tkc-tune launches kernels of at most %d", kernel->name,
                        parameters->count, TUNE_PARAMETERS);
    }
    for (size_t i = 0; i < parameters->count; i++) {
        if (!read_parameter(arena, &parameters->items[i], &kernel->parameters[kernel->parameter_count++])) {
            return false;
        }
    }
    for (size_t i = 0; key && i < key->count && kernel->key_count < TKC_KEYS; i++) {
        int parameter = kernel_parameter(kernel, key->items[i].text);
        if (parameter >= 0) {
            kernel->keys[kernel->key_count] = key->items[i].text;
            kernel->key_parameters[kernel->key_count++] = (unsigned)parameter;
        }
    }
    return true;
}

static unsigned number(const struct json *of, const char *name) {
    long long value;
    return json_integer(json_member(of, name), &value) ? (unsigned)value : 0;
}

static unsigned read_terms(const struct kernel *kernel, const struct json *terms, unsigned divisor,
                           struct tkc_term *out) {
    for (size_t i = 0; terms && i < terms->count; i++) {
        const struct json *term = &terms->items[i], *more = json_member(term, "plus"),
                          *quotient = json_member(term, "over");
        long long times = 1, plus = 0, over = 1;
        json_integer(json_member(term, "times"), &times);
        if (more) {
            json_integer(more, &plus);
        }
        if (quotient) {
            json_integer(quotient, &over);
        }
        out[i] = (struct tkc_term){plus / divisor, times / divisor,
                                   kernel_parameter(kernel, json_text(term, "param")),
                                   kernel_parameter(kernel, json_text(term, "by")), over};
    }
    return terms ? (unsigned)terms->count : 0;
}

static void read_hidden(const struct kernel *kernel, const struct json *described,
                        struct tkc_hidden *hidden) {
    const char *kind = json_text(described, "kind");
    if (strcmp(kind, "tensor_map") != 0) {
        hidden->kind = TKC_HIDDEN_GRID_X + (kind[5] - 'x');
        return;
    }
    struct tkc_tensor_map *map = &hidden->map;
    const struct json *box = json_member(described, "box");
    hidden->kind = TKC_HIDDEN_TENSOR_MAP;
    map->pointer = (unsigned)kernel_parameter(kernel, json_text(described, "pointer"));
    map->element = (int)number(described, "data_type_value");
    map->element_bytes = type_bytes(kernel->parameters[map->pointer].type);
    map->rank = read_terms(kernel, json_member(described, "sizes"), 1, map->sizes);
    read_terms(kernel, json_member(described, "byte_strides"), map->element_bytes, map->strides);
    map->offset_count =
        read_terms(kernel, json_member(described, "byte_offsets"), map->element_bytes, map->offsets);
    for (size_t i = 0; i < box->count; i++) {
        long long side = 1;
        json_integer(&box->items[i], &side);
        map->box[i] = (uint32_t)side;
    }
    map->swizzle = number(described, "swizzle");
    map->is_written = json_member(described, "written") != NULL;
}

static void read_work(const struct kernel *kernel, const struct json *described,
                      struct candidate *candidate) {
    struct tkc_variant *work = &candidate->work;
    const struct json *terms = json_member(described, "terms");
    for (size_t i = 0; terms && i < terms->count && i < TKC_WORKS; i++) {
        const struct json *term = &terms->items[i], *products = json_member(term, "products"),
                          *again = json_member(term, "again");
        long long per = 1;
        json_integer(json_member(term, "per"), &per);
        work->work[i] = (struct tkc_work){kernel_parameter(kernel, json_text(term, "param")), per,
                                          products ? products->number : 0, json_member(term, "bytes")->number,
                                          again ? again->number : 0};
        candidate->when[i] = json_text(term, "when");
        candidate->steps[i] = json_text(term, "steps");
        work->work_count++;
    }
    work->sums = number(described, "sums_bytes");
}

static unsigned read_all_hidden(struct arena *arena, const struct kernel *kernel, const struct json *entry,
                                struct tkc_hidden **hidden) {
    const struct json *all = json_member(entry, "hidden");
    unsigned count = all ? (unsigned)all->count : 0;
    *hidden = ARENA_ARRAY(arena, struct tkc_hidden, count + 1);
    for (unsigned i = 0; i < count; i++) {
        read_hidden(kernel, &all->items[i], &(*hidden)[i]);
    }
    return count;
}

static void read_form(struct arena *arena, const struct kernel *kernel, const struct json *paired,
                      struct candidate *candidate) {
    struct tkc_form *form = &candidate->form;
    struct tkc_hidden *hidden;
    candidate->form_steps = json_text(paired, "steps");
    form->least_steps = number(paired, "least_steps");
    form->name = json_text(paired, "name");
    form->together = number(paired, "together");
    form->programs = number(paired, "programs");
    form->entry = (struct tkc_entry){
        number(paired, "threads"),    number(paired, "shared_bytes"), number(paired, "dynamic_shared_bytes"),
        number(paired, "persistent"), number(paired, "cluster"),      json_member(paired, "fills") != NULL};
    form->hidden_count = read_all_hidden(arena, kernel, paired, &hidden);
    form->hidden = hidden;
}

bool candidate_read(struct arena *arena, const struct kernel *kernel, const struct json *described,
                    struct candidate *candidate) {
    const struct json *entries = json_member(described, "entries"), *grid = json_member(described, "grid");
    if (!entries || !entries->count || !grid) {
        candidate->why = grid ? "it does not fit the chip" : "the source gives no grid";
        return false;
    }
    const struct json *entry = &entries->items[0];
    candidate->entry = json_text(described, "name");
    for (int i = 0; i < 3; i++) {
        candidate->grid[i] = grid->items[i].text;
    }
    candidate->fit = (struct tkc_fit){.fits = 1,
                                      .threads = number(entry, "threads"),
                                      .shared = number(entry, "shared_bytes"),
                                      .persistent = number(entry, "persistent"),
                                      .cluster = number(entry, "cluster")};
    candidate->dynamic_shared = number(entry, "dynamic_shared_bytes");
    candidate->fills = json_member(entry, "fills") != NULL;
    candidate->hidden_count = read_all_hidden(arena, kernel, entry, &candidate->hidden);
    if (json_member(entry, "paired")) {
        read_form(arena, kernel, json_member(entry, "paired"), candidate);
    }
    candidate->work.name = candidate->config;
    if (json_member(entry, "work")) {
        read_work(kernel, json_member(entry, "work"), candidate);
    }
    return true;
}

// Computes an expression of the parameters' values. False: it has no result.
static bool evaluate(const struct kernel *kernel, const char *text, const int64_t *numbers, int64_t *result) {
    struct expression_name names[TUNE_PARAMETERS];
    char wrong[EXPRESSION_WRONG];
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        names[i] = (struct expression_name){kernel->parameters[i].name, numbers[i]};
    }
    return expression_evaluate(text, names, kernel->parameter_count, result, wrong);
}

bool grid_of(const struct candidate *candidate, const struct kernel *kernel, const int64_t *numbers,
             int64_t grid[3]) {
    for (int i = 0; i < 3; i++) {
        if (!evaluate(kernel, candidate->grid[i], numbers, &grid[i])) {
            return false;
        }
    }
    return tkc_grid_fits(grid);
}

// The steps that the text gives for the program with these ids; -1: none.
static int64_t steps_of(const char *text, const struct kernel *kernel, const int64_t *numbers,
                        const int64_t id[3]) {
    static const char *const ids[] = {"tkc_id_0", "tkc_id_1", "tkc_id_2"};
    struct expression_name names[TUNE_PARAMETERS + 3];
    char wrong[EXPRESSION_WRONG];
    int64_t steps;
    size_t count = kernel->parameter_count;
    for (size_t i = 0; i < count; i++) {
        names[i] = (struct expression_name){kernel->parameters[i].name, numbers[i]};
    }
    for (size_t axis = 0; axis < 3; axis++) {
        names[count + axis] = (struct expression_name){ids[axis], id[axis]};
    }
    return text && expression_evaluate(text, names, count + 3, &steps, wrong) ? steps : -1;
}

int64_t term_steps(const struct candidate *candidate, const struct kernel *kernel, unsigned term,
                   const int64_t *numbers, const int64_t id[3]) {
    return steps_of(candidate->steps[term], kernel, numbers, id);
}

bool takes_form(const struct candidate *candidate, const struct kernel *kernel, const unsigned grid[3],
                unsigned multiprocessors, const int64_t *numbers) {
    const struct tkc_form *form = &candidate->form;
    int64_t id[3];
    return tkc_form_asks(form->programs, form->together, form->entry.persistent, grid, multiprocessors, id) &&
           steps_of(candidate->form_steps, kernel, numbers, id) >= (int64_t)form->least_steps;
}

bool term_counts(const struct candidate *candidate, const struct kernel *kernel, unsigned term,
                 const int64_t *numbers) {
    int64_t holds;
    return !candidate->when[term] || !evaluate(kernel, candidate->when[term], numbers, &holds) || holds;
}
