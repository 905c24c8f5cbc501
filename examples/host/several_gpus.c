/* All-reduce over two GPUs by kernels that write to each other's memory: one process with both GPUs, or a process for each.
 *
 *     tkc several_gpus.tk --runtime dynamic --target sm_80,gfx942 -D WORLD=2 -o several_gpus.ptx -o several_gpus.hsaco
 *     cc several_gpus.c -I. -I<tkc>/include -ldl -o several_gpus
 *     ./several_gpus                                         one process
 *     ./several_gpus 0 /tmp/meet & ./several_gpus 1 /tmp/meet      two, which meet by sockets /tmp/meet.0 and /tmp/meet.1
 *
 * A rank's memory: flags, then staging. Epochs are ordinary memory. Kernels wait for those of the other rank, so modules are loaded
 * before the first launch, and a machine with one GPU, where both ranks run on two streams of it, shows results and no speed. */
#define _GNU_SOURCE
#include "example.h"
#include "several_gpus.h"
#include "tkc/tkc_symmetric.h"

#include <unistd.h>

enum { RANKS = 2, N = 1 << 16, TIMES = 1000, PROGRAMS = 64, SECONDS = 60 };
enum { FLAGS = 0, STAGING = 1 << 16, BYTES = STAGING + 2 * RANKS * N * 2 };

struct rank {
    unsigned number;
    int device;
    tkc_stream stream;
    tkc_pointer x, out, staging, signals, epochs;
};

static void need(int result, const struct tkc_symmetric *heap, const char *what) {
    if (result != 0) {
        fprintf(stderr, "error: %s: %s\n", what, heap->problem);
        exit(1);
    }
}

static struct rank prepare(struct tkc_symmetric *heap, unsigned number, int device) {
    struct rank rank = {.number = number, .device = device};
    uint16_t *x = malloc(N * sizeof *x);
    use_device(device);
    rank.stream = make_stream();
    rank.x = allocate(N * sizeof *x);
    rank.out = allocate(N * sizeof *x);
    rank.epochs = allocate(PROGRAMS * sizeof(int32_t));
    for (int i = 0; i < N; i++) { /* fp16: 1, 2 on rank 0, 2, 4 on rank 1 */
        x[i] = (uint16_t)(0x3c00 + 0x400 * (number + (unsigned)i % 2));
    }
    copy_in(rank.x, x, N * sizeof *x);
    check(tkc_fill(rank.epochs, 0, PROGRAMS * sizeof(int32_t), NULL), "clearing epochs");
    check(tkc_stream_wait(NULL), "clearing epochs");
    rank.signals = tkc_symmetric_addresses(heap, number, FLAGS);
    rank.staging = tkc_symmetric_addresses(heap, number, STAGING);
    need(!rank.signals || !rank.staging, heap, "arrays of addresses");
    check(all_reduce_one_shot_load(), "loading");
    free(x);
    return rank;
}

static int wrong_of(const struct rank *rank) {
    uint16_t *out = malloc(N * sizeof *out);
    int wrong = 0;
    use_device(rank->device);
    copy_out(out, rank->out, N * sizeof *out);
    for (int i = 0; i < N; i++) {
        wrong += out[i] != (i % 2 ? 0x4600 : 0x4200); /* 6, 3 */
    }
    free(out);
    return wrong;
}

static void launch(const struct rank *rank) {
    use_device(rank->device);
    check(all_reduce_one_shot_launch(rank->stream, rank->x, rank->out, rank->staging, rank->signals,
                                     rank->epochs, (int32_t)rank->number, N, N),
          "launching");
}

int main(int count, char **words) {
    struct tkc_symmetric heap;
    struct rank ranks[RANKS];
    int devices = 0, own = count > 2 ? 1 : RANKS, wrong = 0;
    int first = count > 2 ? atoi(words[1]) : 0;
    char name[64] = "";
    alarm(SECONDS); /* nothing waits for ever */
    check(tkc_device_count(&devices), "counting devices");
    if (count > 2) {
        need(tkc_symmetric_join(&heap, first % devices, (unsigned)first, RANKS, BYTES, words[2],
                                1000 * SECONDS),
             &heap, "joining");
    } else {
        int ordinals[RANKS] = {0, 1 % devices};
        need(tkc_symmetric_allocate(&heap, ordinals, RANKS, BYTES), &heap, "symmetric memory");
    }
    for (int i = 0; i < own; i++) {
        ranks[i] = prepare(&heap, (unsigned)(first + i), (first + i) % devices);
    }
    double start = now_microseconds();
    for (int t = 0; t < TIMES; t++) {
        for (int i = 0; i < own; i++) {
            launch(&ranks[i]);
        }
    }
    for (int i = 0; i < own; i++) {
        use_device(ranks[i].device);
        check(tkc_stream_wait(ranks[i].stream), "waiting");
    }
    double each = (now_microseconds() - start) / TIMES;
    for (int i = 0; i < own; i++) {
        wrong += wrong_of(&ranks[i]);
    }
    check(tkc_device_name(ranks[0].device, name, sizeof name), "asking for the name");
    printf("several_gpus: %s: ranks %d to %d: %d of %d elements wrong, %.1f us an all-reduce of %d KiB\n",
           name, first, first + own - 1, wrong, own * N, each, N / 512);
    need(tkc_symmetric_free(&heap), &heap, "freeing");
    return wrong != 0;
}
