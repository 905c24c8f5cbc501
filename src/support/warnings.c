// The table of warnings, and the reading of -W.
#include "support/warnings.h"

#include <string.h>

const struct warning_row warning_table[WARNING_COUNT] = {
#define WARNING(id, name, doc) {name, doc},
#include "support/warnings.def"
#undef WARNING
};
_Static_assert(WARNING_COUNT < 32, "struct warnings has a bit a warning");

static bool skip(const char **text, const char *start) {
    size_t length = strlen(start);
    bool starts = strncmp(*text, start, length) == 0;
    *text += starts ? length : 0;
    return starts;
}

// The bit of a warning; 0 when there is none of that name.
static unsigned bit_of(const char *name) {
    for (unsigned i = 0; i < WARNING_COUNT; i++) {
        if (strcmp(warning_table[i].name, name) == 0) {
            return 1u << i;
        }
    }
    return 0;
}

bool warnings_choose(struct warnings *warnings, const char *text) {
    enum { ALL = (1u << WARNING_COUNT) - 1 };
    bool on = !skip(&text, "no-");
    bool error = strcmp(text, "error") == 0;
    if (error || skip(&text, "error=")) {
        unsigned bits = error ? ALL : bit_of(text);
        warnings->errors = on ? warnings->errors | bits : warnings->errors & ~bits;
        warnings->off &= on && !error ? ~bits : ~0u; // -Werror=NAME asks for the warning, too
        return bits != 0;
    }
    unsigned bits = bit_of(text);
    warnings->off = on ? warnings->off & ~bits : warnings->off | bits;
    return bits != 0;
}
