// The reference for the cost of the processor with fixed gains ("linear"): twelve filter sections
// for ten bands in stereo, written by hand for SSE.
//
// This code has only the cascade with constant coefficients. It has no checks of the input, no
// limiter, no meters, and no changes of settings. The arithmetic is the same as in the package:
// state-variable sections, four in the lanes of a vector; each lane is one frame behind the
// previous lane. The transposed direct form II is timed too.
//
//   cc -O3 -msse2 -o cascade cascade.c -lm && ./cascade < frames     32-bit floats, stereo
//
// Prints the minimum and the median CPU time in ns per stereo frame, for both forms and for blocks
// of 64 and 512 frames.
#include <emmintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VECTORS 3
#define CHANNELS 2
#define RUNS 200

typedef struct {
  __m128 s1, s2, a, b, d, e, f;
} Section;

typedef struct {
  __m128 s1, s2, b0, b1, b2, a1, a2;
} Direct;

static Section sections[CHANNELS][VECTORS];
static Direct directs[CHANNELS][VECTORS];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static void prepare(void) {
  const double centers[12] = {250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 11000, 300};
  for (int c = 0; c < CHANNELS; c++)
    for (int v = 0; v < VECTORS; v++) {
      float a[4], b[4], e[4], n[4], p1[4], p2[4], q2[4];
      for (int lane = 0; lane < 4; lane++) {
        int index = v * 4 + lane;
        double gain = 1 + index, root = pow(10, gain / 40), q = 1.5;
        double g = tan(M_PI * centers[index] / 48000), k = 1 / (q * root);
        double norm = 1 / (1 + g * (g + k));
        a[lane] = 2 * norm;
        b[lane] = 2 * g * g * norm;
        e[lane] = k * (root * root - 1) * g * norm;
        double w = 2 * M_PI * centers[index] / 48000, alpha = sin(w) / (2 * q), over = 1 + alpha / root;
        n[lane] = (1 + alpha * root) / over;
        p1[lane] = -2 * cos(w) / over;
        p2[lane] = (1 - alpha * root) / over;
        q2[lane] = (1 - alpha / root) / over;
      }
      Section *s = &sections[c][v];
      s->s1 = s->s2 = _mm_setzero_ps();
      s->a = _mm_loadu_ps(a);
      s->b = _mm_loadu_ps(b);
      s->e = _mm_loadu_ps(e);
      s->d = _mm_add_ps(s->e, _mm_set1_ps(1));
      s->f = _mm_setzero_ps();
      Direct *t = &directs[c][v];
      t->s1 = t->s2 = _mm_setzero_ps();
      t->b0 = _mm_loadu_ps(n);
      t->b1 = t->a1 = _mm_loadu_ps(p1);
      t->b2 = _mm_loadu_ps(p2);
      t->a2 = _mm_loadu_ps(q2);
    }
}

// Moves the output of each lane to the next lane, and inserts a new sample.
static inline __m128 advanced(__m128 y, float sample) {
  return _mm_move_ss(_mm_shuffle_ps(y, y, _MM_SHUFFLE(2, 1, 0, 3)), _mm_set_ss(sample));
}

static inline __m128 filter(Section *s, __m128 x) {
  __m128 q = _mm_sub_ps(s->s1, s->s2), u = _mm_add_ps(q, x);
  __m128 y = _mm_add_ps(_mm_mul_ps(s->d, x), _mm_mul_ps(s->e, q));
  s->s1 = _mm_sub_ps(_mm_mul_ps(s->a, u), s->s1);
  s->s2 = _mm_add_ps(s->s2, _mm_mul_ps(s->b, u));
  return y;
}

static inline __m128 direct(Direct *s, __m128 x) {
  __m128 y = _mm_add_ps(_mm_mul_ps(s->b0, x), s->s1);
  s->s1 = _mm_add_ps(s->s2, _mm_sub_ps(_mm_mul_ps(s->b1, x), _mm_mul_ps(s->a1, y)));
  s->s2 = _mm_sub_ps(_mm_mul_ps(s->b2, x), _mm_mul_ps(s->a2, y));
  return y;
}

// The last lane is three frames behind the first lane. Therefore three additional frames are
// processed after each block. The lanes are not masked, so the states differ from those of an exact
// cascade. The cost per frame is the same.
#define BLOCK(NAME, TYPE, STATES, STEP)                                                        \
  __attribute__((noinline)) static void NAME(float *left, float *right, int count) {           \
    TYPE l0 = STATES[0][0], l1 = STATES[0][1], l2 = STATES[0][2];                              \
    TYPE r0 = STATES[1][0], r1 = STATES[1][1], r2 = STATES[1][2];                              \
    __m128 y = _mm_setzero_ps(), z = _mm_setzero_ps();                                         \
    for (int i = 0; i < count + 3; i++) {                                                      \
      y = STEP(&l2, STEP(&l1, STEP(&l0, advanced(y, i < count ? left[i] : 0))));               \
      z = STEP(&r2, STEP(&r1, STEP(&r0, advanced(z, i < count ? right[i] : 0))));              \
      if (i >= 3) {                                                                            \
        _mm_store_ss(left + i - 3, _mm_shuffle_ps(y, y, _MM_SHUFFLE(3, 3, 3, 3)));             \
        _mm_store_ss(right + i - 3, _mm_shuffle_ps(z, z, _MM_SHUFFLE(3, 3, 3, 3)));            \
      }                                                                                        \
    }                                                                                          \
    STATES[0][0] = l0, STATES[0][1] = l1, STATES[0][2] = l2;                                   \
    STATES[1][0] = r0, STATES[1][1] = r1, STATES[1][2] = r2;                                   \
  }

BLOCK(stateVariable, Section, sections, filter)
BLOCK(directForm, Direct, directs, direct)

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(const char *name, void (*process)(float *, float *, int), const float *sound, int frames, int block) {
  static double times[RUNS];
  float left[512], right[512];
  int used = frames / block * block;
  for (int run = 0; run < RUNS; run++) {
    double copying = now();
    for (int start = 0; start < used; start += block)
      for (int i = 0; i < block; i++) {
        left[i] = sound[2 * (start + i)];
        right[i] = sound[2 * (start + i) + 1];
        __asm__ volatile("" ::"r"(left), "r"(right) : "memory");
      }
    copying = now() - copying;
    double all = now();
    for (int start = 0; start < used; start += block) {
      for (int i = 0; i < block; i++) {
        left[i] = sound[2 * (start + i)];
        right[i] = sound[2 * (start + i) + 1];
        __asm__ volatile("" ::"r"(left), "r"(right) : "memory");
      }
      process(left, right, block);
    }
    times[run] = (now() - all - copying) / used;
  }
  qsort(times, RUNS, sizeof times[0], rising);
  printf("%s\t%d\t%f\t%f\n", name, block, times[0], times[RUNS / 2]);
}

int main(void) {
  int frames = 48000;
  float *sound = calloc(2 * frames, sizeof *sound);
  if (!sound || fread(sound, 2 * sizeof *sound, frames, stdin) == 0) {
    fprintf(stderr, "cascade: expected 32-bit stereo frames on standard input\n");
    return 65;
  }
  prepare();
  for (int block = 64; block <= 512; block *= 8) {
    measure("state-variable", stateVariable, sound, frames, block);
    measure("direct form", directForm, sound, frames, block);
  }
  return 0;
}
