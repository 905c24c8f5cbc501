// Sections, symbols and segments of a code object: ELF64, little-endian (System V ABI; LLVM's AMDGPU usage guide, "Code
// Object").
#include "emulator/amdgcn/object.h"

#include <elf.h>

enum { MOST_BYTES = 1 << 30 };

static bool is_inside(const struct code_object *object, uint64_t offset, uint64_t size) {
    return size <= object->length && offset <= object->length - size;
}

static const Elf64_Ehdr *header_of(const struct code_object *object) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;
    if (object->length < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
        return NULL;
    }
    bool good = is_inside(object, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr)) &&
                is_inside(object, header->e_phoff, header->e_phnum * sizeof(Elf64_Phdr)) &&
                header->e_shoff % _Alignof(Elf64_Shdr) == 0 && header->e_phoff % _Alignof(Elf64_Phdr) == 0 &&
                header->e_shstrndx < header->e_shnum;
    return good ? header : NULL;
}

static const Elf64_Shdr *sections_of(const struct code_object *object) {
    return (const Elf64_Shdr *)(object->bytes + header_of(object)->e_shoff);
}

static struct section contents(const struct code_object *object, const Elf64_Shdr *section) {
    struct section found = {NULL, section->sh_size, section->sh_addr};
    if (section->sh_type != SHT_NOBITS && is_inside(object, section->sh_offset, section->sh_size)) {
        found.data = object->bytes + section->sh_offset;
    }
    return found;
}

bool object_check_file(const struct code_object *object, struct strbuf *error) {
    if (!header_of(object)) {
        strbuf_add(error, "the code object is no complete 64-bit little-endian ELF file");
    }
    return error->length == 0;
}

unsigned object_machine(const struct code_object *object) {
    return header_of(object)->e_machine;
}

unsigned object_flags(const struct code_object *object) {
    return header_of(object)->e_flags;
}

bool object_check(const struct code_object *object, struct strbuf *error) {
    if (!object_check_file(object, error)) {
        return false;
    }
    const Elf64_Ehdr *header = header_of(object);
    if (header->e_machine != EM_AMDGPU) {
        strbuf_printf(error, "the code object is for ELF machine %u, not for AMD GPUs (%u)",
                      header->e_machine, EM_AMDGPU);
    } else if (header->e_type != ET_DYN && header->e_type != ET_REL) {
        strbuf_printf(
            error, "the code object has ELF type %u, and is neither linked (ld.lld -shared) nor to be linked",
            header->e_type);
    }
    return error->length == 0;
}

// The name at an offset of a table of names; "" where it does not end inside.
static const char *name_at(struct section names, uint64_t at) {
    bool ends = names.data && at < names.size && memchr(names.data + at, 0, names.size - at);
    return ends ? (const char *)names.data + at : "";
}

const char *object_section_at(const struct code_object *object, unsigned index, struct section *section) {
    const Elf64_Ehdr *header = header_of(object);
    const Elf64_Shdr *sections = sections_of(object);
    if (index >= header->e_shnum) {
        return NULL;
    }
    *section = contents(object, &sections[index]);
    return name_at(contents(object, &sections[header->e_shstrndx]), sections[index].sh_name);
}

struct section object_section(const struct code_object *object, const char *name) {
    struct section section;
    const char *found;
    for (unsigned i = 0; (found = object_section_at(object, i, &section)); i++) {
        if (!strcmp(found, name)) {
            return section;
        }
    }
    return (struct section){0};
}

bool object_symbol_at(const struct code_object *object, size_t index, struct object_symbol *symbol) {
    bool linked = object_is_linked(object);
    struct section table = object_section(object, linked ? ".dynsym" : ".symtab"),
                   names = object_section(object, linked ? ".dynstr" : ".strtab");
    Elf64_Sym found;
    if (!table.data || index >= table.size / sizeof found) {
        return false;
    }
    memcpy(&found, table.data + index * sizeof found, sizeof found);
    *symbol = (struct object_symbol){name_at(names, found.st_name),
                                     found.st_value,
                                     found.st_size,
                                     found.st_shndx,
                                     ELF64_ST_TYPE(found.st_info) == STT_FUNC,
                                     ELF64_ST_TYPE(found.st_info) == STT_OBJECT};
    return true;
}

bool object_symbol(const struct code_object *object, const char *name, uint64_t *address, uint64_t *size) {
    struct object_symbol symbol;
    for (size_t i = 0; object_symbol_at(object, i, &symbol); i++) {
        if (!strcmp(symbol.name, name)) {
            *address = symbol.address;
            *size = symbol.size;
            return true;
        }
    }
    return false;
}

bool object_is_linked(const struct code_object *object) {
    return header_of(object)->e_type == ET_DYN;
}

static uint8_t *load_sections(const struct code_object *object, uint64_t *size) {
    const Elf64_Shdr *sections = sections_of(object);
    unsigned count = header_of(object)->e_shnum;
    *size = 0;
    for (unsigned i = 0; i < count; i++) {
        if (sections[i].sh_flags & SHF_ALLOC &&
            (sections[i].sh_addr > MOST_BYTES || sections[i].sh_size > MOST_BYTES)) {
            return NULL;
        }
        if (sections[i].sh_flags & SHF_ALLOC && sections[i].sh_addr + sections[i].sh_size > *size) {
            *size = sections[i].sh_addr + sections[i].sh_size;
        }
    }
    uint8_t *memory = *size <= MOST_BYTES ? calloc(*size + 64, 1) : NULL;
    for (unsigned i = 0; i < count && memory; i++) {
        if (sections[i].sh_flags & SHF_ALLOC && sections[i].sh_type != SHT_NOBITS &&
            is_inside(object, sections[i].sh_offset, sections[i].sh_size)) {
            memcpy(memory + sections[i].sh_addr, object->bytes + sections[i].sh_offset, sections[i].sh_size);
        }
    }
    return memory;
}

uint8_t *object_load(const struct code_object *object, uint64_t *size) {
    if (!object_is_linked(object)) {
        return load_sections(object, size);
    }
    const Elf64_Ehdr *header = header_of(object);
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(object->bytes + header->e_phoff);
    *size = 0;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type == PT_LOAD && (segment->p_vaddr > MOST_BYTES || segment->p_memsz > MOST_BYTES)) {
            return NULL;
        }
        if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > *size) {
            *size = segment->p_vaddr + segment->p_memsz;
        }
    }
    if (*size > MOST_BYTES) {
        return NULL;
    }
    uint8_t *memory = calloc(*size + 64, 1);
    for (unsigned i = 0; i < header->e_phnum && memory; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type != PT_LOAD || !is_inside(object, segment->p_offset, segment->p_filesz) ||
            segment->p_filesz > segment->p_memsz) {
            continue;
        }
        memcpy(memory + segment->p_vaddr, object->bytes + segment->p_offset, segment->p_filesz);
    }
    return memory;
}
