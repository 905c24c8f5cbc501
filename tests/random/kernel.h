// Random kernels: a tree of statements over typed tiles.
//
// generate.c and make_*.c draw a tree from a seed, print.c writes it in the Triton language, interpret.c
// computes its stores, shrink.c removes statements irrelevant to a failure, random_test.c compiles, runs and
// compares. Every statement defines new values (SSA); loops and branches carry values by name. Reals are
// whole numbers exact in their format, sums and products included, so results are exact in any order; of hostile
// kernels they are anything, and a value's range only says which way they were limited (number.h).
#ifndef TKC_TESTS_RANDOM_KERNEL_H
#define TKC_TESTS_RANDOM_KERNEL_H

#include "../lang/lang.h"

enum {
    MAX_RANK = 3,
    MAX_ELEMENTS = 4096,
    MAX_VALUES = 2048,
    MAX_STATEMENTS = 400, // of a block; a step adds up to 140
    MAX_CARRIES = 5,
    MAX_OUTPUTS = 5,
    MAX_SIZES = 5,
    BUFFER_ELEMENTS = 32768, // of each input
    SLOTS = 64,              // targets of atomics
    ROUNDS = 4               // of a loop at most
};

struct shape {
    int rank, extent[MAX_RANK];
};

// A value's type, and a range for every element.
struct value {
    enum element element;
    struct shape shape;
    int64_t low, high; // reals too: whole numbers
};

enum kind {
    CONSTANT, // number
    RANGE,    // number, number + 1, … along one dimension
    PROGRAM,  // program_id(number)
    PROGRAMS, // num_programs(number)
    COUNT,    // argument n<number>, 0 to ROUNDS
    SIZE,     // argument s<number>
    BINARY,
    UNARY,
    COMPARE,
    SHIFT, // by number
    SELECT,
    CAST,
    EXPAND, // a dimension of extent 1 at axis
    BROADCAST,
    RESHAPE,
    PERMUTE, // dimensions by order
    JOIN,
    SPLIT,
    FLIP, // along axis
    SORT, // along the last dimension
    GATHER,
    HISTOGRAM,
    REDUCE,
    SCAN,
    SPREAD, // largest less smallest of the threads' results of an asymmetric reduction: 0
    DOT,
    LOAD,    // operands: index, mask?; number: the input, or an output behind them, as it was
    STORE,   // operands: value, mask?; number: the output
    PUT,     // operands: index, value, mask; number: the output
    ATOMIC,  // operands: value, slot
    RELEASE, // operands: value; every program leaves its tile, the last one to arrive sums them
    POLL,    // operands: value; programs add their tile to a chain, one after the other
    FOR,     // operands: rounds; results: index; number: first, axis: step
    WHILE,   // carry 0 counts down to 0
    IF       // operands: condition
};

enum binary { ADD, SUB, MUL, AND, OR, XOR, MIN, MAX, DIV, MOD, BINARIES };
enum unary { NEGATE, INVERT, ABS, UNARIES, EXP2 = UNARIES }; // the last of reals alone, by design
enum compare { EQ, NE, LT, LE, GT, GE, COMPARES };
// The last four are functions of the kernel's file.
enum reduction {
    SUM,
    LARGEST,
    SMALLEST,
    XORED,
    WHERE_LARGEST,
    WHERE_SMALLEST,
    ADD_UP,
    KEEP_LARGER,
    FIRST_BEST,
    REDUCTIONS
};
enum scan { SCAN_SUM, SCAN_KEEP_LARGER, SCAN_RECURRENCE, SCANS };

struct block {
    struct statement *items;
    int count;
};

// A name rebound by a loop or branch: its value before, inside, at the end of the body (of both bodies of an
// IF), and after.
struct carry {
    int before, inside, end, other_end, after;
};

struct statement {
    enum kind kind;
    int op;
    int results[2], result_count;
    int operands[4], operand_count;
    int64_t number;
    int axis, order[MAX_RANK];
    bool flag; // SCAN: from the end; FOR: counts down; LOAD: no mask is needed; DIV and MOD: guarded outside
    struct carry carries[MAX_CARRIES];
    int carry_count;
    struct block body, other;
};

struct kernel {
    uint64_t seed;
    struct value values[MAX_VALUES];
    int value_count;
    struct block body;
    enum element outputs[MAX_OUTPUTS];
    int output_size[MAX_OUTPUTS]; // elements a program stores; of PUT, a program's share of the buffer
    bool read_back[MAX_OUTPUTS];  // it holds numbers before the launch
    int output_count;
    int programs, counts[3]; // of the launch, and the arguments n0, n1, n2
    int grid[3];             // the programs, x fastest
    int sizes[MAX_SIZES], size_count;
    unsigned warps, stages, hints;
    bool slots, release, poll; // buffers in use
    int release_size, poll_size;
    bool hostile;   // its inputs cancel, overflow, vanish, and are no numbers
    bool narrow;    // much of it is of 8 and 16 bits, and then becomes wider
    bool respelled; // in other words of the language
    bool planted;   // the interpreter mistakes a flipped tile for the tile itself
};

enum { INPUTS = 6 };
extern const enum element input_elements[INPUTS];
extern const char *const input_names[INPUTS];

int64_t shape_elements(const struct shape *shape);
bool shape_equal(const struct shape *a, const struct shape *b);
unsigned element_width(enum element element);
bool element_is_unsigned(enum element element);
int64_t element_low(enum element element), element_high(enum element element);
const char *element_name(enum element element); // in the language

// generate.c. Freed as a whole.
struct kernel *kernel_generate(uint64_t seed, bool hostile, bool narrow);
struct kernel *kernel_copy(const struct kernel *kernel);
void kernel_free(struct kernel *kernel);
void block_free(struct block *block);

// print.c
char *kernel_text(const struct kernel *kernel);

// interpret.c. False when a loop does not end or an access is outside its buffer: no legal kernel.
bool kernel_interpret(const struct kernel *kernel, struct lang_run *run);
// The arguments in order: inputs, outputs, slots, release, poll, counts, sizes.
void kernel_arguments(const struct kernel *kernel, struct lang_argument *arguments);
int kernel_argument_of_output(const struct kernel *kernel, int output);

// shrink.c. Asks `fails` of ever smaller kernels.
struct kernel *kernel_shrink(const struct kernel *kernel,
                             bool (*fails)(const struct kernel *kernel, void *user), void *user);
// Removes pure statements with unused results.
void kernel_drop_unused(struct kernel *kernel);
int kernel_statements(const struct kernel *kernel);

#endif
