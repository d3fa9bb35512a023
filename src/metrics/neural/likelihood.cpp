#include <numeric>

#include "core/json/json.h"
#include "core/system/log.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "metrics/neural/likelihood_metrics.h"
#include "metrics/neural/pair_likelihoods.h"
#include "rubric/version.h"

namespace rubric::metrics {

Likelihood::Likelihood(const std::filesystem::path& model_directory, const data::PairConfig& config,
                       const LikelihoodOptions& options)
    : scorer_(std::make_unique<PairScorer>(model_directory, config, options.ranks, options.int8)),
      options_(options) {}

Likelihood::~Likelihood() = default;

data::Scores Likelihood::score(std::span<const data::SourceTarget> records) {
  data::Scores scores{{"likelihood"}, {}};
  if (options_.sum) scores.names.emplace_back("likelihood_sum");
  const data::KeptPairs pairs = scorer_->check(records);
  scores.truncated = pairs.truncated;
  Progress progress("scoring", std::ssize(records));
  int64_t done = 0;
  tokens_ = scorer_->log_probabilities(records, pairs, [&](int64_t rows) {
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

std::vector<std::string> Likelihood::field_names() const {
  return options_.per_token ? std::vector<std::string>{"likelihood_tokens"}
                            : std::vector<std::string>();
}

std::vector<Json> Likelihood::fields(size_t row) {
  if (!options_.per_token) return {};
  Json::Array tokens;
  for (const float value : tokens_[row]) tokens.emplace_back(static_cast<double>(value));
  return {Json(std::move(tokens))};
}

template <>
std::unique_ptr<SourceTargetMetric> make_source_target_metric<kLikelihood>(
    const ModelUse& use, const data::PairConfig& config) {
  return std::make_unique<Likelihood>(data::find_model(use.model, data::sequence_types()), config,
                                      LikelihoodOptions{.sum = use.settings.has(kSum),
                                                        .per_token = use.settings.has(kPerToken),
                                                        .int8 = use.settings.has(kInt8),
                                                        .show_progress = use.show_progress,
                                                        .ranks = use.ranks});
}

}  // namespace rubric::metrics
