// AMD's code objects: figures of a kernel from the metadata, its code through LLVM's disassembler.
#include "chip/llvm.h"
#include "diff.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include "emulator/amdgcn/object.h"

// Numbers of registers: vector, accumulation and scalar ones in turn.
enum { REGISTERS_OF_A_KIND = 1024 };

struct reader {
    struct loader *loader;
    const char *path;
    struct code_object object;
    const char *chip;
    uint8_t *memory;
    uint64_t memory_size;
    struct file *file;
    struct code code;
};

// ---- text of an instruction ----

static unsigned long take_number(const char **at) {
    char *end;
    unsigned long number = strtoul(*at, &end, 10);
    *at = end;
    return number;
}

// `v12`, `a[4:7]`, `s[0:1]`. False: a name or a number.
static bool take_register(struct code *code, const char **text) {
    static const char kinds[] = "vas";
    const char *at = *text, *kind = *at ? strchr(kinds, *at) : NULL;
    bool row = kind && at[1] == '[';
    if (!kind || !isdigit((unsigned char)at[row ? 2 : 1])) {
        return false;
    }
    at += row ? 2 : 1;
    unsigned long first = take_number(&at), last = first;
    if (row && *at == ':') {
        at++;
        last = take_number(&at);
    }
    at += row && *at == ']';
    if (isalnum((unsigned char)*at) || *at == '_' || last < first || last >= REGISTERS_OF_A_KIND) {
        return false;
    }
    const char class[] = {*kind, 0};
    uint32_t base = (uint32_t)(kind - kinds) * REGISTERS_OF_A_KIND;
    code_register(code, class, base + (uint32_t)first, (unsigned)(last - first + 1));
    *text = at;
    return true;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static void add_operands(struct code *code, const char *at) {
    while (*at) {
        if (take_register(code, &at)) {
            continue;
        }
        size_t length = 0;
        while (is_name(at[length])) {
            length++;
        }
        if (length && isdigit((unsigned char)*at)) {
            code_number(code, at, length);
        } else {
            length += length == 0;
            code_text(code, at, length);
        }
        at += length;
    }
}

// Bytes from the instruction behind a branch to its target; false: no such branch.
static bool branch_distance(const char *text, int64_t *distance) {
    if (strncmp(text, "s_branch", 8) != 0 && strncmp(text, "s_cbranch_", 10) != 0) {
        return false;
    }
    const char *number = text + strcspn(text, " \t");
    *distance = 4 * (int64_t)(int16_t)strtol(number, NULL, 10);
    return true;
}

// Atomics without a result, and loads to shared memory, write no register.
static bool writes_nothing(const char *text) {
    bool atomic = strstr(text, "_atomic_") && !strstr(text, " sc0") && !strstr(text, " glc") &&
                  !strstr(text, "th:TH_ATOMIC_RETURN");
    size_t length = strlen(text);
    bool to_shared = length > 4 && !strcmp(text + length - 4, " lds");
    bool shared_atomic = !strncmp(text, "ds_", 3) && !strstr(text, "_rtn") && !strstr(text, "read") &&
                         !strstr(text, "load") && !strstr(text, "permute") && !strstr(text, "swizzle");
    return atomic || to_shared || shared_atomic;
}

static void add_one(struct reader *r, const char *text) {
    size_t name = strcspn(text, " \t");
    code_begin(&r->code, text, name);
    if (writes_nothing(text)) {
        r->code.writes = 0;
    }
    add_operands(&r->code, text + name + strspn(text + name, " \t"));
    code_end(&r->code, -1);
}

// Two instructions in one (`v_dual_mul … :: v_dual_mov …`) count as two.
static void add_instruction(struct reader *r, char *text) {
    for (char *c = text; *c; c++) {
        *c = *c == '\t' ? ' ' : *c;
    }
    text += strspn(text, " ");
    int64_t unused;
    if (branch_distance(text, &unused)) {
        code_begin(&r->code, text, strcspn(text, " "));
        code_end(&r->code, -1);
        return;
    }
    char *second = strstr(text, " :: ");
    if (!second) {
        add_one(r, text);
        return;
    }
    *second = 0;
    add_one(r, text);
    add_one(r, second + 4);
}

// ---- a kernel ----

static void set_targets(struct kernel *kernel, const int64_t *targets, const uint32_t *index_at,
                        uint64_t words) {
    for (size_t i = 0; i < kernel->count; i++) {
        int64_t word = targets[i] / 4;
        bool inside = targets[i] >= 0 && (uint64_t)word < words && index_at[word];
        kernel->code[i].target = inside ? (int32_t)index_at[word] - 1 : -1;
    }
}

static void mark_end(struct kernel *kernel, const char *text) {
    static const char *const names[] = {"s_branch", "s_endpgm", "s_setpc_b64"};
    text += strspn(text, " ");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        kernel->code[kernel->count - 1].ends |=
            !strncmp(text, names[i], length) && !isalnum((unsigned char)text[length]);
    }
}

