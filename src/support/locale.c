#include "support/locale.h"

locale_t locale_enter(void) {
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); // glibc has it already: nothing to free
}

void locale_leave(locale_t before) {
    uselocale(before);
}
