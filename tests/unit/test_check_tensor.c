// check_tensor_memory on kernels after all passes: it accepts the whole kernel, and reports a fault without the ops that
// order its accesses to tensor memory, or with others in their place.
#include "pass_testing.h"

#include "tkc/tkc.h"

// The kernel's tile IR before the proof.
static char *ordered_tiles(const char *kernel) {
    struct tkc_options options;
    tkc_options_init(&options);
    const char *output = "out.mlir", *chip = "sm_100a";
    options.input = TEST_SOURCE_DIR "/tests/unit/check_tensor.tk";
    options.kernels = &kernel;
    options.kernel_count = 1;
    options.outputs = &output;
    options.output_count = 1;
    options.targets = &chip;
    options.target_count = 1;
    options.no_header = options.no_json = true;
    options.stop_after = "check_barriers";
    struct tkc_result *result = tkc_compile(&options);
    if (!result->ok) {
        fail_msg("%s: %s", kernel, result->diagnostics[0].text);
    }
    char *text = strndup(result->artifacts[0].bytes, result->artifacts[0].length);
    tkc_result_free(result);
    return text;
}

enum change {
    NOTHING,
    NO_FREE,
    FREE_FEWER,
    NO_LAST_WAIT,
    NO_STORE,
    NO_BARRIERS,
    WARPS_MEET, // each by itself, in place of the block
    PENDING_LAST,
    COLUMNS,
    NO_TAKE_OF_READERS,
    NO_PASS_OF_READERS,
    NO_PASS_OF_MULTIPLIER,
    FEWER_ARRIVALS,
    MULTIPLIER_MEETS,
    FEWER_READERS, // of an answer of launch control
    OTHER_RING,    // a role gives its answers back elsewhere
    NO_LEFT,       // the left operand's store
    NO_SCALE_WAIT, // for the product before, ahead of the scaling
    LEFT_ELSEWHERE,
    LEFT_BEYOND,
};

static MlirOperation mlir_before(MlirOperation op) {
    MlirOperation before = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
    while (!mlirOperationEqual(mlirOperationGetNextInBlock(before), op)) {
        before = mlirOperationGetNextInBlock(before);
    }
    return before;
}

static void make(struct bench *bench, enum change change) {
    unsigned waits = bench_count(bench, OP_TENSOR_WAIT);
    MlirOperation op;
    switch (change) {
    case NOTHING:
        return;
    case NO_FREE:
        mlirOperationDestroy(bench_op(bench, OP_TENSOR_FREE, 0));
        return;
    case FREE_FEWER:
        op_set_int(bench->ir, bench_op(bench, OP_TENSOR_FREE, 0), ATTR_COLUMNS, 64);
        return;
    case NO_LAST_WAIT:
        mlirOperationDestroy(bench_op(bench, OP_TENSOR_WAIT, waits - 1));
        return;
    case NO_STORE:
        mlirOperationDestroy(bench_op(bench, OP_TENSOR_STORE, 0));
        return;
    case NO_BARRIERS:
        while (bench_count(bench, OP_BARRIER) > 0) { // the loop has one ahead of its product, too
            mlirOperationDestroy(bench_op(bench, OP_BARRIER, 0));
        }
        return;
    case WARPS_MEET:
        for (unsigned i = 0; i < bench_count(bench, OP_BARRIER); i++) {
            op_set_unit(bench->ir, bench_op(bench, OP_BARRIER, i), ATTR_EACH_WARP);
        }
        return;
    case PENDING_LAST:
        op_set_int(bench->ir, bench_op(bench, OP_TENSOR_WAIT, waits - 1), ATTR_PENDING, 1);
        return;
    case NO_LEFT:
        mlirOperationDestroy(bench_op(bench, OP_TENSOR_STORE, bench_count(bench, OP_TENSOR_STORE) - 1));
        return;
    case NO_SCALE_WAIT:
        op = bench_op(bench, OP_TENSOR_RESCALE, 0);
        while (op_kind(bench->ir, op) != OP_TENSOR_WAIT) {
            op = mlir_before(op);
        }
        mlirOperationDestroy(op);
        return;
    case LEFT_ELSEWHERE:
    case LEFT_BEYOND:
        op_set_int(bench->ir, bench_op(bench, OP_TENSOR_DOT, bench_count(bench, OP_TENSOR_DOT) - 1),
                   ATTR_LEFT_COLUMN, change == LEFT_BEYOND ? 500 : 200);
        return;
    case COLUMNS:
        op_set_int(bench->ir, bench_op(bench, OP_TENSOR_ALLOC, 0), ATTR_COLUMNS, 48);
        return;
    case NO_TAKE_OF_READERS: {
        op = bench_op(bench, OP_TENSOR_TAKE, 0);
        struct builder b = builder_before(bench->ir, op);
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), const_i32(&b, 0));
        mlirOperationDestroy(op);
        return;
    }
    case NO_PASS_OF_READERS:
        mlirOperationDestroy(bench_op(bench, OP_TENSOR_PASS, 0));
        return;
    case NO_PASS_OF_MULTIPLIER:
        mlirOperationDestroy(bench_op(bench, OP_TENSOR_PASS, 1));
        return;
    case FEWER_ARRIVALS:
        op = value_op(tensor_pass_barriers(bench_op(bench, OP_TENSOR_PASS, 0)));
        op_set_int(bench->ir, op, ATTR_ARRIVALS, 1);
        return;
    case FEWER_READERS:
        op = value_op(binary_left(value_op(launch_read_barrier(bench_op(bench, OP_LAUNCH_READ, 0)))));
        op_set_int(bench->ir, op, ATTR_ARRIVALS, 2);
        return;
    case OTHER_RING:
        set_launch_read_barrier(bench_op(bench, OP_LAUNCH_READ, 1),
                                launch_read_answer(bench_op(bench, OP_LAUNCH_READ, 1)));
        return;
    case MULTIPLIER_MEETS: {
        struct builder b = builder_before(bench->ir, bench_op(bench, OP_TENSOR_DOT, 0));
        OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
        return;
    }
    }
}

