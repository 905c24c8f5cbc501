// Writes launcher headers for hand-made reflections into a folder: cuda.h's, HIP's, one for both, one with tensor
// maps, and one with variants.
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

// A kernel with persistent code for sm_90a, and tensor maps for its arrays, the first for stores.
// The other chips' code takes only the source's arguments.
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
      .sizes = {{0, 1, 4, -1, 1}, {0, 1, 3, -1, 1}},
      .strides = {{0, 1, 5, -1, 1}},
      .box = {64, 128},
      .swizzle = 128,
      .is_written = 1}},
    {TKC_HIDDEN_TENSOR_MAP,
     {.pointer = 2,
      .element = 7,
      .element_bytes = 4,
      .rank = 3,
      .sizes = {{0, 32, -1, -1, 1}, {0, 1, 3, -1, 1}, {0, 2, 4, -1, 1}},
      .strides = {{0, 1, 6, -1, 1}, {32, 8, 4, -1, 11}},
      .box = {8, 256, 1},
      .swizzle = 32,
      .offset_count = 2,
      .offsets = {{8, 4, 6, -1, 1}, {0, -8, -1, -1, 1}}}},
    {TKC_HIDDEN_GRID_X, TKC_NO_TENSOR_MAP},
};

// Its second form's: of its own order, and fewer.
static const struct tkc_hidden paired_hidden[] = {
    {TKC_HIDDEN_GRID_X, TKC_NO_TENSOR_MAP},
    {TKC_HIDDEN_TENSOR_MAP,
     {.pointer = 1,
      .element = 6,
      .element_bytes = 2,
      .rank = 2,
      .sizes = {{0, 1, 4, -1, 1}, {0, 1, 3, -1, 1}},
      .strides = {{0, 1, 5, -1, 1}},
      .box = {64, 256},
      .swizzle = 128}},
};
static const struct reflect_form paired = {"gemm$paired",
                                           2,
                                           8,
                                           20,
                                           "tkc_add(tkc_id_0, tkc_floordiv(M_, 100))",
                                           {.threads = 640,
                                            .shared_bytes = 65536,
                                            .dynamic_shared_bytes = 65536,
                                            .producer_warps = 4,
                                            .dealing.persistent = 1,
                                            .hidden = paired_hidden,
                                            .hidden_count = 2}};

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
        images[i] = (struct reflect_image){i, 0, kernel_count, targets[i].bytes, targets[i].length, NULL, 0};
    }
    return (struct reflection){source, kernels, kernel_count, NULL, 0,    targets,       count,
                               images, count,   NULL,         0,    true, RUNTIME_LINKED};
}

