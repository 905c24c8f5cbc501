// Links a relocatable object of the compiler: gives its sections addresses and resolves relocations, both in
// the file's own bytes, so that it can be read like a linked file. Tests of many small kernels need no linker
// each. Work for a real linker (tables of addresses, external symbols) is refused by name.
//
// Relocations: LLVM's AMDGPU usage guide, "Relocation Records".
#include "emulator/amdgcn/object.h"

#include <elf.h>

enum relocation {
    ABSOLUTE_64 = 3,
    RELATIVE_32,
    RELATIVE_64,
    ABSOLUTE_32,
    RELATIVE_32_LOW = 10,
    RELATIVE_32_HIGH
};

struct file {
    uint8_t *bytes;
    size_t length;
    Elf64_Shdr *sections;
    unsigned count;
    struct strbuf *error;
};

static bool is_inside(const struct file *file, const Elf64_Shdr *section) {
    return section->sh_type == SHT_NOBITS ||
           (section->sh_offset <= file->length && section->sh_size <= file->length - section->sh_offset);
}

static void place_sections(struct file *file) {
    uint64_t at = 256; // no section at 0
    for (unsigned i = 0; i < file->count; i++) {
        Elf64_Shdr *section = &file->sections[i];
        uint64_t align = section->sh_addralign ? section->sh_addralign : 1;
        if (!(section->sh_flags & SHF_ALLOC)) {
            continue;
        }
        at = (at + align - 1) / align * align;
        section->sh_addr = at;
        at += section->sh_size;
    }
}

// Symbols' values become addresses.
static void place_symbols(const struct file *file, const Elf64_Shdr *table) {
    Elf64_Sym *symbols = (Elf64_Sym *)(file->bytes + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        if (symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_shndx < file->count) {
            symbols[i].st_value += file->sections[symbols[i].st_shndx].sh_addr;
        }
    }
}

static bool apply(const struct file *file, const Elf64_Shdr *target, const Elf64_Rela *rela, uint64_t value) {
    unsigned type = (unsigned)ELF64_R_TYPE(rela->r_info);
    bool wide = type == ABSOLUTE_64 || type == RELATIVE_64,
         absolute = type == ABSOLUTE_64 || type == ABSOLUTE_32;
    bool known = absolute ? !(target->sh_flags & SHF_ALLOC)
                          : type == RELATIVE_32 || type == RELATIVE_64 || type == RELATIVE_32_LOW ||
                                type == RELATIVE_32_HIGH;
    if (!known || rela->r_offset > target->sh_size || (wide ? 8u : 4u) > target->sh_size - rela->r_offset) {
        return false;
    }
    if (!absolute) {
        value -= target->sh_addr + rela->r_offset;
    }
    if (type == RELATIVE_32_HIGH) {
        value >>= 32;
    }
    memcpy(file->bytes + target->sh_offset + rela->r_offset, &value, wide ? 8 : 4);
    return true;
}

static bool apply_all(const struct file *file, const Elf64_Shdr *section) {
    const Elf64_Rela *relas = (const Elf64_Rela *)(file->bytes + section->sh_offset);
    if (section->sh_link >= file->count || section->sh_info >= file->count) {
        return false;
    }
    const Elf64_Shdr *table = &file->sections[section->sh_link], *target = &file->sections[section->sh_info];
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file->bytes + table->sh_offset);
    for (size_t i = 0; i < section->sh_size / sizeof *relas; i++) {
        size_t symbol = ELF64_R_SYM(relas[i].r_info);
        if (symbol >= table->sh_size / sizeof *symbols || symbols[symbol].st_shndx == SHN_UNDEF ||
            !apply(file, target, &relas[i], symbols[symbol].st_value + (uint64_t)relas[i].r_addend)) {
            strbuf_printf(file->error,
                          "the code object is not linked, and its relocation of type %u needs a linker",
                          (unsigned)ELF64_R_TYPE(relas[i].r_info));
            return false;
        }
    }
    return true;
}

bool object_link(uint8_t *bytes, size_t length, struct strbuf *error) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    struct file file = {bytes, length, (Elf64_Shdr *)(bytes + header->e_shoff), header->e_shnum, error};
    for (unsigned i = 0; i < file.count; i++) {
        if (!is_inside(&file, &file.sections[i])) {
            strbuf_printf(error, "section %u of the code object is not in the file", i);
            return false;
        }
    }
    place_sections(&file);
    for (unsigned i = 0; i < file.count; i++) {
        if (file.sections[i].sh_type == SHT_SYMTAB) {
            place_symbols(&file, &file.sections[i]);
        }
    }
    for (unsigned i = 0; i < file.count; i++) {
        if (file.sections[i].sh_type == SHT_RELA && !apply_all(&file, &file.sections[i])) {
            return false;
        }
    }
    return true;
}
