/* As much of PyTorch's stable C interface as operators need, to record: tensors without elements, at addresses in steps of 256 bytes;
 * registered operators by name. PyTorch's exceptions jump to `fake_torch_thrown`. */
#ifndef TESTS_ARTIFACT_FAKE_TORCH_H
#define TESTS_ARTIFACT_FAKE_TORCH_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

enum fake_type { FAKE_HALF = 5, FAKE_INT = 3, FAKE_FLOAT = 6 };

struct fake_tensor {
    int64_t rank, sizes[4], strides[4];
    int32_t type, device; /* -1: the host */
    uint64_t address;
    bool is_view; /* of a tensor that the test keeps */
};

typedef void fake_operator(uint64_t *stack, uint64_t inputs, uint64_t outputs);

struct fake_torch {
    char space[16];
    const char *schemas[16], *names[16];
    fake_operator *operators[16];
    int schema_count, operator_count, alive; /* tensors */
    int current_device, guards;
    uint64_t next_address;
    char thrown[512];
    jmp_buf where;
};
extern struct fake_torch fake_torch;

const char *fake_torch_schema(const char *name);
fake_operator *fake_torch_find(const char *name);
struct fake_tensor fake_tensor_of(int32_t type, int device, int rank, const int64_t *sizes);
uint64_t fake_tensor_handle(const struct fake_tensor *tensor); /* the operator's own */

#endif
