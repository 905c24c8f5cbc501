// A decoded kernel: instructions over registers, blocks, edges, constants. The decoder writes it, warps run it.
//
// A register holds one value for every lane of a warp: component c, lane l of a value with elements of b
// bytes is at offset (c × lanes + l) × b. A struct is its fields one after another, so extractvalue, and
// extractelement with a constant index, are only offsets. Integers are kept zero-extended in the next
// container of 1, 2, 4, 8 or 16 bytes.
#ifndef TKC_EMULATOR_MACHINE_CODE_H
#define TKC_EMULATOR_MACHINE_CODE_H

#include <llvm-c/Target.h>

#include "emulator/emulator.h"
#include "support/arena.h"

enum {
    REGION_SHIFT = 36, // an address names its region in the bits from here on
    REGION_SHARED = 0x700,
    REGION_LOCAL = 0x701,
    SLOT_UNIT = 64,  // registers begin at multiples of it
    LOCAL_BASE = 64, // the first address of local memory
};

enum address_space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_REGION, SPACE_SHARED, SPACE_CONSTANT, SPACE_LOCAL };

enum element_kind {
    ELEMENT_INT,
    ELEMENT_HALF,
    ELEMENT_BFLOAT,
    ELEMENT_FLOAT,
    ELEMENT_DOUBLE,
    ELEMENT_POINTER
};

struct shape {
    uint8_t kind;  // enum element_kind
    uint8_t bytes; // of an element's container in a register
    uint8_t bits;  // of an element
    uint8_t space; // of a pointer
    uint16_t components;
};

struct operand {
    uint32_t reg; // offset in the register file
    struct shape shape;
    bool is_constant;
    uint64_t constant; // low bits of the first component
};

struct warp;
struct instr;
typedef void exec_fn(struct warp *warp, const struct instr *in, void *dst);

enum instr_kind {
    KIND_INTEGER,
    KIND_FLOAT,
    KIND_CONVERT,
    KIND_COMPARE,
    KIND_SELECT,
    KIND_MOVE,
    KIND_MATH,
    KIND_BRANCH,
    KIND_GLOBAL_LOAD,
    KIND_GLOBAL_STORE,
    KIND_SHARED_LOAD,
    KIND_SHARED_STORE,
    KIND_ATOMIC,
    KIND_LOCAL,
    KIND_ASYNC,
    KIND_BARRIER,
    KIND_SHUFFLE,
    KIND_MATRIX,
    KIND_SPECIAL,
    KIND_COUNT
};

// Among whom an atomic or a fence orders.
enum scope { SCOPE_WARP, SCOPE_BLOCK, SCOPE_DEVICE, SCOPE_SYSTEM };

struct instr {
    exec_fn *exec;
    uint32_t dst;
    uint32_t src[4];
    uint32_t total;      // components × lanes of the result
    uint16_t components; // of the result
    uint8_t bytes;       // of a result element
    uint8_t bits;        // of a result element
    uint8_t element;     // enum element_kind of the result
    uint8_t kind;        // enum instr_kind
    bool blend;          // under a partial mask, inactive lanes of the result must be kept by the caller
    uint8_t source_bytes, source_bits, source_element;
    uint8_t space;           // of a memory access
    uint8_t variant;         // predicate, atomic operation …
    uint8_t ordering, scope; // of a strong access or a fence: LLVMAtomicOrdering, enum scope
    uint16_t align;          // of a memory access, in bytes
    uint16_t operand_count;
    uint32_t index; // in the kernel's code; a copy of an instruction keeps it
    int64_t immediate;
    const void *extra;              // meaning depends on exec
    const struct operand *operands; // calls: all of them
    LLVMValueRef value;             // its LLVM instruction; NULL: see `place`
    const struct place_in_code *place;
};

// Of an instruction of machine code.
struct place_in_code {
    const char *text; // as disassembled
    const char *file; // of the source; NULL: the code has no line table
    unsigned line, column;
    uint32_t jump; // index of its jump target; JUMP_NONE
    bool goes_on;  // control may reach the next one
};
enum { JUMP_NONE = 0xffffffffu };

