// Random launcher headers: kernels, parameters and constants with hostile names. Writes h<i>.h for each
// accepted set, and h<i>.inc, a function set_<i> in C and C++: it includes the header behind all standard
// headers, launches every kernel on the recording driver (driver.c) and compares the received arguments.
// sets.inc has a row SET(i) for each of them, amd lists the headers with code for AMD too. check.sh compiles
// and runs them.
//
//   fuzz_headers FOLDER SEED COUNT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "artifact/launcher/grid.h"
#include "fuzz_set.h"
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

enum { WORD_COUNT = sizeof words / sizeof words[0] };

static const char *word(struct arena *arena) {
    const char *one = words[below(WORD_COUNT)];
    return below(4) ? one : arena_printf(arena, "%s_%s", one, words[below(WORD_COUNT)]);
}

// A word different from the `count` before it, `stride` bytes apart: Python refuses two parameters of one
// name.
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

// Sides are from 1 to 1000, so the launch is not empty.
static void make_grid(struct arena *arena, struct reflect_kernel *kernel, unsigned grid[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int64_t value;
        kernel->grid[axis] = NULL;
        do {
            kernel->grid[axis] = make_side(arena, kernel, 3, &value);
        } while (value < 1 || value > 1000);
        grid[axis] = (unsigned)value;
    }
}

// The number of elements of a dimension: a parameter, or a constant.
static struct tkc_term make_term(const struct reflect_kernel *kernel, int64_t factor) {
    size_t i = below(PARAMS);
    bool counts = i < kernel->param_count && is_integer(&kernel->params[i]);
    bool twice = counts && below(2) == 0;
    int64_t plus = 16 * (int64_t)below(2);
    int64_t over = counts ? 1 + (int64_t)below(3) : 1;
    return (struct tkc_term){plus, factor, counts ? (int)i : -1, twice ? (int)i : -1, over};
}

// Tensor maps of some pointers, between the sides of the grid; sometimes a grid shared by the device's
// blocks.
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
            map.offset_count = below(TKC_TENSOR_OFFSETS + 1);
            for (unsigned d = 0; d < map.offset_count; d++) {
                map.offsets[d] = make_term(kernel, 8 * ((int64_t)below(5) - 2));
            }
            map.swizzle = below(2) * (32u << below(3));
            hidden[count++] = (struct tkc_hidden){TKC_HIDDEN_TENSOR_MAP, map};
        }
    }
    kernel->entries->hidden = hidden;
    kernel->entries->hidden_count = count;
    kernel->entries->dealing.persistent = below(3);
}

