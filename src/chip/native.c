// The chip of this machine, for --target native. The NVIDIA driver library is opened by name, so tkc itself
// does not depend on a driver; AMD's kernel driver lists its GPUs in sysfs.
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/target.h"

enum { ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };

// The best row for a chip of this compute capability: the same number, an architecture-specific ("a") row
// before the plain one; else the highest plain row below.
static const struct target *best_nvidia(unsigned capability) {
    const struct target *best = NULL;
    for (size_t i = 0; i < target_count; i++) {
        const struct target *row = &target_table[i];
        if (row->vendor != VENDOR_NVIDIA || row->compute_capability > capability) {
            continue;
        }
        bool specific = row->name[strlen(row->name) - 1] == 'a';
        if (specific && row->compute_capability != capability) {
            continue;
        }
        if (!best || row->compute_capability >= best->compute_capability) {
            best = row;
        }
    }
    return best;
}

static const struct target *find_nvidia(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        return NULL;
    }
    int (*init)(unsigned);
    int (*get)(int *, int);
    int (*attribute)(int *, int, int);
    *(void **)&init = dlsym(library, "cuInit");
    *(void **)&get = dlsym(library, "cuDeviceGet");
    *(void **)&attribute = dlsym(library, "cuDeviceGetAttribute");
    int device, major, minor;
    bool found = init && get && attribute && init(0) == 0 && get(&device, 0) == 0 &&
                 attribute(&major, ATTRIBUTE_MAJOR, device) == 0 &&
                 attribute(&minor, ATTRIBUTE_MINOR, device) == 0;
    const struct target *target = found ? best_nvidia((unsigned)(major * 10 + minor)) : NULL;
    dlclose(library);
    return target;
}

// gfx_target_version is 90402 for gfx942: major, two digits of minor, two of stepping (hexadecimal in the
// name).
static const struct target *amd_node(const char *node) {
    char path[320], key[64], name[32];
    snprintf(path, sizeof path, "/sys/class/kfd/kfd/topology/nodes/%s/properties", node);
    FILE *file = fopen(path, "r");
    if (!file) {
        return NULL;
    }
    unsigned long long value, version = 0;
    while (fscanf(file, "%63s %llu", key, &value) == 2) {
        if (strcmp(key, "gfx_target_version") == 0) {
            version = value;
        }
    }
    fclose(file);
    snprintf(name, sizeof name, "gfx%llu%llu%llx", version / 10000, version / 100 % 100, version % 100);
    return version ? target_for_chip(name) : NULL;
}

static const struct target *find_amd(void) {
    struct dirent **nodes;
    int count = scandir("/sys/class/kfd/kfd/topology/nodes", &nodes, NULL, alphasort);
    const struct target *target = NULL;
    for (int i = 0; i < count; i++) {
        if (!target && nodes[i]->d_name[0] != '.') {
            target = amd_node(nodes[i]->d_name);
        }
        free(nodes[i]);
    }
    if (count >= 0) {
        free(nodes);
    }
    return target;
}

const struct target *target_native(void) {
    const struct target *target = find_nvidia();
    return target ? target : find_amd();
}
