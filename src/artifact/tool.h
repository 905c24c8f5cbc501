// Running external tools on files in a temporary folder.
#ifndef TKC_ARTIFACT_TOOL_H
#define TKC_ARTIFACT_TOOL_H

#include "artifact/artifact.h"
#include "support/interrupt.h"

// A folder for one run; its path never reaches an artifact. From tool_begin to tool_end signals that would end the process
// wait, so that the folder does not stay behind.
struct tool_work {
    struct arena *arena;
    struct diag *diag;
    const char *folder;
    struct interrupt_hold hold;
};

// False after an error in diag; tool_end then is not called.
bool tool_begin(struct tool_work *work, struct arena *arena, struct diag *diag);
const char *tool_path(const struct tool_work *work, const char *name);
bool tool_put(const struct tool_work *work, const char *name, const void *bytes, size_t length);
// What the tool wrote there. False after an error in diag that names the tool.
bool tool_get(const struct tool_work *work, const char *tool, const char *name, struct strbuf *out);
// Removes the folder with the files in it. After a failure (`ok` false) it is kept, for the command that was reported, but
// for an interruption.
void tool_end(struct tool_work *work, bool ok);

// Runs argv[0] (found through PATH if it has no slash). False if it could not be run or failed: then, if diag
// is not NULL, its output and the command that repeats it have been reported. `output` gets standard output and error
// together; may be NULL. A signal that would end this process ends the tool too, and is no error of its own.
bool tool_run(const char *const *argv, struct strbuf *output, struct diag *diag);

#endif
