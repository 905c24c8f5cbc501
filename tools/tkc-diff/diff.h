// tkc-diff: the difference between two compilations of kernels.
//
//   load*.c      a file or folder     ─▶ struct side: files with kernels
//   code.c       a vendor's text      ─▶ struct instruction: a shape without register numbers, and its registers
//   compare*.c   two sides            ─▶ struct comparison
//   report_*.c   a comparison         ─▶ text, JSON or Markdown
//   allow.c      a comparison         ─▶ metrics worse than --allow permits
//
// A shape is an instruction's text with the kind of each register in place of its number: "add.s64 %b64,%b64,512". Two
// kernels have the same code if their shapes are equal one by one, their branches lead to the same places, and their
// registers carry the same values (wiring.c).
#ifndef TKC_TOOLS_DIFF_H
#define TKC_TOOLS_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "artifact/instructions.h"
#include "support/arena.h"
#include "support/strbuf.h"

// ---- facts ----

enum metric {
#define METRIC(id, name, json, direction) METRIC_##id,
#include "metrics.def"
#undef METRIC
    METRIC_COUNT
};
enum direction { MORE_IS_WORSE, LESS_IS_WORSE, NEITHER_IS_WORSE };
struct metric_row {
    const char *name; // in reports and of --allow
    const char *json; // in tkc's reflection; "": not there
    enum direction direction;
};
extern const struct metric_row metric_table[];
enum { UNKNOWN = -1 };

// ---- code ----

enum role { ROLE_READ = 1, ROLE_WRITTEN = 2 };

// Numbers of registers count from 0 in each kernel.
struct operand {
    uint32_t first;
    uint16_t count; // of registers in a row
    uint8_t role;
};

struct instruction {
    uint32_t shape; // equal for equal texts (struct names)
    uint32_t form;  // as the shape, but for numbers
    uint16_t kind;
    uint16_t width; // of a memory access: bytes of a thread; else 0
    int32_t target; // of a branch: the index of an instruction; -1: none
    bool ends;      // the next instruction does not follow (AMD)
    uint32_t operand_count;
    struct operand *operands;
};

// ---- files ----

struct property {
    const char *name, *value;
};

struct properties {
    struct property *items;
    size_t count, capacity;
};

struct kernel {
    const char *name;
    const char *target; // "" if the file does not say it
    long long metrics[METRIC_COUNT];
    struct properties properties; // parameters, constants, grid …
    enum instruction_set set;
    const struct names *names; // of the shapes and forms
    struct instruction *code;
    size_t count, capacity;
    size_t register_count;
    bool physical; // AMD: registers have many values in turn, and arguments at the start
    bool grouped;  // SASS: registers of wide accesses are implied, so aligned groups of four stay together
    const uint8_t *machine; // code of an unknown instruction set; else NULL
    size_t machine_length;
};

struct file {
    const char *path;             // as reported: of a file in a folder from the folder on
    struct properties properties; // of the file as a whole
    struct kernel **kernels;
    size_t kernel_count, kernel_capacity;
};

struct side {
    const char *path;
    bool is_folder;
    struct file **files;
    size_t file_count, file_capacity;
    size_t foreign_count; // files of a folder, of no version of tkc
    bool undecoded;       // some machine code is compared by its bytes
};

// Texts of both sides by number.
struct names {
    struct name {
        const char *text;
        uint64_t hash;
    } * items;
    uint32_t *slots; // index + 1; 0: free
    size_t count, capacity, slot_count;
};

struct loader {
    struct arena *arena;
    struct names names;
    const char *nvdisasm; // NULL: none
    const char *ptxas;    // NULL: not to be asked
    struct side *side;
    struct strbuf error;
};

// ---- names.c
uint32_t names_number(struct names *names, struct arena *arena, const char *text, size_t length);
void names_free(struct names *names);

