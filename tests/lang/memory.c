// Loads and stores.
#include "lang.h"

#include <math.h>

static void copy(struct lang_run *r) {
    for (size_t i = 0; i < r->test->arguments[1].count; i++) {
        put_bits(r, 1, i, bits(r, 0, i));
    }
}

static void copy_some(struct lang_run *r) {
    for (int64_t i = 0; i < scalar(r, 2); i++) {
        put_bits(r, 1, (size_t)i, bits(r, 0, (size_t)i));
    }
}

static void transpose_2d(struct lang_run *r) {
    int64_t m = scalar(r, 2), n = scalar(r, 3);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            put_bits(r, 1, (size_t)(j * m + i), bits(r, 0, (size_t)(i * n + j)));
        }
    }
}

static void other_seven(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        if ((int64_t)i < scalar(r, 2)) {
            put_bits(r, 1, i, bits(r, 0, i));
        } else if (element_is_real(r->test->arguments[1].element)) {
            put_real(r, 1, i, 7);
        } else {
            put_integer(r, 1, i, 7);
        }
    }
}

static void other_infinity(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_real(r, 1, i, (int64_t)i < scalar(r, 2) ? real(r, 0, i) : -INFINITY);
    }
}

static void other_tile(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_bits(r, 2, i, (int64_t)i < scalar(r, 3) ? bits(r, 0, i) : bits(r, 1, i));
    }
}

static void scattered(struct lang_run *r) {
    for (size_t i = 0; (int64_t)i < scalar(r, 2); i++) {
        put_integer(r, 1, i, i % 3 ? -1 : integer(r, 0, i));
    }
}

static void mask_from_memory(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        if (integer(r, 1, i)) {
            put_bits(r, 2, i, bits(r, 0, i));
        }
    }
}

// The last kernel argument is y; SCALE is no zero.
static void as_booleans(struct lang_run *r) {
    bool reals = element_is_real(r->test->arguments[0].element);
    for (size_t i = 0; i < 64; i++) {
        bool truth = reals ? real(r, 0, i) != 0 : integer(r, 0, i) != 0;
        put_integer(r, 1, i, truth);
        if (i % 3 > 0) {
            put_integer(r, 1, 64 + i, truth);
        }
        if (i == 0) {
            put_integer(r, 1, 128, truth);
        }
        put_integer(r, 1, 129 + i, 1);
        put_integer(r, 1, 193 + i, reals ? real(r, 0, i) > 0 : integer(r, 0, i) > 0);
    }
}

static void masked_rows(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2) * 32; i++) {
        put_bits(r, 1, i, bits(r, 0, i));
    }
}

static void scalar_masked(struct lang_run *r) {
    for (size_t i = 0; i < 8; i++) {
        if ((int64_t)i < scalar(r, 2) + 2) {
            put_integer(r, 1, i, (int64_t)i < scalar(r, 2) ? integer(r, 0, i) : 5);
        }
    }
}

static void splat(struct lang_run *r) {
    for (size_t i = 0; (int64_t)i < scalar(r, 2); i++) {
        put_real(r, 0, i, real(r, 1, 0));
    }
}

static void broadcast_row(struct lang_run *r) {
    for (size_t i = 0; i < (size_t)scalar(r, 2) * 64; i++) {
        put_bits(r, 1, i, bits(r, 0, i % 64));
    }
}

static void broadcast_pointer(struct lang_run *r) {
    for (size_t i = 0; i < 16 * 32; i++) {
        put_real(r, 1, i, real(r, 0, i % 32) + real(r, 0, i / 32));
    }
}

static void strided(struct lang_run *r) {
    for (size_t i = 0; (int64_t)i < scalar(r, 2); i++) {
        put_bits(r, 1, i, bits(r, 0, i * (size_t)scalar(r, 3)));
    }
}

static void reverse(struct lang_run *r) {
    for (size_t n = (size_t)scalar(r, 2), i = 0; i < n; i++) {
        put_bits(r, 1, i, bits(r, 0, n - 1 - i));
    }
}

static void gather(struct lang_run *r) {
    for (size_t i = 0; (int64_t)i < scalar(r, 3); i++) {
        put_bits(r, 2, i, bits(r, 0, (size_t)integer(r, 1, i)));
    }
}

