/* Every driver call fails in turn: its code comes back, nothing is left over, and the next launch works.
 * Needs CHECK, SUCCESS and FAILED; `launch` and `unload` take no arguments. */
#ifndef TESTS_ARTIFACT_FAIL_IN_TURN_H
#define TESTS_ARTIFACT_FAIL_IN_TURN_H

#include "fake.h"

/* Uses fresh contexts, from `context` on. `tolerated`: calls the launcher may do without. Returns the number
 * of calls. */
static int fail_in_turn(unsigned context, int (*way)(void), int (*launch)(void), int (*unload)(void),
                        const char *tolerated, int loaded) {
    int call, failed = 1, before = faults;
    for (call = 1; failed && faults == before; call += call < 80 ? 1 : 31) { /* tuning repeats itself */
        int result, balance = fake.loads - fake.unloads;
        fake.context_id = context + (unsigned)call;
        fake.device = (int)context + call;
        CHECK(!loaded || launch() == SUCCESS);
        fake.failed = NULL;
        fake.fail_call = call;
        result = way();
        failed = fake.fail_call == 0;
        fake.fail_call = 0;
        CHECK(result == (failed ? (int)FAILED : SUCCESS) ||
              (failed && strstr(tolerated, fake.failed) && result == SUCCESS));
        CHECK(fake.events == 0 && fake.streams == 0 && fake.graphs == 0);
        CHECK(launch() == SUCCESS && unload() == SUCCESS);
        CHECK(fake.loads - fake.unloads == balance && fake.allocations == 0);
        if (faults != before) {
            fprintf(stderr, "call %d failed, %s\n", call, fake.failed ? fake.failed : "none");
        }
    }
    fake.context_id = 7;
    fake.device = 0;
    return call - 2; /* or a few more */
}

#endif
