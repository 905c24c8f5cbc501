// What a kernel takes of a chip: registers, memory, occupancy and instructions, as a table and in the reflection.
#ifndef TKC_ARTIFACT_RESOURCES_H
#define TKC_ARTIFACT_RESOURCES_H

#include "artifact/listing.h"
#include "chip/occupancy.h"
#include "support/source.h"
#include "support/strbuf.h"

struct resources {
    const char *kernel; // the entry
    const struct target *target;
    struct location location; // of the kernel
    // What knows registers, spills and stack: "ptxas 13.0.88", "LLVM 22.1.0"; NULL: nothing does.
    const char *from;
    bool warned_of_sums;              // -Wsums has said what helps
    unsigned registers, accumulators; // of a thread; accumulators are some of the registers
    unsigned scalars;                 // of a wave
    bool counts_bytes;                // of spills, as ptxas does; else their values are known
    unsigned spill_stores, spill_loads, spilled_values;
    unsigned stack; // bytes of a thread, spills included
    unsigned threads, static_shared, dynamic_shared;
    struct occupancy occupancy; // if `from`
    bool has_mix;
    struct instruction_mix mix;
};

bool resources_spill(const struct resources *resources);
// So few values spill, below a sixteenth of a thread's registers, that their stores and loads take hardly any time.
bool resources_spill_little(const struct resources *resources);
// "508 B stored and 456 B loaded", "12 values"
void resources_add_spills(const struct resources *resources, struct strbuf *out);
// A line a kernel and target, and a head.
void resources_table(const struct resources *const *all, size_t count, struct strbuf *out);
// The columns of the table, the kernel's name first: their number, the head of one, and what stands in it.
size_t resources_columns(void);
const char *resources_head(size_t column);
void resources_cell(size_t column, const struct resources *resources, struct strbuf *out);
// {"from": "ptxas 13.0.88", …}; what is not known is null.
void resources_json(const struct resources *resources, struct strbuf *out);

#endif
