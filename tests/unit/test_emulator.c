// The emulator's core: a kernel for each vendor, masks, bounds, poison, division, stopping.
#include "emulator_harness.h"

enum { COUNT = 1000 };

struct vectors {
    _Alignas(16) float x[COUNT], y[COUNT], z[COUNT];
    struct emulator_buffer bx, by, bz;
    struct emulator_argument arguments[4];
};

static void make_vectors(struct vectors *vectors, unsigned n) {
    for (int i = 0; i < COUNT; i++) {
        vectors->x[i] = (float)i;
        vectors->y[i] = 0.5f * (float)i;
        vectors->z[i] = -1;
    }
    vectors->bx = (struct emulator_buffer){"x", vectors->x, sizeof vectors->x, 32, false, true, NULL};
    vectors->by = (struct emulator_buffer){"y", vectors->y, sizeof vectors->y, 32, false, true, NULL};
    vectors->bz = (struct emulator_buffer){"z", vectors->z, sizeof vectors->z, 32, true, false, NULL};
    vectors->arguments[0] = (struct emulator_argument){.name = "x", .buffer = &vectors->bx};
    vectors->arguments[1] = (struct emulator_argument){.name = "y", .buffer = &vectors->by};
    vectors->arguments[2] = (struct emulator_argument){.name = "z", .buffer = &vectors->bz};
    vectors->arguments[3] = (struct emulator_argument){.name = "n", .bits = n};
}

static void vector_add(const char *file, unsigned grid) {
    struct harness harness;
    struct vectors vectors;
    harness_file(&harness, file, NULL);
    make_vectors(&vectors, COUNT);
    harness_expect_clean(&harness, harness_run(&harness, vectors.arguments, 4, grid, 0, 0));
    for (int i = 0; i < COUNT; i++) {
        assert_true(vectors.z[i] == 1.5f * (float)i);
    }
    assert_int_equal(harness.result.programs_done, grid);
    harness_end(&harness);
}

static void test_vector_add_nvidia(void **state) {
    vector_add("vector_add_nvidia.ll", 8);
}

static void test_vector_add_amd(void **state) {
    vector_add("vector_add_amd.ll", 3);
}

static void test_out_of_bounds(void **state) {
    struct harness harness;
    struct vectors vectors;
    harness_file(&harness, "vector_add_nvidia.ll", NULL);
    make_vectors(&vectors, COUNT + 3);
    assert_false(harness_run(&harness, vectors.arguments, 4, 8, 0, 0));
    harness_expect_fault(&harness, "out of bounds",
                         "vector_add.tk:5:13: error: 4-byte read out of bounds: x[1000] (of 1000)\n"
                         "  in program (7, 0, 0), thread 104 (warp 3, lane 8)\n");
    assert_int_equal(harness.result.report_count, 2); // both loads stand at one place
    assert_false(harness_of_compiler(&harness));
    harness_end(&harness);
}

static void test_poison(void **state) {
    struct harness harness;
    struct vectors vectors;
    harness_file(&harness, "vector_add_nvidia.ll", NULL);
    make_vectors(&vectors, COUNT);
    vectors.arguments[1].buffer = &vectors.bz; // reads the kernel's own output, not yet written
    vectors.arguments[2].buffer = &vectors.bx;
    vectors.arguments[0].buffer = &vectors.by;
    vectors.bx.read_only = false;
    assert_false(harness_run(&harness, vectors.arguments, 4, 8, 0, 0));
    harness_expect_fault(&harness, "uninitialised", "read of memory that nothing has written: z[");
    assert_false(harness_of_compiler(&harness));
    harness_end(&harness);
}

static void test_read_only(void **state) {
    struct harness harness;
    struct vectors vectors;
    harness_file(&harness, "vector_add_nvidia.ll", NULL);
    make_vectors(&vectors, COUNT);
    vectors.bz.read_only = true;
    assert_false(harness_run(&harness, vectors.arguments, 4, 8, 0, 0));
    harness_expect_fault(&harness, "read-only", "vector_add.tk:6:5");
    harness_end(&harness);
}

