// Peak rates of a product with a chip (peaks.def).
#ifndef TKC_CHIP_PEAKS_H
#define TKC_CHIP_PEAKS_H

#include "chip/target.h"

struct peaks {
    const char *chip, *product, *source;
    unsigned multiprocessors;           // AMD: compute units
    double clock;                       // Hz
    double memory;                      // bytes a second
    double cache;                       // bytes, of the largest one that all multiprocessors share
    double f64, f32, tf32, f16, f8, i8; // operations a second
};

// Results of special units (exponentials, roots) a clock and multiprocessor: CUDA C++ Programming Guide, "Arithmetic Instructions"; AMD: a
// quarter of the lanes of four SIMDs of 16.
enum { PEAKS_SPECIAL = 16 };

const struct peaks *peaks_of(const struct target *target); // NULL: not in the table
// Operations a second on elements of a type, "f16" or "f8E4M3FN", by matrix instructions if the chip has them; 0: not known.
double peaks_rate(const struct peaks *peaks, const char *element);

#endif
