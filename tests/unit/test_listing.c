// Instructions of a kernel in PTX and in AMD's assembly, counted by kind and width.
#include "testing.h"
#include "artifact/listing.h"

static const char ptx[] = ".version 8.4\n"
                          ".visible .entry other(\n)\n{\n\tbar.sync 0;\n\tret;\n}\n"
                          ".visible .entry k(\n\t.param .u64 k_param_0\n)\n.reqntid 128\n{\n"
                          "\t.reg .b32 %r<9>; // registers; not code\n"
                          "\tld.param.u64 %rd1, [k_param_0];\n"
                          "\tld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];\n"
                          "\tld.global.nc.L1::evict_first.v2.u32 {%r1, %r2}, [%rd1];\n"
                          "\tld.global.b16 %rs1, [%rd1];\n"
                          "\tld.global.u8 %rs1, [%rd1];\n"
                          "\t// begin inline asm\n"
                          "\t{ .reg .pred p; @%p1 cp.async.cg.shared.global [%r1], [%rd1], 16; }\n"
                          "\t// end inline asm\n"
                          "\tcp.async.commit_group;\n\tcp.async.wait_group 1;\n"
                          "\tcp.async.bulk.tensor.2d.shared::cluster.global [%r1], [%rd1];\n"
                          "$L__BB0_1:\n"
                          "\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1};\n"
                          "\tldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1}, [%r2];\n"
                          "\tst.shared.b32 [%r1], %r2;\n"
                          "\tbar.sync 0;\n"
                          "\t@%p1 bra $L__BB0_1;\n"
                          "\tst.global.v2.b64 [%rd1], {%rd2, %rd3};\n"
                          "\tatom.global.add.u32 %r1, [%rd1], 1;\n"
                          "\tst.local.b32 [%rd2], %r1;\n"
                          "\tret;\n}\n";

static const char amd[] = "\t.text\nother:\n\ts_barrier\n\ts_endpgm\n.Lfunc_end0:\n"
                          "\t.globl\tk\nk:                                      ; @k\n"
                          "; %bb.0:\n"
                          "\ts_load_dwordx2 s[0:1], s[4:5], 0x0\n"
                          "\tglobal_load_dwordx4 v[0:3], v1, s[0:1]\n"
                          "\tbuffer_load_ushort v1, v2, s[0:3], 0 offen\n"
                          "\tglobal_load_b64 v[0:1], v1, s[0:1]\n"
                          "\tglobal_load_d16_b16 v1, v1, s[0:1]\n"
                          "\ts_waitcnt vmcnt(0)\n"
                          "\tds_read_b128 v[0:3], v1\n"
                          "\tv_mfma_f32_32x32x8_f16 v[0:15], v[0:1], v[2:3], v[0:15]\n"
                          ".LBB1_1:\n"
                          "\ts_barrier\n"
                          "\ts_cbranch_scc1 .LBB1_1\n"
                          "\tglobal_store_short v1, v2, s[0:1]\n"
                          "\tscratch_store_dword off, v1, s33\n"
                          "\ts_endpgm\n.Lfunc_end1:\n\ts_barrier\n";

static void test_ptx(void **state) {
    struct instruction_mix mix;
    assert_true(listing_count(ptx, sizeof ptx - 1, VENDOR_NVIDIA, "k", &mix));
    assert_int_equal(mix.all, 18);
    assert_int_equal(mix.of[COLUMN_MATRIX], 1);
    assert_int_equal(mix.of[COLUMN_LOADS], 4);
    assert_int_equal(mix.loads[16], 1);
    assert_int_equal(mix.loads[8], 1);
    assert_int_equal(mix.loads[2], 1);
    assert_int_equal(mix.loads[1], 1);
    assert_int_equal(mix.stores[16], 1);
    assert_int_equal(mix.of[COLUMN_COPIES], 2);
    assert_int_equal(mix.of[COLUMN_SHARED], 2);
    assert_int_equal(mix.of[COLUMN_BARRIERS], 1); // without waits for copies
    assert_int_equal(mix.of[COLUMN_BRANCHES], 1);
    assert_int_equal(mix.of[COLUMN_ATOMICS], 1);
    assert_int_equal(mix.of[COLUMN_SPILLS], 1);
    assert_true(listing_count(ptx, sizeof ptx - 1, VENDOR_NVIDIA, "other", &mix));
    assert_int_equal(mix.all, 2);
    assert_false(listing_count(ptx, sizeof ptx - 1, VENDOR_NVIDIA, "the", &mix));
    assert_false(listing_count("", 0, VENDOR_NVIDIA, "k", &mix));
}

static void test_amd(void **state) {
    struct instruction_mix mix;
    assert_true(listing_count(amd, sizeof amd - 1, VENDOR_AMD, "k", &mix));
    assert_int_equal(mix.all, 13);
    assert_int_equal(mix.of[COLUMN_MATRIX], 1);
    assert_int_equal(mix.of[COLUMN_LOADS], 4);
    assert_int_equal(mix.loads[16], 1);
    assert_int_equal(mix.loads[8], 1);
    assert_int_equal(mix.loads[2], 2);
    assert_int_equal(mix.stores[2], 1);
    assert_int_equal(mix.of[COLUMN_SHARED], 1);
    assert_int_equal(mix.of[COLUMN_BARRIERS], 1);
    assert_int_equal(mix.of[COLUMN_BRANCHES], 1);
    assert_int_equal(mix.of[COLUMN_SPILLS], 1);
    assert_false(listing_count(amd, sizeof amd - 1, VENDOR_AMD, "it", &mix));
}

RUN(TEST(test_ptx), TEST(test_amd))
