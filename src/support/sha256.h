// SHA-256 (FIPS 180-4).
#ifndef TKC_SUPPORT_SHA256_H
#define TKC_SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

struct sha256 {
    uint32_t state[8];
    uint64_t length; // bytes taken
    uint8_t block[64];
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t length);
void sha256_end(struct sha256 *hash, uint8_t digest[SHA256_BYTES]);

#endif
