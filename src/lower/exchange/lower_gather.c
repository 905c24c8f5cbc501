// gather and histogram: data-dependent positions, through scratch in shared memory.
#include "lower/lower_internal.h"

// The flat index of an element of `from`'s shape in `to`'s shape, axis coordinate 0. The shapes differ along
// the axis only.
static uint32_t without_axis(const struct layout *from, const struct layout *to, unsigned axis,
                             uint32_t flat) {
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    layout_split_coordinates(from, flat, at);
    at[axis] = 0;
    return layout_join_coordinates(to, at);
}

// Reads the elements at the indices along the axis. `source` has the shape of the tile; the tile is at
// `base`, row-major.
static void pick(struct lowering *l, MlirOperation op, LLVMValueRef base, const struct layout *source) {
    const struct layout *layout = lower_layout(l, mlirOperationGetResult(op, 0));
    struct values *indices = lower_values(l, gather_indices(op)), *out = lower_result(l, op, 0);
    unsigned axis = (unsigned)op_int(op, ATTR_AXIS);
    LLVMTypeRef type = lower_type(l, lower_element(mlirOperationGetResult(op, 0)));
    unsigned bytes = lower_type_bits(type) / 8;
    uint32_t basis[LAYOUT_MAX_BITS] = {0}, span = 0;
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        enum layout_input input = i < l->lane_bits ? LAYOUT_LANE : LAYOUT_WARP;
        uint32_t flat = layout->basis[input][i < l->lane_bits ? i : i - l->lane_bits];
        basis[i] = without_axis(layout, source, axis, flat) * bytes;
        span |= basis[i];
    }
    LLVMValueRef thread = lower_thread_linear(l, basis);
    uint32_t stride = bytes << layout_dim_shift(source, axis);
    uint32_t last = (uint32_t)layout_extent(source, axis) - 1;
    for (unsigned r = 0; r < out->count; r++) {
        uint32_t flat = without_axis(layout, source, axis, layout_column(layout, LAYOUT_REGISTER, r));
        LLVMValueRef at = lower_xor_constant(l, thread, span, flat * bytes);
        LLVMValueRef index = indices->at[r];
        unsigned index_bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
        index = index_bits > 32   ? LLVMBuildTrunc(l->b, index, l->i32, "")
                : index_bits < 32 ? LLVMBuildZExt(l->b, index, l->i32, "")
                                  : index;
        // An index out of range must not leave the tile.
        index = LLVMBuildAnd(l->b, index, lower_i32(l, last), "");
        at = LLVMBuildAdd(l->b, at, LLVMBuildMul(l->b, index, lower_i32(l, stride), ""), "");
        lower_shared_read(l, lower_shared_address(l, LLVMBuildAdd(l->b, at, base, "")), type, 1, &out->at[r]);
    }
}

void lower_gather(struct lowering *l, MlirOperation op) {
    const struct layout *source = lower_layout(l, gather_source(op));
    LLVMValueRef scratch = lower_scratch(l, op);
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned dim = 0; dim < source->rank; dim++) {
        shape[dim] = layout_extent(source, dim);
    }
    struct layout shared = layout_row_major_shared(source->rank, shape);
    lower_tile_write(l, scratch, &shared, source, lower_values(l, gather_source(op))->at);
    lower_barrier(l);
    pick(l, op, scratch, source);
}

void lower_smem_gather(struct lowering *l, MlirOperation op) {
    MlirValue slot = smem_gather_slot(op);
    pick(l, op, lower_scalar(l, slot), lower_layout(l, slot));
}

// Counts an index if the predicate holds. The address is computed in the branch: ahead of it ptxas does not fold the shift into it.
static void count_one(struct lowering *l, LLVMValueRef scratch, LLVMValueRef index, LLVMValueRef predicate) {
    LLVMValueRef one = lower_i32(l, 1);
    bool always = LLVMIsAConstantInt(predicate) && LLVMConstIntGetZExtValue(predicate);
    struct lower_if branch;
    if (!always) {
        branch = lower_if_begin(l, predicate);
    }
    LLVMValueRef at = LLVMBuildAdd(l->b, scratch, LLVMBuildShl(l->b, index, lower_i32(l, 2), ""), "");
    LLVMValueRef address = lower_shared_address(l, at);
    if (lower_vendor(l)->predicated) {
        LLVMValueRef args[] = {LLVMBuildPtrToInt(l->b, address, l->i32, ""), LLVMConstInt(l->i1, 1, 0), one};
        asm_call(l, ASM_ATOM_SHARED_ADD_U32, l->void_type, args, 3);
    } else {
        LLVMValueRef args[] = {address, one};
        lower_from_text(
            l, "atomicrmw add ptr addrspace(3) %0, i32 %1 syncscope(\"workgroup\") monotonic, align 4",
            "ptr addrspace(3) %0, i32 %1", args, 2);
    }
    if (!always) {
        lower_if_end(l, &branch);
    }
}

void lower_histogram(struct lowering *l, MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    const struct layout *source = lower_layout(l, histogram_tile(op)), *layout = lower_layout(l, result);
    struct values *values = lower_values(l, histogram_tile(op)), *out = lower_result(l, op, 0);
    struct values *masks = lower_optional(l, histogram_mask(op));
    LLVMValueRef scratch = lower_scratch(l, op), zero = lower_i32(l, 0);
    uint32_t bins = (uint32_t)layout_extent(layout, 0), threads = 1u << (l->lane_bits + l->warp_bits);
    LLVMValueRef mine = LLVMBuildShl(l->b, l->thread, lower_i32(l, 2), "");
    LLVMValueRef clears =
        bins < threads ? LLVMBuildICmp(l->b, LLVMIntULT, l->thread, lower_i32(l, bins), "") : NULL;
    for (uint32_t first = 0; first < bins; first += threads) {
        LLVMValueRef at =
            LLVMBuildAdd(l->b, LLVMBuildAdd(l->b, scratch, lower_i32(l, first * 4), ""), mine, "");
        lower_shared_write(l, lower_shared_address(l, at), &zero, 1, clears);
    }
    lower_barrier(l);
    uint32_t free = lower_free_registers(source);
    LLVMValueRef owner = lower_owner(l, source);
    for (unsigned r = 0; r < values->count; r++) {
        if (r & free) {
            continue;
        }
        LLVMValueRef value = values->at[r];
        LLVMValueRef inside =
            LLVMBuildICmp(l->b, LLVMIntULT, value, LLVMConstInt(LLVMTypeOf(value), bins, 0), "");
        if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 32 && bins >> LLVMGetIntTypeWidth(LLVMTypeOf(value))) {
            inside = LLVMConstInt(l->i1, 1, 0); // the type cannot hold a value out of range
        }
        LLVMValueRef index = LLVMBuildIntCast2(l->b, value, l->i32, 0, "");
        LLVMValueRef counts = lower_and(l, lower_and(l, inside, owner), masks ? masks->at[r] : NULL);
        count_one(l, scratch, index, counts);
    }
    lower_barrier(l);
    int64_t shape[] = {bins};
    struct layout shared = layout_row_major_shared(1, shape);
    lower_tile_read(l, scratch, &shared, layout, l->i32, out->at);
}
