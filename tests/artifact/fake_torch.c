#include "fake_torch.h"

#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_torch fake_torch = {.next_address = 0x10000};

#define NUMBER(name, number)                                                                                 \
    int32_t name(void);                                                                                      \
    int32_t name(void) {                                                                                     \
        return number;                                                                                       \
    }
NUMBER(aoti_torch_device_type_cpu, 0)
NUMBER(aoti_torch_device_type_cuda, 1)
NUMBER(aoti_torch_dtype_uint8, 0)
NUMBER(aoti_torch_dtype_int8, 1)
NUMBER(aoti_torch_dtype_int16, 2)
NUMBER(aoti_torch_dtype_int32, FAKE_INT)
NUMBER(aoti_torch_dtype_int64, 4)
NUMBER(aoti_torch_dtype_float16, FAKE_HALF)
NUMBER(aoti_torch_dtype_float32, FAKE_FLOAT)
NUMBER(aoti_torch_dtype_float64, 7)
NUMBER(aoti_torch_dtype_bool, 11)
NUMBER(aoti_torch_dtype_bfloat16, 15)
NUMBER(aoti_torch_dtype_float8_e5m2, 23)
NUMBER(aoti_torch_dtype_float8_e4m3fn, 24)
NUMBER(aoti_torch_dtype_float8_e5m2fnuz, 25)
NUMBER(aoti_torch_dtype_float8_e4m3fnuz, 26)
NUMBER(aoti_torch_dtype_uint16, 27)
NUMBER(aoti_torch_dtype_uint32, 28)
NUMBER(aoti_torch_dtype_uint64, 29)

#define GETTER(name, type, value)                                                                            \
    int32_t name(void *tensor, type *result);                                                                \
    int32_t name(void *tensor, type *result) {                                                               \
        struct fake_tensor *t = tensor;                                                                      \
        *result = value;                                                                                     \
        return 0;                                                                                            \
    }
GETTER(aoti_torch_get_dim, int64_t, t->rank)
GETTER(aoti_torch_get_sizes, int64_t *, t->sizes)
GETTER(aoti_torch_get_strides, int64_t *, t->strides)
GETTER(aoti_torch_get_dtype, int32_t, t->type)
GETTER(aoti_torch_get_device_type, int32_t, t->device >= 0)
GETTER(aoti_torch_get_device_index, int32_t, t->device)
GETTER(aoti_torch_get_data_ptr, void *, (void *)(uintptr_t)t->address)

struct fake_tensor fake_tensor_of(int32_t type, int device, int rank, const int64_t *sizes) {
    struct fake_tensor t = {
        .rank = rank, .type = type, .device = device, .address = fake_torch.next_address += 256};
    int64_t dense = 1;
    for (int i = rank - 1; i >= 0; i--) {
        t.sizes[i] = sizes[i];
        t.strides[i] = dense;
        dense *= sizes[i] > 0 ? sizes[i] : 1;
    }
    return t;
}

uint64_t fake_tensor_handle(const struct fake_tensor *tensor) {
    struct fake_tensor *made = malloc(sizeof *made);
    *made = *tensor;
    fake_torch.alive++;
    return (uint64_t)(uintptr_t)made;
}

int32_t aoti_torch_empty_strided(int64_t rank, const int64_t *sizes, const int64_t *strides, int32_t type,
                                 int32_t device_type, int32_t device, void **tensor);
int32_t aoti_torch_empty_strided(int64_t rank, const int64_t *sizes, const int64_t *strides, int32_t type,
                                 int32_t device_type, int32_t device, void **tensor) {
    struct fake_tensor made = fake_tensor_of(type, device, (int)rank, sizes);
    bool dense = memcmp(made.strides, strides, (size_t)rank * sizeof *strides) == 0;
    *tensor = (void *)(uintptr_t)fake_tensor_handle(&made);
    return device_type != 1 || !dense;
}

int32_t aoti_torch_delete_tensor_object(void *tensor);
int32_t aoti_torch_delete_tensor_object(void *tensor) {
    fake_torch.alive--;
    free(tensor);
    return 0;
}

int32_t aoti_torch_get_current_cuda_stream(int32_t device, void **stream);
int32_t aoti_torch_get_current_cuda_stream(int32_t device, void **stream) {
    *stream = NULL;
    return device != fake_torch.current_device;
}

int32_t aoti_torch_create_cuda_guard(int32_t device, void **guard);
int32_t aoti_torch_create_cuda_guard(int32_t device, void **guard) {
    *guard = &fake_torch;
    fake_torch.guards++;
    fake.device = fake_torch.current_device = device;
    return 0;
}

int32_t aoti_torch_delete_cuda_guard(void *guard);
int32_t aoti_torch_delete_cuda_guard(void *guard) {
    fake_torch.guards--;
    fake.device = fake_torch.current_device = 0;
    return guard != &fake_torch;
}

int32_t aoti_torch_library_init_fragment(const char *space, const char *file, uint32_t line, void **library);
int32_t aoti_torch_library_init_fragment(const char *space, const char *file, uint32_t line, void **library) {
    (void)file, (void)line;
    snprintf(fake_torch.space, sizeof fake_torch.space, "%s", space);
    *library = &fake_torch;
    return 0;
}

int32_t aoti_torch_library_init_impl(const char *space, const char *key, const char *file, uint32_t line,
                                     void **library);
int32_t aoti_torch_library_init_impl(const char *space, const char *key, const char *file, uint32_t line,
                                     void **library) {
    (void)file, (void)line;
    *library = &fake_torch;
    return strcmp(space, fake_torch.space) != 0 || strcmp(key, "CUDA") != 0;
}

int32_t aoti_torch_library_def(void *library, const char *schema);
int32_t aoti_torch_library_def(void *library, const char *schema) {
    fake_torch.schemas[fake_torch.schema_count++] = schema;
    return library != &fake_torch;
}

int32_t aoti_torch_library_impl(void *library, const char *name, fake_operator *call);
int32_t aoti_torch_library_impl(void *library, const char *name, fake_operator *call) {
    fake_torch.names[fake_torch.operator_count] = name;
    fake_torch.operators[fake_torch.operator_count++] = call;
    return library != &fake_torch;
}

void aoti_torch_check(bool good, const char *function, const char *file, uint32_t line, const char *text);
void aoti_torch_check(bool good, const char *function, const char *file, uint32_t line, const char *text) {
    (void)function, (void)file, (void)line;
    if (!good) {
        snprintf(fake_torch.thrown, sizeof fake_torch.thrown, "%s", text);
        longjmp(fake_torch.where, 1);
    }
}

const char *fake_torch_schema(const char *name) {
    for (int i = 0; i < fake_torch.schema_count; i++) {
        size_t length = strlen(name);
        if (strncmp(fake_torch.schemas[i], name, length) == 0 && fake_torch.schemas[i][length] == '(') {
            return fake_torch.schemas[i];
        }
    }
    return "";
}

fake_operator *fake_torch_find(const char *name) {
    for (int i = 0; i < fake_torch.operator_count; i++) {
        if (strcmp(fake_torch.names[i], name) == 0) {
            return fake_torch.operators[i];
        }
    }
    fprintf(stderr, "no operator %s\n", name);
    exit(2);
}
