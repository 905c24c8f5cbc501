// Shared by the lower_*.c files: the state of one lowering, and the helpers of all op families.
//
// A tile value is `struct values`: one LLVM value for each register of its layout (scalars: one). A
// shared-memory handle is one i32, a byte offset into @tkc_shared. The element a thread holds at register r
// is layout_at(layout, r, lane, warp).
#ifndef TKC_LOWER_LOWER_INTERNAL_H
#define TKC_LOWER_LOWER_INTERNAL_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/IR.h>

#include "dialects/tk/layout.h"
#include "dialects/tk/tk.h"
#include "dialects/tk/words.h"
#include "ir/build.h"
#include "ir/context.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/map.h"
#include "chip/asm.h"
#include "lower/lower.h"
#include "chip/target.h"

enum { SPACE_GLOBAL = 1, SPACE_SHARED = 3, SPACE_BUFFER = 8 };
// Numbers of the hardware's barriers: all warps, the consumers of tk.specialise, and from the last on one for each of
// their warpgroups.
enum { BLOCK_BARRIER, CONSUMER_BARRIER, WARPGROUP_BARRIER, SLICES_BARRIER = 15 };

struct values {
    unsigned count;
    LLVMValueRef *at;
};

// A linear function of the thread index, computed in the entry block.
struct linear_value {
    struct linear_value *next;
    uint32_t basis[LAYOUT_MAX_BITS]; // of thread bit i: lanes first, then warps
    LLVMValueRef value;              // i32
    bool uniform;                    // known to be the same in all threads of a warp
};

struct lowering_debug; // lower_debug.c

struct lowering {
    struct ir *ir;
    const struct target *target;
    const struct lower_vendor *vendor; // of the target
    struct arena *arena;
    struct diag *diag;

    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;     // at the op being lowered
    LLVMBuilderRef entry; // at the end of the entry block: values computed once per kernel
    struct lowering_debug *debug;
    const struct lower_options *options;

    // Types.
    LLVMTypeRef i1, i8, i16, i32, i64, f16, bf16, f32, f64, global_ptr, shared_ptr, void_type;

    // The kernel being lowered.
    MlirOperation kernel;
    LLVMValueRef function;
    LLVMValueRef shared;                   // @tkc_shared, created when first used
    LLVMValueRef thread;                   // i32 thread index in the block
    LLVMValueRef policies[EVICT_LAST + 1]; // second-level cache policy by priority, if used
    unsigned shared_bytes;
    unsigned num_warps;
    unsigned lane_bits, warp_bits;
    bool reads_grid_size;
    // Tensor memory: variables of each thread, the products so far, and the turns of its role, or NULL.
    LLVMValueRef products_started, tensor_turn;
    // Additions by a warp of its own: offsets of the mbarriers of filled and of free parts of the buffer, and the turn, or NULL.
    LLVMValueRef part_filled, part_free, part_turn;
    LLVMValueRef leads; // inside a producer's region that all its threads run: this is the first one; or NULL
    bool alone;         // inside a producer's region of one thread
    bool specialised;   // inside the consumers' region of tk.specialise: barriers are theirs alone
    LLVMValueRef slice; // inside that region: which group of warps this is, if there are several; or NULL
    struct map values;  // MlirValue.ptr → struct values *
    struct linear_value *linear;
    MlirOperation op;           // being lowered, for messages
    MlirOperation rarely_until; // the last of several choices lowered together, or null
};

typedef void lower_function(struct lowering *l, MlirOperation op);

// ---- lower.c ----
void lower_op(struct lowering *l, MlirOperation op);
// Lowers a block's ops up to its terminator. Returns the terminator.
MlirOperation lower_block(struct lowering *l, MlirBlock block);

