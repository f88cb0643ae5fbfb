#ifndef TACKLINE_HEAP_FIGURES_H
#define TACKLINE_HEAP_FIGURES_H

#include <stdint.h>

/// How many bytes of the process's heap are in use: what was allocated and not freed. What the allocator only keeps for
/// later is not counted, so this tells a leak from a heap with holes.
///
/// -1 where the allocator does not say: anywhere but on glibc 2.33 and later.
int64_t tackline_heap_bytes_in_use(void);

#endif
