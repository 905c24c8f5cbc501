// Execution of assembly statements, for the lanes of warp->mask (their predicate holds). If an intrinsic does
// the same, its function is called with the statement's operands.
#include "emulator/nvidia/assembly.h"

#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/number/number.h"
#include "emulator/nvidia/nvidia.h"
#include "emulator/report/report.h"

static uint64_t assembly_get(const struct warp *warp, const struct operand *operand, unsigned lane) {
    const uint8_t *data = warp->registers + operand->reg;
    uint64_t word = 0;
    for (unsigned c = 0; c < operand->shape.components; c++) {
        uint64_t part =
            bits_at(data + ((size_t)c * warp->lanes + lane) * operand->shape.bytes, operand->shape.bytes);
        word |= part << c * operand->shape.bits;
    }
    return word;
}

static void assembly_set(struct warp *warp, const struct operand *operand, unsigned lane, uint64_t bits) {
    uint8_t *data = warp->registers + operand->reg;
    for (unsigned c = 0; c < operand->shape.components; c++) {
        uint64_t part = bits >> c * operand->shape.bits;
        memcpy(data + ((size_t)c * warp->lanes + lane) * operand->shape.bytes, &part, operand->shape.bytes);
    }
}

static uint64_t value_of(const struct warp *warp, const struct assembly_argument *argument, unsigned lane) {
    if (argument->literal) {
        return (uint64_t)argument->number;
    }
    return assembly_get(warp, &argument->operand, lane) + (uint64_t)argument->number;
}

static void count(struct warp *warp, const struct instr *in, const struct assembly *statement,
                  unsigned position, unsigned size, bool write) {
    uint64_t addresses[MAX_LANES] = {0};
    if (!warp->run->emulator->options.count) {
        return;
    }
    FOR_LANES(lane, warp->mask) {
        addresses[lane] = value_of(warp, &statement->arguments[position], lane);
    }
    memory_count(warp, in, addresses, warp->mask, statement->space, size, write);
}

void assembly_nothing(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)warp, (void)in, (void)statement;
}

void assembly_move(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    FOR_LANES(lane, warp->mask) {
        assembly_set(warp, &statement->arguments[0].operand, lane,
                     value_of(warp, &statement->arguments[1], lane));
    }
}

void assembly_load(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    unsigned bytes = statement->bits / 8, size = bytes * statement->vector;
    const struct assembly_argument *address = &statement->arguments[statement->vector];
    count(warp, in, statement, statement->vector, size, false);
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        uint8_t data[32];
        memory_read(warp, in, lane, value_of(warp, address, lane), statement->space, size, size, data);
        for (unsigned i = 0; i < statement->vector; i++) {
            uint64_t value = 0;
            memcpy(&value, data + i * bytes, bytes);
            if (statement->is_signed) {
                value = (uint64_t)((int64_t)(value << (64 - statement->bits)) >> (64 - statement->bits));
            }
            assembly_set(warp, &statement->arguments[i].operand, lane, value);
        }
    }
    publish_end(warp, in);
}

void assembly_store(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    unsigned bytes = statement->bits / 8, size = bytes * statement->vector;
    count(warp, in, statement, 0, size, true);
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        uint8_t data[32];
        for (unsigned i = 0; i < statement->vector; i++) {
            uint64_t value = value_of(warp, &statement->arguments[1 + i], lane);
            memcpy(data + i * bytes, &value, bytes);
        }
        memory_write(warp, in, lane, value_of(warp, &statement->arguments[0], lane), statement->space, size,
                     size, data);
    }
    publish_end(warp, in);
}

// A vector is as many atomics, one after another; its address must be aligned to all of it.
void assembly_atomic(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    unsigned first = statement->output_count ? statement->vector : 0;
    unsigned bytes = statement->shape.components * statement->shape.bits / 8u;
    bool exchange = statement->operation == ATOMIC_CAS;
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        uint64_t address = value_of(warp, &statement->arguments[first], lane);
        uint64_t compare = exchange ? value_of(warp, &statement->arguments[first + 1], lane) : 0;
        bool aligned = statement->vector == 1 ||
                       memory_place(warp, in, lane, address, statement->space, bytes * statement->vector,
                                    bytes * statement->vector, ACCESS_ATOMIC)
                           .data;
        for (unsigned i = 0; i < statement->vector && aligned; i++) {
            const struct assembly_argument *argument = &statement->arguments[first + (exchange ? 2 : 1) + i];
            uint64_t value = value_of(warp, argument, lane), old = 0;
            memory_atomic(warp, in, lane, address + i * bytes, statement->space, statement->operation,
                          statement->shape, &value, &compare, &old);
            if (first) {
                assembly_set(warp, &statement->arguments[i].operand, lane, old);
            }
        }
    }
    publish_end(warp, in);
}

