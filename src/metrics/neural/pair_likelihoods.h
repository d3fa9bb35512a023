// The log-probabilities of many targets, without gradients.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/source_targets/pair_config.h"
#include "data/source_targets/token_pairs.h"
#include "data/tokens/batches.h"
#include "distributed/ranks.h"
#include "models/opened_sequence_model.h"
#include "models/sequence_model.h"

namespace rubric::metrics {

// log p(target token | source, the tokens before it) for each of `pairs.targets`, in their order;
// natural logarithm. Computed by compute_batches(), in batches of tokens_of_batch(). A source that
// several rows have is read, and counted, once by models that can, and its rows stand in one batch
// as far as `max_tokens` go. After each batch `advance` is told how many rows it had. The batches
// do not depend on the share: of several, only its own are computed, and the other values are 0.
std::vector<float> pair_likelihoods(const models::SequenceModel& model,
                                    const data::TokenPairs& pairs, int64_t max_tokens,
                                    const std::function<void(int64_t)>& advance = {},
                                    WorkShare share = {});

// Of the tokens of one target.
double mean_log_probability(std::span<const float> values);

// The log-probabilities that a model directory gives to targets, text in.

// What becomes of a log-probability that is not finite: an Error, or a value like any other.
enum class NotFinite { refuse, keep };

class PairScorer {
 public:
  // `ranks` share the batches, and all call log_probabilities(). Throws InputError as
  // open_sequence_model() and pair_template() do.
  PairScorer(const std::filesystem::path& model_directory, const data::PairConfig& config,
             const distributed::Ranks& ranks = distributed::kOneProcess);

  // Before hours are spent on some records: throws InputError naming one that cannot be scored, and
  // the place that they are of where one is given; counts, with a warning, what will be cut.
  void check(std::span<const data::SourceTarget> records, const std::string& where = "");

  // log p of each token of each record's target, without what is given of it. Throws as check()
  // does, Error naming the record when a value is not finite and that is refused, Interrupted when
  // a stop is requested. `advance` is told how many records were scored.
  std::vector<std::vector<float>> log_probabilities(
      std::span<const data::SourceTarget> records, const std::function<void(int64_t)>& advance = {},
      NotFinite not_finite = NotFinite::refuse) const;

  // "model:3f9a…|pairs:5b01…|start:model|eos:yes|trunc:12+0/890": the weights, the configuration of
  // pairs, sources and targets cut, and of how many.
  std::string signature() const;

  const std::string& fingerprint() const { return fingerprint_; }  // of weights and tokenizer

 private:
  models::OpenedSequenceModel opened_;
  data::PairConfig config_;
  data::PairTemplate template_;
  const distributed::Ranks& ranks_;
  std::string fingerprint_;
  int64_t truncated_sources_ = 0, truncated_targets_ = 0, rows_ = 0;
};

// The most probable of given texts.

struct Choice {
  size_t best = 0;                  // on a tie the first
  std::vector<double> likelihoods;  // of each candidate, the mean log-probability of its tokens
};

// The pairs that are compared: each record's source with each of its candidates.
std::vector<data::SourceTarget> candidate_pairs(
    std::span<const data::SourceTarget> records,
    std::span<const std::vector<std::string>> candidates);

// For each record, whose target is not read, among its own candidates; there must be some.
std::vector<Choice> choose(const PairScorer& scorer, std::span<const data::SourceTarget> records,
                           std::span<const std::vector<std::string>> candidates);

}  // namespace rubric::metrics
