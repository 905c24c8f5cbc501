// The files of the fixed runtime, embedded in the binary at build time: src/artifact/launcher/*.h,
// include/tkc/tkc_driver.h.
#ifndef TKC_ARTIFACT_LAUNCHER_H
#define TKC_ARTIFACT_LAUNCHER_H

#include <stddef.h>

struct launcher_part {
    const char *name; // "common", "cuda", "tkc_driver"
    const char *text;
    size_t length;
};

extern const struct launcher_part launcher_parts[]; // the last row has the name NULL

#endif
