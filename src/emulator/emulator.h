// The emulator: runs the per-thread LLVM module of a kernel on the host, with checks beyond those of any GPU.
//
// It interprets the module a warp at a time: every LLVM value is an array with one element per lane, and one
// step executes an instruction for all active lanes. So collectives (shuffles, matrix instructions) see all
// their lanes at once, and divergence is a mask, not a scheduling accident. The instructions are decoded
// once; a step is one indirect call and a loop over lanes, vectorised by the host compiler. See
// src/emulator/README.md for the model and the checks.
#ifndef TKC_EMULATOR_EMULATOR_H
#define TKC_EMULATOR_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <llvm-c/Core.h>

// Scheduling order of a program's warps. No order may change the results of a legal kernel.
enum emulator_order {
    EMULATOR_BY_SEED,  // in turn when the seed is 0, else at random
    EMULATOR_IN_TURN,  // by number, a slice each
    EMULATOR_REVERSED, // the same from the last warp
    EMULATOR_AHEAD,    // one warp, chosen by the seed, as far ahead of the others as it gets
    EMULATOR_BEHIND,   // one warp as far behind them
    EMULATOR_RANDOM,   // a few instructions at a time, by the seed; programs are interleaved too
    EMULATOR_ORDERS
};
extern const char *const emulator_order_names[EMULATOR_ORDERS];

// A watched tile: a warp begins to show it, and then each element. Or a step: all warps of the program are there.
struct emulator_shown {
    enum { EMULATOR_WATCH_BEGINS, EMULATOR_WATCHED, EMULATOR_STEP } kind;
    uint32_t program[3];
    uint64_t program_number;
    unsigned warp;
    uint32_t id;      // of the watch or step
    uint32_t element; // of the tile, in row-major order
    uint64_t bits;
};

struct emulator_options {
    const char *chip;            // "sm_80", "gfx942"; NULL: taken from the module's functions
    bool no_checks;              // leave out the shadow memory; addresses stay bounded
    bool check_address_overflow; // report wrapping i32 address arithmetic
    bool count;                  // gather statistics
    unsigned workers;            // threads of the host; 0: one per core
    unsigned report_limit;       // stop after so many different reports; 0: 20
    enum emulator_order order;   // of warps
    uint64_t seed;               // for that order
    double timeout_seconds;      // 0: none
    const volatile int *stop;    // the run ends soon after *stop becomes non-zero; may be NULL
    FILE *trace;                 // every instruction of one thread is printed there; NULL: none
    unsigned trace_program[3];
    unsigned trace_thread;
    // Machine code: a byte for each word of the loaded code object, set if a wait there had something to wait
    // for, or a scalar or comparing instruction changed EXEC; NULL: none.
    uint8_t *mattered;
    FILE *printed; // output of the kernel's prints; NULL: standard output
    // Tiles and steps of tk.watch and tk.step, one call at a time; NULL: ignored.
    void (*show)(void *user, const struct emulator_shown *shown);
    void *show_user;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
};

// Global memory of kernels. The bytes stay the caller's.
struct emulator_buffer {
    const char *name;      // of the argument, for reports
    void *data;            // aligned to 16 bytes
    size_t size;           // bytes
    unsigned element_bits; // for "index" in reports; 0: bytes
    bool poisoned;         // nothing was written yet: reads before writes are reported
    bool read_only;        // writes are reported
    uint8_t *written; // one byte per byte of data, kept across runs; NULL: emulator-owned, fresh for each run
};

// A tensor map argument (NVIDIA, TMA): a tensor in a buffer, and the box moved by a copy. Dimensions count
// from the innermost one, the contiguous one.
struct emulator_tensor_map {
    struct emulator_buffer *buffer;
    size_t offset; // of the tensor, bytes from the buffer's start: a multiple of 16
    unsigned rank; // 1 to 5
    unsigned element_bytes;
    bool is_bf16;        // 16-bit elements are bf16, and not fp16: copies that add tell them apart
    bool rounds_tf32;    // f32 elements, rounded to tf32 by a load, ties to even
    uint64_t sizes[5];   // elements
    uint64_t strides[4]; // bytes, of dimensions 1 and up: multiples of 16
    uint32_t box[5];     // elements, at most 256 each; the first dimension's bytes a multiple of 16
    unsigned swizzle;    // bytes: 0, or 32, 64 or 128 and equal to the box's first dimension
};

