#include <numeric>

#include "core/system/log.h"
#include "core/version.h"
#include "metrics/neural/likelihood_metrics.h"
#include "metrics/neural/pair_likelihoods.h"

namespace rubric::metrics {

Likelihood::Likelihood(const std::filesystem::path& model_directory, const data::PairConfig& config,
                       const LikelihoodOptions& options)
    : scorer_(std::make_unique<PairScorer>(model_directory, config, options.ranks)),
      options_(options) {}

Likelihood::~Likelihood() = default;

data::Scores Likelihood::score(std::span<const data::SourceTarget> records) {
  data::Scores scores{{"likelihood"}, {}};
  if (options_.sum) scores.names.emplace_back("likelihood_sum");
  scorer_->check(records);
  Progress progress("scoring", std::ssize(records));
  int64_t done = 0;
  tokens_ = scorer_->log_probabilities(records, [&](int64_t rows) {
    done += rows;
    if (options_.show_progress) progress.update(done);
  });
  for (const std::vector<float>& row : tokens_) {
    scores.rows.push_back({mean_log_probability(row)});
    if (options_.sum) scores.rows.back().push_back(std::accumulate(row.begin(), row.end(), 0.0));
  }
  return scores;
}

std::string Likelihood::signature() const {
  return "likelihood|" + scorer_->signature() + "|rubric:" + version_with_build();
}

}  // namespace rubric::metrics
