// A host that misuses the plugin on purpose: host LIBRARY [SEED]. The host prints the errors that
// it finds. It ends with 1 if it finds an error of the plugin. The host counts the calls of some C
// library functions inside `run`, starting with the second block after activation.

#define _GNU_SOURCE
#include "HostInterfaces.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { Ports = 30, FirstControl = 4, FirstMeter = 26, Most = 5000 };

// The following functions replace the functions of the C library with the same names.
static _Thread_local bool isCounting;
static _Thread_local long callCount;
static void count(void) { callCount += isCounting; }
#define FORWARD(result, name, parameters, arguments) \
  result name parameters { \
    static result(*real) parameters; \
    count(); \
    if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
    return real arguments; \
  }
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void *);
void *malloc(size_t size) { return count(), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return count(), __libc_calloc(number, size); }
void *realloc(void *block, size_t size) { return count(), __libc_realloc(block, size); }
void free(void *block) { count(), __libc_free(block); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  count();
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}
FORWARD(int, pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
FORWARD(int, pthread_create, (pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *c), (t, a, f, c))
FORWARD(int, pthread_join, (pthread_t thread, void **result), (thread, result))
FORWARD(int, stat, (const char *path, struct stat *status), (path, status))
FORWARD(int, close, (int file), (file))
FORWARD(double, exp, (double x), (x))
FORWARD(double, log10, (double x), (x))
FORWARD(double, pow, (double x, double y), (x, y))

static const LadspaDescriptor *descriptor;
static bool hasFailed;

static void check(bool condition, const char *format, ...) {
  if (condition) return;
  hasFailed = true;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

static uint64_t next(uint64_t *seed) {
  *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
  return *seed;
}
static float unit(uint64_t *seed) { return (float)(next(seed) >> 40) / (1 << 24); }

typedef struct {
  void *handle;
  float controls[Ports];
  float sound[4][Most];
} Host;

static Host *create(double rate) {
  Host *host = calloc(1, sizeof *host);
  host->handle = descriptor->instantiate(descriptor, (unsigned long)rate);
  if (!host->handle) return free(host), NULL;
  float usual[] = {1, 0, 0, 1, 100, 0};
  memcpy(host->controls + FirstControl, usual, sizeof usual);
  for (int port = FirstControl + 6; port < FirstMeter; port++) host->controls[port] = 40;
  for (int port = 0; port < Ports; port++)
    descriptor->connect(host->handle, port, port < 4 ? host->sound[port] : &host->controls[port]);
  descriptor->activate(host->handle);
  return host;
}

static void destroy(Host *host) {
  descriptor->deactivate(host->handle);
  descriptor->cleanup(host->handle);
  free(host);
}

static long run(Host *host, int frames) {
  callCount = 0, isCounting = true;
  descriptor->run(host->handle, frames);
  isCounting = false;
  return callCount;
}

// Invalid control values.
static float wild(uint64_t *seed) {
  switch (next(seed) % 12) {
    case 0: return NAN;
    case 1: return INFINITY;
    case 2: return -INFINITY;
    case 3: return 3e38f;
    case 4: return 1e-42f;
    default: return 200 * unit(seed) - 40;
  }
}

static void misuse(double rate, uint64_t seed, int blocks) {
  Host *host = create(rate);
  check(host != NULL, "%.0f Hz: no instance", rate);
  if (!host) return;
  check(run(host, 1) > 0, "the first block fits the preset, but no call is counted");
  long calls = 0;
  for (int block = 0; block < blocks; block++) {
    int frames = next(&seed) % 4 ? next(&seed) % 600 : next(&seed) % Most;
    for (int port = FirstControl; port < FirstMeter; port++)
      if (block % 3 && next(&seed) % 4 == 0) host->controls[port] = wild(&seed);
    if (block % 5 == 0) host->controls[FirstControl] = 1;
    for (int frame = 0; frame < frames; frame++)
      for (int channel = 0; channel < 2; channel++)
        host->sound[channel][frame] = next(&seed) % 500 ? 2 * unit(&seed) - 1 : wild(&seed);
    // One buffer is connected to several ports, for example to the input of one channel and the
    // output of the other.
    int shape = next(&seed) % 3;
    for (int port = 0; port < 2; port++)
      descriptor->connect(host->handle, 2 + port, host->sound[shape == 0 ? 2 + port : shape == 1 ? port : 1 - port]);
    calls += run(host, frames);
    float meters[2] = {host->controls[FirstMeter], host->controls[FirstMeter + 1]};
    check(isfinite(meters[0]) && meters[0] >= 0 && meters[0] <= 121 && isfinite(meters[1]), "meters %g %g", meters[0], meters[1]);
  }
  check(calls == 0, "%.0f Hz: %ld calls of the C library inside run", rate, calls);
  // With valid control values again, all samples must be finite and not above full scale.
  for (int port = 0; port < 4; port++) descriptor->connect(host->handle, port, host->sound[port]);
  host->controls[FirstControl] = 1;
  for (int port = FirstControl + 6; port < FirstMeter; port++) host->controls[port] = 40;
  bool isBounded = true;
  for (int block = 0; block < 100; block++) {
    for (int frame = 0; frame < 512; frame++)
      for (int channel = 0; channel < 2; channel++) host->sound[channel][frame] = 2 * unit(&seed) - 1;
    calls += run(host, 512);
    if (block == 0) nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);  // the helper applies the controls
    for (int frame = 0; block > 50 && frame < 512; frame++)
      for (int channel = 2; channel < 4; channel++) isBounded &= fabsf(host->sound[channel][frame]) <= 1;
  }
  check(isBounded, "%.0f Hz: the output is not within full scale after wild values", rate);
  destroy(host);
}

// The plugin must give the same samples for the same sound in blocks of any size.
static void split(uint64_t seed) {
  enum { Frames = 40000 };
  static float input[2][Frames], output[2][2][Frames];
  for (int frame = 0; frame < Frames; frame++)
    for (int channel = 0; channel < 2; channel++) input[channel][frame] = unit(&seed) - 0.5f;
  for (int round = 0; round < 2; round++) {
    Host *host = create(48000);
    for (int start = 0; start < Frames;) {
      int frames = round == 0 ? 4000 : 1 + next(&seed) % (next(&seed) % 3 ? 70 : 3000);
      if (frames > Frames - start) frames = Frames - start;
      for (int channel = 0; channel < 2; channel++)
        memcpy(host->sound[channel], input[channel] + start, frames * sizeof(float));
      run(host, frames);
      for (int channel = 0; channel < 2; channel++)
        memcpy(output[round][channel] + start, host->sound[2 + channel], frames * sizeof(float));
      start += frames;
    }
    destroy(host);
  }
  check(!memcmp(output[0], output[1], sizeof output[0]), "the samples depend on the size of blocks");
  check(memcmp(output[0], input, sizeof input), "the sound is not processed");
}

static void *churn(void *seed) {
  for (int round = 0; round < 200; round++) {
    Host *host = create(44100);
    if (round % 2) run(host, 64);
    destroy(host);
  }
  return seed;
}

static void crowd(uint64_t seed) {
  enum { Count = 64 };
  Host *hosts[Count];
  for (int index = 0; index < Count; index++) {
    hosts[index] = create(48000);
    run(hosts[index], 1);
  }
  pthread_t others[2];
  for (int index = 0; index < 2; index++) pthread_create(&others[index], NULL, churn, NULL);
  long calls = 0;
  for (int block = 0; block < 50; block++)
    for (int index = 0; index < Count; index++) {
      hosts[index]->controls[FirstControl + 6 + next(&seed) % 16] = 80 * unit(&seed);
      for (int frame = 0; frame < 64; frame++) hosts[index]->sound[0][frame] = unit(&seed);
      calls += run(hosts[index], 64);
    }
  for (int index = 0; index < 2; index++) pthread_join(others[index], NULL);
  for (int index = 0; index < Count; index++) destroy(hosts[index]);
  check(calls == 0, "64 instances: %ld calls of the C library inside run", calls);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int argc, char **arguments) {
  if (argc < 2) return 64;
  uint64_t seed = argc > 2 ? strtoull(arguments[2], NULL, 10) : (uint64_t)time(NULL) + 1;
  printf("seed %llu\n", (unsigned long long)seed);
  double loading = 1;
  void *library = NULL;
  for (int round = 0; round < 300; round++) {
    double start = now();
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    check(library != NULL, "%s", library ? "" : dlerror());
    if (!library) return 1;
    descriptor = ((const LadspaDescriptor *(*)(unsigned long))dlsym(library, "ladspa_descriptor"))(0);
    void *handle = descriptor->instantiate(descriptor, 48000);
    loading = fmin(loading, now() - start);
    descriptor->cleanup(handle);
    if (round % 10 == 0) {
      Host *host = create(48000);
      run(host, 64);
      destroy(host);
    }
    if (round < 299) check(dlclose(library) == 0, "dlclose");
  }
  check(loading <= 1e-3, "loading takes %.2f ms, at most 1", loading * 1e3);
  printf("loads in %.2f ms\n", loading * 1e3);

  const LV2Descriptor *(*lv2)(uint32_t) = (const LV2Descriptor *(*)(uint32_t))dlsym(library, "lv2_descriptor");
  check(lv2(0) && !lv2(1), "descriptors of LV2");
  double refused[] = {0, 1, 7999, 192001, 384000, 4e9};
  for (int index = 0; index < 6; index++) check(!create(refused[index]), "%.0f Hz is not refused", refused[index]);
  double rates[] = {8000, 11025, 16000, 22050, 44100, 48000, 96000, 192000};
  for (int index = 0; index < 8; index++) misuse(rates[index], seed + index, 300);
  split(seed);
  crowd(seed);

  // The host runs the plugin without connecting or activating it. The host also activates and
  // deactivates the plugin twice.
  void *handle = descriptor->instantiate(descriptor, 48000);
  descriptor->run(handle, 1000);
  descriptor->deactivate(handle);
  descriptor->activate(handle);
  descriptor->activate(handle);
  descriptor->run(handle, 0);
  descriptor->deactivate(handle);
  descriptor->deactivate(handle);
  descriptor->cleanup(handle);
  puts(hasFailed ? "failed" : "every promise is kept");
  return hasFailed;
}
