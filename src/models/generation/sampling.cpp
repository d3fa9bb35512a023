#include "models/generation/generate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rubric {
namespace {

constexpr float kExcluded = -std::numeric_limits<float>::infinity();

void keep_top_k(std::vector<float>& logits, int64_t k) {
  if (k == 0 || k >= std::ssize(logits)) return;
  std::vector<float> sorted = logits;
  const auto last = sorted.begin() + (k - 1);
  std::ranges::nth_element(sorted, last, std::greater());
  for (float& logit : logits) {
    if (logit < *last) logit = kExcluded;
  }
}

// Softmax in place.
void normalise(std::vector<float>& logits) {
  const float most = *std::ranges::max_element(logits);
  float sum = 0;
  for (float& logit : logits) {
    logit = std::exp(logit - most);
    sum += logit;
  }
  for (float& logit : logits) logit /= sum;
}

// The sums are transformers', in float32: they decide what stands at the border.
void keep_top_p(std::vector<float>& logits, double p) {
  if (p >= 1) return;
  std::vector<size_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t i) { return logits[i] == kExcluded; });
  std::ranges::stable_sort(order, {}, [&](size_t i) { return logits[i]; });
  std::vector<float> probabilities = logits;
  normalise(probabilities);
  float sum = 0;
  for (size_t i = 0; i + 1 < order.size(); ++i) {  // the most probable token always stays
    sum += probabilities[order[i]];
    if (sum > static_cast<float>(1 - p)) break;
    logits[order[i]] = kExcluded;
  }
}

}  // namespace

std::vector<float> sampling_probabilities(std::span<const float> logits,
                                          const SamplingOptions& options) {
  std::vector<float> kept(logits.begin(), logits.end());
  const auto temperature = static_cast<float>(options.temperature);
  for (float& logit : kept) logit /= temperature;
  keep_top_k(kept, options.top_k);
  keep_top_p(kept, options.top_p);
  normalise(kept);
  return kept;
}

int64_t draw_token(std::span<const float> probabilities, double u) {
  double sum = 0;
  int64_t last = 0;  // with a probability above 0, for where rounding leaves the sum below u
  for (size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] == 0) continue;
    sum += static_cast<double>(probabilities[i]);
    last = static_cast<int64_t>(i);
    if (u < sum) break;
  }
  return last;
}

int64_t most_probable_token(std::span<const float> logits) {
  float most = logits[0];
#pragma omp simd reduction(max : most)
  for (size_t i = 0; i < logits.size(); ++i) most = most < logits[i] ? logits[i] : most;
  return std::ranges::find(logits, most) - logits.begin();
}

bool are_finite(std::span<const float> logits) {
  float sum = 0;  // of zeros, but for what is not finite
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < logits.size(); ++i) sum += logits[i] * 0.0f;
  return sum == 0;
}

}  // namespace rubric
