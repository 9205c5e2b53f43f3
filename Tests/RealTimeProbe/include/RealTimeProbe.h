#ifndef REAL_TIME_PROBE_H
#define REAL_TIME_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/// Calls that the render path must not make, counted on the calling thread.
typedef struct {
  int64_t allocations;
  int64_t deallocations;
  int64_t locks;
  int64_t retains;
  int64_t releases;
  int64_t objects;
  int64_t accesses;

  /// The number of bytes allocated minus the number of bytes freed, as the allocator rounds them.
  int64_t bytes;
} RealTimeProbeCounts;

/// Whether calls are counted in this build: on Linux, without a sanitizer.
bool real_time_probe_works(void);

/// Starts counting the calls of this thread from zero.
void real_time_probe_start(void);

/// Stops counting and returns what was counted.
RealTimeProbeCounts real_time_probe_stop(void);

/// Whether the processor flags results that are too small for a normal number; true on x86-64.
bool real_time_probe_sees_underflow(void);

/// Clears this thread's underflow flag, bit 4 of MXCSR.
void real_time_probe_clear_underflow(void);

/// Whether an inexact result of this thread has been a denormal or 0 since the flag was cleared.
bool real_time_probe_has_underflowed(void);

#endif
