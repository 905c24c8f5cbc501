// Random launcher headers: kernels, parameters and constants with hostile names. Writes h<i>.h for each set that is not
// refused, and h<i>.inc, a function set_<i> in C and C++ that includes it behind everything the standard headers define,
// launches every kernel on the recording driver (driver.c) and compares what arrived. sets.inc has a row SET(i) for each of
// them, amd names the headers that have code for AMD too. check.sh compiles and runs them.
//
//   fuzz_headers FOLDER SEED COUNT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "artifact/launcher/grid.h"
#include "seen.h"
#include "support/file.h"

static uint64_t state;

static unsigned below(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

static const char *const words[] = {
#define WORD(text) text,
#include "words.def"
#undef WORD
};

enum { WORD_COUNT = sizeof words / sizeof words[0], KERNELS = 4, PARAMS = 7, CONSTANTS = 5, HIDDEN = 6 };

static const char *word(struct arena *arena) {
    const char *one = words[below(WORD_COUNT)];
    return below(4) ? one : arena_printf(arena, "%s_%s", one, words[below(WORD_COUNT)]);
}

// A word that is not among the `count` before it, `stride` bytes apart: Python refuses two parameters of one name.
static const char *fresh_word(struct arena *arena, const void *before, size_t count, size_t stride) {
    for (;;) {
        const char *one = word(arena);
        bool taken = false;
        for (size_t i = 0; i < count; i++) {
            taken = taken || strcmp(one, *(const char *const *)((const char *)before + i * stride)) == 0;
        }
        if (!taken) {
            return one;
        }
    }
}

static bool is_integer(const struct reflect_param *param) {
    return !param->pointer && strchr("iu", param->dtype[0]) && strcmp(param->dtype, "i1") != 0;
}

// The value that the program gives to parameter i: fits every type, keeps every hint.
static unsigned value_of(const struct reflect_kernel *kernel, size_t i) {
    return kernel->params[i].equals_one ? 1 : 16 * (unsigned)(i + 1);
}

// A random expression over the integer parameters, and its value.
static const char *make_side(struct arena *arena, const struct reflect_kernel *kernel, unsigned depth,
                             int64_t *value) {
    static const struct {
        const char *name;
        int64_t (*value)(int64_t, int64_t);
    } functions[] = {
#define FUNCTION(name) {"tkc_" #name, tkc_##name},
        FUNCTION(cdiv) FUNCTION(mul) FUNCTION(add) FUNCTION(min) FUNCTION(max) FUNCTION(sub)
            FUNCTION(floordiv)
#undef FUNCTION
    };
    size_t i = below(PARAMS), kind = below(sizeof functions / sizeof functions[0]);
    if (depth && below(3)) {
        int64_t a, b;
        const char *left = make_side(arena, kernel, depth - 1, &a);
        const char *right = make_side(arena, kernel, depth - 1, &b);
        *value = functions[kind].value(a, b);
        return arena_printf(arena, "%s(%s, %s)", functions[kind].name, left, right);
    }
    if (i < kernel->param_count && is_integer(&kernel->params[i])) {
        *value = value_of(kernel, i);
        return artifact_c_name(arena, kernel->params[i].name);
    }
    *value = 1 + below(9);
    return arena_printf(arena, "%lld", (long long)*value);
}

// Sides are from 1 to 1000, so that a launch takes place.
static void make_grid(struct arena *arena, struct reflect_kernel *kernel, unsigned grid[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int64_t value;
        do {
            kernel->grid[axis] = make_side(arena, kernel, 3, &value);
        } while (value < 1 || value > 1000);
        grid[axis] = (unsigned)value;
    }
}

// What a dimension has of elements: a parameter, or a number.
static struct tkc_term make_term(const struct reflect_kernel *kernel, int64_t factor) {
    size_t i = below(PARAMS);
    bool counts = i < kernel->param_count && is_integer(&kernel->params[i]);
    return (struct tkc_term){counts ? (int)i : -1, factor};
}

// Tensor maps of some pointers, between the sides of the grid; sometimes a grid that the device's blocks share.
static void make_hidden(struct arena *arena, struct reflect_kernel *kernel) {
    struct tkc_hidden *hidden = ARENA_ARRAY(arena, struct tkc_hidden, HIDDEN);
    size_t count = 0, sides = below(4);
    for (size_t side = 0; side < sides; side++) {
        hidden[count++] = (struct tkc_hidden){.kind = (int)below(3)};
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (kernel->params[i].pointer && count < HIDDEN && below(2)) {
            struct tkc_tensor_map map = {
                .pointer = (unsigned)i, .element = 6, .element_bytes = 2, .rank = 1 + below(TKC_TENSOR_RANK)};
            for (unsigned d = 0; d < map.rank; d++) {
                map.sizes[d] = make_term(kernel, 1 + below(3));
                map.box[d] = 1u << below(9);
            }
            for (unsigned d = 0; d + 1 < map.rank; d++) {
                map.strides[d] = make_term(kernel, 16 * (1 + below(3)));
            }
            map.swizzle = below(2) * (32u << below(3));
            hidden[count++] = (struct tkc_hidden){TKC_HIDDEN_TENSOR_MAP, map};
        }
    }
    kernel->entries->hidden = hidden;
    kernel->entries->hidden_count = count;
    kernel->entries->persistent = below(3);
}

static struct reflect_kernel make_kernel(struct arena *arena, const struct reflect_kernel *before,
                                         size_t count) {
    static const char *const types[] = {"i32",  "i64",  "u8",  "i1", "fp32", "fp16",
                                        "bf16", "fp64", "u64", "i8", "u16"};
    static const char *const values[] = {"64", "-3", "True",   "False",   "0",   "9223372036854775807",
                                         "-9", "7",  "'tf32'", "'a\r\\'", "None"};
    struct reflect_kernel kernel = {
        .name = fresh_word(arena, before, count, sizeof *before), .num_warps = 4, .num_stages = 2};
    kernel.function = kernel.name;
    kernel.params = ARENA_ARRAY(arena, struct reflect_param, PARAMS);
    kernel.constants = ARENA_ARRAY(arena, struct reflect_constant, CONSTANTS);
    kernel.param_count = below(PARAMS);
    for (size_t i = 0; i < kernel.param_count; i++) {
        struct reflect_param *param = &kernel.params[i];
        param->name = fresh_word(arena, kernel.params, i, sizeof *kernel.params);
        param->dtype = types[below(sizeof types / sizeof types[0])];
        param->pointer = below(3) == 0;
        param->divisible_by = (param->pointer || is_integer(param)) && below(2) ? 16 : 0;
        param->equals_one = !param->divisible_by && is_integer(param) && below(4) == 0;
    }
    kernel.constant_count = below(CONSTANTS);
    for (size_t i = 0; i < kernel.constant_count; i++) {
        const char *value = values[below(sizeof values / sizeof values[0])];
        kernel.constants[i] =
            (struct reflect_constant){fresh_word(arena, kernel.constants, i, sizeof *kernel.constants), value,
                                      value[0] != '\'' && value[0] != 'N'};
    }
    kernel.entries = ARENA_ARRAY(arena, struct reflect_entry, 2);
    kernel.entries[0] = (struct reflect_entry){.threads = 128};
    kernel.entries[1] = (struct reflect_entry){.threads = 256};
    if (below(3) == 0) {
        make_hidden(arena, &kernel);
    }
    return kernel;
}

// ---- the program ----

// The call's arguments; parameter `broken` gets one that its hint excludes, SIZE_MAX: none.
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

// What a launch with this grid passes and launches.
static void write_checks(struct strbuf *out, const struct reflect_kernel *kernel, const unsigned *grid) {
    const struct reflect_entry *entry = kernel->entries;
    unsigned programs = grid[0] * grid[1] * grid[2], most = SEEN_MULTIPROCESSORS * entry->persistent;
    bool shared = entry->persistent;
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
        strbuf_printf(out, "    SEEN_INTEGER(%zu, %d, %uu);\n", kernel->param_count + i, map ? 8 : 4,
                      map ? value_of(kernel, hidden->map.pointer) : grid[hidden->kind]);
    }
}

