// The tk dialect as tkc's C code sees it: op kinds, traits, types, layouts of tensor types, and the verifier.
//
// tk is not registered with MLIR. An IRDL definition could not say what the ops need (heterogeneous variadic
// operands, terminators) and gives no C accessor for type parameters; unregistered ops and opaque types give
// both, and tk_verify checks everything from the op table instead.
#ifndef TKC_DIALECTS_TK_TK_H
#define TKC_DIALECTS_TK_TK_H

#include <stdbool.h>
#include <stdint.h>

#include <mlir-c/IR.h>

#include "dialects/tk/layout.h"
#include "ir/build.h"
#include "support/diag.h"

enum op_trait {
    NONE = 0,
    PURE = 1 << 0,
    READ = 1 << 1,
    WRITE = 1 << 2,
    SHARED_READ = 1 << 3,
    SHARED_WRITE = 1 << 4,
    SYNC = 1 << 5,
    ELEMENTWISE = 1 << 6,
    SCRATCH = 1 << 7,
    TERMINATOR = 1 << 8,
    COMMUTES = 1 << 9, // the first two operands may change places, to the bit
    COST_SHIFT = 16,
};

// As how many ops one counts in the budget (support/budget.def), where LLVM takes much longer for it than for an addition.
#define COSTS(ops) ((unsigned)(ops) << COST_SHIFT)

enum op_kind {
    OP_UNKNOWN,
#define TK_OP(id, ...) OP_##id,
#include "dialects/tk/tk_ops.def"
#undef TK_OP
#define UPSTREAM_OP(id, ...) OP_##id,
#include "dialects/tk/upstream_ops.def"
#undef UPSTREAM_OP
    OP_KIND_COUNT
};

__extension__ typedef unsigned __int128 attribute_set; // a bit for each enum attribute_name

struct op_info {
    const char *name;                                         // full, "tk.load"
    int min_operands, max_operands, min_results, max_results; // max -1: any; upstream ops: 0, -1
    unsigned traits;
    attribute_set attributes; // that it may have
    const char *doc;
};

extern const struct op_info op_table[OP_KIND_COUNT];

static inline bool op_may_have(enum op_kind kind, enum attribute_name name) {
    return (name < ATTRIBUTE_COUNT && (op_table[kind].attributes >> name & 1)) ||
           (name == ATTR_SCRATCH && op_table[kind].traits & SCRATCH) || name == ATTR_STAGE;
}

struct ir; // src/ir/context.h

// Tells the context its ops, their kinds and what they cost; op_kind does where nobody has.
void tk_register_ops(struct ir *ir);
// The kind of an op, by its name's pointer: one hash look-up, no string comparison.
enum op_kind op_kind(struct ir *ir, MlirOperation op);
static inline unsigned op_traits(enum op_kind kind) {
    return op_table[kind].traits;
}

// The constant that a scalar is, or all elements of a tile are; null when none is known.
MlirAttribute value_constant(struct ir *ir, MlirValue value);
// An integer known at compile time: arith.constant, as it is or spread over a tile.
bool value_is_constant_int(struct ir *ir, MlirValue value, int64_t *out);

// A load that must be done as often as the program says, and see what others have written: volatile or .cv.
bool load_is_volatile(MlirOperation load);
// Accesses to memory stay on their side of it: stores, atomics, barriers, volatile loads, inline assembly that is not
// pure. Not assertions and prints: what they write is no memory of the program's.
bool op_orders_memory(struct ir *ir, MlirOperation op);
bool op_is_in_loop(struct ir *ir, MlirOperation op); // an scf.for or scf.while, at any depth
// It tells which block or thread runs it, as the hardware numbers them: each line of a print, assembly that reads their
// registers. Programs of such a kernel keep the blocks and threads that they have.
bool op_names_block(struct ir *ir, MlirOperation op);

// ---- types ----

MlirType tk_ptr_type(struct ir *ir, MlirType pointee);
bool type_is_ptr(MlirType type);                       // a scalar !tk.ptr<…>
MlirType tk_ptr_pointee(struct ir *ir, MlirType type); // of a scalar pointer type

MlirType tk_tensor_map_type(struct ir *ir); // a kernel's argument that describes a tensor to bulk copies
bool type_is_tensor_map(MlirType type);

bool type_is_tensor(MlirType type);
MlirType type_element(MlirType type); // of a tensor; any other type itself
int type_rank(MlirType type);         // 0 for scalars
int64_t type_extent(MlirType type, int dim);
int64_t type_elements(MlirType type); // 1 for scalars
unsigned type_bits(MlirType scalar);  // storage bits of a scalar type: pointers 64, i1 1, f8 8 …
MlirType tensor_type(int rank, const int64_t *shape, MlirType element,
                     MlirAttribute encoding); // rank 0: element itself
MlirType type_with_shape_of(MlirType shaped,
                            MlirType element); // shape and encoding of `shaped`, another element type

// ---- layouts ----

// Whether an encoding, which text may have brought, is a layout of the type's tile, whose extents are powers of two; else why
// not ("whose basis 66 lies outside its tile").
bool type_layout_fits(MlirType type, char *why, size_t room);
// The layout of an encoded tensor type, owned by `ir`; NULL when it has no encoding. Compare with
// layout_equal.
const struct layout *type_layout(struct ir *ir, MlirType type);
MlirAttribute layout_attribute(struct ir *ir, const struct layout *layout);
MlirType type_with_layout(struct ir *ir, MlirType type,
                          const struct layout *layout); // NULL drops the encoding
bool type_is_shared(struct ir *ir, MlirType type);      // encoding {shared = …}

// ---- checks ----

// Checks op arity, attributes, types, shapes and, once any tensor is encoded, layouts. Each fault is an error
// at the op's location that names the op; returns true when there is none. Runs after every pass.
bool tk_verify(struct ir *ir, MlirModule module, struct diag *diag);

#endif
