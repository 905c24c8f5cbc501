// Language tests: small kernels, one language form each, compiled for every chip and run in the emulator.
//
// A family is one file of kernels (memory.tk) with a table of cases beside it (memory.c). A case names a
// kernel, the types of its arguments, their generators, and a reference in C for every output in float64 or
// int64. lang_test.c compiles and runs; arguments.c makes inputs and judges outputs.
#ifndef TKC_TESTS_LANG_H
#define TKC_TESTS_LANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum element {
    I1,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    E5M2,
    E4M3,
    E5M2Z,
    E4M3Z,
    E4B15
};

// The types as signatures spell them, for pasting: "*" NAME_F32.
#define NAME_I1 "i1"
#define NAME_I8 "i8"
#define NAME_I16 "i16"
#define NAME_I32 "i32"
#define NAME_I64 "i64"
#define NAME_U8 "u8"
#define NAME_U16 "u16"
#define NAME_U32 "u32"
#define NAME_U64 "u64"
#define NAME_F16 "fp16"
#define NAME_BF16 "bf16"
#define NAME_F32 "fp32"
#define NAME_F64 "fp64"
#define NAME_E5M2 "fp8e5"
#define NAME_E4M3 "fp8e4nv"
#define NAME_E5M2Z "fp8e5b16"
#define NAME_E4M3Z "fp8e4b8"
#define NAME_E4B15 "fp8e4b15"

enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_INPUT,
    ARGUMENT_OUTPUT,
    ARGUMENT_BOTH,
    ARGUMENT_INTEGER,
    ARGUMENT_REAL
};

enum generator {
    GENERATE_UNIFORM, // low to high; integers include high
    GENERATE_BITS,    // any bit pattern
    GENERATE_FINITE,  // any bit pattern except NaNs and infinities
    GENERATE_SPECIAL, // zeros, infinities, NaN, subnormals, extremes among uniform values
    GENERATE_WHOLE,   // low to high, reals too: whole numbers
    GENERATE_IOTA,    // low + index
    GENERATE_CODES,   // bit patterns from low to high
    GENERATE_PERMUTE, // a permutation of 0 … count - 1
    GENERATE_HOSTILE, // values to overflow, cancel or vanish, and NaN; `low`: their places
};

struct lang_argument {
    enum argument_kind kind;
    enum element element;
    size_t count;
    enum generator generator;
    double low, high; // low: the value of a scalar
};

#define IN(element, count, low, high)                                                                        \
    { ARGUMENT_INPUT, element, count, GENERATE_UNIFORM, low, high }
#define WHOLE(element, count, low, high)                                                                     \
    { ARGUMENT_INPUT, element, count, GENERATE_WHOLE, low, high }
#define BITS(element, count)                                                                                 \
    { ARGUMENT_INPUT, element, count, GENERATE_BITS, 0, 0 }
#define FINITE(element, count)                                                                               \
    { ARGUMENT_INPUT, element, count, GENERATE_FINITE, 0, 0 }
#define SPECIAL(element, count, low, high)                                                                   \
    { ARGUMENT_INPUT, element, count, GENERATE_SPECIAL, low, high }
#define IOTA(element, count, low)                                                                            \
    { ARGUMENT_INPUT, element, count, GENERATE_IOTA, low, 0 }
#define PERMUTE(element, count)                                                                              \
    { ARGUMENT_INPUT, element, count, GENERATE_PERMUTE, 0, 0 }
#define OUT(element, count)                                                                                  \
    { ARGUMENT_OUTPUT, element, count, GENERATE_BITS, 0, 0 }
#define BOTH(element, count, low, high)                                                                      \
    { ARGUMENT_BOTH, element, count, GENERATE_UNIFORM, low, high }
#define INT(value)                                                                                           \
    { ARGUMENT_INTEGER, I64, 0, GENERATE_UNIFORM, value, 0 }
#define REAL(element, value)                                                                                 \
    { ARGUMENT_REAL, element, 0, GENERATE_UNIFORM, value, 0 }

enum { LANG_ARGUMENTS = 24, LANG_REFUSALS = 9 };

// On this chip tkc must refuse the kernel, and say so with this text.
struct lang_refusal {
    const char *chip, *text; // chip "*": all
};

struct lang_run;

struct lang_case {
    const char *name;
    const char *file; // from the top folder, or a whole path; NULL: the family's own
    const char *kernel;
    const char *signature; // NULL: the annotations in the file
    const char *defines;   // "BLOCK=64 STEP=2", or NULL
    const char *language;  // "3.6"; NULL: the newest
    bool pads;             // --pad-shapes: no kernel of Triton
    unsigned grid[3];      // zeros count as one
    struct lang_argument arguments[LANG_ARGUMENTS];
    void (*reference)(struct lang_run *run);
    double relative, absolute; // both zero: exact
    const char *warps;         // one digit each (g: 16); NULL: "4"
    const char *stages;        // one digit each; NULL: "3"
    bool every_pair; // every number of warps with every number of stages, not one of them varying at a time
    const char *scratch; // "gfx11 gfx12": these families may use scratch memory for an example
    unsigned maps;       // least number of tensor maps on sm_90a
    struct lang_refusal refusals[LANG_REFUSALS];
};

