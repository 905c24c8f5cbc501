// The chip table.
#include "chip/target.h"

#include <string.h>

#include "chip/llvm.h"

#define NVIDIA_TRIPLE "nvptx64-nvidia-cuda"
#define AMD_TRIPLE "amdgcn-amd-amdhsa"
// LLVM's own layouts of the two targets (NVPTXTargetMachine.cpp and AMDGPUTargetMachine.cpp of LLVM 19, TargetDataLayout.cpp of
// LLVM 22); LLVM refuses any other.
#if LLVM_AT_LEAST(22)
#define NVIDIA_DATA_LAYOUT                                                                                   \
    "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
#define AMD_ELF_NAMES "m:e-"
#define AMD_BUFFER_POINTERS "p8:128:128:128:48-"
#else
#define NVIDIA_DATA_LAYOUT "e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
#define AMD_ELF_NAMES ""
#define AMD_BUFFER_POINTERS "p8:128:128-"
#endif
#define AMD_DATA_LAYOUT                                                                                      \
    "e-" AMD_ELF_NAMES                                                                                       \
    "p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-" AMD_BUFFER_POINTERS   \
    "p9:192:256:256:32-"                                                                                     \
    "i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-"    \
    "S32-A5-G1-"                                                                                             \
    "ni:7:8:9"

// LLVM 19's performAddCombine selects v_dot4 for a product of bytes and *any* operation on another such
// product, as if the operation were an addition: it drops the xor of a * b + (c * d ^ n), and the exchange of
// a sum over lanes. Only on chips with v_dot4_u32_u8; tkc never uses it, so the feature is off.
#define AMD_FEATURES "-dot7-insts," AMD_WHOLE_REGISTERS ","

// Fields common to the chips of a family.
enum { KIB = 1024 };
#define NVIDIA_OF(llvm_features, bytes)                                                                      \
    .vendor = VENDOR_NVIDIA, .triple = NVIDIA_TRIPLE, .data_layout = NVIDIA_DATA_LAYOUT,                     \
    .features = llvm_features, .warp_size = 32, .compute_units = 1, .registers_per_thread = 255,             \
    .registers_per_sm = 64 * KIB, .partitions = 4, .register_unit = 8, .register_files = 1,                  \
    .access_bytes = (bytes)
#define NVIDIA(llvm_features) NVIDIA_OF(llvm_features, 16)
#define BLACKWELL NVIDIA_OF("+ptx84", 32)
#define AMD                                                                                                  \
    .vendor = VENDOR_AMD, .triple = AMD_TRIPLE, .data_layout = AMD_DATA_LAYOUT, .partitions = 4,             \
    .shared_unit = 512, .access_bytes = 16
// Compute units with waves of 64 lanes.
#define WAVE_64_OF(shared)                                                                                   \
    AMD, .generation = GENERATION_GFX9, .features = AMD_FEATURES, .warp_size = 64, .compute_units = 1,       \
         .shared_limit = (shared), .shared_per_sm = (shared), .scalar_registers = 800, .blocks_per_sm = 16
#define WAVE_64 WAVE_64_OF(64 * KIB)
// With MFMA a thread addresses 256 vector and 256 accumulation registers.
#define MFMA_REGISTERS .registers_per_thread = 512, .registers_per_sm = 128 * KIB
#define CDNA WAVE_64, MFMA_REGISTERS
#define CDNA4 WAVE_64_OF(160 * KIB), MFMA_REGISTERS
// Numbers per multiprocessor count two compute units; a block runs on one of them.
#define RDNA(gfx)                                                                                            \
    AMD, .generation = GENERATION_##gfx, .features = AMD_FEATURES "+cumode", .warp_size = 32,                \
         .compute_units = 2, .shared_limit = 64 * KIB, .shared_per_sm = 128 * KIB,                           \
         .registers_per_thread = 256, .threads_per_sm = 2048, .register_files = 1, .blocks_per_sm = 32
