#ifndef TKC_LAUNCHER_TENSOR_2
#define TKC_LAUNCHER_TENSOR_2

// ---- Hidden parameters: what a compiled kernel takes behind the parameters of its source, and how its value
// comes from theirs. No vendor's types, so tools that launch without a header use this file too.

enum { TKC_TENSOR_RANK = 5, TKC_TENSOR_MAPS = 16 }; // dimensions of a map, maps of a kernel

// What stands in for empty tensors: 16 bytes of zeros that are read, and behind them 16 that are written, which nobody reads.
enum { TKC_EMPTY_READ = 0, TKC_EMPTY_WRITTEN = 16, TKC_EMPTY_BYTES = 32 };

enum { TKC_HIDDEN_GRID_X, TKC_HIDDEN_GRID_Y, TKC_HIDDEN_GRID_Z, TKC_HIDDEN_TENSOR_MAP };

// The value of a parameter of the source times a factor; parameter -1: the factor alone.
struct tkc_term {
    int parameter;
    int64_t factor;
};

// A box of a strided tensor in global memory, as TMA copies it. Dimensions count from the innermost one, whose
// stride is 1.
struct tkc_tensor_map {
    unsigned pointer; // the parameter that holds the tensor's address
    int element;      // CUtensorMapDataType
    unsigned element_bytes;
    unsigned rank;
    struct tkc_term sizes[TKC_TENSOR_RANK];       // elements
    struct tkc_term strides[TKC_TENSOR_RANK - 1]; // of dimensions 1 and up, in elements
    uint32_t box[TKC_TENSOR_RANK];                // elements
    unsigned swizzle;                             // bytes: 0, 32, 64 or 128
    unsigned is_written;                          // by stores; 0: loads read it
};

struct tkc_hidden {
    int kind;                  // TKC_HIDDEN_…
    struct tkc_tensor_map map; // of a tensor map
};
#define TKC_NO_TENSOR_MAP                                                                                    \
    {                                                                                                        \
        0, 0, 0, 0, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}},              \
            {0, 0, 0, 0, 0}, 0, 0                                                                            \
    }

// A tensor map for particular arguments.
struct tkc_tensor {
    uint64_t address;
    uint64_t sizes[TKC_TENSOR_RANK];       // elements
    uint64_t strides[TKC_TENSOR_RANK - 1]; // bytes
    int empty;                             // see tkc_tensor_fill
};

static inline int tkc_term_value(const struct tkc_term *term, const int64_t *values, int64_t *value) {
    int64_t times = term->parameter < 0 ? 1 : values[term->parameter];
    return !__builtin_mul_overflow(term->factor, times, value);
}

// `values` has one element for each parameter of the source: an integer's value, a pointer's address. False
// where TMA cannot describe the tensor: its address and strides (in bytes) must be multiples of 16, strides
// not negative and below 2^40, sizes at most 2^31 (the driver encodes up to 2^32, and an H200 traps on it: an illegal
// instruction). A stride of 0 repeats the same elements; that of a dimension of one element does not matter. TMA knows no
// empty tensor either: where a size is 0, or negative (of a mask: no index is below), `empty` is set, all sizes are 1,
// and the address counts from that of TKC_EMPTY_BYTES zeros, which the caller must add: reading gives zeros only, also
// after writing.
static inline int tkc_tensor_fill(const struct tkc_tensor_map *map, const int64_t *values,
                                  struct tkc_tensor *tensor) {
    unsigned i;
    int64_t value;
    memset(tensor, 0, sizeof *tensor);
    for (i = 0; i < map->rank; i++) {
        if (!tkc_term_value(&map->sizes[i], values, &value) || value > INT64_C(0x80000000)) {
            return 0;
        }
        tensor->sizes[i] = (uint64_t)value;
        tensor->empty |= value <= 0;
    }
    for (i = 0; i < map->rank && tensor->empty; i++) {
        tensor->sizes[i] = 1;
    }
    for (i = 1; i < map->rank; i++) {
        value = 16;
        if (tensor->sizes[i] > 1 && (!tkc_term_value(&map->strides[i - 1], values, &value) ||
                                     __builtin_mul_overflow(value, (int64_t)map->element_bytes, &value) ||
                                     value < 0 || value % 16 != 0 || value >= INT64_C(0x10000000000))) {
            return 0;
        }
        tensor->strides[i - 1] = (uint64_t)value;
    }
    tensor->address = tensor->empty ? (uint64_t)(map->is_written ? TKC_EMPTY_WRITTEN : TKC_EMPTY_READ)
                                    : (uint64_t)values[map->pointer];
    return tensor->address % 16 == 0;
}

// The blocks of a persistent kernel: as many as the multiprocessors hold at once, or as the grid has programs
// if these are fewer. 0: the grid is beyond what such a kernel can count.
static inline unsigned tkc_persistent_blocks(const unsigned grid[3], unsigned multiprocessors,
                                             unsigned persistent) {
    uint64_t blocks = (uint64_t)multiprocessors * persistent, programs = (uint64_t)grid[0] * grid[1];
    // A block counts its programs from its own number on, in steps of `blocks`.
    if (programs > 0x7fffffffu || programs * grid[2] + blocks > 0x7fffffffu) {
        return 0;
    }
    programs *= grid[2];
    return (unsigned)(programs < blocks ? programs : blocks);
}
#endif
