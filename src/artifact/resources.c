// The resources of kernels as text and as JSON.
//
// test: tests/cli/check_resources.py
#include "artifact/resources.h"

#include <string.h>

bool resources_spill_little(const struct resources *r) {
    enum { PART = 16, BYTES = 4 }; // of a thread's registers; of a register
    unsigned most = r->spill_stores > r->spill_loads ? r->spill_stores : r->spill_loads;
    unsigned values = r->counts_bytes ? most / BYTES : r->spilled_values;
    return resources_spill(r) && values * PART <= r->registers;
}

bool resources_spill(const struct resources *r) {
    return r->from && (r->spill_stores || r->spill_loads || r->spilled_values);
}

void resources_add_spills(const struct resources *r, struct strbuf *out) {
    if (r->counts_bytes) {
        strbuf_printf(out, "%u B stored and %u B loaded", r->spill_stores, r->spill_loads);
    } else {
        strbuf_printf(out, "%u values", r->spilled_values);
    }
}

// ---- the table ----

static void add_spills(const struct resources *r, struct strbuf *out) {
    if (r->from && !resources_spill(r)) {
        strbuf_add(out, "0");
    } else if (r->from && r->counts_bytes) {
        strbuf_printf(out, "%u+%u B", r->spill_stores, r->spill_loads);
    } else if (r->from) {
        strbuf_printf(out, "%u", r->spilled_values);
    } else {
        strbuf_add(out, "?");
    }
}

static void add_number(bool known, unsigned number, const char *unit, struct strbuf *out) {
    if (known) {
        strbuf_printf(out, "%u%s", number, unit);
    } else {
        strbuf_add(out, "?");
    }
}

// "16x8 2x64": 8 accesses of 16 bytes, 64 of 2.
static void add_widths(const unsigned counts[LISTING_WIDEST + 1], struct strbuf *out) {
    size_t before = out->length;
    for (int bytes = LISTING_WIDEST; bytes >= 0; bytes--) {
        if (counts[bytes]) {
            strbuf_printf(out, "%s%dx%u", out->length > before ? " " : "", bytes, counts[bytes]);
        }
    }
    strbuf_add(out, out->length > before ? "" : "0");
}

static void add_occupancy(const struct resources *r, struct strbuf *out) {
    if (r->from) {
        strbuf_printf(out, "%.0f%% (", occupancy_percent(&r->occupancy));
        occupancy_add_limits(&r->occupancy, out);
        strbuf_add_char(out, ')');
    } else {
        strbuf_add(out, "?");
    }
}

// A column: its head, and what stands in it; `kind` of the instructions that it counts.
struct column {
    const char *head;
    void (*cell)(const struct resources *r, enum instruction_column kind, struct strbuf *out);
    enum instruction_column kind;
};

static void kernel_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    strbuf_add(out, r->kernel);
}

static void target_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    strbuf_add(out, r->target->name);
}

static void registers_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    add_number(r->from, r->registers, "", out);
}

static void spills_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    add_spills(r, out);
}

static void stack_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    add_number(r->from, r->stack, " B", out);
}

static void shared_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    strbuf_printf(out, "%u+%u B", r->static_shared, r->dynamic_shared);
}

static void threads_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    add_number(true, r->threads, "", out);
}

static void occupancy_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    add_occupancy(r, out);
}

static void all_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    (void)kind;
    add_number(r->has_mix, r->mix.all, "", out);
}

static void mix_cell(const struct resources *r, enum instruction_column kind, struct strbuf *out) {
    if (r->has_mix && kind == COLUMN_LOADS) {
        add_widths(r->mix.loads, out);
    } else if (r->has_mix && kind == COLUMN_STORES) {
        add_widths(r->mix.stores, out);
    } else {
        add_number(r->has_mix, r->mix.of[kind], "", out);
    }
}

