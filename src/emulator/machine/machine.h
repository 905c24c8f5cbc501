// What the emulator's files share: decoded kernels, warps, blocks, memory.
//
// A register holds one value for every lane of a warp: component c, lane l of a value whose elements take b
// bytes is at offset (c × lanes + l) × b. A struct is its fields one after another, so extractvalue, and
// extractelement with a constant index, are only offsets. Integers are kept zero-extended in the next
// container of 1, 2, 4, 8 or 16 bytes.
#ifndef TKC_EMULATOR_MACHINE_H
#define TKC_EMULATOR_MACHINE_H

#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "emulator/emulator.h"
#include "support/arena.h"
#include "support/map.h"

enum {
    MAX_LANES = 64,
    MAX_WARPS = 64,
    MAX_DEPTH = 64,    // of the divergence stack
    REGION_SHIFT = 36, // an address names its region in the bits from here on
    REGION_SHARED = 0x700,
    REGION_LOCAL = 0x701,
    REGION_LIMIT = 0x600,
    BARRIER_COUNT = 16,
};

enum address_space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_REGION, SPACE_SHARED, SPACE_CONSTANT, SPACE_LOCAL };

typedef uint64_t lane_mask;

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
    uint8_t space;   // of a memory access
    uint8_t variant; // predicate, atomic operation …
    uint16_t align;  // of a memory access, in bytes
    uint16_t operand_count;
    int64_t immediate;
    const void *extra;              // meaning depends on exec
    const struct operand *operands; // calls: all of them
    LLVMValueRef value;             // where it came from
};

struct phi_copy {
    uint32_t dst, src, total;
    uint16_t components;
    uint8_t bytes;
};

// A control-flow edge: the phi copies it makes, and where it leads.
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

struct kernel {
    const char *name;
    LLVMValueRef function;
    struct instr *code;
    uint32_t code_count, code_capacity;
    struct basic_block *blocks;
    uint32_t block_count;
    struct edge *edges;
    uint32_t edge_count, edge_capacity;
    struct phi_copy *copies;
    uint32_t copy_count, copy_capacity;
    struct constant *constants;
    uint32_t constant_count, constant_capacity;
    struct operand *parameters;
    uint32_t parameter_count;
    uint32_t register_bytes;
    uint32_t scratch_bytes; // largest result
    uint32_t local_bytes;   // of allocas, for one lane
    unsigned required_threads;
    struct kernel *next;
};

struct emulator {
    struct emulator_options options;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct arena *arena;
    bool amd;
    unsigned lanes;
    bool narrow_shared; // pointers to shared memory have 32 bits
    char chip[32];
    struct kernel *kernels;
    struct module_global *globals;
    unsigned global_count;
    uint32_t shared_base;   // address of the first byte of shared memory
    uint32_t shared_static; // bytes of it that the module sets aside
};

// ---- a run ----

struct region {
    const struct emulator_buffer *buffer; // NULL: the module's own
    const char *name;
    uint8_t *data;
    uint8_t *written; // NULL: not tracked
    size_t size;
    bool read_only;
};

struct statistics_site;

struct run {
    struct emulator *emulator;
    struct kernel *kernel;
    const struct emulator_launch *launch;
    struct region *regions;
    unsigned region_count;
    unsigned threads, warps; // of a block
    uint32_t shared_bytes;   // of a block
    uint64_t argument_bits[64];
    uint64_t program_count;
    uint64_t implicit_address; // AMD's implicit kernel arguments
    atomic_uint_fast64_t next_program, programs_done;
    atomic_int stop; // enum emulator_status + 1
    atomic_uint error_count;
    bool checks;
    double deadline;      // monotonic seconds; 0: none
    pthread_mutex_t lock; // reports, trace, statistics
    struct report_entry *reports;
    unsigned report_count, report_capacity;
    char *places; // where the warps stood when the run was stopped
    struct emulator_statistics statistics;
};

// What is known of a byte of shared memory.
struct shadow_access {
    uint32_t clock;
    uint32_t instr; // index in the kernel's code, plus 1; 0: none
    uint8_t warp, lane;
    bool atomic;
};
enum shadow_state { SHADOW_EMPTY, SHADOW_WRITTEN, SHADOW_PENDING };
struct shadow {
    struct shadow_access write, read[2];
    uint8_t state; // enum shadow_state
};

// An asynchronous copy that has not landed.
struct pending_copy {
    uint64_t source;
    uint32_t target; // shared address
    uint8_t lane, size, source_size;
    uint32_t group;
    const struct instr *in;
};