static void write_tensor(struct arena *arena, const char *folder, const char *stem,
                         enum launcher_runtime runtime, struct reflect_target *targets, size_t count) {
    struct reflect_entry entries[4], plain[4];
    for (size_t i = 0; i < count; i++) {
        bool hopper = strcmp(targets[i].target->name, "sm_90a") == 0;
        entries[i] = (struct reflect_entry){.threads = hopper ? 384 : 256,
                                            .producer_warps = hopper ? 4 : 0,
                                            .dealing.persistent = hopper ? 2 : 0,
                                            .hidden = hopper ? gemm_hidden : NULL,
                                            .hidden_count = hopper ? 4 : 0,
                                            .paired = hopper ? &paired : NULL};
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
    reflection.runtime = runtime;
    struct strbuf text = {0};
    struct diag diag = {0};
    if (!header_write(arena, &reflection, stem, &text, &diag)) {
        exit(1);
    }
    save(arena_printf(arena, "%s/%s.h", folder, stem), &text);
}

static void write(struct arena *arena, const char *folder, const char *stem, struct reflect_target *targets,
                  size_t count) {
    struct reflect_entry add_entries[6], fill_entries[6];
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

// A kernel of three variants by the side of its tile. The largest is left out on sm_80 and gfx1100; PTX comes in an image a variant.
static struct reflect_param mm_params[] = {
    {.name = "a", .dtype = "fp16", .pointer = true, .divisible_by = 16},
    {.name = "c", .dtype = "fp32", .pointer = true},
    {.name = "M", .dtype = "i32", .is_key = true},
    {.name = "N", .dtype = "i64", .is_key = true, .divisible_by = 16},
    {.name = "K", .dtype = "i32"},
    {.name = "scale", .dtype = "fp16"},
    {.name = "count", .dtype = "i32", .pointer = true, .reset_to_zero = true},
    {.name = "sums", .dtype = "fp16", .pointer = true, .restore_value = true},
};
enum { TILES = 3 };
static const unsigned tiles[TILES] = {256, 64, 32};

static void write_variants(struct arena *arena, const char *folder, const char *stem,
                           enum launcher_runtime runtime, struct reflect_target *targets, size_t count) {
    struct reflect_kernel kernels[TILES + 1];
    struct reflect_image images[4 * (TILES + 1)];
    struct reflect_constant constants[TILES][2];
    size_t image_count = 0;
    for (size_t v = 0; v < TILES; v++) {
        unsigned tile = tiles[v];
        const char *text = arena_printf(arena, "%u", tile);
        constants[v][0] = (struct reflect_constant){"TILE", text, true};
        constants[v][1] = (struct reflect_constant){"EVEN", "True", true};
        struct reflect_entry *entries = ARENA_ARRAY(arena, struct reflect_entry, count);
        for (size_t i = 0; i < count; i++) {
            bool left_out = v == 0 && (strcmp(targets[i].target->name, "sm_80") == 0 ||
                                       strcmp(targets[i].target->name, "gfx1100") == 0);
            entries[i] = (struct reflect_entry){
                .threads = left_out ? 0 : 128,
                .shared_bytes = tile * 128,
                .dynamic_shared_bytes = tile * 128,
                .work = {.terms = {{4, 32, 32.0 * tile * tile, 128.0 * tile}, {-1, 1, 0, 4.0 * tile * tile}},
                         .count = 2,
                         .sums = 4 * tile * tile}};
        }
        kernels[v] = (struct reflect_kernel){
            .name = arena_printf(arena, "mm_TILE_%u", tile),
            .function = "mm",
            .params = mm_params,
            .param_count = sizeof mm_params / sizeof *mm_params,
            .constants = constants[v],
            .constant_count = 2,
            .config = (unsigned)v,
            .grid = {arena_printf(arena, "tkc_mul(tkc_cdiv(M_, %u), tkc_cdiv(N_, %u))", tile, tile)},
            .num_warps = 4,
            .num_stages = 3,
            .entries = entries};
    }
    struct reflect_entry *plain = ARENA_ARRAY(arena, struct reflect_entry, count);
    for (size_t i = 0; i < count; i++) {
        plain[i] = (struct reflect_entry){.threads = 32};
    }
    kernels[TILES] = (struct reflect_kernel){
        .name = "fill", .function = "fill", .num_warps = 1, .num_stages = 1, .entries = plain};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < TILES + 1 && targets[i].kind == TKC_PTX; k++) {
            const char *bytes =
                arena_printf(arena, "%s: %s", (const char *)targets[i].bytes, kernels[k].name);
            if (kernels[k].entries[i].threads) {
                images[image_count++] = (struct reflect_image){i, k, 1, bytes, strlen(bytes), NULL, 0};
            }
        }
        if (targets[i].kind != TKC_PTX) {
            images[image_count++] =
                (struct reflect_image){i, 0, TILES + 1, targets[i].bytes, targets[i].length, NULL, 0};
        }
    }
    struct reflect_choice choices[] = {{2, "Tuned before", {4096, 4096}, 7.5},
                                       {1, "Tuned before", {64, 64}, 1.25},
                                       {0, "Tuned elsewhere", {64, 64}, 1.5}};
    struct reflection reflection = {"dir/mm.tk", kernels,     TILES + 1, NULL, 0,    targets, count,
                                    images,      image_count, choices,   3,    true, runtime};
    struct strbuf text = {0};
    struct diag diag = {0};
    if (!header_write(arena, &reflection, stem, &text, &diag)) {
        exit(1);
    }
    save(arena_printf(arena, "%s/%s.h", folder, stem), &text);
}

