// Chips by other names: of their products, and without the underscore ("sm80").
#include "chip/llvm.h"
#include "chip/target.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *chip;
} products[] = {
#define GROUP(name, chips)
#define PRODUCT(name, chip) {name, chip},
#include "chip/products.def"
#undef PRODUCT
#undef GROUP
};

static const struct {
    const char *name, *chips;
} groups[] = {
#define GROUP(name, chips) {name, chips},
#define PRODUCT(name, chip)
#include "chip/products.def"
#undef PRODUCT
#undef GROUP
};

bool target_group_at(size_t index, const char **name, const char **chips) {
    if (index >= sizeof groups / sizeof *groups) {
        return false;
    }
    *name = groups[index].name;
    *chips = groups[index].chips;
    return true;
}

const char *target_group(const char *name) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (strcasecmp(groups[i].name, name) == 0) {
            return groups[i].chips;
        }
    }
    return NULL;
}

bool target_product_at(size_t index, const char **name, const char **chip) {
    if (index >= sizeof products / sizeof *products) {
        return false;
    }
    *name = products[index].name;
    *chip = products[index].chip;
    return true;
}

const struct target *target_named(const char *name) {
    const struct target *target = target_find(name);
    char spelled[32];
    if (!target && strncmp(name, "sm", 2) == 0 && name[2] != '_') {
        snprintf(spelled, sizeof spelled, "sm_%s", name + 2);
        target = target_find(spelled);
    }
    for (size_t i = 0; !target && i < sizeof products / sizeof *products; i++) {
        target = strcasecmp(products[i].name, name) == 0 ? target_find(products[i].chip) : NULL;
    }
    return target;
}
