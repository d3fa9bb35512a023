#include "eval/compare/compare_systems.h"

#include <cmath>
#include <numeric>

#include "eval/groups.h"
#include "stats/mean.h"
#include "stats/significance.h"

namespace rubric {
namespace {

using ScoreTable = std::vector<std::vector<double>>;  // [system][record]

// In the order of the first system's records.
ScoreTable matched_scores(const std::vector<SystemScores>& systems,
                          const std::vector<RecordKey>& records) {
  ScoreTable scores(systems.size());
  for (size_t s = 0; s < systems.size(); ++s) {
    for (const RecordKey& record : records) {
      scores[s].push_back(systems[s].scores.at(record).score);
    }
  }
  return scores;
}

// The means of each resample, which is the same for every system: [system][resample].
std::vector<std::vector<double>> resampled_means(const ScoreTable& scores,
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

Comparison compare(size_t first, size_t second, const ScoreTable& scores,
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

void correct(std::vector<GroupComparison>& groups) {
  std::vector<double> bootstrap, permutation;
  for (const GroupComparison& group : groups) {
    for (const Comparison& comparison : group.comparisons) {
      bootstrap.push_back(comparison.bootstrap_p);
      permutation.push_back(comparison.permutation_p);
    }
  }
  bootstrap = holm(bootstrap);
  permutation = holm(permutation);
  size_t i = 0;
  for (GroupComparison& group : groups) {
    for (Comparison& comparison : group.comparisons) {
      comparison.bootstrap_corrected = bootstrap[i];
      comparison.permutation_corrected = permutation[i++];
    }
  }
}

Clusters questions_of(const SystemScores& system, const std::vector<RecordKey>& records) {
  std::vector<QuestionKey> keys;
  for (const RecordKey& record : records) keys.push_back(system.scores.at(record).question);
  return clusters_by(keys);
}

GroupComparison compare_group(const std::string& name, const std::vector<SystemScores>& systems,
                              const std::vector<RecordKey>& records,
                              const BootstrapOptions& options) {
  const ScoreTable scores = matched_scores(systems, records);
  const Clusters questions = questions_of(systems[0], records);
  const std::vector<std::vector<double>> resampled = resampled_means(scores, questions, options);
  GroupComparison group{name, std::ssize(records), static_cast<int64_t>(questions.count), {}, {}};
  for (size_t s = 0; s < scores.size(); ++s) {
    group.means.push_back({mean(scores[s]), interval_of(resampled[s])});
  }
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      group.comparisons.push_back(compare(a, b, scores, resampled, questions, options));
    }
  }
  return group;
}

}  // namespace

SystemComparison compare_systems(const std::vector<SystemScores>& systems,
                                 const BootstrapOptions& options) {
  SystemComparison comparison;
  comparison.resamples = options.resamples;
  for (const SystemScores& system : systems) comparison.systems.push_back(system.name);
  const std::vector<RecordKey>& records = systems[0].records;
  comparison.groups.push_back(compare_group("", systems, records, options));
  for (const Group& group : group_by(records.size(), [&](size_t i) { return records[i].group; })) {
    if (group.name.empty()) break;  // records have none
    std::vector<RecordKey> members;
    for (const size_t i : group.members) members.push_back(records[i]);
    comparison.groups.push_back(compare_group(group.name, systems, members, options));
  }
  correct(comparison.groups);
  return comparison;
}

}  // namespace rubric
