// What the C part and the Swift part of the plugin know of each other: ports, the functions that hosts call, and those that
// the C library provides.

#ifndef HEARING_PLUGIN_RUNTIME_H
#define HEARING_PLUGIN_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The ports, in the same order for LADSPA and LV2. Hosts store settings by number or by name: neither may change, and new
// ports come last.
enum {
  PortInputLeft,
  PortInputRight,
  PortOutputLeft,
  PortOutputRight,
  PortEnabled,
  PortFollow,
  PortHeadphone,
  PortIntensity,
  PortFullScale,
  PortProgram,
  PortThresholds,  // eight of the left ear, then eight of the right ear
  PortReduction = PortThresholds + 16,
  PortPeak,
  PortPresetStatus,
  PortHeadphoneStatus,
  PortCount,
};

// Made in Swift, called by hosts. An instance is used by one thread at a time.
void *_Nullable hearing_create(double sampleRate);
void hearing_connect(void *_Nonnull instance, uint32_t port, float *_Nullable data);
void hearing_activate(void *_Nonnull instance);
void hearing_run(void *_Nonnull instance, uint32_t frameCount);
void hearing_deactivate(void *_Nonnull instance);
void hearing_destroy(void *_Nonnull instance);

// The helper thread of an instance. It has the ordinary scheduling of a process, whatever the thread has that starts it.
typedef struct HearingThread HearingThread;
HearingThread *_Nullable hearing_thread_start(
    void (*_Nonnull body)(void *_Nonnull context, HearingThread *_Nonnull thread), void *_Nonnull context);
// Wakes the helper; waits for nobody.
void hearing_thread_wake(HearingThread *_Nonnull thread);
// Waits until the helper is woken, or for some milliseconds if they are above 0. Returns false when the thread must end.
bool hearing_thread_wait(HearingThread *_Nonnull thread, int milliseconds);
// Ends the helper, waits for its end, and frees it.
void hearing_thread_end(HearingThread *_Nonnull thread);

// What tells two versions of a file apart.
typedef struct {
  uint64_t device, number, size;
  int64_t seconds, nanoseconds;
} HearingFileVersion;

// 0 and the version of a file, or the number of the system's error.
int hearing_file_version(const char *_Nonnull path, HearingFileVersion *_Nonnull version);
// Reads at most `capacity` bytes of a regular file. Returns their number, or −1.
ptrdiff_t hearing_file_read(const char *_Nonnull path, uint8_t *_Nonnull bytes, size_t capacity);
// Writes the path of a file of this package in the user's configuration folder; false if there is none.
bool hearing_configuration_path(const char *_Nonnull name, char *_Nonnull path, size_t capacity);

#endif
