// Checks a module against the op table and its documented rules. Runs after every pass, so a fault found here
// is a pass's fault; it is reported as an error at the op's location, with the op's name.
#include "dialects/tk/tk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "ir/context.h"

struct verifier {
    struct ir *ir;
    struct diag *diag;
    bool ok;
    bool encoded; // some tensor of the module has a layout: all must
};

static void fault(struct verifier *v, MlirOperation op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fault(struct verifier *v, MlirOperation op, const char *format, ...) {
    struct strbuf text = {0};
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    strbuf_printf(&text, "'%.*s' %s", (int)name.length, name.data, message);
    diag_error(v->diag, ir_op_location(v->ir, op), "%s", strbuf_text(&text));
    strbuf_free(&text);
    v->ok = false;
}

static bool same_layout(struct verifier *v, MlirType a, MlirType b) {
    const struct layout *la = type_layout(v->ir, a), *lb = type_layout(v->ir, b);
    return la == lb || (la && lb && layout_equal(la, lb));
}

static MlirType operand_type(MlirOperation op, intptr_t index) {
    return mlirValueGetType(mlirOperationGetOperand(op, index));
}

static MlirType type_of(MlirValue value) {
    return mlirValueGetType(value);
}

static MlirType result_type(MlirOperation op, intptr_t index) {
    return mlirValueGetType(mlirOperationGetResult(op, index));
}

static void check_arity(struct verifier *v, MlirOperation op, const struct op_info *info) {
    intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
    if (operands < info->min_operands || (info->max_operands >= 0 && operands > info->max_operands)) {
        fault(v, op, "has %d operands; it takes %d to %d", (int)operands, info->min_operands,
              info->max_operands);
    }
    if (results < info->min_results || (info->max_results >= 0 && results > info->max_results)) {
        fault(v, op, "has %d results; it gives %d to %d", (int)results, info->min_results, info->max_results);
    }
}

// Tensors have power-of-two extents, a rank of at most LAYOUT_MAX_RANK and, once layouts are assigned, a
// surjective layout. Parsed text may contain any type, so no layout may be asked for before this check has
// passed.
static void check_type(struct verifier *v, MlirOperation op, MlirType type) {
    if (!type_is_tensor(type) || map_has(&v->ir->sound, type.ptr)) {
        return; // types are unique and immutable: each is checked once
    }
    if (type_rank(type) > LAYOUT_MAX_RANK) {
        fault(v, op, "has a tile of rank %d; the limit is %d", type_rank(type), LAYOUT_MAX_RANK);
        return;
    }
    for (int dim = 0; dim < type_rank(type); dim++) {
        int64_t extent = type_extent(type, dim);
        if (extent <= 0 || (extent & (extent - 1)) != 0) {
            fault(v, op, "has a tile extent of %lld, which is not a power of two", (long long)extent);
            return;
        }
    }
    char why[160];
    if (!type_layout_fits(type, why, sizeof why)) {
        fault(v, op, "has a layout %s", why);
        return;
    }
    const struct layout *layout = type_layout(v->ir, type);
    if (layout && !layout_is_surjective(layout)) {
        fault(v, op, "has a layout that does not hold every element of its tile");
        return;
    }
    map_put(&v->ir->sound, type.ptr, (void *)type.ptr);
}

// Checks the types of an op's results and of its blocks' arguments.
static void check_types(struct verifier *v, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        check_type(v, op, result_type(op, i));
    }
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
        for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
            for (intptr_t a = 0; a < mlirBlockGetNumArguments(block); a++) {
                check_type(v, op, mlirValueGetType(mlirBlockGetArgument(block, a)));
            }
        }
    }
}

static void check_elementwise(struct verifier *v, MlirOperation op) {
    intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
    MlirType first =
        operands > 0 ? type_of(leading_operand(op)) : (results > 0 ? result_type(op, 0) : (MlirType){NULL});
    // select may take a scalar condition for tiles.
    if (op_kind(v->ir, op) == OP_SELECT && !type_is_tensor(first)) {
        first = type_of(select_yes(op));
    }
    for (intptr_t i = 0; i < operands + results; i++) {
        MlirType type = i < operands ? operand_type(op, i) : result_type(op, i - operands);
        if (op_kind(v->ir, op) == OP_SELECT && i == 0 && !type_is_tensor(type)) {
            continue;
        }
        if (!type_same_shape(first, type)) {
            fault(v, op, "is elementwise, but its operands and results differ in shape");
            return;
        }
        if (!same_layout(v, first, type)) {
            fault(v, op, "is elementwise, but its operands and results differ in layout");
            return;
        }
    }
}

