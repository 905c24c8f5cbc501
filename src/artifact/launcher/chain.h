#ifndef TKC_LAUNCHER_CHAIN_1
#define TKC_LAUNCHER_CHAIN_1
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
#endif
