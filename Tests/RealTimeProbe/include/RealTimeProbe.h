#ifndef REAL_TIME_PROBE_H
#define REAL_TIME_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/// Counts the calls of one thread that the render path must not make.
typedef struct {
  int64_t allocations;
  int64_t deallocations;
  int64_t locks;
  int64_t retains;
  int64_t releases;
  int64_t objects;
  int64_t accesses;

  /// The number of allocated bytes minus the number of freed bytes. The allocator rounds both.
  int64_t bytes;
} RealTimeProbeCounts;

/// Whether this build counts calls. It does so on Linux, without a sanitizer.
bool real_time_probe_works(void);

/// Starts counting the calls of this thread from zero.
void real_time_probe_start(void);

/// Stops counting and returns the numbers of calls.
RealTimeProbeCounts real_time_probe_stop(void);

/// Whether the CPU sets an underflow flag. This is true on x86-64.
bool real_time_probe_sees_underflow(void);

/// Clears this thread's underflow flag, bit 4 of MXCSR.
void real_time_probe_clear_underflow(void);

/// Whether a result of this thread has underflowed since the flag was cleared. Such a result is
/// inexact, and is denormal or 0.
bool real_time_probe_has_underflowed(void);

#endif
