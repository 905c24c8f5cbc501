// .cubin: PTX assembled by NVIDIA's ptxas, if it is installed; and what ptxas says of the kernels.
//
// A .cubin records the options of its assembly, so figures (ptxas -v) are a run of their own.
#include <elf.h>
#include <stdio.h>
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

// NULL without ptxas: an error in diag, unless that is NULL.
static const char *find_assembler(struct arena *arena, const char *named, const char **version,
                                  struct diag *diag) {
    const char *home = getenv("CUDA_HOME");
    const char *candidates[] = {home && *home ? arena_printf(arena, "%s/bin/ptxas", home) : "ptxas", "ptxas",
                                "/usr/local/cuda/bin/ptxas"};
    if (named) {
        if (ptxas_version(arena, named, version)) {
            return named;
        }
        if (diag) {
            diag_error(diag, (struct location){0}, "--ptxas %s is no ptxas that runs", named);
        }
        return NULL;
    }
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        if (ptxas_version(arena, candidates[i], version)) {
            return candidates[i];
        }
    }
    if (diag) {
        diag_error(diag, (struct location){0},
                   "assembling .cubin needs ptxas of the CUDA toolkit: put it on PATH, or give --ptxas PATH, "
                   "or write .ptx");
    }
    return NULL;
}

const char *ptxas_find(struct arena *arena, const char *named, const char **version) {
    return find_assembler(arena, named, version, NULL);
}

// `messages`: what ptxas -v says; NULL: the .cubin is wanted, in `out`.
static bool assemble(struct arena *arena, const char *assembler, const char *ptx, size_t length,
                     const struct target *target, const struct tkc_options *options, struct strbuf *messages,
                     struct strbuf *out, struct diag *diag) {
    struct tool_work work;
    if (!tool_begin(&work, arena, diag)) {
        return false;
    }
    bool full = options->debug == TKC_DEBUG_FULL; // ptxas accepts -g with -O0 only
    const char *own[] = {assembler,
                         arena_printf(arena, "--gpu-name=%s", target->name),
                         full ? "-O0" : "-O3",
                         "-o",
                         tool_path(&work, "kernel.cubin"),
                         tool_path(&work, "kernel.ptx")};
    size_t count = sizeof own / sizeof *own;
    const char **argv = ARENA_ARRAY(arena, const char *, count + options->ptxas_option_count + 3);
    memcpy(argv, own, sizeof own);
    if (options->debug != TKC_DEBUG_NONE) {
        argv[count++] = full ? "-g" : "-lineinfo";
    }
    if (messages) {
        argv[count++] = "-v";
    }
    for (size_t i = 0; i < options->ptxas_option_count; i++) {
        argv[count++] = options->ptxas_options[i];
    }
    argv[count] = NULL;
    bool ok = tool_put(&work, "kernel.ptx", ptx, length) && tool_run(argv, messages, diag) &&
              (messages || tool_get(&work, assembler, "kernel.cubin", out));
    tool_end(&work, ok);
    return ok;
}

bool cubin_assemble(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                    const struct tkc_options *options, struct strbuf *out, const char **tool,
                    struct diag *diag) {
    const char *assembler = find_assembler(arena, options->ptxas, tool, diag);
    return assembler && assemble(arena, assembler, ptx, length, target, options, NULL, out, diag);
}

// ---- figures ----

// The attribute EIATTR_FRAME_SIZE of the section .nv.info: a byte 4, a byte 0x11, the size 8, the kernel's symbol, and the bytes.
static bool info_has_frame(const unsigned char *info, size_t length) {
    enum { SIZED = 4, FRAME_SIZE = 0x11, RECORD = 12 };
    for (size_t at = 0; at + 4 <= length;) {
        size_t size = info[at] == SIZED ? info[at + 2] | (size_t)info[at + 3] << 8 : 0;
        uint32_t bytes = 0;
        if (info[at] == SIZED && info[at + 1] == FRAME_SIZE && at + RECORD <= length) {
            memcpy(&bytes, info + at + 8, sizeof bytes);
        }
        if (bytes) {
            return true;
        }
        at += 4 + size;
    }
    return false;
}

bool cubin_has_stack(const void *bytes, size_t length) {
    const Elf64_Ehdr *header = bytes;
    const unsigned char *start = bytes;
    if (length < sizeof *header || header->e_shoff > length ||
        header->e_shnum > (length - header->e_shoff) / sizeof(Elf64_Shdr) ||
        header->e_shstrndx >= header->e_shnum) {
        return false;
    }
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(start + header->e_shoff);
    const Elf64_Shdr *names = &sections[header->e_shstrndx];
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *section = &sections[i];
        bool inside = section->sh_offset <= length && section->sh_size <= length - section->sh_offset;
        bool named = names->sh_offset + section->sh_name + sizeof ".nv.info" <= length &&
                     strcmp((const char *)start + names->sh_offset + section->sh_name, ".nv.info") == 0;
        if (inside && named && info_has_frame(start + section->sh_offset, section->sh_size)) {
            return true;
        }
    }
    return false;
}

// The number in front of `unit` in the line.
static unsigned number_before(const char *line, const char *unit) {
    const char *end = strchr(line, '\n'), *at = strstr(line, unit);
    if (!at || (end && at > end)) {
        return 0;
    }
    while (at > line && at[-1] >= '0' && at[-1] <= '9') {
        at--;
    }
    return (unsigned)strtoul(at, NULL, 10);
}

// "Function properties for k", and in the lines behind it "376 bytes stack frame, 508 bytes spill stores, 456 bytes spill loads" and
// "Used 255 registers, …".
static void read_report(struct arena *arena, const char *text, struct ptxas_figures **all, size_t *count) {
    static const char start[] = "Function properties for ";
    size_t capacity = 0;
    struct ptxas_figures *one = NULL;
    *all = NULL;
    *count = 0;
    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        const char *name = strstr(line, start), *end = strchr(line, '\n');
        if (name && (!end || name < end)) {
            name += sizeof start - 1;
            *all = arena_grown(arena, *all, *count, &capacity, sizeof **all);
            one = &(*all)[(*count)++];
            *one = (struct ptxas_figures){.kernel = arena_strndup(arena, name, strcspn(name, "\r\n"))};
        } else if (one) {
            one->stack += number_before(line, " bytes stack frame");
            one->spill_stores += number_before(line, " bytes spill stores");
            one->spill_loads += number_before(line, " bytes spill loads");
            one->registers += number_before(line, " registers,");
        }
    }
}

bool ptxas_report(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                  const struct tkc_options *options, struct ptxas_figures **all, size_t *count,
                  const char **tool, struct diag *diag) {
    const char *assembler = ptxas_find(arena, options->ptxas, tool);
    struct strbuf messages = {0}, none = {0};
    bool ok = assembler && assemble(arena, assembler, ptx, length, target, options, &messages, &none, diag);
    if (ok) {
        read_report(arena, strbuf_text(&messages), all, count);
    }
    strbuf_free(&messages);
    return ok;
}