static void scatter(struct lang_run *r) {
    for (size_t i = 0; (int64_t)i < scalar(r, 3); i++) {
        put_bits(r, 2, (size_t)integer(r, 1, i), bits(r, 0, i));
    }
}

static void doubled(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_integer(r, 1, i, 2 * integer(r, 0, i));
    }
}

static void misaligned(struct lang_run *r) {
    for (size_t i = 0; (int64_t)i < scalar(r, 2); i++) {
        put_bits(r, 1, i + 3, bits(r, 0, i + 1));
    }
}

static void aligned_rows(struct lang_run *r) {
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; (int64_t)i < scalar(r, 3); i++) {
            put_bits(r, 1, row * (size_t)scalar(r, 2) + i, bits(r, 0, row * (size_t)scalar(r, 2) + i));
        }
    }
}

static void converts(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double x = real(r, 0, i);
        put_real(r, 1, i, x);
        put_integer(r, 2, i, (int64_t)x);
        put_real(r, 3, i, x);
    }
}

static void one_element(struct lang_run *r) {
    put_real(r, 1, 0, real(r, 0, 0) + 1);
}

static void two_pointers(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_bits(r, 2, i, bits(r, scalar(r, 3) > 0, i));
    }
}

static void pointer_select(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        put_bits(r, 2, i, bits(r, i % 2, i));
    }
}

static void second_half(struct lang_run *r) {
    for (size_t i = 0; i < 32; i++) {
        put_bits(r, 1, i, bits(r, 0, 32 + i));
    }
}

static void wide_rows(struct lang_run *r) {
    size_t n = (size_t)scalar(r, 3);
    for (size_t row = 0; row < 3; row++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += real(r, 0, row * n + i) + real(r, 1, i);
        }
        for (size_t i = 0; i < n; i++) {
            put_real(r, 2, row * n + i, real(r, 0, row * n + i) + real(r, 1, i) - sum);
        }
    }
}

static void read_after_write(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_integer(r, 1, i, 2 * (integer(r, 0, 127 - i) + 1));
    }
}

#define COPY(TYPE, WARPS)                                                                                    \
    ROW("copy_" NAME_##TYPE, copy, copy, .signature = "*" NAME_##TYPE ", *" NAME_##TYPE ", i32",             \
        .grid = {4}, .arguments = {BITS(TYPE, 1000), OUT(TYPE, 1000), INT(1000)}, .warps = WARPS)
// A thread has 32 bytes of a tile.
#define WIDE(TYPE, BLOCK, COUNT)                                                                             \
    ROW("wide_" NAME_##TYPE, copy, copy, .signature = "*" NAME_##TYPE ":32, *" NAME_##TYPE ":32, i32:32",    \
        .defines = "BLOCK=" #BLOCK, .grid = {2},                                                             \
        .arguments = {BITS(TYPE, COUNT), OUT(TYPE, COUNT), INT(COUNT)}, .warps = "4")
#define WIDE_OTHER(TYPE, BLOCK, PROGRAMS)                                                                    \
    ROW("wide_other_" NAME_##TYPE, load_other_scalar, other_seven,                                           \
        .signature = "*" NAME_##TYPE ":32, *" NAME_##TYPE ":32, i32:32", .defines = "BLOCK=" #BLOCK,         \
        .grid = {PROGRAMS}, .arguments = {BITS(TYPE, 160), OUT(TYPE, 256), INT(160)}, .warps = "1")
#define WIDE_MODIFIED(name, values)                                                                          \
    ROW("wide_" name, wide, copy, .defines = values, .grid = {2},                                            \
        .arguments = {BITS(F32, 2048), OUT(F32, 2048)})
#define COPY_2D(TYPE, WARPS)                                                                                 \
    ROW("copy_2d_" NAME_##TYPE, copy_2d, copy,                                                               \
        .signature = "*" NAME_##TYPE ":16, *" NAME_##TYPE ":16, i32, i32", .grid = {3, 2},                   \
        .arguments = {BITS(TYPE, 37 * 45), OUT(TYPE, 37 * 45), INT(37), INT(45)}, .warps = WARPS)
