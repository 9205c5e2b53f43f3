#ifndef REALTIME_SECTIONS_H
#define REALTIME_SECTIONS_H

#include <stdbool.h>

/// Whether RealtimeSanitizer is linked. It ends the process with exit code 43 on a forbidden call
/// between `realtime_enter` and `realtime_exit`.
bool realtime_is_checked(void);
void realtime_enter(void);
void realtime_exit(void);

#endif
