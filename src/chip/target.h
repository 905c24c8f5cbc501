// Chips: one row of targets.def each. All facts about a chip used by passes and lowering are fields here.
#ifndef TKC_CHIP_TARGET_H
#define TKC_CHIP_TARGET_H

#include <stdbool.h>
#include <stddef.h>

enum vendor { VENDOR_NVIDIA, VENDOR_AMD };

enum { MBARRIER_BYTES = 8 };           // of shared memory (PTX ISA, "mbarrier")
enum { LAUNCH_ANSWER_BYTES = 16 };     // of shared memory (PTX ISA, "clusterlaunchcontrol")
enum { TENSOR_WORD_BYTES = 4 };        // of shared memory: an address in tensor memory
enum { WGMMA_WARPS = 4 };              // of a warpgroup
enum { WGMMA_BLOCK_SUMS = 128 * 128 }; // of a block that keeps a multiprocessor's matrix units busy by itself
enum { TARGET_BLOCK_THREADS = 1024 };  // of a block at most, on every chip
enum { TARGET_MOST_STAGES = 16 };      // of a loop: the limit of num_stages

// Capabilities of a chip, named in rows of mma.def and in passes.
enum feature {
    FEATURE_NONE = 0,
    // NVIDIA
    FEATURE_MMA_SM75 = 1 << 0, // mma.sync m16n8k8 f16, m8n8k16 i8, ldmatrix
    FEATURE_MMA_SM80 = 1 << 1, // m16n8k16 f16/bf16, m16n8k8 tf32, m16n8k32 i8, m8n8k4 f64
    FEATURE_MMA_FP8 = 1 << 2,  // m16n8k32 e4m3/e5m2
    FEATURE_CP_ASYNC = 1 << 3, // cp.async groups
    FEATURE_BF16 = 1 << 4,     // bf16 arithmetic and conversions (sm_80)
    FEATURE_SM90 = 1 << 5, // plain sm_90: mbarrier, TMA, clusters, stmatrix, griddepcontrol, atom.add of bf16
    FEATURE_WGMMA = 1 << 6,   // sm_90a
    FEATURE_CVT_FP8 = 1 << 7, // cvt to and from e4m3x2/e5m2x2 (sm_89)
    // AMD
    FEATURE_MFMA_GFX90A = 1 << 8, // f64, bf16 by four
    FEATURE_MFMA_GFX942 = 1 << 9,
    FEATURE_WMMA_GFX11 = 1 << 10,
    FEATURE_WMMA_GFX12 = 1 << 11,
    FEATURE_FP8_FNUZ = 1 << 12, // the chip's f8 conversions are FNUZ
    FEATURE_FP8_OCP = 1 << 13,
    FEATURE_MFMA_I8_GFX908 = 1 << 14,   // the i8 forms replaced by gfx942's
    FEATURE_MFMA_GFX908 = 1 << 15,      // f16, f32
    FEATURE_MFMA_BF16_GFX908 = 1 << 16, // bf16 by two, replaced by gfx90a's
    FEATURE_DOT_GFX1030 = 1 << 17,      // adds two f16 products, or four i8 ones, to a thread's sum
    FEATURE_MFMA_XF32 = 1 << 18,        // of gfx942 alone
    FEATURE_MFMA_GFX950 = 1 << 19,      // f16 and bf16 by eight, i8 by 16, f8f6f4 by 32
    FEATURE_PERMLANE_SWAP = 1 << 22,    // v_permlane16_swap, v_permlane32_swap (gfx950)
    FEATURE_LDS_TRANSPOSE = 1 << 21,    // ds_read_b64_tr_b16, _b8 (gfx950)
    FEATURE_CVT_BF16_GFX950 = 1 << 20,  // v_cvt_pk_bf16_f32
    FEATURE_LDS_COPY = 1 << 23,         // buffer_load_dwordx4 … lds, global_load_lds_dwordx4 (gfx950)
    // NVIDIA, Blackwell
    FEATURE_TCGEN05 = 1 << 24,    // tensor memory and its products (sm_100a, sm_100f, …)
    FEATURE_TCGEN05_I8 = 1 << 25, // its products of bytes (sm_100a, sm_110a)
    FEATURE_SLOW_EXP2 = 1 << 27,  // its exponentials bound a softmax beside its products (sm_100a, sm_100f)
    FEATURE_F32X2 = 1 << 30,      // two f32 operations in one (of sm_110 and sm_120 ptxas makes two)
    FEATURE_MMA_SM120A = 1 << 26, // mma.sync of f8f6f4, and with block scales (sm_120a, sm_120f, sm_121a)
    FEATURE_LAUNCH_CONTROL =
        1 << 28,                 // clusterlaunchcontrol: a block takes the place of one that has not begun
    FEATURE_COPY_WARP = 1 << 29, // a warp that copies pays beside warps with mma.sync (sm_120 and its like)

