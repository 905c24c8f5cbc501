// The occupancy of a kernel from its metrics, by the chip table (chip/occupancy.h).
#include "chip/occupancy.h"
#include "diff.h"

long long metrics_occupancy(const char *chip, const long long *metrics) {
    const struct target *target = target_find(chip);
    long long registers = metrics[METRIC_REGISTERS], shared = metrics[METRIC_SHARED],
              threads = metrics[METRIC_THREADS];
    if (!target || registers <= 0 || threads <= 0 || shared == UNKNOWN) {
        return UNKNOWN;
    }
    struct occupancy_need need = {
        .threads = (unsigned)threads, .registers = (unsigned)registers, .shared = (unsigned)shared};
    struct occupancy occupancy = occupancy_of(target, &need);
    return (long long)occupancy_percent(&occupancy);
}
