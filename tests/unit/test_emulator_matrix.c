// Every intrinsic matrix instruction of mma.def, run on the emulator: fragments of small integers are placed
// by the table's layouts, and the result must be the matrix product. The table's layouts and the emulator's
// come from the same documents by different hands, so an error in either is detected.
#include "emulator_harness.h"

#include <llvm-c/Target.h>

#include "chip/mma.h"
#include "emulator/number/number.h"

enum { FRAGMENT_BYTES = 64 * 256, SIDE = 128 };

struct fragments {
    _Alignas(16) uint8_t a[FRAGMENT_BYTES], b[FRAGMENT_BYTES], c[FRAGMENT_BYTES], d[FRAGMENT_BYTES];
    int ma[SIDE][SIDE], mb[SIDE][SIDE], mc[SIDE][SIDE]; // A by row and k, B by k and column
    int sa[SIDE][4], sb[SIDE][4]; // exponents of scales, by row or column and block of K
};

static uint64_t encode(enum mma_type type, int value) {
    switch (type) {
    case MMA_F16:
        return half_from_float((float)value);
    case MMA_BF16:
        return bfloat_from_float((float)value);
    case MMA_TF32:
    case MMA_F32:
        return float_bits((float)value);
    case MMA_F64:
        return double_bits(value);
    case MMA_SCALED_E2M1: { // both elements of a byte
        static const uint8_t codes[] = {0, 2, 4, 5};
        uint8_t code = value < 0 ? 8 | codes[-value] : codes[value];
        return code | code << 4;
    }
    case MMA_SCALED_E4M3:
    case MMA_E4M3:
        return float8_from_float((float)value, FLOAT8_E4M3, true);
    case MMA_SCALED_E5M2:
    case MMA_E5M2:
        return float8_from_float((float)value, FLOAT8_E5M2, true);
    case MMA_E4M3_FNUZ:
        return float8_from_float((float)value, FLOAT8_E4M3_FNUZ, true);
    case MMA_E5M2_FNUZ:
        return float8_from_float((float)value, FLOAT8_E5M2_FNUZ, true);
    default:
        return (uint64_t)(int64_t)value;
    }
}

static void place(const struct mma *mma, enum mma_operand operand, enum mma_type type, unsigned lanes,
                  int matrix[SIDE][SIDE], uint8_t *data) {
    unsigned count = mma_registers(mma, operand), bytes = mma_type_bits(type) / 8;
    for (unsigned lane = 0; lane < lanes; lane++) {
        for (unsigned reg = 0; reg < count; reg++) {
            unsigned at[2];
            mma_fragment_element(mma, operand, reg, lane, at);
            uint64_t bits = encode(type, matrix[at[0]][at[1]]);
            memcpy(data + ((size_t)lane * count + reg) * bytes, &bits, bytes);
        }
    }
}

static LLVMTypeRef vector(LLVMContextRef context, enum mma_type type, unsigned count) {
    LLVMTypeRef element;
    switch (type) {
    case MMA_F16:
        element = LLVMHalfTypeInContext(context);
        break;
    case MMA_BF16:
        element = LLVMInt16TypeInContext(context);
        break;
    case MMA_F32:
        element = LLVMFloatTypeInContext(context);
        break;
    case MMA_I32:
        element = LLVMInt32TypeInContext(context);
        break;
    default: // bytes travel in words
        return LLVMVectorType(LLVMInt32TypeInContext(context), count / 4);
    }
    return LLVMVectorType(element, count);
}

struct builder {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMValueRef lane, kernel;
    LLVMTargetDataRef layout;
};

// The address of byte `offset` of this lane's part of parameter `index`.
static LLVMValueRef address(struct builder *builder, unsigned index, unsigned lane_bytes, unsigned offset) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(builder->context), i8 = LLVMInt8TypeInContext(builder->context);
    LLVMValueRef at = LLVMBuildMul(builder->b, builder->lane, LLVMConstInt(i32, lane_bytes, 0), "");
    at = LLVMBuildAdd(builder->b, at, LLVMConstInt(i32, offset, 0), "");
    return LLVMBuildGEP2(builder->b, i8, LLVMGetParam(builder->kernel, index), &at, 1, "");
}

static unsigned format_of(enum mma_type type) {
    return type == MMA_E5M2 || type == MMA_SCALED_E5M2 ? 1 : type == MMA_SCALED_E2M1 ? 4 : 0;
}

// A lane's exponent for the row (column) and block that its scale is for.
static unsigned exponent_of(bool of_a, unsigned lane) {
    return of_a ? lane % 3 : lane % 2;
}

