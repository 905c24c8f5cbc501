// Products and the chip's fastest matrix instructions: why a dot does without them, and what narrower types ask for.
#include "report/answer.h"

#include <string.h>

const struct remark *answer_slow_dot(const struct asking *a) {
    const struct remarks *remarks = a->page->part->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        if (r->kind == REMARK_MATRIX && r->refused && strcmp(r->kernel, a->kernel->name) == 0) {
            return r;
        }
    }
    return NULL;
}

void answer_add_slow_dot(const struct asking *a, struct answer *answer) {
    const struct remark *slow = answer_slow_dot(a);
    if (slow && slow->advice) {
        answer->bound = arena_printf(a->arena, "%s. At line %u %s", answer->bound, slow->at.line, slow->fact);
        answer->change = arena_printf(a->arena, "%s: the dot at line %u then has the chip's fast products",
                                      slow->advice, slow->at.line);
    }
}

// The name of a type of half the width with faster products on the chip; NULL: there is none.
static const char *narrower_type(const struct asking *a, const struct estimate *e) {
    const char *type = a->kernel->multiplies;
    return !type || !e->peaks                       ? NULL
           : strstr(type, "32")                     ? "fp16"
           : strstr(type, "16") && e->peaks->f8 > 0 ? "fp8"
                                                    : NULL;
}

// wgmma reads K alone as the contiguous dimension of 8-bit elements; tcgen05 reads both, but the layouts are the same (layouts_warpgroup.c).
const char *answer_narrower_type(const struct asking *a, const struct estimate *e) {
    const char *type = narrower_type(a, e);
    return !type || strcmp(type, "fp8") != 0 || !a->kernel->turned
               ? type
               : arena_printf(a->arena,
                              "%s; tkc has fast products of 8-bit elements only where the dimension summed "
                              "over is contiguous in "
                              "memory, so the matrix loaded at line %u has to be stored transposed",
                              type, a->kernel->turned);
}
