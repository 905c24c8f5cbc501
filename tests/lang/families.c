// All families, in the order of their runs.
#include "lang.h"

const struct lang_family *const lang_families[] = {
#define LANG_FAMILY(name) &lang_##name,
#include "families.def"
#undef LANG_FAMILY
    NULL,
};