// A case by its name, kernel and reference; other members follow. CASE_OF: the reference is named as the kernel; CASE: and the case.
#define ROW(case_name, of, by, ...)                                                                          \
    { .name = case_name, .kernel = #of, .reference = by, __VA_ARGS__ }
#define CASE_OF(case_name, of, ...) ROW(#case_name, of, of, __VA_ARGS__)
#define CASE(case_name, ...) ROW(#case_name, case_name, case_name, __VA_ARGS__)

struct lang_family {
    const char *name; // NAME.tk
    const struct lang_case *cases;
    size_t count;
};

#define LANG_FAMILY(name) extern const struct lang_family lang_##name;
#include "families.def"
#undef LANG_FAMILY

extern const struct lang_family *const lang_families[]; // families.c; the last is NULL

#define FAMILY(family)                                                                                       \
    const struct lang_family lang_##family = {#family, family##_cases,                                       \
                                              sizeof family##_cases / sizeof *family##_cases}

// ---- arguments.c ----

struct lang_array {
    struct lang_argument argument;
    void *allocation, *data;
    size_t bytes;
    void *before;    // its bytes before the run
    double *numbers; // inputs: their values
    void *want;      // outputs: the bytes of the reference
    bool *has_want;  // per element
    bool *is_free;   // per element: any value will do
    double *bounds;  // outputs: per element the least and the largest, NaN where `want` is exact; or NULL
};

struct lang_run {
    const struct lang_case *test;
    struct lang_array arrays[LANG_ARGUMENTS];
    unsigned count;
    const char *chip; // set before the reference is asked; "": not known
    unsigned warps, stages;
};

unsigned element_bytes(enum element element);
bool element_is_real(enum element element);
uint64_t lang_hash(uint64_t seed, uint64_t stream, uint64_t index);

uint64_t lang_seed(const struct lang_case *test, uint64_t seed); // the hash's, for its arguments

void lang_arguments_make(struct lang_run *run, const struct lang_case *test, uint64_t seed);
void lang_arguments_reset(struct lang_run *run); // as before the first run
void lang_arguments_free(struct lang_run *run);
// False with a message when an output differs from the reference or something else was written.
bool lang_arguments_judge(const struct lang_run *run, char *message, size_t size);

// Of all outputs; NaNs count as one.
uint64_t lang_arguments_hash(const struct lang_run *run);

// Values of inputs, as they were before the run; scalars have index 0.
double lang_real(const struct lang_run *run, unsigned argument, size_t index);
static inline double real(const struct lang_run *run, unsigned argument, size_t index) {
    const struct lang_array *array = &run->arrays[argument];
    return array->numbers && index < array->argument.count ? array->numbers[index]
                                                           : lang_real(run, argument, index);
}
const double *numbers_from(const struct lang_run *run, unsigned argument, size_t first,
                           size_t count); // of an array
int64_t integer(const struct lang_run *run, unsigned argument, size_t index);
uint64_t bits(const struct lang_run *run, unsigned argument, size_t index);
static inline int64_t scalar(const struct lang_run *run, unsigned argument) {
    return (int64_t)run->test->arguments[argument].low;
}
// Replaces an element of an input, before the first run.
void give_real(struct lang_run *run, unsigned argument, size_t index, double value);
void give_integer(struct lang_run *run, unsigned argument, size_t index, int64_t value);
// Sets the expected value of an output. Reals are rounded to the element's type, to nearest even.
void put_real(struct lang_run *run, unsigned argument, size_t index, double value);
void put_integer(struct lang_run *run, unsigned argument, size_t index, int64_t value);
void put_bits(struct lang_run *run, unsigned argument, size_t index, uint64_t value);
void put_any(struct lang_run *run, unsigned argument, size_t index);
// Any number from low to high; not NaN.
void put_between(struct lang_run *run, unsigned argument, size_t index, double low, double high);
double wanted_real(const struct lang_run *run, unsigned argument, size_t index);

// The value of tl.rand(seed, offset) (random.c).
double lang_uniform(uint64_t seed, uint64_t offset);

// ---- launch_json.c ----

// A number of warps or stages from a digit of base 36: g is 16.
static inline unsigned lang_digit(char c) {
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

// `expected`: a run filled by the reference, for checksums of its outputs; or NULL.
void lang_launch_json(const struct lang_case *test, const char *source, unsigned warps, unsigned stages,
                      uint64_t seed, const struct lang_run *expected, FILE *file);

// ---- floats.c: formats, apart from the compiler's and the emulator's own code ----

uint64_t float_encode(enum element element, double value, bool toward_zero);
double float_decode(enum element element, uint64_t bits);
static inline double float_round(enum element element, double value) {
    return float_decode(element, float_encode(element, value, false));
}

#endif