// ---- lower_context.c ----
// A user error at the op being lowered.
void lower_error(struct lowering *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Takes instructions from the budget of the kernel. False after an error: then the op makes nothing more.
bool lower_take(struct lowering *l, size_t count);

// ---- lower_values.c: values, types, packing ----
struct values *lower_values(struct lowering *l, MlirValue value);
struct values *lower_operand(struct lowering *l, MlirOperation op, intptr_t index);
struct values *lower_optional(struct lowering *l, MlirValue operand); // NULL for a null value
LLVMValueRef lower_scalar(struct lowering *l, MlirValue value);
// New, empty registers for a value, as many as its layout has.
struct values *lower_define(struct lowering *l, MlirValue value);
struct values *lower_result(struct lowering *l, MlirOperation op, intptr_t index);
void lower_bind(struct lowering *l, MlirValue value, struct values *values);
// Registers a thread holds of a value of this type: 1 for scalars and shared handles.
unsigned lower_register_count(struct lowering *l, MlirType type);
const struct layout *lower_layout(struct lowering *l, MlirValue value); // NULL for scalars
MlirType lower_element(MlirValue value);
// The LLVM type of one element in a register. f8 types are i8, pointers are in the global space.
LLVMTypeRef lower_type(struct lowering *l, MlirType element);
unsigned lower_storage_bits(MlirType element); // in memory: i1 takes 8
LLVMTypeRef lower_int_type(struct lowering *l, unsigned bits);
// An element as an integer of its storage bits, and back.
LLVMValueRef lower_to_bits(struct lowering *l, LLVMValueRef value);
LLVMValueRef lower_from_bits(struct lowering *l, LLVMValueRef bits, LLVMTypeRef type);
// `count` elements as consecutive memory words: i8/i16/i32 for a total of 1, 2, 4 bytes, else i32 words.
// Returns their number.
unsigned lower_pack(struct lowering *l, const LLVMValueRef *elements, unsigned count, LLVMValueRef *words);
void lower_unpack(struct lowering *l, const LLVMValueRef *words, LLVMTypeRef type, unsigned count,
                  LLVMValueRef *elements);
unsigned lower_type_bits(LLVMTypeRef type); // storage bits
LLVMTypeRef lower_word_type(struct lowering *l, unsigned bytes, unsigned *words);
LLVMValueRef lower_i32(struct lowering *l, uint32_t value);
LLVMValueRef lower_i64(struct lowering *l, uint64_t value);
LLVMValueRef lower_zero(LLVMTypeRef type);
// Calls an LLVM intrinsic; `overloads` are the types in its mangled name.
LLVMValueRef lower_intrinsic(struct lowering *l, const char *name, LLVMTypeRef *overloads,
                             unsigned overload_count, LLVMValueRef *args, unsigned count);
#define INTRINSIC0(l, name) lower_intrinsic((l), (name), NULL, 0, NULL, 0)
#define INTRINSIC(l, name, ...)                                                                              \
    lower_intrinsic((l), (name), NULL, 0, (LLVMValueRef[]){__VA_ARGS__},                                     \
                    sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))
// An intrinsic overloaded on one type.
#define INTRINSIC_OF(l, name, type, ...)                                                                     \
    lower_intrinsic((l), (name), (LLVMTypeRef[]){(type)}, 1, (LLVMValueRef[]){__VA_ARGS__},                  \
                    sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))

// One instruction given as LLVM text, for those without a builder in LLVM 19's C API (synchronisation
// scopes). The text names its operands %0, %1 …, replaced by `operands`; `parameters` is the text's parameter
// list ("ptr addrspace(1) %0, i32 %1").
LLVMValueRef lower_from_text(struct lowering *l, const char *text, const char *parameters,
                             LLVMValueRef *operands, unsigned count);

// ---- lower_thread.c: threads, lanes, warps, shared addresses ----
void lower_thread_setup(struct lowering *l);
LLVMValueRef lower_lane(struct lowering *l); // i32, computed in the entry block
LLVMValueRef lower_warp(struct lowering *l);
// XOR of basis[i] over the set bits i of the thread index (lanes, then warps); computed in the entry block,
// once.
LLVMValueRef lower_thread_linear(struct lowering *l, const uint32_t basis[LAYOUT_MAX_BITS]);
// The same for the warp's bits alone, marked as uniform over a warp for the assembler (NVIDIA): it then keeps
// values computed from it in uniform registers.
LLVMValueRef lower_warp_linear(struct lowering *l, const uint32_t basis[LAYOUT_MAX_BITS]);
// The thread part of a layout (lane and warp bases), times `scale`; *span receives the mask of its possible
// bits.
LLVMValueRef lower_layout_base(struct lowering *l, const struct layout *layout, uint32_t scale,
                               uint32_t *span);
