// Functions that code in Embedded Swift calls, and that no library provides for WebAssembly:
// memory, 128-bit multiplication, Unicode data. Mathematical functions come from JavaScript.

#include <stddef.h>
#include <stdint.h>

// Memory is allocated in blocks. The size of a block is a power of two, at least 32 bytes. A freed
// block is used again for the same size. No memory is returned to the browser. Only one thread uses
// an instance of the module.

#define SMALLEST 5
#define PAGE 65536u

typedef struct Block {
  struct Block *next;  // the next free block of this size, if this block is free
  uint32_t order;      // the size, including this header, is two to this power
} Block;

#define HEADER 16u

extern unsigned char __heap_base;
static Block *freeBlocks[32];
static uintptr_t end;

static void *allocate(size_t size) {
  uint32_t order = SMALLEST;
  while (order < 31 && ((size_t)1 << order) < size + HEADER) order++;
  if (size > ((size_t)1 << 30) || order >= 31) return NULL;
  Block *block = freeBlocks[order];
  if (block) {
    freeBlocks[order] = block->next;
  } else {
    if (!end) end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    uintptr_t last = end + ((uintptr_t)1 << order);
    uintptr_t available = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    if (last > available) {
      size_t pages = (last - available + PAGE - 1) / PAGE;
      if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
    }
    block = (Block *)end;
    block->order = order;
    end = last;
  }
  return (unsigned char *)block + HEADER;
}

static void release(void *pointer) {
  Block *block = (Block *)((unsigned char *)pointer - HEADER);
  block->next = freeBlocks[block->order];
  freeBlocks[block->order] = block;
}

// Stores a word before the result, for `free`. If `alignment` is above 16, this word is the address
// of the allocated block. Otherwise, it is 0.
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment <= 16) {
    *result = allocate(size);
    if (*result) ((uintptr_t *)*result)[-1] = 0;
  } else {
    unsigned char *block = allocate(size + alignment + 16);
    *result = NULL;
    if (block) {
      uintptr_t aligned = ((uintptr_t)block + 16 + alignment - 1) & ~(uintptr_t)(alignment - 1);
      ((uintptr_t *)aligned)[-1] = (uintptr_t)block;
      *result = (void *)aligned;
    }
  }
  return *result ? 0 : 12;  // ENOMEM
}

void free(void *pointer) {
  if (!pointer) return;
  uintptr_t block = ((uintptr_t *)pointer)[-1];
  release(block ? (void *)block : pointer);
}

// With bulk memory operations, each of these functions is a single instruction.
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }

int memcmp(const void *first, const void *second, size_t count) {
  const unsigned char *a = first, *b = second;
  for (; count; count--, a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}

// Swift calls this function to get the seeds of hash tables. Here, hash tables contain only the
// points of the listener's audiogram. Therefore a constant seed is sufficient.
void arc4random_buf(void *buffer, size_t count) { __builtin_memset(buffer, 0x5a, count); }

__int128 __multi3(__int128 first, __int128 second) {
  uint64_t a = (uint64_t)first, b = (uint64_t)second;
  uint64_t aLow = (uint32_t)a, aHigh = a >> 32, bLow = (uint32_t)b, bHigh = b >> 32;
  uint64_t low = aLow * bLow, cross = aHigh * bLow + (low >> 32);
  uint64_t other = aLow * bHigh + (uint32_t)cross;
  uint64_t high = aHigh * bHigh + (cross >> 32) + (other >> 32);
  high += (uint64_t)((unsigned __int128)first >> 64) * b + a * (uint64_t)((unsigned __int128)second >> 64);
  return (__int128)(((unsigned __int128)high << 64) | (other << 32) | (uint32_t)low);
}

// Rounds halves away from zero.
double round(double x) { return __builtin_trunc(x + __builtin_copysign(0x1.fffffffffffffp-2, x)); }

// Computes x · y + z and rounds only the result. In rare ties, the rounding is not exact. The
// rounding errors of the product (Dekker 1971) and of the sum (Knuth) are added last. Swift uses
// this function only for `stride`.
double fma(double x, double y, double z) {
  const double split = 134217729;
  double product = x * y;
  double a = split * x, b = split * y;
  double xHigh = a - (a - x), yHigh = b - (b - y);
  double xLow = x - xHigh, yLow = y - yHigh;
  double productError = ((xHigh * yHigh - product) + xHigh * yLow + xLow * yHigh) + xLow * yLow;
  double sum = product + z;
  double part = sum - product;
  double sumError = (product - (sum - part)) + (z - part);
  double result = sum + (productError + sumError);
  return result - result == 0 ? result : sum;
}

// Data of Unicode normalization. All text of the modules is ASCII, which is always normalized.
uint16_t _swift_stdlib_getNormData(uint32_t scalar) { return 0; }
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { return 0; }
uint32_t _swift_stdlib_getComposition(uint32_t x, uint32_t y) { return UINT32_MAX; }
const uint8_t *_swift_stdlib_nfd_decompositions = NULL;
