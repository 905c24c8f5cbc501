// A kernel in AMD's assembly, assembled, linked and run by the emulator: lane l finds in[4 l] … in[4 l + 3]
// in v[2:5], and leaves v[6:9] in out[4 l] …. s[4:5] and s[6:7] point to the two arrays, v1 is 16 l; the
// kernel has 4 KB of LDS. A kernel with scratch has its buffer in s[0:3] and the wave's offset in it in s7,
// moved to s12.
#ifndef TKC_TESTS_AMDGCN_HARNESS_H
#define TKC_TESTS_AMDGCN_HARNESS_H

#include "chip_testing.h"

#include <llvm-c/Core.h>

#include "artifact/artifact.h"
#include "codegen/llvmgen.h"
#include "emulator/emulator.h"

enum { GCN_WORDS = 1024 };

struct gcn_run {
    uint32_t in[GCN_WORDS], out[GCN_WORDS];
    unsigned threads, scratch; // scratch: bytes of a lane
    bool unlinked;             // run as the assembler leaves it
    bool preloaded;            // its descriptor asks for arguments in registers (gfx942)
    unsigned shared_bytes;     // LDS beside the kernel's own
    struct emulator_result result;
};

static inline bool gcn_wave64(const char *chip) {
    return !strncmp(chip, "gfx9", 4);
}

static inline void gcn_text(struct strbuf *out, const char *chip, const char *body, unsigned threads,
                            unsigned scratch, bool preloaded) {
    bool old = gcn_wave64(chip), newest = !strncmp(chip, "gfx12", 5);
    strbuf_printf(out,
                  ".text\n.globl kernel\n.p2align 8\n.type kernel,@function\nkernel:\n"
                  "%s"
                  "v_lshlrev_b32 v1, 4, v0\n"
                  "%s\n"
                  "global_load_dwordx4 v[2:5], v1, s[4:5]\n"
                  "%s\n%s\n"
                  "global_store_dwordx4 v1, v[6:9], s[6:7]\n"
                  "s_endpgm\n.Lend:\n.size kernel, .Lend-kernel\n",
                  scratch ? "s_mov_b32 s12, s7\ns_load_dwordx4 s[4:7], s[4:5], 0x0\n"
                          : "s_load_dwordx4 s[4:7], s[0:1], 0x0\n",
                  newest ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)",
                  newest ? "s_wait_loadcnt 0x0" : "s_waitcnt vmcnt(0)", body);
    strbuf_printf(
        out,
        ".rodata\n.p2align 6\n.amdhsa_kernel kernel\n"
        ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 96\n"
        ".amdhsa_next_free_sgpr 48\n.amdhsa_group_segment_fixed_size 4096\n"
        ".amdhsa_kernarg_size 16\n%s.amdhsa_private_segment_fixed_size %u\n%s%s.end_amdhsa_kernel\n",
        old && strcmp(chip, "gfx908") ? ".amdhsa_accum_offset 64\n" : "", scratch,
        preloaded ? ".amdhsa_user_sgpr_kernarg_preload_length 4\n" : "",
        scratch ? ".amdhsa_user_sgpr_private_segment_buffer 1\n"
                  ".amdhsa_system_sgpr_private_segment_wavefront_offset 1\n"
                : "");
    strbuf_printf(out,
                  ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--%s\n"
                  "amdhsa.kernels:\n  - .name: kernel\n    .symbol: kernel.kd\n"
                  "    .kernarg_segment_size: 16\n    .kernarg_segment_align: 8\n"
                  "    .group_segment_fixed_size: 4096\n    .private_segment_fixed_size: %u\n"
                  "    .max_flat_workgroup_size: %u\n    .wavefront_size: %d\n"
                  "    .sgpr_count: 48\n    .vgpr_count: 96\n    .args:\n"
                  "      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}\n"
                  "      - {.address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer}\n"
                  "...\n.end_amdgpu_metadata\n",
                  chip, scratch, threads, old ? 64 : 32);
}

static inline struct emulator *gcn_assemble(const char *chip, const char *body, unsigned threads,
                                            unsigned scratch, bool unlinked, bool preloaded, char **error) {
    need_chip(chip);
    struct strbuf text = {0}, object = {0}, image = {0};
    struct arena *arena = arena_create();
    struct diag diag = {0};
    const char *tool;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("kernel", context);
    LLVMSetTarget(module, "amdgcn-amd-amdhsa");
    gcn_text(&text, chip, body, threads, scratch, preloaded);
    LLVMSetModuleInlineAsm2(module, text.data, text.length);
    assert_true(llvmgen_emit(module, target_find(chip), LLVMGEN_OBJECT, NULL, &object, &diag));
    assert_true(unlinked || hsaco_link(arena, &object, 1, NULL, &image, &tool, &diag));
    const struct strbuf *code = unlinked ? &object : &image;
    struct emulator_options options = {.chip = chip, .workers = 1, .timeout_seconds = 20};
    struct emulator *emulator = emulator_create_object(code->data, code->length, &options, error);
    strbuf_free(&text);
    strbuf_free(&object);
    strbuf_free(&image);
    arena_destroy(arena);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return emulator;
}

// The caller sets run->in and run->threads; prints faults only.
static inline bool gcn_run(struct gcn_run *run, const char *chip, const char *body) {
    char *error = NULL;
    struct emulator *emulator =
        gcn_assemble(chip, body, run->threads, run->scratch, run->unlinked, run->preloaded, &error);
    if (!emulator) {
        fail_msg("%s", error);
    }
    struct emulator_buffer in = {.name = "in", .data = run->in, .size = sizeof run->in, .element_bits = 32},
                           out = {
                               .name = "out", .data = run->out, .size = sizeof run->out, .element_bits = 32};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &in}, {.name = "out", .buffer = &out}};
    struct emulator_launch launch = {.kernel = "kernel",
                                     .arguments = arguments,
                                     .argument_count = 2,
                                     .grid = {1, 1, 1},
                                     .shared_bytes = run->shared_bytes};
    memset(run->out, 0xee, sizeof run->out);
    bool clean = emulator_run(emulator, &launch, &run->result);
    emulator_destroy(emulator);
    return clean;
}

// Pseudo-random words.
static inline uint32_t gcn_hash(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

#endif
