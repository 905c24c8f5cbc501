// Chips: one row of targets.def each. All facts about a chip used by passes and lowering are fields here.
#ifndef TKC_CHIP_TARGET_H
#define TKC_CHIP_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vendor { VENDOR_NVIDIA, VENDOR_AMD };

enum { MBARRIER_BYTES = 8 };           // of shared memory (PTX ISA, "mbarrier")
enum { LAUNCH_ANSWER_BYTES = 16 };     // of shared memory (PTX ISA, "clusterlaunchcontrol")
enum { LAUNCH_TAKEN_BYTES = 8 };       // of an answer of the launch's counter
enum { TENSOR_WORD_BYTES = 4 };        // of shared memory: an address in tensor memory
enum { WGMMA_WARPS = 4 };              // of a warpgroup
enum { WGMMA_BLOCK_SUMS = 128 * 128 }; // of a block: they keep a multiprocessor's matrix units busy
enum { TARGET_BLOCK_THREADS = 1024 };  // of a block at most, on every chip
enum { TARGET_MOST_STAGES = 16 };      // of a loop: the limit of num_stages

// Capabilities of a chip (features.def), named in rows of mma.def and in passes. A set of them is a uint64_t with a bit for each.
enum feature_bit {
#define FEATURE_ROW(name, vendor, what) FEATURE_BIT_##name,
#include "chip/features.def"
#undef FEATURE_ROW
    FEATURE_BITS
};
_Static_assert(FEATURE_BITS <= 64, "a set of features is a uint64_t");
#define FEATURE(name) (UINT64_C(1) << FEATURE_BIT_##name)

// The features of an architecture.
#define FEATURES_NONE UINT64_C(0)
#define FEATURES_TURING FEATURE(MMA_SM75)
#define FEATURES_AMPERE (FEATURES_TURING | FEATURE(MMA_SM80) | FEATURE(CP_ASYNC) | FEATURE(BF16))
#define FEATURES_ADA (FEATURES_AMPERE | FEATURE(MMA_FP8) | FEATURE(CVT_FP8))
#define FEATURES_HOPPER (FEATURES_ADA | FEATURE(SM90))
#define FEATURES_SM90A (FEATURES_HOPPER | FEATURE(WGMMA) | FEATURE(WARP_SLICES))
#define FEATURES_SM100 (FEATURES_HOPPER | FEATURE(F32X2))
#define FEATURES_SM100A (FEATURES_HOPPER | FEATURE(TCGEN05) | FEATURE(LAUNCH_CONTROL))
#define FEATURES_SM120 (FEATURES_HOPPER | FEATURE(COPY_WARP) | FEATURE(LAUNCH_CONTROL) | FEATURE(OWN_COPIES))
#define FEATURES_SM120A (FEATURES_SM120 | FEATURE(MMA_SM120A))
#define FEATURES_CDNA1 (FEATURE(MFMA_GFX908) | FEATURE(MFMA_I8_GFX908) | FEATURE(MFMA_BF16_GFX908))
#define FEATURES_CDNA2 (FEATURE(MFMA_GFX908) | FEATURE(MFMA_I8_GFX908) | FEATURE(MFMA_GFX90A))
#define FEATURES_CDNA3                                                                                       \
    (FEATURE(MFMA_GFX908) | FEATURE(MFMA_GFX90A) | FEATURE(MFMA_GFX942) | FEATURE(MFMA_XF32) |               \
     FEATURE(FP8_FNUZ))
#define FEATURES_CDNA4                                                                                       \
    (FEATURE(MFMA_GFX908) | FEATURE(MFMA_GFX90A) | FEATURE(MFMA_GFX942) | FEATURE(MFMA_GFX950) |             \
     FEATURE(FP8_OCP) | FEATURE(CVT_BF16_GFX950) | FEATURE(LDS_TRANSPOSE) | FEATURE(PERMLANE_SWAP) |         \
     FEATURE(LDS_COPY))
#define FEATURES_RDNA3 FEATURE(WMMA_GFX11)
#define FEATURES_RDNA4 (FEATURE(WMMA_GFX12) | FEATURE(FP8_OCP) | FEATURE(WAITS_GFX12))
#define FEATURES_GFX1250                                                                                     \
    (FEATURE(WMMA_GFX1250) | FEATURE(FP8_OCP) | FEATURE(WAITS_GFX12) | FEATURE(SIGNED_OFFSETS))
