// AMD's machine code: a code object is loaded as the HIP runtime would, its instructions are decoded once from LLVM's
// disassembly, and executed wave by wave over the memory, clocks and reports of the emulator.
#ifndef TKC_EMULATOR_AMDGCN_AMDGCN_H
#define TKC_EMULATOR_AMDGCN_AMDGCN_H

#include <math.h>

#include "chip/target.h"
#include "emulator/amdgcn/object.h"
#include "emulator/machine/machine.h"
#include "support/strbuf.h"

// ---- registers (wave.c) ----

enum {
    SCALARS = 128, // numbered as instructions encode them
    SCALAR_VCC = 106,
    SCALAR_TTMP = 108,
    SCALAR_M0 = 124,
    SCALAR_NULL = 125, // these two are the other way round from gfx11 on; only their text is read
    SCALAR_EXEC = 126,
    ROWS = 512, // vector registers: v0 …, then a0 …
    ROW_AGPR = 256,
    ROW_STAGE = ROWS, // behind them: room to lay out matrix operands
    STAGE_ROWS = 128,
    OUTSTANDING = 256
};

// Before gfx942 and gfx11 scratch is a buffer; the dispatcher puts its descriptor into user registers
// (wave.c).
#define SCRATCH_ADDRESS ((uint64_t)REGION_LOCAL << REGION_SHIFT)
#define BUFFER_SWIZZLED 0x80000000u // in its second word

// Counters of outstanding instructions. gfx9 has one counter for loads and stores; before gfx12 LDS and
// scalar memory share one.
enum counter { COUNTER_LOAD, COUNTER_STORE, COUNTER_LDS, COUNTER_SCALAR, COUNTERS };

struct outstanding {
    uint8_t counter;       // enum counter
    bool scalar;           // registers are scalar
    bool lds;              // touches LDS
    bool copies;           // to LDS, past the registers
    uint16_t first, count; // registers to be written
    uint16_t number;       // of the wave's
    uint32_t clock;        // of its accesses to LDS
    uint32_t instr;
};

// The instruction of vectors that wrote a register last; clock 0: none.
struct writer {
    uint32_t clock, instr;
    uint16_t class;
    uint8_t states; // that it needs, of a matrix instruction
};

// A bit for each scalar register.
struct scalar_set {
    uint64_t word[SCALARS / 64];
};

struct gcn;
struct wave {
    uint32_t s[SCALARS];
    bool scc;
    uint32_t mode;
    bool stored;                    // global memory, since the stores were last waited for
    bool unwritten;                 // a cache holds stores; a release must write them back
    const struct gcn *changed_exec; // since then no lane has done anything
    unsigned outstanding_count;
    struct outstanding outstanding[OUTSTANDING]; // in order of issue
    uint16_t issued;
    uint16_t busy[ROWS],
        busy_scalars[SCALARS]; // number of the outstanding instruction writing it; 0: none
    uint32_t hazard_clock;     // wait states since the start (hazard.c)
    struct writer row_writers[ROWS], scalar_writers[SCALARS];
    // Of gfx11 and gfx12 (hazard_rdna.c): scalars that vector instructions have read, and later writes that are hidden from readers;
    // the last two transcendental instructions; a matrix product just before.
    struct scalar_set read_by_vectors, hidden_scalar, hidden_vector;
    struct writer recent[2], product;
};

static inline struct wave *wave_of(const struct warp *warp) {
    return (struct wave *)warp->registers;
}
static inline uint32_t *row_of(const struct warp *warp, unsigned row) {
    return (uint32_t *)(warp->registers + (sizeof(struct wave) + 63) / 64 * 64) + (size_t)row * warp->lanes;
}
static inline uint32_t row_offset(const struct warp *warp, unsigned row) {
    return (uint32_t)((uint8_t *)row_of(warp, row) - warp->registers);
}

// ---- decoded instructions ----

