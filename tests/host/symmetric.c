/* tkc_symmetric.h on a stand-in for the driver: memory of two devices in one process and of three processes, arrays of addresses, and
 * every call of the driver failing in turn. */
#include "tkc/tkc_symmetric.h"

#include <signal.h>
#include <sys/wait.h>

static int bad;
#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                           \
            bad = 1;                                                                                         \
        }                                                                                                    \
    } while (0)

static int number_of(const char *name) {
    int (*function)(void);
    void *symbol = tkc_driver_symbol(name);
    memcpy(&function, &symbol, sizeof symbol);
    return function();
}

static void set(const char *name, int number) {
    void (*function)(int);
    void *symbol = tkc_driver_symbol(name);
    memcpy(&function, &symbol, sizeof symbol);
    function(number);
}

static int *at(tkc_pointer address) {
    return (int *)(uintptr_t)address;
}

static int open_files(void) {
    int count = 0;
    for (int file = 0; file < 256; file++) {
        count += lseek(file, 0, SEEK_CUR) >= 0 || errno != EBADF;
    }
    return count;
}

static int both(struct tkc_symmetric *heap, tkc_pointer *array) {
    static const int devices[2] = {0, 1};
    int result = tkc_symmetric_allocate(heap, devices, 2, 100000);
    *array = result ? 0 : tkc_symmetric_addresses(heap, 1, 4096);
    return result ? result : *array ? 0 : 719;
}

static void one_process(void) {
    struct tkc_symmetric heap;
    tkc_pointer array;
    EXPECT(both(&heap, &array) == 0);
    EXPECT(heap.bytes == 131072 && heap.ranks == 2 && heap.own == 2);
    EXPECT(at(heap.memory[0])[0] == 0 && at(heap.memory[1])[32767] == 0);
    EXPECT(((uint64_t *)(uintptr_t)array)[0] == heap.memory[0] + 4096);
    EXPECT(((uint64_t *)(uintptr_t)array)[1] == heap.memory[1] + 4096);
    EXPECT(tkc_symmetric_addresses(&heap, 2, 0) == 0 &&
           strstr(heap.problem, "this process has ranks 0 to 1"));
    EXPECT(tkc_symmetric_addresses(&heap, 0, heap.bytes) == 0);
    EXPECT(tkc_symmetric_free(&heap) == 0 && heap.ranks == 0);
    EXPECT(tkc_symmetric_free(&heap) == 0);
    EXPECT(number_of("symmetric_alive") == 0);
}

/* Each call of the driver fails once: the code and a text come back, and nothing stays. */
static void each_call_fails(void) {
    struct tkc_symmetric heap;
    tkc_pointer array;
    int failed = 1, number, files = open_files();
    for (number = 1; failed; number++) {
        set("symmetric_fail", number);
        failed = both(&heap, &array);
        EXPECT(!failed || failed == 719);
        EXPECT(!failed || strstr(heap.problem, "the planted failure"));
        set("symmetric_fail", 0);
        EXPECT(tkc_symmetric_free(&heap) == 0);
        EXPECT(number_of("symmetric_alive") == 0 && open_files() == files);
    }
    EXPECT(number > 20);
    for (number = 1;; number++) { /* while it is freed: the rest goes nevertheless */
        EXPECT(both(&heap, &array) == 0);
        set("symmetric_fail", number);
        failed = tkc_symmetric_free(&heap);
        int calls = number_of("symmetric_calls");
        set("symmetric_fail", 0);
        if (calls < number) {
            break;
        }
        EXPECT(failed == 719 && number_of("symmetric_alive") <= 4);
        EXPECT(heap.ranks == 0 && tkc_symmetric_free(&heap) == 0);
        set("symmetric_forget", 0);
    }
    EXPECT(number > 6);
}