static bool decode(struct reader *r, const uint8_t *bytes, uint64_t size) {
    LLVMDisasmContextRef context =
        LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa", r->chip, AMD_WHOLE_REGISTERS, NULL, 0, NULL, NULL);
    if (!context) {
        return load_fault(r->loader, r->path, "LLVM %s has no disassembler for %s", LLVM_MAJOR_TEXT, r->chip);
    }
    uint64_t words = size / 4 + 1, at = 0;
    uint32_t *index_at = calloc(words, sizeof *index_at); // plus 1
    int64_t *targets = calloc(2 * words, sizeof *targets);
    memset(targets, 0xff, 2 * words * sizeof *targets);
    while (at < size) {
        char text[512] = "";
        size_t taken =
            LLVMDisasmInstruction(context, (uint8_t *)bytes + at, size - at, at, text, sizeof text);
        if (!taken) {
            snprintf(text, sizeof text, ".long 0x%02x%02x%02x%02x", bytes[at + 3], bytes[at + 2],
                     bytes[at + 1], bytes[at]);
            taken = 4;
        }
        int64_t distance;
        index_at[at / 4] = (uint32_t)r->code.kernel->count + 1;
        if (branch_distance(text + strspn(text, " \t"), &distance)) {
            targets[r->code.kernel->count] = (int64_t)(at + taken) + distance;
        }
        add_instruction(r, text);
        mark_end(r->code.kernel, text);
        at += taken;
    }
    set_targets(r->code.kernel, targets, index_at, words);
    free(index_at);
    free(targets);
    LLVMDisasmDispose(context);
    return true;
}

static void add_figures(struct kernel *kernel, const struct object_kernel *about) {
    kernel->metrics[METRIC_REGISTERS] = about->vector_registers;
    kernel->metrics[METRIC_SCALARS] = about->scalar_registers;
    kernel->metrics[METRIC_SPILLS] = (long long)about->vector_spills + about->scalar_spills;
    kernel->metrics[METRIC_STACK] = about->scratch_bytes;
    kernel->metrics[METRIC_SHARED] = about->shared_bytes;
    kernel->metrics[METRIC_THREADS] = about->threads;
}

static void add_arguments(struct reader *r, struct kernel *kernel, unsigned index) {
    struct object_kernel *about = ARENA_NEW(r->loader->arena, struct object_kernel);
    struct strbuf error = {0};
    if (note_kernel(r->loader->arena, &r->object, index, about, &error)) {
        for (unsigned i = 0; i < about->argument_count; i++) {
            const struct object_argument *argument = &about->arguments[i];
            load_property(r->loader, &kernel->properties, arena_printf(r->loader->arena, "argument %u", i),
                          arena_printf(r->loader->arena, "%s of %u bytes at %u",
                                       argument->kind == ARGUMENT_POINTER ? "pointer"
                                       : argument->kind == ARGUMENT_VALUE ? "value"
                                                                          : "hidden",
                                       argument->size, argument->offset));
        }
    }
    strbuf_free(&error);
}

