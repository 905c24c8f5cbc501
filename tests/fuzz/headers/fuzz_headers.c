// Random launcher headers: kernels, parameters and constants with hostile names. Writes h<i>.h for each set that is not
// refused, and h<i>.inc, a C and C++ program that includes it behind everything the standard headers define, launches every
// kernel on the recording driver (driver.c) and compares what arrived. check.sh compiles and runs them.
//
//   fuzz_headers FOLDER SEED COUNT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "seen.h"
#include "support/file.h"

static uint64_t state;

static unsigned below(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

static const char *const words[] = {
    // keywords of C and C++ to C++23, and what compilers add
    "int",
    "register",
    "restrict",
    "inline",
    "typeof",
    "constexpr",
    "nullptr",
    "alignas",
    "static_assert",
    "thread_local",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "requires",
    "consteval",
    "constinit",
    "char8_t",
    "char16_t",
    "wchar_t",
    "operator",
    "namespace",
    "template",
    "typename",
    "this",
    "new",
    "delete",
    "mutable",
    "export",
    "xor",
    "bitand",
    "and_eq",
    "asm",
    "unix",
    "linux",
    "noreturn",
    "complex",
    "imaginary",
    "bool",
    "true",
    "final",
    "override",
    "import",
    "module",
    // names and macros of headers
    "size_t",
    "int32_t",
    "uintptr_t",
    "NULL",
    "RAND_MAX",
    "INT_MAX",
    "I",
    "NAN",
    "INFINITY",
    "EOF",
    "BUFSIZ",
    "M_PI",
    "errno",
    "stdin",
    "assert",
    "offsetof",
    "CHAR_BIT",
    "SIGINT",
    "isnan",
    "sin",
    "log",
    "index",
    "time",
    "y0",
    "j1",
    "gamma",
    "signal",
    "CUDA_ERROR_INVALID_VALUE",
    "CUDA_SUCCESS",
    "CUresult",
    "CUstream",
    "CUdeviceptr",
    "cuLaunchKernel",
    "CUDA_VERSION",
    "memcpy",
    "malloc",
    "free",
    "calloc",
    "strcmp",
    "__LINE__",
    "__FILE__",
    "__x",
    "_Bool",
    "_X",
    "_",
    "__",
    "___",
    // the launcher's own
    "stream",
    "grid_x",
    "grid_y",
    "grid_z",
    "grid_x_",
    "tkc_grid",
    "tkc_arguments",
    "tkc_0",
    "tkc_cdiv",
    "tkc_module",
    "tkc",
    "launch",
    "launch_grid",
    "load",
    "unload",
    "grid",
    "NUM_WARPS",
    "NUM_STAGES",
    "TKC_YIELD",
    "TKC_SHARED_SYMBOL",
    // what meets by composition, by a suffix, or by how letters are written out
    "a",
    "b",
    "B",
    "a_b",
    "b_B",
    "int_",
    "a_",
    "k",
    "k_launch",
    "k_launch_grid",
    "x",
    "n",
    "n_",
    "u__3b1_0",
    "u__",
    "xce",
    "\xce\xb1",
    "gr\xc3\xb6\xc3\x9f"
    "e",
    "\xce\xb1_",
    "_\xce\xb1",
    "\xe5\x8f\x98\xe6\x95\xb0",
    "INT",
    "MAX",
    "SIZE",
    "CUDA",
    "atomic",
};

enum { WORD_COUNT = sizeof words / sizeof words[0], KERNELS = 4, PARAMS = 7, CONSTANTS = 5 };

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

static void make_grid(struct arena *arena, struct reflect_kernel *kernel, unsigned grid[3]) {
    for (int axis = 0; axis < 3; axis++) {
        size_t i = below(PARAMS);
        grid[axis] = 1 + below(9);
        if (i < kernel->param_count && is_integer(&kernel->params[i])) {
            kernel->grid[axis] = arena_printf(arena, "tkc_cdiv(%s, %u)",
                                              artifact_c_name(arena, kernel->params[i].name), grid[axis]);
            grid[axis] = (value_of(kernel, i) + grid[axis] - 1) / grid[axis];
        } else {
            kernel->grid[axis] = arena_printf(arena, "%u", grid[axis]);
        }
    }
}

static struct reflect_kernel make_kernel(struct arena *arena, const struct reflect_kernel *before,
                                         size_t count) {
    static const char *const types[] = {"i32",  "i64",  "u8",  "i1", "fp32", "fp16",
                                        "bf16", "fp64", "u64", "i8", "u16"};
    static const char *const values[] = {"64",     "-3",      "True", "False", "0", "9223372036854775807",
                                         "'tf32'", "'a\r\\'", "None"};
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
    kernel.entries = ARENA_ARRAY(arena, struct reflect_entry, 1);
    *kernel.entries = (struct reflect_entry){.threads = 128};
    return kernel;
}

// ---- the program ----

static void write_arguments(struct strbuf *out, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        bool boolean = !param->pointer && strcmp(param->dtype, "i1") == 0;
        strbuf_printf(out, boolean ? ", true" : ", %u", value_of(kernel, i));
    }
}