// base ^ constant, as an add for the bits outside `span`, the mask of base's possible bits.
LLVMValueRef lower_xor_constant(struct lowering *l, LLVMValueRef base, uint32_t span, uint32_t constant);
// Bits of the register index, and of the thread index, fixed to zero in the owner of an element.
uint32_t lower_free_registers(const struct layout *layout);
uint32_t lower_free_threads(struct lowering *l, const struct layout *layout); // NULL layout: every bit
// i1: this thread owns its elements; NULL when every thread does.
LLVMValueRef lower_owner(struct lowering *l, const struct layout *layout);
// The same, if each warp owns its elements for itself.
LLVMValueRef lower_owner_in_warp(struct lowering *l, const struct layout *layout);
LLVMValueRef lower_and(struct lowering *l, LLVMValueRef a, LLVMValueRef b); // NULL is true
// if (condition) { … } around straight-line code without results.
struct lower_if {
    LLVMBasicBlockRef before, then, end;
};
struct lower_if lower_if_begin(struct lowering *l, LLVMValueRef condition);
void lower_if_end(struct lowering *l, struct lower_if *branch);
void lower_barrier(struct lowering *l); // every thread of the block
// The lanes of a warp meet, and see what others of them have written to shared memory.
void lower_warp_barrier(struct lowering *l);
// The same; also makes earlier global writes of all threads ready for publication by a later atomic of that
// scope.
void lower_release_barrier(struct lowering *l, enum memory_scope scope);
// Any register type, exchanged across the lanes of a warp.
LLVMValueRef lower_shuffle_xor(struct lowering *l, LLVMValueRef value, uint32_t mask);
LLVMValueRef lower_shuffle_index(struct lowering *l, LLVMValueRef value, LLVMValueRef lane);
// Address in shared memory: @tkc_shared + offset (i32 bytes).
LLVMValueRef lower_shared_address(struct lowering *l, LLVMValueRef offset);
// The address of `thread` xor `constant` bytes into the tile at `base`; `span`: mask of the possible bits of `thread`.
// Bits of the constant outside of the span become an immediate offset.
LLVMValueRef lower_shared_offset(struct lowering *l, LLVMValueRef base, LLVMValueRef thread, uint32_t span,
                                 uint32_t constant);
// The byte offset of the op's scratch buffer, set by shared_alloc.
LLVMValueRef lower_scratch(struct lowering *l, MlirOperation op);

// ---- lower_asm.c ----
// Calls a snippet. `result` is void, a scalar, or a struct of as many members as it has outputs.
LLVMValueRef asm_call(struct lowering *l, enum asm_id id, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned count);

// ---- lower_memory.c ----
// Pointers made of a scalar and unsigned offsets (AMD): a buffer's base is a scalar, the lanes' offsets have
// 32 bits, and so does a uniform offset. NULL resource for all other pointers, and for volatile accesses.
struct lower_buffer {
    LLVMValueRef resource, added;
    struct values *offsets;
};
struct lower_buffer lower_buffer_of(struct lowering *l, MlirOperation access, MlirValue pointers);
void lower_wait_for_shared(struct lowering *l); // AMD: for this wave's accesses to LDS
unsigned lower_copy_cache(struct lowering *l,
                          MlirOperation copy); // the auxiliary operand of AMD's copies to LDS
// Reads or writes `count` elements at an address in shared memory, aligned to their total size. predicate
// NULL: always.
void lower_shared_read(struct lowering *l, LLVMValueRef address, LLVMTypeRef type, unsigned count,
                       LLVMValueRef *elements);
