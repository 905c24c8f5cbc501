#ifndef TKC_LAUNCHER_MAPS_7
#define TKC_LAUNCHER_MAPS_7

// ---- Hidden parameters, and the table of encoded tensor maps. No vendor's types.

// The hidden parameters of a kernel on one target.
struct tkc_extra {
    const struct tkc_hidden *hidden;
    unsigned hidden_count;
    // Of a kernel that may be a dependent launch: its loop of ceil(parameter / divisor) steps with as many multiply-adds each. Divisor 0: not known.
    int parameter;
    int64_t divisor;
    double products;
};

// True if a dependent launch may lose: blocks that begin early go where the launch ahead ends first, not evenly, and one half of the chip, with
// its part of the cache, may get two thirds of them. If blocks fill a multiprocessor each, so if the launch is long, when a begin of 0.7 us
// earlier is little; or if the length is not known and the last round leaves a quarter to three quarters of the multiprocessors empty.
static inline int tkc_begins_behind(const struct tkc_extra *extra, unsigned persistent,
                                    const unsigned grid[3], unsigned multiprocessors, const int64_t *values) {
    const double most = 40e6; // multiply-adds on a multiprocessor: some 15 us (H200)
    uint64_t programs = (uint64_t)grid[0] * grid[1] * grid[2], last;
    if (persistent != 1 || multiprocessors == 0) {
        return 0;
    }
    if (extra->divisor > 0) {
        int64_t value = values[extra->parameter], steps = value > 0 ? (value - 1) / extra->divisor + 1 : 0;
        return (double)((programs + multiprocessors - 1) / multiprocessors) * (double)steps *
                   extra->products >
               most;
    }
    last = programs % multiprocessors;
    return 4 * last > multiprocessors && 4 * last < 3 * (uint64_t)multiprocessors;
}

// Encoded tensor maps. All launchers of a program share this table, so a launch with known arguments encodes
// nothing. The key is the context, the address of the map's description, and the tensor's numbers
// (tkc_tensor_fill). A key has four slots; each is a sequence lock.
enum { TKC_MAP_WORDS = 16, TKC_MAP_KEY = 2 + 2 * TKC_TENSOR_RANK, TKC_MAP_SLOTS = 2048, TKC_MAP_WAYS = 4 };
struct tkc_map_slot {
    unsigned sequence;
    uint64_t key[TKC_MAP_KEY]; // [0] is the context; 0: the slot is free
    uint64_t map[TKC_MAP_WORDS];
};
#ifdef __cplusplus
extern "C" {
#endif
TKC_SHARED_SYMBOL extern struct tkc_map_slot tkc_map_slots_3[TKC_MAP_SLOTS];
struct tkc_map_slot tkc_map_slots_3[TKC_MAP_SLOTS];
#ifdef __cplusplus
}
#endif

// Fills in the key. Returns its number of words.
static inline unsigned tkc_map_key(unsigned long long context, const struct tkc_tensor_map *map,
                                   const struct tkc_tensor *tensor, uint64_t key[TKC_MAP_KEY]) {
    unsigned i, count = 3;
    key[0] = context;
    key[1] = (uint64_t)(uintptr_t)map;
    key[2] = tensor->address;
    for (i = 0; i < map->rank; i++) {
        key[count++] = tensor->sizes[i];
    }
    for (i = 0; i + 1 < map->rank; i++) {
        key[count++] = tensor->strides[i];
    }
    return count;
}

// The first of the key's four slots.
static inline struct tkc_map_slot *tkc_map_slot_of(const uint64_t *key, unsigned count) {
    uint64_t hash = 0;
    unsigned i;
    for (i = 0; i < count; i++) {
        hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return &tkc_map_slots_3[(hash >> 32) % (TKC_MAP_SLOTS / TKC_MAP_WAYS) * TKC_MAP_WAYS];
}

static inline int tkc_map_recall(struct tkc_map_slot *slot, const uint64_t *key, unsigned count,
                                 uint64_t *map) {
    unsigned i, before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    uint64_t differs = before & 1u;
    for (i = 0; i < count; i++) {
        differs |= __atomic_load_n(&slot->key[i], __ATOMIC_ACQUIRE) ^ key[i];
    }
    if (differs) {
        return 0;
    }
    for (i = 0; i < TKC_MAP_WORDS; i++) {
        map[i] = __atomic_load_n(&slot->map[i], __ATOMIC_ACQUIRE);
    }
    return __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before;
}

static inline void tkc_map_remember(struct tkc_map_slot *ways, const uint64_t *key, unsigned count,
                                    const uint64_t *map) {
    unsigned i, before;
    struct tkc_map_slot *slot =
        (struct tkc_map_slot *)tkc_take_slot(ways, sizeof *ways, TKC_MAP_WAYS, &before);
    if (!slot) {
        return;
    }
    for (i = 0; i < count; i++) {
        __atomic_store_n(&slot->key[i], key[i], __ATOMIC_RELEASE);
    }
    for (i = 0; i < TKC_MAP_WORDS; i++) {
        __atomic_store_n(&slot->map[i], map[i], __ATOMIC_RELEASE);
    }
    tkc_give_slot(slot, before);
}
#endif
