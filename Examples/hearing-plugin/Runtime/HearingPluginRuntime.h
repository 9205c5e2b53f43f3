// The interface between the C part and the Swift part of the plugin: ports, functions that hosts
// call, and functions that use the C library.

#ifndef HEARING_PLUGIN_RUNTIME_H
#define HEARING_PLUGIN_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The ports, in the same order for LADSPA and LV2. Hosts store settings by port number or by port
// name, so neither may change. New ports are added at the end.
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

// Implemented in Swift, called by hosts. Only one thread at a time uses an instance.
void *_Nullable hearing_create(double sampleRate);
void hearing_connect(void *_Nonnull instance, uint32_t port, float *_Nullable data);
void hearing_activate(void *_Nonnull instance);
void hearing_run(void *_Nonnull instance, uint32_t frameCount);
void hearing_deactivate(void *_Nonnull instance);
void hearing_destroy(void *_Nonnull instance);

// The helper thread of an instance. It always has normal scheduling, even if a real-time thread
// starts it.
typedef struct HearingThread HearingThread;
HearingThread *_Nullable hearing_thread_start(
    void (*_Nonnull body)(void *_Nonnull context, HearingThread *_Nonnull thread), void *_Nonnull context);
// Wakes the helper without blocking.
void hearing_thread_wake(HearingThread *_Nonnull thread);
// Waits until the helper is woken, or at most `milliseconds` ms if `milliseconds` is above 0.
// Returns false when the thread must end.
bool hearing_thread_wait(HearingThread *_Nonnull thread, int milliseconds);
// Stops the helper, waits until its thread has ended, and frees it.
void hearing_thread_end(HearingThread *_Nonnull thread);

// Identifies a version of a file.
typedef struct {
  uint64_t device, number, size;
  int64_t seconds, nanoseconds;
} HearingFileVersion;

// Writes the version of a file and returns 0, or returns the value of `errno`.
int hearing_file_version(const char *_Nonnull path, HearingFileVersion *_Nonnull version);
// Reads at most `capacity` bytes of a regular file. Returns their number, or −1.
ptrdiff_t hearing_file_read(const char *_Nonnull path, uint8_t *_Nonnull bytes, size_t capacity);
// Writes the path of a file of this package in the user's configuration folder. Returns false if
// the folder is unknown or the path is too long.
bool hearing_configuration_path(const char *_Nonnull name, char *_Nonnull path, size_t capacity);

#endif
