// Arguments of a kernel beyond the source's: launchers compute their values from a description (driver/reflect.c).
#ifndef TKC_PASSES_FACTS_HIDDEN_ARGUMENT_H
#define TKC_PASSES_FACTS_HIDDEN_ARGUMENT_H

#include "dialects/tk/words.h"
#include "passes/pass.h"

// Appends an argument with these attributes, a dictionary, to the function.
MlirValue appended_argument(struct ir *ir, struct arena *arena, MlirOperation function, MlirType type,
                            MlirAttribute attributes);
// Appends a launcher's argument. `map`: the description of a tensor map, null for the extents of a grid.
MlirValue hidden_argument(struct ir *ir, struct arena *arena, MlirOperation function,
                          enum hidden_parameter hidden, MlirType type, MlirAttribute map);

#endif
