// Peak rates by chip and by element type.
#include "chip/peaks.h"

#include <string.h>

static const struct peaks table[] = {
#define PEAKS(chip, product, multiprocessors, mhz, gigabytes, mebibytes, l2, f64, f32, tf32, f16, f8, i8,    \
              source)                                                                                        \
    {chip, product,    source,     multiprocessors, (mhz)*1e6,  (gigabytes)*1e9, (mebibytes)*1048576.0,      \
     (l2), (f64)*1e12, (f32)*1e12, (tf32)*1e12,     (f16)*1e12, (f8)*1e12,       (i8)*1e12},
#include "chip/peaks.def"
#undef PEAKS
};

const struct peaks *peaks_of(const struct target *target) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].chip, target->name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

double peaks_rate(const struct peaks *peaks, const char *element) {
    if (strcmp(element, "f64") == 0) {
        return peaks->f64;
    }
    if (strcmp(element, "f32") == 0) { // products of f32 go through tf32 unless the source says otherwise
        return peaks->tf32 ? peaks->tf32 : peaks->f32;
    }
    if (strcmp(element, "f16") == 0 || strcmp(element, "bf16") == 0) {
        return peaks->f16;
    }
    if (strncmp(element, "f8", 2) == 0) {
        return peaks->f8;
    }
    return strcmp(element, "i8") == 0 ? peaks->i8 : 0;
}
