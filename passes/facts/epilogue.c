// Reads the ops between a product's sums and their store: element by element, with vectors of rows and columns, and tiles that are
// loaded at places of their own (bias, activation, residual).
//
//   %h = arith.truncf %sums                parked: 16 bits an element, if the sums are read by nothing else; of two products, two values
//   %h = arith.truncf %sums * row[row]     or the same of sums times a row's factor: it is a row's, and known at the product's end
//   %x = %h + bias[column] …               ops; loads of `bias`, through another argument than the store
//   tk.store %place, %x, %mask             ops: addresses and masks
//
// Loads pass the stores of other elements of the tile: by decision 7, a program reads through one argument nothing written by itself
// through another at other offsets.
#include "passes/facts/epilogue.h"

#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/facts/apart.h"

struct reading {
    struct ir *ir;
    struct epilogue *e;
    MlirValue stored;   // the argument behind the store's addresses
    struct map seen[2]; // values, by `in_load`
    bool in_load;       // below a load's operands, an address or a mask: the sums may not be read there
    struct map factors; // ops behind the factors of rows
};

static bool read_value(struct reading *r, MlirValue value);

static bool is_made_by_product(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    return mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) > 0 || op_kind(ir, op) == OP_DOT_WAIT;
}

static bool loads_apart(struct reading *r, MlirOperation load) {
    MlirValue from = pointer_argument(r->ir, load_pointer(load));
    return !load_is_volatile(load) && !op_has(load, ATTR_ADDRESSES) && !mlirValueIsNull(from) &&
           !value_is(from, r->stored);
}

// Reads what factors of rows are made of, down to loops: their loads pass the store of the tile before.
static bool read_factors(struct reading *r, MlirValue value) {
    MlirOperation op = value_op(value);
    if (is_made_by_product(r->ir, value) || map_has(&r->factors, op.ptr)) {
        return true;
    }
    map_put(&r->factors, op.ptr, op.ptr);
    if (op_kind(r->ir, op) == OP_LOAD) {
        if (!loads_apart(r, op) || r->e->factor_load_count == EPILOGUE_MAX_FACTOR_LOADS) {
            return false;
        }
        r->e->factor_loads[r->e->factor_load_count++] = op;
    }
    bool read = true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && read; i++) {
        read = read_factors(r, mlirOperationGetOperand(op, i));
    }
    return read;
}

// True for a number of each row, the same in all columns, that is known at the product's end.
static bool is_of_rows(struct reading *r, MlirValue value) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && op_kind(r->ir, op) == OP_BROADCAST &&
           type_extent(mlirValueGetType(unary_source(op)), 1) == 1 && read_factors(r, value);
}

// The product's sums behind a value that is narrowed: the value, or what is multiplied there by a factor of each row. Null: neither.
static MlirValue sums_behind(struct reading *r, MlirValue value) {
    MlirOperation op = value_op(value);
    MlirValue sums = value, none = {NULL};
    if (!is_made_by_product(r->ir, value)) {
        if (!value_has_one_use(value) || op_kind(r->ir, op) != OP_MULF) {
            return none;
        }
        MlirValue left = binary_left(op), right = binary_right(op);
        sums = is_of_rows(r, right) ? left : is_of_rows(r, left) ? right : none;
    }
    bool only = !mlirValueIsNull(sums) && value_has_one_use(sums) && is_made_by_product(r->ir, sums);
    return only ? sums : none;
}

// The sums of the value if it is all that is read of them, narrowed to 16 bits; null: it is not.
static MlirValue narrowed_sums(struct reading *r, MlirValue value) {
    MlirOperation op = value_op(value);
    bool narrows = !mlirOperationIsNull(op) && op_kind(r->ir, op) == OP_TRUNCF &&
                   type_bits(type_element(mlirValueGetType(value))) == 16;
    return narrows ? sums_behind(r, unary_source(op)) : (MlirValue){NULL};
}

size_t epilogue_parked(const struct epilogue *epilogue, MlirValue value) {
    size_t number = 0;
    while (number < epilogue->parked_count && !value_is(epilogue->parked[number], value)) {
        number++;
    }
    return number;
}