static const struct column columns[] = {
    {"kernel", kernel_cell, 0},   {"chip", target_cell, 0},         {"registers", registers_cell, 0},
    {"spills", spills_cell, 0},   {"stack", stack_cell, 0},         {"shared-memory", shared_cell, 0},
    {"threads", threads_cell, 0}, {"occupancy", occupancy_cell, 0}, {"instructions", all_cell, 0},
#define COLUMN(id, name) {name, mix_cell, COLUMN_##id},
#include "artifact/instructions.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

size_t resources_columns(void) {
    return COLUMNS;
}

const char *resources_head(size_t column) {
    return columns[column].head;
}

void resources_cell(size_t column, const struct resources *r, struct strbuf *out) {
    columns[column].cell(r, columns[column].kind, out);
}

// Adds a cell; NULL: the column's head. -> its length
static size_t add_cell(const struct column *column, const struct resources *r, struct strbuf *out) {
    size_t before = out->length;
    if (r) {
        column->cell(r, column->kind, out);
    } else {
        strbuf_add(out, column->head);
    }
    return out->length - before;
}

void resources_table(const struct resources *const *all, size_t count, struct strbuf *out) {
    size_t widths[COLUMNS] = {0};
    for (size_t c = 0; c < COLUMNS; c++) {
        for (size_t i = 0; i <= count; i++) {
            struct strbuf cell = {0};
            size_t width = add_cell(&columns[c], i ? all[i - 1] : NULL, &cell);
            widths[c] = width > widths[c] ? width : widths[c];
            strbuf_free(&cell);
        }
    }
    for (size_t i = 0; i <= count; i++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            size_t width = add_cell(&columns[c], i ? all[i - 1] : NULL, out);
            strbuf_printf(out, "%*s", c + 1 < COLUMNS ? (int)(widths[c] - width + 2) : 0, "");
        }
        strbuf_add_char(out, '\n');
    }
}

// ---- JSON ----

static void add_member(bool known, const char *name, double value, struct strbuf *out) {
    strbuf_printf(out, ", \"%s\": ", name);
    if (known) {
        strbuf_printf(out, "%.4g", value);
    } else {
        strbuf_add(out, "null");
    }
}

static void add_unsigned(bool known, const char *name, unsigned value, struct strbuf *out) {
    strbuf_printf(out, ", \"%s\": ", name);
    if (known) {
        strbuf_printf(out, "%u", value);
    } else {
        strbuf_add(out, "null");
    }
}

// {"16": 8, "2": 64}: by bytes of a thread; "0": accesses of unknown width.
static void add_width_members(const char *name, const unsigned counts[LISTING_WIDEST + 1],
                              struct strbuf *out) {
    bool any = false;
    strbuf_printf(out, ", \"%s\": {", name);
    for (int bytes = LISTING_WIDEST; bytes >= 0; bytes--) {
        if (counts[bytes]) {
            strbuf_printf(out, "%s\"%d\": %u", any ? ", " : "", bytes, counts[bytes]);
            any = true;
        }
    }
    strbuf_add_char(out, '}');
}

static void add_mix(const struct instruction_mix *mix, struct strbuf *out) {
    strbuf_printf(out, "{\"all\": %u", mix->all);
    for (int kind = 0; kind < COLUMN_COUNT; kind++) {
        const char *name = instruction_column_names[kind];
        if (kind == COLUMN_LOADS) {
            add_width_members(name, mix->loads, out);
        } else if (kind == COLUMN_STORES) {
            add_width_members(name, mix->stores, out);
        } else {
            add_unsigned(true, name, mix->of[kind], out);
        }
    }
    strbuf_add_char(out, '}');
}

void resources_json(const struct resources *r, struct strbuf *out) {
    bool amd = r->target->vendor == VENDOR_AMD;
    strbuf_printf(out, r->from ? "{\"from\": \"%s\"" : "{\"from\": null", r->from);
    add_unsigned(r->from, "registers", r->registers, out);
    if (amd) {
        add_unsigned(r->from, "accumulators", r->accumulators, out);
        add_unsigned(r->from, "scalar_registers", r->scalars, out);
        add_unsigned(r->from, "spilled_values", r->spilled_values, out);
    } else {
        add_unsigned(r->from, "spill_store_bytes", r->spill_stores, out);
        add_unsigned(r->from, "spill_load_bytes", r->spill_loads, out);
    }
    add_unsigned(r->from, "stack_bytes", r->stack, out);
    add_unsigned(true, "static_shared_bytes", r->static_shared, out);
    add_unsigned(r->from, "blocks_per_multiprocessor", r->occupancy.blocks, out);
    add_member(r->from, "occupancy", occupancy_percent(&r->occupancy) / 100, out);
    strbuf_add(out, ", \"limited_by\": ");
    strbuf_printf(out, r->from ? "\"%s\"" : "null", occupancy_limit_name(r->occupancy.limit));
    strbuf_add(out, ", \"instructions\": ");
    if (r->has_mix) {
        add_mix(&r->mix, out);
    } else {
        strbuf_add(out, "null");
    }
    strbuf_add_char(out, '}');
}
