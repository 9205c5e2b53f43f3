#include "RealTimeProbe.h"

#if defined(__x86_64__)

#include <xmmintrin.h>

static const unsigned underflow = 1u << 4;

bool real_time_probe_sees_underflow(void) { return true; }

void real_time_probe_clear_underflow(void) { _mm_setcsr(_mm_getcsr() & ~underflow); }

bool real_time_probe_has_underflowed(void) { return (_mm_getcsr() & underflow) != 0; }

#else

bool real_time_probe_sees_underflow(void) { return false; }

void real_time_probe_clear_underflow(void) {}

bool real_time_probe_has_underflowed(void) { return false; }

#endif