static bool park(struct reading *r, MlirValue value, MlirValue sums) {
    struct epilogue *e = r->e;
    size_t number = epilogue_parked(e, value);
    if (r->in_load || number == EPILOGUE_MAX_PARKED) {
        return false;
    }
    if (number == e->parked_count) {
        e->parked[number] = value;
        e->sums[number] = sums;
        e->parked_count++;
    }
    MlirOperation maker = value_op(sums);
    return mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(e->parked[0])) &&
           mlirTypeEqual(mlirValueGetType(sums), mlirValueGetType(e->sums[0])) &&
           (number == 0 || (!mlirOperationIsNull(maker) && mlirOperationEqual(maker, value_op(e->sums[0]))));
}

static bool read_scalar(struct reading *r, MlirValue value) {
    MlirOperation op = value_op(value);
    if (!mlirOperationIsNull(op) && op_kind(r->ir, op) == OP_CONSTANT) {
        return true;
    }
    for (size_t i = 0; i < r->e->scalar_count; i++) {
        if (value_is(r->e->scalars[i], value)) {
            return true;
        }
    }
    if (r->e->scalar_count == EPILOGUE_MAX_SCALARS) {
        return false;
    }
    r->e->scalars[r->e->scalar_count++] = value;
    return true;
}

static bool moves(enum op_kind kind) {
    return kind == OP_SPLAT || kind == OP_BROADCAST || kind == OP_EXPAND_DIMS || kind == OP_CONVERT_LAYOUT ||
           kind == OP_RANGE || kind == OP_CONSTANT;
}

// Issue slots of a warp. The special units take a warp's operation in eight cycles.
static unsigned work_of(enum op_kind kind, MlirType type) {
    enum { SPECIAL = 8, MEMORY = 4 };
    bool whole = type_rank(type) == 2 && type_extent(type, 0) > 1 && type_extent(type, 1) > 1;
    if (!whole || moves(kind) || kind == OP_ADDPTR) {
        return 0;
    }
    return kind == OP_LOAD ? MEMORY : op_traits(kind) & SPECIAL_UNIT ? SPECIAL : 1;
}

static bool is_known(const struct reading *r, MlirOperation op) {
    for (size_t i = 0; i < r->e->op_count; i++) {
        if (mlirOperationEqual(r->e->ops[i], op)) {
            return true;
        }
    }
    return false;
}

static bool read_op(struct reading *r, MlirOperation op) {
    enum op_kind kind = op_kind(r->ir, op);
    bool load = kind == OP_LOAD;
    bool plain = (op_traits(kind) & (PURE | ELEMENTWISE)) == (PURE | ELEMENTWISE) &&
                 mlirOperationGetNumResults(op) == 1;
    if (!(load ? loads_apart(r, op) : plain || moves(kind)) || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    if (kind == OP_CONSTANT && mlirAttributeIsNull(value_constant(r->ir, mlirOperationGetResult(op, 0)))) {
        return false;
    }
    bool outer = r->in_load;
    r->in_load |= load;
    bool read = true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && read; i++) {
        read = read_value(r, mlirOperationGetOperand(op, i));
    }
    r->in_load = outer;
    if (!read || is_known(r, op)) {
        return read;
    }
    if (r->e->op_count == EPILOGUE_MAX_OPS) {
        return false;
    }
    r->e->work += work_of(kind, mlirValueGetType(mlirOperationGetResult(op, 0)));
    r->e->ops[r->e->op_count++] = op;
    return true;
}

static bool read_value(struct reading *r, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    if (!type_is_tensor(type)) {
        return read_scalar(r, value);
    }
    MlirValue sums = narrowed_sums(r, value);
    if (!mlirValueIsNull(sums)) {
        return park(r, value, sums);
    }
    if (is_made_by_product(r->ir, value)) {
        return park(r, value, value);
    }
    if (map_has(&r->seen[r->in_load], value.ptr)) {
        return true;
    }
    map_put(&r->seen[r->in_load], value.ptr, (void *)value.ptr);
    return read_op(r, value_op(value));
}