enum warp_state { WARP_RUNNING, WARP_BARRIER, WARP_DONE, WARP_FAULT };

struct frame {
    lane_mask mask;
    uint32_t next; // block where these lanes go on
    uint32_t reconverge;
};

struct warp {
    struct run *run;
    struct block *block;
    const struct kernel *kernel;
    uint8_t *registers;
    uint8_t *scratch;
    uint8_t *local;
    lane_mask mask; // active lanes
    lane_mask full; // all lanes that the program has in this warp
    lane_mask live; // not returned
    uint32_t pc;
    uint16_t index; // in the block
    uint8_t lanes;
    uint8_t state; // enum warp_state
    uint8_t barrier;
    bool partial; // mask != full register width
    unsigned depth;
    struct frame frames[MAX_DEPTH];
    // Happens-before: clocks[w] is the last moment of warp w that this one knows of; its own is
    // clocks[index].
    uint32_t clocks[MAX_WARPS];
    uint32_t released[MAX_WARPS]; // AMD: what a fence made ready to be passed on
    uint32_t incoming[MAX_WARPS]; // AMD: what a barrier passed, until a fence takes it in
    struct pending_copy *pending;
    unsigned pending_count, pending_capacity;
    uint32_t committed[MAX_LANES]; // asynchronous groups
    struct emulator_statistics statistics;
    bool traced;
};

struct barrier {
    uint64_t arrived;  // warps
    uint64_t waiting;  // those of them that wait
    unsigned expected; // warps; 0: nobody has come
    uint32_t clocks[MAX_WARPS];
};

struct block {
    struct run *run;
    uint32_t program[3];
    struct warp *warps;
    unsigned warp_count, running;
    uint8_t *shared;
    struct shadow *shadow; // NULL without checks
    struct barrier barriers[BARRIER_COUNT];
    uint64_t random;
    bool failed;
};

