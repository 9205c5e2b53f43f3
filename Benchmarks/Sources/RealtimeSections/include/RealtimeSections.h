#ifndef REALTIME_SECTIONS_H
#define REALTIME_SECTIONS_H

#include <stdbool.h>

/// Whether RealtimeSanitizer is linked, so that a forbidden call between enter and exit ends the process with 43.
bool realtime_is_checked(void);
void realtime_enter(void);
void realtime_exit(void);

#endif
