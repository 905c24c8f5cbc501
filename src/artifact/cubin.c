// .cubin: PTX assembled by NVIDIA's ptxas, if it is installed.
#include <stdlib.h>
#include <string.h>

#include "artifact/tool.h"

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
                    const char *ptxas, enum tkc_debug debug, struct strbuf *out, const char **tool,
                    struct diag *diag) {
    const char *assembler = find_ptxas(arena, ptxas, tool, diag);
    if (!assembler) {
        return false;
    }
    struct tool_work work;
    if (!tool_begin(&work, arena, diag)) {
        return false;
    }
    bool full = debug == TKC_DEBUG_FULL; // ptxas accepts -g with -O0 only
    const char *argv[8] = {assembler,
                           arena_printf(arena, "--gpu-name=%s", target->name),
                           full ? "-O0" : "-O3",
                           "-o",
                           tool_path(&work, "kernel.cubin"),
                           tool_path(&work, "kernel.ptx"),
                           full                       ? "-g"
                           : debug == TKC_DEBUG_LINES ? "-lineinfo"
                                                      : NULL,
                           NULL};
    bool ok = tool_put(&work, "kernel.ptx", ptx, length) && tool_run(argv, NULL, diag) &&
              tool_get(&work, assembler, "kernel.cubin", out);
    tool_end(&work, ok);
    return ok;
}
