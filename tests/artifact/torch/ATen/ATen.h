#include <cuda.h>

#include "../fake_torch.h"