// Constants that the header defines as macros have their values, but those that are spelled like a setting of some kernel.
static void write_macro_checks(struct strbuf *out, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->constant_count; i++) {
        const struct reflect_constant *constant = &kernel->constants[i];
        if (constant->is_integer && !strstr(constant->name, "NUM_")) {
            const char *value = strcmp(constant->value, "True") == 0    ? "1"
                                : strcmp(constant->value, "False") == 0 ? "0"
                                                                        : constant->value;
            strbuf_printf(out, "#ifdef %s_%s\n    SEEN(%s_%s - 1 == %s - 1);\n#endif\n", kernel->name,
                          constant->name, kernel->name, constant->name, value);
        }
    }
}

static void write_kernel(struct strbuf *out, const struct reflect_kernel *kernel, const unsigned *grid) {
    static const unsigned given[3] = {3, 2, 5};
    strbuf_printf(out, "    seen_count = %zu;\n    LAUNCHED(%s_launch_grid(NULL, 3u, 2u, 5u",
                  kernel->param_count + kernel->entries->hidden_count, kernel->name);
    write_arguments(out, kernel, SIZE_MAX);
    strbuf_add(out, "));\n");
    write_checks(out, kernel, given);
    strbuf_printf(out, "    LAUNCHED(%s_launch(NULL", kernel->name);
    write_arguments(out, kernel, SIZE_MAX);
    strbuf_add(out, "));\n");
    write_checks(out, kernel, grid);
    strbuf_printf(out, "    seen_kernel = \"none\";\n    LAUNCHED(%s_launch_grid(NULL, 3u, 0u, 5u",
                  kernel->name);
    write_arguments(out, kernel, SIZE_MAX);
    strbuf_add(out, "));\n");
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (kernel->params[i].divisible_by || kernel->params[i].equals_one) {
            strbuf_printf(out, "    REFUSED(%s_launch_grid(NULL, 3u, 2u, 5u", kernel->name);
            write_arguments(out, kernel, i);
            strbuf_add(out, "));\n");
        }
    }
    strbuf_printf(out,
                  "    SEEN(strcmp(seen_kernel, \"none\") == 0);\n    LAUNCHED(%s_load());\n    "
                  "LAUNCHED(%s_unload());\n",
                  kernel->name, kernel->name);
    write_macro_checks(out, kernel);
}