// Of f8f6f4 behind C: formats, byte and word of A's scales, byte and word of B's.
static LLVMValueRef modifier(struct builder *builder, const struct mma *mma, LLVMTypeRef type,
                             unsigned index) {
    bool word = index == 3 || index == 5;
    if (!word || !mma->group) {
        return LLVMConstInt(type, index == 0 ? format_of(mma->a) : index == 1 ? format_of(mma->b) : 0, 0);
    }
    LLVMValueRef period = LLVMConstInt(type, index == 3 ? 3 : 2, 0);
    LLVMValueRef exponent = LLVMBuildURem(builder->b, builder->lane, period, "");
    return LLVMBuildAdd(builder->b, exponent, LLVMConstInt(type, 127, 0), "");
}

static LLVMValueRef matrix_call(struct builder *builder, const struct mma *mma) {
    char name[128];
    snprintf(name, sizeof name, "llvm.%s", mma->intrinsic);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    assert_int_not_equal(id, 0);
    LLVMTypeRef overloads[2] = {vector(builder->context, mma->acc, mma_registers(mma, MMA_C)),
                                vector(builder->context, mma->a, mma_registers(mma, MMA_A))};
    if (strstr(mma->intrinsic, "wmma") && mma->a == MMA_I8) {
        overloads[1] =
            LLVMVectorType(LLVMInt32TypeInContext(builder->context), mma_registers(mma, MMA_A) / 4);
    }
    if (mma->features & FEATURE(WMMA_GFX1250) && mma->a == MMA_BF16) {
        overloads[1] = LLVMVectorType(LLVMBFloatTypeInContext(builder->context), mma_registers(mma, MMA_A));
    }
    if (mma->mixed) {
        LLVMTypeRef word = LLVMInt32TypeInContext(builder->context);
        overloads[0] = LLVMVectorType(word, mma_registers(mma, MMA_A) / 4);
        overloads[1] = LLVMVectorType(word, mma_registers(mma, MMA_B) / 4);
    }
    LLVMValueRef function =
        LLVMGetIntrinsicDeclaration(builder->module, id, overloads, LLVMIntrinsicIsOverloaded(id) ? 2 : 0);
    LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[64];
    unsigned count = LLVMCountParamTypes(type), operand = 0, used = 0, more = 0;
    LLVMGetParamTypes(type, parameters);
    LLVMValueRef arguments[64];
    for (unsigned i = 0; i < count; i++) {
        bool integer = LLVMGetTypeKind(parameters[i]) == LLVMIntegerTypeKind;
        unsigned width = integer ? LLVMGetIntTypeWidth(parameters[i]) : 0;
        bool sign = width == 1 && mma->acc == MMA_I32;
        if (width == 1 || width == 16 || operand == MMA_OPERANDS) { // signed operands, no clamp, no broadcast
            arguments[i] = operand == MMA_OPERANDS && mma->mixed
                               ? modifier(builder, mma, parameters[i], more++)
                               : LLVMConstInt(parameters[i], sign && operand < MMA_C, 0);
            continue;
        }
        enum mma_type element = operand == MMA_A ? mma->a : operand == MMA_B ? mma->b : mma->acc;
        unsigned total = mma_registers(mma, (enum mma_operand)operand) * mma_type_bits(element) / 8;
        arguments[i] = LLVMBuildLoad2(builder->b, parameters[i], address(builder, operand, total, used), "");
        LLVMSetAlignment(arguments[i], 1);
        used += (unsigned)LLVMStoreSizeOfType(builder->layout, parameters[i]);
        if (used >= total) {
            assert_int_equal(used, total);
            operand++;
            used = 0;
        }
    }
    return LLVMBuildCall2(builder->b, type, function, arguments, count, "");
}

static void store_result(struct builder *builder, const struct mma *mma, LLVMValueRef result) {
    unsigned total = mma_registers(mma, MMA_C) * mma_type_bits(mma->acc) / 8;
    LLVMTypeRef type = LLVMTypeOf(result);
    unsigned fields = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 1,
             used = 0;
    for (unsigned i = 0; i < fields; i++) {
        bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        LLVMValueRef field = structure ? LLVMBuildExtractValue(builder->b, result, i, "") : result;
        LLVMSetAlignment(LLVMBuildStore(builder->b, field, address(builder, 3, total, used)), 1);
        used += (unsigned)LLVMStoreSizeOfType(builder->layout, LLVMTypeOf(field));
    }
}

