#ifndef TKC_LAUNCHER_COMMON_4
#define TKC_LAUNCHER_COMMON_4
// ---- What every launcher shares: 16-bit floats, locks.

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#define TKC_YIELD() ((void)sched_yield())
#else
#define TKC_YIELD() ((void)0)
#endif

// float to the bits of an IEEE half, rounded to nearest even.
static inline uint16_t tkc_half_bits(float value) {
    uint32_t bits, sign, magnitude, result;
    memcpy(&bits, &value, sizeof bits);
    sign = bits >> 16 & 0x8000u;
    magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        result = 0x7e00u;
    } else if (magnitude >= 0x477ff000u) {
        result = 0x7c00u;
    } else if (magnitude >= 0x38800000u) {
        result = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    } else if (magnitude <= 0x33000000u) {
        result = 0;
    } else {
        uint32_t shift = 126u - (magnitude >> 23);
        uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        uint32_t rest = mantissa & ((1u << shift) - 1u), half = 1u << (shift - 1u);
        result = mantissa >> shift;
        result += rest > half || (rest == half && (result & 1u));
    }
    return (uint16_t)(sign | result);
}

// float to the bits of a bfloat16, rounded to nearest even.
static inline uint16_t tkc_bfloat_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return (uint16_t)(bits >> 16 | 0x40u);
    }
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// As much of a text as there is room for.
static inline void tkc_copy_text(char *to, size_t room, const char *text, size_t length) {
    length = length < room ? length : room - 1u;
    memcpy(to, text, length);
    to[length] = 0;
}

static inline void tkc_lock(char *lock) {
    while (__atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) {
        TKC_YIELD();
    }
}

static inline void tkc_unlock(char *lock) {
    __atomic_clear(lock, __ATOMIC_RELEASE);
}

// Slots that are written while others read them begin with a sequence, which is odd meanwhile. Nobody waits: who cannot write a
// slot leaves it. Takes that of `count` slots which was written least often, as a free one was. NULL: somebody writes it.
static inline void *tkc_take_slot(void *slots, size_t size, unsigned count, unsigned *before) {
    unsigned *oldest = (unsigned *)slots, i;
    *before = __atomic_load_n(oldest, __ATOMIC_RELAXED);
    for (i = 1; i < count; i++) {
        unsigned *slot = (unsigned *)(void *)((char *)slots + i * size);
        unsigned sequence = __atomic_load_n(slot, __ATOMIC_RELAXED);
        oldest = sequence < *before ? slot : oldest;
        *before = sequence < *before ? sequence : *before;
    }
    return !(*before & 1u) && __atomic_compare_exchange_n(oldest, before, *before + 1u, 0, __ATOMIC_ACQUIRE,
                                                          __ATOMIC_RELAXED)
               ? (void *)oldest
               : NULL;
}

static inline void tkc_give_slot(void *slot, unsigned before) {
    __atomic_store_n((unsigned *)slot, before + 2u, __ATOMIC_RELEASE);
}

// What a device has, as far as launches ask.
struct tkc_chip {
    char name[128];
    char arch[64];       // of AMD's: "gfx942"
    unsigned capability; // of NVIDIA's: 90
    unsigned multiprocessors;
    unsigned shared;  // bytes of shared memory of a multiprocessor
    unsigned threads; // that a multiprocessor holds at once
};

// A kernel on one target: threads of a block (0: it does not fit), bytes of shared memory in all, and those the launch call gives.
struct tkc_entry {
    unsigned threads;
    unsigned shared;
    unsigned dynamic_shared;
    unsigned persistent; // blocks a multiprocessor that share the grid's programs; 0: a block a program
};
#endif