enum operand_kind {
    OPERAND_NONE, // "off", and text without a value
    OPERAND_SCALAR,
    OPERAND_VECTOR,
    OPERAND_NUMBER,
    OPERAND_SCC,
};
enum select {
    SELECT_ALL,
    SELECT_BYTE_0,
    SELECT_BYTE_1,
    SELECT_BYTE_2,
    SELECT_BYTE_3,
    SELECT_WORD_0,
    SELECT_WORD_1
};

struct gcn_operand {
    uint8_t kind;  // enum operand_kind
    uint8_t count; // 32-bit registers
    uint16_t reg;
    bool negate, absolute, sign_extend;
    uint8_t select;          // enum select
    bool is_float, is_upper; // as written; of an f64 the upper word
    double number;
    int64_t integer;
    uint64_t bits; // of a number, as the operand's type has it
};

enum { GCN_OPERANDS = 8, GCN_WAITS = 3 };

// The disassembler's text, taken apart.
struct gcn_text {
    char name[48]; // without _e32, _e64, _dpp, _sdwa
    char operands[GCN_OPERANDS][64];
    unsigned operand_count;
    char modifiers[160]; // each followed by one space
    bool dpp, sdwa;
};

struct vector_row;
struct scalar_row;
struct memory_row;

struct gcn {
    exec_fn *run;
    struct gcn_operand operands[GCN_OPERANDS];
    unsigned operand_count;
    union {
        const struct vector_row *vector;
        const struct scalar_row *scalar;
        const struct memory_row *memory;
        const void *matrix;
    };
    uint8_t first_source; // the operands before it are results
    bool writes_exec;
    bool reads_result;                              // of a scalar instruction, before it writes (s_addk_i32)
    bool clamp, dpp, high_result;                   // high_result: the upper half of the destination
    bool bound_control, fetch_inactive, keeps_high; // keeps_high: a 16-bit result leaves the other half
    bool loads;      // its first operand is written when its counter has been waited for
    uint8_t counter; // of a memory access: enum counter
    uint8_t wait_count;
    struct {
        uint8_t counters, most; // a set of enum counter, and the count that may be left
    } waits[GCN_WAITS];
    bool strong;
    uint8_t scale;         // output: × 2, × 4, ÷ 2 as 1, 2, 3
    uint8_t result_select; // SDWA: enum select
    uint8_t result_rest;   // 0: zero, 1: sign, 2: kept
    uint8_t op_sel, op_sel_hi, neg_lo, neg_hi;
    uint16_t dpp_control;
    uint8_t row_mask, bank_mask;
    uint32_t eight; // dpp8 selectors, 3 bits each; with dpp_control DPP_EIGHT
    int32_t offset, offset0, offset1;
    uint8_t address_at, base_at, data_at; // operands of a memory access
    uint8_t unit;                         // of a lane's offset, in bytes
    bool signed_offset;                   // of a lane, from a scalar base (gfx1250)
    bool by_lane, needs_write_back;
    bool may_release; // a store whose scope its text does not say
    bool guesses;     // loads the first guess of a compare-and-swap loop
    uint64_t immediate;
    struct gcn *second; // of a pair (v_dual_…)
    struct operand *matrix_operands;
    const char *name; // of the row
    uint32_t word;    // of the code object: its address / 4
    uint16_t hazard_class;
    uint8_t
        hazard_states; // of an s_nop, or needed behind a matrix instruction; gfx11, gfx12: the awaited counters
    struct place_in_code place;
};
enum { DPP_EIGHT = 0xffff };

// A kernel's descriptor.
struct gcn_kernel {
    struct machine_kernel machine; // first
    struct object_argument arguments[96];
    unsigned argument_count, rows; // rows: vector registers used by the code
    uint32_t properties, resources1, resources2;
    enum amd_generation generation;
};
// CDNA 3 and later: gfx950 has the names, caches and hazards of gfx942.
static inline bool gcn_is_cdna3(const struct emulator *emulator) {
    return target_has(emulator->target, FEATURE(MFMA_GFX942));
}

