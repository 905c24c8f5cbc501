// Running external tools on files in a temporary folder.
#ifndef TKC_ARTIFACT_TOOL_H
#define TKC_ARTIFACT_TOOL_H

#include "artifact/artifact.h"

// A folder for one run; its path never reaches an artifact. NULL after an error in diag.
const char *tool_folder(struct arena *arena, struct diag *diag);
bool tool_put(struct arena *arena, const char *folder, const char *name, const void *bytes, size_t length,
              struct diag *diag);

// Runs argv[0] (found through PATH if it has no slash). False if it could not be run or failed: then, if diag
// is not NULL, its output and the command that repeats it have been reported, and the folder must be kept (it
// holds the inputs). `output` gets standard output and error together; may be NULL.
bool tool_run(const char *const *argv, struct strbuf *output, struct diag *diag);
void tool_remove(struct arena *arena, const char *folder); // with the files in it

#endif
