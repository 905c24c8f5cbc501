// NVIDIA's cubins: ELF with a section of code a kernel, and attributes in .nv.info. Without nvdisasm the code is
// compared by its bytes.
#include "diff.h"

#include <stdio.h>
#include <string.h>

#include "emulator/amdgcn/object.h"

// The attributes read, by cuobjdump's names (EIATTR_…), and the form of those with a size.
enum { FORM_SIZED = 4 };
enum attribute {
    ATTRIBUTE_MAX_THREADS = 0x05,
    ATTRIBUTE_REQNTID = 0x10,
    ATTRIBUTE_FRAME_SIZE = 0x11,
    ATTRIBUTE_REGCOUNT = 0x2f
};

static uint32_t word_at(const uint8_t *from, unsigned index) {
    uint32_t word;
    memcpy(&word, from + 4 * index, 4);
    return word;
}

// The attribute at *at, whose value is a word or *value with *size bytes; false: no more.
static bool next_attribute(const struct section *section, uint64_t *at, unsigned *id, const uint8_t **value,
                           unsigned *size) {
    const uint8_t *row = section->data + *at;
    if (!section->data || *at + 4 > section->size) {
        return false;
    }
    *id = row[1];
    *value = row + 4;
    *size = row[0] == FORM_SIZED ? row[2] | (unsigned)row[3] << 8 : 0;
    *at += 4 + *size;
    return *at <= section->size;
}

static struct kernel *kernel_named(const struct file *file, const char *name) {
    for (size_t i = 0; i < file->kernel_count; i++) {
        if (!strcmp(file->kernels[i]->name, name)) {
            return file->kernels[i];
        }
    }
    return NULL;
}

// Registers and stack: pairs of a symbol's number and a value, for the file as a whole.
static void read_shared_attributes(const struct code_object *object, const struct file *file) {
    struct section section = object_section(object, ".nv.info");
    const uint8_t *value;
    unsigned id, size;
    for (uint64_t at = 0; next_attribute(&section, &at, &id, &value, &size);) {
        struct object_symbol symbol;
        if (size < 8 || (id != ATTRIBUTE_REGCOUNT && id != ATTRIBUTE_FRAME_SIZE) ||
            !object_symbol_at(object, word_at(value, 0), &symbol)) {
            continue;
        }
        struct kernel *kernel = kernel_named(file, symbol.name);
        if (kernel) {
            kernel->metrics[id == ATTRIBUTE_REGCOUNT ? METRIC_REGISTERS : METRIC_STACK] = word_at(value, 1);
        }
    }
}

static void read_attributes(const struct code_object *object, struct kernel *kernel) {
    char name[1024];
    snprintf(name, sizeof name, ".nv.info.%s", kernel->name);
    struct section section = object_section(object, name);
    const uint8_t *value;
    unsigned id, size;
    for (uint64_t at = 0; next_attribute(&section, &at, &id, &value, &size);) {
        if (size >= 12 && (id == ATTRIBUTE_REQNTID || id == ATTRIBUTE_MAX_THREADS)) {
            kernel->metrics[METRIC_THREADS] =
                (long long)word_at(value, 0) * word_at(value, 1) * word_at(value, 2);
        }
    }
    snprintf(name, sizeof name, ".nv.shared.%s", kernel->name);
    kernel->metrics[METRIC_SHARED] = (long long)object_section(object, name).size;
}

// The compute capability stands in the lowest byte of the flags, or in the next one since CUDA 12.9.
static const char *chip_of(struct arena *arena, const struct code_object *object) {
    unsigned flags = object_flags(object), low = flags & 0xff;
    return arena_printf(arena, "sm_%u", low >= 50 ? low : flags >> 8 & 0xff);
}

static void add_kernel(struct loader *loader, struct file *file, const char *name, const char *chip,
                       const struct section *code) {
    struct kernel *kernel = load_kernel(loader, file, name, chip);
    uint8_t *copy = ARENA_ARRAY(loader->arena, uint8_t, code->size + 1);
    memcpy(copy, code->data, code->size);
    kernel->machine = copy;
    kernel->set = SET_SASS;
    kernel->machine_length = code->size;
    kernel->metrics[METRIC_CODE] = (long long)code->size;
}

// Constants beside the parameters (bank 0), and variables.
static bool is_data(const char *name) {
    return !strncmp(name, ".nv.global.init", 15) || !strncmp(name, ".rodata", 7) ||
           (!strncmp(name, ".nv.constant", 12) && name[12] != '0');
}

static void add_data(struct loader *loader, struct file *file, const char *name,
                     const struct section *section) {
    struct strbuf text = {0};
    for (uint64_t i = 0; i < section->size; i++) {
        strbuf_printf(&text, "%02x", section->data[i]);
    }
    load_property(loader, &file->properties, arena_printf(loader->arena, "data %s", name),
                  strbuf_text(&text));
    strbuf_free(&text);
}

bool load_cubin(struct loader *loader, const char *path, const uint8_t *bytes, size_t length) {
    struct code_object object = {bytes, length};
    struct file *file = load_file(loader, path, "cubin");
    const char *chip = chip_of(loader->arena, &object), *name;
    struct section section;
    load_property(loader, &file->properties, "target", chip);
    for (unsigned i = 0; (name = object_section_at(&object, i, &section)); i++) {
        bool code = !strncmp(name, ".text.", 6);
        if (code && !section.data) {
            return load_fault(loader, path, "the code of %s is not in the file: is it whole?", name + 6);
        }
        if (code) {
            add_kernel(loader, file, name + 6, chip, &section);
        } else if (section.data && is_data(name)) {
            add_data(loader, file, name, &section);
        }
    }
    read_shared_attributes(&object, file);
    for (size_t i = 0; i < file->kernel_count; i++) {
        struct kernel *kernel = file->kernels[i];
        read_attributes(&object, kernel);
        kernel->metrics[METRIC_OCCUPANCY] = metrics_occupancy(chip, kernel->metrics);
    }
    if (loader->nvdisasm) {
        return sass_read(loader, file, bytes, length);
    }
    loader->side->undecoded |= file->kernel_count != 0;
    return true;
}