    // The features of an architecture.
    FEATURES_TURING = FEATURE_MMA_SM75,
    FEATURES_AMPERE = FEATURES_TURING | FEATURE_MMA_SM80 | FEATURE_CP_ASYNC | FEATURE_BF16,
    FEATURES_ADA = FEATURES_AMPERE | FEATURE_MMA_FP8 | FEATURE_CVT_FP8,
    FEATURES_HOPPER = FEATURES_ADA | FEATURE_SM90,
    FEATURES_SM90A = FEATURES_HOPPER | FEATURE_WGMMA,
    FEATURES_SM100 = FEATURES_HOPPER | FEATURE_F32X2,
    FEATURES_SM100A = FEATURES_HOPPER | FEATURE_TCGEN05 | FEATURE_LAUNCH_CONTROL,
    FEATURES_SM120 = FEATURES_HOPPER | FEATURE_COPY_WARP | FEATURE_LAUNCH_CONTROL,
    FEATURES_SM120A = FEATURES_SM120 | FEATURE_MMA_SM120A,
    FEATURES_SETMAXNREG = FEATURE_WGMMA | FEATURE_TCGEN05 |
                          FEATURE_MMA_SM120A, // moves registers between warpgroups: any of these
    FEATURES_SWIZZLED = FEATURE_WGMMA | FEATURE_TCGEN05 |
                        FEATURE_COPY_WARP, // tensor copies to slots of operands: any of these
    FEATURES_CDNA1 = FEATURE_MFMA_GFX908 | FEATURE_MFMA_I8_GFX908 | FEATURE_MFMA_BF16_GFX908,
    FEATURES_CDNA2 = FEATURE_MFMA_GFX908 | FEATURE_MFMA_I8_GFX908 | FEATURE_MFMA_GFX90A,
    FEATURES_CDNA3 = FEATURE_MFMA_GFX908 | FEATURE_MFMA_GFX90A | FEATURE_MFMA_GFX942 | FEATURE_MFMA_XF32 |
                     FEATURE_FP8_FNUZ,
    FEATURES_CDNA4 = FEATURE_MFMA_GFX908 | FEATURE_MFMA_GFX90A | FEATURE_MFMA_GFX942 | FEATURE_MFMA_GFX950 |
                     FEATURE_FP8_OCP | FEATURE_CVT_BF16_GFX950 | FEATURE_LDS_TRANSPOSE |
                     FEATURE_PERMLANE_SWAP | FEATURE_LDS_COPY,
    FEATURES_RDNA3 = FEATURE_WMMA_GFX11,
    FEATURES_RDNA4 = FEATURE_WMMA_GFX12 | FEATURE_FP8_OCP,
};

