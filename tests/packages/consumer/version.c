#include <stdio.h>

#include <tkc/tkc.h>

int main(void) {
    puts(tkc_version());
    return 0;
}
