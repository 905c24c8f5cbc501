// A kernel's properties for the launcher: from the source, and from the attributes left by the passes on its
// function:
//
//   func.func @k(…, %a: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {…}}, %x: i32 {tk.hidden = "grid_x"})
//       attributes {tk.num_warps = 8 : i32, tk.producer_warps = 4 : i32, tk.persistent = 1 : i32, …}
#include "driver/compile.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tensor_map.h"
#include "dialects/tk/words.h"
#include "frontend/value/dtype.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/specialise/specialise.h"

_Static_assert((int)TILE_OFFSETS <= (int)TKC_TENSOR_OFFSETS && (int)TILE_DIMS <= (int)TKC_TENSOR_RANK,
               "maps have room for every box");
_Static_assert((int)SPECIALISE_MAX_MAPS <= (int)TKC_TENSOR_MAPS,
               "launchers have room for every map of a kernel");

static const int hidden_kinds[] = {[HIDDEN_GRID_X] = TKC_HIDDEN_GRID_X,
                                   [HIDDEN_GRID_Y] = TKC_HIDDEN_GRID_Y,
                                   [HIDDEN_GRID_Z] = TKC_HIDDEN_GRID_Z,
                                   [HIDDEN_TENSOR_MAP] = TKC_HIDDEN_TENSOR_MAP};

static MlirAttribute member(MlirAttribute dictionary, enum attribute_name name) {
    MlirAttribute found = dictionary_attribute(dictionary, name);
    if (mlirAttributeIsNull(found)) {
        bug("a tensor map has no \"%s\"", attribute_text(name));
    }
    return found;
}

static int64_t member_int(MlirAttribute dictionary, enum attribute_name name) {
    return mlirIntegerAttrGetValueInt(member(dictionary, name));
}

// Reads `least` to `most` terms. Returns their number.
static unsigned read_terms(MlirAttribute map, enum attribute_name name, intptr_t least, intptr_t most,
                           struct tkc_term *terms) {
    member(map, name); // or a bug
    intptr_t count = tensor_map_count(map, name);
    if (count < least || count > most) {
        bug("a tensor map's %s are %d, and need to be %d to %d", attribute_text(name), (int)count, (int)least,
            (int)most);
    }
    for (intptr_t i = 0; i < count; i++) {
        struct tile_size size = tensor_map_size(map, name, i);
        terms[i] = (struct tkc_term){.plus = size.constant,
                                     .factor = size.factor,
                                     .parameter = size.parameters[0],
                                     .by = size.parameters[1],
                                     .over = size.over};
        if (size.over < 1) {
            bug("a tensor map divides by %lld in its %s", (long long)size.over, attribute_text(name));
        }
    }
    return (unsigned)count;
}

static const struct tensor_type *element_type(struct ir *ir, MlirType element) {
    if (mlirTypeIsATF32(element)) {
        return tensor_type_find("tf32");
    }
    for (unsigned scalar = 0; scalar < SCALAR_VOID; scalar++) {
        const struct tensor_type *type = tensor_type_find(dtype_table[scalar].signature);
        if (type && mlirTypeEqual(dtype_mlir(ir, (struct dtype){(uint8_t)scalar, 0, false}), element)) {
            return type;
        }
    }
    bug("a tensor map's element type is none that TMA copies");
}

// True if the map's copies are stores. All copies by one map go in the same direction.
static bool is_written(struct ir *ir, MlirValue map) {
    MlirOpOperand use = mlirValueGetFirstUse(map);
    return !mlirOpOperandIsNull(use) && op_kind(ir, mlirOpOperandGetOwner(use)) == OP_BULK_STORE;
}

static struct tkc_tensor_map read_tensor_map(struct ir *ir, MlirAttribute map) {
    const struct tensor_type *type = element_type(ir, mlirTypeAttrGetValue(member(map, ATTR_ELEMENT)));
    member(map, ATTR_BOX); // or a bug
    unsigned rank = tensor_map_rank(map);
    struct tkc_tensor_map out = {.pointer = (unsigned)member_int(map, ATTR_POINTER),
                                 .element = type->value,
                                 .element_bytes = type->bytes,
                                 .rank = rank,
                                 .swizzle = (unsigned)member_int(map, ATTR_SWIZZLE)};
    if (rank < 1 || rank > TKC_TENSOR_RANK) {
        bug("a tensor map of %u dimensions; TMA has 1 to %d", rank, TKC_TENSOR_RANK);
    }
    for (unsigned i = 0; i < rank; i++) {
        out.box[i] = (uint32_t)tensor_map_box(map, i);
    }
    read_terms(map, ATTR_SIZES, rank, rank, out.sizes);
    read_terms(map, ATTR_STRIDES, rank - 1, rank - 1, out.strides);
    out.offset_count = read_terms(map, ATTR_OFFSETS, 0, TKC_TENSOR_OFFSETS, out.offsets);
    return out;
}

