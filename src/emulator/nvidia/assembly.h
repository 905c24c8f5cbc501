// Inline assembly: a statement's decoded form and its functions.
#ifndef TKC_EMULATOR_NVIDIA_ASSEMBLY_H
#define TKC_EMULATOR_NVIDIA_ASSEMBLY_H

#include "emulator/machine/machine.h"

enum { ASSEMBLY_OUTPUTS = 8, ASSEMBLY_ARGUMENTS = 24, ASSEMBLY_GROUPS = 8 };

// One argument of a statement: an operand of the call, or a number in the text.
struct assembly_argument {
    bool literal;
    int64_t number; // the literal, or the offset added to an address
    struct operand operand;
};

enum pair_operation { PAIR_ADD, PAIR_SUB, PAIR_MULTIPLY, PAIR_FMA };

struct assembly;
typedef void assembly_fn(struct warp *warp, const struct instr *in, const struct assembly *statement);

struct assembly {
    assembly_fn *run;
    bool has_predicate, negated;
    struct operand predicate;
    unsigned output_count;
    struct operand outputs[ASSEMBLY_OUTPUTS];
    bool has_tied[ASSEMBLY_OUTPUTS]; // an input gives the output's value if it is not written
    struct operand tied[ASSEMBLY_OUTPUTS];
    unsigned count;
    struct assembly_argument arguments[ASSEMBLY_ARGUMENTS]; // as written, outputs among them
    unsigned groups[ASSEMBLY_GROUPS], group_count;          // arguments of each {…} or single one
    unsigned space, bits, vector;
    bool is_signed;
    LLVMAtomicOrdering ordering; // of a strong access or a fence
    enum scope scope;
    unsigned operation; // of an atomic, or enum math_function or pair_operation
    struct shape shape;
    const char *from, *to; // types of a conversion
    bool saturate, toward_zero, to_even;
    int64_t immediate;
    const void *extra;
};

exec_fn exec_assembly; // extra: a struct assembly
assembly_fn assembly_nothing, assembly_load, assembly_store, assembly_atomic, assembly_copy, assembly_commit,
    assembly_move, assembly_wait, assembly_unary, assembly_binary, assembly_convert, assembly_fence,
    assembly_warp_fence, assembly_wait_stores, assembly_barrier, assembly_warp_sync, assembly_mma,
    assembly_ldmatrix, assembly_stmatrix, assembly_fma, assembly_pair, assembly_policy, assembly_and,
    assembly_xor, assembly_lop3;

#endif
