// The program of a set, C and C++: includes the header behind all standard headers, launches every kernel and
// variant on the recording driver (driver.c) and compares the received arguments.
#include "fuzz_set.h"
#include "seen.h"

// The call's arguments; parameter `broken` gets a value excluded by its hint, SIZE_MAX: none.
static void write_arguments(struct strbuf *out, const struct reflect_kernel *kernel, size_t broken) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        bool boolean = !param->pointer && strcmp(param->dtype, "i1") == 0;
        strbuf_printf(out, boolean ? ", true" : ", %u", value_of(kernel, i) + (i == broken ? 8 : 0));
    }
}

static unsigned bytes_of(const struct reflect_param *param) {
    return param->pointer || strstr(param->dtype, "64") ? 8
           : strstr(param->dtype, "32")                 ? 4
           : strstr(param->dtype, "16")                 ? 2
                                                        : 1;
}

// The address in a map.
static unsigned long long address_of(const struct reflect_kernel *kernel, const struct tkc_tensor_map *map) {
    long long address = value_of(kernel, map->pointer);
    for (unsigned i = 0; i < map->offset_count; i++) {
        const struct tkc_term *term = &map->offsets[i];
        long long value = term->factor;
        value *= term->parameter < 0 ? 1 : value_of(kernel, (size_t)term->parameter) / term->over;
        value *= term->by < 0 ? 1 : value_of(kernel, (size_t)term->by);
        address += (value + term->plus) * map->element_bytes;
    }
    return (unsigned long long)address;
}

// The checks of a launch with this grid: arguments and blocks.
static void write_checks(struct strbuf *out, const struct reflect_kernel *kernel, const unsigned *grid) {
    const struct reflect_entry *entry = kernel->entries;
    unsigned programs = grid[0] * grid[1] * grid[2], most = SEEN_MULTIPROCESSORS * entry->dealing.persistent;
    bool shared = entry->dealing.persistent;
    strbuf_printf(out, "    SEEN_KERNEL(\"%s\", %uu, %uu, %uu);\n", kernel->name,
                  shared ? (programs < most ? programs : most) : grid[0], shared ? 1 : grid[1],
                  shared ? 1 : grid[2]);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        bool real = !param->pointer && !strchr("iu", param->dtype[0]);
        bool boolean = !param->pointer && strcmp(param->dtype, "i1") == 0;
        if (!real) {
            strbuf_printf(out, "    SEEN_INTEGER(%zu, %u, %u);\n", i, bytes_of(param),
                          boolean ? 1 : value_of(kernel, i));
        } else if (bytes_of(param) == 8) {
            strbuf_printf(out, "    SEEN_DOUBLE(%zu, %u);\n", i, value_of(kernel, i));
        }
    }
    for (size_t i = 0; i < entry->hidden_count; i++) {
        const struct tkc_hidden *hidden = &entry->hidden[i];
        bool map = hidden->kind == TKC_HIDDEN_TENSOR_MAP; // the recording driver's begin with the address
        strbuf_printf(out, "    SEEN_INTEGER(%zu, %d, %lluu);\n", kernel->param_count + i, map ? 8 : 4,
                      map ? address_of(kernel, &hidden->map) : grid[hidden->kind]);
    }
}

// Constants with a macro in the header have their values, except those spelled like a setting of some kernel.
static void write_macro_checks(struct strbuf *out, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->constant_count; i++) {
        const struct reflect_constant *constant = &kernel->constants[i];
        if (constant->is_integer && !strstr(constant->name, "NUM_")) {
            const char *value = strcmp(constant->value, "True") == 0    ? "1"
                                : strcmp(constant->value, "False") == 0 ? "0"
                                                                        : constant->value;
            bool least = strcmp(value, "-9223372036854775808") == 0;
            strbuf_printf(out, "#ifdef %s_%s\n    SEEN(%s_%s - %d == %s%s);\n#endif\n", kernel->name,
                          constant->name, kernel->name, constant->name, least ? -1 : 0,
                          least ? "-9223372036854775807" : value, strlen(value) > 19 && !least ? "u" : "");
        }
    }
}

