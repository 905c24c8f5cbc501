// In a fuzzer an internal error is a crash: linked with --wrap=_Exit.
#include <stdlib.h>

#include "support/diag.h"

_Noreturn void __real__Exit(int status);
_Noreturn void __wrap__Exit(int status);
_Noreturn void __wrap__Exit(int status) {
    if (status == EXIT_INTERNAL) {
        abort();
    }
    __real__Exit(status);
}
