// The fixed part of generated headers: src/artifact/launcher/*.h and include/tkc/tkc_driver.h, embedded in the binary at build time.
#ifndef TKC_ARTIFACT_LAUNCHER_H
#define TKC_ARTIFACT_LAUNCHER_H

#include <stddef.h>

struct launcher_part {
    const char *name; // "common", "cuda", "tkc_driver"
    const char *text;
    size_t length;
};

extern const struct launcher_part launcher_parts[]; // ended by a row whose name is NULL

#endif
