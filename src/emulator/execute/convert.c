// Conversions between element types, repacking, vector shuffles and address arithmetic.
#include "emulator/execute/execute.h"
#include "emulator/number/number.h"

#define CONVERT_LOOP(T, U)                                                                                   \
    {                                                                                                        \
        const T *restrict a = from;                                                                          \
        U *restrict d = dst;                                                                                 \
        for (uint32_t i = 0; i < in->total; i++)                                                             \
            d[i] = (U)a[i] & (U)keep;                                                                        \
        break;                                                                                               \
    }
#define CONVERT_TO(T)                                                                                        \
    switch (in->bytes) {                                                                                     \
    case 1:                                                                                                  \
        CONVERT_LOOP(T, uint8_t)                                                                             \
    case 2:                                                                                                  \
        CONVERT_LOOP(T, uint16_t)                                                                            \
    case 4:                                                                                                  \
        CONVERT_LOOP(T, uint32_t)                                                                            \
    case 8:                                                                                                  \
        CONVERT_LOOP(T, uint64_t)                                                                            \
    case 16:                                                                                                 \
        CONVERT_LOOP(T, unsigned __int128)                                                                   \
    default:                                                                                                 \
        break;                                                                                               \
    }                                                                                                        \
    break

static uint64_t element_unsigned(const void *data, unsigned bytes, uint32_t index) {
    switch (bytes) {
    case 1:
        return ((const uint8_t *)data)[index];
    case 2:
        return ((const uint16_t *)data)[index];
    case 4:
        return ((const uint32_t *)data)[index];
    default:
        return ((const uint64_t *)data)[index * (bytes / 8)];
    }
}
static int64_t element_signed(const void *data, unsigned bytes, unsigned bits, uint32_t index) {
    uint64_t value = element_unsigned(data, bytes, index);
    return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

// trunc, zext, sext, ptrtoint, inttoptr
void exec_convert_integer(struct warp *warp, const struct instr *in, void *dst) {
    const void *from = source(warp, in, 0);
    unsigned __int128 keep = in->bits >= 128 ? ~(unsigned __int128)0 : ((unsigned __int128)1 << in->bits) - 1;
    if (in->variant == LLVMSExt && in->source_bits != in->source_bytes * 8) {
        for (uint32_t i = 0; i < in->total; i++) {
            unsigned __int128 value =
                (unsigned __int128)(__int128)element_signed(from, in->source_bytes, in->source_bits, i) &
                keep;
            memcpy((uint8_t *)dst + (size_t)i * in->bytes, &value, in->bytes);
        }
        return;
    }
    bool is_signed = in->variant == LLVMSExt;
    switch (in->source_bytes * 2 + is_signed) {
    case 2:
        CONVERT_TO(uint8_t);
    case 3:
        CONVERT_TO(int8_t);
    case 4:
        CONVERT_TO(uint16_t);
    case 5:
        CONVERT_TO(int16_t);
    case 8:
        CONVERT_TO(uint32_t);
    case 9:
        CONVERT_TO(int32_t);
    case 16:
        CONVERT_TO(uint64_t);
    case 17:
        CONVERT_TO(int64_t);
    default:
        CONVERT_TO(unsigned __int128);
    }
}

double element_load(const void *data, unsigned element, uint32_t index) {
    switch (element) {
    case ELEMENT_HALF:
        return half_to_float(((const uint16_t *)data)[index]);
    case ELEMENT_BFLOAT:
        return bfloat_to_float(((const uint16_t *)data)[index]);
    case ELEMENT_FLOAT:
        return ((const float *)data)[index];
    default:
        return ((const double *)data)[index];
    }
}

void element_store(void *data, unsigned element, uint32_t index, double value) {
    switch (element) {
    case ELEMENT_HALF:
        ((uint16_t *)data)[index] = half_from_float(float_to_odd(value));
        return;
    case ELEMENT_BFLOAT:
        ((uint16_t *)data)[index] = bfloat_from_float(float_to_odd(value));
        return;
    case ELEMENT_FLOAT:
        ((float *)data)[index] = (float)value;
        return;
    default:
        ((double *)data)[index] = value;
    }
}

void exec_float_to_float(struct warp *warp, const struct instr *in, void *dst) {
    const void *from = source(warp, in, 0);
    if (in->source_element == ELEMENT_HALF && in->element == ELEMENT_FLOAT) {
        for (uint32_t i = 0; i < in->total; i++) {
            ((float *)dst)[i] = half_to_float(((const uint16_t *)from)[i]);
        }
    } else if (in->source_element == ELEMENT_FLOAT && in->element == ELEMENT_HALF) {
        for (uint32_t i = 0; i < in->total; i++) {
            ((uint16_t *)dst)[i] = half_from_float(((const float *)from)[i]);
        }
    } else {
        for (uint32_t i = 0; i < in->total; i++) {
            element_store(dst, in->element, i, element_load(from, in->source_element, i));
        }
    }
    if (in->source_element !=
        ELEMENT_DOUBLE) { // from double a NaN keeps its sign and the high bits of its payload
        canonical_nans(warp, in, dst);
    }
}

// Converts to an integer of `width` bits, saturated, and keeps the low bits of the result.
static void to_integer(const struct warp *warp, const struct instr *in, void *dst, unsigned width,
                       bool is_signed, uint64_t of_nan) {
    const void *from = source(warp, in, 0);
    double low = is_signed ? -ldexp(1, (int)width - 1) : 0, high = ldexp(1, (int)width - is_signed);
    uint64_t most = width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
    uint64_t keep = in->bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << in->bits) - 1;
    for (uint32_t i = 0; i < in->total; i++) {
        double value = trunc(element_load(from, in->source_element, i));
        uint64_t result;
        if (isnan(value)) {
            result = of_nan;
        } else if (value < low) {
            result = (uint64_t)(int64_t)low;
        } else if (value >= high) {
            result = is_signed ? most >> 1 : most;
        } else {
            result = is_signed ? (uint64_t)(int64_t)value : (uint64_t)value;
        }
        unsigned __int128 wide = result & keep;
        memcpy((uint8_t *)dst + (size_t)i * in->bytes, &wide, in->bytes);
    }
}