static void test_misaligned(void **state) {
    struct harness harness;
    struct vectors vectors;
    harness_file(&harness, "vector_add_nvidia.ll", NULL);
    make_vectors(&vectors, COUNT - 1);
    vectors.arguments[0].offset = 2;
    assert_false(harness_run(&harness, vectors.arguments, 4, 8, 0, 0));
    harness_expect_fault(&harness, "misaligned", "not aligned to 4 bytes: x[0]");
    assert_false(harness_of_compiler(&harness));
    harness_end(&harness);
}

static void test_refused_arguments(void **state) {
    struct harness harness;
    struct vectors vectors;
    harness_file(&harness, "vector_add_nvidia.ll", NULL);
    make_vectors(&vectors, COUNT);
    assert_false(harness_run(&harness, vectors.arguments, 3, 8, 0, 0));
    assert_int_equal(harness.result.status, EMULATOR_REFUSED);
    assert_string_equal(harness.result.message, "kernel 'vector_add' takes 4 arguments, 3 were given");
    harness_end(&harness);
}

// The emulator takes no kernel with this parameter and body.
static void refused(const char *parameter, const char *body, const char *words) {
    char text[2048], *error = NULL;
    LLVMContextRef context = LLVMContextCreate();
    snprintf(text, sizeof text, "%sdefine ptx_kernel void @k(%s) {\n  %s\n  ret void\n}\n", nvidia_head,
             parameter, body);
    assert_null(emulator_create(module_of(context, text), NULL, &error));
    if (!strstr(error, words)) {
        fail_msg("'%s' is not in: %s", words, error);
    }
    free(error);
    LLVMContextDispose(context);
}

static void test_unknown_operation(void **state) {
    refused("",
            "call void @llvm.nvvm.nonsense()\n  ret void\n}\ndeclare void @llvm.nvvm.nonsense()\n"
            "define ptx_kernel void @l() {",
            "does not know the operation llvm.nvvm.nonsense");
}

// An op with an unknown shape is refused, with its location.
static void test_unknown_shape(void **state) {
    refused("{ i32, i32 } %a", "", "parameter 0 of kernel 'k' has type { i32, i32 }");
    refused("fp128 %a", "%r = fadd fp128 %a, %a", "values of type fp128 are not supported");
    refused("i32 %a", "%x = zext i32 %a to i128\n%r = call i128 @llvm.ctpop.i128(i128 %x)",
            "`%r = call i128 @llvm.ctpop.i128(i128 %x)`: the emulator does not know llvm.ctpop.i128 with a "
            "result");
    refused("i32 %a", "%x = zext i32 %a to i128\n%r = sitofp i128 %x to float",
            "`%r = sitofp i128 %x to float`: this conversion of an integer of 128 bits");
    refused("ptr addrspace(1) %p", "%r = atomicrmw xchg ptr addrspace(1) %p, i128 0 monotonic, align 16",
            "atomics of 128 bits are not supported");
    refused("ptr addrspace(1) %p", "%r = load x86_fp80, ptr addrspace(1) %p",
            "`%r = load x86_fp80, ptr addrspace(1) %p, align 16`: values of type x86_fp80");
}

static void test_endless_loop(void **state) {
    struct harness harness;
    struct emulator_options options = {.timeout_seconds = 0.5};
    harness_text(&harness, nvidia_head,
                 "define ptx_kernel void @k() \"nvvm.reqntid\"=\"64\" {\n"
                 "entry:\n  br label %loop\nloop:\n  br label %loop\n}\n",
                 &options);
    assert_false(harness_run(&harness, NULL, 0, 1, 0, 0));
    assert_int_equal(harness.result.status, EMULATOR_TIMEOUT);
    assert_non_null(strstr(harness.result.message, "warp 1 is at `br label %loop`"));
    harness_end(&harness);
}

// One integer operation on two arguments, stored by every thread of a warp.
static uint64_t compute(const char *type, const char *body, uint64_t a, uint64_t b, const char *fault) {
    struct harness harness;
    char text[2048];
    _Alignas(16) uint64_t out[1] = {0};
    struct emulator_buffer buffer = {"out", out, sizeof out, 0, false, false, NULL};
    struct emulator_argument arguments[] = {
        {.name = "out", .buffer = &buffer}, {.name = "a", .bits = a}, {.name = "b", .bits = b}};
    snprintf(text, sizeof text,
             "define ptx_kernel void @k(ptr addrspace(1) %%out, %s %%a, %s %%b) \"nvvm.reqntid\"=\"32\" {\n"
             "  %s\n  store %s %%r, ptr addrspace(1) %%out, align 1\n  ret void\n}\n",
             type, type, body, type);
    harness_text(&harness, nvidia_head, text, NULL);
    bool clean = harness_run(&harness, arguments, 3, 1, 0, 0);
    if (fault) {
        harness_expect_fault(&harness, fault, NULL);
    } else {
        harness_expect_clean(&harness, clean);
    }
    harness_end(&harness);
    return out[0];
}