static struct tkc_hidden read_hidden(struct ir *ir, MlirValue argument, MlirAttribute attributes,
                                     MlirAttribute kind) {
    MlirStringRef name = mlirStringAttrGetValue(kind);
    int word;
    if (!word_parse(WORDS_HIDDEN, name.data, name.length, false, &word)) {
        bug("a hidden parameter is \"%.*s\"", (int)name.length, name.data);
    }
    struct tkc_hidden hidden = {.kind = hidden_kinds[word]};
    if (word == HIDDEN_TENSOR_MAP) {
        hidden.map = read_tensor_map(ir, member(attributes, ATTR_TENSOR_MAP));
        hidden.map.is_written = is_written(ir, argument);
    }
    return hidden;
}

static void read_hidden_parameters(struct ir *ir, struct arena *arena, MlirOperation function,
                                   struct reflect_entry *entry) {
    MlirAttribute all = op_attribute(function, ATTR_ARG_ATTRS);
    intptr_t count = mlirAttributeIsNull(all) ? 0 : mlirArrayAttrGetNumElements(all);
    struct tkc_hidden *hidden = ARENA_ARRAY(arena, struct tkc_hidden, (size_t)count + 1);
    size_t maps = 0;
    for (intptr_t i = 0; i < count; i++) {
        MlirAttribute attributes = mlirArrayAttrGetElement(all, i);
        MlirAttribute kind = dictionary_attribute(attributes, ATTR_HIDDEN);
        if (mlirAttributeIsNull(kind)) {
            if (entry->hidden_count) {
                bug("a hidden parameter before one of the source");
            }
            continue;
        }
        hidden[entry->hidden_count] =
            read_hidden(ir, mlirBlockGetArgument(op_body(function, 0), i), attributes, kind);
        maps += hidden[entry->hidden_count++].kind == TKC_HIDDEN_TENSOR_MAP;
    }
    if (maps > TKC_TENSOR_MAPS) {
        bug("a kernel with %zu tensor maps; launchers provide %d", maps, TKC_TENSOR_MAPS);
    }
    entry->hidden = hidden;
}

// Hints missing from the source: the kernel uses the parameter as if it were 1, or a multiple of the hint.
static void read_implied_hints(struct arena *arena, MlirOperation function, struct reflect_entry *entry) {
    MlirAttribute all = op_attribute(function, ATTR_ARG_ATTRS);
    intptr_t count = mlirAttributeIsNull(all) ? 0 : mlirArrayAttrGetNumElements(all);
    unsigned *implied = ARENA_ARRAY(arena, unsigned, (size_t)count + 1);
    for (intptr_t i = 0; i < count; i++) {
        MlirAttribute hint = argument_attribute(function, i, ATTR_IMPLIED);
        if (!mlirAttributeIsNull(hint)) {
            implied[i] = (unsigned)mlirIntegerAttrGetValueInt(hint);
            entry->implied_count = (size_t)i + 1;
        }
    }
    entry->implied = implied;
}

void reflect_imply(struct reflect_param *params, const struct reflect_entry *entry) {
    for (size_t i = 0; i < entry->implied_count; i++) {
        unsigned hint = entry->implied[i];
        if (hint == 1) {
            params[i].by_use |= !params[i].equals_one;
            params[i].equals_one = true;
            params[i].divisible_by = 0;
        } else if (hint > params[i].divisible_by && !params[i].equals_one) { // both are powers of two
            params[i].divisible_by = hint;
            params[i].by_use = true;
        }
    }
}

_Static_assert((int)EQUAL_ARGUMENTS == (int)APART_EQUALS, "conditions of a pair");

static void read_apart(struct arena *arena, MlirOperation function, struct reflect_entry *entry) {
    const int32_t *pairs;
    intptr_t count = op_i32_array(function, ATTR_APART, &pairs, arena);
    if (count <= 0) {
        return;
    }
    struct reflect_apart *apart = ARENA_ARRAY(arena, struct reflect_apart, (size_t)count / 2);
    for (intptr_t i = 0; i + 1 < count; i += 2) {
        if (pairs[i + 1] >= 0) {
            apart[entry->apart_count++] =
                (struct reflect_apart){(unsigned)pairs[i], (unsigned)pairs[i + 1], {{0}}, 0};
            continue;
        }
        struct reflect_apart *last = &apart[entry->apart_count - 1]; // a condition of the pair before
        last->equals[last->equal_count][0] = (unsigned)pairs[i];
        last->equals[last->equal_count++][1] = (unsigned)(-1 - pairs[i + 1]);
    }
    entry->apart = apart;
}

