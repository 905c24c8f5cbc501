// Builders, attributes, and looking at ops. The only user of MlirOperationState.
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

// An op by its name; regions become its own. Code that knows which op it builds says its kind (dialects/tk/tk_build.h).
MlirOperation build_named(struct builder *b, const char *name, struct operands operands,
                          struct results results, struct attrs attrs, intptr_t region_count,
                          MlirRegion *regions);
// Puts an op that is in no block, a clone, at the builder's place.
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
// Whether it only says what was done or left alone: ops that differ in such are alike.
bool attribute_is_remark(MlirNamedAttribute attribute);
// The name behind an identifier, ATTRIBUTE_COUNT for one that is not in the table; whether it may hold the value.
enum attribute_name attribute_of(struct ir *ir, MlirIdentifier identifier);
bool attribute_fits(enum attribute_name name, MlirAttribute value);

// All of an op's attributes. The ops that MLIR does not know (tk's) have discardable ones alone; a registered op's are put
// together anew for each question.
intptr_t op_attribute_count(MlirOperation op);
MlirNamedAttribute op_attribute_at(MlirOperation op, intptr_t index);
struct attrs op_attributes(struct arena *arena, MlirOperation op);

MlirAttribute op_attribute(MlirOperation op, enum attribute_name name); // null when absent
// An integer; when absent the number that attributes.def has for it, or `otherwise` where absence means something else.
int64_t op_int(MlirOperation op, enum attribute_name name);
int64_t op_int_or(MlirOperation op, enum attribute_name name, int64_t otherwise);
bool op_has(MlirOperation op, enum attribute_name name);
bool ops_alike(MlirOperation a, MlirOperation b); // in all but their operands, regions and remarks
MlirStringRef op_string(MlirOperation op, enum attribute_name name); // {NULL, 0} when absent
intptr_t op_i32_array(MlirOperation op, enum attribute_name name, const int32_t **values,
                      struct arena *arena); // -1 when absent
void op_set_attribute(MlirOperation op, enum attribute_name name, MlirAttribute value);
void op_set_int(struct ir *ir, MlirOperation op, enum attribute_name name, int32_t value);
void op_set_string(struct ir *ir, MlirOperation op, enum attribute_name name, const char *value);
void op_remove_attribute(MlirOperation op, enum attribute_name name);
void op_set_unit(struct ir *ir, MlirOperation op, enum attribute_name name);
// What a function says of an argument, and an entry of a dictionary: null when absent.
MlirAttribute argument_attribute(MlirOperation function, intptr_t number, enum attribute_name name);
void set_argument_attribute(struct ir *ir, struct arena *arena, MlirOperation function, intptr_t number,
                            enum attribute_name name, MlirAttribute value);
MlirAttribute dictionary_attribute(MlirAttribute dictionary, enum attribute_name name);

// ---- types ----
MlirType type_i1(struct ir *ir), type_i8(struct ir *ir), type_i16(struct ir *ir), type_i32(struct ir *ir),
    type_i64(struct ir *ir);
MlirType type_f16(struct ir *ir), type_bf16(struct ir *ir), type_f32(struct ir *ir), type_f64(struct ir *ir);

// ---- looking at the IR ----
MlirOperation value_op(MlirValue value); // defining op; null for a block argument
bool value_is(MlirValue a, MlirValue b);
bool value_has_one_use(MlirValue value);
bool value_has_uses(MlirValue value);
bool op_is_before(MlirOperation a, MlirOperation b); // both of one block; false for the same op
MlirOperation op_in_block(MlirOperation op,
                          MlirBlock block); // itself, or the op of the block that it lies in
// The first or the last op of a block that reads a value, itself or in its regions; null when none does.
enum reader { READER_FIRST, READER_LAST };
MlirOperation value_reader(MlirValue value, MlirBlock block, enum reader which);
// Collects every op under `root` (not itself) in program order, outer before inner; arena-allocated.
MlirOperation *ops_collect(struct ir *ir, struct arena *arena, MlirOperation root, size_t *count);
MlirBlock op_body(MlirOperation op, int region); // first block of a region
unsigned op_num_warps(MlirOperation op); // of a block that runs the function that the op is, or lies in
// What a map (value → value) has for a value, and the value itself where it has nothing; and putting it there.
MlirValue value_under(const struct map *map, MlirValue value);
void map_value(struct map *map, MlirValue from, MlirValue to);
// The op once more, with its regions, for the values that `map` (value → value) has for its operands; `map` learns its results.
void op_repeat(struct builder *b, struct arena *arena, struct map *map, MlirOperation op);

#endif
