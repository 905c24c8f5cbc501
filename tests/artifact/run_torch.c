/* Operators of PyTorch, on the recording driver and as little of PyTorch as they need: what they take, refuse, make and launch. The
 * operators (TORCH_SOURCE) come first: they need no header in front of them. */
#include TORCH_SOURCE

#include "fake.h"
#include "fake_torch.h"

static int faults;
#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

#define SIZES(...)                                                                                           \
    (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[]) {                           \
        __VA_ARGS__                                                                                          \
    }

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Calls an operator; results are copied. The text that is thrown, or "". Nothing may stay alive. */
static const char *call(const char *name, uint64_t *stack, uint64_t inputs, struct fake_tensor *results,
                        unsigned count) {
    unsigned i;
    fake_torch.thrown[0] = 0;
    if (setjmp(fake_torch.where) == 0) {
        fake_torch_find(name)(stack, inputs, count);
        for (i = 0; i < count; i++) {
            struct fake_tensor *result = (struct fake_tensor *)(uintptr_t)stack[i];
            results[i] = *result;
            (void)aoti_torch_delete_tensor_object(result);
        }
    }
    CHECK(fake_torch.alive == 0 && fake_torch.guards == 0 && fake_torch.current_device == 0);
    return fake_torch.thrown;
}

static bool says(const char *thrown, const char *text) {
    if (!strstr(thrown, text)) {
        fprintf(stderr, "\"%s\" does not say \"%s\"\n", thrown, text);
    }
    return strstr(thrown, text) != NULL;
}

static struct fake_tensor x, counts, y;
static int64_t parts = 3;

static const char *scaled(void) {
    uint64_t stack[4] = {fake_tensor_handle(&x), fake_tensor_handle(&counts), bits_of(0.5), (uint64_t)parts};
    return call("scaled", stack, 4, &y, 1);
}

static uint64_t expected_addresses[3];
static int32_t expected_numbers[4];
static void look_at_scaled(void **arguments) {
    int i;
    for (i = 0; i < 3; i++) {
        CHECK(*(uint64_t *)arguments[i] == expected_addresses[i]);
    }
    for (i = 0; i < 4; i++) {
        CHECK(*(int32_t *)arguments[3 + i] == expected_numbers[i]);
    }
    CHECK(*(float *)arguments[7] == 0.5f && *(int32_t *)arguments[8] == 3);
}
static void look_at_nothing(void **arguments) {
    (void)arguments;
}

static void expect_strides(int32_t x_stride) {
    expected_addresses[0] = x.address, expected_addresses[1] = fake_torch.next_address + 256;
    expected_addresses[2] = counts.address;
    expected_numbers[0] = x_stride, expected_numbers[1] = 64, expected_numbers[2] = (int32_t)x.sizes[0];
    expected_numbers[3] = 64;
}

/* scaled: "x[rows:x_stride, columns], counts[rows] -> y[rows:y_stride, columns], counts", factor and parts left to the caller. */
static void check_scaled(void) {
    CHECK(strcmp(fake_torch_schema("scaled"),
                 "scaled(Tensor x, Tensor(t2!) counts, float factor, SymInt parts) -> Tensor") == 0);
    x = fake_tensor_of(FAKE_HALF, 0, SIZES(5, 64));
    counts = fake_tensor_of(FAKE_INT, 0, SIZES(5));
    fake.seen = look_at_scaled;
    expect_strides(64);
    CHECK(!*scaled() && y.rank == 2 && y.sizes[0] == 5 && y.sizes[1] == 64 && y.type == FAKE_HALF);
    CHECK(fake.launches == 1 && fake.grid[0] == 5 && fake.grid[1] == 3);
    x.strides[0] = 96;
    expect_strides(96);
    CHECK(!*scaled() && y.strides[0] == 64 && y.strides[1] == 1 && fake.launches == 2);
    fake.seen = look_at_nothing;

    x.strides[0] = 72;
    CHECK(says(scaled(), "scaled: x_stride = 72 is not divisible by 16"));
    x.strides[0] = 128, x.strides[1] = 2;
    CHECK(says(scaled(), "scaled: x has strides [128, 2], where a dense one is 1"));
    x = fake_tensor_of(FAKE_FLOAT, 0, SIZES(5, 64));
    CHECK(says(scaled(), "scaled: x is of torch.float32, not torch.float16"));
    x = fake_tensor_of(FAKE_HALF, 0, SIZES(5, 64, 1));
    CHECK(says(scaled(), "scaled: x has 3 dimensions, not 2"));
    x = fake_tensor_of(FAKE_HALF, 0, SIZES(4, 64));
    CHECK(says(scaled(), "scaled: counts is [5], but rows = 4 in dimension 0"));
    x = fake_tensor_of(FAKE_HALF, 1, SIZES(5, 64));
    CHECK(says(scaled(), "scaled: counts is on cuda:0, other tensors are on cuda:1"));
    x = fake_tensor_of(FAKE_HALF, -1, SIZES(5, 64));
    CHECK(says(scaled(), "scaled: x is not on a GPU"));
    x = fake_tensor_of(FAKE_HALF, 0, SIZES(5, 64));
    x.address += 8;
    CHECK(says(scaled(), "is not divisible by 16"));
    x = fake_tensor_of(FAKE_HALF, 0, SIZES(5, 64));
    parts = INT64_C(1) << 32;
    CHECK(says(scaled(), "scaled: parts = 4294967296 does not fit"));
    parts = 3;
    CHECK(fake.launches == 2);
    x.sizes[0] = counts.sizes[0] = 0; /* nothing to do, and strides that reach nothing */
    x.strides[0] = 1;
    CHECK(!*scaled() && y.sizes[0] == 0 && fake.launches == 2);
}

