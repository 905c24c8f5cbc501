// All computations of the producer for the decisions: bounds, the spine, waits, and places of copies.
#include "passes/specialise/specialise.h"

static void needs_index(struct specialise *s, MlirOperation loop, const struct tile_index *index) {
    for (int t = 0; t < index->term_count; t++) {
        for (int i = 0; i < index->terms[t].symbol_count; i++) {
            MlirValue value = index->terms[t].symbols[i].value;
            if (!mlirValueIsNull(value)) {
                producer_needs(s, loop, value, false);
            }
        }
    }
}

static void needs_copy(struct specialise *s, MlirOperation loop, const struct copy *copy) {
    if (copy->gathered) {
        MlirValue mask = load_mask(copy->access);
        producer_needs(s, loop, load_pointer(copy->access), false);
        if (!mlirValueIsNull(mask)) {
            producer_needs(s, loop, mask, false);
        }
        return;
    }
    for (int i = 0; i < copy->tile.guard_count; i++) {
        producer_needs(s, loop, copy->tile.guards[i], false);
    }
    for (unsigned d = 0; d < copy->tile.rank; d++) {
        const struct tile_dim *dim = &copy->tile.dim[d];
        needs_index(s, loop, &dim->first);
        needs_index(s, loop, &dim->counted);
        needs_index(s, loop, &dim->period);
    }
}

void producer_needs_all(struct specialise *s) {
    spine_needs(s);
    waits_need(s);
    for (size_t n = 0; n < s->loop_count; n++) {
        struct stage_loop *stage = &s->loops[n];
        for (intptr_t i = 0; i < 3; i++) {
            producer_needs(s, stage->loop, mlirOperationGetOperand(stage->loop, i), true);
        }
        for (size_t i = 0; i < stage->load_count; i++) {
            needs_copy(s, stage->loop, &stage->loads[i]);
        }
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        needs_copy(s, s->loops[0].loop, &s->kept[i]);
    }
    for (size_t i = 0; i < s->residual_count; i++) {
        needs_copy(s, s->loops[0].loop, &s->residuals[i]);
    }
}
