// input_NAME FILE…: every file through the function of a fuzzer. A crash or an internal error fails the test by itself.
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_input.h"
#include "support/file.h"

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        size_t length;
        char *bytes = file_read(argv[i], &length);
        if (!bytes) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        fprintf(stderr, "%s\n", argv[i]); // the last one is at fault
        LLVMFuzzerTestOneInput((const uint8_t *)bytes, length);
        free(bytes);
    }
    printf("%d inputs\n", argc - 1);
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
