// The memory of a run in the emulator (memory.c).
#ifndef TKC_RUN_MEMORY_H
#define TKC_RUN_MEMORY_H

#include "emulator/emulator.h"
#include "settings.h"

struct emulated_memory;

// For as many ranks as the settings say.
struct emulated_memory *emulated_memory(const struct settings *settings);
void emulated_memory_free(struct emulated_memory *memory);

// Describes the launch: of each parameter the array or scalar bound to it, for each rank; hidden parameters, too. Returns what is
// wrong with a tensor map, or NULL. The launch points into `memory`; bytes written of
// empty arrays are noted in the settings.
const char *emulated_launch(struct emulated_memory *memory, struct settings *settings,
                            const struct kernel_program *program, struct run_argument *const *bound,
                            const unsigned *grid, struct emulator_launch *launch);

#endif
