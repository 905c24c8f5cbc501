// Writes launcher headers for hand-made reflections into a folder: cuda.h's, HIP's, one for both, and one with tensor
// maps.
//   make_headers FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "support/file.h"

static struct reflect_param add_params[] = {
    {.name = "x", .dtype = "fp32", .pointer = true, .divisible_by = 16},
    {.name = "stream", .dtype = "fp16", .pointer = true}, // a name the launcher uses itself
    {.name = "n", .dtype = "i32", .divisible_by = 16},
    {.name = "one", .dtype = "i64", .equals_one = true},
    {.name = "flag", .dtype = "i1"},
    {.name = "half", .dtype = "fp16"},
    {.name = "brain", .dtype = "bf16"},
    {.name = "double", .dtype = "fp64"}, // a keyword
    {.name = "linux", .dtype = "u8"},    // a macro
    {.name = "big", .dtype = "u64"},
};
static struct reflect_constant add_constants[] = {
    {"BLOCK", "64", true}, {"OFFSET", "-3", true}, {"EVEN", "True", true}, {"MODE", "'tf32'", false}};

// A kernel whose code for sm_90a is persistent and reaches its arrays through tensor maps; the other chips' code
// takes nothing more than its arguments.
static struct reflect_param gemm_params[] = {
    {.name = "scale", .dtype = "fp32"},
    {.name = "a", .dtype = "fp16", .pointer = true},
    {.name = "c", .dtype = "fp32", .pointer = true},
    {.name = "M", .dtype = "i32"},
    {.name = "K", .dtype = "i64"},
    {.name = "stride_am", .dtype = "i32"},
    {.name = "stride_cm", .dtype = "i64"},
};
static const struct tkc_hidden gemm_hidden[] = {
    {TKC_HIDDEN_GRID_Y, TKC_NO_TENSOR_MAP},
    {TKC_HIDDEN_TENSOR_MAP,
     {.pointer = 1,
      .element = 6,
      .element_bytes = 2,
      .rank = 2,
      .sizes = {{4, 1}, {3, 1}},
      .strides = {{5, 1}},
      .box = {64, 128},
      .swizzle = 128}},
    {TKC_HIDDEN_TENSOR_MAP,
     {.pointer = 2,
      .element = 7,
      .element_bytes = 4,
      .rank = 3,
      .sizes = {{-1, 32}, {3, 1}, {4, 2}},
      .strides = {{6, 1}, {-1, 64}},
      .box = {8, 256, 1},
      .swizzle = 32}},
    {TKC_HIDDEN_GRID_X, TKC_NO_TENSOR_MAP},
};

static void save(const char *path, struct strbuf *text) {
    if (!file_write_atomic(path, text->data, text->length)) {
        perror(path);
        exit(1);
    }
    strbuf_free(text);
}

// Each target's image holds all kernels.
static struct reflection reflection_of(struct arena *arena, const char *source,
                                       struct reflect_kernel *kernels, size_t kernel_count,
                                       struct reflect_target *targets, size_t count) {
    struct reflect_image *images = ARENA_ARRAY(arena, struct reflect_image, count);
    for (size_t i = 0; i < count; i++) {
        images[i] = (struct reflect_image){i, 0, kernel_count, targets[i].bytes, targets[i].length};
    }
    return (struct reflection){source, kernels, kernel_count, targets, count, images, count};
}

static void write_tensor(struct arena *arena, const char *folder, struct reflect_target *targets,
                         size_t count) {
    struct reflect_entry entries[4], plain[4];
    for (size_t i = 0; i < count; i++) {
        bool hopper = strcmp(targets[i].target->name, "sm_90a") == 0;
        entries[i] = (struct reflect_entry){.threads = hopper ? 384 : 256,
                                            .producer_warps = hopper ? 4 : 0,
                                            .persistent = hopper ? 2 : 0,
                                            .hidden = hopper ? gemm_hidden : NULL,
                                            .hidden_count = hopper ? 4 : 0};
        plain[i] = (struct reflect_entry){.threads = 32};
    }
    struct reflect_kernel kernels[] = {
        {.name = "gemm",
         .function = "gemm",
         .params = gemm_params,
         .param_count = sizeof gemm_params / sizeof gemm_params[0],
         .grid = {"tkc_cdiv(M_, 128)", "K_", NULL},
         .num_warps = 8,
         .num_stages = 4,
         .entries = entries},
        {.name = "fill", .function = "fill", .num_warps = 1, .num_stages = 1, .entries = plain},
    };
    struct reflection reflection = reflection_of(arena, "dir/gemm.tk", kernels, 2, targets, count);
    struct strbuf text = {0};
    struct diag diag = {0};
    if (!header_write(arena, &reflection, "on_tensor", &text, &diag)) {
        exit(1);
    }
    save(arena_printf(arena, "%s/on_tensor.h", folder), &text);
}

static void write(struct arena *arena, const char *folder, const char *stem, struct reflect_target *targets,
                  size_t count) {
    struct reflect_entry add_entries[4], fill_entries[4];
    for (size_t i = 0; i < count; i++) {
        unsigned warp = targets[i].target->warp_size;
        unsigned shared = 65536 + 16 * (unsigned)i;
        add_entries[i] = (struct reflect_entry){
            .threads = 4 * warp, .shared_bytes = shared, .dynamic_shared_bytes = shared};
        fill_entries[i] = (struct reflect_entry){.threads = warp};
    }
    struct reflect_kernel kernels[] = {
        {.name = "add",
         .function = "add",
         .params = add_params,
         .param_count = sizeof add_params / sizeof add_params[0],
         .constants = add_constants,
         .constant_count = sizeof add_constants / sizeof add_constants[0],
         .grid = {"tkc_cdiv(n_, 64)", "tkc_max(one_, tkc_min(big_, 7))", NULL},
         .num_warps = 4,
         .num_stages = 3,
         .entries = add_entries},
        {.name = "fill", .function = "fill", .num_warps = 1, .num_stages = 1, .entries = fill_entries},
    };
    struct reflection reflection = reflection_of(arena, "dir/kernels.tk", kernels, 2, targets, count);
    struct strbuf text = {0};
    struct diag diag = {0};
    if (!header_write(arena, &reflection, stem, &text, &diag)) {
        exit(1);
    }
    save(arena_printf(arena, "%s/%s.h", folder, stem), &text);
}

static struct reflect_target target(const char *name, enum tkc_kind kind, const char *bytes) {
    return (struct reflect_target){
        .target = target_find(name), .kind = kind, .bytes = bytes, .length = strlen(bytes)};
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_headers FOLDER\n");
        return 2;
    }
    struct arena *arena = arena_create();
    struct reflect_target cuda[] = {target("sm_80", TKC_PTX, "ptx for sm_80"),
                                    target("sm_90a", TKC_PTX, "ptx for sm_90a"),
                                    target("sm_86", TKC_CUBIN, "cubin for sm_86")};
    struct reflect_target hip[] = {target("gfx942", TKC_HSACO, "elf for gfx942"),
                                   target("gfx1100", TKC_HSACO, "elf for gfx1100")};
    struct reflect_target both[] = {cuda[0], hip[1]};
    write(arena, argv[1], "on_cuda", cuda, 3);
    write(arena, argv[1], "on_hip", hip, 2);
    write(arena, argv[1], "on-both", both, 2);
    struct reflect_target tensor[] = {cuda[0], hip[0], cuda[1]};
    write_tensor(arena, argv[1], tensor, 3);
    arena_destroy(arena);
    return 0;
}