static void test_changes(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        enum change change;
        const char *words; // NULL: accepted
    } cases[] = {
        {"steps", NOTHING, NULL},
        {"onto", NOTHING, NULL},
        {"onto", NO_FREE, "it is not given back"},
        {"onto", FREE_FEWER, "does not free what one allocation of its block took"},
        {"onto", NO_LAST_WAIT, "may still be under way"},
        {"onto", PENDING_LAST, "may still be under way"},
        {"onto", NO_STORE, "adds to what nothing has written"},
        {"onto", NO_BARRIERS, "threads may still store"},
        {"onto", WARPS_MEET, "threads may still store"},
        {"onto", COLUMNS, "no power of two"},
        {"steps", NO_BARRIERS, "threads may still read"},
        {"steps", NO_LAST_WAIT, "may still be under way"},
        {"tiles", NOTHING, NULL},
        {"tiles", NO_FREE, "it is not given back"},
        {"tiles", NO_TAKE_OF_READERS, "has no buffer"},
        {"tiles", NO_PASS_OF_READERS, "takes a buffer, or hands one over, alone"},
        {"tiles", NO_PASS_OF_MULTIPLIER, "takes a buffer, or hands one over, alone"},
        {"tiles", FEWER_ARRIVALS, "do not hand the same two buffers"},
        {"tiles", MULTIPLIER_MEETS, "one warp starts products, and it needs more"},
        {"tiles", FEWER_READERS, "not all of its roles give answers back"},
        {"tiles", OTHER_RING, "its role has other barriers for the same"},
        {"chain", NOTHING, NULL},
        {"chain", NO_BARRIERS, "threads may still"},
        {"chain", NO_LEFT, "nothing has written its left operand"},
        {"chain", NO_SCALE_WAIT, "a product may still be under way there"},
        {"chain", NO_LAST_WAIT, "may still be under way"},
        {"chain", LEFT_ELSEWHERE, "nothing has written its left operand"},
        {"chain", LEFT_BEYOND, "beyond the last column"},
        {"chains", NOTHING, NULL},
        {"chains", NO_BARRIERS, "threads may still"},
        {"chains", NO_STORE, "nothing has written it"},
        {"chains", NO_LAST_WAIT, "may still be under way"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = ordered_tiles(cases[i].kernel);
        struct bench *bench = bench_open(text, "sm_100a");
        make(bench, cases[i].change);
        bool accepted = pass_run_one(&bench->context, bench->module, "check_tensor_memory");
        if (accepted != !cases[i].words || (cases[i].words && !strstr(bench->last_error, cases[i].words))) {
            fail_msg("case %zu: \"%s\", not \"%s\"", i, bench->last_error,
                     cases[i].words ? cases[i].words : "");
        }
        bench_close(bench);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