#define TRANSPOSE(TYPE, WARPS)                                                                               \
    ROW("transpose_2d_" NAME_##TYPE, transpose_2d, transpose_2d,                                             \
        .signature = "*" NAME_##TYPE ":16, *" NAME_##TYPE ":16, i32:16, i32", .grid = {2, 2},                \
        .arguments = {BITS(TYPE, 48 * 45), OUT(TYPE, 48 * 45), INT(48), INT(45)}, .warps = WARPS)
#define OTHER(TYPE)                                                                                          \
    ROW("load_other_scalar_" NAME_##TYPE, load_other_scalar, other_seven,                                    \
        .signature = "*" NAME_##TYPE ", *" NAME_##TYPE ", i32", .grid = {2},                                 \
        .arguments = {BITS(TYPE, 150), OUT(TYPE, 256), INT(150)})
#define AS_BOOLEANS(TYPE, SCALE, INPUT)                                                                      \
    ROW("store_as_booleans_" NAME_##TYPE, store_as_booleans, as_booleans,                                    \
        .signature = "*" NAME_##TYPE ", *i1", .defines = "SCALE=" #SCALE,                                    \
        .arguments = {INPUT, OUT(I1, 257)})

// Each step's window begins an element behind the one before, so its threads read their neighbours' writes.
static void shifting_window(struct lang_run *r) {
    int64_t n = scalar(r, 1);
    for (int64_t e = 0; e < 300; e++) {
        uint32_t value = (uint32_t)integer(r, 0, (size_t)e);
        for (int64_t i = 0; i < n; i++) {
            value = i <= e && e < i + 256 ? value * 3 + 1 : value;
        }
        put_integer(r, 0, (size_t)e, (int32_t)value);
    }
}

// Every thread reads a number, then one of them increments it.
static void tickets(struct lang_run *r) {
    int64_t n = scalar(r, 2), first = integer(r, 0, 0);
    put_integer(r, 0, 0, first + n);
    for (int64_t e = 0; e < 256 * n; e++) {
        put_integer(r, 1, (size_t)(256 * first + e), first + 2 * (e / 256));
    }
}

static void exchanged(struct lang_run *r) {
    uint32_t x[2][512];
    int64_t n = scalar(r, 2);
    for (size_t i = 0; i < 512; i++) {
        x[0][i] = (uint32_t)integer(r, 0, i);
        x[1][i] = (uint32_t)integer(r, 1, i);
    }
    for (int64_t k = 0; k < n; k++) {
        for (size_t i = 0; i < 512; i++) {
            x[(k + 1) % 2][i] = x[k % 2][511 - i] * 3 + (uint32_t)k;
        }
    }
    for (size_t i = 0; i < 512; i++) {
        put_integer(r, 0, i, (int32_t)x[0][i]);
        put_integer(r, 1, i, (int32_t)x[1][i]);
    }
}

static void cleared(struct lang_run *r) {
    for (size_t i = 0; i < 64; i++) {
        double sum = 0;
        for (size_t j = 0; j < 64; j++) {
            sum += real(r, 0, i * 1024 + j * 16);
            put_real(r, 0, i * 1024 + j * 16, 0);
        }
        put_real(r, 1, i, sum);
    }
}

static void behind_sums(struct lang_run *r) {
    double total = 0, squares = 0;
    for (size_t i = 0; i < 8192; i++) {
        total += real(r, 0, i);
        squares += real(r, 0, i) * real(r, 0, i);
    }
    for (size_t i = 0; i < 8192; i++) {
        bool inside = (int64_t)i < scalar(r, 5);
        put_real(r, 3, i, real(r, 0, i) * real(r, 1, i) + real(r, 2, i) + total);
        put_real(r, 4, i,
                 real(r, 0, i) * (inside ? real(r, 1, i) : 2) + (inside ? real(r, 2, i) : 3) + squares);
    }
}

static void searched(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        size_t low = 0;
        for (size_t high = 100; high - low > 1;) {
            size_t middle = (low + high) / 2;
            bool above = integer(r, 1, middle) <= integer(r, 0, i);
            low = above ? middle : low;
            high = above ? high : middle;
        }
        put_integer(r, 2, i, (int64_t)low);
        put_integer(r, 3, i, integer(r, 1, low));
    }
}

