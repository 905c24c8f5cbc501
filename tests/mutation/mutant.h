// Faults that can be planted in a kernel's LLVM module.
#ifndef TKC_TESTS_MUTANT_H
#define TKC_TESTS_MUTANT_H

#include <stdbool.h>
#include <llvm-c/Core.h>

enum mutant_kind {
    MUTANT_BARRIER,  // a barrier or fence is left out
    MUTANT_WAIT,     // a wait for asynchronous copies or products waits for one group less
    MUTANT_PARITY,   // a wait for an mbarrier waits for the other parity
    MUTANT_BYTES,    // an mbarrier expects 16 bytes more
    MUTANT_OPERAND,  // a shared operand of a product that runs beside the program is written after its issue
    MUTANT_MASK,     // a comparison that bounds an access always holds
    MUTANT_OFFSET,   // a shared-memory address moves by 16 bytes
    MUTANT_FRAGMENT, // two parts of a matrix operand change places
    MUTANT_KINDS,
};
extern const char *const mutant_names[MUTANT_KINDS];

struct mutant {
    enum mutant_kind kind;
    unsigned block, position; // of the instruction in the function
};

// Every place in a function where a fault of each kind can be planted. The array is malloc'ed.
struct mutant *mutant_list(LLVMValueRef function, unsigned *count);
// Plants it; the function is a clone of the one listed. Returns the instruction it was about (for its place
// in the source), possibly erased from the clone.
void mutant_plant(LLVMValueRef function, const struct mutant *mutant);

// Plants a probe instead: the emulator reports when the place is reached (for a comparison: when it is false
// for some thread), so that a clean run shows a fault that these arguments cannot tell from the kernel as it
// is.
void mutant_probe(LLVMValueRef function, const struct mutant *mutant);

#endif
