// Values between lanes: reads and writes of one lane, permutations through the LDS crossbar and between rows. And between two
// registers of each lane.
//
// CDNA3 ISA 12.8 (V_READFIRSTLANE_B32, V_SWAP_B32), 12.12 (V_READLANE_B32, V_WRITELANE_B32), 12.16 (DS_BPERMUTE_B32, DS_PERMUTE_B32,
// DS_SWIZZLE_B32); RDNA3 ISA 16.12 (V_PERMLANE16_B32, V_PERMLANEX16_B32), 16.8 (V_PERMLANE64_B32).
#include "emulator/amdgcn/amdgcn.h"

#include "emulator/amd/amd.h"
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

static unsigned first_active(const struct warp *warp) {
    return warp->mask ? (unsigned)__builtin_ctzll(warp->mask) : 0;
}

static uint32_t lane_value(const struct warp *warp, const struct gcn_operand *operand, unsigned lane) {
    return operand->kind == OPERAND_VECTOR ? row_of(warp, operand->reg)[lane] : scalar_read(warp, operand);
}

static void run_read_first(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    scalar_write(warp, &gcn->operands[0], lane_value(warp, &gcn->operands[1], first_active(warp)), false);
}

static void run_read_lane(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    unsigned lane = scalar_read(warp, &gcn->operands[2]) % warp->lanes;
    scalar_write(warp, &gcn->operands[0], lane_value(warp, &gcn->operands[1], lane), false);
}

// Writes one lane, regardless of EXEC.
static void run_write_lane(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    unsigned lane = scalar_read(warp, &gcn->operands[2]) % warp->lanes;
    row_of(warp, gcn->operands[0].reg)[lane] = scalar_read(warp, &gcn->operands[1]);
}

static void put(struct warp *warp, const struct instr *in, const uint32_t *result) {
    const struct gcn *gcn = in->extra;
    uint32_t *to = row_of(warp, gcn->operands[0].reg);
    FOR_LANES(lane, warp->mask) {
        to[lane] = result[lane];
    }
}

// Through LDS's crossbar, and counted as it is; inactive lanes give 0.
static void run_bpermute(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const uint32_t *address = row_of(warp, gcn->operands[1].reg), *value = row_of(warp, gcn->operands[2].reg);
    uint32_t result[MAX_LANES];
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        unsigned from = (address[lane] + (uint32_t)gcn->offset) / 4 % warp->lanes;
        result[lane] = warp->mask >> from & 1 ? value[from] : 0;
    }
    put(warp, in, result);
    wave_issue(warp, in, COUNTER_LDS, &gcn->operands[0], false);
}

static void run_permute(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const uint32_t *address = row_of(warp, gcn->operands[1].reg), *value = row_of(warp, gcn->operands[2].reg);
    uint32_t result[MAX_LANES] = {0};
    FOR_LANES(lane, warp->mask) {
        result[(address[lane] + (uint32_t)gcn->offset) / 4 % warp->lanes] = value[lane];
    }
    put(warp, in, result);
    wave_issue(warp, in, COUNTER_LDS, &gcn->operands[0], false);
}

static void run_swizzle(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const uint32_t *value = row_of(warp, gcn->operands[1].reg);
    unsigned pattern = (unsigned)gcn->immediate;
    uint32_t result[MAX_LANES];
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        unsigned from = pattern & 0x8000
                            ? (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3)
                            : (lane & ~31u) | ((((lane & 31) & (pattern & 31)) | (pattern >> 5 & 31)) ^
                                               (pattern >> 10 & 31));
        result[lane] = warp->mask >> from & 1 ? value[from] : 0;
    }
    put(warp, in, result);
    wave_issue(warp, in, COUNTER_LDS, &gcn->operands[0], false);
}

