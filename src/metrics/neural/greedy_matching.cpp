#include "metrics/neural/greedy_matching.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>

namespace rubric {
namespace {

// The average of `values`, one for each token; nothing when no token counts.
std::optional<double> weighted_mean(std::span<const float> values, std::span<const int64_t> ids,
                                    const TokenWeights& weights) {
  double sum = 0, total = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double weight = weights[static_cast<size_t>(ids[i])];
    sum += weight * static_cast<double>(values[i]);
    total += weight;
  }
  return total > 0 ? std::optional(sum / total) : std::nullopt;
}

}  // namespace

TokenWeights equal_weights(const Tokenizer& tokenizer) {
  TokenWeights weights(static_cast<size_t>(tokenizer.size()), 1.0);
  weights[static_cast<size_t>(tokenizer.cls_id())] = 0;
  weights[static_cast<size_t>(tokenizer.sep_id())] = 0;
  return weights;
}

TokenWeights inverse_document_frequencies(const Tokenizer& tokenizer, const TokenBatch& texts,
                                          std::span<const int64_t> documents) {
  std::vector<int64_t> occurring(static_cast<size_t>(tokenizer.size()), 0);
  for (const int64_t row : documents) {
    const auto ids =
        std::span(texts.ids).subspan(static_cast<size_t>(texts.offsets[static_cast<size_t>(row)]),
                                     static_cast<size_t>(texts.length(row)));
    for (const int64_t id : std::unordered_set<int64_t>(ids.begin(), ids.end())) {
      ++occurring[static_cast<size_t>(id)];
    }
  }
  TokenWeights weights;
  weights.reserve(occurring.size());
  const auto count = static_cast<double>(documents.size());
  for (const int64_t n : occurring) {
    weights.push_back(std::log((count + 1) / (static_cast<double>(n) + 1)));
  }
  return weights;
}

Match match_greedily(const EmbeddedText& candidate, const EmbeddedText& reference,
                     const TokenWeights& weights) {
  if (candidate.ids.size() == 2 || reference.ids.size() == 2) return {};
  const at::Tensor similarities = at::mm(candidate.vectors, reference.vectors.t());
  const float* value = similarities.const_data_ptr<float>();
  constexpr float kLeast = -std::numeric_limits<float>::infinity();
  std::vector<float> best_of_candidate(candidate.ids.size(), kLeast);
  std::vector<float> best_of_reference(reference.ids.size(), kLeast);
  for (float& best : best_of_candidate) {
    for (float& best_there : best_of_reference) {
      best = std::max(best, *value);
      best_there = std::max(best_there, *value);
      ++value;
    }
  }
  const auto precision = weighted_mean(best_of_candidate, candidate.ids, weights);
  const auto recall = weighted_mean(best_of_reference, reference.ids, weights);
  Match match{precision.value_or(0), recall.value_or(0), 0, precision && recall};
  const double sum = match.precision + match.recall;
  if (match.is_defined && sum != 0) match.f1 = 2 * match.precision * match.recall / sum;
  return match;
}

}  // namespace rubric
