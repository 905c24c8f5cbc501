#ifndef TKC_LAUNCHER_TENSOR_5
#define TKC_LAUNCHER_TENSOR_5

// ---- Hidden parameters: parameters of a compiled kernel behind those of its source, and how their values
// follow from the source's. No vendor's types: tools that launch without a header use this file too.

// The most dimensions of a map, terms of its offset, and maps of a kernel.
enum { TKC_TENSOR_RANK = 5, TKC_TENSOR_OFFSETS = 4, TKC_TENSOR_MAPS = 16 };

// Device memory for empty tensors: 16 bytes of zeros for loads, then 16 bytes for stores that nothing reads.
enum { TKC_EMPTY_READ = 0, TKC_EMPTY_WRITTEN = 16, TKC_EMPTY_BYTES = 32 };

enum { TKC_HIDDEN_GRID_X, TKC_HIDDEN_GRID_Y, TKC_HIDDEN_GRID_Z, TKC_HIDDEN_TENSOR_MAP };

// plus + factor × (the value of `parameter` / over) × the value of `by`. The quotient truncates, as C's does; over 1: the value
// itself. Parameter -1: none, which counts as 1.
struct tkc_term {
    int64_t plus, factor;
    int parameter, by;
    int64_t over;
};

// The description of a tensor map: boxes of a strided tensor in global memory, copied by TMA. Dimension 0 is
// the innermost one; its stride is 1.
struct tkc_tensor_map {
    unsigned pointer; // index of the parameter with the address
    int element;      // CUtensorMapDataType
    unsigned element_bytes;
    unsigned rank;
    struct tkc_term sizes[TKC_TENSOR_RANK];       // elements
    struct tkc_term strides[TKC_TENSOR_RANK - 1]; // of dimensions 1 and up, elements
    uint32_t box[TKC_TENSOR_RANK];                // elements
    unsigned swizzle;                             // bytes: 0, 32, 64 or 128
    unsigned is_written;                          // 1: stores use the map; 0: loads do
    unsigned offset_count;
    // Elements; their sum, of either sign, is added to the address.
    struct tkc_term offsets[TKC_TENSOR_OFFSETS];
};

struct tkc_hidden {
    int kind;                  // TKC_HIDDEN_…
    struct tkc_tensor_map map; // for TKC_HIDDEN_TENSOR_MAP
};
#define TKC_NO_TERM                                                                                          \
    { 0, 0, 0, 0, 1 }
#define TKC_NO_TERMS TKC_NO_TERM, TKC_NO_TERM, TKC_NO_TERM, TKC_NO_TERM
#define TKC_NO_TENSOR_MAP                                                                                    \
    {                                                                                                        \
        0, 0, 0, 0, {TKC_NO_TERM, TKC_NO_TERMS}, {TKC_NO_TERMS}, {0, 0, 0, 0, 0}, 0, 0, 0, {                 \
            TKC_NO_TERMS                                                                                     \
        }                                                                                                    \
    }

// The description with the values of one launch.
struct tkc_tensor {
    uint64_t address;
    uint64_t sizes[TKC_TENSOR_RANK];       // elements
    uint64_t strides[TKC_TENSOR_RANK - 1]; // bytes
    int empty;                             // see tkc_tensor_fill
};

// False: it needs more than 64 bits.
static inline int tkc_term_value(const struct tkc_term *term, const int64_t *values, int64_t *value) {
    int64_t times = term->parameter < 0 ? 1 : values[term->parameter] / term->over;
    int64_t by = term->by < 0 ? 1 : values[term->by];
    return !__builtin_mul_overflow(times, by, &times) &&
           !__builtin_mul_overflow(term->factor, times, value) &&
           !__builtin_add_overflow(term->plus, *value, value);
}

// The sum of the offsets in bytes. False: it needs more than 64 bits.
static inline int tkc_tensor_offset(const struct tkc_tensor_map *map, const int64_t *values,
                                    int64_t *offset) {
    unsigned i;
    int64_t value;
    *offset = 0;
    for (i = 0; i < map->offset_count; i++) {
        if (!tkc_term_value(&map->offsets[i], values, &value) ||
            __builtin_mul_overflow(value, (int64_t)map->element_bytes, &value) ||
            __builtin_add_overflow(*offset, value, offset)) {
            return 0;
        }
    }
    return 1;
}

// Fills in a tensor from the arguments. `values`: one number for each parameter of the source, an integer's value or a
// pointer's address. False: TMA cannot describe the tensor. Its rules:
//
//   address       with the offsets a multiple of 16
//   byte stride   a multiple of 16, from 0 (repeats the elements) to below 2^40; of a dimension of one element: anything
//   size          at most 2^31; the driver encodes up to 2^32, and an H200 then traps (illegal instruction)
//   size <= 0     an empty tensor, which TMA does not know. `empty` is set, all sizes become 1, and the address is an offset into
//                 TKC_EMPTY_BYTES of device memory, which the caller adds: loads give zeros, stores change nothing that is read.
//                 (A negative size comes from a mask that no index fulfils.)
static inline int tkc_tensor_fill(const struct tkc_tensor_map *map, const int64_t *values,
                                  struct tkc_tensor *tensor) {
    unsigned i;
    int64_t value, offset;
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
    if (tensor->empty) {
        tensor->address = map->is_written ? TKC_EMPTY_WRITTEN : TKC_EMPTY_READ;
        return 1;
    }
    if (!tkc_tensor_offset(map, values, &offset)) {
        return 0;
    }
    tensor->address = (uint64_t)values[map->pointer] + (uint64_t)offset;
    return tensor->address % 16 == 0;
}

// The number of blocks of a persistent kernel: as many as the multiprocessors hold at once, or as many as the
// grid has programs if that is less, unless the kernel `fills` the device. Blocks of clusters come in whole clusters (0 or 1: there are none). `persistent` 0: as many as
// the grid has programs, whose blocks take each other's places. 0: the grid has more programs than the kernel can count.
static inline unsigned tkc_persistent_blocks(const unsigned grid[3], unsigned multiprocessors,
                                             unsigned persistent, unsigned cluster, unsigned fills) {
    uint64_t blocks = (uint64_t)multiprocessors * persistent, programs = (uint64_t)grid[0] * grid[1];
    cluster = cluster ? cluster : 1u;
    blocks = blocks < cluster ? cluster : blocks / cluster * cluster;
    // A block counts programs in steps of `blocks`, from its own index on, in 32 bits.
    if (programs > 0x7fffffffu || programs * grid[2] + blocks > 0x7fffffffu) {
        return 0;
    }
    programs = (programs * grid[2] + cluster - 1u) / cluster * cluster;
    return (unsigned)(persistent == 0 || programs == 0 || (programs < blocks && !fills) ? programs : blocks);
}
#endif
