// Threads that a multiprocessor can hold at once, in percent of its most, as far as registers, threads and static shared
// memory limit them (CUDA C++ Programming Guide, "Hardware Multithreading"; LLVM's AMDGPU usage guide, "Occupancy").
#include "chip/target.h"
#include "diff.h"

static long long round_up(long long value, long long unit) {
    return (value + unit - 1) / unit * unit;
}

long long metrics_occupancy(const char *chip, const long long *metrics) {
    enum { NVIDIA_UNIT = 256, AMD_UNIT = 8, SYSTEM_SHARED = 1024 };
    const struct target *target = target_find(chip);
    long long registers = metrics[METRIC_REGISTERS], shared = metrics[METRIC_SHARED],
              threads = metrics[METRIC_THREADS];
    if (!target || registers <= 0 || threads <= 0 || shared == UNKNOWN) {
        return UNKNOWN;
    }
    bool nvidia = target->vendor == VENDOR_NVIDIA;
    long long warps = (threads + target->warp_size - 1) / target->warp_size;
    long long of_warp = nvidia ? round_up(registers * target->warp_size, NVIDIA_UNIT)
                               : round_up(registers, AMD_UNIT) * target->warp_size;
    long long blocks = target->registers_per_sm / of_warp / warps;
    long long by_threads = target->threads_per_sm / (warps * target->warp_size);
    blocks = blocks < by_threads ? blocks : by_threads;
    if (shared) {
        long long by_shared = target->shared_per_sm / (shared + (nvidia ? SYSTEM_SHARED : 0));
        blocks = blocks < by_shared ? blocks : by_shared;
    }
    return 100 * blocks * warps * target->warp_size / target->threads_per_sm;
}
