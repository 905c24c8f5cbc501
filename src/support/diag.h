// Diagnostics. Two kinds of error. The user's errors are recorded with a location, and the stage goes on
// (diag_error, then diag_checkpoint between phases); internal errors abort (bug).
#ifndef TKC_SUPPORT_DIAG_H
#define TKC_SUPPORT_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "support/budget.h"
#include "support/source.h"
#include "support/bug.h"
#include "support/strbuf.h"
#include "support/warnings.h"

enum { EXIT_USER_ERROR = 1, EXIT_USAGE = 2 };

// The limit of warnings, remarks and notes; further ones are left out.
enum { DIAG_REMARKS_MAX = 2000 };

enum diag_severity { DIAG_NOTE, DIAG_REMARK, DIAG_WARNING, DIAG_ERROR };

// Builds with assertions check the IR after every step; release builds check it once, after the last.
#ifdef NDEBUG
enum { CHECK_EVERY_STEP = 0 };
#else
enum { CHECK_EVERY_STEP = 1 };
#endif

// Called once for each complete message: `text` is the rendered message, lines and caret, newline-terminated.
typedef void diag_sink(void *user, enum diag_severity severity, const char *text);

// A sure correction of the source: `text` in place of the part at `at` (of length 0: before it).
struct diag_fix {
    struct location at;
    const char *text;
};

// A message with its parts. Borrowed for the call.
struct diag_message {
    enum diag_severity severity;
    struct location at;
    const char *text; // as for a sink
    const char *body; // without the place and the severity; a line
    const char *name; // of the warning (warnings.def) or the kind of remark; NULL: none
    struct diag_fix fix;
    bool has_fix;
};

// In place of a sink, for callers in need of the parts.
typedef void diag_receiver(void *user, const struct diag_message *message);

struct diag {
    unsigned error_count;
    unsigned warning_count;
    unsigned note_count;
    bool wrong_usage;     // an error is about an option (diag_usage)
    FILE *commands;       // gets the external commands run; NULL: none does
    unsigned error_limit; // 0: no limit; further errors are counted, not printed
    diag_sink *sink;      // NULL: standard error
    void *sink_user;
    diag_receiver *receiver; // NULL: the sink gets the text
    struct diag_fix fix;     // of the next message
    bool has_fix;
    struct warnings warnings;
    struct budget budget;
    const int *cancel; // another thread sets it to other than 0: every checkpoint is false; NULL: never
};

// "file:line:col: error: message", the source line, and a caret line. Messages are lower case, name the
// thing, the limit and the actual value, and advise.
void diag_error(struct diag *diag, struct location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A warning of the table, unless it is off; an error if -Werror says so. The message ends in "[-Wname]".
void diag_warning(struct diag *diag, enum warning warning, struct location location, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A fact for --remarks. `kind` is named at the end.
void diag_remark(struct diag *diag, const char *kind, struct location location, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A note explains the error before it (the call of a kernel, the first binding of a name).
void diag_note(struct diag *diag, struct location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The next message has this fix; the text is borrowed until then.
void diag_offer(struct diag *diag, struct location at, const char *text);
// The next error, or the last one, is about an option: not the source is wrong.
void diag_usage(struct diag *diag);
void diag_report(struct diag *diag, enum diag_severity severity, struct location location, const char *format,
                 va_list args);

// diag_take adds to the used amount of a budget, diag_hold sets it. The first time the amount exceeds its
// limit: an error at `location`; false from then on.
bool diag_take(struct diag *diag, enum budget_kind kind, size_t amount, struct location location);
bool diag_hold(struct diag *diag, enum budget_kind kind, size_t whole, struct location location);

// True once another thread has asked to stop.
bool diag_cancelled(const struct diag *diag);

// True as long as no error is recorded and nothing is cancelled: phases are separated by `if (!diag_checkpoint(d)) return false;`.
bool diag_checkpoint(const struct diag *diag);

#endif