// A launch without an error, and the driver's record of it.
static void write_launch(struct strbuf *out, const struct reflect_kernel *kernel, const char *call,
                         const char *last, const unsigned *grid) {
    strbuf_printf(out, "    LAUNCHED(%s", call);
    write_arguments(out, kernel, SIZE_MAX);
    strbuf_printf(out, "%s));\n", last);
    write_checks(out, kernel, grid);
}

static void write_refusal(struct strbuf *out, const struct reflect_kernel *kernel, const char *call,
                          const char *last, size_t broken) {
    strbuf_printf(out, "    REFUSED(%s", call);
    write_arguments(out, kernel, broken);
    strbuf_printf(out, "%s));\n", last);
}

static const char *text_of(char *room, const char *format, const char *name) {
    snprintf(room, 300, format, name);
    return room;
}

static void write_triton(struct strbuf *out, const struct reflect_kernel *kernel, const unsigned *grid) {
    char room[300];
    if (!kernel->grid[0]) {
        return;
    }
    write_launch(out, kernel, text_of(room, "%s(NULL", kernel->name), ", 0", grid);
    write_refusal(out, kernel, text_of(room, "%s(NULL", kernel->name), ", 1", SIZE_MAX);
    write_refusal(out, kernel, text_of(room, "%s(NULL", kernel->name), ", -1", SIZE_MAX);
    write_launch(out, kernel, text_of(room, "%s_default(NULL", kernel->name), "", grid);
    strbuf_printf(
        out, "    SEEN(%s_get_num_algos() == 1);\n    LAUNCHED(load_%s());\n    LAUNCHED(unload_%s());\n",
        kernel->name, kernel->name, kernel->name);
}

static void write_kernel(struct strbuf *out, const struct set *set, size_t index) {
    static const unsigned given[3] = {3, 2, 5};
    const struct reflect_kernel *kernel = &set->kernels[index];
    char room[300];
    strbuf_printf(out, "    seen_count = %zu;\n", kernel->param_count + kernel->entries->hidden_count);
    write_launch(out, kernel, text_of(room, "%s_launch_grid(NULL, 3u, 2u, 5u", kernel->name), "", given);
    if (kernel->grid[0]) {
        write_launch(out, kernel, text_of(room, "%s_launch(NULL", kernel->name), "", set->grids[index]);
    }
    if (set->reflection.triton_abi) {
        write_triton(out, kernel, set->grids[index]);
    }
    strbuf_printf(out, "    seen_kernel = \"none\";\n    LAUNCHED(%s_launch_grid(NULL, 3u, 0u, 5u",
                  kernel->name);
    write_arguments(out, kernel, SIZE_MAX);
    strbuf_add(out, "));\n");
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (kernel->params[i].divisible_by || kernel->params[i].equals_one) {
            write_refusal(out, kernel, text_of(room, "%s_launch_grid(NULL, 3u, 2u, 5u", kernel->name), "", i);
        }
    }
    strbuf_printf(out,
                  "    SEEN(strcmp(seen_kernel, \"none\") == 0);\n    LAUNCHED(%s_load());\n    "
                  "LAUNCHED(%s_unload());\n",
                  kernel->name, kernel->name);
    write_macro_checks(out, kernel);
}

// ---- variants ----

static size_t family_size(const struct set *set, size_t first) {
    size_t count = 1;
    while (first + count < set->count &&
           strcmp(set->kernels[first].function, set->kernels[first + count].function) == 0) {
        count++;
    }
    return count;
}

static bool fits(const struct reflect_kernel *kernel) {
    return kernel->entries->threads > 0;
}

static bool is_promised(const struct reflect_kernel *kernel, size_t i) {
    return kernel->params[i].divisible_by > 1 || kernel->params[i].equals_one;
}

