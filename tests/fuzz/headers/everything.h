/* Every name and macro of the standard headers, ahead of a launcher. Read once: check.sh has it precompiled. */
#ifndef EVERYTHING_H
#define EVERYTHING_H
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>
#ifndef __cplusplus
#include <complex.h>
#include <tgmath.h>
#if __STDC_VERSION__ >= 201112L
#include <stdalign.h>
#include <stdatomic.h>
#include <stdnoreturn.h>
#include <threads.h>
#include <uchar.h>
#endif
#endif
#ifdef __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#else
#include <cuda.h>
#endif
#endif