// Any of these: products with operands in swizzled shared memory.
#define FEATURES_SHARED_PRODUCTS (FEATURE(WGMMA) | FEATURE(TCGEN05))
// Any of these: registers move between warpgroups (setmaxnreg).
#define FEATURES_SETMAXNREG (FEATURES_SHARED_PRODUCTS | FEATURE(MMA_SM120A))
// Any of these: WMMA.
#define FEATURES_WMMA (FEATURE(WMMA_GFX11) | FEATURE(WMMA_GFX12) | FEATURE(WMMA_GFX1250))
// Any of these: tensor copies to slots of operands.
#define FEATURES_SWIZZLED (FEATURES_SHARED_PRODUCTS | FEATURE(COPY_WARP))

// The instruction set of an AMD chip, as far as names, waits and hazards of instructions differ.
enum amd_generation {
    GENERATION_NONE, // NVIDIA
    GENERATION_GFX9,
    GENERATION_GFX10,
    GENERATION_GFX11,
    GENERATION_GFX12,
    GENERATION_GFX1250
};

struct target {
    const char *name; // "sm_80", "gfx942"
    enum vendor vendor;
    const char *triple;
    const char *cpu;      // LLVM's processor name
    const char *features; // LLVM's feature string
    const char *ptx;      // a chip unknown to LLVM: the PTX version for it ("8.6"); else NULL
    const char *data_layout;
    enum amd_generation generation;
    unsigned warp_size;     // lanes
    unsigned compute_units; // of a multiprocessor: a block runs on one, the numbers below count all
    unsigned shared_limit;  // bytes a block may use
    unsigned shared_per_sm; // bytes per multiprocessor or compute unit
    unsigned access_bytes;  // of global memory, in one load or store of a thread
    unsigned registers_per_thread;
    unsigned registers_per_sm; // 32-bit registers
    unsigned threads_per_sm;
    // For the occupancy (occupancy.c); a multiprocessor's numbers count all of its compute units.
    unsigned partitions;         // SIMDs, each with an equal part of the registers
    unsigned register_unit;      // a thread gets registers in multiples of it
    unsigned register_files;     // 2: accumulation registers are apart
    unsigned scalar_registers;   // of a partition, shared by its waves; 0: each wave has all that it can name
    unsigned blocks_per_sm;      // at most (AMD: with more than one wave)
    unsigned shared_unit;        // bytes: a block gets shared memory in multiples of it
    unsigned shared_of_system;   // bytes of each block beside its own
    unsigned compute_capability; // NVIDIA: 80; AMD: 0
    unsigned multiprocessors;    // of a card; 0: no order of programs measured (simplify/grouped_pid.c)
    uint64_t has;                // a set of features
    bool has_run;                // tkc's code, on such a card
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
const char *target_family(const struct target *target); // the chips of a generic target; NULL for others
// NVIDIA: the chips for a target's code: its own alone, its family's later ones, or all later ones.
enum target_reach { REACH_LATER, REACH_OWN, REACH_FAMILY };
enum target_reach target_reach(const struct target *target); // by the name's end: sm_100, sm_100a, sm_100f
bool target_group_at(size_t index, const char **name, const char **chips); // "blackwell"; false past the end
const char *target_group(const char *name); // the names of a group's chips, by blanks; NULL when unknown
// The most warps of a block, as num_warps says them: a warp of 64 lanes has twice the threads.
static inline unsigned target_most_warps(const struct target *target) {
    return TARGET_BLOCK_THREADS / target->warp_size;
}
static inline bool target_has(const struct target *target, uint64_t features) {
    return (target->has & features) == features;
}
// True if f32 becomes bf16 by an instruction.
static inline bool target_rounds_to_bf16(const struct target *target) {
    return target->has & (FEATURE(BF16) | FEATURE(CVT_BF16_GFX950));
}
// For AMD: true if the chip has matrix instructions: dots are short code then.
static inline bool target_has_matrices(const struct target *target) {
    return target->has & (FEATURE(MFMA_GFX908) | FEATURE(MFMA_GFX90A) | FEATURE(MFMA_GFX942) | FEATURES_WMMA);
}

#endif