static void test_integers(void **state) {
    assert_int_equal(compute("i32", "%r = sdiv i32 %a, %b", (uint32_t)-7, 2, NULL), (uint32_t)-3);
    assert_int_equal(compute("i32", "%r = srem i32 %a, %b", (uint32_t)-7, 2, NULL), (uint32_t)-1);
    assert_int_equal(compute("i32", "%r = ashr i32 %a, %b", 0x80000000u, 4, NULL), 0xf8000000u);
    assert_int_equal(compute("i16", "%r = mul i16 %a, %b", 0xffff, 0xffff, NULL), 1);
    assert_int_equal(compute("i64", "%r = udiv i64 %a, %b", ~(uint64_t)0, 10, NULL), ~(uint64_t)0 / 10);
    assert_int_equal(compute("i8", "%r = shl i8 %a, %b", 0x81, 1, NULL), 2);
    assert_int_equal(compute("i32",
                             "%x = sext i32 %a to i128\n%y = sext i32 %b to i128\n%m = mul i128 %x, %y\n"
                             "%h = lshr i128 %m, 32\n%r = trunc i128 %h to i32",
                             (uint32_t)-3, 5, NULL),
                     0xffffffffu);
    assert_int_equal(compute("i32", "%x = trunc i32 %a to i3\n%r = sext i3 %x to i32", 13, 0, NULL),
                     (uint32_t)-3);
    compute("i32", "%r = udiv i32 %a, %b", 7, 0, "division by zero");
}

static void test_small_floats(void **state) {
    // 1 + 2^-11 ties to even in half; the fused 2049 × 2049 + 2^-24 must not tie.
    assert_int_equal(compute("half", "%r = fadd half %a, %b", 0x3c00, 0x1000, NULL), 0x3c00);
    assert_int_equal(compute("i32",
                             "%x = bitcast i32 %a to float\n%h = fptrunc float %x to half\n"
                             "%v = bitcast half %h to i16\n%r = zext i16 %v to i32",
                             0x477fefffu, 0, NULL),
                     0x7bff);
    assert_int_equal(compute("bfloat", "%r = fmul bfloat %a, %b", 0x3fc0, 0x4000, NULL), 0x4040);
    assert_int_equal(
        compute("i32", "%x = sitofp i32 %a to half\n%v = bitcast half %x to i16\n%r = zext i16 %v to i32",
                2049, 0, NULL),
        0x6800);
}

// Structs and arrays go through phi, select, freeze, insertvalue and extractvalue field by field.
static void test_aggregates(void **state) {
    const char *pair = "%s0 = insertvalue { i32, i32 } poison, i32 %a, 0\n"
                       "%s = insertvalue { i32, i32 } %s0, i32 %b, 1\n";
    const char *ends[] = {
        "%c = icmp ugt i32 %a, 3\nbr i1 %c, label %yes, label %join\n"
        "yes:\n%t = insertvalue { i32, i32 } %s, i32 10, 1\nbr label %join\n"
        "join:\n%p = phi { i32, i32 } [ %s, %0 ], [ %t, %yes ]\n",
        "%c = icmp ugt i32 %a, 3\n"
        "%p = select i1 %c, { i32, i32 } { i32 7, i32 10 }, { i32, i32 } %s\n",
        // The loop swaps the fields a times.
        "br label %loop\nloop:\n%i = phi i32 [ 0, %0 ], [ %j, %loop ]\n"
        "%p = phi { i32, i32 } [ %s, %0 ], [ %f, %loop ]\n"
        "%f0 = extractvalue { i32, i32 } %p, 0\n%f1 = extractvalue { i32, i32 } %p, 1\n"
        "%g = insertvalue { i32, i32 } %p, i32 %f1, 0\n%h = insertvalue { i32, i32 } %g, i32 %f0, 1\n"
        "%f = freeze { i32, i32 } %h\n"
        "%j = add i32 %i, 1\n%c = icmp ule i32 %j, %a\nbr i1 %c, label %loop, label %join\njoin:\n",
        // Nested, with an array: the inner pair is replaced whole.
        "%n0 = insertvalue { i8, [2 x { i32, i32 }] } zeroinitializer, { i32, i32 } %s, 1, 1\n"
        "%n = select i1 true, { i8, [2 x { i32, i32 }] } %n0, { i8, [2 x { i32, i32 }] } poison\n"
        "%p = extractvalue { i8, [2 x { i32, i32 }] } %n, 1, 1\n"};
    const uint32_t expected[][2] = {
        {0x00050a, 0x000307}, {0x00070a, 0x000307}, {0x000705, 0x000703}, {0x000507, 0x000307}};
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        char body[2048];
        snprintf(body, sizeof body,
                 "%s%s%%x = extractvalue { i32, i32 } %%p, 0\n%%y = extractvalue { i32, i32 } %%p, 1\n"
                 "%%z = shl i32 %%x, 8\n%%r = or i32 %%z, %%y",
                 pair, ends[i]);
        assert_int_equal(compute("i32", body, 5, 7, NULL), expected[i][0]);
        assert_int_equal(compute("i32", body, 3, 7, NULL), expected[i][1]);
    }
}

