#ifndef TKC_LAUNCHER_CHAIN_2
#define TKC_LAUNCHER_CHAIN_2
// ---- Chains: the workspace with the arrays between kernels. Each begins at a multiple of 256 bytes.

// The end of an array of `bytes` at `start`, rounded up; TKC_NO_GRID if there is none.
static inline int64_t tkc_chain_end(int64_t start, int64_t bytes) {
    int64_t end = tkc_add(start, bytes);
    return bytes < 0 || !tkc_both(end, 0) || end > INT64_MAX - 255 ? TKC_NO_GRID : (end + 255) / 256 * 256;
}

// A product of sizes as an argument; `most`: the largest value of the parameter's type.
static inline int tkc_chain_fits(int64_t product, int64_t most) {
    return product != TKC_NO_GRID && product >= -most - 1 && product <= most;
}

// The last array with bytes of another one, if one of both is written; -1: there is none. `bytes`: negative if the sizes do not exist.
static inline int tkc_chain_overlap(const uintptr_t *arrays, const int64_t *bytes, const char *written,
                                    int count) {
    int i, j, found = -1;
    for (i = 0; i < count; i++) {
        for (j = 0; j < i; j++) {
            if ((written[i] == '1' || written[j] == '1') && bytes[i] > 0 && bytes[j] > 0 &&
                arrays[i] < arrays[j] + (uintptr_t)bytes[j] && arrays[j] < arrays[i] + (uintptr_t)bytes[i]) {
                found = i;
            }
        }
    }
    return found;
}
#endif
