#include "heap_figures.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)

#include <malloc.h>

int64_t tackline_heap_bytes_in_use(void) {
    struct mallinfo2 figures = mallinfo2();
    return (int64_t)(figures.uordblks + figures.hblkhd);
}

#else

int64_t tackline_heap_bytes_in_use(void) { return -1; }

#endif
