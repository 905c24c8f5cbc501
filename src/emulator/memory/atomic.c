// Atomic read-modify-writes, one lane at a time.
#include "emulator/memory/memory.h"
#include "emulator/number/number.h"

static double number_of(uint64_t bits, unsigned kind) {
    switch (kind) {
    case ELEMENT_HALF:
        return half_to_float((uint16_t)bits);
    case ELEMENT_BFLOAT:
        return bfloat_to_float((uint16_t)bits);
    case ELEMENT_FLOAT:
        return float_from_bits((uint32_t)bits);
    default:
        return double_from_bits(bits);
    }
}
static uint64_t bits_of(double value, unsigned kind) {
    switch (kind) {
    case ELEMENT_HALF:
        return half_from_float((float)value);
    case ELEMENT_BFLOAT:
        return bfloat_from_float((float)value);
    case ELEMENT_FLOAT:
        return float_bits((float)value);
    default:
        return double_bits(value);
    }
}

static uint64_t combine_float(unsigned operation, unsigned kind, uint64_t old, uint64_t value) {
    double a = number_of(old, kind), b = number_of(value, kind);
    switch (operation) {
    case LLVMAtomicRMWBinOpFAdd:
        return kind == ELEMENT_FLOAT ? float_bits((float)a + (float)b) : bits_of(a + b, kind);
    case LLVMAtomicRMWBinOpFSub:
        return kind == ELEMENT_FLOAT ? float_bits((float)a - (float)b) : bits_of(a - b, kind);
    case LLVMAtomicRMWBinOpFMax:
        return bits_of(fmax(a, b), kind);
    default:
        return bits_of(fmin(a, b), kind);
    }
}

static uint64_t combine(unsigned operation, struct shape shape, uint64_t old, uint64_t value,
                        uint64_t compare) {
    uint64_t keep = shape.bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << shape.bits) - 1;
    unsigned extend = 64u - shape.bits;
    int64_t a = (int64_t)(old << extend) >> extend, b = (int64_t)(value << extend) >> extend;
    switch (operation) {
    case LLVMAtomicRMWBinOpXchg:
        return value;
    case LLVMAtomicRMWBinOpAdd:
        return (old + value) & keep;
    case LLVMAtomicRMWBinOpSub:
        return (old - value) & keep;
    case LLVMAtomicRMWBinOpAnd:
        return old & value;
    case LLVMAtomicRMWBinOpNand:
        return ~(old & value) & keep;
    case LLVMAtomicRMWBinOpOr:
        return old | value;
    case LLVMAtomicRMWBinOpXor:
        return old ^ value;
    case LLVMAtomicRMWBinOpMax:
        return a > b ? old : value;
    case LLVMAtomicRMWBinOpMin:
        return a < b ? old : value;
    case LLVMAtomicRMWBinOpUMax:
        return old > value ? old : value;
    case LLVMAtomicRMWBinOpUMin:
        return old < value ? old : value;
    case ATOMIC_INC_WRAP:
        return old >= value ? 0 : old + 1;
    case ATOMIC_DEC_WRAP:
        return old == 0 || old > value ? value : old - 1;
    case ATOMIC_CAS:
        return old == compare ? value : old;
    default:
        return combine_float(operation, shape.kind, old, value);
    }
}

// Packed pairs (<2 x half>) combine component by component.
static uint64_t combine_all(unsigned operation, struct shape shape, uint64_t old, uint64_t value,
                            uint64_t compare) {
    if (shape.components == 1) {
        return combine(operation, shape, old, value, compare);
    }
    uint64_t result = 0, keep = ((uint64_t)1 << shape.bits) - 1;
    for (unsigned c = 0; c < shape.components; c++) {
        result |= combine(operation, shape, old >> c * shape.bits & keep, value >> c * shape.bits & keep, 0)
                  << c * shape.bits;
    }
    return result;
}

#define EXCHANGE(T)                                                                                          \
    {                                                                                                        \
        T before = __atomic_load_n((T *)place.data, __ATOMIC_RELAXED), after;                                \
        do                                                                                                   \
            after = (T)combine_all(operation, shape, before, bits, expected);                                \
        while (!__atomic_compare_exchange_n((T *)place.data, &before, after, false, __ATOMIC_SEQ_CST,        \
                                            __ATOMIC_SEQ_CST));                                              \
        result = before;                                                                                     \
        break;                                                                                               \
    }

void memory_atomic(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                   unsigned operation, struct shape shape, const void *value, const void *compare,
                   void *old) {
    unsigned size = shape.components * shape.bits / 8u;
    uint64_t bits = 0, expected = 0, result = 0;
    memcpy(&bits, value, size);
    if (compare) {
        memcpy(&expected, compare, size);
    }
    struct memory_place place = memory_place(warp, in, lane, address, space, size, size, ACCESS_ATOMIC);
    memset(old, 0, size);
    if (!place.data || (address & (size - 1))) {
        return;
    }
    if (place.is_shared && warp->block->shadow) {
        shadow_read(warp, in, lane, place.shared, size, true);
        shadow_write(warp, in, lane, place.shared, size, true, NULL);
    } else {
        memory_check_written(warp, in, lane, &place, address, space, size);
    }
    if (place.region && warp->run->order) {
        stores_note(warp, in, lane, &place, size);
    }
    bool strong = memory_lock(warp, in, &place);
    switch (size) {
    case 1:
        EXCHANGE(uint8_t)
    case 2:
        EXCHANGE(uint16_t)
    case 4:
        EXCHANGE(uint32_t)
    default:
        EXCHANGE(uint64_t)
    }
    if (strong) {
        memory_unlock(warp, address, true, true);
    }
    memcpy(old, &result, size);
}

static void gather(void *data, const uint8_t *value, const struct warp *warp, const struct instr *in,
                   unsigned lane) {
    for (unsigned c = 0; c < in->components; c++) {
        memcpy((uint8_t *)data + c * in->bytes, value + ((size_t)c * warp->lanes + lane) * in->bytes,
               in->bytes);
    }
}

void exec_atomic(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *address = source(warp, in, 0);
    const uint8_t *value = source(warp, in, 1);
    struct shape shape = {in->element, in->bytes, in->bits, 0, in->components};
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        uint64_t operand = 0, old = 0;
        gather(&operand, value, warp, in, lane);
        memory_atomic(warp, in, lane, address[lane], in->space, in->variant, shape, &operand, NULL, &old);
        for (unsigned c = 0; c < in->components; c++) {
            memcpy((uint8_t *)dst + ((size_t)c * warp->lanes + lane) * in->bytes,
                   (uint8_t *)&old + c * in->bytes, in->bytes);
        }
    }
    publish_end(warp, in);
}

// The result is {old value, i1 succeeded}.
void exec_compare_exchange(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *address = source(warp, in, 0);
    const uint8_t *compare = source(warp, in, 1), *value = source(warp, in, 2);
    struct shape shape = {ELEMENT_INT, in->bytes, in->bits, 0, 1};
    uint8_t *success = (uint8_t *)dst + ((size_t)warp->lanes * in->bytes + 63) / 64 * 64;
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        size_t at = (size_t)lane * in->bytes;
        uint64_t old = 0;
        memory_atomic(warp, in, lane, address[lane], in->space, ATOMIC_CAS, shape, value + at, compare + at,
                      &old);
        success[lane] = memcmp(&old, compare + at, in->bytes) == 0;
        memcpy((uint8_t *)dst + at, &old, in->bytes);
    }
    publish_end(warp, in);
}
