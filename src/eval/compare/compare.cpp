#include "eval/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "eval/resampling.h"
#include "stats/bootstrap.h"
#include "stats/significance.h"

namespace rubric::eval {

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

// The means in each resample, which is the same for every system: [system][resample].
std::vector<std::vector<double>> resampled_means(const ScoreTable& scores,
                                                 const stats::Clusters& questions,
                                                 const stats::BootstrapOptions& options) {
  std::vector<std::vector<double>> means(
      scores.size(), std::vector<double>(static_cast<size_t>(options.resamples)));
  stats::visit_resamples(questions, options, 0, [&](size_t resample, stats::Counts counts) {
    const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (size_t s = 0; s < scores.size(); ++s) {
      double sum = 0;
      for (size_t i = 0; i < counts.size(); ++i) sum += counts[i] * scores[s][i];
      means[s][resample] = sum / n;
    }
  });
  return means;
}

std::optional<stats::Interval> interval_of(const std::vector<double>& figures) {
  return stats::percentile_interval(
      std::vector<std::optional<double>>(figures.begin(), figures.end()));
}

// In how many resamples the difference is as far from the observed one as that is from 0.
int64_t count_as_far(double difference, const std::vector<double>& resampled) {
  // Tolerates rounding differences between resamples.
  const double bound = std::abs(difference) * (1 - 1e-12);
  int64_t as_far = 0;
  for (const double other : resampled) as_far += std::abs(other - difference) >= bound ? 1 : 0;
  return as_far;
}

Comparison compare(size_t first, size_t second, const std::vector<std::vector<double>>& resampled,
                   const stats::TestResult& test) {
  std::vector<double> differences;
  for (size_t i = 0; i < resampled[first].size(); ++i) {
    differences.push_back(resampled[first][i] - resampled[second][i]);
  }
  Comparison comparison{first, second, test.statistic, interval_of(differences)};
  const int64_t as_far = count_as_far(test.statistic, differences);
  comparison.bootstrap_p =
      static_cast<double>(as_far + 1) / static_cast<double>(differences.size() + 1);
  comparison.bootstrap_is_least = as_far == 0;
  comparison.permutation_p = test.p;
  comparison.permutation_is_least = test.is_least;
  return comparison;
}

void correct_groups(std::vector<GroupComparison>& groups) {
  std::vector<double> bootstrap, permutation;
  for (const GroupComparison& group : groups) {
    for (const Comparison& comparison : group.comparisons) {
      bootstrap.push_back(comparison.bootstrap_p);
      permutation.push_back(comparison.permutation_p);
    }
  }
  bootstrap = stats::holm(bootstrap);
  permutation = stats::holm(permutation);
  size_t i = 0;
  for (GroupComparison& group : groups) {
    for (Comparison& comparison : group.comparisons) {
      comparison.bootstrap_corrected = bootstrap[i];
      comparison.permutation_corrected = permutation[i++];
    }
  }
}

stats::Clusters record_questions(const SystemScores& system,
                                 const std::vector<RecordKey>& records) {
  std::vector<QuestionKey> keys;
  for (const RecordKey& record : records) keys.push_back(system.scores.at(record).question);
  return stats::clusters_by(keys);
}

GroupComparison compare_group(const std::string& name, const std::vector<SystemScores>& systems,
                              const std::vector<RecordKey>& records,
                              const stats::BootstrapOptions& options, int64_t exchanges) {
  const ScoreTable scores = matched_scores(systems, records);
  const stats::Clusters questions = record_questions(systems[0], records);
  const std::vector<std::vector<double>> resampled = resampled_means(scores, questions, options);
  GroupComparison group{name, std::ssize(records), static_cast<int64_t>(questions.count), {}, {}};
  for (size_t s = 0; s < scores.size(); ++s) {
    group.means.push_back({stats::mean(scores[s]), interval_of(resampled[s])});
  }
  const std::vector<stats::TestResult> tests =
      stats::permutation_tests_of_means(scores, questions, {exchanges, options.seed});
  size_t pair = 0;
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      group.comparisons.push_back(compare(a, b, resampled, tests[pair++]));
    }
  }
  return group;
}

RecordKey record_of(const data::ScoredRows& rows, size_t i) {
  auto [constituent, id] = data::key_of(rows, i);
  return {rows.groups.empty() ? "" : rows.groups[i], std::move(constituent), std::move(id)};
}