// The first data operand of an access: the value stored by a store or atomic, the comparand of atomic_cas;
// null for a load.
static MlirValue first_value(MlirOperation op, enum op_kind kind) {
    switch (kind) {
    case OP_STORE:
        return store_value(op);
    case OP_ATOMIC_RMW:
        return atomic_rmw_value(op);
    case OP_ATOMIC_CAS:
        return atomic_cas_compare(op);
    case OP_ATOMIC_POLL:
        return atomic_poll_expected(op);
    default:
        return (MlirValue){NULL};
    }
}

static void check_memory(struct verifier *v, MlirOperation op, enum op_kind kind) {
    MlirType pointer = type_of(access_pointer(op));
    if (!type_is_ptr(type_element(pointer))) {
        fault(v, op, "takes a pointer or a tile of pointers first");
        return;
    }
    MlirType pointee = tk_ptr_pointee(v->ir, type_element(pointer));
    MlirValue value = first_value(op, kind), mask = access_mask(v->ir, op);
    if (kind == OP_LOAD && !mlirTypeEqual(type_element(result_type(op, 0)), pointee)) {
        fault(v, op, "gives another element type than its pointer's");
    }
    if (kind == OP_LOAD && op_has(op, ATTR_START) && mlirValueIsNull(load_other(op))) {
        fault(v, op, "starts behind its first element and does not say what that is");
    }
    if (!mlirValueIsNull(value) && !mlirTypeEqual(type_element(type_of(value)), pointee)) {
        fault(v, op, "has a value of another element type than its pointer's");
    }
    if (!mlirValueIsNull(mask) && type_bits(type_element(type_of(mask))) != 1) {
        fault(v, op, "has a mask that is not i1");
    }
    if (!type_same_shape(pointer, kind == OP_LOAD ? result_type(op, 0) : type_of(value))) {
        fault(v, op, "has pointers and values of different shapes");
    }
}

static void check_assert(struct verifier *v, MlirOperation op) {
    MlirType condition = type_of(assert_condition(op));
    if (type_bits(type_element(condition)) != 1) {
        fault(v, op, "has a condition that is not i1");
    }
    for (intptr_t i = 0; i < assert_value_count(op); i++) {
        if (!type_same_shape(condition, type_of(assert_value(op, i)))) {
            fault(v, op, "shows a value of another shape than its condition's");
        }
    }
}

// The scales of a dot: one for each row of a, and each column of b, and block of K.
static void check_scales(struct verifier *v, MlirOperation op, MlirType a, MlirType b) {
    if (mlirOperationGetNumOperands(op) != 5) {
        fault(v, op, "takes two scales or none");
        return;
    }
    MlirType left = type_of(dot_a_scale(op)), right = type_of(dot_b_scale(op));
    if (type_rank(a) != 2 || type_rank(left) != 2 || type_rank(right) != 2 ||
        type_bits(type_element(left)) != 8 || type_bits(type_element(right)) != 8 ||
        type_extent(left, 0) != type_extent(a, 0) || type_extent(right, 0) != type_extent(b, 1) ||
        type_extent(left, 1) != type_extent(right, 1)) {
        fault(v, op, "takes scales a_scale[M,G] and b_scale[N,G] of i8");
    }
}

static void check_dot(struct verifier *v, MlirOperation op) {
    MlirType a = type_of(dot_a(op)), b = type_of(dot_b(op)), c = type_of(dot_c(op)), d = result_type(op, 0);
    int rank = type_rank(a);
    if (rank < 2 || type_rank(b) != rank || type_rank(c) != rank || !mlirTypeEqual(c, d)) {
        fault(v, op, "takes a[…,M,K], b[…,K,N], c[…,M,N] and gives c's type");
        return;
    }
    if (type_extent(a, rank - 1) != type_extent(b, rank - 2) ||
        type_extent(a, rank - 2) != type_extent(c, rank - 2) ||
        type_extent(b, rank - 1) != type_extent(c, rank - 1)) {
        fault(v, op, "has operands whose extents do not fit");
    }
    if (op_kind(v->ir, op) == OP_DOT && mlirOperationGetNumOperands(op) > 3) {
        check_scales(v, op, a, b);
    }
}