static void limits(void) {
    static const int devices[2] = {0, 1};
    struct tkc_symmetric heap;
    EXPECT(tkc_symmetric_allocate(&heap, devices, 0, 1) == TKC_SYMMETRIC_LIMIT);
    EXPECT(tkc_symmetric_allocate(&heap, devices, 2, 0) == TKC_SYMMETRIC_LIMIT);
    EXPECT(tkc_symmetric_allocate(&heap, devices, 17, 1) == TKC_SYMMETRIC_LIMIT &&
           strstr(heap.problem, "1 to 16 ranks"));
    set("symmetric_separate", 1);
    EXPECT(tkc_symmetric_allocate(&heap, devices, 2, 1) == TKC_SYMMETRIC_PEERS);
    EXPECT(strstr(heap.problem, "GPU 0 does not reach the memory of GPU 1"));
    set("symmetric_separate", 0);
    EXPECT(tkc_symmetric_join(&heap, 0, 0, 2, 1, "/tmp/tkc_symmetric_nobody_is_here", 30) ==
           TKC_SYMMETRIC_SOCKET);
    EXPECT(strstr(heap.problem, "it did not come in time"));
    EXPECT(tkc_symmetric_join(
               &heap, 0, 0, 2, 1,
               "/tmp/a_name_that_is_much_too_long_for_a_socket_of_the_local_host_because_they_end_at_108_"
               "characters_or_so",
               30) == TKC_SYMMETRIC_SOCKET);
    EXPECT(number_of("symmetric_alive") == 0);
}

enum { RANKS = 3, WAIT = 20000 };

/* One of three processes; `fail`: the driver's call that fails in this one. */
static int member(unsigned rank, const char *path, int fail, unsigned milliseconds, size_t bytes) {
    struct tkc_symmetric heap;
    unsigned peer;
    int files = open_files(), result;
    tkc_open();
    files = open_files();
    set("symmetric_fail", fail);
    result = tkc_symmetric_join(&heap, (int)(rank % 2), rank, RANKS, bytes, path, milliseconds);
    set("symmetric_fail", 0);
    if (result != 0) {
        EXPECT(heap.problem[0] && number_of("symmetric_alive") == 0 && open_files() == files);
        return bad ? 2 : 1;
    }
    for (peer = 0; peer < RANKS; peer++) { /* a word to each, and one from each */
        at(heap.memory[peer])[rank] = 100 + (int)rank;
    }
    for (peer = 0; peer < RANKS; peer++) {
        double until = tkc_symmetric_clock() + WAIT;
        while (__atomic_load_n(&at(heap.memory[rank])[peer], __ATOMIC_ACQUIRE) != 100 + (int)peer &&
               tkc_symmetric_clock() < until) {
        }
        EXPECT(at(heap.memory[rank])[peer] == 100 + (int)peer);
    }
    EXPECT(tkc_symmetric_free(&heap) == 0 && number_of("symmetric_alive") == 0 && open_files() == files);
    return bad ? 2 : 0;
}

/* The exit statuses of the three, as digits. */
static int together(const char *path, int fail, unsigned milliseconds, size_t odd) {
    pid_t pids[RANKS];
    int said = 0, status;
    unsigned rank;
    fflush(stdout);
    for (rank = 0; rank < RANKS; rank++) {
        pids[rank] = fork();
        if (pids[rank] == 0) {
            int code = member(rank, path, rank == 1 ? fail : 0, milliseconds, rank == 2 ? odd : 200000);
            fflush(stdout);
            _exit(code);
        }
    }
    for (rank = 0; rank < RANKS; rank++) {
        waitpid(pids[rank], &status, 0);
        said = said * 10 + (WIFEXITED(status) ? WEXITSTATUS(status) : 9);
    }
    return said;
}

static void processes(void) {
    char path[64];
    int number, said = 1;
    snprintf(path, sizeof path, "/tmp/tkc_symmetric_%d", (int)getpid());
    EXPECT(together(path, 0, WAIT, 200000) == 0);
    EXPECT(together(path, 0, WAIT, 200000) == 0); /* the path again */
    said = together(path, 0, 200, 400000);        /* one wants more memory */
    EXPECT(said == 111);
    for (number = 1; said != 0 && number < 60; number++) {
        said = together(path, number, 150, 200000); /* then none of them goes on */
        EXPECT(said == 0 || said == 111);
    }
    EXPECT(number > 15 && number < 60);
    for (number = 5; number < 15;
         number += 3) { /* killed, with its socket left behind: all may begin again */
        set("symmetric_kills", 1);
        said = together(path, number, 150, 200000);
        set("symmetric_kills", 0);
        EXPECT(said == 191);
        EXPECT(together(path, 0, WAIT, 200000) == 0);
    }
    snprintf(path, sizeof path, "/tmp/tkc_symmetric_%d.1", (int)getpid());
    EXPECT(access(path, F_OK) != 0);
}

int main(void) {
    EXPECT(tkc_open() == 0);
    one_process();
    each_call_fails();
    limits();
    processes();
    printf("%s\n", bad ? "failed" : "symmetric memory: passed");
    return bad;
}
