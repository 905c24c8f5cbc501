// Writes the decisions of `roles` as attributes: roles, slots and stages of copies and dots, and a remark for each loop.
#include "passes/specialise/specialise.h"

#include <stdio.h>

#include "ir/build.h"

static void remark_copy(const struct specialise *s, const struct copy *copy) {
    if (copy->known_run > 0) {
        remark(s->context, REMARK_TENSOR_MAP, copy->access,
               "threads of the warps that copy bring its rows (cp.async): a tensor map would, in up to %d "
               "runs that lie in one piece each, but runs of %d are known; hint the size of a piece as a "
               "multiple of 16 (\"i32:16\")",
               MOST_RUNS, copy->known_run);
    } else if (copy->gathered) {
        remark(s->context, REMARK_TENSOR_MAP, copy->access,
               "threads of the warps that copy bring its rows (cp.async), each from an address or by a mask "
               "of its own");
    } else {
        remark(s->context, REMARK_TENSOR_MAP, copy->access, "a tensor map moves it (TMA)");
    }
}

static void write_copy(const struct specialise *s, const struct copy *copy, int slots) {
    struct builder b = builder_before(s->ir, copy->access);
    op_set_word(&b, copy->access, WORDS_ROLE, ROLE_COPY);
    remark_copy(s, copy);
    if (slots > 0) {
        op_set_int(s->ir, copy->access, ATTR_SLOTS, slots);
    }
}

// Why there are so many slots (specialise_room.c).
static const char *slots_reason(const struct specialise *s, const struct stage_loop *stage) {
    unsigned bytes = 0;
    for (size_t i = 0; i < stage->load_count; i++) {
        bytes += stage->loads[i].bytes;
    }
    if (s->slots == s->stages) {
        return "; one a stage";
    }
    if (s->slots > s->stages && bytes * (unsigned)s->slots > SPECIALISE_UNDER_WAY) {
        return arena_printf(
            s->arena, "; more than the %d stages, because three would hold products up (%u bytes a slot)",
            s->stages, bytes);
    }
    return s->slots < s->stages
               ? arena_printf(s->arena, "; fewer than the %d stages, for %s (%u bytes a slot)", s->stages,
                              reason_text(REASON_FEWER_STAGES), bytes)
               : arena_printf(s->arena,
                              "; more than the %d stages, until about %d KiB of copies are under way on a "
                              "multiprocessor (%u bytes a slot)",
                              s->stages, SPECIALISE_UNDER_WAY / 1024, bytes);
}

static void write_loop(const struct specialise *s, const struct stage_loop *stage) {
    enum { EARLY, USUAL, LATE };
    struct builder b = builder_before(s->ir, stage->loop);
    char text[64];
    snprintf(text, sizeof text, "%d slots, filled by a warp of their own", s->slots);
    op_set_string(s->ir, stage->loop, ATTR_PIPELINE, text);
    remark(s->context, REMARK_SPECIALISE, stage->loop, "the loop is specialised: %s%s", text,
           slots_reason(s, stage));
    if (stage->apart > 0) {
        remark(s->context, REMARK_SPECIALISE, stage->dot,
               "no product runs beside the arithmetic between the two: that takes %u registers of a thread, "
               "of %u; use more warps or smaller tiles",
               stage->apart, consumer_registers(s));
    }
    op_set_word(&b, stage->loop, WORDS_COPIES, COPIES_WARP);
    // Several dots take a step's time to their end, and hold its slot so long: of three slots one would be left for copies. (H200, gate and up
    // of 128 x 128, K 1,024 to 4,096: 0.92 to 1.01 of the time with four slots; with three, and results computed beside them, 1.00 to 1.03.)
    bool in_flight = stage->in_flight == 1 || (stage->in_flight > 1 && s->slots > 3);
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_DOT) {
            op_set_int(s->ir, op, ATTR_STAGE, USUAL);
            if (in_flight) {
                op_set_int(s->ir, op, ATTR_IN_FLIGHT, stage->in_flight);
            }
        }
    }
    for (size_t i = 0; i < stage->load_count; i++) {
        write_copy(s, &stage->loads[i], s->slots);
        op_set_int(s->ir, stage->loads[i].access, ATTR_STAGE, EARLY);
    }
    for (size_t i = 0; i < stage->late_count; i++) {
        op_set_int(s->ir, stage->late[i], ATTR_STAGE, LATE);
    }
    if (stage->early) {
        op_set_int(s->ir, stage->chained, ATTR_STAGE, EARLY);
    }
    if (stage->delayed) {
        op_set_int(s->ir, stage->dot, ATTR_STAGE, LATE);
    }
}

void roles_write(const struct specialise *s) {
    for (size_t i = 0; i < s->loop_count; i++) {
        write_loop(s, &s->loops[i]);
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        write_copy(s, &s->kept[i], s->kept[i].at_end ? s->end_slots : s->kept_slots);
    }
    for (size_t i = 0; i < s->store_count; i++) {
        if (s->stores[i].beside) {
            residuals_write(s);
        } else {
            write_copy(s, &s->stores[i], s->stores[i].one_buffer);
        }
    }
    op_set_int(s->ir, s->function, ATTR_PERSISTENT, (int32_t)s->blocks);
    if (s->slices > 1) {
        op_set_int(s->ir, s->function, ATTR_SLICES, (int32_t)s->slices);
    }
    if (s->turns) {
        op_set_unit(s->ir, s->function, ATTR_TURNS);
    }
}