static void check_region(struct verifier *v, MlirOperation op) {
    intptr_t count = mlirOperationGetNumOperands(op);
    if (mlirOperationGetNumRegions(op) != 1 || mlirOperationGetNumResults(op) != count) {
        fault(v, op, "has one region and as many results as operands");
        return;
    }
    MlirBlock body = op_body(op, 0);
    if (mlirBlockIsNull(body) || mlirBlockGetNumArguments(body) != 2 * count) {
        fault(v, op, "has a region with two arguments for each operand");
        return;
    }
    MlirOperation last = mlirBlockGetFirstOperation(body);
    for (MlirOperation next = last; !mlirOperationIsNull(next); next = mlirOperationGetNextInBlock(next)) {
        last = next;
    }
    if (mlirOperationIsNull(last) || op_kind(v->ir, last) != OP_YIELD ||
        mlirOperationGetNumOperands(last) != count) {
        fault(v, op, "has a region that ends in tk.yield of one value for each operand");
    }
}

// Checks the shapes of shape ops, and their layouts: no such op moves data between threads, so the operand's
// layout determines the result's.
static void check_shape_op(struct verifier *v, MlirOperation op, enum op_kind kind) {
    MlirType from = type_of(unary_source(op)), to = result_type(op, 0);
    int rank = type_rank(from);
    if (!mlirTypeEqual(type_element(from), type_element(to))) {
        fault(v, op, "changes the element type");
        return;
    }
    if (kind == OP_RESHAPE) {
        if (type_elements(from) != type_elements(to)) {
            fault(v, op, "changes the number of elements");
        }
        return;
    }
    if (kind == OP_EXPAND_DIMS) {
        int axis = (int)op_int_or(op, ATTR_AXIS, -1);
        bool fits = type_rank(to) == rank + 1 && axis >= 0 && axis <= rank && type_extent(to, axis) == 1;
        for (int d = 0; fits && d < rank; d++) {
            fits = type_extent(from, d) == type_extent(to, d + (d >= axis));
        }
        if (!fits) {
            fault(v, op, "inserts one dimension of extent 1 at its axis");
        }
        return;
    }
    bool fits = type_rank(to) == rank;
    for (int d = 0; fits && d < rank; d++) {
        fits = type_extent(from, d) == type_extent(to, d) || type_extent(from, d) == 1;
    }
    if (!fits) {
        fault(v, op, "repeats dimensions of extent 1 alone");
    }
}

static void check_partial(struct verifier *v, MlirOperation op) {
    const struct layout *layout = type_layout(v->ir, type_of(unary_source(op)));
    const struct layout *made = type_layout(v->ir, result_type(op, 0));
    int64_t axis = op_int_or(op, ATTR_AXIS, -1);
    struct layout expected;
    if (!mlirTypeEqual(type_element(type_of(unary_source(op))), type_element(result_type(op, 0)))) {
        fault(v, op, "gives another element type than it takes");
    } else if (axis < 0 || axis >= type_rank(type_of(unary_source(op)))) {
        fault(v, op, "has no dimension %d", (int)axis);
    } else if (!layout || !made || !layout_partial_reduce(layout, (unsigned)axis, &expected) ||
               !layout_equal(&expected, made)) {
        fault(v, op, "gives a tile in another layout than follows from its operand's");
    }
}

static void check_reduced(struct verifier *v, MlirOperation op, enum op_kind kind) {
    MlirType from = type_of(reduce_tile(op, 0));
    int axis = (int)op_int_or(op, ATTR_AXIS, -1), rank = type_rank(from);
    if (axis < 0 || axis >= rank) {
        fault(v, op, "has no dimension %d", axis);
        return;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirType to = result_type(op, i);
        if (!mlirTypeEqual(type_element(to), type_element(operand_type(op, i)))) {
            fault(v, op, "gives another element type than it takes");
            return;
        }
        if (!type_same_shape(from, operand_type(op, i)) || !same_layout(v, from, operand_type(op, i))) {
            fault(v, op, "has operands that differ in shape or layout");
            return;
        }
        bool fits = kind == OP_SCAN ? type_same_shape(from, to) : type_rank(to) == rank - 1;
        for (int d = 0; fits && kind == OP_REDUCE && d < rank - 1; d++) {
            fits = type_extent(to, d) == type_extent(from, d + (d >= axis));
        }
        if (!fits) {
            fault(v, op, "gives a tile of another shape than its operands' along its axis");
            return;
        }
        const struct layout *layout = type_layout(v->ir, from), *made = type_layout(v->ir, to);
        if (layout && made) {
            struct layout all = kind == OP_SCAN ? *layout : layout_reduce_dim(layout, (unsigned)axis);
            struct layout expected = kind == OP_SCAN ? all : layout_remove_replicas(&all);
            if (!layout_equal(&expected, made)) {
                fault(v, op, "gives a tile in another layout than follows from its operands'");
                return;
            }
        }
    }
}

