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
};

// One kernel's entry in the metadata.
struct object_kernel {
    const char *name, *symbol; // symbol: of the descriptor
    uint32_t argument_bytes, threads, lanes;
    struct object_argument arguments[96];
    unsigned argument_count;
};

// elf.c; false: *error has the fault
bool object_check(const struct code_object *object, struct strbuf *error);
bool object_is_linked(const struct code_object *object);
struct section object_section(const struct code_object *object, const char *name);
bool object_symbol(const struct code_object *object, const char *name, uint64_t *address, uint64_t *size);
uint8_t *object_load(const struct code_object *object, uint64_t *size); // malloc'ed; NULL: too large

// link.c: links the object in its own bytes; false: *error has the unsupported part
bool object_link(uint8_t *bytes, size_t length, struct strbuf *error);

// note.c: kernel number `index`; false: there are no more, or *error has a fault
bool note_kernel(struct arena *arena, const struct code_object *object, unsigned index,
                 struct object_kernel *kernel, struct strbuf *error);

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
