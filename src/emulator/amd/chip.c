// The chip of a program for AMD: its rules are those of its row in targets.def, or of its family's.
#include "emulator/amd/amd.h"

#include <stdio.h>

bool amd_find_chip(struct emulator *emulator, const char *name, struct strbuf *error) {
    name = name ? name : "";
    const struct target *target = target_for_chip(name);
    if (!target || target->vendor != VENDOR_AMD) {
        const char *reason = target_withheld(name);
        strbuf_printf(error,
                      "code for AMD runs by the rules of one of its chips, and the emulator knows no '%s' of "
                      "them%s%s; say which (tkc-run --on)",
                      name, reason ? ": " : "", reason ? reason : "");
        return false;
    }
    emulator->target = target;
    emulator->lanes = target->warp_size;
    snprintf(emulator->chip, sizeof emulator->chip, "%s", name);
    return true;
}
