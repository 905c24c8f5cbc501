// Signals that end a process, while temporary files exist: they wait until those are gone. Nothing is installed and no state
// kept, so that a library may use it; in a process with several threads a signal may still reach another one.
#ifndef TKC_SUPPORT_INTERRUPT_H
#define TKC_SUPPORT_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

struct interrupt_hold {
    sigset_t before;
};

// From here to the release SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM and SIGXCPU wait. Pairs may nest.
void interrupt_hold(struct interrupt_hold *hold);
// What came meanwhile arrives now.
void interrupt_release(const struct interrupt_hold *hold);
// One of them is waiting: come to the release.
bool interrupt_waiting(void);
// The mask for a program that is started within a hold, which must still be ended by them.
void interrupt_mask_outside(sigset_t *mask);

#endif
