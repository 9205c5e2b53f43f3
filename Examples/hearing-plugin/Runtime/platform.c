// Functions for the helper thread, functions for files, and functions that code in Embedded Swift
// calls.

#define _GNU_SOURCE
#include "HearingPluginRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct HearingThread {
  pthread_t thread;
  sem_t wake;
  atomic_bool isEnding;
  void (*body)(void *, HearingThread *);
  void *context;
};

static void *start(void *argument) {
  HearingThread *thread = argument;
  thread->body(thread->context, thread);
  return NULL;
}

HearingThread *hearing_thread_start(void (*body)(void *, HearingThread *), void *context) {
  HearingThread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  thread->body = body;
  thread->context = context;
  sem_init(&thread->wake, 0, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // Without explicit scheduling, the thread would inherit the priority of an audio thread.
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
  pthread_attr_setstacksize(&attributes, 512 * 1024);
  // The helper thread blocks all signals, so that only the host's threads handle signals.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&thread->thread, &attributes, start, thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error) {
    sem_destroy(&thread->wake);
    free(thread);
    return NULL;
  }
  return thread;
}

void hearing_thread_wake(HearingThread *thread) { sem_post(&thread->wake); }

bool hearing_thread_wait(HearingThread *thread, int milliseconds) {
  if (milliseconds > 0) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (sem_clockwait(&thread->wake, CLOCK_MONOTONIC, &until) && errno == EINTR) {}
  } else {
    while (sem_wait(&thread->wake) && errno == EINTR) {}
  }
  return !atomic_load(&thread->isEnding);
}

void hearing_thread_end(HearingThread *thread) {
  atomic_store(&thread->isEnding, true);
  sem_post(&thread->wake);
  pthread_join(thread->thread, NULL);
  sem_destroy(&thread->wake);
  free(thread);
}

int hearing_file_version(const char *path, HearingFileVersion *version) {
  struct stat status;
  if (stat(path, &status)) return errno;
  *version = (HearingFileVersion){
      status.st_dev, status.st_ino, (uint64_t)status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  return 0;
}

ptrdiff_t hearing_file_read(const char *path, uint8_t *bytes, size_t capacity) {
  // With O_NONBLOCK, opening a pipe does not block the helper thread.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return -1;
  struct stat status;
  ptrdiff_t count = fstat(file, &status) || !S_ISREG(status.st_mode) ? -1 : 0;
  while (count >= 0 && (size_t)count < capacity) {
    ssize_t part = read(file, bytes + count, capacity - count);
    if (part < 0 && errno == EINTR) continue;
    if (part == 0) break;
    count = part < 0 ? -1 : count + part;
  }
  close(file);
  return count;
}

bool hearing_configuration_path(const char *name, char *path, size_t capacity) {
  const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  int length = -1;
  if (folder && folder[0] == '/') {
    length = snprintf(path, capacity, "%s/hearing-processing/%s", folder, name);
  } else if (home && home[0] == '/') {
    length = snprintf(path, capacity, "%s/.config/hearing-processing/%s", home, name);
  }
  return length > 0 && (size_t)length < capacity;
}

// Swift calls this function to get the seeds of hash tables. The GNU C library contains this
// function only since version 2.36.
void arc4random_buf(void *buffer, size_t count) {
  if (getentropy(buffer, count < 256 ? count : 256)) memset(buffer, 0x5a, count);
}

// Reads a number in the locale "C", independently of the host's locale.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  static _Atomic(locale_t) known;
  locale_t locale = atomic_load(&known);
  if (!locale) {
    locale = newlocale(LC_ALL_MASK, "C", NULL);  // a constant of the C library: never freed
    if (!locale) return NULL;
    atomic_store(&known, locale);
  }
  char *end;
  *result = strtod_l(text, &end, locale);
  return end;
}
