// Peak rates of a product with a chip (peaks.def).
#ifndef TKC_CHIP_PEAKS_H
#define TKC_CHIP_PEAKS_H

#include "chip/target.h"

struct peaks {
    const char *chip, *product, *source;
    unsigned multiprocessors;           // AMD: compute units
    double clock;                       // Hz
    double memory;                      // bytes a second
    double cache;                       // bytes, of the largest one shared by all multiprocessors
    double l2;                          // bytes of the L2 cache a clock and multiprocessor; 0: not known
    double f64, f32, tf32, f16, f8, i8; // operations a second
};

// Results of special units (exponentials, roots) a clock and multiprocessor: CUDA C++ Programming Guide, "Arithmetic Instructions"; AMD: a
// quarter of the lanes of four SIMDs of 16.
enum { PEAKS_SPECIAL = 16 };

// Bytes of shared memory a clock and multiprocessor: 32 banks of 4 (CUDA C++ Programming Guide; AMD's LDS the same). Clocks of a barrier of a
// block's threads that wait for nothing else: on an H200 20, 28 and 44 of 128, 256 and 512 threads; a tile of 64 x 64 f32 through shared
// memory with two barriers takes 289.
enum { PEAKS_SHARED = 128, PEAKS_BARRIER = 30 };

// Instructions of an access of global memory by a thread, with those for its address and mask: fitted to 708 shapes of softmax and layer norm
// on an H200.
enum { PEAKS_ACCESS = 6 };

const struct peaks *peaks_of(const struct target *target); // NULL: not in the table
// Operations a second on elements of a type, "f16" or "f8E4M3FN", by matrix instructions if the chip has them; 0: not known.
double peaks_rate(const struct peaks *peaks, const char *element);

#endif