void lower_shared_write(struct lowering *l, LLVMValueRef address, const LLVMValueRef *elements,
                        unsigned count, LLVMValueRef predicate);
// Every register of a distributed tile from or to a shared tile at byte offset `base`, at the widest vectors.
void lower_tile_read(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                     const struct layout *distributed, LLVMTypeRef type, LLVMValueRef *registers);
// The registers of a part of a shared tile, which `index`, an i32, chooses: its bit i moves the part by register bit i
// of `moves`.
void lower_tile_read_part(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                          const struct layout *part, const struct layout *moves, LLVMValueRef index,
                          LLVMTypeRef type, LLVMValueRef *registers);
void lower_tile_write(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                      const struct layout *distributed, const LLVMValueRef *registers);
// Copies the owners' elements of an op's result to all replicas, through the op's scratch.
void lower_share_result(struct lowering *l, MlirOperation op, struct values *out);
// Reads a tile with ldmatrix if the layouts have its shape. If not, returns false and emits nothing
// (lower_ldmatrix.c).
bool lower_tile_read_matrices(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                              const struct layout *distributed, LLVMTypeRef type, LLVMValueRef *registers);
// The same for writing, with stmatrix.
bool lower_tile_write_matrices(struct lowering *l, LLVMValueRef base, const struct layout *shared,
                               const struct layout *distributed, const LLVMValueRef *registers);
// Marks a call as convergent: all lanes of a warp make it together (lower_mma.c).
void lower_mark_convergent(struct lowering *l, LLVMValueRef call);
// Register bits between elements with equal results of the op: its {constancy} is the number of equal
// neighbours along each dimension.
uint32_t lower_alike(struct lowering *l, MlirOperation op);
// Elements per access of a load, store or async_copy: its `vector` attribute as far as the layout keeps them
// together: of a load or store as many bytes as the chip takes at once, of others 16 at most.
unsigned lower_vector(struct lowering *l, MlirOperation op, const struct layout *layout,
                      unsigned element_bits);

enum { LOWER_WORDS = 8 }; // of an access of global memory: 32 bytes at most

// ---- lower_hidden.c ----
LLVMValueRef lower_hidden(struct lowering *l,
                          LLVMValueRef value); // the same value, opaque to LLVM
// True if LLVM may compute the value, not a constant yet, because only constants lead to it. Assumed true
// after 32 visited instructions.
bool lower_may_be_known(LLVMValueRef value);
// Whether the integer is seen to have no more than so many bits: a part of a word, or sums of such parts.
bool lower_is_short(LLVMValueRef value, unsigned bits, bool is_signed);
// A number that becomes an f16, hidden where LLVM would make another one of it.
LLVMValueRef lower_before_half(struct lowering *l, LLVMValueRef value);

// ---- lower_arith.c ----
LLVMValueRef lower_float_to_float(struct lowering *l, LLVMValueRef value, MlirType from, MlirType to,
                                  bool toward_zero);
// The f32 that rounds to bf16 as the integer itself would.
LLVMValueRef lower_integer_before_bf16(struct lowering *l, LLVMValueRef value, bool is_signed);
LLVMValueRef lower_constant_float(struct lowering *l, MlirType element, double value);

// ---- one function an op, or one for several, by the op tables ----
#define TK_OP(id, mnemonic, operands, min_out, max_out, traits, attributes, lowered, doc)                    \
    lower_function lowered;
#include "dialects/tk/tk_ops.def"
#undef TK_OP
#define UPSTREAM_OP(id, name, operands, traits, attributes, lowered) lower_function lowered;
#include "dialects/tk/upstream_ops.def"
#undef UPSTREAM_OP
void lower_dot_fma(struct lowering *l,
                   MlirOperation op); // lower_dot_fma.c: any type, without matrix instructions

// Inlines the region of a reduce or scan on scalars: results[i] = combine(left…, right…)[i].
void lower_combine(struct lowering *l, MlirOperation op, unsigned count, const LLVMValueRef *left,
                   const LLVMValueRef *right, LLVMValueRef *results);