static inline const void *source(const struct warp *warp, const struct instr *in, unsigned index) {
    return warp->registers + in->src[index];
}
static inline const void *operand(const struct warp *warp, const struct instr *in, unsigned index) {
    return warp->registers + in->operands[index].reg;
}
#define FOR_LANES(lane, bits)                                                                                \
    for (lane_mask bits_##lane = (bits); bits_##lane; bits_##lane &= bits_##lane - 1)                        \
        for (unsigned lane = (unsigned)__builtin_ctzll(bits_##lane), once_##lane = 1; once_##lane;           \
             once_##lane = 0)

static inline lane_mask mask_of(unsigned lanes) {
    return lanes >= 64 ? ~(lane_mask)0 : ((lane_mask)1 << lanes) - 1;
}

// decode.c
struct decoder {
    struct emulator *emulator;
    struct kernel *kernel;
    struct map registers; // LLVMValueRef → offset + 1
    struct map blocks;    // LLVMBasicBlockRef → index + 1
    struct map addresses; // integer instructions that feed an address
    struct strbuf *error; // non-empty after a refusal
};
struct kernel *decode_kernel(struct emulator *emulator, LLVMValueRef function, struct strbuf *error);
struct shape decode_shape(struct decoder *decoder, LLVMTypeRef type);
uint32_t decode_size(struct decoder *decoder, LLVMTypeRef type); // register bytes of a value of any type
uint32_t decode_allocate(struct decoder *decoder, uint32_t bytes);
struct operand decode_operand(struct decoder *decoder, LLVMValueRef value);
uint32_t decode_result(struct decoder *decoder, LLVMValueRef value); // its register, allocated on first use
void decode_alias(struct decoder *decoder, LLVMValueRef value, uint32_t reg);
struct instr *decode_emit(struct decoder *decoder, LLVMValueRef value, exec_fn *exec, enum instr_kind kind);
void decode_set_result(struct decoder *decoder, struct instr *in, struct operand result);
uint32_t decode_constant(struct decoder *decoder, const void *data, unsigned bytes, unsigned components);
void decode_refuse(struct decoder *decoder, LLVMValueRef value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// decode_constant.c: bytes of a constant of any type, as it lies in memory (packed elements per component for
// registers).
bool constant_bits(struct emulator *emulator, LLVMValueRef value, unsigned __int128 *bits);
bool constant_memory(struct emulator *emulator, LLVMValueRef value, uint8_t *data, size_t size);
// decode_operation.c
bool decode_instruction(struct decoder *decoder, LLVMValueRef value);
// flow.c: immediate post-dominators of the kernel's blocks.
void flow_post_dominators(struct kernel *kernel, const struct map *blocks);

// arithmetic.c, convert.c: elementwise execution
double element_load(const void *data, unsigned element, uint32_t index);        // of a register of floats
void element_store(void *data, unsigned element, uint32_t index, double value); // rounded to nearest even
exec_fn exec_integer, exec_integer_wide, exec_float, exec_compare_integer, exec_compare_float, exec_select,
    exec_negate, exec_integer_checked;
exec_fn exec_convert_integer, exec_float_to_float, exec_float_to_integer, exec_integer_to_float, exec_repack,
    exec_pointer_offset, exec_move, exec_copy_vector, exec_extract_dynamic, exec_insert, exec_insert_dynamic,
    exec_shuffle_vector, exec_gep, exec_gep_constant, exec_nothing;

// NVIDIA's arithmetic returns one NaN per format, whatever went in (PTX ISA, "Floating Point": 0x7fffffff,
// 0x7fff).
void canonical_nans(const struct warp *warp, const struct instr *in, void *dst);

// control.c
exec_fn exec_jump, exec_branch, exec_switch, exec_return, exec_unreachable;
void warp_start(struct warp *warp);
void warp_step(struct warp *warp, uint64_t budget); // until it waits, ends or the budget is used

// barrier.c
exec_fn exec_barrier, exec_fence, exec_warp_fence;
// `expected` warps take part; `wait`: this one goes on only when all have come.
void barrier_arrive(struct warp *warp, const struct instr *in, unsigned id, unsigned expected, bool wait);
void barrier_check(struct block *block, unsigned id); // lets the warps go on when all have come
void warp_fence(struct warp *warp); // what this warp's lanes did before is seen by them after

// memory.c
exec_fn exec_load, exec_store, exec_atomic, exec_compare_exchange, exec_alloca;
struct place {
    uint8_t *data; // NULL: reported
    uint8_t *written;
    uint32_t shared; // offset in shared memory
    bool is_shared;
};
enum access_type { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };
struct place memory_place(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                          unsigned space, unsigned size, unsigned align, enum access_type type);
// One lane's access with every check; false after a report (reads then give zeros).
bool memory_read(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                 unsigned size, unsigned align, void *data);
bool memory_write(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                  unsigned size, unsigned align, const void *data);
void memory_count(struct warp *warp, const struct instr *in, const uint64_t *address, lane_mask mask,
                  unsigned space, unsigned size, bool write);
enum { ATOMIC_CAS = 100, ATOMIC_INC_WRAP, ATOMIC_DEC_WRAP };
// One lane's read-modify-write; `operation` is an LLVMAtomicRMWBinOp or one of the above. Stores the old
// value.
void memory_atomic(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                   unsigned operation, struct shape shape, const void *value, const void *compare, void *old);
// shadow.c
void shadow_read(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                 bool atomic);
void shadow_write(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                  bool atomic, const uint8_t *data);
void shadow_issue(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size);
// async.c
void async_issue(struct warp *warp, const struct instr *in, unsigned lane, uint64_t source, uint32_t target,
                 unsigned size, unsigned source_size);
exec_fn exec_async_copy, exec_async_commit, exec_async_wait;

// intrinsic.c: calls of functions; assembly.c: of inline assembly
bool decode_intrinsic(struct decoder *decoder, LLVMValueRef call, const char *name);
bool decode_assembly(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints);
// Emits one call with all its operands.
struct instr *decode_call(struct decoder *decoder, LLVMValueRef call, exec_fn *exec, enum instr_kind kind,
                          bool blend);

// report.c
struct report_entry {
    const char *kind;
    const struct instr *in, *other;
    uint64_t program; // where it was found: the first program that has it speaks for all
    char *text;
    char *file;
    unsigned line, column;
    uint64_t count;
};
void report_at(struct warp *warp, const struct instr *in, unsigned lane, const char *kind,
               const struct instr *other, const char *other_label, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
void report_place_text(struct strbuf *out, LLVMValueRef value); // "file:line:column" or "unknown line"
void report_address(struct strbuf *out, struct run *run, uint64_t address, unsigned space);
void report_finish(struct run *run, struct emulator_result *result);
void report_warps(struct block *block); // appends each warp's place to run->places
bool collective_check(struct warp *warp, const struct instr *in,
                      lane_mask wanted); // reports lanes that are missing

// launch.c
void run_stop(struct run *run, enum emulator_status status);

#endif
