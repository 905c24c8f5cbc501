// Interface of the tk dialect for C code: op kinds, traits, types, layouts of tensor types, and the verifier.
//
// tk is not registered with MLIR. IRDL can express neither the ops' needs (heterogeneous variadic operands,
// terminators) nor C accessors for type parameters. Unregistered ops and opaque types give both, and
// tk_verify checks everything against the op table instead.
#ifndef TKC_DIALECTS_TK_TK_H
#define TKC_DIALECTS_TK_TK_H

#include <stdbool.h>
#include <stdint.h>

#include <mlir-c/IR.h>

#include "dialects/tk/layout.h"
#include "dialects/tk/operands.h"
#include "dialects/tk/ops.h"
#include "dialects/tk/tk_build.h"
#include "ir/build.h"
#include "support/diag.h"

// The constant value of a scalar, or the common one of a tile's elements; null if unknown.
MlirAttribute value_constant(struct ir *ir, MlirValue value);
// The value of a constant integer: arith.constant, or its splat over a tile.
bool value_is_constant_int(struct ir *ir, MlirValue value, int64_t *out);

// True for a volatile or .cv load: it must run exactly as often as written, and see other threads' stores.
bool load_is_volatile(MlirOperation load);
// How a load, store or copy treats the caches of an AMD chip, by its modifiers (words.def).
enum access_kind { ACCESS_PLAIN, ACCESS_NONTEMPORAL, ACCESS_VOLATILE };
enum access_kind access_kind_on_amd(MlirOperation access);
MlirValue access_mask(struct ir *ir,
                      MlirOperation access); // of a load, store or atomic_rmw; null: it has none
// True if memory accesses must not move across the op: stores, atomics, barriers, volatile loads, inline
// assembly that is not pure. Assertions and prints are exempt: they do not write the program's memory. So are mbarriers:
// specialise makes them, and they order slots in shared memory alone.
bool op_orders_memory(struct ir *ir, MlirOperation op);
bool op_is_in_loop(struct ir *ir, MlirOperation op); // an scf.for or scf.while, at any depth
// The function's only dot, if it stands in an scf.for's body; else null.
MlirOperation only_dot_in_loop(struct ir *ir, struct arena *arena, MlirOperation function);
// True if the op exposes hardware block or thread numbers: a print (in each line), or assembly (through
// special registers). Such a kernel keeps its mapping of programs to blocks and threads.
bool op_names_block(struct ir *ir, MlirOperation op);

// ---- types ----

MlirType tk_ptr_type(struct ir *ir, MlirType pointee);
bool type_is_ptr(MlirType type);                       // a scalar !tk.ptr<…>
MlirType tk_ptr_pointee(struct ir *ir, MlirType type); // of a scalar pointer type
// Bytes of an element behind a pointer or a tile of pointers.
int64_t pointee_bytes(struct ir *ir, MlirType pointers);

MlirType tk_tensor_map_type(struct ir *ir); // kernel argument: a tensor's description for bulk copies
bool type_is_tensor_map(MlirType type);

bool type_is_tensor(MlirType type);
MlirType type_element(MlirType type); // of a tensor; any other type itself
int type_rank(MlirType type);         // 0 for scalars
int64_t type_extent(MlirType type, int dim);
int64_t type_elements(MlirType type); // 1 for scalars
bool type_same_shape(MlirType a, MlirType b);
unsigned type_bits(MlirType scalar); // storage bits of a scalar type: pointers 64, i1 1, f8 8 …
bool type_is_f8(MlirType scalar);    // a float of 8 bits
// The part of k that a dot multiplies: start and end of warpgroup_dot, of other dots all.
int64_t dot_depth(MlirOperation dot);
MlirType tensor_type(int rank, const int64_t *shape, MlirType element,
                     MlirAttribute encoding); // rank 0: element itself
MlirType type_with_shape_of(MlirType shaped,
                            MlirType element); // shape and encoding of `shaped`, another element type

// ---- layouts ----

// True if the type's encoding, perhaps from parsed text, is a valid layout of its tile. The tile's extents must
// be powers of two. If false, `why` gets the reason ("whose basis 66 lies outside its tile").
bool type_layout_fits(MlirType type, char *why, size_t room);
// The layout of an encoded tensor type, owned by `ir`; NULL if it has no encoding. Compare with layout_equal.
const struct layout *type_layout(struct ir *ir, MlirType type);
MlirAttribute layout_attribute(struct ir *ir, const struct layout *layout);
MlirType type_with_layout(struct ir *ir, MlirType type,
                          const struct layout *layout); // NULL drops the encoding
bool type_is_shared(struct ir *ir, MlirType type);      // encoding {shared = …}

// ---- checks ----

// Checks op arity, attributes, types, shapes and, once any tensor is encoded, layouts. Reports each fault as
// an error at the op's location, with the op's name; true if there is none. Runs after every pass.
bool tk_verify(struct ir *ir, MlirModule module, struct diag *diag);

#endif
