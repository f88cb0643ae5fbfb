#pragma once

#include <stdint.h>

/// How many blocks of memory the calling thread has asked for so far.
///
/// -1 where allocations cannot be counted: anywhere but on glibc, and under a sanitizer, which has an allocator of its
/// own. Tests that count skip themselves then.
int64_t tackline_allocation_count(void);

/// How many bytes the calling thread has allocated and not freed, as the allocator rounds them.
///
/// Negative for a thread that frees what others allocated. 0 where allocations cannot be counted.
int64_t tackline_live_bytes(void);

/// The most bytes that `tackline_live_bytes` has given on this thread since it was last forgotten.
int64_t tackline_most_live_bytes(void);

/// Starts anew from the bytes that are live now.
void tackline_forget_most_live_bytes(void);

/// How many bytes of the process's heap are in use: what was allocated and not freed. What the allocator only keeps for
/// later is not counted, so this tells a leak from a heap with holes.
///
/// -1 where the allocator does not say: anywhere but on glibc 2.33 and later.
int64_t tackline_heap_bytes_in_use(void);
