// Machine code of AMD chips in the emulator: accesses to LDS and global memory.
#include "amdgcn_check.h"

static void model_memory(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in;
    unsigned other = lane ^ 3;
    out[0] = all[4 * other];
    out[1] = all[4 * other + 1];
    out[2] = all[4 * other + 3] & 0xffff;
    out[3] = (uint32_t)(int8_t)(all[4 * lane] >> 8);
}

#define MEMORY(lds_wait, load_wait)                                                                          \
    "v_xor_b32 v10, 3, v0\nv_lshlrev_b32 v10, 4, v10\nds_write_b64 v1, v[2:3] offset:1024\n"                 \
    "ds_write_b64 v1, v[4:5] offset:1032\nds_read_b64 v[6:7], v10 offset:1024\n"                             \
    "ds_read_u16 v8, v10 offset:1036\nglobal_load_sbyte v9, v1, s[4:5] offset:1\n" lds_wait "\n" load_wait
static void test_memory(void **state) {
    (void)state;
    static const char old[] = MEMORY("s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt(0)"),
                      newest[] = MEMORY("s_wait_dscnt 0x0", "s_wait_loadcnt 0x0");
    check("gfx942", old, model_memory, false);
    check("gfx90a", old, model_memory, false);
    check("gfx1100", old, model_memory, false);
    check("gfx1200", newest, model_memory, false);
}

// gfx1250: the register of a scalar load's offset counts what it loads, the number behind it bytes.
static void model_scaled(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in, (void)lane;
    out[0] = all[7];
    out[1] = all[10];
    out[2] = all[11];
    out[3] = all[4];
}

static void test_scaled(void **state) {
    (void)state;
    check("gfx1250",
          "s_mov_b32 s8, 5\ns_mov_b32 s9, 12\ns_load_b32 s10, s[4:5], s8 offset:0x8 scale_offset\n"
          "s_load_b64 s[12:13], s[4:5], s8 offset:0x0 scale_offset\ns_load_b32 s14, s[4:5], s9 offset:0x4\n"
          "s_wait_kmcnt 0x0\nv_mov_b32 v6, s10\nv_mov_b32 v7, s12\nv_mov_b32 v8, s13\nv_mov_b32 v9, s14",
          model_scaled, false);
}

// 16 lanes hold rows, 8 bytes a lane: of 16 halves in 4 lanes each, of 16 bytes in 2. Each lane gets its column.
static void model_columns(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    const uint8_t *bytes = (const uint8_t *)all;
    unsigned first = lane / 16 * 16, column = lane % 16;
    uint16_t halves[4];
    uint8_t narrow[8];
    (void)in;
    for (unsigned row = 0; row < 4; row++) {
        memcpy(&halves[row], bytes + 16 * (first + 4 * row + column / 4) + 2 * (column % 4), 2);
    }
    for (unsigned row = 0; row < 8; row++) {
        narrow[row] = bytes[16 * (first + 2 * row + column / 8) + column % 8];
    }
    memcpy(out, halves, 8);
    memcpy(out + 2, narrow, 8);
}

static void test_columns(void **state) {
    (void)state;
    check("gfx950",
          "v_lshlrev_b32 v10, 3, v0\nds_write_b64 v10, v[2:3]\nds_read_b64_tr_b16 v[6:7], v10\n"
          "ds_read_b64_tr_b8 v[8:9], v10\ns_waitcnt lgkmcnt(0)",
          model_columns, false);
}

// Copies to LDS: 16 bytes of each lane, read backwards; words 2 and 3 from 16 bytes further on in a buffer of 512 bytes, behind which there
// are zeros.
static void model_copies(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in;
    unsigned from = 63 - (lane ^ 5);
    out[0] = all[4 * from];
    out[1] = all[4 * from + 1];
    out[2] = from < 31 ? all[4 * from + 6] : 0;
    out[3] = from < 31 ? all[4 * from + 7] : 0;
}

static void test_copies(void **state) {
    (void)state;
    check("gfx950",
          "v_sub_u32 v10, 0x3f0, v1\nv_xor_b32 v11, 0x50, v1\ns_mov_b32 m0, 0x400\ns_mov_b32 s8, s4\n"
          "global_load_lds_dwordx4 v10, s[4:5]\ns_mov_b32 s9, s5\ns_mov_b32 s10, 0x200\ns_mov_b32 s11, "
          "0x27000\n"
          "s_movk_i32 m0, 0x7f0\ns_nop 0\nbuffer_load_dwordx4 v10, s[8:11], 0 offen offset:16 lds\n"
          "s_waitcnt vmcnt(1)\nds_read_b64 v[6:7], v11 offset:1024\ns_waitcnt vmcnt(0)\n"
          "ds_read_b64 v[8:9], v11 offset:2056\ns_waitcnt lgkmcnt(0)",
          model_copies, false);
}

