// Counts the allocations of each thread, by standing in for the allocator of the process that this is linked into.
//
// The linker prefers the definitions of an executable over those of its libraries, so these functions are called by
// the Swift runtime and by Foundation too. They hand everything on to glibc under its second names. The counters
// belong to the thread, so tests that run beside a counting one do not disturb it.

#include "allocation_counter.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OTHER_ALLOCATOR 1
#endif
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#else
#define __GLIBC_PREREQ(major, minor) 0
#endif

int64_t tackline_heap_bytes_in_use(void) {
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 figures = mallinfo2();
    return (int64_t)(figures.uordblks + figures.hblkhd);
#else
    return -1;
#endif
}

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

// The initial-exec model reads the counter without a call, which could allocate itself.
static __thread int64_t allocation_count __attribute__((tls_model("initial-exec")));
static __thread int64_t live_bytes __attribute__((tls_model("initial-exec")));
static __thread int64_t most_bytes __attribute__((tls_model("initial-exec")));

static void *counted(void *block) {
    if (block) {
        allocation_count += 1;
        live_bytes += (int64_t)malloc_usable_size(block);
        if (live_bytes > most_bytes) most_bytes = live_bytes;
    }
    return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *block = counted(__libc_memalign(alignment, size));
    if (!block) return ENOMEM;
    *out = block;
    return 0;
}

void *realloc(void *block, size_t size) {
    int64_t before = block ? (int64_t)malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    if (moved || size == 0) live_bytes -= before;
    return counted(moved);
}

void free(void *block) {
    if (!block) return;
    live_bytes -= (int64_t)malloc_usable_size(block);
    __libc_free(block);
}

int64_t tackline_allocation_count(void) { return allocation_count; }

int64_t tackline_live_bytes(void) { return live_bytes; }

int64_t tackline_most_live_bytes(void) { return most_bytes; }

void tackline_forget_most_live_bytes(void) { most_bytes = live_bytes; }

#else

int64_t tackline_allocation_count(void) { return -1; }

int64_t tackline_live_bytes(void) { return 0; }

int64_t tackline_most_live_bytes(void) { return 0; }

void tackline_forget_most_live_bytes(void) {}

#endif
