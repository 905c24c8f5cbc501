// Integer operations as calls in the module: counts and permutations of bits, saturation, overflow.
#include "emulator/execute/execute.h"

static uint64_t load_bits(const struct warp *warp, const struct instr *in, unsigned index, uint32_t i) {
    const struct operand *from = &in->operands[index];
    const uint8_t *data = (const uint8_t *)warp->registers + from->reg;
    uint64_t value = 0;
    memcpy(&value, data + (size_t)i * from->shape.bytes, from->shape.bytes < 8 ? from->shape.bytes : 8);
    return value;
}

uint64_t reverse_bits(uint64_t value, unsigned bits) {
    uint64_t result = 0;
    for (unsigned i = 0; i < bits; i++) {
        result |= (value >> i & 1) << (bits - 1 - i);
    }
    return result;
}

static int64_t clamp(__int128 value, unsigned bits) {
    __int128 high = ((__int128)1 << (bits - 1)) - 1, low = -high - 1;
    return (int64_t)(value > high ? high : value < low ? low : value);
}

// prmt.b32, default mode (PTX ISA, "prmt"): four selectors of 4 bits; the top one replicates the byte's sign.
static uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t selectors) {
    uint64_t bytes = a | (uint64_t)b << 32;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = selectors >> 4 * i & 15;
        uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 0xff;
        if (selector & 8) {
            byte = byte & 0x80 ? 0xff : 0;
        }
        result |= byte << 8 * i;
    }
    return result;
}

// V_PERM_B32 (CDNA3 ISA): bytes 0–3 are the second operand's, 4–7 the first's; 8–11 signs, 12 zero, above
// 0xff.
uint32_t permute_bytes_amd(uint32_t a, uint32_t b, uint32_t selectors) {
    uint64_t bytes = b | (uint64_t)a << 32;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = selectors >> 8 * i & 255;
        uint32_t byte = 0xff;
        if (selector < 8) {
            byte = (uint32_t)(bytes >> 8 * selector) & 0xff;
        } else if (selector < 12) {
            byte = bytes >> (16 * (selector - 8) + 15) & 1 ? 0xff : 0;
        } else if (selector == 12) {
            byte = 0;
        }
        result |= byte << 8 * i;
    }
    return result;
}

static uint64_t bits_function(enum bit_function function, uint64_t x, uint64_t y, uint64_t z, unsigned bits) {
    unsigned extend = 64 - bits;
    int64_t sx = (int64_t)(x << extend) >> extend, sy = (int64_t)(y << extend) >> extend;
    switch (function) {
    case BITS_POPULATION:
        return (uint64_t)__builtin_popcountll(x);
    case BITS_LEADING:
        return x ? (uint64_t)__builtin_clzll(x) - extend : bits;
    case BITS_TRAILING:
        return x ? (uint64_t)__builtin_ctzll(x) : bits;
    case BITS_REVERSE:
        return reverse_bits(x, bits);
    case BITS_SWAP:
        return __builtin_bswap64(x) >> extend;
    case BITS_ABS:
        return sx < 0 ? 0 - (uint64_t)sx : (uint64_t)sx;
    case BITS_SMIN:
        return (uint64_t)(sx < sy ? sx : sy);
    case BITS_SMAX:
        return (uint64_t)(sx > sy ? sx : sy);
    case BITS_UMIN:
        return x < y ? x : y;
    case BITS_UMAX:
        return x > y ? x : y;
    case BITS_FUNNEL_LEFT:
        z %= bits;
        return z ? x << z | y >> (bits - z) : x;
    case BITS_FUNNEL_RIGHT:
        z %= bits;
        return z ? x << (bits - z) | y >> z : y;
    case BITS_MULTIPLY_HIGH:
        return (uint64_t)((__int128)sx * sy >> bits);
    case BITS_MULTIPLY_HIGH_UNSIGNED:
        return (uint64_t)((unsigned __int128)x * y >> bits);
    case BITS_SADD_SAT:
        return (uint64_t)clamp((__int128)sx + sy, bits);
    case BITS_SSUB_SAT:
        return (uint64_t)clamp((__int128)sx - sy, bits);
    case BITS_UADD_SAT: {
        unsigned __int128 sum = (unsigned __int128)x + y;
        return sum >> bits ? ~(uint64_t)0 : (uint64_t)sum;
    }
    case BITS_USUB_SAT:
        return x > y ? x - y : 0;
    case BITS_PERMUTE:
        return permute_bytes((uint32_t)x, (uint32_t)y, (uint32_t)z);
    case BITS_PERMUTE_AMD:
        return permute_bytes_amd((uint32_t)x, (uint32_t)y, (uint32_t)z);
    case BITS_FIND_SIGN:
        return sx < 0 ? ~x : x;
    case BITS_EXTRACT_UNSIGNED:
        y &= bits - 1, z &= bits - 1;
        return z == 0 ? 0 : x >> y & (((uint64_t)1 << z) - 1);
    case BITS_EXTRACT_SIGNED:
        y &= bits - 1, z &= bits - 1;
        return z == 0 ? 0 : (uint64_t)((int64_t)(x >> y << (64 - z)) >> (64 - z));
    case BITS_MULTIPLY_24:
        return (uint64_t)(((int64_t)(x << 40) >> 40) * ((int64_t)(y << 40) >> 40));
    case BITS_MULTIPLY_24_UNSIGNED:
        return (x & 0xffffff) * (y & 0xffffff);
    default:
        return x;
    }
}

void exec_bits(struct warp *warp, const struct instr *in, void *dst) {
    uint64_t keep = in->bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << in->bits) - 1;
    for (uint32_t i = 0; i < in->total; i++) {
        uint64_t x = load_bits(warp, in, 0, i);
        uint64_t y =
            in->operand_count > 1
                ? load_bits(warp, in, 1,
                            in->operands[1].shape.components == 1 && in->components > 1 ? i % warp->lanes : i)
                : 0;
        uint64_t z = in->operand_count > 2 ? load_bits(warp, in, 2, i) : 0;
        uint64_t result = bits_function((enum bit_function)in->immediate, x, y, z, in->source_bits) & keep;
        memcpy((uint8_t *)dst + (size_t)i * in->bytes, &result, in->bytes);
    }
}

// llvm.{s,u}{add,sub,mul}.with.overflow: {result, overflowed}. immediate: bit 0 signed; 0, 2, 4: add, sub,
// mul.
void exec_overflow(struct warp *warp, const struct instr *in, void *dst) {
    unsigned bits = in->source_bits, bytes = in->source_bytes, extend = 64 - bits;
    uint64_t keep = bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    uint8_t *flags = (uint8_t *)dst + ((size_t)warp->lanes * bytes + 63) / 64 * 64;
    FOR_LANES(lane, warp->mask) {
        uint64_t x = load_bits(warp, in, 0, lane), y = load_bits(warp, in, 1, lane);
        bool is_signed = in->immediate & 1;
        __int128 a = is_signed ? (int64_t)(x << extend) >> extend : (__int128)x;
        __int128 b = is_signed ? (int64_t)(y << extend) >> extend : (__int128)y;
        __int128 exact = in->immediate < 2 ? a + b : in->immediate < 4 ? a - b : a * b;
        uint64_t result = (uint64_t)exact & keep;
        __int128 back = is_signed ? (int64_t)(result << extend) >> extend : (__int128)result;
        memcpy((uint8_t *)dst + (size_t)lane * bytes, &result, bytes);
        flags[lane] = back != exact;
    }
}