std::string to_text(const RecordKey& key) {
  const std::string& place = key.constituent.empty() ? key.group : key.constituent;
  return (place.empty() ? "" : place + " / ") + key.id;
}

std::vector<std::string> missing_from(const SystemScores& lacking, const SystemScores& other) {
  std::vector<std::string> missing;
  for (const RecordKey& key : other.records) {
    if (!lacking.scores.contains(key)) missing.push_back(to_text(key));
  }
  return missing;
}

}  // namespace

SystemComparison compare_systems(const std::vector<SystemScores>& systems,
                                 const stats::BootstrapOptions& options) {
  SystemComparison comparison;
  comparison.resamples = options.resamples;
  for (const SystemScores& system : systems) comparison.systems.push_back(system.name);
  const std::vector<RecordKey>& records = systems[0].records;
  std::vector<Group> groups = group_by(records.size(), [&](size_t i) { return records[i].group; });
  std::erase_if(groups, [](const Group& group) { return group.name.empty(); });
  const size_t pairs = systems.size() * (systems.size() - 1) / 2;
  comparison.exchanges = stats::permutations_for(options, pairs * (groups.size() + 1));
  Progress progress("comparing", std::ssize(groups) + 1);
  comparison.groups.push_back(compare_group("", systems, records, options, comparison.exchanges));
  for (const Group& group : groups) {
    progress.update(std::ssize(comparison.groups));
    std::vector<RecordKey> members;
    for (const size_t i : group.members) members.push_back(records[i]);
    comparison.groups.push_back(
        compare_group(group.name, systems, members, options, comparison.exchanges));
  }
  correct_groups(comparison.groups);
  return comparison;
}

SystemScores whole_file_system(const std::string& name, const std::string& file,
                               const data::ScoredRows& rows) {
  SystemScores system{name, file, {}, {}};
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    system.records.push_back(record_of(rows, i));
    system.scores.emplace(system.records.back(),
                          ScoredRecord{rows.scores[0][i], question_of(rows, i)});
  }
  return system;
}

void add_named_systems(const std::string& file, const data::ScoredRows& rows,
                       std::vector<SystemScores>& systems) {
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    auto system = std::ranges::find(systems, rows.systems[i], &SystemScores::name);
    if (system == systems.end()) {
      systems.push_back({rows.systems[i], "", {}, {}});
      system = systems.end() - 1;
    }
    RecordKey key = record_of(rows, i);
    const ScoredRecord record{rows.scores[0][i], question_of(rows, i)};
    if (!system->scores.emplace(key, record).second) {
      throw InputError("a second score of " + system->name + " for the id " + to_text(key), file,
                       "give each record of a system once");
    }
    system->records.push_back(std::move(key));
  }
}

void require_same_records(const std::vector<SystemScores>& systems) {
  const auto check = [](const SystemScores& lacking, const SystemScores& other) {
    const std::vector<std::string> missing = missing_from(lacking, other);
    if (missing.empty()) return;
    throw InputError(std::to_string(missing.size()) + " ids of " + other.file +
                         " are not in this file: " + join_some(missing),
                     lacking.file,
                     "compare files of the same records; where a field names the system of each "
                     "row (such as constituent), give --system FIELD");
  };
  for (size_t s = 1; s < systems.size(); ++s) {
    check(systems[s], systems[0]);
    check(systems[0], systems[s]);
  }
}

std::string keep_shared_records(std::vector<SystemScores>& systems) {
  std::map<RecordKey, size_t> holders;
  for (const SystemScores& system : systems) {
    for (const RecordKey& key : system.records) ++holders[key];
  }
  const auto is_shared = [&](const RecordKey& key) { return holders.at(key) == systems.size(); };
  std::vector<std::string> left_out;
  for (const auto& [key, count] : holders) {
    if (!is_shared(key)) left_out.push_back(to_text(key));
  }
  if (left_out.empty()) return "";
  std::vector<std::string> names;
  for (SystemScores& system : systems) {
    names.push_back(system.name);
    std::erase_if(system.records, [&](const RecordKey& key) { return !is_shared(key); });
    std::erase_if(system.scores, [&](const auto& entry) { return !is_shared(entry.first); });
  }
  if (systems[0].records.empty()) {
    throw InputError("no record is of every system (" + join_some(names) + ")", "--system",
                     "give the rows of one record the same \"id\" in each system");
  }
  return std::to_string(left_out.size()) +
         " records are not of every system and left out: " + join_some(left_out);
}

}  // namespace rubric::eval