/* Each call of the driver fails in turn: its code comes out, and the next launch works. A question for the current device may fail:
 * then the device is made the current one. */
static void check_failures(void) {
    int failed = 0, i;
    x = fake_tensor_of(FAKE_HALF, 0, SIZES(5, 64));
    counts = fake_tensor_of(FAKE_INT, 0, SIZES(5));
    for (i = 1; i < 40; i++) {
        int before;
        bool done, asked;
        CHECK(scaled_unload() == 0);
        fake.fail_call = i;
        before = fake.launches;
        failed += strstr(scaled(), "(999)") != NULL;
        done = fake.fail_call > 0;
        asked = !done && strcmp(fake.failed, "cuCtxGetDevice") == 0;
        failed += asked && fake.launches == before + 1;
        fake.fail_call = 0;
        before = fake.launches;
        CHECK(!*scaled() && fake.launches == before + 1);
        if (done) {
            CHECK(failed == i - 1 && failed > 5);
            return;
        }
    }
    CHECK(failed < 0); /* there was no end of calls that can fail */
}

/* plain: nothing is said of its tensors. */
static void check_plain(void) {
    struct fake_tensor a = fake_tensor_of(FAKE_FLOAT, 0, SIZES(2, 3)),
                       b = fake_tensor_of(FAKE_FLOAT, 0, SIZES(6));
    uint64_t stack[4] = {fake_tensor_handle(&a), fake_tensor_handle(&b), 6, UINT64_C(0xffffffffffffff01)};
    int before = fake.launches;
    CHECK(strcmp(fake_torch_schema("plain"),
                 "plain(Tensor(t0!) x, Tensor(t1!) y, SymInt n, bool flag) -> ()") == 0);
    CHECK(!*call("plain", stack, 4, NULL, 0));
    CHECK(fake.launches == before + 1 && strncmp(fake.kernel, "plain", 5) == 0);
}

static double takes(const char *kernel, void **arguments) {
    (void)arguments;
    return strstr(kernel, "BLOCK_128") ? 5.0 : 9.0;
}

static const char *pair(int64_t n, struct fake_tensor *results) {
    struct fake_tensor a = fake_tensor_of(FAKE_FLOAT, 0, SIZES(n));
    uint64_t stack[2] = {fake_tensor_handle(&a)};
    return call("pair", stack, 1, results, 2);
}

/* pair: two results, and variants. The first call with a key times them, unless its stream is captured or the key has its choice. */
static void check_pair(void) {
    struct fake_tensor results[2];
    const int64_t key = 200;
    int before;
    fake.takes = takes;
    fake.elsewhere = 1;
    CHECK(!*pair(130, results) && results[0].sizes[0] == 130 && results[1].sizes[0] == 130 &&
          results[1].sizes[1] == 4);
    CHECK(strncmp(fake.kernel, "pair_BLOCK_128", 14) == 0 && fake.streams == 0);
    before = fake.launches;
    CHECK(!*pair(130, results) && fake.launches == before + 1);
    CHECK(tkc_torch_take_choice("pair", "a device", &key, 1, "BLOCK_64_warps_4_stages_3", 1.0) == 1);
    before = fake.launches;
    CHECK(!*pair(200, results) && fake.launches == before + 1 &&
          strncmp(fake.kernel, "pair_BLOCK_64", 13) == 0);
    fake.capturing = 1;
    before = fake.launches;
    CHECK(!*pair(3000, results) && fake.launches == before + 1);
    fake.capturing = 0;
    CHECK(!*pair(3000, results) && fake.launches > before + 3);
    CHECK(tkc_torch_save_tuned("tuned.json") == 0);
}

static uint64_t between;
static void look_at_blocks(void **arguments) {
    uint64_t from = *(uint64_t *)arguments[0], to = *(uint64_t *)arguments[1];
    CHECK(*(int32_t *)arguments[2] == 200 && (between ? from == between : to % 256 == 0));
    between = between ? 0 : to;
}

/* there_and_back: a chain, whose array between its kernels lies in a tensor of each call. */
static void check_chain(void) {
    struct fake_tensor a = fake_tensor_of(FAKE_FLOAT, 0, SIZES(200)), result;
    uint64_t stack[2] = {fake_tensor_handle(&a)};
    int before = fake.launches;
    CHECK(strcmp(fake_torch_schema("there_and_back"), "there_and_back(Tensor x) -> Tensor") == 0);
    fake.seen = look_at_blocks;
    CHECK(!*call("there_and_back", stack, 1, &result, 1) && result.sizes[0] == 200 &&
          fake.launches == before + 2 && !between);
    fake.seen = look_at_nothing;
}

int main(void) {
    fake.major = 9; /* and no context, as in a thread that PyTorch has just made */
    fake.multiprocessors = 132;
    fake.name = "a device";
    CHECK(tkc_torch_status() == 0 && strcmp(fake_torch.space, "tkc") == 0);
    check_scaled();
    check_failures();
    check_plain();
    check_pair();
    check_chain();
    CHECK(fake.context_id == 7);
    return faults != 0;
}
