/* A kernel that launches another on the device (dynamic parallelism): tkc's PTX linked with a parent and the
 * device runtime.
 *
 *     tkc steps.tk --target sm_90 -o steps.ptx
 *     cc device_launch.c -I<tkc>/include -I/usr/local/cuda/include -lcuda -o device_launch
 *     ./device_launch [steps.ptx [/usr/local/cuda/lib64/libcudadevrt.a]]
 *
 * The parent is nvcc's code for `square<<<blocks, 128>>>(x, y, n)` in a kernel: a buffer with the layout of
 * the kernel's parameters, and a launch. The child is any kernel without hidden parameters. A program built
 * with nvcc links the same by `nvcc -rdc=true parent.cu steps.ptx -lcudadevrt`; the driver's linker does it
 * at run time. */
#define TKC_RUNTIME_CUDA_DRIVER
#include "example.h"

#include <string.h>

enum { N = 1000000, BLOCK = 1024 };

static const char parent[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b64 buffer) __cudaCDP2GetParameterBufferV2\n"
    "    (.param .b64 kernel, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 "
    "shared_bytes);\n"
    ".extern .func (.param .b32 error) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);\n"
    ".extern .entry square(.param .u64 x, .param .u64 y, .param .u32 n);\n"
    ".visible .entry parent(.param .u64 x, .param .u64 y, .param .u32 n, .param .u32 blocks, .param .u64 "
    "error) {\n"
    "    .reg .b64 %buffer, %value;\n"
    "    .reg .b32 %word, %blocks;\n"
    "    .reg .pred %none;\n"
    "    .param .b64 kernel;\n"
    "    .param .align 4 .b8 grid[12];\n"
    "    .param .align 4 .b8 block[12];\n"
    "    .param .b32 shared_bytes;\n"
    "    .param .b64 buffer, stream;\n"
    "    .param .b32 result;\n"
    "    ld.param.u32 %blocks, [blocks];\n"
    "    mov.u64 %value, square;\n"
    "    st.param.b64 [kernel], %value;\n"
    "    st.param.b32 [grid], %blocks;\n"
    "    st.param.b32 [grid+4], 1;\n"
    "    st.param.b32 [grid+8], 1;\n"
    "    st.param.b32 [block], 128;\n"
    "    st.param.b32 [block+4], 1;\n"
    "    st.param.b32 [block+8], 1;\n"
    "    st.param.b32 [shared_bytes], 0;\n"
    "    call.uni (buffer), __cudaCDP2GetParameterBufferV2, (kernel, grid, block, shared_bytes);\n"
    "    ld.param.b64 %buffer, [buffer];\n"
    "    mov.u32 %word, 2;\n" /* out of memory */
    "    setp.eq.u64 %none, %buffer, 0;\n"
    "    @%none bra done;\n"
    "    ld.param.u64 %value, [x];\n"
    "    st.u64 [%buffer], %value;\n"
    "    ld.param.u64 %value, [y];\n"
    "    st.u64 [%buffer+8], %value;\n"
    "    ld.param.u32 %word, [n];\n"
    "    st.u32 [%buffer+16], %word;\n"
    "    st.param.b64 [buffer], %buffer;\n"
    "    st.param.b64 [stream], 0;\n"
    "    call.uni (result), __cudaCDP2LaunchDeviceV2, (buffer, stream);\n"
    "    ld.param.b32 %word, [result];\n"
    "done:\n"
    "    ld.param.u64 %value, [error];\n"
    "    st.global.u32 [%value], %word;\n"
    "    ret;\n"
    "}\n";

/* The linker's messages, after an error. */
static CUmodule link_images(const char *child, const char *runtime) {
    static char log[4096];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log}, *image;
    size_t bytes;
    CUlinkState linker;
    CUmodule module;
    check(cuLinkCreate(2, options, values, &linker), "starting the linker");
    CUresult result = cuLinkAddData(linker, CU_JIT_INPUT_PTX, (void *)(uintptr_t)parent, sizeof parent,
                                    "parent", 0, NULL, NULL);
    if (result == CUDA_SUCCESS) {
        result = cuLinkAddFile(linker, CU_JIT_INPUT_PTX, child, 0, NULL, NULL);
    }
    if (result == CUDA_SUCCESS) {
        result = cuLinkAddFile(linker, CU_JIT_INPUT_LIBRARY, runtime, 0, NULL, NULL);
    }
    if (result == CUDA_SUCCESS) {
        result = cuLinkComplete(linker, &image, &bytes);
    }
    if (result != CUDA_SUCCESS) {
        fputs(log, stderr);
    }
    check(result, "linking");
    check(cuModuleLoadData(&module, image), "loading what was linked");
    check(cuLinkDestroy(linker), "removing the linker");
    return module;
}

int main(int argc, char **argv) {
    static float x[N], y[N];
    int n = N, error = -1, wrong = 0;
    unsigned blocks = (N + BLOCK - 1) / BLOCK;
    CUfunction kernel;
    use_device(0);
    CUmodule module = link_images(argc > 1 ? argv[1] : "steps.ptx",
                                  argc > 2 ? argv[2] : "/usr/local/cuda/lib64/libcudadevrt.a");
    check(cuModuleGetFunction(&kernel, module, "parent"), "finding the parent");
    CUdeviceptr device_x = allocate(sizeof x), device_y = allocate(sizeof y),
                device_error = allocate(sizeof error);
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 1000);
    }
    copy_in(device_x, x, sizeof x);
    void *arguments[] = {&device_x, &device_y, &n, &blocks, &device_error};
    check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL), "launching the parent");
    copy_out(y, device_y, sizeof y);
    copy_out(&error, device_error, sizeof error);
    for (int i = 0; i < N; i++) {
        wrong += y[i] != x[i] * x[i];
    }
    printf("device_launch: a kernel launched another of %u blocks (result %d): %d of %d elements wrong\n",
           blocks, error, wrong, N);
    return wrong != 0 || error != 0;
}
