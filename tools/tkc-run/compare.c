// Comparison with expected values: within absolute + relative × |expected|, exact for integers unless asked
// otherwise.
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 5 };

struct off {
    size_t index;
    double error; // in excess of the tolerance; infinite if one of the two is a NaN
};

static void index_text(struct strbuf *out, const struct array *array, size_t index) {
    size_t position[RUN_DIMENSIONS];
    for (unsigned i = array->rank; i-- > 0; index /= array->dimensions[i]) {
        position[i] = index % array->dimensions[i];
    }
    for (unsigned i = 0; i < array->rank; i++) {
        strbuf_printf(out, "%s%zu", i ? ", " : "", position[i]);
    }
}

static double excess(const struct array *got, const struct array *want, size_t i,
                     const struct tolerance *tolerance) {
    if (got->dtype->kind != ELEMENT_TYPE_FLOAT && want->dtype->kind != ELEMENT_TYPE_FLOAT &&
        !tolerance->given) {
        return array_get_integer(got, i) == array_get_integer(want, i) ? 0 : INFINITY;
    }
    double x = array_get(got, i), y = array_get(want, i);
    if (x == y || (isnan(x) && isnan(y))) {
        return 0;
    }
    if (!isfinite(x) || !isfinite(y)) {
        return INFINITY;
    }
    double allowed = tolerance->absolute + tolerance->relative * fabs(y);
    return fabs(x - y) > allowed ? fabs(x - y) / (allowed > 0 ? allowed : 0x1p-1074) : 0;
}

static bool was_written(const uint8_t *written, const struct array *array, size_t index) {
    unsigned bytes = array->dtype->bits / 8;
    for (unsigned i = 0; written && i < bytes; i++) {
        if (!written[index * bytes + i]) {
            return false;
        }
    }
    return true;
}

static void report(const struct array *got, const struct array *want, const uint8_t *written,
                   const struct off *worst, unsigned kept, struct strbuf *out) {
    for (unsigned i = 0; i < kept; i++) {
        strbuf_add(out, "  [");
        index_text(out, want, worst[i].index);
        if (!was_written(written, got, worst[i].index)) {
            strbuf_add(out, "]: was never written, expected ");
            array_print(out, want, worst[i].index);
            strbuf_add(out, "\n");
            continue;
        }
        double x = array_get(got, worst[i].index), y = array_get(want, worst[i].index);
        strbuf_add(out, "]: got ");
        array_print(out, got, worst[i].index);
        strbuf_add(out, ", expected ");
        array_print(out, want, worst[i].index);
        strbuf_printf(out, ", off by %.3g (relative %.3g)\n", fabs(x - y), fabs(x - y) / fabs(y));
    }
}

bool compare_arrays(const char *name, const struct array *got, const struct array *want,
                    const uint8_t *written, const struct tolerance *tolerance, struct strbuf *out) {
    struct off worst[WORST];
    unsigned kept = 0;
    size_t wrong = 0;
    if (got->count != want->count) {
        strbuf_printf(out, "%s has %zu elements, expected %zu\n", name, got->count, want->count);
        return false;
    }
    for (size_t i = 0; i < got->count; i++) {
        double error = was_written(written, got, i) ? excess(got, want, i, tolerance) : INFINITY;
        if (error == 0) {
            continue;
        }
        wrong++;
        unsigned at = kept < WORST ? kept++ : WORST;
        if (at == WORST && error <= worst[WORST - 1].error) {
            continue;
        }
        at = at == WORST ? WORST - 1 : at;
        for (; at > 0 && worst[at - 1].error < error; at--) {
            worst[at] = worst[at - 1];
        }
        worst[at] = (struct off){i, error};
    }
    if (!wrong) {
        strbuf_printf(out, "%s: all %zu elements as expected\n", name, got->count);
        return true;
    }
    strbuf_printf(out, "%s: %zu of %zu elements differ; the worst:\n", name, wrong, got->count);
    report(got, want, written, worst, kept, out);
    return false;
}
