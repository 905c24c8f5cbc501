// One instruction of a wave: the checks of waits and hazards, then its own function.
#include "emulator/amdgcn/amdgcn.h"

// A change of EXEC has an effect when the next instruction of lanes, or branch on EXEC, is reached.
static void note_change(struct warp *warp, const struct gcn *gcn) {
    struct wave *wave = wave_of(warp);
    if (gcn->place.text[0] == 's' && !strstr(gcn->place.text, "exec")) {
        return;
    }
    if (gcn->place.text[0] != 's' || strstr(gcn->place.text, "_cbranch_")) {
        wave_note(warp, wave->changed_exec);
    }
    wave->changed_exec = NULL;
}

void exec_gcn(struct warp *warp, const struct instr *in, void *dst) {
    const struct gcn *gcn = in->extra;
    if (wave_of(warp)->outstanding_count) {
        wave_check(warp, in);
    }
    if (wave_of(warp)->changed_exec) {
        note_change(warp, gcn);
    }
    if (gcn_kernel_of(warp->kernel)->generation == GENERATION_GFX9) {
        hazard_step(warp, in);
    } else {
        rdna_step(warp, in);
    }
    gcn->run(warp, in, dst);
}
