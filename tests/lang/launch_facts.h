// The launch of a kernel, as the first line of its PTX: written by lang_test for lang_device.
#ifndef TKC_TESTS_LANG_LAUNCH_FACTS_H
#define TKC_TESTS_LANG_LAUNCH_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "artifact/dealing.h"
#include "artifact/launcher/tensor.h"

enum { LAUNCH_HIDDEN = TKC_TENSOR_MAPS + 3, LAUNCH_LINE = 16384 };

struct launch_facts {
    unsigned threads, shared_bytes, hidden_count;
    struct dealing dealing;
    struct tkc_hidden hidden[LAUNCH_HIDDEN];
};

void launch_facts_write(const struct launch_facts *facts, char line[LAUNCH_LINE]);
bool launch_facts_read(const char *text, struct launch_facts *facts); // false: not such a line

#endif