// cp.async [shared], [global], size [, bytes to read]
void assembly_copy(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    unsigned size = (unsigned)statement->arguments[2].number, bytes[MAX_LANES];
    uint64_t addresses[MAX_LANES] = {0};
    lane_mask reading = 0;
    FOR_LANES(lane, warp->mask) {
        addresses[lane] = value_of(warp, &statement->arguments[1], lane);
        bytes[lane] = statement->count > 3 ? (unsigned)value_of(warp, &statement->arguments[3], lane) : size;
        reading |= (lane_mask)(bytes[lane] > 0) << lane;
    }
    memory_count(warp, in, addresses, reading, SPACE_GLOBAL, size, false);
    FOR_LANES(lane, warp->mask) {
        async_issue(warp, in, lane, addresses[lane], (uint32_t)value_of(warp, &statement->arguments[0], lane),
                    size, bytes[lane]);
    }
}

void assembly_commit(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)statement;
    exec_async_commit(warp, in, NULL);
}

void assembly_wait(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    struct instr wait = *in;
    wait.immediate = statement->immediate;
    exec_async_wait(warp, &wait, NULL);
}

static double number(const struct shape *shape, uint64_t bits) {
    switch (shape->kind) {
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

// NaNs are the one of the format, as NVIDIA's instructions return them.
static uint64_t bits_of(const struct shape *shape, double value) {
    if (isnan(value) && shape->kind != ELEMENT_DOUBLE) {
        return shape->kind == ELEMENT_FLOAT ? 0x7fffffff : 0x7fff;
    }
    switch (shape->kind) {
    case ELEMENT_HALF:
        return half_from_float(float_to_odd(value));
    case ELEMENT_BFLOAT:
        return bfloat_from_float(float_to_odd(value));
    case ELEMENT_FLOAT:
        return float_bits((float)value);
    default:
        return double_bits(value);
    }
}

static double flushed(const struct assembly *statement, double value) {
    bool small = statement->shape.kind == ELEMENT_FLOAT && fabs(value) < 0x1p-126;
    return statement->operation & MATH_FLUSH && small ? copysign(0, value) : value;
}

void assembly_unary(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    unsigned bits = statement->shape.bits;
    FOR_LANES(lane, warp->mask) {
        uint64_t from = value_of(warp, &statement->arguments[1], lane), result = 0;
        for (unsigned c = 0; c < statement->shape.components; c++) {
            double x = flushed(statement, number(&statement->shape, from >> c * bits));
            double y = math_unary((enum math_function)(statement->operation & 255), x);
            result |= bits_of(&statement->shape, flushed(statement, y)) << c * bits;
        }
        assembly_set(warp, &statement->arguments[0].operand, lane, result);
    }
}

void assembly_binary(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    unsigned bits = statement->shape.bits;
    FOR_LANES(lane, warp->mask) {
        uint64_t left = value_of(warp, &statement->arguments[1], lane), result = 0;
        uint64_t right = value_of(warp, &statement->arguments[2], lane);
        for (unsigned c = 0; c < statement->shape.components; c++) {
            double x = flushed(statement, number(&statement->shape, left >> c * bits));
            double y = flushed(statement, number(&statement->shape, right >> c * bits));
            double z = math_binary((enum math_function)(statement->operation & 255), x, y);
            result |= bits_of(&statement->shape, flushed(statement, z)) << c * bits;
        }
        assembly_set(warp, &statement->arguments[0].operand, lane, result);
    }
}

// Cache policies have no effect here.
void assembly_policy(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    FOR_LANES(lane, warp->mask) {
        assembly_set(warp, &statement->arguments[0].operand, lane, 0);
    }
}

void assembly_fma(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    FOR_LANES(lane, warp->mask) {
        float x[3];
        for (unsigned i = 0; i < 3; i++) {
            x[i] = float_from_bits((uint32_t)value_of(warp, &statement->arguments[1 + i], lane));
        }
        float y = fmaf(x[0], x[1], x[2]);
        if (statement->saturate) {
            y = y > 0 ? fminf(y, 1) : 0; // so is a NaN
        }
        assembly_set(warp, &statement->arguments[0].operand, lane,
                     bits_of(&(struct shape){.kind = ELEMENT_FLOAT}, y));
    }
}

// Each half of 64 bits by itself.
void assembly_pair(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    enum { HALF = 32 };
    unsigned count = statement->operation == PAIR_FMA ? 3 : 2;
    (void)in;
    FOR_LANES(lane, warp->mask) {
        uint64_t result = 0;
        for (unsigned half = 0; half < 2; half++) {
            float x[3] = {0};
            for (unsigned i = 0; i < count; i++) {
                x[i] = float_from_bits(
                    (uint32_t)(value_of(warp, &statement->arguments[1 + i], lane) >> half * HALF));
            }
            float made = statement->operation == PAIR_ADD        ? x[0] + x[1]
                         : statement->operation == PAIR_SUB      ? x[0] - x[1]
                         : statement->operation == PAIR_MULTIPLY ? x[0] * x[1]
                                                                 : fmaf(x[0], x[1], x[2]);
            result |= (uint64_t)float_bits(made) << half * HALF;
        }
        assembly_set(warp, &statement->arguments[0].operand, lane, result);
    }
}

void assembly_and(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    FOR_LANES(lane, warp->mask) {
        uint64_t both =
            value_of(warp, &statement->arguments[1], lane) & value_of(warp, &statement->arguments[2], lane);
        assembly_set(warp, &statement->arguments[0].operand, lane, both & 1);
    }
}

// Bit n of the table is the result where the operands' bits, the first one highest, make the number n.
void assembly_lop3(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    uint64_t table = (uint64_t)statement->arguments[4].number;
    FOR_LANES(lane, warp->mask) {
        uint64_t result = 0;
        for (unsigned n = 0; n < 8; n++) {
            uint64_t here = table >> n & 1 ? UINT32_MAX : 0;
            for (unsigned i = 0; i < 3; i++) {
                uint64_t operand = value_of(warp, &statement->arguments[1 + i], lane);
                here &= n >> (2 - i) & 1 ? operand : ~operand;
            }
            result |= here;
        }
        assembly_set(warp, &statement->arguments[0].operand, lane, result & UINT32_MAX);
    }
}

void assembly_xor(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    FOR_LANES(lane, warp->mask) {
        uint64_t x = value_of(warp, &statement->arguments[1], lane),
                 y = value_of(warp, &statement->arguments[2], lane);
        assembly_set(warp, &statement->arguments[0].operand, lane, x ^ y);
    }
}

// ---- conversions (PTX ISA, "cvt") ----

static double element_from(const char *type, uint64_t word, unsigned index) {
    if (!strncmp(type, "e4m3", 4)) {
        return float8_to_float((uint8_t)(word >> 8 * index), FLOAT8_E4M3);
    }
    if (!strncmp(type, "e5m2", 4)) {
        return float8_to_float((uint8_t)(word >> 8 * index), FLOAT8_E5M2);
    }
    if (!strncmp(type, "f16", 3)) {
        return half_to_float((uint16_t)(word >> 16 * index));
    }
    if (!strncmp(type, "bf16", 4)) {
        return bfloat_to_float((uint16_t)(word >> 16 * index));
    }
    return !strcmp(type, "f64") ? double_from_bits(word) : float_from_bits((uint32_t)word);
}

static uint16_t step_toward_zero(uint16_t nearest, double back, double value) {
    return fabs(back) > fabs(value) && isfinite(value) ? (uint16_t)(nearest - 1) : nearest;
}

static uint64_t element_to(const struct assembly *statement, double value) {
    const char *type = statement->to;
    if (isnan(value) && strcmp(type, "f64")) {
        return type[0] == 'e' ? 0x7f : strstr(type, "16") ? 0x7fff : 0x7fffffff;
    }
    float single = float_to_odd(value);
    if (!strncmp(type, "e4m3", 4)) {
        return float8_from_float(single, FLOAT8_E4M3, statement->saturate);
    }
    if (!strncmp(type, "e5m2", 4)) {
        return float8_from_float(single, FLOAT8_E5M2, statement->saturate);
    }
    if (!strncmp(type, "f16", 3)) {
        uint16_t half = half_from_float(single);
        return statement->toward_zero ? step_toward_zero(half, half_to_float(half), value) : half;
    }
    if (!strncmp(type, "bf16", 4)) {
        uint16_t brain = bfloat_from_float(single);
        return statement->toward_zero ? step_toward_zero(brain, bfloat_to_float(brain), value) : brain;
    }
    return !strcmp(type, "f64") ? double_bits(value) : float_bits((float)value);
}

// Packed results of two arguments take the first in the high half; of one packed argument, half by half.
void assembly_convert(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in;
    bool packed = strstr(statement->to, "x2") != NULL;
    unsigned bits = statement->to[0] == 'e' ? 8 : 16;
    FOR_LANES(lane, warp->mask) {
        uint64_t first = value_of(warp, &statement->arguments[1], lane), result;
        if (!strcmp(statement->to, "tf32")) { // a NaN is cut, not rounded
            float value = float_from_bits((uint32_t)first);
            result = statement->to_even ? float_bits(tf32_round_even(value))
                     : isnan(value)     ? first & 0xffffe000
                                        : float_bits(tf32_round(value));
        } else if (!packed) {
            result = element_to(statement, element_from(statement->from, first, 0));
        } else if (statement->count == 3) {
            uint64_t second = value_of(warp, &statement->arguments[2], lane);
            result = element_to(statement, element_from(statement->from, first, 0)) << bits |
                     element_to(statement, element_from(statement->from, second, 0));
        } else {
            result = element_to(statement, element_from(statement->from, first, 1)) << bits |
                     element_to(statement, element_from(statement->from, first, 0));
        }
        assembly_set(warp, &statement->arguments[0].operand, lane, result);
    }
}

// ---- barriers and matrices ----

void assembly_fence(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)statement;
    order_fence(warp, in, (LLVMAtomicOrdering)in->ordering, (enum scope)in->scope);
}

void assembly_wait_stores(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in, (void)statement;
    publish_complete(warp);
}

void assembly_warp_fence(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)in, (void)statement;
    warp_fence(warp);
}

