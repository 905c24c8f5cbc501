// Faults and their places.
#ifndef TKC_EMULATOR_REPORT_REPORT_H
#define TKC_EMULATOR_REPORT_REPORT_H

#include "emulator/machine/machine.h"
#include "support/strbuf.h"

enum fault {
#define FAULT(name, kind, whose) FAULT_##name,
#include "emulator/report/faults.def"
#undef FAULT
};

// report.c
void report_at(struct warp *warp, const struct instr *in, unsigned lane, enum fault fault,
               const struct instr *other, const char *other_label, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
// Reports lanes of `wanted` missing at an operation of the whole warp; true if none is missing.
bool collective_check(struct warp *warp, const struct instr *in, lane_mask wanted);
void report_finish(struct run *run, struct emulator_result *result);
void report_warps(struct block *block); // appends each warp's place to run->places

// place.c
struct source_line {
    const char *file; // `length` bytes of it; NULL: unknown
    int length;
    unsigned line, column;
};
bool report_line(const struct instr *in, struct source_line *line); // false: not known
void report_place_text(struct strbuf *out, const struct instr *in); // "file:line:column", or its text
void report_value_place(struct strbuf *out, LLVMValueRef value);    // the same of a part of a module
void report_calls_text(struct strbuf *out, const struct instr *in); // a line for each inlined call
void report_address(struct strbuf *out, struct run *run, uint64_t address, unsigned space);

// trace.c: prints an instruction executed by the traced thread
void report_trace(struct warp *warp, const struct instr *in);

#endif
