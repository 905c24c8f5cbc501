// NVIDIA's machine code as text, by ptxas and by nvdisasm, which lies beside it or on PATH. nvdisasm says of each instruction its line, or how
// many registers live there, and not both: it runs twice. The second run refuses kernels of 255 registers (nvdisasm 13.1: "Invalid register
// count"), the most that a thread has; their copy for this run says 254, and the listing is of all the same.
#include <elf.h>
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

// A section's bytes within the file; NULL: it is none of the name, or the file is cut off.
static char *section_named(struct strbuf *file, const Elf64_Ehdr *head, unsigned number, const char *name,
                           size_t *size) {
    Elf64_Shdr section, names;
    memcpy(&section, file->data + head->e_shoff + number * sizeof section, sizeof section);
    memcpy(&names, file->data + head->e_shoff + head->e_shstrndx * sizeof names, sizeof names);
    size_t at = names.sh_offset + section.sh_name, length = strlen(name) + 1;
    if (at + length > file->length || memcmp(file->data + at, name, length) != 0 ||
        section.sh_offset + section.sh_size > file->length) {
        return NULL;
    }
    *size = section.sh_size;
    return file->data + section.sh_offset;
}

// In a section .nv.info: a row is a format, an attribute, and a size or a value; of format SIZED that many bytes follow. The attribute
// COUNT has the number of a symbol and its registers, four bytes each.
static void lower_counts(char *row, const char *end) {
    enum { SIZED = 4, COUNT = 0x2f, HEAD = 4, MOST = 255 };
    while (end - row >= HEAD) {
        uint16_t size;
        memcpy(&size, row + 2, sizeof size);
        size_t length = HEAD + (row[0] == SIZED ? size : 0);
        if ((size_t)(end - row) < length) {
            return;
        }
        if (row[1] == COUNT && size == 8 && (unsigned char)row[8] == MOST) {
            row[8] = (char)(MOST - 1);
        }
        row += length;
    }
}

// Makes a cubin fit for nvdisasm's second run.
static void fit_for_lives(struct strbuf *cubin) {
    Elf64_Ehdr head;
    if (cubin->length < sizeof head) {
        return;
    }
    memcpy(&head, cubin->data, sizeof head);
    size_t sections = (size_t)head.e_shnum * sizeof(Elf64_Shdr);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shoff > cubin->length ||
        sections > cubin->length - head.e_shoff || head.e_shstrndx >= head.e_shnum) {
        return;
    }
    for (unsigned i = 0; i < head.e_shnum; i++) {
        size_t size;
        char *info = section_named(cubin, &head, i, ".nv.info", &size);
        if (info) {
            lower_counts(info, info + size);
        }
    }
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
    fit_for_lives(&cubin);
    if (ok &&
        !(tool_put(&work, "kernel.cubin", cubin.data, cubin.length) && tool_run(with_lives, lives, NULL))) {
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
