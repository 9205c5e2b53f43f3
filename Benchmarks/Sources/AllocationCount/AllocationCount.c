#include "AllocationCount.h"

static __thread int64_t count;
static __thread int64_t bytes;

int64_t allocation_count(void) { return count; }
int64_t allocated_bytes(void) { return bytes; }

#if defined(__linux__) && defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void *counted(void *block) {
  if (block) {
    count += 1;
    bytes += (int64_t)malloc_usable_size(block);
  }
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return counted(__libc_calloc(n, size)); }
void *aligned_alloc(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = counted(__libc_memalign(alignment, size));
  return *block ? 0 : ENOMEM;
}
void *realloc(void *block, size_t size) {
  if (block) bytes -= (int64_t)malloc_usable_size(block);
  return counted(__libc_realloc(block, size));
}
void free(void *block) {
  if (block) bytes -= (int64_t)malloc_usable_size(block);
  __libc_free(block);
}

#endif
