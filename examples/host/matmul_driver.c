/* matmul through the CUDA driver API, from a PTX file and its description on disk: the work of a launcher for
 * a kernel with hidden parameters, step by step, without the generated header.
 *
 *     tkc matmul.tk --config 0 --target sm_90a -o matmul.ptx             writes matmul.json too
 *     cc matmul_driver.c -I/usr/local/cuda/include -lcuda -o matmul_driver
 *     ./matmul_driver [matmul.ptx matmul.json]
 *
 * The JSON has an entry for the kernel's target with the threads and the shared memory of a block; "hidden",
 * if present, lists the parameters after those of the source. The driver makes a tensor map from the kernel's
 * own arguments: "sizes" in elements and "byte_strides" are products of an argument ("param") and a factor
 * ("times"). A program would use a JSON library; here a few lines read tkc's fixed layout of the file. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 200, N = 272, K = 80, ARGUMENTS = 12, HIDDEN = 16 };
enum { FORMAT = 1 }; /* of descriptions: the last one that this file knows */

static void fail(const char *what, const char *why) {
    fprintf(stderr, "error: %s: %s\n", what, why);
    exit(1);
}

static void check(CUresult result, const char *what) {
    const char *text = NULL;
    if (result == CUDA_SUCCESS) {
        return;
    }
    cuGetErrorString(result, &text);
    fail(what, text ? text : "unknown error");
}

/* ---- the description ---- */

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || !fread(text, 1, (1 << 20) - 1, file)) {
        fail(path, "cannot be read");
    }
    fclose(file);
    return text;
}

/* The text after "key": between `text` and `end` (NULL: the end of the file); NULL without the key. */
static const char *find(const char *text, const char *end, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *found = strstr(text, quoted);
    return found && (!end || found < end) ? found + strlen(quoted) : NULL;
}

/* The number after "key", with or without quotes. */
static long long number(const char *text, const char *end, const char *key, long long otherwise) {
    const char *found = find(text, end, key);
    return found ? strtoll(found + (*found == '"'), NULL, 10) : otherwise;
}

/* ---- the arguments ---- */

static CUdeviceptr a, b, c;
static int m = M, n = N, k = K, one = 1;
static const struct argument {
    const char *name;
    void *value;
    int is_pointer;
} arguments[ARGUMENTS] = {{"a", &a, 1},           {"b", &b, 1},           {"c", &c, 1},
                          {"M", &m, 0},           {"N", &n, 0},           {"K", &k, 0},
                          {"stride_am", &k, 0},   {"stride_ak", &one, 0}, {"stride_bk", &n, 0},
                          {"stride_bn", &one, 0}, {"stride_cm", &n, 0},   {"stride_cn", &one, 0}};

/* The value of the argument with the quoted name at `text`. */
static uint64_t argument_value(const char *text) {
    for (int i = 0; i < ARGUMENTS; i++) {
        size_t length = strlen(arguments[i].name);
        if (strncmp(text + 1, arguments[i].name, length) == 0 && text[1 + length] == '"') {
            return arguments[i].is_pointer ? *(CUdeviceptr *)arguments[i].value
                                           : (uint64_t) * (int *)arguments[i].value;
        }
    }
    fail("the JSON", "names an argument that matmul does not have");
    return 0;
}

/* ---- hidden parameters ---- */

/* An array of {"param": NAME, "times": FACTOR} or {"times": FACTOR}. */
static int read_products(const char *text, cuuint64_t *values) {
    const char *end = strchr(text, ']');
    int count = 0;
    for (const char *at = strchr(text, '{'); at && at < end && count < 5; at = strchr(at + 1, '{')) {
        const char *close = strchr(at, '}'), *name = find(at, close, "param");
        if (find(at, close, "by") || find(at, close, "over") || find(at, close, "plus")) {
            fail("a tensor map", "matmul has no size or stride with \"by\", \"over\" or \"plus\"");
        }
        values[count++] = (cuuint64_t)number(at, close, "times", 1) * (name ? argument_value(name) : 1);
    }
    return count;
}

