#include "metrics/neural/pair_likelihoods.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "models/ops/output_layer.h"
#include "metrics/neural/batched_inference.h"

namespace rubric {

namespace {

// Rows that are computed at once, and the tokens that are read for them.
struct Unit {
  ExampleIndices rows;
  int64_t tokens;
};

// Where the model reads a source once for several targets, the rows of a source as far as
// `max_tokens` go; else each row alone.
std::vector<Unit> units_of(const TokenPairs& pairs, bool shares_sources, int64_t max_tokens) {
  std::vector<Unit> units;
  std::map<std::vector<int64_t>, size_t> last_units;  // of each source
  for (int64_t row = 0; row < pairs.rows(); ++row) {
    if (shares_sources) {
      const auto ids = pairs.sources.ids.begin();
      const int64_t* const offsets = &pairs.sources.offsets[static_cast<size_t>(row)];
      const auto [found, is_new] = last_units.try_emplace(
          std::vector<int64_t>(ids + offsets[0], ids + offsets[1]), units.size());
      if (!is_new) {
        Unit& last = units[found->second];
        const int64_t tokens = last.tokens + pairs.decoder_inputs.length(row);
        if (tokens <= max_tokens) {
          last.rows.push_back(row);
          last.tokens = tokens;
          continue;
        }
        found->second = units.size();
      }
    }
    units.push_back({{row}, pairs.tokens(row)});
  }
  return units;
}

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
  const at::Device device = model.output().weight.device();
  const std::vector<Unit> units = units_of(pairs, model.shares_sources(), max_tokens);
  std::vector<int64_t> lengths;
  for (const Unit& unit : units) lengths.push_back(unit.tokens);
  const ExampleIndices order = longest_first(lengths);
  std::vector<ExampleIndices> rows;
  for (const auto batch : micro_batches(order, lengths, tokens_of_batch(max_tokens, device))) {
    ExampleIndices& of_batch = rows.emplace_back();
    for (const int64_t i : batch) {
      const ExampleIndices& of_unit = units[static_cast<size_t>(i)].rows;
      of_batch.insert(of_batch.end(), of_unit.begin(), of_unit.end());
    }
  }
  std::vector<float> values(pairs.targets.size());
  compute_batches(
      {rows.begin(), rows.end()}, device, share,
      [&](size_t i) { compute_batch(model, pairs, rows[i], values); }, advance);
  return values;
}

double mean_log_probability(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace rubric
