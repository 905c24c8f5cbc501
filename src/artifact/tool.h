// Running external tools on files in a temporary folder.
#ifndef TKC_ARTIFACT_TOOL_H
#define TKC_ARTIFACT_TOOL_H

#include "artifact/artifact.h"
#include "support/interrupt.h"

// The path of ptxas, `named` or a usual one, and its name with its version; NULL without a message: there is none. cubin.c.
const char *ptxas_find(struct arena *arena, const char *named, const char **version);

// A temporary folder for one run. Artifacts never contain its path. From tool_begin to tool_end the signals
// that end a process are blocked, so the folder is always removed.
struct tool_work {
    struct arena *arena;
    struct diag *diag;
    const char *folder;
    struct interrupt_hold hold;
};

// False after an error in diag: do not call tool_end then.
bool tool_begin(struct tool_work *work, struct arena *arena, struct diag *diag);
const char *tool_path(const struct tool_work *work, const char *name);
bool tool_put(const struct tool_work *work, const char *name, const void *bytes, size_t length);
// Reads a file written by the tool. False after an error in diag with the tool's name.
bool tool_get(const struct tool_work *work, const char *tool, const char *name, struct strbuf *out);
// Removes the folder. After a failure (`ok` false) it is kept for the command in the report, unless a signal
// is pending.
void tool_end(struct tool_work *work, bool ok);

// Runs argv[0], looked up in PATH if it has no slash. False: the tool could not be run or failed; if diag is
// not NULL, the tool's output and a command to repeat it have been reported. `output` gets standard output
// and error together; it may be NULL. A signal to end this process ends the tool, without an error report.
bool tool_run(const char *const *argv, struct strbuf *output, struct diag *diag);

#endif
