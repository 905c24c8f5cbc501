// A code object: an ELF file with segments, symbols, metadata and a line table.
#ifndef TKC_EMULATOR_AMDGCN_OBJECT_H
#define TKC_EMULATOR_AMDGCN_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena.h"
#include "support/strbuf.h"

struct code_object {
    const uint8_t *bytes;
    size_t length;
};

struct section {
    const uint8_t *data; // NULL: the file has none
    uint64_t size, address;
};

enum argument_kind {
    ARGUMENT_POINTER,
    ARGUMENT_VALUE,
    ARGUMENT_BLOCK_COUNT_X,
    ARGUMENT_BLOCK_COUNT_Y,
    ARGUMENT_BLOCK_COUNT_Z,
    ARGUMENT_GROUP_SIZE_X,
    ARGUMENT_GROUP_SIZE_Y,
    ARGUMENT_GROUP_SIZE_Z,
    ARGUMENT_GRID_DIMENSIONS,
    ARGUMENT_ZERO, // remainders, offsets
    ARGUMENT_UNKNOWN
};
struct object_argument {
    uint32_t offset, size;
    enum argument_kind kind;
    const char *name; // "" without one in the metadata
};

// One kernel's entry in the metadata.
struct object_kernel {
    const char *name, *symbol; // symbol: of the descriptor
    uint32_t argument_bytes, threads, lanes;
    // As the assembler counts them: vector registers hold those for accumulation, too; spills are registers.
    uint32_t vector_registers, scalar_registers, vector_spills, scalar_spills;
    uint32_t shared_bytes, scratch_bytes; // of a block; of a thread
    struct object_argument arguments[96];
    unsigned argument_count;
};

struct object_symbol {
    const char *name;
    uint64_t address, size;
    unsigned section; // its index; 0: of another file
    bool is_function, is_data;
};

// elf.c; false: *error has the fault
bool object_check_file(const struct code_object *object, struct strbuf *error); // ELF of any machine
unsigned object_machine(const struct code_object *object);                      // EM_…
unsigned object_flags(const struct code_object *object);                        // of the header, by machine
bool object_check(const struct code_object *object, struct strbuf *error);
bool object_is_linked(const struct code_object *object);
struct section object_section(const struct code_object *object, const char *name);
// Section and symbol number `index`; NULL or false past the last.
const char *object_section_at(const struct code_object *object, unsigned index, struct section *section);
bool object_symbol_at(const struct code_object *object, size_t index, struct object_symbol *symbol);
bool object_symbol(const struct code_object *object, const char *name, uint64_t *address, uint64_t *size);
uint8_t *object_load(const struct code_object *object, uint64_t *size); // malloc'ed; NULL: too large

// link.c: links the object in its own bytes; false: *error has the unsupported part
bool object_link(uint8_t *bytes, size_t length, struct strbuf *error);

// note.c: the chip in the metadata, "gfx942"; NULL: not said
const char *note_chip(struct arena *arena, const struct code_object *object);
// Kernel number `index`; false: there are no more, or *error has a fault
bool note_kernel(struct arena *arena, const struct code_object *object, unsigned index,
                 struct object_kernel *kernel, struct strbuf *error);
bool note_kernel_about(struct arena *arena, const struct code_object *object, unsigned index,
                       struct object_kernel *kernel, struct strbuf *error); // all but its arguments

// line.c: the line table in order of addresses
struct line_row {
    uint64_t address;
    const char *file;
    unsigned line, column; // line 0: unknown from here on
};
struct line_table {
    struct line_row *rows;
    size_t count;
};
struct line_table lines_read(struct arena *arena, const struct code_object *object);
const struct line_row *lines_find(const struct line_table *table, uint64_t address); // NULL: unknown

#endif