static unsigned uniform(const struct warp *warp, const struct assembly *statement, unsigned index) {
    return (unsigned)value_of(warp, &statement->arguments[index], (unsigned)__builtin_ctzll(warp->mask));
}

void assembly_barrier(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    unsigned id = statement->count > 0 ? uniform(warp, statement, 0) : 0;
    unsigned threads =
        statement->count > 1 ? uniform(warp, statement, 1) : warp->run->block_warps * warp->lanes;
    unsigned expected = threads / warp->lanes;
    if (threads % warp->lanes) {
        report_at(warp, in, 0, FAULT_BARRIER, NULL, NULL, "barrier %u is for %u threads, not whole warps", id,
                  threads);
        warp->state = WARP_FAULT;
        return;
    }
    barrier_arrive(warp, in, id, expected, !statement->immediate);
}

void assembly_warp_sync(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    (void)statement;
    if (collective_check(warp, in, warp->full)) {
        warp_fence(warp);
    } else {
        warp->state = WARP_FAULT;
    }
}

// Calls an intrinsic's function with some of the statement's operands.
static void delegate(struct warp *warp, const struct instr *in, const struct assembly *statement,
                     exec_fn *exec, unsigned first) {
    struct operand operands[ASSEMBLY_ARGUMENTS];
    struct instr call = *in;
    for (unsigned i = first; i < statement->count; i++) {
        operands[i - first] = statement->arguments[i].operand;
    }
    call.operands = operands;
    call.operand_count = (uint16_t)(statement->count - first);
    call.immediate = statement->immediate;
    call.extra = statement->extra;
    // f16 accumulators may be declared as whole registers.
    call.variant = statement->output_count && statement->outputs[0].shape.components == 1;
    exec(warp, &call, statement->output_count ? warp->registers + statement->outputs[0].reg : NULL);
}

