// The line table of a code object: DWARF version 4, "Line Number Information" (section 6.2), as LLVM writes it for AMD. A
// program of another version is passed over: reports then show instructions alone.
#include "emulator/amdgcn/object.h"

#include "support/memory.h"

enum {
    COPY = 1,
    ADVANCE_PC,
    ADVANCE_LINE,
    SET_FILE,
    SET_COLUMN,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC,
    END_SEQUENCE = 1,
    SET_ADDRESS,
    MOST_FILES = 256
};

struct reader {
    const uint8_t *at, *end;
};

static uint64_t fixed(struct reader *r, unsigned bytes) {
    uint64_t value = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->at = r->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)*r->at++ << 8 * i;
    }
    return value;
}

static uint64_t leb(struct reader *r, bool is_signed) {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0x80;
    while (r->at < r->end && byte & 0x80) {
        byte = *r->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        shift += 7;
    }
    if (is_signed && byte & 0x40 && shift < 64) {
        value |= ~(uint64_t)0 << shift;
    }
    return value;
}

static const char *text(struct reader *r) {
    const char *start = (const char *)r->at;
    const uint8_t *stop = memchr(r->at, 0, (size_t)(r->end - r->at));
    r->at = stop ? stop + 1 : r->end;
    return stop ? start : "";
}

struct program {
    unsigned least, line_range, opcode_base, file_count;
    int line_base;
    uint8_t lengths[256];
    const char *files[MOST_FILES]; // from 1
};

struct state {
    uint64_t address;
    unsigned file, line, column;
};

static void add_row(struct line_table *table, size_t *capacity, const struct program *program,
                    const struct state *state, bool end) {
    table->rows = memory_grown(table->rows, table->count, capacity, sizeof *table->rows);
    const char *file = state->file < program->file_count ? program->files[state->file] : NULL;
    table->rows[table->count++] =
        (struct line_row){state->address, file, end ? 0 : state->line, state->column};
}

static void read_header(struct arena *arena, struct reader *r, struct program *program) {
    const char *folders[MOST_FILES] = {"."};
    unsigned folder_count = 1;
    program->least = (unsigned)fixed(r, 1);
    fixed(r, 2); // operations of an instruction, is_stmt
    program->line_base = (int8_t)fixed(r, 1);
    program->line_range = (unsigned)fixed(r, 1);
    program->opcode_base = (unsigned)fixed(r, 1);
    for (unsigned i = 1; i < program->opcode_base; i++) {
        program->lengths[i] = (uint8_t)fixed(r, 1);
    }
    for (const char *name = text(r); *name; name = text(r)) {
        if (folder_count < MOST_FILES) {
            folders[folder_count++] = name;
        }
    }
    program->file_count = 1;
    for (const char *name = text(r); *name; name = text(r)) {
        uint64_t folder = leb(r, false);
        leb(r, false);
        leb(r, false);
        if (program->file_count == MOST_FILES) {
            continue;
        }
        bool whole = name[0] == '/' || folder == 0 || folder >= folder_count;
        program->files[program->file_count++] =
            whole ? arena_strdup(arena, name) : arena_printf(arena, "%s/%s", folders[folder], name);
    }
}

static void run_extended(struct reader *r, struct line_table *table, size_t *capacity,
                         const struct program *program, struct state *state) {
    uint64_t length = leb(r, false);
    const uint8_t *next = length <= (uint64_t)(r->end - r->at) ? r->at + length : r->end;
    unsigned operation = (unsigned)fixed(r, 1);
    if (operation == END_SEQUENCE) {
        add_row(table, capacity, program, state, true);
        *state = (struct state){0, 1, 1, 0};
    } else if (operation == SET_ADDRESS) {
        state->address = fixed(r, 8);
    }
    r->at = next;
}

static void run(struct reader *r, struct line_table *table, size_t *capacity, const struct program *program) {
    struct state state = {0, 1, 1, 0};
    while (r->at < r->end) {
        unsigned code = (unsigned)fixed(r, 1);
        if (code >= program->opcode_base && program->line_range) {
            unsigned special = code - program->opcode_base;
            state.address += special / program->line_range * program->least;
            state.line += (unsigned)(program->line_base + (int)(special % program->line_range));
            add_row(table, capacity, program, &state, false);
            continue;
        }
        switch (code) {
        case 0:
            run_extended(r, table, capacity, program, &state);
            break;
        case COPY:
            add_row(table, capacity, program, &state, false);
            break;
        case ADVANCE_PC:
            state.address += leb(r, false) * program->least;
            break;
        case ADVANCE_LINE:
            state.line += (unsigned)leb(r, true);
            break;
        case SET_FILE:
            state.file = (unsigned)leb(r, false);
            break;
        case SET_COLUMN:
            state.column = (unsigned)leb(r, false);
            break;
        case CONST_ADD_PC:
            state.address += (255 - program->opcode_base) / program->line_range * program->least;
            break;
        case FIXED_ADVANCE_PC:
            state.address += fixed(r, 2);
            break;
        default:
            for (unsigned i = 0; i < program->lengths[code]; i++) {
                leb(r, false);
            }
        }
    }
}

static int by_address(const void *left, const void *right) {
    const struct line_row *a = left, *b = right;
    return a->address != b->address ? (a->address < b->address ? -1 : 1) : (a->line > 0) - (b->line > 0);
}

struct line_table lines_read(struct arena *arena, const struct code_object *object) {
    struct section section = object_section(object, ".debug_line");
    struct line_table table = {0};
    size_t capacity = 0;
    struct reader r = {section.data, section.data + (section.data ? section.size : 0)};
    while (r.at && r.end - r.at > 12) {
        uint64_t length = fixed(&r, 4);
        struct reader unit = {r.at, length <= (uint64_t)(r.end - r.at) ? r.at + length : r.end};
        r.at = unit.end;
        if (fixed(&unit, 2) != 4) {
            continue;
        }
        uint64_t header = fixed(&unit, 4);
        struct program program = {0};
        const uint8_t *code = header <= (uint64_t)(unit.end - unit.at) ? unit.at + header : unit.end;
        read_header(arena, &unit, &program);
        unit.at = code;
        run(&unit, &table, &capacity, &program);
    }
    // In the arena, in order; rows of one address keep their order.
    struct line_row *rows = ARENA_ARRAY(arena, struct line_row, table.count + 1);
    if (table.count) {
        memcpy(rows, table.rows, table.count * sizeof *rows);
    }
    free(table.rows);
    table.rows = rows;
    qsort(rows, table.count, sizeof *rows, by_address);
    return table;
}

const struct line_row *lines_find(const struct line_table *table, uint64_t address) {
    const struct line_row *found = NULL;
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->rows[middle].address <= address) {
            found = &table->rows[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    // A line 0 stands for code of no line of its own: the line before is the nearest.
    while (found && found > table->rows && !found->line) {
        found--;
    }
    return found && found->line && found->file ? found : NULL;
}
