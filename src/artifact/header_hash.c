// FNV-1a, the hash in the names of a launcher header's shared symbols and in its include guard.
#include "artifact/header.h"

void header_hash(uint64_t *hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint64_t sum = *hash; // a local: `bytes` might alias *hash
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    }
    *hash = sum;
}

uint64_t header_hash_above(const struct writer *w) {
    header_hash(&w->above->hash, w->out->data + w->above->length, w->out->length - w->above->length);
    w->above->length = w->out->length;
    return w->above->hash;
}