void assembly_mma(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    delegate(warp, in, statement, exec_mma, statement->groups[0]);
}

void assembly_ldmatrix(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    delegate(warp, in, statement, exec_ldmatrix, statement->groups[0]);
}

void assembly_stmatrix(struct warp *warp, const struct instr *in, const struct assembly *statement) {
    delegate(warp, in, statement, exec_stmatrix, 0);
}

// The outputs' fields are written lane by lane; a predicate narrows the lanes.
void exec_assembly(struct warp *warp, const struct instr *in, void *dst) {
    const struct assembly *statement = in->extra;
    (void)dst;
    for (unsigned i = 0; i < statement->output_count; i++) {
        if (statement->has_tied[i]) {
            FOR_LANES(lane, warp->mask) {
                assembly_set(warp, &statement->outputs[i], lane,
                             assembly_get(warp, &statement->tied[i], lane));
            }
        }
    }
    lane_mask mask = warp->mask;
    if (statement->has_predicate) {
        FOR_LANES(lane, mask) {
            if ((assembly_get(warp, &statement->predicate, lane) & 1) == statement->negated) {
                warp->mask &= ~((lane_mask)1 << lane);
            }
        }
    }
    if (warp->mask) {
        statement->run(warp, in, statement);
    }
    warp->mask = mask;
}