static void queues(struct lang_run *r) {
    int64_t next[8];
    for (size_t e = 0; e < 8; e++) {
        next[e] = integer(r, 1, e);
    }
    for (int64_t i = 0; i < scalar(r, 3); i++) {
        int64_t e = integer(r, 0, (size_t)i);
        put_integer(r, 2, (size_t)next[e], i);
        put_integer(r, 1, (size_t)e, ++next[e]);
    }
}

static void window_places(struct lang_run *r) {
    int64_t n = scalar(r, 4);
    for (int64_t i = 0; i < 256; i++) {
        double best = -INFINITY;
        int64_t at = -1, beyond = (int64_t)1 << 40;
        for (int64_t d = 0; d < 5 && i + d < n; d++) {
            if (real(r, 0, (size_t)(i + d)) > best) {
                best = real(r, 0, (size_t)(i + d));
                at = i + d - 2;
                beyond = i - d;
            }
        }
        put_real(r, 1, (size_t)i, best);
        put_integer(r, 2, (size_t)i, at);
        put_integer(r, 3, (size_t)i, beyond);
    }
}

static const struct lang_case memory_cases[] = {
    COPY(I1, "4"),
    COPY(I8, "14"),
    COPY(I16, "4"),
    COPY(I32, "1248"),
    COPY(I64, "4"),
    COPY(U8, "4"),
    COPY(U16, "4"),
    COPY(U32, "4"),
    COPY(U64, "4"),
    COPY(F16, "18"),
    COPY(BF16, "4"),
    COPY(F32, "1248"),
    COPY(F64, "4"),
    COPY(E5M2, "4"),
    COPY(E4M3, "4"),
    COPY(E5M2Z, "4"),
    COPY(E4M3Z, "4"),
    COPY(E4B15, "4"),
    CASE_OF(copy_block_4096, copy, .signature = "*fp16:16, *fp16:16, i32", .defines = "BLOCK=4096",
            .arguments = {BITS(F16, 4000), OUT(F16, 4000), INT(4000)}, .warps = "18"),
    CASE_OF(copy_block_16, copy, .signature = "*fp32, *fp32, i32", .defines = "BLOCK=16", .grid = {3},
            .arguments = {BITS(F32, 41), OUT(F32, 41), INT(41)}, .warps = "148"),
    ROW("copy_nothing", copy, copy_some, .signature = "*fp32, *fp32, i32", .grid = {1},
        .arguments = {BITS(F32, 16), OUT(F32, 16), INT(0)}),
    CASE_OF(copy_hinted, copy, .signature = "*fp32:16, *fp32:16, i32:16", .grid = {4},
            .arguments = {BITS(F32, 976), OUT(F32, 976), INT(976)}, .warps = "14"),
    ROW("copy_one", copy, copy_some, .signature = "*fp32, *fp32, i32:1", .grid = {1},
        .arguments = {BITS(F32, 16), OUT(F32, 16), INT(1)}),
    ROW("copy_unmasked", copy_unmasked, copy, .grid = {3}, .arguments = {BITS(F32, 768), OUT(F32, 768)},
        .warps = "148"),
    COPY_2D(F32, "148"),
    COPY_2D(F16, "4"),
    COPY_2D(I8, "4"),
    COPY_2D(F64, "2"),
    TRANSPOSE(F32, "148"),
    TRANSPOSE(F16, "48"),
    TRANSPOSE(I8, "4"),
    TRANSPOSE(F64, "4"),
    TRANSPOSE(I1, "4"),
    ROW("copy_3d", copy_3d, copy,
        .arguments = {BITS(F16, 3 * 7 * 13), OUT(F16, 3 * 7 * 13), INT(3), INT(7), INT(13)}, .warps = "14"),
    OTHER(I8),
    OTHER(I32),
    OTHER(U64),
    OTHER(F16),
    OTHER(BF16),
    OTHER(F32),
    OTHER(F64),
    ROW("load_other_infinity", load_other_infinity, other_infinity,
        .arguments = {BITS(F32, 100), OUT(F32, 128), INT(100)}),
    ROW("load_other_tile", load_other_tile, other_tile, .signature = "*fp16, *fp16, *fp16, i32", .grid = {2},
        .arguments = {BITS(F16, 150), BITS(F16, 256), OUT(F16, 256), INT(150)}, .warps = "14"),
    ROW("load_scattered_mask", load_scattered_mask, scattered,
        .arguments = {BITS(I32, 200), OUT(I32, 256), INT(200)}),
    ROW("load_mask_from_memory", load_mask_from_memory, mask_from_memory,
        .arguments = {BITS(F32, 128), BITS(I1, 128), OUT(F32, 128)}),
    AS_BOOLEANS(I1, 1, BITS(I1, 64)),
    AS_BOOLEANS(I8, 1, BITS(I8, 64)),
    AS_BOOLEANS(U8, 1, IN(U8, 64, 0, 2)),
    AS_BOOLEANS(I16, 256, IN(I16, 64, -2, 2)),
    AS_BOOLEANS(I32, 0x10000, IN(I32, 64, -2, 2)),
    AS_BOOLEANS(U32, 256, IN(U32, 64, 0, 2)),
    AS_BOOLEANS(I64, 0x100000000, IN(I64, 64, -2, 2)),
    AS_BOOLEANS(F16, 1, SPECIAL(F16, 64, -2, 2)),
    AS_BOOLEANS(BF16, 1, SPECIAL(BF16, 64, -2, 2)),
    AS_BOOLEANS(F32, 1, SPECIAL(F32, 64, -2, 2)),
    AS_BOOLEANS(F64, 1, SPECIAL(F64, 64, -2, 2)),
    ROW("load_constant_masks", load_constant_masks, copy,
        .arguments = {BITS(F32, 64), OUT(F32, 64), OUT(F32, 64)}),
    ROW("store_masked_rows", store_masked_rows, masked_rows,
        .arguments = {BITS(F32, 11 * 32), OUT(F32, 16 * 32), INT(11)}),
    ROW("scalar_copy_f32", scalar_copy, copy, .signature = "*fp32, *fp32", .grid = {5},
        .arguments = {BITS(F32, 5), OUT(F32, 5)}, .warps = "14"),
    ROW("scalar_copy_i1", scalar_copy, copy, .signature = "*i1, *i1", .grid = {5},
        .arguments = {BITS(I1, 5), OUT(I1, 5)}),
    ROW("scalar_copy_f16", scalar_copy, copy, .signature = "*fp16, *fp16", .grid = {5},
        .arguments = {BITS(F16, 5), OUT(F16, 5)}),
    CASE(scalar_masked, .grid = {8}, .arguments = {BITS(I32, 5), OUT(I32, 8), INT(5)}),
    ROW("store_splat", store_splat, splat, .arguments = {OUT(F32, 128), REAL(F32, 2.75), INT(99)}),
    ROW("store_broadcast_row", store_broadcast_row, broadcast_row,
        .arguments = {BITS(F32, 64), OUT(F32, 16 * 64), INT(13)}, .warps = "148"),
    ROW("load_broadcast_pointer", load_broadcast_pointer, broadcast_pointer,
        .arguments = {IN(F32, 32, -1, 1), OUT(F32, 16 * 32)}),
    CASE(strided, .arguments = {BITS(F32, 600), OUT(F32, 256), INT(200), INT(3)}),
    CASE(reverse, .arguments = {BITS(F16, 200), OUT(F16, 256), INT(200)}),
    ROW("gather_indices", gather_indices, gather,
        .arguments = {BITS(F32, 300), IN(I32, 200, 0, 299), OUT(F32, 256), INT(200)}),
    ROW("scatter_indices", scatter_indices, scatter,
        .arguments = {BITS(I16, 200), PERMUTE(I64, 200), OUT(I16, 256), INT(200)}),
    ROW("hints", hints, copy_some, .grid = {2}, .arguments = {BITS(F32, 200), OUT(F32, 256), INT(200)},
        .warps = "14"),
    ROW("store_cg", cache_modifiers, copy, .defines = "MODIFIER='.cg'",
        .arguments = {BITS(F32, 128), OUT(F32, 128)}),
    ROW("store_cs", cache_modifiers, copy, .defines = "MODIFIER='.cs'",
        .arguments = {BITS(F32, 128), OUT(F32, 128)}),
    ROW("store_wt", cache_modifiers, copy, .defines = "MODIFIER='.wt'",
        .arguments = {BITS(F32, 128), OUT(F32, 128)}),
    WIDE(F32, 1024, 1888),
    WIDE(I32, 1024, 2016),
    WIDE(F16, 2048, 4064),
    WIDE(BF16, 2048, 3200),
    WIDE(I8, 4096, 8160),
    WIDE(E5M2, 4096, 8160),
    WIDE(I64, 512, 992),
    WIDE(F64, 512, 992),
    WIDE_OTHER(F32, 256, 1),
    WIDE_OTHER(U64, 128, 2),
    WIDE_MODIFIED("ca_wb", "FROM='.ca' TO='.wb'"),
    WIDE_MODIFIED("cg", "FROM='.cg' TO='.cg'"),
    WIDE_MODIFIED("cs", "TO='.cs'"),
    WIDE_MODIFIED("cv_wt", "FROM='.cv' TO='.wt'"),
    WIDE_MODIFIED("first", "KEPT='evict_first'"),
    WIDE_MODIFIED("last", "KEPT='evict_last'"),
    WIDE_MODIFIED("volatile", "STRONG=True"),
    CASE(wide_rows, .grid = {3},
         .arguments = {WHOLE(F32, 3 * 992, -99, 99), WHOLE(F16, 992, -99, 99), OUT(F32, 3 * 992), INT(992)},
         .warps = "14"),
    ROW("volatile", volatile, doubled, .arguments = {BITS(I32, 64), OUT(I32, 64)}),
    ROW("offsets_64", offsets_64, copy_some, .grid = {2},
        .arguments = {BITS(U8, 300), OUT(U8, 512), INT(300)}),
    CASE(misaligned, .arguments = {BITS(F16, 201), OUT(F16, 256), INT(200)}),
    CASE(aligned_rows, .grid = {3}, .arguments = {BITS(F16, 3 * 208), OUT(F16, 3 * 208), INT(208), INT(192)},
         .warps = "14"),
    ROW("store_converts", store_converts, converts,
        .arguments = {IN(F32, 64, -100, 100), OUT(F16, 64), OUT(I8, 64), OUT(F64, 64)}),
    CASE(one_element, .arguments = {IN(F32, 1, -1, 1), OUT(F32, 1)}, .warps = "14"),
    CASE(two_pointers, .arguments = {BITS(F32, 64), BITS(F32, 64), OUT(F32, 64), INT(1)}),
    CASE(pointer_select, .arguments = {BITS(F32, 64), BITS(F32, 64), OUT(F32, 64)}),
    ROW("pointer_bitcast", pointer_bitcast, copy, .arguments = {BITS(F32, 64), OUT(I32, 64)}),
    ROW("pointer_through_integer", pointer_through_integer, second_half,
        .arguments = {BITS(I32, 64), OUT(I32, 32)}),
    CASE(shifting_window, .arguments = {BOTH(I32, 300, -1000, 1000), INT(40)}, .warps = "48"),
    CASE(tickets, .arguments = {BOTH(I32, 1, 0, 0), OUT(I32, 256 * 5), INT(5)}, .warps = "18"),
    CASE(read_after_write, .arguments = {BITS(I32, 128), OUT(I32, 128)}, .warps = "148"),
    CASE(exchanged, .arguments = {BOTH(I32, 512, -99, 99), BOTH(I32, 512, -99, 99), INT(5)}, .warps = "148"),
    CASE(cleared, .arguments = {BOTH(F32, 64 * 1024, -1, 1), OUT(F32, 64)}, .absolute = 1e-4, .warps = "48"),
    CASE(behind_sums,
         .arguments = {IN(F16, 8192, -1, 1), IN(F16, 8192, -1, 1), IN(F16, 8192, -1, 1), OUT(F32, 8192),
                       OUT(F32, 8192), INT(5552)},
         .relative = 1e-5, .absolute = 1e-3, .warps = "48"),
    CASE(searched, .arguments = {WHOLE(I32, 512, 0, 250), IOTA(I32, 100, 0), OUT(I32, 512), OUT(I32, 512)},
         .warps = "148"),
    CASE(queues,
         .arguments =
             {WHOLE(I32, 70, 0, 7), {ARGUMENT_BOTH, I32, 8, GENERATE_IOTA, 0, 0}, OUT(I32, 78), INT(70)},
         .warps = "14"),
    CASE(window_places,
         .arguments = {WHOLE(F32, 260, -9, 9), OUT(F32, 256), OUT(I64, 256), OUT(I64, 256), INT(253)},
         .warps = "14"),
};

FAMILY(memory);