// Two levels of hints, each with two variants: of the first, n divides by 16, one is 1 and x is aligned.
static void write_levels(struct arena *arena, const char *folder, const char *stem,
                         enum launcher_runtime runtime, struct reflect_target *targets, size_t count) {
    static const char *const names[] = {"lv_A_n_16", "lv_B_n_16", "lv_A_any", "lv_B_any"};
    struct reflect_kernel kernels[4];
    for (size_t v = 0; v < 4; v++) {
        bool special = v < 2;
        struct reflect_param *params = ARENA_ARRAY(arena, struct reflect_param, 3);
        params[0] = (struct reflect_param){
            .name = "x", .dtype = "fp32", .pointer = true, .divisible_by = special ? 16 : 0};
        params[1] = (struct reflect_param){
            .name = "n", .dtype = "i32", .is_key = true, .divisible_by = special ? 16 : 0};
        params[2] = (struct reflect_param){.name = "one", .dtype = "i64", .equals_one = special};
        struct reflect_entry *entries = ARENA_ARRAY(arena, struct reflect_entry, count);
        for (size_t i = 0; i < count; i++) {
            unsigned bytes = v % 2 ? 4096 : 1024; // B takes more work
            entries[i] =
                (struct reflect_entry){.threads = 64, .work = {.terms = {{-1, 1, 0, bytes}}, .count = 1}};
        }
        kernels[v] = (struct reflect_kernel){.name = names[v],
                                             .function = "lv",
                                             .params = params,
                                             .param_count = 3,
                                             .config = v % 2,
                                             .level = special ? 0 : 1,
                                             .grid = {"tkc_cdiv(n_, 64)"},
                                             .num_warps = 2,
                                             .num_stages = 3,
                                             .entries = entries};
    }
    struct reflection reflection = reflection_of(arena, "dir/lv.tk", kernels, 4, targets, count);
    for (size_t i = 0; i < count; i++) { // the images of this one lie beside it
        reflection.images[i].file = arena_printf(arena, "lv.%s", targets[i].target->name);
    }
    reflection.runtime = runtime;
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
    struct reflect_target cuda[] = {
        target("sm_80", TKC_PTX, "ptx for sm_80"),     target("sm_90a", TKC_PTX, "ptx for sm_90a"),
        target("sm_86", TKC_CUBIN, "cubin for sm_86"), target("sm_100f", TKC_PTX, "ptx for sm_100f"),
        target("sm_103", TKC_PTX, "ptx for sm_103"),   target("sm_103a", TKC_PTX, "ptx for sm_103a")};
    struct reflect_target hip[] = {target("gfx942", TKC_HSACO, "elf for gfx942"),
                                   target("gfx11-generic", TKC_HSACO, "elf for gfx11-generic"),
                                   target("gfx1100", TKC_HSACO, "elf for gfx1100")};
    struct reflect_target both[] = {cuda[0], hip[2]};
    write(arena, argv[1], "on_cuda", cuda, 6);
    write(arena, argv[1], "on_hip", hip, 3);
    write(arena, argv[1], "on-both", both, 2);
    struct reflect_target tensor[] = {cuda[0], hip[0], cuda[1]};
    write_tensor(arena, argv[1], "on_tensor", RUNTIME_LINKED, tensor, 3);
    write_tensor(arena, argv[1], "on_dynamic_tensor", RUNTIME_DYNAMIC, tensor, 3);
    struct reflect_target variants[] = {cuda[0], hip[0], cuda[1], hip[2]};
    write_variants(arena, argv[1], "on_variants", RUNTIME_LINKED, variants, 4);
    write_variants(arena, argv[1], "on_dynamic", RUNTIME_DYNAMIC, variants, 4);
    write_variants(arena, argv[1], "on_runtime", RUNTIME_CUDA_RUNTIME, variants, 4);
    write_levels(arena, argv[1], "on_levels", RUNTIME_LINKED, variants, 4);
    write_levels(arena, argv[1], "on_dynamic_levels", RUNTIME_DYNAMIC, variants, 4);
    arena_destroy(arena);
    return 0;
}
