#include "eval/compare_systems.h"

#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "eval/questions.h"
#include "stats/mean.h"
#include "stats/significance.h"

namespace rubric {
namespace {

std::map<InstanceKey, double> scores_by_key(const SystemScores& system) {
  std::map<InstanceKey, double> scores;
  for (size_t i = 0; i < system.rows.ids.size(); ++i) {
    scores.emplace(key_of(system.rows, i), system.rows.scores[0][i]);
  }
  return scores;
}

std::vector<std::string> missing_from(const std::map<InstanceKey, double>& from,
                                      const std::map<InstanceKey, double>& of) {
  std::vector<std::string> missing;
  for (const auto& [key, score] : of) {
    if (from.contains(key)) continue;
    missing.push_back((key.first.empty() ? "" : key.first + " / ") + key.second);
  }
  return missing;
}

void require_same_ids(const SystemScores& a, const std::map<InstanceKey, double>& of_a,
                      const SystemScores& b, const std::map<InstanceKey, double>& of_b) {
  const auto check = [](const SystemScores& lacking, const std::vector<std::string>& missing,
                        const SystemScores& other) {
    if (missing.empty()) return;
    throw InputError(std::to_string(missing.size()) + " ids of " + other.file +
                         " are not in this file: " + join_some(missing),
                     lacking.file, "compare files of the same records");
  };
  check(b, missing_from(of_b, of_a), a);
  check(a, missing_from(of_a, of_b), b);
}

// [system][record], records in the order of the first file.
std::vector<std::vector<double>> matched_scores(const std::vector<SystemScores>& systems) {
  const std::map<InstanceKey, double> first = scores_by_key(systems[0]);
  std::vector<std::vector<double>> scores = {systems[0].rows.scores[0]};
  for (size_t s = 1; s < systems.size(); ++s) {
    const std::map<InstanceKey, double> others = scores_by_key(systems[s]);
    require_same_ids(systems[0], first, systems[s], others);
    std::vector<double> matched;
    for (size_t i = 0; i < systems[0].rows.ids.size(); ++i) {
      matched.push_back(others.at(key_of(systems[0].rows, i)));
    }
    scores.push_back(std::move(matched));
  }
  return scores;
}

// The means of each resample, which is the same for every system: [system][resample].
std::vector<std::vector<double>> resampled_means(const std::vector<std::vector<double>>& scores,
                                                 const Clusters& questions,
                                                 const BootstrapOptions& options) {
  std::vector<std::vector<double>> means(
      scores.size(), std::vector<double>(static_cast<size_t>(options.resamples)));
  visit_resamples(questions, options, 0, [&](size_t resample, Counts counts) {
    const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (size_t s = 0; s < scores.size(); ++s) {
      double sum = 0;
      for (size_t i = 0; i < counts.size(); ++i) sum += counts[i] * scores[s][i];
      means[s][resample] = sum / n;
    }
  });
  return means;
}

std::optional<Interval> interval_of(const std::vector<double>& figures) {
  return percentile_interval(std::vector<std::optional<double>>(figures.begin(), figures.end()));
}

// Of a difference, and what it is in each resample.
double bootstrap_p(double difference, const std::vector<double>& resampled) {
  // Resamples that only differ in rounding are as far.
  const double bound = std::abs(difference) * (1 - 1e-12);
  int64_t as_far = 0;
  for (const double other : resampled) as_far += std::abs(other - difference) >= bound ? 1 : 0;
  return static_cast<double>(as_far + 1) / static_cast<double>(resampled.size() + 1);
}

Comparison compare(size_t first, size_t second, const std::vector<std::vector<double>>& scores,
                   const std::vector<std::vector<double>>& resampled, const Clusters& questions,
                   const BootstrapOptions& options) {
  std::vector<double> differences;
  for (size_t i = 0; i < resampled[first].size(); ++i) {
    differences.push_back(resampled[first][i] - resampled[second][i]);
  }
  const TestResult test = permutation_test_of_means(scores[first], scores[second], questions,
                                                    {options.resamples, options.seed});
  Comparison comparison{first, second, test.statistic, interval_of(differences)};
  comparison.bootstrap_p = bootstrap_p(test.statistic, differences);
  comparison.permutation_p = test.p;
  return comparison;
}

void correct(std::vector<Comparison>& comparisons) {
  std::vector<double> bootstrap, permutation;
  for (const Comparison& comparison : comparisons) {
    bootstrap.push_back(comparison.bootstrap_p);
    permutation.push_back(comparison.permutation_p);
  }
  bootstrap = holm(bootstrap);
  permutation = holm(permutation);
  for (size_t i = 0; i < comparisons.size(); ++i) {
    comparisons[i].bootstrap_corrected = bootstrap[i];
    comparisons[i].permutation_corrected = permutation[i];
  }
}

}  // namespace

SystemComparison compare_systems(const std::vector<SystemScores>& systems,
                                 const BootstrapOptions& options) {
  const std::vector<std::vector<double>> scores = matched_scores(systems);
  const Clusters questions = questions_of(systems[0].rows);
  const std::vector<std::vector<double>> resampled = resampled_means(scores, questions, options);
  SystemComparison comparison;
  comparison.metric = systems[0].rows.metrics[0];
  comparison.n = std::ssize(scores[0]);
  comparison.questions = static_cast<int64_t>(questions.count);
  comparison.resamples = options.resamples;
  for (size_t s = 0; s < systems.size(); ++s) {
    comparison.systems.push_back(systems[s].name);
    comparison.means.push_back({mean(scores[s]), interval_of(resampled[s])});
  }
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      comparison.comparisons.push_back(compare(a, b, scores, resampled, questions, options));
    }
  }
  correct(comparison.comparisons);
  return comparison;
}

}  // namespace rubric