// Two words of each lane: the upper half of the wave's first words against the lower half's second, the same for rows of 16 lanes.
static void model_exchanges(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)in;
    out[0] = lane & 32 ? all[4 * (lane ^ 32) + 1] : all[4 * lane];
    out[1] = lane & 32 ? all[4 * lane + 1] : all[4 * (lane ^ 32)];
    out[2] = lane & 16 ? all[4 * (lane ^ 16) + 3] : all[4 * lane + 2];
    out[3] = lane & 16 ? all[4 * lane + 3] : all[4 * (lane ^ 16) + 2];
}

static void test_exchanges(void **state) {
    (void)state;
    check("gfx950",
          "v_mov_b32 v6, v2\nv_mov_b32 v7, v3\nv_mov_b32 v8, v4\nv_mov_b32 v9, v5\ns_nop 1\n"
          "v_permlane32_swap_b32 v6, v7\nv_permlane16_swap_b32 v8, v9",
          model_exchanges, false);
}

// Loads into half a register leave the other half unchanged.
static void model_loaded_halves(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)all, (void)lane;
    out[0] = (in[0] & 0xffff0000u) | ((uint32_t)(int8_t)in[3] & 0xffff);
    out[1] = (in[1] & 0xffff) | (uint32_t)(int8_t)(in[3] >> 8) << 16;
    out[2] = (in[2] & 0xffff0000u) | ((uint32_t)(int8_t)(in[3] >> 16) & 0xffff);
    out[3] = (in[0] & 0xffff) | (in[3] >> 24) << 16;
}

static void test_loaded_halves(void **state) {
    (void)state;
#define LOADED_HALVES(byte_low, byte_high, shared_write, shared_read, wait)                                  \
    "v_mov_b32 v6, v2\nv_mov_b32 v7, v3\nv_mov_b32 v8, v4\nv_mov_b32 v9, v2\n" shared_write                  \
    " v1, v5 offset:1024\n" wait "\nglobal_load_" byte_low                                                   \
    " v6, v1, s[4:5] offset:12\nglobal_load_" byte_high " v7, v1, s[4:5] offset:13\n" shared_read            \
    "_i8_d16 v8, v1 offset:1026\n" shared_read "_u8_d16_hi v9, v1 offset:1027\n" wait
    static const char old[] = LOADED_HALVES("sbyte_d16", "sbyte_d16_hi", "ds_write_b32", "ds_read",
                                            "s_waitcnt vmcnt(0) lgkmcnt(0)"),
                      newer[] = LOADED_HALVES("d16_i8", "d16_hi_i8", "ds_store_b32", "ds_load",
                                              "s_waitcnt vmcnt(0) lgkmcnt(0)"),
                      newest[] = LOADED_HALVES("d16_i8", "d16_hi_i8", "ds_store_b32", "ds_load",
                                               "s_wait_loadcnt_dscnt 0x0");
    check("gfx942", old, model_loaded_halves, false);
    check("gfx90a", old, model_loaded_halves, false);
    check("gfx1100", newer, model_loaded_halves, false);
    check("gfx1200", newest, model_loaded_halves, false);
}

// Shared memory is read and written at any address, as LLVM counts on: bytes side by side are read together.
static void model_unaligned(const uint32_t *in, unsigned lane, const uint32_t *all, uint32_t *out) {
    (void)all, (void)lane;
    for (unsigned i = 0; i < 3; i++) {
        out[i] = in[i] >> 8 | in[i + 1] << 24;
    }
    out[3] = in[3] >> 8;
}

static void test_unaligned(void **state) {
    (void)state;
#define UNALIGNED(wait)                                                                                      \
    "v_mov_b32 v9, 0\nv_mov_b32 v10, 0\nds_write_b128 v1, v[2:5] offset:1024\n"                              \
    "ds_read_b96 v[6:8], v1 offset:1025\nds_read_u16 v9, v1 offset:1037\nds_read_u8 v10, v1 "                \
    "offset:1039\n" wait "\nv_lshlrev_b32 v10, 16, v10\nv_or_b32 v9, v9, v10"
    static const char old[] = UNALIGNED("s_waitcnt lgkmcnt(0)"), newest[] = UNALIGNED("s_wait_dscnt 0x0");
    check("gfx942", old, model_unaligned, false);
    check("gfx90a", old, model_unaligned, false);
    check("gfx1100", old, model_unaligned, false);
    check("gfx1200", newest, model_unaligned, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_columns),
        cmocka_unit_test(test_scaled),    cmocka_unit_test(test_copies),
        cmocka_unit_test(test_exchanges), cmocka_unit_test(test_loaded_halves),
        cmocka_unit_test(test_unaligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
