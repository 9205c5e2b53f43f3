#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdint.h>

/// The number of blocks that the calling thread has allocated so far. Only on Linux with glibc can
/// this module count allocations. On other systems, the number is always 0.
int64_t allocation_count(void);

/// The number of bytes that the calling thread has allocated and not freed. The allocator rounds
/// the size of each block. A block that another thread frees still counts.
int64_t allocated_bytes(void);

#endif
