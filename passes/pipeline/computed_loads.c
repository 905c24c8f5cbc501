// Loads with arithmetic between them and their dot, for loops without registers to hold the loaded tiles.
//
//   for …: g = tl.load(p)                  [128 x 64 f32]      →      copies of the next g's start
//          s = tl.dot(a, (b * exp2(g)).to(b.dtype), s)                g = tk.smem_load %slot
//
// If threads have registers for a load, it runs one iteration ahead (next_step.c). Without registers each
// iteration would wait for the load, with the whole tile in registers at once. Instead the tile is copied to
// shared memory like an operand and read next to its arithmetic, by the threads that copied it, 16 bytes at a
// time.
//
// Tiles behind a computed operand of the loop's one dot (packed words, and the row of their zeros) are copied on sm_90, if shared memory
// has room for all of them, whatever the registers: one iteration is shorter than a load, and a kernel of few rows has few other blocks to hide it.
// Rows of less than a sector are not:
// a copy writes each row by itself (H200, AWQ, 4,096 columns, 16 rows in tiles of 64 x 64, 32 rows in 64 x 32, us: 38.3 to 23.8, 66.4 to 35.6;
// 11,008 columns 44.4 to 34.2, but in tiles of 32 columns, rows of 16 bytes, 34.5 to 46.2).
//
// Loads of loops without dots, for which the source itself asks for stages: `for k in tl.range(0, n, BLOCK, num_stages=4)`. What a
// product of a few rows needs is bytes under way, and shared memory holds more of them than registers do. Each tile is read back by the
// threads that copied it, too.
//
// A part of plan. test: tests/unit/test_recurrence_code.c, tests/golden/passes/plan
#include "passes/pipeline/pipeline.h"

#include "chip/registers.h"
#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/pipeline/next_step.h"

// True if the loop has one dot, a tile's values reach one of its operands, and its rows are whole sectors.
static bool waits_for_memory(struct pipeline *p, MlirOperation load, unsigned dots) {
    enum { SECTOR_BYTES = 32 };
    MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
    if (dots != 1 || !target_has(p->context->target, FEATURE(SM90)) || !type_is_tensor(type) ||
        type_rank(type) != 2) {
        return false;
    }
    const struct layout *layout = type_layout(p->ir, type);
    unsigned row = layout_contiguity(layout, 0) > layout_contiguity(layout, 1) ? 0 : 1;
    return type_extent(type, (int)row) * type_bits(type_element(type)) / 8 >= SECTOR_BYTES &&
           pipeline_feeds_dot(p, mlirOperationGetResult(load, 0));
}

void pipeline_find_computed(struct pipeline *p, unsigned share, bool operands) {
    unsigned more = 0, dots_of_loop = pipeline_dots(p);
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) != OP_LOAD || load_is_volatile(op) || op_has(op, ATTR_CONSTANCY) ||
            pipeline_is_staged(p, op) || p->load_count == MAX_LOADS) {
            continue;
        }
        bool dots = false;
        MlirValue tile = mlirOperationGetResult(op, 0);
        unsigned own = registers_of(p->ir, tile);
        bool fits = next_step_fits(p->ir, p->loop, share, more, own, &dots);
        if (fits && !(operands && waits_for_memory(p, op, dots_of_loop))) {
            more += own;
        } else if (dots && type_is_tensor(mlirValueGetType(tile)) && type_rank(mlirValueGetType(tile)) > 1 &&
                   value_has_uses(tile) && pipeline_copies_itself(p, op)) {
            p->loads[p->load_count++] =
                (struct staged_load){.load = op, .shared = pipeline_slot_layout(p, op, ROLE_COPY_VALUE)};
        }
    }
}

// True if the loop has no dot and no loop or branch in it; sums may be.
static bool is_stream(struct pipeline *p) {
    bool stream = true;
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); stream && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(p->ir, op);
        stream = kind != OP_DOT && (mlirOperationGetNumRegions(op) == 0 || (op_traits(kind) & PURE));
    }
    return stream;
}

void pipeline_find_streams(struct pipeline *p) {
    if (!p->async || !op_has(p->loop, ATTR_NUM_STAGES) || !is_stream(p)) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) != OP_LOAD || load_is_volatile(op) || op_has(op, ATTR_CONSTANCY) ||
            p->load_count == MAX_LOADS) {
            continue;
        }
        MlirValue tile = mlirOperationGetResult(op, 0);
        if (type_is_tensor(mlirValueGetType(tile)) && value_has_uses(tile) && pipeline_copies_itself(p, op)) {
            p->loads[p->load_count++] =
                (struct staged_load){.load = op, .shared = pipeline_slot_layout(p, op, ROLE_COPY_VALUE)};
        }
    }
}
