// Registers and scratch memory of AMD kernels, from the metadata of final code: lines of assembly, or MessagePack in an object.
//
// test: tests/unit/test_spills.c
#define _GNU_SOURCE // memmem
#include "codegen/spills.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The number behind a key: ":  472", or an unsigned number of MessagePack.
static unsigned number_at(const unsigned char *at, const unsigned char *end, bool object) {
    enum { BYTE = 0xcc, LARGEST_SMALL = 0x7f };
    if (!object) {
        return (unsigned)strtoul((const char *)at + strspn((const char *)at, ": "), NULL, 10);
    }
    unsigned value = at < end ? *at : 0;
    if (value >= BYTE && value <= BYTE + 2) { // of 1, 2 or 4 bytes, the highest first
        unsigned bytes = 1u << (value - BYTE);
        for (value = 0; bytes-- && ++at < end;) {
            value = value << 8 | *at;
        }
        return value;
    }
    return value <= LARGEST_SMALL ? value : 0;
}

// The largest value of a key over the kernels of the code; with kernel >= 0, that kernel's value.
static unsigned largest(const char *code, size_t length, bool object, const char *key, ptrdiff_t kernel) {
    unsigned result = 0;
    ptrdiff_t found = 0;
    const char *end = code + length;
    for (const char *at = code; (at = memmem(at, (size_t)(end - at), key, strlen(key))) != NULL; found++) {
        at += strlen(key);
        unsigned number = number_at((const unsigned char *)at, (const unsigned char *)end, object);
        result = number > result && (kernel < 0 || found == kernel) ? number : result;
    }
    return result;
}

// Fragments that wait in scratch memory (park.c) count as spilled values where they are more than LLVM has spilled: its are in that memory, too.
static unsigned with_parked(unsigned spilled, unsigned bytes) {
    enum { WORD = 4 };
    unsigned words = bytes / WORD, parked = words > spilled ? words - spilled : 0;
    return parked > spilled ? parked : spilled;
}

static struct spills read_kernel(const char *code, size_t length, bool object, ptrdiff_t kernel) {
    struct spills read = {.registers = largest(code, length, object, ".vgpr_count", kernel),
                          .accumulators = largest(code, length, object, ".agpr_count", kernel),
                          .scalars = largest(code, length, object, ".sgpr_count", kernel),
                          .spilled = largest(code, length, object, ".vgpr_spill_count", kernel),
                          .bytes = largest(code, length, object, ".private_segment_fixed_size", kernel)};
    read.spilled = with_parked(read.spilled, read.bytes);
    return read;
}

struct spills spills_read(const char *code, size_t length, bool object) {
    return read_kernel(code, length, object, -1);
}

struct spills spills_of_kernel(const char *code, size_t length, bool object, size_t kernel) {
    return read_kernel(code, length, object, (ptrdiff_t)kernel);
}