// Diverged lanes keep their own fields: even ones take {1, 2}, odd ones {lane, 3}.
static void test_aggregate_divergence(void **state) {
    struct harness harness;
    _Alignas(16) uint32_t out[32] = {0};
    struct emulator_buffer buffer = {"out", out, sizeof out, 32, false, false, NULL};
    struct emulator_argument argument = {.name = "out", .buffer = &buffer};
    harness_text(&harness, nvidia_head,
                 "define ptx_kernel void @k(ptr addrspace(1) %out) \"nvvm.reqntid\"=\"32\" {\n"
                 "entry:\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "  %odd = trunc i32 %t to i1\n  br i1 %odd, label %yes, label %join\n"
                 "yes:\n  %q = insertvalue { i32, i32 } { i32 0, i32 3 }, i32 %t, 0\n  br label %join\n"
                 "join:\n  %p = phi { i32, i32 } [ { i32 1, i32 2 }, %entry ], [ %q, %yes ]\n"
                 "  %x = extractvalue { i32, i32 } %p, 0\n  %y = extractvalue { i32, i32 } %p, 1\n"
                 "  %s = mul i32 %x, 16\n  %r = add i32 %s, %y\n"
                 "  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                 "  store i32 %r, ptr addrspace(1) %to\n  ret void\n}\n"
                 "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n",
                 NULL);
    harness_expect_clean(&harness, harness_run(&harness, &argument, 1, 1, 0, 0));
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(out[i], i & 1 ? 16 * i + 3 : 18);
    }
    harness_end(&harness);
}

enum { TICKETS = 256 };

struct orders {
    struct harness harness;
    _Alignas(16) uint32_t counter[4], tickets[2 * TICKETS];
};

// Two rounds with a barrier between; in each, every thread of four warps draws a ticket.
static void draw(struct orders *orders, enum emulator_order order, uint64_t seed) {
    memset(orders->counter, 0, sizeof orders->counter);
    struct emulator_buffer counter = {"counter", orders->counter, sizeof orders->counter, 32, false, false,
                                      NULL};
    struct emulator_buffer tickets = {"tickets", orders->tickets, sizeof orders->tickets, 32, true, false,
                                      NULL};
    struct emulator_argument arguments[] = {{.name = "counter", .buffer = &counter},
                                            {.name = "tickets", .buffer = &tickets}};
    emulator_reorder(orders->harness.emulator, order, seed);
    harness_expect_clean(&orders->harness, harness_run(&orders->harness, arguments, 2, 1, 128, 0));
}

// The warps of a round in the order of their first tickets, as digits.
static unsigned sequence(const struct orders *orders, unsigned round) {
    unsigned digits = 0;
    for (unsigned place = 0; place < 4; place++) {
        for (unsigned warp = 0; warp < 4; warp++) {
            if (orders->tickets[round * TICKETS + 32 * warp] == round * 128 + 32 * place) {
                digits = digits * 10 + warp;
            }
        }
    }
    return digits;
}

