// Branch-free functions that compilers vectorise in loops (with -fno-trapping-math, with
// which src/models is compiled).
#pragma once

#include <bit>
#include <cstdint>

// Before a function in which a profile saw much time: compiles it for AVX2 and for AVX-512, of
// which the program takes what the processor has. What is ours in its loops is always inlined, or
// both would call what is compiled for AVX2. Sums of many numbers differ in their last digits from
// processor to processor, as oneDNN's products do.
#ifdef RUBRIC_TWO_ARCHITECTURES
#define RUBRIC_FOR_AVX512_TOO [[gnu::target_clones("arch=x86-64-v4", "default")]]
#else
#define RUBRIC_FOR_AVX512_TOO
#endif

namespace rubric::models {

// e^x with a relative error of 1e-7 for x from -87 to 88; e^-87 below. x = n ln 2 + r, and e^r by
// the polynomial of Cephes' expf (Moshier 1992).
[[gnu::always_inline]] inline float exponential(float x) {
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
  const float bounded = x < -87.0f ? -87.0f : x;
  const float shifted = bounded * kLog2E + kRound;
  const float n = shifted - kRound;
  const float r = (bounded - n * kLn2High) - n * kLn2Low;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  return p * std::bit_cast<float>((std::bit_cast<int32_t>(shifted) + 127) << 23);
}

struct Exponentials {
  float most, sum;
};

// Replaces each number by e^(number - the largest), as a softmax does before it divides by their
// sum; returns the largest and the sum. `size` is at least 1.
[[gnu::always_inline]] inline Exponentials replace_by_exponentials(float* row, int64_t size) {
  float most = row[0], sum = 0;
#pragma omp simd reduction(max : most)
  for (int64_t j = 0; j < size; ++j) most = most < row[j] ? row[j] : most;
#pragma omp simd reduction(+ : sum)
  for (int64_t j = 0; j < size; ++j) {
    row[j] = exponential(row[j] - most);
    sum += row[j];
  }
  return {most, sum};
}

struct NormalDistribution {
  float density, cumulative;  // at x, for mean 0 and variance 1
};

// Error at most 3e-7: half of the 1.5e-7 of Abramowitz and Stegun 1964, 7.1.26, for the error
// function, plus the rounding of terms of up to 1.5 in float.
[[gnu::always_inline]] inline NormalDistribution normal_distribution(float x) {
  constexpr float kHalfRoot = 0.707106781f, kDensityAtZero = 0.398942280f;
  const float magnitude = (x < 0 ? -x : x) * kHalfRoot;
  const float t = 1.0f / (1.0f + 0.3275911f * magnitude);
  float p = 1.061405429f;
  p = p * t - 1.453152027f;
  p = p * t + 1.421413741f;
  p = p * t - 0.284496736f;
  p = p * t + 0.254829592f;
  const float gauss = exponential(-magnitude * magnitude);
  const float tail = 0.5f * p * t * gauss;  // the probability beyond |x|
  return {kDensityAtZero * gauss, x < 0 ? tail : 1.0f - tail};
}

}  // namespace rubric::models