static unsigned bytes_of(const struct reflect_param *param) {
    return param->pointer || strstr(param->dtype, "64") ? 8
           : strstr(param->dtype, "32")                 ? 4
           : strstr(param->dtype, "16")                 ? 2
                                                        : 1;
}

static void write_checks(struct strbuf *out, const struct reflect_kernel *kernel, const unsigned *grid) {
    strbuf_printf(out, "    SEEN_KERNEL(\"%s\", %uu, %uu, %uu);\n", kernel->name, grid[0], grid[1], grid[2]);
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
}

static void write_program(struct strbuf *out, unsigned set, const struct reflect_kernel *kernels,
                          size_t count, unsigned grids[KERNELS][3]) {
    static const unsigned given[3] = {3, 2, 5};
    strbuf_printf(out,
                  "#include \"everything.h\"\n#include \"h%u.h\"\n#include \"h%u.h\"\n#include "
                  "\"seen.h\"\nint main(void) {\n",
                  set, set);
    for (size_t k = 0; k < count; k++) {
        strbuf_printf(out, "    seen_count = %zu;\n    LAUNCHED(%s_launch_grid(NULL, 3u, 2u, 5u",
                      kernels[k].param_count, kernels[k].name);
        write_arguments(out, &kernels[k]);
        strbuf_add(out, "));\n");
        write_checks(out, &kernels[k], given);
        strbuf_printf(out, "    LAUNCHED(%s_launch(NULL", kernels[k].name);
        write_arguments(out, &kernels[k]);
        strbuf_add(out, "));\n");
        write_checks(out, &kernels[k], grids[k]);
        strbuf_printf(out, "    LAUNCHED(%s_load());\n    LAUNCHED(%s_unload());\n", kernels[k].name,
                      kernels[k].name);
    }
    strbuf_add(out, "    return seen_faults;\n}\n");
}

static void save(struct arena *arena, const char *folder, unsigned set, const char *suffix,
                 struct strbuf *text) {
    const char *path = arena_printf(arena, "%s/h%u.%s", folder, set, suffix);
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

// False when the set was refused, which must have been said.
static bool make_set(const char *folder, unsigned set) {
    struct arena *arena = arena_create();
    struct reflect_kernel kernels[KERNELS];
    unsigned grids[KERNELS][3];
    size_t count = 1 + below(KERNELS);
    for (size_t k = 0; k < count; k++) {
        kernels[k] = make_kernel(arena, kernels, k);
        make_grid(arena, &kernels[k], grids[k]);
    }
    struct reflect_target target = {.target = target_find("sm_80"),
                                    .kind = TKC_PTX,
                                    .bytes = SEEN_IMAGE,
                                    .length = sizeof SEEN_IMAGE - 1};
    struct reflection reflection = {"dir/\r\n#error.tk\\", kernels, count, &target, 1};
    struct strbuf text = {0}, said = {0};
    struct diag diag = {.sink = ignore, .sink_user = &said};
    bool made = header_write(arena, &reflection, "fuzzed", &text, &diag);
    if (made == (said.length > 0)) {
        fprintf(stderr, "set %u: %s\n", set, made ? strbuf_text(&said) : "refused without a word");
        exit(1);
    }
    if (made) {
        save(arena, folder, set, "h", &text);
        write_program(&text, set, kernels, count, grids);
        save(arena, folder, set, "inc", &text);
    }
    strbuf_free(&text);
    strbuf_free(&said);
    arena_destroy(arena);
    return made;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: fuzz_headers FOLDER SEED COUNT\n");
        return 2;
    }
    unsigned count = (unsigned)atoi(argv[3]), made = 0;
    state = strtoull(argv[2], NULL, 10);
    for (unsigned set = 0; set < count; set++) {
        made += make_set(argv[1], set);
    }
    printf("%u headers, %u sets refused\n", made, count - made);
    return made * 2 < count; // most sets must come through
}