/* M, N and K are not 0 here: the driver takes no size of 0. */
static void encode_map(const char *text, const char *end, CUtensorMap *map) {
    cuuint64_t sizes[5] = {0}, strides[5] = {0};
    cuuint32_t box[5] = {0}, steps[5] = {1, 1, 1, 1, 1};
    if (find(text, end, "byte_offsets")) {
        fail("a tensor map", "matmul has none with \"byte_offsets\"");
    }
    int rank = read_products(find(text, end, "sizes"), sizes), swizzle = 0;
    read_products(find(text, end, "byte_strides"), strides);
    const char *at = find(text, end, "box");
    for (int i = 0; i < rank; i++) {
        box[i] = (cuuint32_t)strtoul(at + 1, (char **)(uintptr_t)&at, 10);
    }
    while (16 << swizzle < number(text, end, "swizzle", 0)) {
        swizzle++; /* 32, 64, 128 bytes: 1, 2, 3 */
    }
    check(cuTensorMapEncodeTiled(
              map, (CUtensorMapDataType)number(text, end, "data_type_value", 0), (cuuint32_t)rank,
              (void *)(uintptr_t)argument_value(find(text, end, "pointer")), sizes, strides, box, steps,
              CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
          "encoding a tensor map");
}

/* Puts a pointer for each into `values`. */
static void make_hidden(const char *entry, CUtensorMap *maps, unsigned *grid, void **values) {
    const char *at = find(entry, NULL, "hidden");
    for (at = at ? find(at, NULL, "kind") : NULL; at;) {
        const char *next = find(at, NULL, "kind");
        if (strncmp(at, "\"grid_", 6) == 0) {
            *values++ = &grid[at[6] - 'x'];
        } else {
            encode_map(at, next, maps);
            *values++ = maps++;
        }
        at = next;
    }
}

/* ---- the matrices: small integers, so that all results are exact ---- */

static uint16_t half_of(int value) { /* 0 <= value < 2048 */
    int exponent = 0;
    while (value >> (exponent + 1)) {
        exponent++;
    }
    return value ? (uint16_t)((15 + exponent) << 10 | ((value << (10 - exponent)) & 0x3ff)) : 0;
}

static int a_at(int row, int column) {
    return (3 * row + column) % 5;
}

static int b_at(int row, int column) {
    return (row + 2 * column) % 4;
}

static CUdeviceptr upload(int rows, int columns, int (*at)(int, int)) {
    size_t bytes = (size_t)rows * (size_t)columns * sizeof(uint16_t);
    uint16_t *values = malloc(bytes);
    CUdeviceptr device;
    for (int i = 0; values && i < rows * columns; i++) {
        values[i] = at ? half_of(at(i / columns, i % columns)) : 0xffff;
    }
    check(cuMemAlloc(&device, bytes), "allocating a matrix");
    check(cuMemcpyHtoD(device, values, bytes), "copying a matrix");
    free(values);
    return device;
}

static int count_wrong(const uint16_t *got) {
    int wrong = 0;
    for (int row = 0; row < M; row++) {
        for (int column = 0; column < N; column++) {
            int sum = 0;
            for (int i = 0; i < K; i++) {
                sum += a_at(row, i) * b_at(i, column);
            }
            wrong += got[row * N + column] != half_of(sum);
        }
    }
    return wrong;
}

int main(int argc, char **argv) {
    const char *path = argc > 2 ? argv[1] : "matmul.ptx";
    char *json = read_file(argc > 2 ? argv[2] : "matmul.json");
    if (number(json, NULL, "format", 0) > FORMAT) {
        fail(argc > 2 ? argv[2] : "matmul.json", "its format is a later one than this file knows");
    }
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    check(cuInit(0), "starting the CUDA driver");
    check(cuDeviceGet(&device, 0), "finding a device");
    check(cuDevicePrimaryCtxRetain(&context, device), "making a context");
    check(cuCtxSetCurrent(context), "choosing the context");
    check(cuModuleLoad(&module, path), path);
    check(cuModuleGetFunction(&kernel, module, "matmul"), "finding the kernel matmul");

    const char *entry = find(json, NULL, "entries");
    if (!entry) {
        fail("the JSON", "has no entries");
    }
    unsigned threads = (unsigned)number(entry, NULL, "threads", 0);
    int shared_bytes = (int)number(entry, NULL, "dynamic_shared_bytes", 0);
    check(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_bytes),
          "allowing that much shared memory");

    a = upload(M, K, a_at);
    b = upload(K, N, b_at);
    c = upload(M, N, NULL);
    int block_m = (int)number(json, NULL, "BLOCK_M", 1), block_n = (int)number(json, NULL, "BLOCK_N", 1);
    unsigned grid[3] = {(unsigned)((M + block_m - 1) / block_m * ((N + block_n - 1) / block_n)), 1, 1};
    CUtensorMap maps[HIDDEN] __attribute__((aligned(128)));
    void *values[ARGUMENTS + HIDDEN];
    for (int i = 0; i < ARGUMENTS; i++) {
        values[i] = arguments[i].value;
    }
    make_hidden(entry, maps, grid, values + ARGUMENTS);

    /* A persistent kernel's blocks share the programs of the grid among them. */
    unsigned blocks = grid[0], per_multiprocessor = (unsigned)number(entry, NULL, "persistent", 0);
    int multiprocessors;
    check(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
          "counting multiprocessors");
    if (per_multiprocessor && blocks > (unsigned)multiprocessors * per_multiprocessor) {
        blocks = (unsigned)multiprocessors * per_multiprocessor;
    }
    check(cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, (unsigned)shared_bytes, NULL, values, NULL),
          "launching");

    static uint16_t got[M * N];
    check(cuMemcpyDtoH(got, c, sizeof got), "copying the product back");
    int wrong = count_wrong(got);
    printf("%d x %d x %d: %d of %d elements wrong\n", M, N, K, wrong, M * N);
    check(cuMemFree(a), "freeing A");
    check(cuMemFree(b), "freeing B");
    check(cuMemFree(c), "freeing C");
    check(cuModuleUnload(module), "unloading the module");
    check(cuDevicePrimaryCtxRelease(device), "releasing the context");
    free(json);
    return wrong != 0;
}
