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
