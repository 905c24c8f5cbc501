// Writes launcher headers for hand-made reflections into a folder: cuda.h's, HIP's, and one for both.
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

static void write(struct arena *arena, const char *folder, const char *stem, struct reflect_target *targets,
                  size_t count) {
    struct reflect_entry add_entries[4], fill_entries[4];
    for (size_t i = 0; i < count; i++) {
        unsigned warp = targets[i].target->warp_size;
        add_entries[i] = (struct reflect_entry){4 * warp, 65536 + 16 * (unsigned)i, 65536 + 16 * (unsigned)i};
        fill_entries[i] = (struct reflect_entry){warp, 0, 0};
    }
    struct reflect_kernel kernels[] = {
        {.name = "add",
         .function = "add",
         .params = add_params,
         .param_count = sizeof add_params / sizeof add_params[0],
         .constants = add_constants,
         .constant_count = sizeof add_constants / sizeof add_constants[0],
         .grid = {"tkc_cdiv(n, 64)", "tkc_max(one, tkc_min(big, 7))", NULL},
         .num_warps = 4,
         .num_stages = 3,
         .entries = add_entries},
        {.name = "fill", .function = "fill", .num_warps = 1, .num_stages = 1, .entries = fill_entries},
    };
    struct reflection reflection = {"dir/kernels.tk", kernels, 2, targets, count};
    struct strbuf text = {0};
    struct diag diag = {0};
    if (!header_write(arena, &reflection, stem, &text, &diag)) {
        exit(1);
    }
    if (!file_write_atomic(arena_printf(arena, "%s/%s.h", folder, stem), text.data, text.length)) {
        perror(folder);
        exit(1);
    }
    strbuf_free(&text);
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
    arena_destroy(arena);
    return 0;
}
