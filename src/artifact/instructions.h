// Instructions of final code by their text: kinds, widths, written operands.
#ifndef TKC_ARTIFACT_INSTRUCTIONS_H
#define TKC_ARTIFACT_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

enum instruction_set { SET_PTX, SET_AMD, SET_SASS };

enum instruction_column {
#define COLUMN(id, name) COLUMN_##id,
#include "artifact/instructions.def"
#undef COLUMN
    COLUMN_COUNT,
    NO_COLUMN = COLUMN_COUNT
};
extern const char *const instruction_column_names[];

enum instruction_kind {
#define KIND(id, name, column) INSTRUCTION_##id,
#include "artifact/instructions.def"
#undef KIND
    INSTRUCTION_KINDS
};
extern const char *const instruction_kind_names[];
enum instruction_column instruction_column_of(enum instruction_kind kind);

enum instruction_writes { WRITES_NONE, WRITES_FIRST, WRITES_TWO, WRITES_BOTH };

struct instruction_facts {
    enum instruction_kind kind;
    enum instruction_writes writes;
    uint16_t width; // bytes moved by a thread; 0: not known, or no access to memory
};

// By the name with its suffixes: "ld.global.v4.b32".
struct instruction_facts instruction_facts(enum instruction_set set, const char *name, size_t length);

#endif
