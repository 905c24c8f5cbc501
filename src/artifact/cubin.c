// .cubin: PTX assembled by NVIDIA's ptxas, where it is installed.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/tool.h"
#include "support/file.h"

// "Cuda compilation tools, release 12.9, V12.9.86": the version after the V.
static bool ptxas_version(struct arena *arena, const char *ptxas, const char **version) {
    const char *argv[] = {ptxas, "--version", NULL};
    struct strbuf text = {0};
    bool ok = tool_run(argv, &text, NULL);
    const char *at = ok ? strstr(strbuf_text(&text), ", V") : NULL;
    if (at) {
        size_t length = strspn(at + 3, "0123456789.");
        *version = arena_printf(arena, "ptxas %.*s", (int)length, at + 3);
    }
    strbuf_free(&text);
    return at != NULL;
}

static const char *find_ptxas(struct arena *arena, const char *named, const char **version,
                              struct diag *diag) {
    const char *home = getenv("CUDA_HOME");
    const char *candidates[] = {home && *home ? arena_printf(arena, "%s/bin/ptxas", home) : "ptxas", "ptxas",
                                "/usr/local/cuda/bin/ptxas"};
    if (named) {
        if (ptxas_version(arena, named, version)) {
            return named;
        }
        diag_error(diag, (struct location){0}, "--ptxas %s is no ptxas that runs", named);
        return NULL;
    }
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        if (ptxas_version(arena, candidates[i], version)) {
            return candidates[i];
        }
    }
    diag_error(diag, (struct location){0},
               "assembling .cubin needs ptxas of the CUDA toolkit: put it on PATH, or give --ptxas PATH, or "
               "write .ptx");
    return NULL;
}

bool cubin_assemble(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                    const char *ptxas, bool line_info, struct strbuf *out, const char **tool,
                    struct diag *diag) {
    const char *assembler = find_ptxas(arena, ptxas, tool, diag);
    if (!assembler) {
        return false;
    }
    const char *folder = tool_folder(arena, diag);
    if (!folder || !tool_put(arena, folder, "kernel.ptx", ptx, length, diag)) {
        return false;
    }
    const char *result = arena_printf(arena, "%s/kernel.cubin", folder);
    const char *argv[8] = {assembler,
                           arena_printf(arena, "--gpu-name=%s", target->name),
                           "-O3",
                           "-o",
                           result,
                           arena_printf(arena, "%s/kernel.ptx", folder),
                           line_info ? "-lineinfo" : NULL,
                           NULL};
    if (!tool_run(argv, NULL, diag)) {
        return false;
    }
    size_t size;
    char *bytes = file_read(result, &size);
    if (!bytes) {
        diag_error(diag, (struct location){0}, "%s wrote no %s: %s", assembler, result, strerror(errno));
        return false;
    }
    strbuf_add_bytes(out, bytes, size);
    free(bytes);
    tool_remove(arena, folder);
    return true;
}
