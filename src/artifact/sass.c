// NVIDIA's machine code as text, by ptxas and by nvdisasm, which lies beside it or on PATH. nvdisasm says of each instruction its line, or how
// many registers live there, and not both: it runs twice. The second run may fail (nvdisasm 13.1: for kernels of 255 registers).
#include <string.h>

#include "artifact/tool.h"

static bool runs(const char *program) {
    const char *argv[] = {program, "--version", NULL};
    return tool_run(argv, NULL, NULL);
}

// NULL: there is none.
static const char *find_nvdisasm(struct arena *arena, const char *ptxas) {
    const char *slash = strrchr(ptxas, '/');
    const char *beside = arena_printf(arena, "%.*snvdisasm", slash ? (int)(slash + 1 - ptxas) : 0, ptxas);
    return runs(beside) ? beside : slash && runs("nvdisasm") ? "nvdisasm" : NULL;
}

bool sass_listing(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                  const struct tkc_options *options, struct strbuf *lines, struct strbuf *lives,
                  struct diag *diag) {
    const char *tool, *assembler = ptxas_find(arena, options->ptxas, &tool);
    const char *disassembler = assembler ? find_nvdisasm(arena, assembler) : NULL;
    struct strbuf cubin = {0};
    struct tool_work work;
    struct tkc_options with_places = *options;
    with_places.ptxas = assembler;
    with_places.debug = TKC_DEBUG_LINES;
    if (!disassembler || !cubin_assemble(arena, ptx, length, target, &with_places, &cubin, &tool, diag) ||
        !tool_begin(&work, arena, diag)) {
        strbuf_free(&cubin);
        return false;
    }
    const char *path = tool_path(&work, "kernel.cubin");
    const char *with_lines[] = {disassembler, "-c", "-g", path, NULL};
    const char *with_lives[] = {disassembler, "-c", "-plr", "-lrm", "count", path, NULL};
    bool ok = tool_put(&work, "kernel.cubin", cubin.data, cubin.length) && tool_run(with_lines, lines, NULL);
    if (ok && !tool_run(with_lives, lives, NULL)) {
        strbuf_free(lives);
    }
    tool_end(&work, true);
    if (!ok) {
        diag_note(diag, (struct location){0}, "%s cannot print the machine code of %s that %s made",
                  disassembler, target->name, tool);
    }
    strbuf_free(&cubin);
    return ok;
}