// V_EXP, V_LOG, V_RCP, V_RSQ and V_SQRT flush subnormal numbers.
static inline float flush(float x) {
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static inline const struct gcn_kernel *gcn_kernel_of(const struct kernel *kernel) {
    return (const struct gcn_kernel *)kernel->machine;
}

struct gcn_decoder {
    struct emulator *emulator;
    struct arena *arena; // of what a bound instruction points to
    struct kernel *kernel;
    enum amd_generation generation;
    uint64_t address; // of the instruction
    const uint8_t *bytes;
    unsigned size;
    uint64_t image_address; // of the code object's first byte
    uint64_t jump;          // target of a jump; 0: none
    struct strbuf *error;
};

// text.c
void text_split(const char *line, struct gcn_text *text);
bool text_operand(const char *text, struct gcn_operand *operand); // false: not a register or number
bool text_flag(const struct gcn_text *text, const char *name);
bool text_value(const struct gcn_text *text, const char *name, int64_t *value); // name:value
const char *text_word(const struct gcn_text *text, const char *name); // the text behind `name:`; "": none
unsigned text_bits(const struct gcn_text *text, const char *name,
                   unsigned none); // name:[1,0,1], lowest first

// decode.c
struct kernel *decode_machine_kernel(struct emulator *emulator, const struct code_object *object,
                                     const struct object_kernel *described, const struct line_table *lines,
                                     struct strbuf *error);
// Each binds an instruction of its family. False if it is of another family, or cannot be run; in the second
// case decoder->error has a message.
typedef bool bind_fn(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in,
                     struct gcn *gcn);
bind_fn bind_vector, bind_scalar, bind_memory, bind_lanes, bind_packed, bind_matrix, bind_flow, bind_wait,
    bind_pair;
const char *gcn_alias(const char *name); // the name in the tables
bool gcn_refuse(struct gcn_decoder *decoder, const char *format, ...) __attribute__((format(printf, 2, 3)));

// decoded.c: all of it between decoded_begin and decoded_end
void decoded_begin(void);
void decoded_end(void);
// For what a decoded instruction points to; `otherwise`: no more are kept.
struct arena *decoded_arena(struct arena *otherwise);
// The instruction at `bytes`, of which `left` are the kernel's. False: it was not decoded before.
bool decoded_find(const char *chip, const uint8_t *bytes, uint64_t left, struct instr *in, struct gcn *gcn,
                  unsigned *size);
void decoded_add(const char *chip, const uint8_t *bytes, unsigned size, const struct instr *in,
                 const struct gcn *gcn);

// memory.c
bool memory_is_compare(const struct instr *in);                                    // compares and swaps
bool memory_loads_compared(const struct instr *compare, const struct instr *load); // into that operand
void memory_mark_guess(const struct instr *load);                                  // marks it as such a load

// wave.c
void wave_start(struct warp *warp);
exec_fn exec_gcn; // checks for outstanding registers, then the instruction
uint32_t scalar_read(const struct warp *warp, const struct gcn_operand *operand);
uint64_t scalar_read_wide(const struct warp *warp, const struct gcn_operand *operand);
void scalar_write(struct warp *warp, const struct gcn_operand *operand, uint64_t value, bool wide);
lane_mask mask_read(const struct warp *warp, const struct gcn_operand *operand);
void mask_write(struct warp *warp, const struct gcn_operand *operand, lane_mask mask);
lane_mask vcc_read(const struct warp *warp);
extern const struct gcn_operand operand_vcc;
void wave_note(const struct warp *warp,
               const struct gcn *gcn); // in the caller's array: the instruction had an effect

// hazard.c
void bind_hazards(const struct gcn_decoder *decoder, struct gcn *gcn);
void hazard_step(struct warp *warp, const struct instr *in); // before the instruction is run

// hazard_rdna.c: the same for gfx11 and gfx12
void bind_rdna_hazards(struct gcn *gcn);
void rdna_step(struct warp *warp, const struct instr *in);

// wait.c
void wave_issue(struct warp *warp, const struct instr *in, enum counter counter,
                const struct gcn_operand *written, bool lds);
void wave_check(struct warp *warp, const struct instr *in);
uint32_t wave_lds_clock(const struct warp *warp); // own accesses before it have been done

#endif
