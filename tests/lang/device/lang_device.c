// The language tests on an NVIDIA GPU: launches the PTX that `lang_test --emit FOLDER` wrote, judges outputs
// by the same references, and compares their hashes with the emulator's.
//
//   lang_test --chip sm_90a --seed 7 --emit FOLDER --hashes FOLDER/hashes
//   lang_device FOLDER 7 [SHARD SHARDS] [--multiprocessors N]
//
// Persistent kernels get the blocks of the card's multiprocessors, or of N: of a few, so that each block has several programs.
//
// Needs neither tkc nor LLVM nor headers of CUDA, only the driver. Exits 77 (skipped) without one, 1
// after a failure. An exact case whose hash differs from the emulator's is a failure, another one is counted.
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
    unsigned runs, failures, exact, exact_differ, near, near_differ;
};

static void run_variant(const char *folder, const char *hashes, const char *name, struct lang_run *run,
                        struct counts *counts) {
    char path[1024], message[2048] = "", key[300];
    snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
    char *text = device_read_file(path);
    if (!text) {
        return;
    }
    lang_arguments_reset(run);
    counts->runs++;
    bool good = device_launch(text, run, message, sizeof message);
    free(text);
    if (!good) {
        counts->failures++;
        printf("  %s: %s\n", name, message);
        return;
    }
    snprintf(key, sizeof key, "\n%s ", name);
    const char *line = hashes ? strstr(hashes, key) : NULL;
    bool same = line && strtoull(line + strlen(key), NULL, 16) == lang_arguments_hash(run);
    bool exact = run->test->relative == 0 && run->test->absolute == 0;
    *(exact ? &counts->exact : &counts->near) += line != NULL;
    *(exact ? &counts->exact_differ : &counts->near_differ) += line && !same;
    if (line && !same && exact) {
        printf("  %s: the emulator's outputs are other bits\n", name);
    }
}

int main(int argc, char **argv) {
    unsigned multiprocessors = 0;
    if (argc > 4 && !strcmp(argv[argc - 2], "--multiprocessors")) {
        multiprocessors = (unsigned)atoi(argv[argc - 1]);
        argc -= 2;
    }
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: lang_device FOLDER SEED [SHARD SHARDS] [--multiprocessors N]\n");
        return 2;
    }
    unsigned shard = argc == 5 ? (unsigned)atoi(argv[3]) : 0,
             shards = argc == 5 ? (unsigned)atoi(argv[4]) : 1, index = 0;
    if (!device_open(multiprocessors)) {
        printf("lang_device: skipped: no NVIDIA GPU here\n");
        return 77;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/hashes", argv[1]);
    char *hashes = device_read_file(path);
    struct counts counts = {0};
    for (unsigned f = 0; lang_families[f]; f++) {
        for (size_t i = 0; i < lang_families[f]->count; i++) {
            const struct lang_case *test = &lang_families[f]->cases[i];
            struct lang_run run;
            if (index++ % shards != shard || !test->reference) { // refused everywhere
                continue;
            }
            lang_arguments_make(&run, test, strtoull(argv[2], NULL, 0));
            run.chip = "sm_90a"; // whose PTX it is
            test->reference(&run);
            for (const char *w = test->warps ? test->warps : "4"; *w; w++) {
                for (const char *s = test->stages ? test->stages : "3"; *s; s++) {
                    char name[256];
                    snprintf(name, sizeof name, "%s.%s.w%u.s%u", lang_families[f]->name, test->name,
                             lang_digit(*w), lang_digit(*s));
                    run_variant(argv[1], hashes, name, &run, &counts);
                }
            }
            lang_arguments_free(&run);
        }
    }
    printf("%u runs: %u passed, %u failed; exact kernels: %u of %u other bits than the emulator's; others: "
           "%u of %u\n",
           counts.runs, counts.runs - counts.failures, counts.failures, counts.exact_differ, counts.exact,
           counts.near_differ, counts.near);
    return counts.failures || counts.exact_differ;
}
