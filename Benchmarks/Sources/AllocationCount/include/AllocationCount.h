#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdint.h>

/// How many blocks the calling thread has allocated so far. Always 0 where allocation cannot be
/// interposed (anything but Linux with glibc).
int64_t allocation_count(void);

/// How many bytes the calling thread has allocated and not freed, as far as the allocator rounds
/// them; blocks that another thread frees are missed.
int64_t allocated_bytes(void);

#endif