// Named unlike the functions of the `count` kernels before it.
static struct reflect_kernel make_kernel(struct arena *arena, const struct reflect_kernel *before,
                                         size_t count) {
    static const char *const types[] = {"i32",  "i64",  "u8",  "i1", "fp32", "fp16",
                                        "bf16", "fp64", "u64", "i8", "u16"};
    static const char *const values[] = {"64",
                                         "-3",
                                         "True",
                                         "False",
                                         "0",
                                         "9223372036854775807",
                                         "-9",
                                         "7",
                                         "'tf32'",
                                         "'a\r\\'",
                                         "None",
                                         "-9223372036854775808",
                                         "18446744073709551615",
                                         "-9223372036854775809"};
    struct reflect_kernel kernel = {
        .function = fresh_word(arena, count ? &before->function : NULL, count, sizeof *before),
        .config_text = "",
        .num_warps = 4,
        .num_stages = 2};
    kernel.name = kernel.function;
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
        param->is_key = below(3) == 0;
        param->reset_to_zero = param->pointer && below(4) == 0;
        param->restore_value = param->pointer && below(4) == 0;
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

// ---- variants ----

// Promises of a less special level: fewer, and a multiple of 16 in place of a 1. The last has none.
static struct reflect_param *relaxed(struct arena *arena, const struct reflect_kernel *kernel, bool last) {
    struct reflect_param *params = ARENA_ARRAY(arena, struct reflect_param, PARAMS);
    for (size_t i = 0; i < kernel->param_count; i++) {
        params[i] = kernel->params[i];
        if (last || below(2)) {
            params[i].divisible_by = !last && params[i].equals_one ? 16 : 0;
            params[i].equals_one = false;
        }
    }
    return params;
}

static void make_work(struct kernel_work *work, const struct reflect_kernel *kernel) {
    work->count = below(TKC_WORKS);
    work->sums = below(70000);
    for (unsigned i = 0; i < work->count; i++) {
        struct tkc_term term = make_term(kernel, 1 + below(64));
        work->terms[i] = (struct tkc_work){term.parameter, term.factor, below(5000) / 8.0,
                                           below(100000) / 4.0, below(1000) / 2.0};
        work->when[i] = below(2) ? kernel->grid[0] : NULL; // an expression like any other
    }
}

// Variants of the kernel at `first`, levels by configurations. The first of each level fits the device.
// Arguments are tried for the most special level, so all its promises are set.
static size_t make_variants(struct arena *arena, struct set *set, size_t first) {
    struct reflect_kernel base = set->kernels[first];
    unsigned levels = 1 + below(3), configs = levels == 1 ? 2 + below(4) : 1 + below(2);
    struct reflect_param *params = base.params;
    for (unsigned level = 0; level < levels; level++) {
        if (level) {
            params = relaxed(arena, &base, level + 1 == levels);
        }
        for (unsigned config = 0; config < configs; config++) {
            struct reflect_kernel *kernel = &set->kernels[first + level * configs + config];
            *kernel = base;
            kernel->name = arena_printf(arena, "%s_TILE_%u_any_%u", base.function, config, level);
            kernel->config = config;
            kernel->level = level;
            kernel->params = params;
            kernel->constants = ARENA_ARRAY(arena, struct reflect_constant, CONSTANTS);
            memcpy(kernel->constants, base.constants, base.constant_count * sizeof *base.constants);
            if (base.constant_count && config) {
                kernel->constants[below((unsigned)base.constant_count)].value = below(2) ? "5" : "'five'";
            }
            kernel->entries = ARENA_ARRAY(arena, struct reflect_entry, 2);
            kernel->entries[0].threads = config && below(5) == 0 ? 0 : 32u << below(4);
            kernel->entries[1].threads = config && below(5) == 0 ? 0 : 64u << below(4);
            kernel->entries[0].shared_bytes = below(40000);
            if (below(3) == 0) {
                make_hidden(arena, kernel);
            }
            make_work(&kernel->entries[0].work, kernel);
            make_work(&kernel->entries[1].work, kernel);
        }
    }
    return levels * configs;
}

// Tuned choices: of this device and others, for the arguments of the program and for others.
static void make_choices(struct arena *arena, struct set *set) {
    static const char *const devices[] = {SEEN_DEVICE, SEEN_DEVICE,
                                          "\"a\\?\?/\n\xff\xe2\x80\xae"
                                          "0",
                                          "gr\xc3\xb6\xc3\x9f"
                                          "er"};
    static const int64_t odd[] = {0, 1, -1, INT64_MAX, INT64_MIN, 4096};
    size_t count = below(6);
    set->reflection.choices = ARENA_ARRAY(arena, struct reflect_choice, 6);
    set->reflection.choice_count = count;
    for (size_t c = 0; c < count; c++) {
        struct reflect_choice *choice = &set->reflection.choices[c];
        *choice = (struct reflect_choice){below((unsigned)set->count),
                                          devices[below(sizeof devices / sizeof devices[0])],
                                          {0},
                                          below(1000) / 8.0};
        const struct reflect_kernel *kernel = &set->kernels[choice->kernel];
        for (size_t i = 0, k = 0; i < kernel->param_count; i++) {
            if (reflect_is_key(&kernel->params[i])) {
                bool boolean = strcmp(kernel->params[i].dtype, "i1") == 0;
                choice->key[k++] =
                    below(3) ? boolean ? 1 : value_of(kernel, i) : odd[below(sizeof odd / sizeof odd[0])];
            }
        }
    }
}

// ---- sets ----

// One target's image, or parts of it with some of the kernels each, or its file.
static size_t make_images(struct reflect_image *images, size_t target, size_t kernels, const char *file) {
    size_t count = 0;
    for (size_t first = 0; first < kernels; first += images[count++].kernel_count) {
        size_t some = file || below(2) ? kernels - first : 1 + below((unsigned)(kernels - first));
        images[count] = (struct reflect_image){.target = target,
                                               .first_kernel = first,
                                               .kernel_count = some,
                                               .bytes = SEEN_IMAGE,
                                               .length = sizeof SEEN_IMAGE - 1,
                                               .file = file};
    }
    return count;
}

// False if the set was refused, with a reported error. Headers with code for AMD go into `amd`.
static bool make_set(struct arena *arena, const char *folder, unsigned number, struct strbuf *amd) {
    static const char *const files[] = {"k.ptx", "a \"b\\c?\?/d\n1.ptx",
                                        "\xce\xb1\xff\xe2\x80\xae"
                                        "7.ptx",
                                        "'%s%n$(x)`"};
    struct set *set = ARENA_NEW(arena, struct set);
    size_t families = 1 + below(FAMILIES), hidden = 0;
    bool triton_abi = number % 3 == 0, own_names = number % 12 != 0;
    set->number = number;
    set->file = number % 5 == 2 ? files[below(sizeof files / sizeof files[0])] : NULL;
    for (size_t f = 0; f < families; f++) {
        struct reflect_kernel *kernel = &set->kernels[set->count];
        *kernel = make_kernel(arena, set->kernels, set->count);
        if (triton_abi && own_names) { // its functions have the kernels' own names: these must be free
            kernel->name = kernel->function = arena_printf(arena, "%s_own", kernel->function);
        }
        size_t variants = below(3) ? 1 : make_variants(arena, set, set->count);
        for (size_t v = 0; v < variants; v++, set->count++) {
            make_grid(arena, &set->kernels[set->count], set->grids[set->count]);
            const struct reflect_entry *entry = set->kernels[set->count].entries;
            hidden += entry->hidden_count + entry->dealing.persistent;
        }
        if (variants == 1 && below(8) == 0) {
            kernel->grid[0] = NULL;
        }
    }
    struct reflect_target targets[2] = {
        {target_find(hidden ? "sm_90a" : "sm_80"), TKC_PTX, SEEN_IMAGE, sizeof SEEN_IMAGE - 1, NULL, NULL},
        {target_find("gfx942"), TKC_HSACO, SEEN_IMAGE, sizeof SEEN_IMAGE - 1, NULL, NULL}};
    struct reflect_image images[2 * KERNELS];
    struct reflection *reflection = &set->reflection;
    *reflection = (struct reflection){.source = "dir/\r\n#error.tk\\",
                                      .kernels = set->kernels,
                                      .kernel_count = set->count,
                                      .targets = targets,
                                      .target_count = 1 + below(2),
                                      .images = images,
                                      .triton_abi = triton_abi};
    make_choices(arena, set);
    for (size_t i = 0; i < reflection->target_count; i++) {
        reflection->image_count += make_images(images + reflection->image_count, i, set->count, set->file);
    }
    struct strbuf text = {0}, said = {0};
    struct diag diag = {.sink = ignore, .sink_user = &said};
    bool made = header_write(arena, reflection, arena_printf(arena, "fuzzed%u", number), &text, &diag);
    if (made == (said.length > 0)) {
        fprintf(stderr, "set %u: %s\n", number, made ? strbuf_text(&said) : "refused without a word");
        exit(1);
    }
    if (made) {
        save(arena_printf(arena, "%s/h%u.h", folder, number), &text);
        if (reflection->target_count == 2) {
            strbuf_printf(amd, "h%u.h\n", number);
        }
        write_program(&text, set);
        save(arena_printf(arena, "%s/h%u.inc", folder, number), &text);
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
