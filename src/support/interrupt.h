// Delays the signals that end a process while temporary files exist. It installs no handler and keeps no
// state, so a library may use it. In a process with several threads a signal may still reach another thread.
#ifndef TKC_SUPPORT_INTERRUPT_H
#define TKC_SUPPORT_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

struct interrupt_hold {
    sigset_t before;
};

// Blocks SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM and SIGXCPU until the release. Pairs may nest.
void interrupt_hold(struct interrupt_hold *hold);
// Delivers the signals received meanwhile.
void interrupt_release(const struct interrupt_hold *hold);
// True if one of the signals is pending: the caller should release soon.
bool interrupt_waiting(void);
// The mask for a child process started within a hold: the signals must still end it.
void interrupt_mask_outside(sigset_t *mask);

#endif
