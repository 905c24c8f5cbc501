// Instructions by their text: the kind, the width and the written operands by the tables of instructions.def.
#define _GNU_SOURCE // memmem
#include "artifact/instructions.h"

#include <stdbool.h>
#include <string.h>

const char *const instruction_column_names[] = {
#define COLUMN(id, name) name,
#include "artifact/instructions.def"
#undef COLUMN
};

const char *const instruction_kind_names[] = {
#define KIND(id, name, column) name,
#include "artifact/instructions.def"
#undef KIND
};

enum instruction_column instruction_column_of(enum instruction_kind kind) {
    static const enum instruction_column columns[] = {
#define KIND(id, name, column) column,
#include "artifact/instructions.def"
#undef KIND
    };
    return columns[kind];
}

enum { INSTRUCTION_ARITHMETIC = INSTRUCTION_KINDS };

static const struct instruction_row {
    enum instruction_set set;
    const char *prefix;
    unsigned kind;
    enum instruction_writes writes;
} rows[] = {
#define INSTRUCTION(set, prefix, kind, writes) {SET_##set, prefix, INSTRUCTION_##kind, WRITES_##writes},
#include "artifact/instructions.def"
#undef INSTRUCTION
};

static const struct {
    enum instruction_set set;
    const char *part;
    uint16_t bytes;
} widths[] = {
#define WIDTH(set, part, bytes) {SET_##set, part, bytes},
#include "artifact/instructions.def"
#undef WIDTH
};

static bool begins(const char *name, size_t length, const char *prefix) {
    size_t size = strlen(prefix);
    if (size > length || memcmp(name, prefix, size) != 0) {
        return false;
    }
    return size == length || prefix[size - 1] == '_' || name[size] == '.' || name[size] == '_';
}

static const struct instruction_row *find_row(enum instruction_set set, const char *name, size_t length) {
    const struct instruction_row *best = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].set == set && begins(name, length, rows[i].prefix) &&
            (!best || strlen(best->prefix) < strlen(rows[i].prefix))) {
            best = &rows[i];
        }
    }
    return best;
}

static bool has(const char *name, size_t length, const char *part) {
    return memmem(name, length, part, strlen(part)) != NULL;
}

static bool has_any(const char *name, size_t length, const char *const *parts) {
    for (; *parts; parts++) {
        if (has(name, length, *parts)) {
            return true;
        }
    }
    return false;
}

static unsigned kind_of(const struct instruction_row *row, enum instruction_set set, const char *name,
                        size_t length) {
    static const char *const ptx[] = {".f16", ".f32", ".f64", ".bf16", ".tf32", NULL};
    static const char *const amd[] = {"_f16", "_f32", "_f64", "_bf16", NULL};
    unsigned kind = row ? row->kind : set == SET_AMD ? INSTRUCTION_OTHER : INSTRUCTION_ARITHMETIC;
    if (kind == INSTRUCTION_ARITHMETIC) {
        kind = has_any(name, length, set == SET_AMD ? amd : ptx) ? INSTRUCTION_FLOAT : INSTRUCTION_INTEGER;
    }
    return kind;
}

// Bytes moved by a thread: the first row with a part of the name.
static uint16_t width_of(enum instruction_set set, const char *name, size_t length) {
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (widths[i].set == set && has(name, length, widths[i].part)) {
            return widths[i].bytes;
        }
    }
    return 0;
}

// ".v4.b32" is 16: the number of elements times the bits of the last type. Of matrices the number says it.
static uint16_t ptx_width(const char *name, size_t length) {
    unsigned elements = 1, bits = 0;
    uint16_t of_matrices = width_of(SET_PTX, name, length);
    if (of_matrices) {
        return of_matrices;
    }
    for (size_t i = 0; i + 1 < length; i++) {
        const char *part = name + i + 1;
        size_t digits = 0;
        while (name[i] == '.' && i + 2 + digits < length && part[1 + digits] >= '0' &&
               part[1 + digits] <= '9') {
            digits++;
        }
        unsigned number = 0;
        for (size_t d = 0; d < digits && number < 1000; d++) {
            number = 10 * number + (unsigned)(part[1 + d] - '0');
        }
        if (digits && *part == 'v') {
            elements = number;
        } else if (digits && strchr("busf", *part)) {
            bits = number;
        }
    }
    return (uint16_t)(elements * bits / 8);
}

static bool is_access(unsigned kind) {
    return kind == INSTRUCTION_GLOBAL_LOAD || kind == INSTRUCTION_GLOBAL_STORE ||
           kind == INSTRUCTION_SHARED_LOAD || kind == INSTRUCTION_SHARED_STORE ||
           kind == INSTRUCTION_LOCAL_LOAD || kind == INSTRUCTION_LOCAL_STORE;
}

struct instruction_facts instruction_facts(enum instruction_set set, const char *name, size_t length) {
    const struct instruction_row *row = find_row(set, name, length);
    unsigned kind = kind_of(row, set, name, length);
    uint16_t width = !is_access(kind) ? 0
                     : set == SET_PTX ? ptx_width(name, length)
                                      : width_of(set, name, length);
    return (struct instruction_facts){(enum instruction_kind)kind, row ? row->writes : WRITES_FIRST, width};
}
