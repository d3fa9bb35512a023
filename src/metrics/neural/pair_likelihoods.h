// Log-probabilities of targets given sources, without gradients: of token rows, of records with a
// model directory's tokenizer (PairScorer), and to choose among candidates.
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
#include "metrics/neural/opened_sequence_model.h"
#include "models/sequence_model.h"

namespace rubric::metrics {

// Returns log p(target token | source, previous target tokens), natural logarithm, for each token
// of `pairs.targets` in order. Computed by compute_batches() in batches of tokens_of_batch().
// Models that can (SequenceModel::shares_sources) read, and count, a source of several rows once,
// and its rows are in one batch as far as `max_tokens` allows. Calls `advance` with the number of
// rows after each batch. Batches do not depend on the share: only those of the share are computed,
// and the other values are 0.
std::vector<float> pair_likelihoods(const models::SequenceModel& model,
                                    const data::TokenPairs& pairs, int64_t max_tokens,
                                    const std::function<void(int64_t)>& advance = {},
                                    WorkShare share = {});

// The mean over the tokens of one target.
double mean_log_probability(std::span<const float> values);

// Records.

class PairScorer {
 public:
  // `ranks` share the batches, and all call log_probabilities(). Throws InputError as
  // open_sequence_model(), pair_template() and pack_weights() do.
  PairScorer(const std::filesystem::path& model_directory, const data::PairConfig& config,
             const distributed::Ranks& ranks = distributed::kSingleProcess, bool int8 = false);

  // Tokenises records before scoring starts: throws InputError naming one that cannot be scored,
  // and `where` if given; counts, with a warning, what is truncated.
  data::KeptPairs check(std::span<const data::SourceTarget> records, const std::string& where = "");

  // Returns log p of each token of each pair's target, excluding the part that is given. Throws
  // Interrupted when a stop is requested. Calls `advance` with the number of pairs scored.
  std::vector<std::vector<float>> log_probabilities(
      const data::TokenPairs& pairs, const std::function<void(int64_t)>& advance = {}) const;
  // Of the records whose pairs are in `read` from `first` on. Throws Error naming the record when a
  // value is not finite.
  std::vector<std::vector<float>> log_probabilities(
      std::span<const data::SourceTarget> records, const data::KeptPairs& read,
      const std::function<void(int64_t)>& advance = {}, int64_t first = 0) const;

  // "model:3f9a…|pairs:5b01…|start:model|eos:yes|trunc:12+0/890": the model, whether its weights
  // are of 8 bits, the pair configuration, and the truncated sources and targets out of all rows.
  std::string signature() const;

  const std::string& fingerprint() const { return fingerprint_; }  // names the model

 private:
  OpenedSequenceModel opened_;
  data::PairConfig config_;
  data::PairTemplate template_;
  const distributed::Ranks& ranks_;
  std::string fingerprint_;
  bool int8_;
  int64_t truncated_sources_ = 0, truncated_targets_ = 0, rows_ = 0;
};

// Choosing the most probable candidate.

struct Choice {
  size_t best = 0;                  // the first on a tie
  std::vector<double> likelihoods;  // for each candidate the mean log-probability of its tokens
};

// The pairs to score: each record's source with each of its candidates.
std::vector<data::SourceTarget> candidate_pairs(
    std::span<const data::SourceTarget> records,
    std::span<const std::vector<std::string>> candidates);

// Chooses for each record among its own candidates, of which there must be at least one. `read`
// holds the pairs of all records; those of `records` begin at pair `first`.
std::vector<Choice> choose(const PairScorer& scorer, std::span<const data::SourceTarget> records,
                           std::span<const std::vector<std::string>> candidates,
                           const data::KeptPairs& read, int64_t first);

}  // namespace rubric::metrics
