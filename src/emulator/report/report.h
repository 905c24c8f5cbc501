// What was found, and where.
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
// Reports lanes of `wanted` that are missing at an operation of the whole warp; true when none is.
bool collective_check(struct warp *warp, const struct instr *in, lane_mask wanted);
void report_finish(struct run *run, struct emulator_result *result);
void report_warps(struct block *block); // appends each warp's place to run->places

// place.c
void report_place_text(struct strbuf *out, LLVMValueRef value);      // "file:line:column" or "unknown line"
void report_calls_text(struct strbuf *out, LLVMValueRef value);      // a line for each call that was inlined
const char *report_file(LLVMMetadataRef location, unsigned *length); // NULL: none
void report_address(struct strbuf *out, struct run *run, uint64_t address, unsigned space);

// trace.c: an instruction that the traced thread has executed
void report_trace(struct warp *warp, const struct instr *in);

#endif