struct phi_copy {
    uint32_t dst, src, total;
    uint16_t components;
    uint8_t bytes;
};

// A control-flow edge: its phi copies and its target.
struct edge {
    uint32_t target;       // block
    uint32_t first, count; // in kernel->copies
    bool overlap;          // some copy's source is another one's destination
    uint32_t copy_bytes;
};

struct basic_block {
    LLVMBasicBlockRef ref;
    uint32_t first;      // instruction
    uint32_t reconverge; // immediate post-dominator; BLOCK_NONE: the exit
};
enum { BLOCK_NONE = 0xffffffffu };

struct constant {
    uint32_t reg;
    uint16_t components;
    uint8_t bytes;
    const uint8_t *data; // components × bytes
};

struct switch_table {
    unsigned count;
    uint64_t *values;
    uint32_t *edges; // count + 1: the last is the default
};

// A global variable of the module: shared memory or constants.
struct module_global {
    LLVMValueRef value;
    uint64_t address;
    unsigned space;
    size_t size;
    uint8_t *data; // constants: the initial bytes
};

// Slots read and written by an instruction; a slot is a register word that an asynchronous product may read
// or write (execute/flight.c).
struct guard {
    exec_fn *exec; // the instruction's own
    const uint32_t *reads, *writes;
    uint32_t read_count, write_count;
};

// The machine-code part of a kernel (emulator/amdgcn).
struct run;
struct machine_kernel {
    void (*start)(struct warp *warp); // puts the registers of a wave as the dispatcher does
    void (*put_arguments)(const struct run *run, uint8_t *segment);
    uint32_t argument_bytes; // of the kernel argument segment
    uint32_t shared_bytes;
};

struct kernel {
    const char *name;
    LLVMValueRef function;                // NULL: machine code
    const struct machine_kernel *machine; // NULL: LLVM IR
    struct instr *code;
    uint32_t code_count;
    size_t code_capacity;
    struct basic_block *blocks;
    uint32_t block_count;
    struct edge *edges;
    uint32_t edge_count;
    size_t edge_capacity;
    struct phi_copy *copies;
    uint32_t copy_count;
    size_t copy_capacity;
    struct constant *constants;
    uint32_t constant_count;
    size_t constant_capacity;
    struct operand *parameters;
    uint32_t parameter_count;
    uint32_t register_bytes;
    uint32_t scratch_bytes; // largest result
    uint32_t local_bytes;   // of allocas, for one lane
    unsigned required_threads;
    // least blocks of a multiprocessor the kernel is compiled for; 0: not stated
    unsigned resident_blocks;
    unsigned cluster;         // blocks that run as one cluster
    uint32_t most_registers;  // of a thread, as requested by setmaxnreg
    bool has_agents;          // something uses shared memory beside the program
    bool asks;                // for the places of other blocks
    bool has_products;        // wgmma: the slots below are made
    bool multiplies_reads;    // wgmma of values that threads read from shared memory: warps keep open_reads
    uint32_t *slots;          // by register offset / SLOT_UNIT: slot + 1; 0: none
    uint32_t *slot_registers; // by slot: register offset
    uint32_t slot_count;
    const struct guard **guards; // by instruction; NULL: it touches no slot
    struct kernel *next;
};

struct emulator {
    struct emulator_options options;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct arena *arena;
    bool amd;
    const struct target *target; // AMD: the chip's row; NULL of NVIDIA's modules
    unsigned lanes;
    bool narrow_shared; // pointers to shared memory have 32 bits
    bool barrier_waits; // AMD: before a wave comes to a barrier its stores are done
    char chip[32];
    struct kernel *kernels;
    void *image; // of machine code, in the end owned; NULL: a module
    struct module_global *globals;
    unsigned global_count;
    uint32_t shared_base;   // address of the first byte of shared memory
    uint32_t shared_static; // bytes of it reserved by the module
};

#endif