// ---- lower_debug.c ----
void lower_debug_begin(struct lowering *l, enum debug_info kind);
void lower_debug_kernel(struct lowering *l, const char *name); // attaches a subprogram to l->function
void lower_debug_location(struct lowering *l, MlirOperation op);
void lower_debug_finish(struct lowering *l);
const char *lower_file_name(struct lowering *l, const struct source *source); // in code; NULL: none is known

// ---- nvptx.c, amdgpu.c: differences between the vendors ----
struct lower_vendor {
    void (*module)(struct lowering *l);         // flags of l->module
    void (*kernel)(struct lowering *l);         // calling convention, attributes, metadata of l->function
    void (*finish)(struct lowering *l);         // attributes dependent on the body
    LLVMValueRef (*thread)(struct lowering *l); // at l->entry
    LLVMValueRef (*program_id)(struct lowering *l, unsigned axis);
    LLVMValueRef (*num_programs)(struct lowering *l, unsigned axis);
    void (*barrier)(struct lowering *l, enum memory_scope scope);
    void (*warp_barrier)(struct lowering *l);
    LLVMValueRef (*shared)(struct lowering *l); // @tkc_shared
    // Marks these parameters as tensor maps, passed by value.
    void (*tensor_maps)(struct lowering *l, const unsigned *parameters, unsigned count);
    LLVMDWARFEmissionKind lines; // kind of debug information with lines only
    bool marks_lines;            // such a module has the flag LINES_FLAG, for lines in the code's text

    // Across the lanes of a warp.
    LLVMValueRef (*shuffle_xor)(struct lowering *l, LLVMValueRef i32_value, uint32_t mask);
    LLVMValueRef (*shuffle_index)(struct lowering *l, LLVMValueRef i32_value, LLVMValueRef lane);
    LLVMValueRef (*vote_all)(struct lowering *l, LLVMValueRef condition); // of all lanes of the warp
    LLVMValueRef (*ballot)(struct lowering *l, LLVMValueRef condition);   // i32, a bit of each lane; or NULL
    LLVMValueRef (*uniform)(struct lowering *l, LLVMValueRef i32_value);  // known to be the same in all lanes
    // Several exchanges between lanes take less time than the arithmetic that they save.
    bool lanes_exchange_fast;
    bool lanes_share_reading; // faster if each lane reads a part of the partial results and shuffles

    // Memory.
    // True: an access under a predicate or with a cache modifier is one row of asm.def. False: predicates are
    // branches around LLVM's own loads and stores, with modifiers on these.
    bool predicated;
    bool has_buffers; // a scalar base plus a 32-bit offset of each lane
    // Atomics of one element. `predicate` NULL: always.
    LLVMValueRef (*atomic_rmw)(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef value,
                               LLVMValueRef predicate);
    LLVMValueRef (*atomic_cas)(struct lowering *l, MlirOperation op, LLVMValueRef address,
                               LLVMValueRef compare, LLVMValueRef value, LLVMValueRef predicate);
    // An atomic load of the element without a predicate, relaxed in the loop of tk.atomic_poll on AMD.
    LLVMValueRef (*atomic_load)(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMTypeRef type);
    const char *clock; // the intrinsic of a clock for all multiprocessors, i64
    unsigned tick;     // its nanoseconds
    // Around the relaxed atomics of a tile, on vendors whose atomics have no memory orders of their own.
    void (*release)(struct lowering *l, enum memory_scope scope);
    // A release fence of the threads with the predicate (NULL: all), before relaxed stores.
    void (*release_by)(struct lowering *l, enum memory_scope scope, LLVMValueRef predicate);
    void (*acquire)(struct lowering *l, enum memory_scope scope);
    bool prints; // has CUDA's vprintf and __assertfail