static void write_program(struct strbuf *out, unsigned set, const struct reflect_kernel *kernels,
                          size_t count, unsigned grids[KERNELS][3]) {
    strbuf_printf(out,
                  "#include \"everything.h\"\n#include \"h%u.h\"\n#include \"h%u.h\"\n"
                  "#include \"seen.h\"\nSEEN_SET(%u) {\n",
                  set, set, set);
    for (size_t k = 0; k < count; k++) {
        write_kernel(out, &kernels[k], grids[k]);
    }
    strbuf_add(out, "}\n");
}

static void save(const char *path, struct strbuf *text) {
    if (!file_write_atomic(path, text->data, text->length)) {
        perror(path);
        exit(1);
    }
    strbuf_free(text);
}

static void ignore(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

// One target's image, or parts of it that hold some of the kernels each.
static size_t make_images(struct reflect_image *images, size_t target, size_t kernels) {
    size_t count = 0;
    for (size_t first = 0; first < kernels; first += images[count++].kernel_count) {
        size_t some = below(2) ? kernels - first : 1 + below((unsigned)(kernels - first));
        images[count] = (struct reflect_image){.target = target,
                                               .first_kernel = first,
                                               .kernel_count = some,
                                               .bytes = SEEN_IMAGE,
                                               .length = sizeof SEEN_IMAGE - 1};
    }
    return count;
}

// False when the set was refused, which must have been said. Headers with code for AMD go into `amd`.
static bool make_set(struct arena *arena, const char *folder, unsigned set, struct strbuf *amd) {
    struct reflect_kernel kernels[KERNELS];
    unsigned grids[KERNELS][3];
    size_t count = 1 + below(KERNELS), hidden = 0;
    bool triton_abi = set % 3 == 0;
    for (size_t k = 0; k < count; k++) {
        kernels[k] = make_kernel(arena, kernels, k);
        if (triton_abi) { // whose functions have the kernels' own names, which must be free
            kernels[k].name = kernels[k].function = arena_printf(arena, "%s_own", kernels[k].name);
        }
        make_grid(arena, &kernels[k], grids[k]);
        hidden += kernels[k].entries->hidden_count + kernels[k].entries->persistent;
    }
    struct reflect_target targets[2] = {
        {target_find(hidden ? "sm_90a" : "sm_80"), TKC_PTX, SEEN_IMAGE, sizeof SEEN_IMAGE - 1, NULL, NULL},
        {target_find("gfx942"), TKC_HSACO, SEEN_IMAGE, sizeof SEEN_IMAGE - 1, NULL, NULL}};
    struct reflect_image images[2 * KERNELS];
    size_t target_count = 1 + below(2), image_count = 0;
    for (size_t i = 0; i < target_count; i++) {
        image_count += make_images(images + image_count, i, count);
    }
    struct reflection reflection = {"dir/\r\n#error.tk\\", kernels, count, targets,   target_count, images,
                                    image_count,           NULL,    0,     triton_abi};
    struct strbuf text = {0}, said = {0};
    struct diag diag = {.sink = ignore, .sink_user = &said};
    bool made = header_write(arena, &reflection, arena_printf(arena, "fuzzed%u", set), &text, &diag);
    if (made == (said.length > 0)) {
        fprintf(stderr, "set %u: %s\n", set, made ? strbuf_text(&said) : "refused without a word");
        exit(1);
    }
    if (made) {
        save(arena_printf(arena, "%s/h%u.h", folder, set), &text);
        if (target_count == 2) {
            strbuf_printf(amd, "h%u.h\n", set);
        }
        write_program(&text, set, kernels, count, grids);
        save(arena_printf(arena, "%s/h%u.inc", folder, set), &text);
    }
    strbuf_free(&text);
    strbuf_free(&said);
    return made;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: fuzz_headers FOLDER SEED COUNT\n");
        return 2;
    }
    unsigned count = (unsigned)atoi(argv[3]), made = 0;
    state = strtoull(argv[2], NULL, 10);
    struct arena *arena = arena_create();
    struct strbuf sets = {0}, amd = {0};
    for (unsigned set = 0; set < count; set++) {
        if (make_set(arena, argv[1], set, &amd)) {
            strbuf_printf(&sets, "SET(%u)\n", set);
            made++;
        }
    }
    save(arena_printf(arena, "%s/sets.inc", argv[1]), &sets);
    save(arena_printf(arena, "%s/amd", argv[1]), &amd);
    arena_destroy(arena);
    printf("%u headers, %u sets refused\n", made, count - made);
    return made * 2 < count; // most sets must come through
}
