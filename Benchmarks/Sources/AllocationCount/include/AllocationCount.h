#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdint.h>

/// The number of blocks that the calling thread has allocated so far. Always 0 where allocation
/// cannot be interposed: on all systems except Linux with glibc.
int64_t allocation_count(void);

/// The number of bytes that the calling thread has allocated and not freed, as rounded by the
/// allocator. A block that another thread frees still counts.
int64_t allocated_bytes(void);

#endif
