#ifndef TKC_LAUNCHER_COMMON_7
#define TKC_LAUNCHER_COMMON_7
// ---- Shared by all launchers: 16-bit floats, locks, slots, the description of a chip.

#include <stdio.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#define TKC_YIELD() ((void)sched_yield())
#else
#define TKC_YIELD() ((void)0)
#endif

// The bits of an IEEE half, rounded to nearest even.
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

// The bits of a bfloat16, rounded to nearest even.
static inline uint16_t tkc_bfloat_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return (uint16_t)(bits >> 16 | 0x40u);
    }
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// The rule broken by the last launch of this thread, for k_strerror. Kernel NULL: none.
struct tkc_broken_rule {
    const char *kernel, *rule;
    int64_t value;
    int kind; // of the value: 0 a number, 1 an address, 2 none
    char text[384];
};
static __thread struct tkc_broken_rule tkc_broken;

// Returns 0.
static inline int tkc_break_rule(const char *kernel, const char *rule, int64_t value, int kind) {
    tkc_broken.kernel = kernel;
    tkc_broken.rule = rule;
    tkc_broken.value = value;
    tkc_broken.kind = kind;
    return 0;
}

static inline void tkc_forget_rule(void) {
    tkc_broken.kernel = NULL;
}

// The broken rule of this kernel in words; `other` if there is none.
static inline const char *tkc_rule_text(const char *kernel, const char *other) {
    const struct tkc_broken_rule *rule = &tkc_broken;
    if (!rule->kernel || strcmp(rule->kernel, kernel) != 0) {
        return other;
    }
    if (rule->kind == 2) {
        snprintf(tkc_broken.text, sizeof tkc_broken.text, "%s: %s", kernel, rule->rule);
    } else if (rule->kind == 1) {
        snprintf(tkc_broken.text, sizeof tkc_broken.text, "%s: %s, and 0x%llx was given", kernel, rule->rule,
                 (unsigned long long)rule->value);
    } else {
        snprintf(tkc_broken.text, sizeof tkc_broken.text, "%s: %s, and %lld was given", kernel, rule->rule,
                 (long long)rule->value);
    }
    return tkc_broken.text;
}

// Copies a text, cut to the room that there is.
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

// Sequence locks. A slot begins with a number, which is odd while a thread writes the slot. A reader that
// sees an odd or a changed number has read nothing. A writer never waits: it gives up if another thread
// writes.
// Takes the slot with the smallest number of `count` slots (the one written least often; 0 if it never was).
// NULL: another thread writes it.
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

// The current device.
struct tkc_chip {
    char name[128];
    char arch[64];       // AMD: "gfx942"
    unsigned capability; // NVIDIA: 90
    unsigned multiprocessors;
    unsigned shared;  // bytes of shared memory a multiprocessor
    unsigned threads; // the most threads on a multiprocessor
};

// A kernel on one target: threads a block (0: the kernel does not fit), bytes of shared memory a block, and
// the bytes of it that the launch call must ask for.
struct tkc_entry {
    unsigned threads;
    unsigned shared;
    unsigned dynamic_shared;
    unsigned persistent; // blocks a multiprocessor, which share the programs; 0: one block a program
    unsigned cluster;    // blocks that run as one cluster; 0: each by itself
    unsigned fills;      // 1: a persistent kernel's blocks are no fewer for a grid of fewer programs
};

// A second form of a kernel on one target: another entry of the same image with the same grid and parameters, whose tiles are
// those of `together` programs.
struct tkc_form {
    const char *name; // of its entry; NULL: the kernel has one form
    struct tkc_entry entry;
    const struct tkc_hidden *hidden; // parameters behind the source's
    unsigned hidden_count;
    unsigned together, programs, least_steps;
    int64_t (*steps)(const int64_t *values, const int64_t id[3]); // of a program; below 0: not known
};

// A launch takes a second form if
//
//   it has `least` programs a multiprocessor;
//   the rounds in which multiprocessors do its tiles are full to 7/8 in all: a round takes as long if it has one tile;
//   the program in the middle of the grid has enough steps, which the caller looks at.
//
// Fills in that program's ids. 0: one of the first two does not hold.
static inline int tkc_form_asks(unsigned least, unsigned together, unsigned persistent,
                                const unsigned grid[3], unsigned multiprocessors, int64_t id[3]) {
    uint64_t programs = (uint64_t)grid[0] * grid[1],
             round = (uint64_t)together * persistent * multiprocessors;
    int i;
    for (i = 0; i < 3; i++) {
        id[i] = grid[i] / 2u;
    }
    if (programs > 0x7fffffffu || round == 0) { // more than a persistent kernel counts
        return 0;
    }
    programs *= grid[2];
    return programs >= (uint64_t)least * multiprocessors && programs <= 0x7fffffffu &&
           8u * programs >= 7u * ((programs + round - 1u) / round * round);
}
#endif
