// Look-up in the embedded library. The table has a handful of rows: a linear search is right.
#include "frontend/library/library.h"

#include <string.h>

const struct library_file *library_find(const char *name) {
    for (const struct library_file *file = library_files; file->name; file++) {
        if (strcmp(file->name, name) == 0) {
            return file;
        }
    }
    return NULL;
}