static void check_convert(struct verifier *v, MlirOperation op) {
    if (!type_same_shape(type_of(unary_source(op)), result_type(op, 0)) ||
        !mlirTypeEqual(type_element(type_of(unary_source(op))), type_element(result_type(op, 0)))) {
        fault(v, op, "changes the layout alone, but its operand and result differ otherwise");
    }
}

static bool holds_what_it_may(struct verifier *v, MlirOperation op, MlirNamedAttribute attribute,
                              enum attribute_name name, const char *whose) {
    MlirStringRef text = mlirIdentifierStr(attribute.name);
    if (name == ATTRIBUTE_COUNT) {
        fault(v, op, "has the attribute %.*s, which is none of %s", (int)text.length, text.data, whose);
        return false;
    }
    if (!attribute_fits(name, attribute.attribute)) {
        fault(v, op, "has an attribute %.*s of another kind than its table says", (int)text.length,
              text.data);
        return false;
    }
    return true;
}

// Checks an op's attributes: an op of tk may only have those of its row; functions and loops may also have
// attributes known to MLIR.
static void check_attributes(struct verifier *v, MlirOperation op, enum op_kind kind) {
    bool of_tk = kind < OP_FUNC;
    bool looked_at = of_tk || kind == OP_FUNC || kind == OP_FOR;
    intptr_t count = looked_at ? mlirOperationGetNumDiscardableAttributes(op) : 0;
    for (intptr_t i = 0; i < count; i++) {
        MlirNamedAttribute attribute = mlirOperationGetDiscardableAttribute(op, i);
        enum attribute_name name = attribute_of(v->ir, attribute.name);
        holds_what_it_may(v, op, attribute, op_may_have(kind, name) ? name : ATTRIBUTE_COUNT, "this op's");
    }
}

// Checks a dictionary: only entries of the list are allowed; with `needs_all` all of them are required.
static bool check_entries(struct verifier *v, MlirOperation op, MlirAttribute dictionary,
                          const enum attribute_name *list, size_t count, bool needs_all, const char *whose) {
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(dictionary); i++) {
        MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
        enum attribute_name name = attribute_of(v->ir, entry.name);
        size_t at = 0;
        while (at < count && list[at] != name) {
            at++;
        }
        if (!holds_what_it_may(v, op, entry, at < count ? name : ATTRIBUTE_COUNT, whose)) {
            return false;
        }
    }
    for (size_t i = 0; needs_all && i < count; i++) {
        if (mlirAttributeIsNull(dictionary_attribute(dictionary, list[i]))) {
            fault(v, op, "has %s without %s", whose, attribute_text(list[i]));
            return false;
        }
    }
    return true;
}

static void check_arguments(struct verifier *v, MlirOperation function) {
    static const enum attribute_name of_argument[] = {ATTR_DIVISIBLE_BY, ATTR_FACTORS, ATTR_HANDED,
                                                      ATTR_HIDDEN,       ATTR_IMPLIED, ATTR_LATE,
                                                      ATTR_TENSOR_MAP},
                                     of_map[] = {ATTR_BOX,   ATTR_ELEMENT, ATTR_OFFSETS, ATTR_POINTER,
                                                 ATTR_SIZES, ATTR_STRIDES, ATTR_SWIZZLE};
    MlirAttribute all = op_attribute(function, ATTR_ARG_ATTRS);
    intptr_t count = mlirAttributeIsNull(all) ? 0 : mlirArrayAttrGetNumElements(all);
    for (intptr_t i = 0; i < count; i++) {
        MlirAttribute own = mlirArrayAttrGetElement(all, i);
        if (!check_entries(v, function, own, of_argument, sizeof of_argument / sizeof *of_argument, false,
                           "an argument's")) {
            return;
        }
        MlirAttribute hidden = dictionary_attribute(own, ATTR_HIDDEN),
                      map = dictionary_attribute(own, ATTR_TENSOR_MAP);
        int word = -1;
        if (!mlirAttributeIsNull(hidden)) {
            MlirStringRef text = mlirStringAttrGetValue(hidden);
            if (!word_parse(WORDS_HIDDEN, text.data, text.length, false, &word)) {
                fault(v, function, "has the %s \"%.*s\", which is none", word_what(WORDS_HIDDEN),
                      (int)text.length, text.data);
                return;
            }
        }
        if ((word == HIDDEN_TENSOR_MAP) == mlirAttributeIsNull(map)) {
            fault(v, function, "describes tensor maps where arguments hold them");
        } else if (!mlirAttributeIsNull(map)) {
            check_entries(v, function, map, of_map, sizeof of_map / sizeof *of_map, true, "a tensor map");
        }
    }
}