struct reflect_entry reflect_function(struct ir *ir, struct arena *arena, MlirOperation function,
                                      const struct target *target) {
    unsigned shared = (unsigned)op_int(function, ATTR_SHARED_BYTES);
    unsigned producers = (unsigned)op_int(function, ATTR_PRODUCER_WARPS);
    unsigned warps = (unsigned)(op_int(function, ATTR_NUM_WARPS) * op_int(function, ATTR_SLICES));
    struct reflect_entry entry = {
        .threads = (warps + producers) * target->warp_size,
        .shared_bytes = shared,
        .dynamic_shared_bytes = target->vendor == VENDOR_NVIDIA ? shared : 0,
        .producer_warps = producers,
        .waits = op_has(function, ATTR_WAITS),
        .dealing.persistent = op_has(function, ATTR_TAKES_BLOCKS) || op_has(function, ATTR_ONE_PROGRAM)
                                  ? 0
                                  : (unsigned)op_int_or(function, ATTR_PERSISTENT, 0),
        .dealing.fills = op_has(function, ATTR_FILLS_CHIP),
        .dealing.cluster = (unsigned)op_int_or(function, ATTR_CLUSTER, 0)};
    read_hidden_parameters(ir, arena, function, &entry);
    read_implied_hints(arena, function, &entry);
    read_apart(arena, function, &entry);
    return entry;
}

// ---- from the source

static struct reflect_extent reflect_extent(const struct kernel_extent *extent) {
    return (struct reflect_extent){extent->parameter, extent->kind == KERNEL_EXTENT_NUMBER, extent->number};
}

static const struct reflect_tensor *reflect_tensor(struct arena *arena, const struct kernel_tensor *tensor) {
    static const enum reflect_role roles[] = {
        [KERNEL_GIVEN] = REFLECT_GIVEN, [KERNEL_MADE] = REFLECT_MADE, [KERNEL_CHANGED] = REFLECT_CHANGED};
    if (!tensor) {
        return NULL;
    }
    struct reflect_tensor *out = ARENA_NEW(arena, struct reflect_tensor);
    *out = (struct reflect_tensor){roles[tensor->role], tensor->rank,
                                   ARENA_ARRAY(arena, struct reflect_extent, tensor->rank + 1),
                                   ARENA_ARRAY(arena, struct reflect_extent, tensor->rank + 1)};
    for (size_t i = 0; i < tensor->rank; i++) {
        out->sizes[i] = reflect_extent(&tensor->dimensions[i].size);
        out->strides[i] = reflect_extent(&tensor->dimensions[i].stride);
    }
    return out;
}

struct reflect_param reflect_parameter(struct arena *arena, const struct kernel_param *param) {
    bool pointer = dtype_is_pointer(param->dtype);
    struct dtype shown = pointer ? dtype_pointee(param->dtype) : param->dtype;
    return (struct reflect_param){.name = param->name,
                                  .dtype = dtype_signature(arena, shown),
                                  .pointer = pointer,
                                  .divisible_by = param->divisible_by,
                                  .equals_one = param->equals_one,
                                  .is_key = param->is_key,
                                  .reset_to_zero = param->reset_to_zero,
                                  .restore_value = param->restore_value,
                                  .tensor = reflect_tensor(arena, param->tensor)};
}

// Entry parameters and constants, in the form of the launcher and the reflection.
struct reflect_kernel reflect_instance(struct arena *arena, const struct kernel_instance *kernel,
                                       size_t target_count) {
    struct reflect_kernel out = {.name = kernel->name,
                                 .function = kernel->function,
                                 .doc = kernel->doc,
                                 .config = kernel->config,
                                 .config_count = kernel->config_count,
                                 .config_text = kernel->config_text,
                                 .level = kernel->level,
                                 .grid = {kernel->grid[0], kernel->grid[1], kernel->grid[2]},
                                 .num_warps = (unsigned)kernel->num_warps,
                                 .num_stages = (unsigned)kernel->num_stages};
    out.params = ARENA_ARRAY(arena, struct reflect_param, kernel->param_count + 1);
    out.constants = ARENA_ARRAY(arena, struct reflect_constant, kernel->param_count + 1);
    out.entries = ARENA_ARRAY(arena, struct reflect_entry, target_count + 1);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        if (param->is_constant) {
            struct strbuf text = {0};
            value_print(&text, param->value, WORDS_SIGNATURE);
            out.constants[out.constant_count++] = (struct reflect_constant){
                param->name, arena_strdup(arena, strbuf_text(&text)), value_is_integral(param->value)};
            strbuf_free(&text);
        } else {
            out.params[out.param_count++] = reflect_parameter(arena, param);
        }
    }
    return out;
}
