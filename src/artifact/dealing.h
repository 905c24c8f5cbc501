// How the programs of a grid become blocks.
#ifndef TKC_ARTIFACT_DEALING_H
#define TKC_ARTIFACT_DEALING_H

#include <stdbool.h>

struct dealing {
    unsigned persistent; // blocks a multiprocessor, sharing the programs; 0: a block a program
    unsigned cluster;    // blocks of one cluster; 0: each by itself
    bool fills;          // no fewer blocks for a grid of fewer programs, whose work they share
};

#endif
