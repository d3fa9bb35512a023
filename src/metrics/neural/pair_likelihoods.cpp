#include "metrics/neural/pair_likelihoods.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "config/printer.h"
#include "core/context.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "distributed/collective.h"
#include "metrics/neural/batched_inference.h"
#include "models/ops/output_layer.h"

namespace rubric::metrics {

namespace {

// Rows that are computed together, and the tokens read for them.
struct Unit {
  data::ExampleIndices rows;
  int64_t tokens;
};

// The rows of each source, as far as `max_tokens` allows, if the model reads a shared source once;
// else each row alone.
std::vector<Unit> units_of(const data::TokenPairs& pairs, bool shares_sources, int64_t max_tokens) {
  std::vector<Unit> units;
  std::map<std::vector<int64_t>, size_t> last_units;  // the last unit of each source
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

// Writes the values of the rows of `batch` to their positions among those of all pairs.
void compute_batch(const models::SequenceModel& model, const data::TokenPairs& pairs,
                   std::span<const int64_t> batch, std::vector<float>& values) {
  const data::TokenPairs selected = data::select_pairs(pairs, batch);
  const std::vector<float> of_batch = models::target_log_probabilities(
      model.states(selected, {}), model.output(), selected.targets);
  auto from = of_batch.begin();
  for (const int64_t row : batch) {
    const int64_t size = pairs.decoder_inputs.length(row);
    std::copy_n(from, size,
                values.begin() + pairs.decoder_inputs.offsets[static_cast<size_t>(row)]);
    from += size;
  }
}

// The number of rows sorted and scored at a time, which bounds the memory.
constexpr int64_t kRecordWindow = 4096;
// The tokens that a source may have together with the targets that share it.
constexpr int64_t kMaxTokens = 2048;

}  // namespace

std::vector<float> pair_likelihoods(const models::SequenceModel& model,
                                    const data::TokenPairs& pairs, int64_t max_tokens,
                                    const std::function<void(int64_t)>& advance, WorkShare share) {
  const at::Device device = models::device_of(model.output());
  const std::vector<Unit> units = units_of(pairs, model.shares_sources(), max_tokens);
  std::vector<int64_t> lengths;
  for (const Unit& unit : units) lengths.push_back(unit.tokens);
  const data::ExampleIndices order = data::longest_first(lengths);
  std::vector<data::ExampleIndices> rows;
  for (const auto batch :
       data::micro_batches(order, lengths, tokens_of_batch(max_tokens, device))) {
    data::ExampleIndices& of_batch = rows.emplace_back();
    for (const int64_t i : batch) {
      const data::ExampleIndices& of_unit = units[static_cast<size_t>(i)].rows;
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

PairScorer::PairScorer(const std::filesystem::path& model_directory, const data::PairConfig& config,
                       const distributed::Ranks& ranks, bool int8)
    : opened_(open_sequence_model(model_directory, config)),
      config_(config),
      template_(
          data::pair_template(config, opened_.tokens, (model_directory / "config.json").string())),
      ranks_(ranks),
      fingerprint_(metrics::fingerprint(opened_)),
      int8_(int8) {
  opened_.model->pack_weights(int8_ ? models::Packing::int8 : models::Packing::float32);
}

data::KeptPairs PairScorer::check(std::span<const data::SourceTarget> records,
                                  const std::string& where) {
  data::PairEncoder encoder(*opened_.tokenizer, template_, where);
  const auto truncations = [&] {
    return encoder.truncated_sources().ids.size() + encoder.truncated_targets().ids.size();
  };
  data::KeptPairs kept;
  for (size_t i = 0; i < records.size(); ++i) {
    end_if_stop_requested();
    const size_t before = truncations();
    data::TokenPairs row;
    encoder.encode(records[i], row);
    kept.append(row);
    if (truncations() > before) kept.truncated.push_back(i);
  }
  truncated_sources_ += std::ssize(encoder.truncated_sources().ids);
  truncated_targets_ += std::ssize(encoder.truncated_targets().ids);
  rows_ += std::ssize(records);
  encoder.warn_of_truncations(records.size());
  return kept;
}

std::vector<std::vector<float>> PairScorer::log_probabilities(
    const data::TokenPairs& pairs, const std::function<void(int64_t)>& advance) const {
  std::vector<std::vector<float>> values;
  if (pairs.rows() == 0) return values;
  const at::Tensor collectively =
      distributed::gather_shares(ranks_, {std::ssize(pairs.targets)}, [&](WorkShare share) {
        return at::tensor(pair_likelihoods(*opened_.model, pairs, kMaxTokens, advance, share));
      });
  const float* const all = collectively.const_data_ptr<float>();
  for (size_t i = 0; i < pairs.given.size(); ++i) {
    values.emplace_back(all + pairs.decoder_inputs.offsets[i] + pairs.given[i],
                        all + pairs.decoder_inputs.offsets[i + 1]);
  }
  return values;
}

std::vector<std::vector<float>> PairScorer::log_probabilities(
    std::span<const data::SourceTarget> records, const data::KeptPairs& read,
    const std::function<void(int64_t)>& advance, int64_t first) const {
  std::vector<std::vector<float>> values;
  while (values.size() < records.size()) {
    const int64_t begin = first + std::ssize(values), end = first + std::ssize(records);
    for (auto& row :
         log_probabilities(read.pairs(begin, std::min(begin + kRecordWindow, end)), advance)) {
      if (!std::ranges::all_of(row, [](float x) { return std::isfinite(x); })) {
        throw Error("the model gives a token a log-probability that is not finite",
                    "record " + json_quote(records[values.size()].id), "use other weights");
      }
      values.push_back(std::move(row));
    }
  }
  return values;
}

std::string PairScorer::signature() const {
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  const bool has_encoder = !template_.is_causal;
  data::PairConfig counts = config_;
  if (!has_encoder) {  // these do not apply to a causal model
    counts.decoder_start = data::PairConfig().decoder_start;
    counts.source_eos = data::PairConfig().source_eos;
  }
  return "model:" + fingerprint_ + (int8_ ? "|weights:int8" : "") +
         "|pairs:" + sha256(config::without_comments(config::print_config(counts))).substr(0, 8) +
         (has_encoder ? "|start:" + config_.decoder_start : "") +
         "|eos:" + yes(config_.target_eos) +
         (has_encoder ? "|source_eos:" + yes(config_.source_eos) : "") +
         "|trunc:" + std::to_string(truncated_sources_) + "+" + std::to_string(truncated_targets_) +
         "/" + std::to_string(rows_);
}

std::vector<data::SourceTarget> candidate_pairs(
    std::span<const data::SourceTarget> records,
    std::span<const std::vector<std::string>> candidates) {
  std::vector<data::SourceTarget> pairs;
  for (size_t i = 0; i < records.size(); ++i) {
    for (const std::string& candidate : candidates[i]) {
      pairs.push_back({records[i].id, records[i].source, candidate, records[i].given});
    }
  }
  return pairs;
}

std::vector<Choice> choose(const PairScorer& scorer, std::span<const data::SourceTarget> records,
                           std::span<const std::vector<std::string>> candidates,
                           const data::KeptPairs& read, int64_t first) {
  const auto values =
      scorer.log_probabilities(candidate_pairs(records, candidates), read, {}, first);
  std::vector<Choice> choices(records.size());
  auto next = values.begin();
  for (size_t i = 0; i < records.size(); ++i) {
    std::vector<double>& likelihoods = choices[i].likelihoods;
    for (size_t j = 0; j < candidates[i].size(); ++j, ++next) {
      likelihoods.push_back(mean_log_probability(*next));
    }
    choices[i].best =
        static_cast<size_t>(std::ranges::max_element(likelihoods) - likelihoods.begin());
  }
  return choices;
}

}  // namespace rubric::metrics