// The first level with all promises kept by the first level's values, with `broken` broken.
static unsigned level_of(const struct reflect_kernel *kernels, size_t count, size_t broken) {
    for (size_t v = 0; v < count; v++) {
        bool holds = true;
        for (size_t i = 0; i < kernels->param_count; i++) {
            const struct reflect_param *param = &kernels[v].params[i];
            unsigned value = value_of(kernels, i) + (i == broken ? 8 : 0);
            holds = holds && !(param->equals_one && value != 1) &&
                    !(param->divisible_by && value % param->divisible_by);
        }
        if (holds) {
            return kernels[v].level;
        }
    }
    return kernels[count - 1].level + 1;
}

// The tuned choice for exactly these arguments, if there is one.
static size_t chosen(const struct set *set, size_t first, size_t count) {
    const struct reflect_kernel *kernel = &set->kernels[first];
    for (size_t c = 0; c < set->reflection.choice_count; c++) {
        const struct reflect_choice *choice = &set->reflection.choices[c];
        const struct reflect_kernel *variant = &set->kernels[choice->kernel];
        bool same = choice->kernel - first < count && strcmp(choice->device, SEEN_DEVICE) == 0 &&
                    variant->level == 0 && fits(variant);
        for (size_t i = 0, k = 0; i < kernel->param_count && same; i++) {
            if (reflect_is_key(&kernel->params[i])) {
                same = choice->key[k++] ==
                       (int64_t)(strcmp(kernel->params[i].dtype, "i1") == 0 ? 1 : value_of(kernel, i));
            }
        }
        if (same) {
            return choice->kernel - first;
        }
    }
    return SIZE_MAX;
}

// The pick is a variant of the arguments' level that fits the device; `expected`, if any, is the one.
static void write_pick(struct strbuf *out, const struct set *set, size_t first, size_t count, size_t broken,
                       size_t expected) {
    const struct reflect_kernel *kernel = &set->kernels[first];
    const char *name = kernel->function, *join = "";
    unsigned level = level_of(kernel, count, broken);
    char call[300];
    if (level > kernel[count - 1].level) {
        write_refusal(out, kernel, text_of(call, "%s_pick(&seen_variant", name), "", broken);
        write_refusal(out, kernel, text_of(call, "%s_launch(NULL", name), "", broken);
        return;
    }
    strbuf_printf(out, "    LAUNCHED(%s_pick(&seen_variant", name);
    write_arguments(out, kernel, broken);
    strbuf_add(out, "));\n    SEEN(");
    for (size_t v = 0; v < count; v++) {
        if (kernel[v].level == level && fits(&kernel[v]) && (expected == SIZE_MAX || expected == v)) {
            strbuf_printf(out, "%sseen_variant == %zuu", join, v);
            join = " || ";
        }
    }
    strbuf_add(out, ");\n");
    if (broken == SIZE_MAX) { // with another value the grid may be none
        strbuf_printf(out, "    seen_count = %zu;\n    LAUNCHED(%s_launch(NULL", kernel->param_count, name);
        write_arguments(out, kernel, broken);
        strbuf_printf(out,
                      "));\n    SEEN(strncmp(seen_kernel, \"%s_\", %zu) == 0 && strcmp(seen_kernel + %zu, "
                      "%s_variant_name(seen_variant)) == 0);\n",
                      name, strlen(name) + 1, strlen(name) + 1, name);
    }
}