// ---- load.c. Each returns false after a fault, with its text in loader->error.
bool load_side(struct loader *loader, const char *path, struct side *side);
bool load_bytes(struct loader *loader, const char *path, const uint8_t *bytes, size_t length);
struct file *load_file(struct loader *loader, const char *path, const char *what);
struct kernel *load_kernel(struct loader *loader, struct file *file, const char *name, const char *target);
void load_property(struct loader *loader, struct properties *properties, const char *name, const char *value);
bool load_fault(struct loader *loader, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool load_ptx(struct loader *loader, const char *path, const char *text, size_t length);        // load_ptx.c
bool load_object(struct loader *loader, const char *path, const uint8_t *bytes, size_t length); // load_amd.c
bool load_cubin(struct loader *loader, const char *path, const uint8_t *bytes, size_t length); // load_cubin.c
bool load_json(struct loader *loader, const char *path, const char *text);                     // load_json.c
bool load_header(struct loader *loader, const char *path, const char *text, size_t length); // load_header.c

// ---- sass.c: the code of a cubin's kernels, by nvdisasm; the kernels have their machine code already.
bool sass_read(struct loader *loader, struct file *file, const uint8_t *bytes, size_t length);

// ---- ptxas.c: registers, spills and stack of PTX that ptxas assembles
bool ptxas_measure(struct loader *loader, struct file *file, const char *target, const char *text,
                   size_t length);

// ---- code.c: appends instructions to a kernel
struct code {
    struct loader *loader;
    struct kernel *kernel;
    enum instruction_set set;
    struct strbuf shape, form;
    struct operand *operands;
    size_t operand_count, operand_capacity;
    unsigned position; // commas of the outermost level so far: the number of the operand
    int depth;         // of brackets
    bool in_address;
    uint16_t kind, width;
    unsigned writes; // written operands, from the first on
    bool reads_first;
};
void code_begin(struct code *code, const char *opcode, size_t length);
void code_text(struct code *code, const char *text, size_t length);
void code_number(struct code *code, const char *text, size_t length);
void code_register(struct code *code, const char *class, uint32_t first, unsigned count);
void code_predicate(struct code *code, bool negated, const char *class, uint32_t first);
void code_end(struct code *code, int32_t target);

// ---- compare.c

enum verdict {
#define VERDICT(id, name, meaning) VERDICT_##id,
#include "verdicts.def"
#undef VERDICT
    VERDICT_COUNT
};
extern const char *const verdict_names[], *const verdict_meanings[];

struct kind_count {
    uint16_t kind, width;
    size_t before, after;
};

struct change {
    const char *name, *before, *after; // NULL: not there
};

struct changes {
    struct change *items;
    size_t count, capacity;
};

struct kernel_pair {
    const struct kernel *before, *after; // one may be NULL
    enum verdict verdict;
    bool code_known;    // both have instructions, or equal machine code
    size_t removed;     // instructions of one side alone
    size_t added;       //
    size_t constants;   // instructions with another number in them
    size_t moved;       // instructions at another place among the others
    bool too_different; // moved is not counted
    size_t rewired;     // equal code: instructions with another value
    struct kind_count *kinds;
    size_t kind_count, kind_capacity;
    struct changes changes;  // of properties
    struct changes examples; // of other constants: MOST_EXAMPLES instructions at most
};

struct file_pair {
    const struct file *before, *after; // one may be NULL
    struct changes changes;
    struct kernel_pair *kernels;
    size_t kernel_count, kernel_capacity;
};

struct excess {
    const struct file_pair *file;
    const struct kernel_pair *kernel;
    const char *metric, *allowed;
    long long before, after;
};

struct comparison {
    const struct side *before, *after;
    struct file_pair *files;
    size_t file_count, file_capacity;
    struct excess *excesses; // allow.c
    size_t excess_count, excess_capacity;
    bool has_budget;
};

void compare_sides(struct arena *arena, const struct side *before, const struct side *after,
                   struct comparison *comparison);
bool comparison_is_same(const struct comparison *comparison);
void comparison_count(const struct comparison *comparison, size_t counts[VERDICT_COUNT]);
const struct kernel *pair_kernel(const struct kernel_pair *pair); // the one that is there
const char *file_pair_path(const struct file_pair *pair);
bool file_pair_differs(const struct file_pair *pair);
bool metric_known(const struct kernel_pair *pair, enum metric metric); // on both sides

// ---- compare_code.c
void change_add(struct arena *arena, struct changes *changes, const char *name, const char *before,
                const char *after);
enum { MOST_EXAMPLES = 3 };
void compare_code(struct arena *arena, const struct kernel *before, const struct kernel *after,
                  struct kernel_pair *pair);
// ---- distance.c: insertions and deletions from one sequence to the other; SIZE_MAX beyond its limit of work
size_t edit_distance(const uint32_t *before, size_t before_count, const uint32_t *after, size_t after_count);
// ---- wiring.c: of two kernels with equal shapes, how many instructions read another value
size_t wiring_differences(const struct kernel *before, const struct kernel *after);
// ---- occupancy.c
long long metrics_occupancy(const char *target, const long long *metrics);

// ---- allow.c. A budget names metrics and how much worse each may become: "registers=+2,instructions=5%".
struct allowance {
    const char *text;
    bool given, percent;
    long long limit;
};
enum { ALLOW_GONE = METRIC_COUNT, ALLOW_COUNT };
struct budget_set {
    struct allowance rows[ALLOW_COUNT];
    bool given;
};
// NULL, or the fault of an item "registers=+2".
const char *allow_parse(struct arena *arena, struct budget_set *set, const char *item);
// False if a metric of the budget is unknown: *error names it.
bool allow_check(struct arena *arena, const struct budget_set *set, struct comparison *comparison,
                 struct strbuf *error);

// ---- report_*.c
void report_text(const struct comparison *comparison, bool all, struct strbuf *out);
void report_json(const struct comparison *comparison, struct strbuf *out);
void report_markdown(const struct comparison *comparison, struct strbuf *out);
const char *comparison_verdict(const struct comparison *comparison); // "same", "different" or "worse"

// ---- lines.c: parts of lines shared by text and Markdown
void lines_signed(struct strbuf *out, long long difference);                // "+3"
void lines_number(struct strbuf *out, long long before, long long after);   // "12 → 15 (+3)"
void lines_kind(struct strbuf *out, const struct kind_count *row);          // "global loads of 16 B"
void lines_code(struct strbuf *out, const struct kernel_pair *pair);        // "+3 -1, 2 moved"
void lines_change(struct strbuf *out, const struct change *change);         // "grid.0: n → m"
void lines_totals(struct strbuf *out, const struct comparison *comparison); // "4 kernels: 3 same, 1 changed"
void lines_excess(struct strbuf *out, const struct excess *excess); // "k: registers 32 → 40, allowed +2"

#endif
