// Faults for a kernel's LLVM module.
#ifndef TKC_TESTS_MUTANT_H
#define TKC_TESTS_MUTANT_H

#include <stdbool.h>
#include <llvm-c/Core.h>

enum mutant_kind {
    MUTANT_BARRIER,  // a barrier or fence is left out
    MUTANT_WAIT,     // a wait for asynchronous copies or products waits for one group less, or (AMD) one copy
    MUTANT_OPERAND,  // a shared operand of an asynchronous product is written after its issue
    MUTANT_MASK,     // the comparison for an access's bound is always true
    MUTANT_OFFSET,   // a shared-memory address moves by 16 bytes
    MUTANT_FRAGMENT, // two parts of a matrix operand change places
    MUTANT_COPY,     // a copy to LDS past the registers is left out
    // One operand of an instruction in assembly changes (table `words` of mutant.c):
    MUTANT_PARITY,        // a wait for an mbarrier waits for the other parity
    MUTANT_BYTES,         // an mbarrier expects 16 bytes more
    MUTANT_ARRIVALS,      // or one arrival more
    MUTANT_OTHER_BARRIER, // products, or a warp, arrive at the next mbarrier
    MUTANT_OTHER_BLOCK,   // an address is mapped to the other block, or a commit leaves it out
    MUTANT_ALLOCATION,    // half the columns of tensor memory are taken
    MUTANT_COLUMN,        // an access to tensor memory moves by 16 columns
    MUTANT_DESCRIPTOR,    // a bit of the stride in a matrix descriptor is flipped
    MUTANT_INSTRUCTION,   // the bit for B's order in an instruction descriptor is flipped
    MUTANT_ADDS,          // a product into tensor memory adds instead of overwriting, or the reverse
    MUTANT_OTHER_ANSWER,  // an answer of cluster launch control is asked for, or read, at the next place
    MUTANT_KINDS,
};
extern const char *const mutant_names[MUTANT_KINDS];

struct mutant {
    enum mutant_kind kind;
    unsigned block, position; // of the instruction in the function
};

// Every place in a function for a fault of each kind. The array is malloc'ed.
struct mutant *mutant_list(LLVMValueRef function, unsigned *count);
// Plants it; the function is a clone of the one listed. Returns the instruction it was about (for its place
// in the source), possibly erased from the clone.
void mutant_plant(LLVMValueRef function, const struct mutant *mutant);

// Plants a probe instead: the emulator reports a visit of the place (for a comparison: if it is false for
// some thread), or a copy brings other bytes, or a product into tensor memory other sums. After a clean run of a probe these arguments
// cannot distinguish the fault from the kernel: values without a reader (of a copy or a product for the step behind a loop's last one) may be wrong.
void mutant_probe(LLVMValueRef function, const struct mutant *mutant);

// Makes an access's bound never true; leaving the bound out makes it always true. If neither is noticed, the bound's
// answer is not read with these arguments: that of a step beyond all loops.
void mutant_refuse(LLVMValueRef function, const struct mutant *mutant);

// True for a bound `column < n` read only together with `column <= row`, in a kernel without stores at or beyond n: the
// bound alone is false for rows at or beyond n only, so leaving it out changes no stored row (causal masks).
bool mutant_is_implied(LLVMValueRef function, const struct mutant *mutant);

#endif