static void write_variants(struct strbuf *out, const struct set *set, size_t first, size_t count) {
    const struct reflect_kernel *kernel = &set->kernels[first];
    const char *name = kernel->function;
    char call[300], last[32];
    for (size_t v = 0; v < count; v++) {
        snprintf(call, sizeof call, "%s_launch_variant(NULL, %zuu", name, v);
        strbuf_printf(out, "    seen_count = %zu;\n", kernel->param_count + kernel[v].entries->hidden_count);
        if (fits(&kernel[v])) {
            write_launch(out, &kernel[v], call, "", set->grids[first + v]);
            snprintf(last, sizeof last, ", %zu", v);
            if (set->reflection.triton_abi) {
                snprintf(call, sizeof call, "%s(NULL", name);
                write_launch(out, &kernel[v], call, last, set->grids[first + v]);
            }
        } else {
            strbuf_printf(out, "    SEEN(%s", call);
            write_arguments(out, &kernel[v], SIZE_MAX);
            strbuf_add(out, ") == CUDA_ERROR_NO_BINARY_FOR_GPU);\n");
        }
        strbuf_printf(out, "    SEEN(strcmp(%s_variant_name(%zuu), \"%s\") == 0);\n", name, v,
                      kernel[v].name + strlen(name) + 1);
    }
    snprintf(call, sizeof call, "%s_launch_variant(NULL, %zuu", name, count);
    write_refusal(out, kernel, call, "", SIZE_MAX);
    strbuf_printf(out, "    SEEN(%s_VARIANTS == %zu && !%s_variant_name(%zuu));\n", name, count, name, count);
    if (set->reflection.triton_abi) {
        snprintf(call, sizeof call, "%s(NULL", name);
        snprintf(last, sizeof last, ", %zu", count);
        write_refusal(out, kernel, call, last, SIZE_MAX);
        write_refusal(out, kernel, call, ", -1", SIZE_MAX);
        strbuf_printf(out, "    SEEN(%s_get_num_algos() == %zu);\n    LAUNCHED(load_%s());\n", name, count,
                      name);
    }
}

static void write_tuning(struct strbuf *out, const struct reflect_kernel *kernel) {
    const char *name = kernel->function;
    strbuf_printf(out, "    seen_count = %zu;\n    LAUNCHED(%s_tune(NULL", kernel->param_count, name);
    write_arguments(out, kernel, SIZE_MAX);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        strbuf_add(out, param->pointer && (param->reset_to_zero || param->restore_value) ? ", 64u" : "");
    }
    strbuf_printf(out,
                  "));\n    "
                  "    SEEN(strncmp(%s_tune_report(), \"%s: \", %zuu) == 0);\n"
                  "    SEEN(%s_save_tuned(\"set.json\") == 0 && remove(\"set.json\") == 0);\n",
                  name, name, strlen(name) + 2, name);
}

// All variants take the recording driver's constant time: tuning keeps the first that fits.
static void write_family(struct strbuf *out, const struct set *set, size_t first, size_t count) {
    const struct reflect_kernel *kernel = &set->kernels[first];
    size_t fitting = 0;
    while (!fits(&kernel[fitting])) {
        fitting++;
    }
    write_variants(out, set, first, count);
    write_pick(out, set, first, count, SIZE_MAX, chosen(set, first, count));
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (is_promised(kernel, i)) {
            write_pick(out, set, first, count, i, SIZE_MAX);
        }
    }
    write_tuning(out, kernel);
    write_pick(out, set, first, count, SIZE_MAX, fitting);
    strbuf_printf(out, "    LAUNCHED(%s_load());\n    LAUNCHED(%s_unload());\n", kernel->function,
                  kernel->function);
}

// Writes all bytes in octal.
static void write_string(struct strbuf *out, const char *text) {
    for (const char *c = text; *c; c++) {
        strbuf_printf(out, "\\%03o", (unsigned char)*c);
    }
}

void write_program(struct strbuf *out, const struct set *set) {
    strbuf_printf(out,
                  "#include \"everything.h\"\n#define TKC_IMAGES SEEN_FOLDER\n#include \"seen.h\"\n"
                  "#include \"h%u.h\"\n#include \"h%u.h\"\nSEEN_SET(%u) {\n    unsigned seen_variant = 0;\n"
                  "    (void)seen_variant;\n",
                  set->number, set->number, set->number);
    if (set->file) {
        strbuf_add(out, "    seen_file = SEEN_FOLDER \"");
        write_string(out, set->file);
        strbuf_add(out, "\";\n");
    }
    for (size_t k = 0, count; k < set->count; k += count) {
        count = family_size(set, k);
        if (count > 1) {
            write_family(out, set, k, count);
        } else {
            write_kernel(out, set, k);
        }
    }
    strbuf_add(out, "}\n");
}
