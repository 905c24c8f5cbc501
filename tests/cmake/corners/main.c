#include <stdio.h>

#if !__has_include("one.h") || !__has_include("two.h") || !__has_include("three.h")
#error a launcher is not there
#endif

int main(void) {
    puts("all kernels are in");
    return 0;
}