    // Arithmetic in f32.
    LLVMValueRef (*transcendental)(struct lowering *l, enum op_kind kind, LLVMValueRef x, bool subnormal,
                                   bool of_half);
    // a / b. `by_few`: several of a thread's elements have the same divisor. NULL: LLVM's division.
    LLVMValueRef (*quotient)(struct lowering *l, LLVMValueRef a, LLVMValueRef b, bool by_few);
    LLVMValueRef (*fma_saturated)(struct lowering *l, LLVMValueRef *xyz);
    LLVMValueRef (*copy_sign)(struct lowering *l, LLVMValueRef size, LLVMValueRef sign);
    LLVMValueRef (*half_toward_zero)(struct lowering *l, LLVMValueRef value);
    // LLVM computes two f16 or bf16 of a word one by one through f32, not in pairs.
    bool takes_f16_apart;
    bool chains_extremes;     // a maximum-of-three instruction exists
    bool miscounts_dividends; // LLVM treats an extended unsigned dividend as signed
    enum asm_id same_word;    // the row returning its operand, opaque to LLVM

    // Products.
    LLVMValueRef (*tf32)(struct lowering *l, LLVMValueRef value); // rounds to nearest tf32
    LLVMValueRef (*tf32_operand)(
        struct lowering *l,
        LLVMValueRef value); // the same for a matrix unit, which drops the low bits itself
    bool sums_are_vectors;   // accumulators: of consecutive registers, carried by loops as one
    bool counts_reads;       // of shared memory: reads complete in order, and waits count those in flight
};
extern const struct lower_vendor lower_nvptx, lower_amdgpu;
const struct lower_vendor *lower_vendor(const struct lowering *l); // lower_context.c
// arithmetic/exponential.c
bool lower_exponential_is_polynomial(struct lowering *l, MlirOperation op, unsigned r, uint32_t repeated,
                                     unsigned count);
void lower_exponential_pair(struct lowering *l, LLVMValueRef x, LLVMValueRef results[2]);

// The vendors' functions in the op families' folders.
LLVMValueRef nvptx_transcendental(struct lowering *l, enum op_kind kind, LLVMValueRef x, bool subnormal,
                                  bool of_half);
LLVMValueRef nvptx_quotient(struct lowering *l, LLVMValueRef a, LLVMValueRef b, bool by_few);
LLVMValueRef nvptx_fma_saturated(struct lowering *l, LLVMValueRef *xyz);
LLVMValueRef nvptx_copy_sign(struct lowering *l, LLVMValueRef size, LLVMValueRef sign);
LLVMValueRef nvptx_half_toward_zero(struct lowering *l, LLVMValueRef value);
LLVMValueRef nvptx_tf32(struct lowering *l, LLVMValueRef value);
LLVMValueRef nvptx_tf32_operand(struct lowering *l, LLVMValueRef value);
LLVMValueRef nvptx_atomic_rmw(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef value,
                              LLVMValueRef predicate);
LLVMValueRef nvptx_atomic_cas(struct lowering *l, MlirOperation op, LLVMValueRef address,
                              LLVMValueRef compare, LLVMValueRef value, LLVMValueRef predicate);
LLVMValueRef nvptx_atomic_load(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMTypeRef type);
LLVMValueRef amdgpu_atomic_load(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMTypeRef type);
LLVMValueRef amdgpu_transcendental(struct lowering *l, enum op_kind kind, LLVMValueRef x, bool subnormal,
                                   bool of_half);
LLVMValueRef amdgpu_fma_saturated(struct lowering *l, LLVMValueRef *xyz);
LLVMValueRef amdgpu_copy_sign(struct lowering *l, LLVMValueRef size, LLVMValueRef sign);
LLVMValueRef amdgpu_half_toward_zero(struct lowering *l, LLVMValueRef value);
LLVMValueRef amdgpu_tf32(struct lowering *l, LLVMValueRef value);
LLVMValueRef amdgpu_atomic_rmw(struct lowering *l, MlirOperation op, LLVMValueRef address, LLVMValueRef value,
                               LLVMValueRef predicate);
LLVMValueRef amdgpu_atomic_cas(struct lowering *l, MlirOperation op, LLVMValueRef address,
                               LLVMValueRef compare, LLVMValueRef value, LLVMValueRef predicate);

#endif
