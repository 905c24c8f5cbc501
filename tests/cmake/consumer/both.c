#include <tkc/tkc_runtime.h> /* of the installation: tkc_add_kernels says where */

int both_vendors(void);

int both_vendors(void) {
    return TKC_NVIDIA == 1 && TKC_AMD == 2 ? 2 : 0;
}