static struct emulator *build(struct builder *builder, const struct mma *mma, const char *chip) {
    bool nvidia = !strncmp(chip, "sm_", 3);
    builder->context = LLVMContextCreate();
    char *error = NULL, text[1024];
    snprintf(text, sizeof text,
             "%sdeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n",
             nvidia ? nvidia_head : amd_head);
    builder->module = module_of(builder->context, text);
    builder->layout = LLVMGetModuleDataLayout(builder->module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(builder->context, 1);
    LLVMTypeRef pointers[] = {pointer, pointer, pointer, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(builder->context), pointers, 4, 0);
    builder->kernel = LLVMAddFunction(builder->module, "matrix", type);
    builder->b = LLVMCreateBuilderInContext(builder->context);
    LLVMPositionBuilderAtEnd(builder->b,
                             LLVMAppendBasicBlockInContext(builder->context, builder->kernel, "entry"));
    LLVMValueRef id = LLVMGetNamedFunction(builder->module, nvidia ? "llvm.nvvm.read.ptx.sreg.tid.x"
                                                                   : "llvm.amdgcn.workitem.id.x");
    builder->lane = LLVMBuildCall2(builder->b, LLVMGlobalGetValueType(id), id, NULL, 0, "lane");
    store_result(builder, mma, matrix_call(builder, mma));
    LLVMBuildRetVoid(builder->b);
    LLVMDisposeBuilder(builder->b);
    struct emulator_options options = {.chip = chip};
    struct emulator *emulator = emulator_create(builder->module, &options, &error);
    if (!emulator) {
        fail_msg("%s: %s", mma->name, error);
    }
    return emulator;
}

static int product(const struct mma *mma, const struct fragments *f, unsigned row, unsigned column) {
    int sum = f->mc[row][column];
    for (unsigned k = 0; k < mma->k; k++) {
        unsigned block = mma->group ? k / mma->group : 0, elements = mma->a == MMA_SCALED_E2M1 ? 2 : 1;
        sum += (int)elements * f->ma[row][k] * f->mb[k][column] *
               (1 << (f->sa[row][block] + f->sb[column][block]));
    }
    return sum;
}

static void check_row(const struct mma *mma, const struct target *target) {
    struct fragments *f = calloc(1, sizeof *f);
    struct builder builder;
    for (unsigned i = 0; i < SIDE; i++) {
        for (unsigned j = 0; j < SIDE; j++) {
            f->ma[i][j] = (int)((i * 7 + j * 3) % 7) - 3;
            f->mb[i][j] = (int)((i * 5 + j * 11) % 6) - 2;
            f->mc[i][j] = (int)(i * 2 + j) % 9;
        }
    }
    for (unsigned lane = 0; mma->group && lane < target->warp_size; lane++) {
        unsigned at[2];
        mma_fragment_element(mma, MMA_A_SCALE, 0, lane, at);
        f->sa[at[0]][at[1]] = (int)exponent_of(true, lane);
        mma_fragment_element(mma, MMA_B_SCALE, 0, lane, at);
        f->sb[at[0]][at[1]] = (int)exponent_of(false, lane);
    }
    place(mma, MMA_A, mma->a, target->warp_size, f->ma, f->a);
    place(mma, MMA_B, mma->b, target->warp_size, f->mb, f->b);
    place(mma, MMA_C, mma->acc, target->warp_size, f->mc, f->c);
    struct harness harness = {.emulator = build(&builder, mma, target->name)};
    harness.context = builder.context;
    struct emulator_buffer buffers[4];
    struct emulator_argument arguments[4];
    uint8_t *data[] = {f->a, f->b, f->c, f->d};
    const char *names[] = {"a", "b", "c", "d"};
    for (unsigned i = 0; i < 4; i++) {
        buffers[i] = (struct emulator_buffer){names[i], data[i], FRAGMENT_BYTES, 0, i == 3, false, NULL};
        arguments[i] = (struct emulator_argument){.name = names[i], .buffer = &buffers[i]};
    }
    bool clean = harness_run(&harness, arguments, 4, 1, target->warp_size, 0);
    harness_expect_clean(&harness, clean);
    unsigned count = mma_registers(mma, MMA_C), bytes = mma_type_bits(mma->acc) / 8;
    for (unsigned lane = 0; lane < target->warp_size; lane++) {
        for (unsigned reg = 0; reg < count; reg++) {
            unsigned at[2];
            mma_fragment_element(mma, MMA_C, reg, lane, at);
            uint64_t want = encode(mma->acc, product(mma, f, at[0], at[1])), got = 0;
            memcpy(&got, f->d + ((size_t)lane * count + reg) * bytes, bytes);
            if (bytes == 4) {
                want = (uint32_t)want;
            }
            if (got != want) {
                fail_msg("%s on %s: lane %u element %u (row %u, column %u): got 0x%llx, wanted 0x%llx",
                         mma->name, target->name, lane, reg, at[0], at[1], (unsigned long long)got,
                         (unsigned long long)want);
            }
        }
    }
    harness_end(&harness);
    free(f);
}

static void test_rows(void **state) {
    unsigned checked = 0;
    for (unsigned i = 0; i < mma_count; i++) {
        for (size_t j = 0; j < target_count; j++) {
            if (target_has(&target_table[j], mma_table[i].features) && mma_table[i].intrinsic) {
                check_row(&mma_table[i], &target_table[j]);
                checked++;
            }
        }
    }
    assert_true(checked > 40);
}

RUN(TEST(test_rows))