static bool add_code(struct reader *r, const char *name, uint64_t address, uint64_t size) {
    struct kernel *kernel = load_kernel(r->loader, r->file, name, r->chip);
    kernel->physical = true;
    kernel->set = SET_AMD;
    if (size % 4 || size > r->memory_size || address > r->memory_size - size) {
        return load_fault(r->loader, r->path, "the code of %s is not in the file: is it whole?", name);
    }
    r->code.kernel = kernel;
    if (!decode(r, r->memory + address, size)) {
        return false;
    }
    kernel->register_count = 3 * REGISTERS_OF_A_KIND;
    kernel->metrics[METRIC_INSTRUCTIONS] = (long long)kernel->count;
    kernel->metrics[METRIC_CODE] = (long long)size;
    return true;
}

static bool add_kernels(struct reader *r) {
    struct loader *loader = r->loader;
    struct object_kernel about;
    struct strbuf error = {0};
    bool good = true;
    for (unsigned i = 0; good && note_kernel_about(loader->arena, &r->object, i, &about, &error); i++) {
        uint64_t address, size;
        good =
            object_symbol(&r->object, about.name, &address, &size)
                ? add_code(r, about.name, address, size)
                : load_fault(loader, r->path, "the code object has no code of %s: is it whole?", about.name);
        if (good) {
            add_figures(r->code.kernel, &about);
            add_arguments(r, r->code.kernel, i);
            r->code.kernel->metrics[METRIC_OCCUPANCY] = metrics_occupancy(r->chip, r->code.kernel->metrics);
        }
    }
    if (good && error.length) {
        good = load_fault(loader, r->path, "%s: is the file whole?", strbuf_text(&error));
    }
    strbuf_free(&error);
    return good;
}

static bool is_kernel(const struct file *file, const char *name) {
    for (size_t i = 0; i < file->kernel_count; i++) {
        if (!strcmp(file->kernels[i]->name, name)) {
            return true;
        }
    }
    return false;
}

static void add_data(struct reader *r, const struct object_symbol *symbol) {
    struct strbuf text = {0};
    if (symbol->size > r->memory_size || symbol->address > r->memory_size - symbol->size) {
        return;
    }
    for (uint64_t i = 0; i < symbol->size; i++) {
        strbuf_printf(&text, "%02x", r->memory[symbol->address + i]);
    }
    load_property(r->loader, &r->file->properties, arena_printf(r->loader->arena, "data %s", symbol->name),
                  strbuf_text(&text));
    strbuf_free(&text);
}

// A kernel's called functions, and its constants. Descriptors (`.kd`) are in the metadata, too.
static bool add_others(struct reader *r) {
    struct object_symbol symbol;
    bool good = true;
    for (size_t i = 0; good && object_symbol_at(&r->object, i, &symbol); i++) {
        size_t length = strlen(symbol.name);
        bool is_descriptor = length > 3 && !strcmp(symbol.name + length - 3, ".kd");
        if (symbol.is_function && symbol.section && !is_kernel(r->file, symbol.name)) {
            good = add_code(r, symbol.name, symbol.address, symbol.size);
        } else if (symbol.is_data && symbol.section && !is_descriptor) {
            add_data(r, &symbol);
        }
    }
    return good;
}

bool load_object(struct loader *loader, const char *path, const uint8_t *bytes, size_t length) {
    struct reader r = {.loader = loader,
                       .path = path,
                       .object = {bytes, length},
                       .file = load_file(loader, path, "code object"),
                       .code = {.loader = loader, .set = SET_AMD}};
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    if (!object_is_linked(&r.object)) {
        return load_fault(loader, path, "the code object is not linked (ld.lld -shared)");
    }
    r.chip = note_chip(loader->arena, &r.object);
    if (!r.chip) {
        return load_fault(loader, path, "the code object does not say its chip: is the file whole?");
    }
    load_property(loader, &r.file->properties, "target", r.chip);
    r.memory = object_load(&r.object, &r.memory_size);
    bool good = r.memory ? add_kernels(&r) && add_others(&r)
                         : load_fault(loader, path, "the code object's segments are larger than 1 GiB");
    free(r.memory);
    strbuf_free(&r.code.shape);
    strbuf_free(&r.code.form);
    return good;
}