// Float to integer. The chip converts to 16 bits at least (AMD, except from f16: 32), and the low bits are
// kept. Bytes convert as signed. NaN gives 0; on NVIDIA, to or from 64 bits, it gives the highest bit.
void exec_float_to_integer(struct warp *warp, const struct instr *in, void *dst) {
    bool amd = warp->run->emulator->amd, is_signed = in->variant == LLVMFPToSI || in->bits <= 8;
    unsigned least = amd && in->source_element != ELEMENT_HALF ? 32 : 16;
    unsigned bits = in->bits > 64 ? 64 : in->bits, width = bits > least ? bits : least;
    bool highest = !amd && (in->source_element == ELEMENT_DOUBLE || width == 64);
    to_integer(warp, in, dst, width, is_signed, highest ? (uint64_t)1 << (width - 1) : 0);
}

void exec_to_integer_sat(struct warp *warp, const struct instr *in, void *dst) {
    to_integer(warp, in, dst, in->bits > 64 ? 64 : in->bits, in->immediate == LLVMFPToSI, 0);
}

void exec_integer_to_float(struct warp *warp, const struct instr *in, void *dst) {
    const void *from = source(warp, in, 0);
    bool is_signed = in->variant == LLVMSIToFP;
    for (uint32_t i = 0; i < in->total; i++) {
        int64_t value = element_signed(from, in->source_bytes, in->source_bits, i);
        uint64_t magnitude = element_unsigned(from, in->source_bytes, i);
        if (in->element == ELEMENT_FLOAT) {
            ((float *)dst)[i] = is_signed ? (float)value : (float)magnitude;
        } else if (in->element == ELEMENT_DOUBLE) {
            ((double *)dst)[i] = is_signed ? (double)value : (double)magnitude;
        } else {
            // To odd before the last rounding: bits below 2^-20 of a 64-bit integer are gathered into one.
            bool negative = is_signed && value < 0;
            uint64_t size = negative ? 0 - (uint64_t)value : is_signed ? (uint64_t)value : magnitude;
            if (size >> 40) {
                size = (size & ~(uint64_t)0xffff) | ((size & 0xffff) != 0 ? 0x8000 : 0);
            }
            element_store(dst, in->element, i, negative ? -(double)size : (double)size);
        }
    }
}

// A bitcast with another number of elements: each lane's elements are laid out in memory order and read
// again.
void exec_repack(struct warp *warp, const struct instr *in, void *dst) {
    const uint8_t *from = source(warp, in, 0);
    unsigned lanes = warp->lanes, sources = in->operand_count;
    if (in->bytes == 4 && in->source_bytes == 2 && in->source_bits == 16) {
        const uint16_t *a = (const uint16_t *)from;
        for (unsigned c = 0; c < in->components; c++) {
            for (unsigned lane = 0; lane < lanes; lane++) {
                ((uint32_t *)dst)[c * lanes + lane] =
                    a[2 * c * lanes + lane] | (uint32_t)a[(2 * c + 1) * lanes + lane] << 16;
            }
        }
        return;
    }
    if (in->bytes == 2 && in->bits == 16 && in->source_bytes == 4) {
        const uint32_t *a = (const uint32_t *)from;
        for (unsigned c = 0; c < in->components; c++) {
            for (unsigned lane = 0; lane < lanes; lane++) {
                ((uint16_t *)dst)[c * lanes + lane] = (uint16_t)(a[c / 2 * lanes + lane] >> (c & 1) * 16);
            }
        }
        return;
    }
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint8_t bytes[1024] = {0};
        bool packed_bits = in->bits % 8 || in->source_bits % 8; // <n x i1> and the like: bit by bit
        for (unsigned c = 0; c < sources && !packed_bits; c++) {
            memcpy(bytes + c * (in->source_bits / 8), from + ((size_t)c * lanes + lane) * in->source_bytes,
                   in->source_bits / 8);
        }
        for (unsigned c = 0; c < sources && packed_bits; c++) {
            uint64_t value = element_unsigned(from, in->source_bytes, c * lanes + lane);
            for (unsigned bit = 0; bit < in->source_bits; bit++) {
                unsigned at = c * in->source_bits + bit;
                bytes[at / 8] |= (uint8_t)((value >> bit & 1) << at % 8);
            }
        }
        for (unsigned c = 0; c < in->components; c++) {
            uint8_t element[16] = {0};
            if (!packed_bits) {
                memcpy(element, bytes + c * (in->bits / 8), in->bits / 8);
            } else {
                for (unsigned bit = 0; bit < in->bits; bit++) {
                    unsigned at = c * in->bits + bit;
                    element[bit / 8] |= (uint8_t)((bytes[at / 8] >> at % 8 & 1) << bit % 8);
                }
            }
            memcpy((uint8_t *)dst + ((size_t)c * lanes + lane) * in->bytes, element, in->bytes);
        }
    }
}

