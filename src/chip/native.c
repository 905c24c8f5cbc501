// The chip of this machine, for --target native. The NVIDIA driver library is opened by name, so tkc itself
// does not depend on a driver; AMD's kernel driver lists its GPUs in sysfs.
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/target.h"

enum { ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };

// How well a row serves a chip of this compute capability, as launchers rank images (artifact/launcher/image.h): its own row,
// then the newest of its family, then the newest plain one. 0: not at all.
static unsigned rank_nvidia(const struct target *row, unsigned capability) {
    enum { RANK = 1024 };
    static const unsigned classes[] = {
        [REACH_LATER] = RANK, [REACH_FAMILY] = 2 * RANK, [REACH_OWN] = 3 * RANK};
    enum target_reach reach = target_reach(row);
    unsigned of = row->compute_capability;
    bool runs = row->vendor == VENDOR_NVIDIA && of <= capability &&
                (reach != REACH_OWN || of == capability) &&
                (reach != REACH_FAMILY || of / 10 == capability / 10);
    return runs ? classes[reach] + of : 0;
}

const struct target *target_for_capability(unsigned capability) {
    const struct target *best = NULL;
    for (size_t i = 0; i < target_count; i++) {
        unsigned rank = rank_nvidia(&target_table[i], capability);
        best = rank > (best ? rank_nvidia(best, capability) : 0) ? &target_table[i] : best;
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
    const struct target *target = found ? target_for_capability((unsigned)(major * 10 + minor)) : NULL;
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
