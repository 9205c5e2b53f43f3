#define _GNU_SOURCE
#include "RealTimeProbe.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define PROBE_SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(PROBE_SANITIZED)

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

// The test binary is an executable. Therefore its symbols have priority over the symbols of all
// shared libraries. Each function here replaces a library function: it counts the call and then
// calls the library function.

static __thread RealTimeProbeCounts counts;
static __thread bool counting;

#define COUNT(field) \
  do { \
    if (counting) counts.field += 1; \
  } while (0)

// Adds the size of a block of memory that was allocated just before.
static void *sized(void *pointer) {
  if (counting && pointer != NULL) counts.bytes += (int64_t)malloc_usable_size(pointer);
  return pointer;
}

// Subtracts the size of a block of memory that is freed just after.
static void forget(void *pointer) {
  if (counting && pointer != NULL) counts.bytes -= (int64_t)malloc_usable_size(pointer);
}

bool real_time_probe_works(void) { return true; }

void real_time_probe_start(void) {
  memset(&counts, 0, sizeof counts);
  counting = true;
}

RealTimeProbeCounts real_time_probe_stop(void) {
  counting = false;
  return counts;
}

// While `dlsym` looks up a library function, `dlsym` itself may allocate memory. It gets memory
// from this array, which is never freed.
static char early_memory[1 << 16];
static size_t early_used;

static void *early_allocation(size_t size) {
  size_t start = (early_used + 15) & ~(size_t)15;
  if (start + size > sizeof early_memory) return NULL;
  early_used = start + size;
  return early_memory + start;
}

static bool is_early(void *pointer) {
  return (char *)pointer >= early_memory && (char *)pointer < early_memory + sizeof early_memory;
}

static bool resolving;

static void *next_function(const char *name) {
  resolving = true;
  void *function = dlsym(RTLD_NEXT, name);
  resolving = false;
  return function;
}

#define NEXT(name, type) \
  static __typeof__(type) *next; \
  if (next == NULL) next = (__typeof__(type) *)next_function(name)

void *malloc(size_t size) {
  COUNT(allocations);
  if (resolving) return early_allocation(size);
  NEXT("malloc", void *(size_t));
  return sized(next(size));
}

void *calloc(size_t count, size_t size) {
  COUNT(allocations);
  // The array `early_memory` is static, and each byte is used only once. Therefore the memory is
  // zero.
  if (resolving) return early_allocation(count * size);
  NEXT("calloc", void *(size_t, size_t));
  return sized(next(count, size));
}

void *realloc(void *pointer, size_t size) {
  COUNT(allocations);
  if (resolving || is_early(pointer)) {
    void *moved = resolving ? early_allocation(size) : malloc(size);
    if (moved != NULL && pointer != NULL) {
      size_t left = (size_t)(early_memory + sizeof early_memory - (char *)pointer);
      memcpy(moved, pointer, size < left ? size : left);
    }
    return moved;
  }
  NEXT("realloc", void *(void *, size_t));
  forget(pointer);
  return sized(next(pointer, size));
}

void free(void *pointer) {
  COUNT(deallocations);
  if (pointer == NULL || is_early(pointer)) return;
  NEXT("free", void (void *));
  forget(pointer);
  next(pointer);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  COUNT(allocations);
  NEXT("posix_memalign", int (void **, size_t, size_t));
  int error = next(pointer, alignment, size);
  if (error == 0) sized(*pointer);
  return error;
}

void *aligned_alloc(size_t alignment, size_t size) {
  COUNT(allocations);
  NEXT("aligned_alloc", void *(size_t, size_t));
  return sized(next(alignment, size));
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  COUNT(locks);
  NEXT("pthread_mutex_lock", int (pthread_mutex_t *));
  return next(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  COUNT(locks);
  NEXT("pthread_mutex_trylock", int (pthread_mutex_t *));
  return next(mutex);
}

// Callers of these functions may expect that reference counting preserves most registers.
#if __has_attribute(preserve_most)
#define KEEPS_REGISTERS __attribute__((preserve_most))
#else
#define KEEPS_REGISTERS
#endif

KEEPS_REGISTERS void *swift_retain(void *object) {
  COUNT(retains);
  NEXT("swift_retain", void *(void *));
  return next(object);
}

KEEPS_REGISTERS void swift_release(void *object) {
  COUNT(releases);
  NEXT("swift_release", void (void *));
  next(object);
}

void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask) {
  COUNT(objects);
  NEXT("swift_allocObject", void *(const void *, size_t, size_t));
  return next(metadata, size, alignment_mask);
}

void swift_beginAccess(void *pointer, void *buffer, uintptr_t flags, void *program_counter) {
  COUNT(accesses);
  NEXT("swift_beginAccess", void (void *, void *, uintptr_t, void *));
  next(pointer, buffer, flags, program_counter);
}

#else

bool real_time_probe_works(void) { return false; }

void real_time_probe_start(void) {}

RealTimeProbeCounts real_time_probe_stop(void) {
  RealTimeProbeCounts none = {0};
  return none;
}

#endif
