// Sections, symbols and segments of a code object: ELF64, little-endian (System V ABI; LLVM's AMDGPU usage guide, "Code
// Object").
#include "emulator/amdgcn/object.h"

#include <elf.h>

enum { MOST_BYTES = 1 << 30 };

static const Elf64_Ehdr *header_of(const struct code_object *object) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)object->bytes;
    if (object->length < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) {
        return NULL;
    }
    bool good = header->e_shoff + (uint64_t)header->e_shnum * sizeof(Elf64_Shdr) <= object->length &&
                header->e_phoff + (uint64_t)header->e_phnum * sizeof(Elf64_Phdr) <= object->length &&
                header->e_shstrndx < header->e_shnum;
    return good ? header : NULL;
}

static const Elf64_Shdr *sections_of(const struct code_object *object) {
    return (const Elf64_Shdr *)(object->bytes + header_of(object)->e_shoff);
}

static struct section contents(const struct code_object *object, const Elf64_Shdr *section) {
    struct section found = {NULL, section->sh_size, section->sh_addr};
    if (section->sh_type != SHT_NOBITS && section->sh_offset + section->sh_size <= object->length) {
        found.data = object->bytes + section->sh_offset;
    }
    return found;
}

bool object_check(const struct code_object *object, struct strbuf *error) {
    const Elf64_Ehdr *header = header_of(object);
    if (!header) {
        strbuf_add(error, "the code object is no complete 64-bit little-endian ELF file");
    } else if (header->e_machine != EM_AMDGPU) {
        strbuf_printf(error, "the code object is for ELF machine %u, not for AMD GPUs (%u)",
                      header->e_machine, EM_AMDGPU);
    } else if (header->e_type != ET_DYN && header->e_type != ET_REL) {
        strbuf_printf(
            error, "the code object has ELF type %u, and is neither linked (ld.lld -shared) nor to be linked",
            header->e_type);
    }
    return error->length == 0;
}

struct section object_section(const struct code_object *object, const char *name) {
    const Elf64_Ehdr *header = header_of(object);
    const Elf64_Shdr *sections = sections_of(object);
    struct section names = contents(object, &sections[header->e_shstrndx]);
    for (unsigned i = 0; i < header->e_shnum && names.data; i++) {
        uint32_t at = sections[i].sh_name;
        if (at < names.size && !strcmp((const char *)names.data + at, name)) {
            return contents(object, &sections[i]);
        }
    }
    return (struct section){0};
}

bool object_symbol(const struct code_object *object, const char *name, uint64_t *address, uint64_t *size) {
    bool linked = object_is_linked(object);
    struct section table = object_section(object, linked ? ".dynsym" : ".symtab"),
                   names = object_section(object, linked ? ".dynstr" : ".strtab");
    const Elf64_Sym *symbols = (const Elf64_Sym *)table.data;
    for (size_t i = 0; table.data && names.data && i < table.size / sizeof *symbols; i++) {
        if (symbols[i].st_name >= names.size ||
            strcmp((const char *)names.data + symbols[i].st_name, name) != 0) {
            continue;
        }
        *address = symbols[i].st_value;
        *size = symbols[i].st_size;
        return true;
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
        if (sections[i].sh_flags & SHF_ALLOC && sections[i].sh_addr + sections[i].sh_size > *size) {
            *size = sections[i].sh_addr + sections[i].sh_size;
        }
    }
    uint8_t *memory = *size <= MOST_BYTES ? calloc(*size + 64, 1) : NULL;
    for (unsigned i = 0; i < count && memory; i++) {
        if (sections[i].sh_flags & SHF_ALLOC && sections[i].sh_type != SHT_NOBITS) {
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
        if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr + segments[i].p_memsz > *size) {
            *size = segments[i].p_vaddr + segments[i].p_memsz;
        }
    }
    if (*size > MOST_BYTES) {
        return NULL;
    }
    uint8_t *memory = calloc(*size + 64, 1);
    for (unsigned i = 0; i < header->e_phnum && memory; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_type != PT_LOAD || segment->p_offset + segment->p_filesz > object->length ||
            segment->p_filesz > segment->p_memsz) {
            continue;
        }
        memcpy(memory + segment->p_vaddr, object->bytes + segment->p_offset, segment->p_filesz);
    }
    return memory;
}