void exec_pointer_offset(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *from = source(warp, in, 0);
    for (uint32_t i = 0; i < in->total; i++) {
        ((uint64_t *)dst)[i] = from[i] + (uint64_t)in->immediate;
    }
}

static void narrow(const struct instr *in, uint64_t *d) {
    if (in->align == 32) {
        for (uint32_t i = 0; i < in->total; i++) {
            d[i] &= 0xffffffff;
        }
    }
}

void exec_gep_constant(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *base = source(warp, in, 0);
    uint64_t *d = dst;
    for (uint32_t i = 0; i < in->total; i++) {
        d[i] = base[i] + (uint64_t)in->immediate;
    }
    narrow(in, d);
}

void exec_gep(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *base = source(warp, in, 0);
    const void *index = source(warp, in, 1);
    uint64_t scale = (uint64_t)(uintptr_t)in->extra, add = (uint64_t)in->immediate;
    uint64_t *d = dst;
    if (in->source_bits == 32) {
        for (uint32_t i = 0; i < in->total; i++) {
            d[i] = base[i] + (uint64_t)(int64_t)((const int32_t *)index)[i] * scale + add;
        }
    } else if (in->source_bits == 64) {
        for (uint32_t i = 0; i < in->total; i++) {
            d[i] = base[i] + ((const uint64_t *)index)[i] * scale + add;
        }
    } else {
        for (uint32_t i = 0; i < in->total; i++) {
            d[i] =
                base[i] + (uint64_t)element_signed(index, in->source_bytes, in->source_bits, i) * scale + add;
        }
    }
    narrow(in, d);
}

void exec_move(struct warp *warp, const struct instr *in, void *dst) {
    memcpy(dst, source(warp, in, 0), (size_t)in->total * in->bytes);
}

// Vector insertion: the whole vector is copied, then one element of each lane replaced.
void exec_insert(struct warp *warp, const struct instr *in, void *dst) {
    memcpy(dst, source(warp, in, 0), (size_t)in->total * in->bytes);
    if ((uint64_t)in->immediate < in->components) {
        memcpy((uint8_t *)dst + (size_t)in->immediate * warp->lanes * in->bytes, source(warp, in, 1),
               (size_t)warp->lanes * in->bytes);
    }
}

void exec_insert_dynamic(struct warp *warp, const struct instr *in, void *dst) {
    const uint8_t *value = source(warp, in, 1);
    const void *index = source(warp, in, 2);
    memcpy(dst, source(warp, in, 0), (size_t)in->total * in->bytes);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint64_t at = element_unsigned(index, in->source_bytes, lane);
        if (at < in->components) {
            memcpy((uint8_t *)dst + (at * warp->lanes + lane) * in->bytes, value + (size_t)lane * in->bytes,
                   in->bytes);
        }
    }
}

void exec_extract_dynamic(struct warp *warp, const struct instr *in, void *dst) {
    const uint8_t *vector = source(warp, in, 0);
    const void *index = source(warp, in, 1);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint64_t at = element_unsigned(index, in->source_bytes, lane);
        at = at < (uint64_t)in->immediate ? at : 0;
        memcpy((uint8_t *)dst + (size_t)lane * in->bytes, vector + (at * warp->lanes + lane) * in->bytes,
               in->bytes);
    }
}

void exec_shuffle_vector(struct warp *warp, const struct instr *in, void *dst) {
    const int *mask = in->extra;
    size_t row = (size_t)warp->lanes * in->bytes;
    const uint8_t *first = source(warp, in, 0), *second = source(warp, in, 1);
    for (unsigned c = 0; c < in->components; c++) {
        uint8_t *to = (uint8_t *)dst + c * row;
        if (mask[c] < 0) {
            memset(to, 0, row);
        } else if (mask[c] < in->immediate) {
            memcpy(to, first + (size_t)mask[c] * row, row);
        } else {
            memcpy(to, second + (size_t)(mask[c] - in->immediate) * row, row);
        }
    }
}

void exec_nothing(struct warp *warp, const struct instr *in, void *dst) {
    (void)warp, (void)in, (void)dst;
}
