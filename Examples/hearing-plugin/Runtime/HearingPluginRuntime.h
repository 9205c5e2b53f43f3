// The interface between the C part and the Swift part of the plugin: ports, functions that hosts
// call, and functions that use the C library.

#ifndef HEARING_PLUGIN_RUNTIME_H
#define HEARING_PLUGIN_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The ports of the plugin: audio channels and parameters. LADSPA and LV2 use the same order. Hosts
// store settings with the number or the name of a port. Therefore the numbers and names must not
// change, and new ports are added at the end.
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
  PortThresholds,  // eight thresholds of the left ear, then eight thresholds of the right ear
  PortReduction = PortThresholds + 16,
  PortPeak,
  PortPresetStatus,
  PortHeadphoneStatus,
  PortCount,
};

// These functions are implemented in Swift. Hosts call them from one thread at a time for each
// instance.
void *_Nullable hearing_create(double sampleRate);
void hearing_connect(void *_Nonnull instance, uint32_t port, float *_Nullable data);
void hearing_activate(void *_Nonnull instance);
void hearing_run(void *_Nonnull instance, uint32_t frameCount);
void hearing_deactivate(void *_Nonnull instance);
void hearing_destroy(void *_Nonnull instance);

// The helper thread of an instance. It has normal priority, even if a real-time thread starts it.
typedef struct HearingThread HearingThread;
HearingThread *_Nullable hearing_thread_start(
    void (*_Nonnull body)(void *_Nonnull context, HearingThread *_Nonnull thread), void *_Nonnull context);
// Wakes the helper thread without blocking.
void hearing_thread_wake(HearingThread *_Nonnull thread);
// Waits until the helper thread is woken. If `milliseconds` is above 0, waits at most
// `milliseconds` ms. Returns false when the thread must end.
bool hearing_thread_wait(HearingThread *_Nonnull thread, int milliseconds);
// Stops the helper thread, waits until it has ended, and frees its memory.
void hearing_thread_end(HearingThread *_Nonnull thread);

// Identifies a version of a file. If any field has changed, the file has changed.
typedef struct {
  uint64_t device, number, size;
  int64_t seconds, nanoseconds;
} HearingFileVersion;

// Writes the version of a file to `version` and returns 0. After an error, returns the value of
// `errno`.
int hearing_file_version(const char *_Nonnull path, HearingFileVersion *_Nonnull version);
// Reads at most `capacity` bytes of a regular file. Returns the number of bytes read, or −1 after
// an error.
ptrdiff_t hearing_file_read(const char *_Nonnull path, uint8_t *_Nonnull bytes, size_t capacity);
// Writes to `path` the path of the file `name` in the package's folder of the user's configuration.
// Returns false if the folder is unknown or the path is too long.
bool hearing_configuration_path(const char *_Nonnull name, char *_Nonnull path, size_t capacity);

#endif
