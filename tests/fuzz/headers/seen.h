/* The recording driver's (tests/artifact) records, for the programs of fuzz_headers. */
#ifdef __cplusplus
extern "C" {
#endif
extern const char *seen_kernel;
extern unsigned seen_grid[3];
extern unsigned char seen_arguments[16][8];
extern int seen_count; /* arguments of the next launch's kernel */
extern int seen_faults;
extern const char *seen_file; /* the only image file there is */
void seen_fault(int line, const char *what);
#ifdef __cplusplus
}
#define SEEN_C extern "C"
#else
#define SEEN_C
#endif
/* The function of a set. */
#define SEEN_SET(number)                                                                                     \
    SEEN_C void set_##number(void);                                                                          \
    void set_##number(void)

enum { SEEN_MULTIPROCESSORS = 7 };
#define SEEN_DEVICE "fuzzed"
#define SEEN_FOLDER "odd \"folder\"/"

/* An image with every character special in a string literal. */
#define SEEN_IMAGE                                                                                           \
    "ptx \"\\?"                                                                                              \
    "?/\t\r\n\0017\377\303\2748?"                                                                            \
    "?="

#define SEEN(condition) ((condition) ? (void)0 : seen_fault(__LINE__, #condition))
#define LAUNCHED(call) SEEN((call) == CUDA_SUCCESS)
#define REFUSED(call) SEEN((call) == CUDA_ERROR_INVALID_VALUE)
#define SEEN_KERNEL(name, x, y, z)                                                                           \
    SEEN(strcmp(seen_kernel, name) == 0 && seen_grid[0] == (x) && seen_grid[1] == (y) && seen_grid[2] == (z))
#define SEEN_INTEGER(index, bytes, value)                                                                    \
    do {                                                                                                     \
        uint64_t seen = value;                                                                               \
        SEEN(memcmp(seen_arguments[index], &seen, bytes) == 0);                                              \
    } while (0)
#define SEEN_DOUBLE(index, value)                                                                            \
    do {                                                                                                     \
        double seen = value;                                                                                 \
        SEEN(memcmp(seen_arguments[index], &seen, 8) == 0);                                                  \
    } while (0)
