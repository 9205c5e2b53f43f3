// The interfaces of LADSPA 1.1 and LV2 1.0, declared here according to their documentation.

#include <stdint.h>

typedef struct {
  int hints;
  float minimum, maximum;
} LadspaRange;

typedef struct LadspaDescriptor {
  unsigned long identifier;
  const char *label;
  int properties;
  const char *name, *maker, *copyright;
  unsigned long portCount;
  const int *portKinds;
  const char *const *portNames;
  const LadspaRange *portRanges;
  void *unused;
  void *(*instantiate)(const struct LadspaDescriptor *, unsigned long sampleRate);
  void (*connect)(void *, unsigned long port, float *);
  void (*activate)(void *);
  void (*run)(void *, unsigned long frameCount);
  void (*runAdding)(void *, unsigned long frameCount);
  void (*setRunAddingGain)(void *, float);
  void (*deactivate)(void *);
  void (*cleanup)(void *);
} LadspaDescriptor;

typedef struct LV2Descriptor {
  const char *uri;
  void *(*instantiate)(const struct LV2Descriptor *, double sampleRate, const char *bundle, const void *const *features);
  void (*connect)(void *, uint32_t port, void *);
  void (*activate)(void *);
  void (*run)(void *, uint32_t frameCount);
  void (*deactivate)(void *);
  void (*cleanup)(void *);
  const void *(*extension)(const char *uri);
} LV2Descriptor;
