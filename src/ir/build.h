// Builders, attributes, and queries of ops. The only user of MlirOperationState.
#ifndef TKC_IR_BUILD_H
#define TKC_IR_BUILD_H

#include <stdint.h>

#include <mlir-c/IR.h>

#include "ir/context.h"
#include "support/map.h"

struct builder {
    struct ir *ir;
    MlirBlock block;
    MlirOperation before; // insert before this op; null: at the end of the block
    MlirLocation location;
};

struct operands {
    intptr_t count;
    MlirValue *values;
};
struct results {
    intptr_t count;
    MlirType *types;
};
struct attrs {
    intptr_t count;
    MlirNamedAttribute *attributes;
};

#define OPERANDS(...)                                                                                        \
    ((struct operands){sizeof((MlirValue[]){__VA_ARGS__}) / sizeof(MlirValue), (MlirValue[]){__VA_ARGS__}})
#define RESULTS(...)                                                                                         \
    ((struct results){sizeof((MlirType[]){__VA_ARGS__}) / sizeof(MlirType), (MlirType[]){__VA_ARGS__}})
#define ATTRS(...)                                                                                           \
    ((struct attrs){sizeof((MlirNamedAttribute[]){__VA_ARGS__}) / sizeof(MlirNamedAttribute),                \
                    (MlirNamedAttribute[]){__VA_ARGS__}})
#define NO_OPERANDS ((struct operands){0, NULL})
#define NO_RESULTS ((struct results){0, NULL})
#define NO_ATTRS ((struct attrs){0, NULL})

struct builder builder_at_end(struct ir *ir, MlirBlock block, MlirLocation location);
struct builder builder_before(struct ir *ir, MlirOperation op); // takes the op's location
struct builder builder_after(struct ir *ir, MlirOperation op);
struct builder builder_after_value(struct ir *ir,
                                   MlirValue value); // after its op, or at the start of its block

// Builds an op by its name, and takes over the regions. Code with a fixed op names its kind
// (dialects/tk/tk_build.h).
MlirOperation build_named(struct builder *b, const char *name, struct operands operands,
                          struct results results, struct attrs attrs, intptr_t region_count,
                          MlirRegion *regions);
// Inserts an op without a block, such as a clone, at the builder's place.
void build_insert(struct builder *b, MlirOperation op);

// ---- attributes: by the names of attributes.def ----
enum attribute_name {
#define ATTRIBUTE(id, name, holds) ATTR_##id,
#define NUMBER(id, name, absent) ATTR_##id,
#include "ir/attributes.def"
#undef ATTRIBUTE
#undef NUMBER
    ATTRIBUTE_COUNT
};
enum attribute_holds {
    HOLDS_ANY,
    HOLDS_INT,
    HOLDS_UNIT,
    HOLDS_STRING,
    HOLDS_INTS,
    HOLDS_LONGS,
    HOLDS_TYPE,
    HOLDS_DICTIONARY,
    HOLDS_ARRAY
};

MlirNamedAttribute attr(struct builder *b, enum attribute_name name, MlirAttribute value);
MlirNamedAttribute attr_i32(struct builder *b, enum attribute_name name, int32_t value);
MlirNamedAttribute attr_string(struct builder *b, enum attribute_name name, const char *value);
MlirNamedAttribute attr_unit(struct builder *b, enum attribute_name name);
MlirNamedAttribute attr_i32_array(struct builder *b, enum attribute_name name, intptr_t count,
                                  const int32_t *values);

const char *attribute_text(enum attribute_name name);
// True for attributes that only record a rewrite or its refusal: ops_alike ignores them.
bool attribute_is_remark(MlirNamedAttribute attribute);
// The name behind an identifier, ATTRIBUTE_COUNT if attributes.def lacks it; true if the name may hold the
// value.
enum attribute_name attribute_of(struct ir *ir, MlirIdentifier identifier);
bool attribute_fits(enum attribute_name name, MlirAttribute value);