// Waves of 32 lanes, and one compute unit to each group of SIMDs (LLVM 22's AMDGPUBaseInfo.cpp: sizes; blocks as RDNA's, inferred).
#define GFX1250                                                                                              \
    AMD, .generation = GENERATION_GFX1250, .features = AMD_FEATURES, .warp_size = 32, .compute_units = 1,    \
         .shared_limit = 320 * KIB, .shared_per_sm = 320 * KIB, .registers_per_thread = 256,                 \
         .threads_per_sm = 2048, .register_files = 1, .blocks_per_sm = 32
// Shared memory of NVIDIA's chips: from sm_80 on each block takes 1 KB for the system.
#define SHARED_BLOCKS(count) .blocks_per_sm = count, .shared_unit = 128, .shared_of_system = KIB

#define FAMILY(name, chips)
#define WITHHELD(name, reason)
#define TARGET(name_, ...) {.name = name_, .cpu = name_, __VA_ARGS__},
#define NEW_TARGET(name_, cpu_, ptx_, ...) {.name = name_, .cpu = cpu_, .ptx = ptx_, __VA_ARGS__},
const struct target target_table[] = {
#include "chip/targets.def"
};
#undef NEW_TARGET
#undef TARGET
#undef FAMILY
#undef WITHHELD
#undef RDNA
#undef GFX1250
#undef SHARED_BLOCKS
#undef CDNA4
#undef CDNA
#undef MFMA_REGISTERS
#undef WAVE_64
#undef WAVE_64_OF
#undef AMD
#undef BLACKWELL
#undef NVIDIA
#undef NVIDIA_OF

const size_t target_count = sizeof target_table / sizeof *target_table;

const struct target *target_find(const char *name) {
    for (size_t i = 0; i < target_count; i++) {
        if (strcmp(target_table[i].name, name) == 0) {
            return &target_table[i];
        }
    }
    return NULL;
}

unsigned target_shared_share(const struct target *target, unsigned blocks) {
    enum { OF_EACH_BLOCK = 1024 };
    return target->shared_per_sm / blocks - OF_EACH_BLOCK;
}

enum target_reach target_reach(const struct target *target) {
    char last = target->name[strlen(target->name) - 1];
    return target->vendor == VENDOR_AMD || last == 'a' ? REACH_OWN : last == 'f' ? REACH_FAMILY : REACH_LATER;
}

const struct target *target_whole(const struct target *target) {
    size_t length = strlen(target->name);
    for (size_t i = 0; i < target_count; i++) {
        const char *name = target_table[i].name;
        if (target->vendor == VENDOR_NVIDIA && strlen(name) == length + 1 && name[length] == 'a' &&
            memcmp(name, target->name, length) == 0) {
            return &target_table[i];
        }
    }
    return NULL;
}

static const struct {
    const char *name, *chips;
} families[] = {
#define TARGET(...)
#define NEW_TARGET(...)
#define FAMILY(name, chips) {name, chips},
#define WITHHELD(name, reason)
#include "chip/targets.def"
#undef WITHHELD
#undef FAMILY
#undef NEW_TARGET
#undef TARGET
};

static bool lists(const char *chips, const char *chip) {
    size_t length = strlen(chip);
    for (const char *at = chips; length && (at = strstr(at, chip)); at += length) {
        if ((at == chips || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

const char *target_withheld(const char *name) {
    static const struct {
        const char *name, *reason;
    } rows[] = {
#define TARGET(...)
#define NEW_TARGET(...)
#define FAMILY(name, chips)
#define WITHHELD(name, reason) {name, reason},
#include "chip/targets.def"
#undef WITHHELD
#undef FAMILY
#undef NEW_TARGET
#undef TARGET
        {NULL, NULL},
    };
    for (size_t i = 0; rows[i].name; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i].reason;
        }
    }
    return NULL;
}

const char *target_family(const struct target *target) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(families[i].name, target->name) == 0) {
            return families[i].chips;
        }
    }
    return NULL;
}

const struct target *target_for_chip(const char *chip) {
    const struct target *own = target_find(chip);
    for (size_t i = 0; !own && i < sizeof families / sizeof *families; i++) {
        if (lists(families[i].chips, chip)) {
            own = target_find(families[i].name);
        }
    }
    return own;
}
