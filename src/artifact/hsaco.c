// .hsaco: an AMDGPU object, linked into a shared object by LLD.
//
// LLD before 17 rejects code objects of version 5, and the plain `ld.lld` of a distribution is often old. So
// the LLD of this build's LLVM is tried first, and each candidate's version is read. A linker script discards
// the section .comment with LLD's version: a new patch level of the linker changes no artifact.
#include <stdlib.h>
#include <string.h>

#include "artifact/tool.h"
#include "chip/llvm.h"

enum { LLD_OLDEST = 17 };

// "LLD 19.1.7 (compatible with GNU linkers)", with or without a vendor's word before it. Returns the major
// version; 0: not LLD.
static int lld_version(struct arena *arena, const char *ld, const char **version) {
    const char *argv[] = {ld, "--version", NULL};
    struct strbuf text = {0};
    int major = 0;
    if (tool_run(argv, &text, NULL)) {
        const char *at = strstr(strbuf_text(&text), "LLD ");
        if (at) {
            size_t length = 4 + strspn(at + 4, "0123456789.");
            *version = arena_strndup(arena, at, length);
            major = atoi(at + 4);
        }
    }
    strbuf_free(&text);
    return major;
}

static const char *find_lld(struct arena *arena, const char *named, const char **version, struct diag *diag) {
    // LLVM's own linker of this build's version first, then a newer default, then the other version.
    static const char *const candidates[] = {"ld.lld-" LLVM_MAJOR_TEXT,
                                             "/usr/lib/llvm-" LLVM_MAJOR_TEXT "/bin/ld.lld", "ld.lld",
                                             "ld.lld-22", "ld.lld-19"};
    if (named) {
        int major = lld_version(arena, named, version);
        if (major >= LLD_OLDEST) {
            return named;
        }
        if (major) {
            diag_error(diag, (struct location){0}, "--ld %s is LLD %d; linking .hsaco needs LLD %d or later",
                       named, major, LLD_OLDEST);
        } else {
            diag_error(diag, (struct location){0}, "--ld %s is no LLD that runs", named);
        }
        return NULL;
    }
    int newest = 0;
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        int major = lld_version(arena, candidates[i], version);
        if (major >= LLD_OLDEST) {
            return candidates[i];
        }
        newest = major > newest ? major : newest;
    }
    if (newest) {
        diag_error(diag, (struct location){0},
                   "the only LLD found is version %d; .hsaco needs %d or later: install lld-" LLVM_MAJOR_TEXT
                   ", or give --ld PATH",
                   newest, LLD_OLDEST);
    } else {
        diag_error(diag, (struct location){0},
                   "linking .hsaco needs LLD: install lld-" LLVM_MAJOR_TEXT ", or give --ld PATH");
    }
    return NULL;
}

bool hsaco_link(struct arena *arena, const struct strbuf *objects, size_t count, const char *ld,
                struct strbuf *out, const char **tool, struct diag *diag) {
    static const char script[] = "SECTIONS { /DISCARD/ : { *(.comment) } } INSERT AFTER .text;\n";
    const char *linker = find_lld(arena, ld, tool, diag);
    if (!linker) {
        return false;
    }
    struct tool_work work;
    if (!tool_begin(&work, arena, diag)) {
        return false;
    }
    const char *fixed[] = {linker, "-shared", "--no-undefined", "--build-id=none", "-T", NULL, "-o", NULL};
    enum { FIXED = sizeof fixed / sizeof *fixed };
    const char **argv = ARENA_ARRAY(arena, const char *, FIXED + count + 1);
    fixed[5] = tool_path(&work, "discard.ld");
    fixed[7] = tool_path(&work, "kernel.hsaco");
    memcpy(argv, fixed, sizeof fixed);
    bool ok = tool_put(&work, "discard.ld", script, sizeof script - 1);
    for (size_t i = 0; i < count && ok; i++) {
        const char *name = count > 1 ? arena_printf(arena, "kernel%zu.o", i) : "kernel.o";
        argv[FIXED + i] = tool_path(&work, name);
        ok = tool_put(&work, name, objects[i].data, objects[i].length);
    }
    argv[FIXED + count] = NULL;
    ok = ok && tool_run(argv, NULL, diag) && tool_get(&work, linker, "kernel.hsaco", out);
    tool_end(&work, ok);
    return ok;
}
