// Final code as text, PTX or AMD's assembly: its kernels, and their instructions by the columns of a table.
#ifndef TKC_ARTIFACT_LISTING_H
#define TKC_ARTIFACT_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#include "artifact/instructions.h"
#include "chip/target.h"

enum { LISTING_WIDEST = 32 }; // bytes of an access of a thread

struct instruction_mix {
    unsigned all;
    unsigned of[COLUMN_COUNT];
    unsigned loads[LISTING_WIDEST + 1], stores[LISTING_WIDEST + 1]; // of global memory, by bytes of a thread
};

// Calls `each` for every instruction of a kernel in order, with a pointer into the text. False if the text does not have the kernel.
typedef void listing_each(void *user, const char *mnemonic, struct instruction_facts facts);
bool listing_walk(const char *text, size_t length, enum vendor vendor, const char *kernel, listing_each *each,
                  void *user);
// The instructions of a kernel, counted. False if the text does not have it.
bool listing_count(const char *text, size_t length, enum vendor vendor, const char *kernel,
                   struct instruction_mix *mix);

#endif
