#include "neural_metrics/pair_likelihoods.h"

#include <algorithm>
#include <numeric>

#include "core/signals.h"
#include "models/target_likelihood.h"

namespace rubric {

namespace {

// The values of the rows of `batch` to their places among those of all pairs.
void compute_batch(const ConditionalModel& model, const TokenPairs& pairs,
                   std::span<const int64_t> batch, std::vector<float>& values) {
  const TokenPairs selected = select_pairs(pairs, batch);
  const std::vector<float> of_batch =
      target_log_probabilities(model.states(selected, {}), model.output(), selected.targets);
  auto from = of_batch.begin();
  for (const int64_t row : batch) {
    const int64_t size = pairs.decoder_inputs.length(row);
    std::copy_n(from, size,
                values.begin() + pairs.decoder_inputs.offsets[static_cast<size_t>(row)]);
    from += size;
  }
}

}  // namespace

std::vector<float> pair_likelihoods(const ConditionalModel& model, const TokenPairs& pairs,
                                    int64_t max_tokens, const std::function<void(int64_t)>& advance,
                                    WorkShare share) {
  const at::NoGradGuard no_grad;
  std::vector<int64_t> lengths;
  for (int64_t row = 0; row < pairs.rows(); ++row) lengths.push_back(pairs.tokens(row));
  const ExampleIndices order = longest_first(lengths);
  std::vector<float> values(pairs.targets.size());
  int64_t number = 0;
  for (const auto batch : micro_batches(order, lengths, max_tokens)) {
    end_if_stop_requested();
    if (share.has(number++)) compute_batch(model, pairs, batch, values);
    if (advance) advance(std::ssize(batch));
  }
  return values;
}

double mean_log_probability(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace rubric
