// A Faust architecture that times a program: reads 16-bit stereo frames from standard input and
// processes them in blocks of 64. Prints ns per frame, one line per run.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>
#ifndef FAUSTFLOAT
#define FAUSTFLOAT float
#endif

struct Soundfile;
struct Meta { void declare(const char*, const char*) {} };
struct UI {
  void openTabBox(const char*) {}
  void openHorizontalBox(const char*) {}
  void openVerticalBox(const char*) {}
  void closeBox() {}
  void addHorizontalBargraph(const char*, FAUSTFLOAT*, FAUSTFLOAT, FAUSTFLOAT) {}
  void addVerticalBargraph(const char*, FAUSTFLOAT*, FAUSTFLOAT, FAUSTFLOAT) {}
  void declare(FAUSTFLOAT*, const char*, const char*) {}
};
struct dsp { virtual ~dsp() {} };

<<includeIntrinsic>>
<<includeclass>>

int main(int count, char** arguments) {
  const int rate = std::atoi(arguments[1]), runs = std::atoi(arguments[2]), block = 64;
  std::vector<float> left, right;
  int16_t frame[2];
  while (std::fread(frame, sizeof frame, 1, stdin) == 1) {
    left.push_back(frame[0] / 32768.0f);
    right.push_back(frame[1] / 32768.0f);
  }
  const size_t frames = left.size() / block * block;
  std::vector<float> output[2] = {std::vector<float>(block), std::vector<float>(block)};
  static mydsp program;
  program.init(rate);
  float sum = 0;
  for (int run = 0; run < runs; run++) {
    const std::clock_t start = std::clock();
    for (size_t place = 0; place < frames; place += block) {
      float* inputs[2] = {left.data() + place, right.data() + place};
      float* outputs[2] = {output[0].data(), output[1].data()};
      program.compute(block, inputs, outputs);
      sum += output[0][0] + output[1][block - 1];
    }
    std::printf("%.3f\n", double(std::clock() - start) / CLOCKS_PER_SEC * 1e9 / frames);
  }
  return std::isfinite(sum) ? 0 : 1;
}
