// Blocks the signals of `ending` while temporary files exist.
#include "support/interrupt.h"

#include <stddef.h>

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU};

enum { ENDING_COUNT = sizeof ending / sizeof ending[0] };

void interrupt_hold(struct interrupt_hold *hold) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        sigaddset(&set, ending[i]);
    }
    pthread_sigmask(SIG_BLOCK, &set, &hold->before);
}

void interrupt_release(const struct interrupt_hold *hold) {
    pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
}

bool interrupt_waiting(void) {
    sigset_t set;
    sigpending(&set);
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        if (sigismember(&set, ending[i]) == 1) {
            return true;
        }
    }
    return false;
}

void interrupt_mask_outside(sigset_t *mask) {
    pthread_sigmask(SIG_BLOCK, NULL, mask);
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        sigdelset(mask, ending[i]);
    }
}
