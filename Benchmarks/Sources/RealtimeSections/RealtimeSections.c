#include "RealtimeSections.h"

#if defined(__has_feature) && __has_feature(realtime_sanitizer)
void __rtsan_realtime_enter(void);
void __rtsan_realtime_exit(void);

bool realtime_is_checked(void) { return true; }
void realtime_enter(void) { __rtsan_realtime_enter(); }
void realtime_exit(void) { __rtsan_realtime_exit(); }
#else
bool realtime_is_checked(void) { return false; }
void realtime_enter(void) {}
void realtime_exit(void) {}
#endif