// Checks that word attributes hold a word of their kind, and that atomics have an order and a scope.
static void check_words(struct verifier *v, MlirOperation op, enum op_kind kind) {
    bool has_some = mlirOperationGetNumDiscardableAttributes(op) > 0;
    for (int words = 0; words < WORD_KIND_COUNT && has_some; words++) {
        enum attribute_name attribute = word_attribute((enum word_kind)words);
        if (attribute == ATTRIBUTE_COUNT) {
            continue;
        }
        MlirStringRef text = op_string(op, attribute);
        int word;
        if (text.data && !word_parse((enum word_kind)words, text.data, text.length, false, &word)) {
            fault(v, op, "has the %s \"%.*s\", which is none", attribute_text(attribute), (int)text.length,
                  text.data);
        }
        bool needed =
            words == WORDS_ORDER || words == WORDS_SCOPE || (words == WORDS_RMW && kind == OP_ATOMIC_RMW);
        if (!text.data && needed && op_is_atomic(kind)) {
            fault(v, op, "does not say its %s", attribute_text(attribute));
        }
    }
}

static void check_op(struct verifier *v, MlirOperation op) {
    enum op_kind kind = op_kind(v->ir, op);
    if (kind == OP_UNKNOWN) {
        fault(v, op, "is no op of a tile program");
        return;
    }
    check_arity(v, op, &op_table[kind]);
    if (!v->ok) {
        return;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (v->encoded && type_is_tensor(result_type(op, i)) && !type_layout(v->ir, result_type(op, i))) {
            fault(v, op, "has a tile without a layout");
            return;
        }
    }
    check_attributes(v, op, kind);
    check_words(v, op, kind);
    if (op_traits(kind) & ELEMENTWISE) {
        check_elementwise(v, op);
    }
    switch (kind) {
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS:
    case OP_ATOMIC_POLL:
        check_memory(v, op, kind);
        break;
    case OP_DOT:
    case OP_SHARED_DOT:
        check_dot(v, op);
        break;
    case OP_REDUCE:
    case OP_SCAN:
        check_region(v, op);
        if (v->ok) {
            check_reduced(v, op, kind);
        }
        break;
    case OP_PARTIAL_REDUCE:
        check_region(v, op);
        if (v->ok) {
            check_partial(v, op);
        }
        break;
    case OP_ASSERT:
        check_assert(v, op);
        break;
    case OP_FUNC:
        check_arguments(v, op);
        break;
    case OP_EXPAND_DIMS:
    case OP_RESHAPE:
    case OP_BROADCAST:
        check_shape_op(v, op, kind);
        break;
    case OP_CONVERT_LAYOUT:
        check_convert(v, op);
        break;
    default:
        break;
    }
}

bool tk_verify(struct ir *ir, MlirModule module, struct diag *diag) {
    struct verifier v = {.ir = ir, .diag = diag, .ok = true};
    if (!mlirOperationVerify(mlirModuleGetOperation(module))) {
        return false;
    }
    struct arena *arena = arena_create();
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        check_types(&v, ops[i]);
    }
    for (size_t i = 0; i < count && v.ok && !v.encoded; i++) {
        for (intptr_t r = 0; r < mlirOperationGetNumResults(ops[i]); r++) {
            v.encoded |= type_layout(ir, result_type(ops[i], r)) != NULL;
        }
    }
    for (size_t i = 0, sound = v.ok ? count : 0; i < sound; i++) {
        check_op(&v, ops[i]);
    }
    arena_destroy(arena);
    return v.ok;
}
