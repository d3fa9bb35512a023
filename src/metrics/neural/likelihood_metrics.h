// How probable a model finds a target given its source.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/source_targets/pair_config.h"
#include "data/records.h"
#include "distributed/ranks.h"
#include "metrics/metric.h"

namespace rubric {

struct LikelihoodOptions {
  bool sum = false;  // also likelihood_sum, over the tokens instead of their mean
  bool show_progress = false;
  const Ranks& ranks = kOneProcess;  // which share the batches, and all call score()
};

// The metric `likelihood`: the mean natural log-probability of the target's tokens, with the
// end-of-sequence token where config.target_eos says so.
class Likelihood : public Metric<SourceTarget> {
 public:
  Likelihood(const std::filesystem::path& model_directory, const PairConfig& config,
             const LikelihoodOptions& options);
  ~Likelihood() override;
  Likelihood(const Likelihood&) = delete;
  Likelihood& operator=(const Likelihood&) = delete;

  Scores score(std::span<const SourceTarget> records) override;
  std::string signature() const override;

  // The log-probabilities of each token of the records that were scored last.
  const std::vector<std::vector<float>>& tokens() const { return tokens_; }

 private:
  std::unique_ptr<class PairScorer> scorer_;
  LikelihoodOptions options_;
  std::vector<std::vector<float>> tokens_;
};

}  // namespace rubric