bool epilogue_read(struct ir *ir, MlirOperation store, struct epilogue *epilogue) {
    *epilogue = (struct epilogue){0};
    struct reading r = {.ir = ir, .e = epilogue};
    r.stored = pointer_argument(r.ir, store_pointer(store));
    MlirType type = mlirValueGetType(store_value(store));
    bool read = op_kind(r.ir, store) == OP_STORE && type_rank(type) == 2 && !mlirValueIsNull(r.stored);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(store) && read; i++) {
        r.in_load = i != at_store_value; // addresses and masks
        read = read_value(&r, mlirOperationGetOperand(store, i));
    }
    map_free(&r.seen[0]);
    map_free(&r.seen[1]);
    map_free(&r.factors);
    if (!read || epilogue->parked_count == 0 ||
        !type_same_shape(mlirValueGetType(epilogue->parked[0]), type)) {
        return false;
    }
    MlirType parked = mlirValueGetType(epilogue->parked[0]);
    epilogue->bytes = (unsigned)type_elements(parked) * type_bits(type_element(parked)) / 8;
    return true;
}

bool epilogue_fetches(MlirOperation load) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
    return type_rank(type) == 2 && type_extent(type, 0) > 1 && type_extent(type, 1) > 1 &&
           type_bits(type_element(type)) == EPILOGUE_FETCHED_BITS;
}

MlirValue epilogue_turns(struct builder *b, MlirValue lower, MlirValue upper, MlirValue step, MlirValue left,
                         unsigned groups) {
    MlirType type = mlirValueGetType(lower);
    MlirValue length = build_binary(b, OP_SUBI, upper, lower);
    MlirValue most = build_binary(b, OP_SUBI, step, const_int(b, type, 1));
    MlirValue steps = build_binary(b, OP_DIVSI, build_binary(b, OP_ADDI, length, most), step);
    MlirValue all = const_i32(b, groups), needed = build_binary(b, OP_MULI, left, all);
    if (!mlirTypeEqual(type, type_i32(b->ir))) {
        needed = VALUE(b, OP_EXTSI, OPERANDS(needed), RESULTS(type), NO_ATTRS);
    }
    MlirValue enough = build_compare(b, INT_SGE, steps, needed), one = const_i32(b, 1);
    return build_select(b, enough, all, one);
}

// Lanes have neighbours in a row, then come rows, then the rows of other warps.
static struct layout piece_layout(const struct epilogue_piece *piece, unsigned warps) {
    int64_t shape[] = {(int64_t)warps * piece->rows, piece->columns};
    unsigned elements = (unsigned)(shape[0] * shape[1]);
    struct layout layout = layout_empty(2, shape);
    for (unsigned flat = 1; flat < elements; flat *= 2) {
        enum layout_input input = flat < EPILOGUE_LANE_ELEMENTS         ? LAYOUT_REGISTER
                                  : flat < piece->rows * piece->columns ? LAYOUT_LANE
                                                                        : LAYOUT_WARP;
        layout_push(&layout, input, flat);
    }
    return layout;
}

enum { LANES = 32 };

bool epilogue_pieces(struct ir *ir, MlirType parked, unsigned warps, struct epilogue_piece *piece) {
    const struct layout *layout = type_layout(ir, parked);
    unsigned rows = (unsigned)type_extent(parked, 0), columns = (unsigned)type_extent(parked, 1);
    if (!wgmma_is_result(layout) || type_bits(type_element(parked)) != 16 ||
        rows != EPILOGUE_WARP_ROWS * warps || layout->bits[LAYOUT_WARP] != log2_of(warps)) {
        return false;
    }
    for (unsigned bit = 0; bit < layout->bits[LAYOUT_WARP]; bit++) {
        if (layout->basis[LAYOUT_WARP][bit] != (EPILOGUE_WARP_ROWS << bit) * columns) {
            return false;
        }
    }
    if (columns < EPILOGUE_LEAST_COLUMNS || columns > EPILOGUE_LANE_ELEMENTS * LANES) {
        return false;
    }
    piece->columns = columns;
    piece->rows = EPILOGUE_LANE_ELEMENTS * LANES / columns;
    piece->count = EPILOGUE_WARP_ROWS / piece->rows;
    piece->layout = piece_layout(piece, warps);
    return true;
}
