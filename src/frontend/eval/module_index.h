// Between the files of a module's evaluation.
#ifndef TKC_FRONTEND_EVAL_MODULE_INDEX_H
#define TKC_FRONTEND_EVAL_MODULE_INDEX_H

#include "frontend/eval/walk.h"

// Fills the sites of a file.
void module_index(struct file_scope *file);
// The names that a statement at module level may bind or change, without the targets of assignments.
struct name_list module_changed_names(struct emitter *e, const struct file_scope *file,
                                      const struct stmt *stmt);

#endif