// All of an op's attributes. Ops unknown to MLIR (tk's) have only discardable attributes; for a registered op
// MLIR builds the list anew in each call.
intptr_t op_attribute_count(MlirOperation op);
MlirNamedAttribute op_attribute_at(MlirOperation op, intptr_t index);
struct attrs op_attributes(struct arena *arena, MlirOperation op);

MlirAttribute op_attribute(MlirOperation op, enum attribute_name name); // null when absent
// An integer attribute. When absent: the default in attributes.def, or `otherwise`.
int64_t op_int(MlirOperation op, enum attribute_name name);
int64_t op_int_or(MlirOperation op, enum attribute_name name, int64_t otherwise);
bool op_has(MlirOperation op, enum attribute_name name);
bool ops_alike(MlirOperation a, MlirOperation b);        // in all but their operands, regions and remarks
bool attributes_alike(MlirOperation a, MlirOperation b); // of two ops, without remarks
MlirStringRef op_string(MlirOperation op, enum attribute_name name); // {NULL, 0} when absent
intptr_t op_i32_array(MlirOperation op, enum attribute_name name, const int32_t **values,
                      struct arena *arena); // -1 when absent
void op_set_attribute(MlirOperation op, enum attribute_name name, MlirAttribute value);
void op_set_int(struct ir *ir, MlirOperation op, enum attribute_name name, int32_t value);
void op_set_string(struct ir *ir, MlirOperation op, enum attribute_name name, const char *value);
void op_remove_attribute(MlirOperation op, enum attribute_name name);
void op_set_unit(struct ir *ir, MlirOperation op, enum attribute_name name);
// An attribute of a function's argument, and an entry of a dictionary: null when absent.
MlirAttribute argument_attribute(MlirOperation function, intptr_t number, enum attribute_name name);
void set_argument_attribute(struct ir *ir, struct arena *arena, MlirOperation function, intptr_t number,
                            enum attribute_name name, MlirAttribute value);
MlirAttribute dictionary_attribute(MlirAttribute dictionary, enum attribute_name name);

// ---- types ----
MlirType type_i1(struct ir *ir), type_i8(struct ir *ir), type_i16(struct ir *ir), type_i32(struct ir *ir),
    type_i64(struct ir *ir);
MlirType type_f16(struct ir *ir), type_bf16(struct ir *ir), type_f32(struct ir *ir), type_f64(struct ir *ir);

// ---- queries of the IR ----
MlirOperation value_op(MlirValue value); // defining op; null for a block argument
bool value_is(MlirValue a, MlirValue b);
bool value_has_one_use(MlirValue value);
bool value_has_uses(MlirValue value);
bool op_is_before(MlirOperation a, MlirOperation b); // both of one block; false for the same op
MlirOperation op_in_block(MlirOperation op,
                          MlirBlock block); // `op` itself, or its ancestor in the block; null: neither
// The first or the last op of a block with a read of the value, its own or in its regions; null without one.
enum reader { READER_FIRST, READER_LAST };
MlirOperation value_reader(MlirValue value, MlirBlock block, enum reader which);
// Collects every op under `root` (not itself) in program order, outer before inner; arena-allocated.
MlirOperation *ops_collect(struct ir *ir, struct arena *arena, MlirOperation root, size_t *count);
MlirBlock op_body(MlirOperation op, int region); // first block of a region
unsigned op_num_warps(MlirOperation op); // warps of a block of the kernel, for an op or for its function
// The value mapped to (value → value), or the value itself if the map lacks it; and adding a pair.
MlirValue value_under(const struct map *map, MlirValue value);
void map_value(struct map *map, MlirValue from, MlirValue to);
// Clones the op, with its regions, and replaces operands by `map` (value → value); adds the clone's results
// to `map`. Returns the clone.
MlirOperation op_repeat(struct builder *b, struct arena *arena, struct map *map, MlirOperation op);

#endif