struct target {
    const char *name; // "sm_80", "gfx942"
    enum vendor vendor;
    const char *triple;
    const char *cpu;      // LLVM's processor name
    const char *features; // LLVM's feature string
    const char *ptx;      // a chip unknown to LLVM: the PTX version for it ("8.6"); else NULL
    const char *data_layout;
    unsigned warp_size;     // lanes
    unsigned compute_units; // of a multiprocessor: a block runs on one, the numbers below count all
    unsigned shared_limit;  // bytes a block may use
    unsigned shared_per_sm; // bytes per multiprocessor or compute unit
    unsigned access_bytes;  // of global memory, that a thread loads or stores at once
    unsigned registers_per_thread;
    unsigned registers_per_sm; // 32-bit registers
    unsigned threads_per_sm;
    // For the occupancy (occupancy.c); what a multiprocessor has, counts all of its compute units.
    unsigned partitions;         // SIMDs, each with an equal part of the registers
    unsigned register_unit;      // a thread gets registers in multiples of it
    unsigned register_files;     // 2: accumulation registers are apart
    unsigned scalar_registers;   // of a partition, shared by its waves; 0: each wave has all that it can name
    unsigned blocks_per_sm;      // at most (AMD: with more than one wave)
    unsigned shared_unit;        // bytes: a block gets shared memory in multiples of it
    unsigned shared_of_system;   // bytes that each block takes beside its own
    unsigned compute_capability; // NVIDIA: 80; AMD: 0
    unsigned multiprocessors;    // of a card; 0: no order of programs measured (simplify/grouped_pid.c)
    unsigned has;                // enum feature bits
};

extern const struct target target_table[];
extern const size_t target_count;
const struct target *target_find(const char *name);  // NULL when unknown
const struct target *target_named(const char *name); // also "sm80", "h100" and the like (products.def)
bool target_product_at(size_t index, const char **name, const char **chip); // false past the end
const struct target *target_for_chip(const char *chip); // the chip's own row, else its family's, else NULL
// The reason for a chip withheld by this build of tkc but known to others; NULL: offered, or unknown to all
// builds.
const char *target_withheld(const char *name);
const struct target *target_for_capability(unsigned capability); // NVIDIA's best row for it; NULL without one
const struct target *target_native(void); // of this machine; NULL without a chip of the table
// Bytes of shared memory for each of `blocks` blocks on a multiprocessor, without the 1 KB that the system
// takes for each (CUDA Programming Guide, "Compute Capability 8.x" and "9.x").
unsigned target_shared_share(const struct target *target, unsigned blocks);
// NVIDIA: the chip with all instructions of which the target has those that later chips keep: sm_90a of sm_90; NULL: the target is no part.
const struct target *target_whole(const struct target *target);
bool target_never_run(const struct target *target);     // nobody has run tkc's code on such a card yet
const char *target_family(const struct target *target); // the chips of a generic target; NULL for others
// NVIDIA: the chips that run a target's code: its own alone, its family's later ones, or all later ones.
enum target_reach { REACH_LATER, REACH_OWN, REACH_FAMILY };
enum target_reach target_reach(const struct target *target); // by the name's end: sm_100, sm_100a, sm_100f
bool target_group_at(size_t index, const char **name, const char **chips); // "blackwell"; false past the end
const char *target_group(const char *name); // the names of a group's chips, by blanks; NULL when unknown
// The most warps of a block, as num_warps says them: a warp of 64 lanes has twice the threads.
static inline unsigned target_most_warps(const struct target *target) {
    return TARGET_BLOCK_THREADS / target->warp_size;
}
static inline bool target_has(const struct target *target, unsigned features) {
    return (target->has & features) == features;
}
// True if f32 becomes bf16 by an instruction.
static inline bool target_rounds_to_bf16(const struct target *target) {
    return target->has & (FEATURE_BF16 | FEATURE_CVT_BF16_GFX950);
}
// For AMD: true if the chip has matrix instructions, so that dots are short code.
static inline bool target_has_matrices(const struct target *target) {
    return target->has & (FEATURE_MFMA_GFX908 | FEATURE_MFMA_GFX90A | FEATURE_MFMA_GFX942 |
                          FEATURE_WMMA_GFX11 | FEATURE_WMMA_GFX12);
}

#endif
