// AMD's buffer resources: a base address and a size. Raw accesses beyond the size read zeros and write
// nothing (CDNA3 ISA, "Memory Buffer Instructions", raw buffers, stride 0). The kernel may rely on this, so
// it is not reported; accesses inside the resource must still be inside the argument.
#include "emulator/amd/amd.h"

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

struct resource {
    uint64_t base;
    uint32_t size, flags;
};

// make.buffer.rsrc(pointer, stride, bytes, flags)
void exec_make_resource(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *base = operand(warp, in, 0);
    const uint16_t *stride = operand(warp, in, 1);
    const void *size = operand(warp, in, 2);
    bool wide = in->operands[2].shape.bits == 64; // LLVM 22's; the descriptor holds 32 bits of it
    const uint32_t *flags = operand(warp, in, 3);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        if (stride[lane] && (warp->mask >> lane & 1)) {
            report_at(warp, in, lane, FAULT_OPERATION, NULL, NULL,
                      "buffer resources with a stride are not supported");
        }
        ((struct resource *)dst)[lane] = (struct resource){
            base[lane], wide ? (uint32_t)((const uint64_t *)size)[lane] : ((const uint32_t *)size)[lane],
            flags[lane]};
    }
}

static const struct resource *resource_of(struct warp *warp, const struct instr *in, unsigned index) {
    return operand(warp, in, index);
}

// raw.ptr.buffer.load(resource, offset, scalar offset, auxiliary)
void exec_buffer_load(struct warp *warp, const struct instr *in, void *dst) {
    const struct resource *resource = resource_of(warp, in, 0);
    const uint32_t *offset = operand(warp, in, 1), *scalar = operand(warp, in, 2);
    unsigned size = (unsigned)in->components * in->bytes;
    uint64_t addresses[MAX_LANES] = {0};
    lane_mask inside = 0;
    FOR_LANES(lane, warp->mask) {
        uint8_t data[64] = {0};
        uint64_t at = (uint64_t)offset[lane] + scalar[lane];
        addresses[lane] = resource[lane].base + at;
        if (at + size <= resource[lane].size) {
            inside |= (lane_mask)1 << lane;
            memory_read(warp, in, lane, addresses[lane], SPACE_GLOBAL, size, in->bytes < 4 ? in->bytes : 4,
                        data);
        }
        for (unsigned c = 0; c < in->components; c++) {
            memcpy((uint8_t *)dst + ((size_t)c * warp->lanes + lane) * in->bytes, data + c * in->bytes,
                   in->bytes);
        }
    }
    memory_count(warp, in, addresses, inside, SPACE_GLOBAL, size, false);
}

// raw.ptr.buffer.store(value, resource, offset, scalar offset, auxiliary)
void exec_buffer_store(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct resource *resource = resource_of(warp, in, 1);
    const uint8_t *value = operand(warp, in, 0);
    const uint32_t *offset = operand(warp, in, 2), *scalar = operand(warp, in, 3);
    const struct shape *shape = &in->operands[0].shape;
    unsigned size = (unsigned)shape->components * shape->bytes;
    uint64_t addresses[MAX_LANES] = {0};
    lane_mask inside = 0;
    FOR_LANES(lane, warp->mask) {
        uint8_t data[64];
        uint64_t at = (uint64_t)offset[lane] + scalar[lane];
        addresses[lane] = resource[lane].base + at;
        if (at + size > resource[lane].size) {
            continue;
        }
        inside |= (lane_mask)1 << lane;
        for (unsigned c = 0; c < shape->components; c++) {
            memcpy(data + c * shape->bytes, value + ((size_t)c * warp->lanes + lane) * shape->bytes,
                   shape->bytes);
        }
        memory_write(warp, in, lane, addresses[lane], SPACE_GLOBAL, size, shape->bytes < 4 ? shape->bytes : 4,
                     data);
    }
    memory_count(warp, in, addresses, inside, SPACE_GLOBAL, size, true);
}

// ---- copies to LDS ----

void amd_copy_to_lds(struct warp *warp, const struct instr *in, const uint64_t addresses[], lane_mask outside,
                     uint32_t target, unsigned bytes) {
    memory_count(warp, in, addresses, warp->mask & ~outside, SPACE_GLOBAL, bytes, false);
    FOR_LANES(lane, warp->mask) {
        async_issue(warp, in, lane, addresses[lane], target + lane * bytes, bytes,
                    outside >> lane & 1 ? 0 : bytes);
    }
    async_close(warp);
}

// The first lane's address in LDS is the wave's.
static uint32_t target_of(struct warp *warp, const struct instr *in, unsigned index) {
    const uint8_t *at = operand(warp, in, index);
    unsigned size = in->operands[index].shape.bytes;
    uint32_t target = 0, other;
    bool first = true;
    FOR_LANES(lane, warp->mask) {
        memcpy(&other, at + (size_t)lane * size, sizeof other);
        if (!first && other != target) {
            report_at(warp, in, lane, FAULT_OPERATION, NULL, NULL,
                      "the lanes of a copy to LDS have different addresses there");
            return target;
        }
        target = other;
        first = false;
    }
    return target;
}

// raw.ptr.buffer.load.lds(resource, target, bytes, offset, scalar offset, offset of both, auxiliary)
void exec_buffer_copy(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct resource *resource = resource_of(warp, in, 0);
    const uint32_t *offset = operand(warp, in, 3), *scalar = operand(warp, in, 4);
    unsigned bytes = (unsigned)in->operands[2].constant;
    uint32_t both = (uint32_t)in->operands[5].constant;
    uint64_t addresses[MAX_LANES] = {0};
    lane_mask outside = 0;
    FOR_LANES(lane, warp->mask) {
        uint64_t at = (uint64_t)offset[lane] + scalar[lane] + both;
        addresses[lane] = resource[lane].base + at;
        outside |= at + bytes > resource[lane].size ? (lane_mask)1 << lane : 0;
    }
    amd_copy_to_lds(warp, in, addresses, outside, target_of(warp, in, 1) + both, bytes);
}

// global.load.lds(source, target, bytes, offset of both, auxiliary)
void exec_global_copy(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const uint64_t *source = operand(warp, in, 0);
    unsigned bytes = (unsigned)in->operands[2].constant;
    uint32_t both = (uint32_t)in->operands[3].constant;
    uint64_t addresses[MAX_LANES] = {0};
    FOR_LANES(lane, warp->mask) {
        addresses[lane] = source[lane] + (uint64_t)(int64_t)(int32_t)both;
    }
    amd_copy_to_lds(warp, in, addresses, 0, target_of(warp, in, 1) + both, bytes);
}
