// tkc-run: runs one kernel on the emulator, on CUDA or on HIP. Declarations shared by its files.
#ifndef TKC_RUN_RUN_H
#define TKC_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <llvm-c/Core.h>

#include "command/expression.h"
#include "emulator/emulator.h"
#include "hidden.h"
#include "support/file.h"
#include "support/strbuf.h"
#include "tkc/tkc.h"

enum { RUN_DIMENSIONS = 8, RUN_ARGUMENTS = 64 };

// --- message.c
char *message(const char *format, ...) __attribute__((format(printf, 1, 2))); // malloc'ed

// --- values.c: element types and arrays

enum element_type_kind { ELEMENT_TYPE_BOOL, ELEMENT_TYPE_SIGNED, ELEMENT_TYPE_UNSIGNED, ELEMENT_TYPE_FLOAT };
struct element_type {
    const char *name; // "fp16", "i32", "fp8e4nv"
    const char *alias;
    enum element_type_kind kind;
    unsigned bits;
    // Type string of .npy files, little-endian: of types unknown to NumPy ml_dtypes' "<V2" and "<V1".
    const char *npy;
};
const struct element_type *element_type_find(const char *name, size_t length); // NULL when unknown
// By the type string of an .npy file. Those of 8-bit floats are all one, element_type_of_byte: a float of any such format.
const struct element_type *element_type_of_npy(const char *descr, size_t length);
extern const struct element_type element_type_of_byte;

struct array {
    const struct element_type *dtype;
    size_t dimensions[RUN_DIMENSIONS];
    unsigned rank;
    size_t count;
    void *data; // aligned to 64 bytes
    bool empty; // nothing was written yet
};
bool array_create(struct array *array, const struct element_type *dtype, const size_t *dimensions,
                  unsigned rank);
void array_free(struct array *array);
size_t array_bytes(const struct array *array);
double array_get(const struct array *array, size_t index);
int64_t array_get_integer(const struct array *array, size_t index);
void array_print(struct strbuf *out, const struct array *array, size_t index); // integers with all digits
void array_set(struct array *array, size_t index, double value);
void array_set_integer(struct array *array, size_t index, int64_t value);
uint64_t scalar_bits(const struct element_type *dtype, double value, int64_t integer);

// --- npy.c: NumPy's file format, version 1 (NEP 1)
// On failure a malloc'ed message. `as`: the element type for codes of its size (V1, V2 or integers); NULL: as the
// file says.
char *npy_read(const char *path, const struct element_type *as, struct array *array);
char *npy_write(const char *path, const struct array *array);

// --- arguments.c: the values of --arg

struct run_argument {
    char *name;
    char *file; // the file the array was read from; NULL: none
    bool is_array;
    struct array array;
    bool is_integer; // of a scalar
    bool is_large;   // an integer of 2^63 or more: `integer` has its bits
    int64_t integer;
    double number;
    const struct element_type *dtype; // of a scalar with an explicit type
    bool used;
    bool late;                 // an earlier launch of the chain may still write it when this one begins
    bool addresses;            // of the ranks' arrays: the parameter is an array of addresses
    bool is_rank;              // a scalar: the number of the rank
    char *of;                  // part of the other argument's array; NULL: an array of its own
    size_t first, last;        // its elements, up to SIZE_MAX
    struct run_argument *base; // the argument, once it is known
};
// "x=rand(64,1000,seed=3):fp16", "x=in.npy", "n=1000", "y=x", "y=x[64:128]". NULL or a malloc'ed message. `seed`: for generators
// without one. With several ranks an array gets one more dimension, the first: the ranks' arrays, one behind the other.
char *argument_parse(const char *text, uint64_t seed, unsigned ranks, struct run_argument *argument);
// Finds the array with an argument as its part. NULL or a malloc'ed message.
char *argument_resolve(struct run_argument *arguments, unsigned count, struct run_argument *argument);
void argument_free(struct run_argument *argument);