// immediate: 0 within a row of 16, 1 from the other row of a pair, 2 the other half of the wave
static void run_permlane(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const uint32_t *value = row_of(warp, gcn->operands[1].reg);
    uint32_t result[MAX_LANES];
    uint64_t select = gcn->immediate == 2 ? 0
                                          : scalar_read(warp, &gcn->operands[2]) |
                                                (uint64_t)scalar_read(warp, &gcn->operands[3]) << 32;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        unsigned row = lane & ~15u, from = (lane ^ 32) % warp->lanes;
        if (gcn->immediate < 2) {
            from = (gcn->immediate ? row ^ 16 : row) | (unsigned)(select >> 4 * (lane & 15) & 15);
        }
        bool there = warp->mask >> from & 1 || gcn->fetch_inactive || gcn->immediate == 2;
        result[lane] = there                ? value[from]
                       : gcn->bound_control ? 0
                                            : row_of(warp, gcn->operands[0].reg)[lane];
    }
    put(warp, in, result);
}

static void run_swap(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    uint32_t *a = row_of(warp, gcn->operands[0].reg), *b = row_of(warp, gcn->operands[1].reg);
    FOR_LANES(lane, warp->mask) {
        uint32_t kept = a[lane];
        a[lane] = b[lane];
        b[lane] = kept;
    }
}

static void run_permlane_swap(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    if (warp->mask != mask_of(warp->lanes)) {
        report_at(warp, in, 0, FAULT_OPERATION, NULL, NULL,
                  "lanes exchange words, and not all of them are active");
    }
    amd_swap_rows(row_of(warp, gcn->operands[0].reg), row_of(warp, gcn->operands[1].reg), warp->lanes,
                  (unsigned)gcn->immediate);
}

bool bind_lanes(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in, struct gcn *gcn) {
    static const struct {
        const char *name;
        exec_fn *run;
        uint8_t operands, immediate;
        bool lds;
    } rows[] = {
        {"v_readfirstlane_b32", run_read_first, 2, 0, false},
        {"v_readlane_b32", run_read_lane, 3, 0, false},
        {"v_writelane_b32", run_write_lane, 3, 0, false},
        {"ds_bpermute_b32", run_bpermute, 3, 0, true},
        {"ds_permute_b32", run_permute, 3, 0, true},
        {"ds_swizzle_b32", run_swizzle, 2, 0, true},
        {"v_permlane16_b32", run_permlane, 4, 0, false},
        {"v_permlanex16_b32", run_permlane, 4, 1, false},
        {"v_permlane64_b32", run_permlane, 2, 2, false},
        {"v_swap_b32", run_swap, 2, 0, false},
        {"v_permlane16_swap_b32", run_permlane_swap, 2, 16, false},
        {"v_permlane32_swap_b32", run_permlane_swap, 2, 32, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, text->name) != 0) {
            continue;
        }
        gcn->run = rows[i].run;
        gcn->immediate = rows[i].immediate;
        gcn->loads = rows[i].lds;
        gcn->counter = COUNTER_LDS;
        gcn->operand_count = rows[i].operands;
        in->kind = KIND_SHUFFLE;
        for (unsigned j = 0; j < rows[i].operands; j++) {
            if (!text_operand(text->operands[j], &gcn->operands[j])) {
                return gcn_refuse(decoder, "operand `%s` is not understood", text->operands[j]);
            }
            gcn->operands[j].bits = (uint64_t)gcn->operands[j].integer;
        }
        if (rows[i].run == run_swizzle) {
            gcn->immediate = decoder->bytes[0] | (unsigned)decoder->bytes[1] << 8; // the offset field
            if (gcn->immediate >= 0xc000) {
                return gcn_refuse(decoder, "this swizzle is not modelled");
            }
        }
        int64_t offset = 0;
        if (rows[i].lds && rows[i].run != run_swizzle && text_value(text, "offset", &offset)) {
            gcn->offset = (int32_t)offset;
        }
        unsigned flags = text_bits(text, "op_sel", 0);
        gcn->fetch_inactive = flags & 1;
        gcn->bound_control = flags >> 1 & 1;
        return true;
    }
    return false;
}
