/* The stub device: see device_stub.h. */
#include "device_stub.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1024 };

static bool elf_holds(const unsigned char *image, const char *name) {
    uint64_t sections_at;
    memcpy(&sections_at, image + 0x28, sizeof sections_at); /* e_shoff */
    size_t end = sections_at;                               /* LLD puts the section headers last */
    size_t length = strlen(name);
    for (size_t at = 0; at + length < end; at++) {
        if (memcmp(image + at, name, length) == 0) {
            return true;
        }
    }
    return false;
}

bool device_stub_has_kernel(const void *image, const char *name) {
    if (memcmp(image, "\177ELF", 4) == 0) {
        return elf_holds(image, name);
    }
    char entry[128];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    return strstr(image, entry) != NULL;
}

bool device_stub_vector_add(unsigned blocks, unsigned threads, void **arguments) {
    const float *x = *(const float **)arguments[0], *y = *(const float **)arguments[1];
    float *z = *(float **)arguments[2];
    int n = *(const int *)arguments[3];
    if ((uint64_t)blocks * BLOCK < (uint64_t)n || (threads != 128 && threads != 256)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        z[i] = x[i] + y[i];
    }
    return true;
}

/* ---- matmul ---- */

struct matmul {
    uint64_t a, b, c;
    int m, n, k, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn;
};

/* Zeros and normal numbers; a result is not rounded. */
static float half_value(uint16_t half) {
    uint32_t bits = (uint32_t)(half & 0x8000) << 16;
    float value;
    if (half & 0x7fff) {
        bits |= (uint32_t)((half & 0x7fff) + (112 << 10)) << 13;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t half_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t magnitude = bits & 0x7fffffff;
    return (uint16_t)(bits >> 16 & 0x8000) | (uint16_t)(magnitude ? (magnitude >> 13) - (112 << 10) : 0);
}

static struct matmul matmul_arguments(void **arguments) {
    struct matmul p;
    uint64_t *pointers[] = {&p.a, &p.b, &p.c};
    int *numbers[] = {&p.m,         &p.n,         &p.k,         &p.stride_am, &p.stride_ak,
                      &p.stride_bk, &p.stride_bn, &p.stride_cm, &p.stride_cn};
    for (int i = 0; i < 3; i++) {
        memcpy(pointers[i], arguments[i], sizeof *pointers[i]);
    }
    for (int i = 0; i < 9; i++) {
        memcpy(numbers[i], arguments[3 + i], sizeof *numbers[i]);
    }
    return p;
}

/* Rows behind columns; an empty matrix is one element of zeros elsewhere. */
static bool describes(const struct device_stub_map *map, uint64_t address, int rows, int columns,
                      int stride) {
    if (rows <= 0 || columns <= 0) {
        return map->rank == 2 && map->sizes[0] == 1 && map->sizes[1] == 1 &&
               *(const uint32_t *)(size_t)map->address == 0;
    }
    return map->address == address && map->rank == 2 && map->sizes[0] == (uint64_t)columns &&
           map->sizes[1] == (uint64_t)rows && (rows == 1 || map->strides[0] == 2 * (uint64_t)stride);
}

static bool hidden_is_right(const char *image, const struct matmul *p, unsigned blocks, void **arguments) {
    const char *at = strstr(image, ".entry matmul("), *end = strchr(at, ')');
    uint64_t programs = 1;
    bool sides = false;
    for (int i = 0; (at = strstr(at, ".param")) && at < end; at++, i++) {
        const char *line = strpbrk(at, ",)");
        const char *array = strstr(at, "[128]");
        if (i < 12) {
            continue;
        }
        if (array && array < line) {
            const struct device_stub_map *map = arguments[i];
            if ((uintptr_t)map % 64 || !(describes(map, p->a, p->m, p->k, p->stride_am) ||
                                         describes(map, p->b, p->k, p->n, p->stride_bk) ||
                                         describes(map, p->c, p->m, p->n, p->stride_cm))) {
                return false;
            }
        } else {
            programs *= *(unsigned *)arguments[i];
            sides = true;
        }
    }
    return !sides || programs >= blocks;
}

bool device_stub_matmul(const char *image, unsigned blocks, unsigned threads, void **arguments) {
    struct matmul p = matmul_arguments(arguments);
    const uint16_t *a = (uint16_t *)p.a, *b = (uint16_t *)p.b;
    uint16_t *c = (uint16_t *)p.c;
    if (!blocks || threads % 32 || !threads || !hidden_is_right(image, &p, blocks, arguments)) {
        return false;
    }
    for (int row = 0; row < p.m; row++) {
        for (int column = 0; column < p.n; column++) {
            float sum = 0;
            for (int i = 0; i < p.k; i++) {
                sum += half_value(a[row * p.stride_am + i * p.stride_ak]) *
                       half_value(b[i * p.stride_bk + column * p.stride_bn]);
            }
            c[row * p.stride_cm + column * p.stride_cn] = half_bits(sum);
        }
    }
    return true;
}