// --- compare.c
struct tolerance {
    double relative, absolute;
    bool given;
};
// True if equal within the tolerance; writes the differences of the worst elements to `out`.
bool compare_arrays(const char *name, const struct array *got, const struct array *want,
                    const uint8_t *written, const struct tolerance *tolerance, struct strbuf *out);

// --- program.c: the program to run

struct kernel_parameter {
    const char *name;
    const struct element_type *dtype; // NULL: a pointer without an element type in the module
    bool pointer;
    bool signless;         // an integer of either kind: LLVM's type does not tell
    unsigned divisible_by; // hints, checked as in launchers; 0 or 1: none
    bool equals_one;
    bool late;           // an array possibly written by an earlier launch of the chain
    const char *in_grid; // its name in the grid, if arguments are called otherwise (chain.c); NULL: `name`
};
struct kernel_program {
    char *name;
    struct kernel_parameter parameters[RUN_ARGUMENTS];
    unsigned parameter_count;
    char unnamed[RUN_ARGUMENTS][128]; // names of parameters without another home
    char *grid[3];                    // expressions; NULL: not given
    struct expression_name *constants;
    size_t constant_count;
    unsigned threads;
    size_t shared_bytes;
    bool given_object;               // a code object, not compiled here
    const struct tkc_hidden *hidden; // parameters behind these
    size_t hidden_count;
    bool waits; // for the launch ahead of it in a chain
    struct dealing dealing;
    const struct reflect_apart *apart; // parameters assumed not to overlap
    size_t apart_count;
    const struct reflect_form *paired; // the kernel's second form; NULL: none
    const char *paired_steps;          // of a program, as an expression
    LLVMContextRef context;
    LLVMModuleRef module; // for the emulator; ownership passes to it
    void *image;          // devices: PTX or code object
    size_t image_length;
    void *unit; // of the compiler
    // of a request for a launch of a chain: the chain, alive as long as the program
    const struct kernel_chain *chain;
    bool clash; // not loaded: a file would overwrite another one
};
struct shows;        // frontend/value/shows.h
struct kernel_chain; // frontend/chain.h
struct program_request {
    struct tkc_options options; // the source and the choices it leaves open
    const char *target;
    size_t shared_bytes; // for a program without its own
    unsigned threads;    // for a program without its own
    bool want_image;
    struct shows *shows;      // the watched tiles; NULL: none
    const char *const *plots; // WHAT=FILE.svg
    size_t plot_count;
    const char *chain; // take this launch of the chain; NULL: the kernel
    size_t launch;
    const struct file_use *files; // read and written files, except the imports of a source
    size_t file_count;
};
// True, after a message, if one of the files would overwrite another one.
bool files_clash(const struct file_use *files, size_t count);
// False after messages on standard error.
bool program_load(struct kernel_program *program, const struct program_request *request);
// Turns the program into its kernel's second form, if this launch takes it.
void program_take_form(struct kernel_program *program, struct run_argument *const *bound,
                       const unsigned *grid, unsigned multiprocessors);
void program_free(struct kernel_program *program);

// --- device.c: `where` is "cuda" or "hip"
struct device_result {
    double seconds; // the best of the timed launches; 0: not timed
    char name[128];
};
// Copies the arrays of `arguments` (by parameter) to the device, runs, and copies them back. NULL or a
// malloc'ed message.
char *device_run(const char *where, const struct kernel_program *program,
                 struct run_argument *const *arguments, const unsigned *grid, bool time,
                 struct device_result *result);
const char *device_target(const char *where); // "sm_90a" of the first device; NULL after a message
bool device_multiprocessors(const char *where, unsigned *count); // false after a message

// --- statistics.c
void statistics_text(const struct emulator_statistics *statistics, const char *chip, unsigned threads,
                     size_t shared_bytes, struct strbuf *out);
void statistics_json(const struct emulator_statistics *statistics, const char *chip, unsigned threads,
                     size_t shared_bytes, struct strbuf *out);

#endif