struct emulator_argument {
    const char *name;
    struct emulator_buffer *buffer;        // NULL: a scalar
    bool late;                             // an earlier launch may still write the buffer: accesses ahead of
                                           // griddepcontrol.wait are reported
    size_t offset;                         // bytes from the buffer's start
    uint64_t bits;                         // a scalar's value, in its low bits
    const struct emulator_tensor_map *map; // the parameter is a pointer to this map; NULL: it is none
    // The buffer becomes an array of the addresses of these, one a rank; NULL: it holds the caller's values.
    struct emulator_buffer *const *peers;
};

struct emulator_launch {
    const char *kernel;
    const struct emulator_argument *arguments;
    unsigned argument_count;
    unsigned grid[3];    // programs
    unsigned threads;    // of a program; 0: as the module requires
    size_t shared_bytes; // dynamic shared memory (NVIDIA, code objects); AMD's modules declare theirs
    bool persistent;     // each block takes several of the source's programs: reports name the block
    // Devices to run the grid beside each other, with `argument_count` arguments each, one rank behind the other in
    // `arguments`. What they order at a scope below the system's is not ordered among them. 0 or 1: one device.
    unsigned ranks;
    unsigned launches; // of the grid on each rank, one behind the other; 0 or 1: one
};

enum emulator_status {
    EMULATOR_DONE,
    EMULATOR_TIMEOUT,
    EMULATOR_INTERRUPTED,
    EMULATOR_STOPPED, // after a final fault, or too many reports
    EMULATOR_REFUSED, // nothing ran: unknown kernel, wrong arguments
};

struct emulator_report {
    const char *kind; // "out of bounds", "race", …: see report/faults.def
    bool of_compiler; // of the compiler's shared memory, barriers …; else the kernel's own
    const char *text; // whole message, with file:line:column and notes, newline-terminated
    const char *file; // of the kernel's source; "" when unknown
    unsigned line, column;
    uint64_t count; // number of occurrences at this place
};

// Counted once per warp: warp_* count instructions, lane_* active lanes.
struct emulator_statistics {
    uint64_t warp_instructions;
    uint64_t lane_instructions;
    uint64_t by_kind[24]; // warp instructions, see emulator_kind_names
    uint64_t global_load_bytes, global_store_bytes;
    uint64_t shared_load_bytes, shared_store_bytes;
    uint64_t global_requests, global_sectors;    // 32-byte sectors touched by warp-wide accesses
    uint64_t global_useful_bytes;                // bytes asked for: sectors × 32 over this is the efficiency
    uint64_t shared_requests, shared_wavefronts; // passes over the banks
    uint64_t shared_ideal_wavefronts;            // passes without a conflict
    uint64_t matrix_operations;                  // multiply-adds of matrix instructions, times 2
    uint64_t matrix_flushes;                     // their subnormal operands and results flushed to 0
    uint64_t barriers, branches, divergent_branches;
};
extern const char *const emulator_kind_names[24]; // NULL-terminated when shorter

struct emulator_result {
    enum emulator_status status;
    // in order of (source line, kind): the same for every run with all of them
    struct emulator_report *reports;
    unsigned report_count;
    char *message; // why it was refused or stopped; NULL
    struct emulator_statistics statistics;
    double seconds;
    uint64_t programs_done;
};

// Takes the module: emulator_destroy disposes of it (the LLVM context stays the caller's). Returns NULL if
// some operation is not supported; *error is then a malloc'ed message with its name.
struct emulator *emulator_create(LLVMModuleRef module, const struct emulator_options *options, char **error);
// The same for AMD's machine code: a linked code object (its bytes are copied) for options->chip.
struct emulator *emulator_create_object(const void *image, size_t length,
                                        const struct emulator_options *options, char **error);
// Describes a code object's kernel of that name, or its first one for NULL. False: *error, malloc'ed.
struct emulator_object_kernel {
    char name[256];
    unsigned threads, parameter_count;
    bool pointer[64];
    char parameter[64][128]; // names; "" without one in the code object
};
bool emulator_describe_object(const void *image, size_t length, const char *name,
                              struct emulator_object_kernel *kernel, char **error);
void emulator_destroy(struct emulator *emulator);

// Sets order and seed of later runs, in place of the options'.
void emulator_reorder(struct emulator *emulator, enum emulator_order order, uint64_t seed);

// True when every program ran to its end and nothing was reported.
bool emulator_run(struct emulator *emulator, const struct emulator_launch *launch,
                  struct emulator_result *result);
void emulator_result_free(struct emulator_result *result);

#endif