static void test_orders(void **state) {
    struct orders orders = {0};
    harness_text(&orders.harness, nvidia_head,
                 "define ptx_kernel void @k(ptr addrspace(1) %counter, ptr addrspace(1) %tickets) {\n"
                 "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "  %a = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic\n"
                 "  %p = getelementptr i32, ptr addrspace(1) %tickets, i32 %t\n"
                 "  store i32 %a, ptr addrspace(1) %p\n  call void @llvm.nvvm.barrier0()\n"
                 "  %b = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic\n"
                 "  %q = getelementptr i8, ptr addrspace(1) %p, i32 1024\n"
                 "  store i32 %b, ptr addrspace(1) %q\n  ret void\n}\n"
                 "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void @llvm.nvvm.barrier0()\n",
                 NULL);
    draw(&orders, EMULATOR_IN_TURN, 5);
    assert_int_equal(sequence(&orders, 0), 123);
    assert_int_equal(sequence(&orders, 1), 123);
    draw(&orders, EMULATOR_REVERSED, 5);
    assert_int_equal(sequence(&orders, 0), 3210);
    assert_int_equal(sequence(&orders, 1), 3210);
    unsigned ahead = 0, behind = 0, random = 0;
    for (uint64_t seed = 0; seed < 32; seed++) {
        draw(&orders, EMULATOR_AHEAD, seed);
        assert_int_equal(sequence(&orders, 0) / 1000, sequence(&orders, 1) / 1000);
        ahead |= 1u << sequence(&orders, 1) / 1000;
        draw(&orders, EMULATOR_BEHIND, seed);
        assert_int_equal(sequence(&orders, 0) % 10, sequence(&orders, 1) % 10);
        behind |= 1u << sequence(&orders, 1) % 10;
        draw(&orders, EMULATOR_RANDOM, seed);
        unsigned first = sequence(&orders, 1);
        draw(&orders, EMULATOR_RANDOM, seed);
        assert_int_equal(sequence(&orders, 1), first);
        random |= 1u << first / 1000;
    }
    assert_int_equal(ahead, 15); // each warp has its seed
    assert_int_equal(behind, 15);
    assert_int_equal(random, 15);
    harness_end(&orders.harness);
}

// A warp waits in a loop for another warp's store: every order lets the other warp proceed.
static void test_orders_fair(void **state) {
    struct harness harness;
    _Alignas(16) uint32_t flag[4];
    struct emulator_buffer buffer = {"flag", flag, sizeof flag, 32, false, false, NULL};
    struct emulator_argument argument = {.name = "flag", .buffer = &buffer};
    struct emulator_options options = {.timeout_seconds = 200};
    harness_text(
        &harness, nvidia_head,
        "define ptx_kernel void @k(ptr addrspace(1) %flag) {\nentry:\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %w = lshr i32 %t, 5\n"
        "  br label %wait\nwait:\n"
        "  %v = atomicrmw or ptr addrspace(1) %flag, i32 0 monotonic\n"
        "  %c = icmp eq i32 %v, %w\n  br i1 %c, label %next, label %wait\n"
        "next:\n  %n = add i32 %w, 1\n  %x = atomicrmw umax ptr addrspace(1) %flag, i32 %n monotonic\n"
        "  ret void\n}\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n",
        &options);
    for (int order = EMULATOR_IN_TURN; order < EMULATOR_ORDERS; order++) {
        for (uint64_t seed = 1; seed < 5; seed++) {
            flag[0] = 0;
            emulator_reorder(harness.emulator, (enum emulator_order)order, seed);
            harness_expect_clean(&harness, harness_run(&harness, &argument, 1, 1, 96, 0));
            assert_int_equal(flag[0], 3);
        }
    }
    harness_end(&harness);
}

RUN(TEST(test_vector_add_nvidia), TEST(test_vector_add_amd), TEST(test_out_of_bounds), TEST(test_poison),
    TEST(test_read_only), TEST(test_misaligned), TEST(test_refused_arguments), TEST(test_unknown_operation),
    TEST(test_endless_loop), TEST(test_integers), TEST(test_small_floats), TEST(test_unknown_shape),
    TEST(test_orders), TEST(test_orders_fair), TEST(test_aggregates), TEST(test_aggregate_divergence))
