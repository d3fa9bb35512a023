#include "eval/rev/suite.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "eval/resampling.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

std::optional<double> mean_of_all(std::span<const std::optional<double>> values) {
  std::vector<double> defined;
  for (const std::optional<double>& value : values) {
    if (!value) return std::nullopt;
    defined.push_back(*value);
  }
  return stats::mean(defined);
}

std::vector<bool> rows_with_other_texts(const RevPairs& pairs) {
  const std::vector<data::ScoredRationale>& first = pairs.seeds.front();
  std::vector<bool> others(first.size());
  for (const std::vector<data::ScoredRationale>& rows : pairs.seeds) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].label != first[i].label || rows[i].rationale != first[i].rationale) {
        others[i] = true;
      }
    }
  }
  return others;
}

BaselineCounts count_baselines(const RevPairs& pairs) {
  BaselineCounts counts;
  for (const std::vector<data::ScoredRationale>& rows : pairs.seeds) {
    for (const data::ScoredRationale& row : rows) {
      if (row.baseline.empty()) continue;
      ++counts[row.baseline_by.empty() ? "given" : row.baseline_by];
    }
  }
  return counts;
}

RevDetails mean_details(const RevPairs& pairs, const std::vector<RevScores>& scores) {
  std::vector<RevDetails> by_seed;
  for (size_t seed = 0; seed < scores.size(); ++seed) {
    by_seed.push_back(rev_details(pairs.seeds[seed], scores[seed]));
  }
  RevDetails means = by_seed.front();
  for (size_t i = 0; i < means.size(); ++i) {
    std::vector<std::optional<double>> values;
    for (const RevDetails& details : by_seed) values.push_back(details[i].second);
    means[i].second = mean_of_all(values);
  }
  return means;
}

// Everything except the resamples.
RevKind kind_of(const RevPairs& pairs) {
  RevKind kind;
  kind.name = pairs.kind;
  kind.has_other_texts = rows_with_other_texts(pairs);
  for (const std::set<std::string>& ids : pairs.left_out) kind.left_out.push_back(std::ssize(ids));
  kind.baselines = count_baselines(pairs);
  for (const std::vector<data::ScoredRationale>& rows : pairs.seeds) {
    kind.scores.push_back(rev_scores(rows));
    const std::vector<uint32_t> once(rows.size(), 1);
    const RevValues statistics = rev_values(kind.scores.back(), once);
    for (size_t metric = 0; metric < statistics.size(); ++metric) {
      kind.by_seed[metric].push_back(statistics[metric]);
    }
  }
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    kind.means[metric] = mean_of_all(kind.by_seed[metric]);
  }
  kind.details = mean_details(pairs, kind.scores);
  return kind;
}

// [seed][metric][resample]; NaN: undefined.
using ResampledKind = std::vector<ByRevMetric<std::vector<double>>>;

std::vector<ResampledKind> resample(const std::vector<RevKind>& kinds,
                                    const stats::Clusters& questions,
                                    const stats::BootstrapOptions& options) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  std::vector<ResampledKind> resampled;
  for (const RevKind& kind : kinds) {
    resampled.emplace_back(kind.scores.size());
    for (auto& of_seed : resampled.back()) {
      of_seed.fill(std::vector<double>(static_cast<size_t>(options.resamples), kUndefined));
    }
  }
  stats::visit_resamples(questions, options, 0, [&](size_t number, stats::Counts counts) {
    for (size_t k = 0; k < kinds.size(); ++k) {
      for (size_t seed = 0; seed < kinds[k].scores.size(); ++seed) {
        const RevValues statistics = rev_values(kinds[k].scores[seed], counts);
        for (size_t metric = 0; metric < statistics.size(); ++metric) {
          resampled[k][seed][metric][number] = statistics[metric].value_or(kUndefined);
        }
      }
    }
  });
  return resampled;
}

void add_intervals(RevKind& kind, const ResampledKind& resampled,
                   const stats::BootstrapOptions& options) {
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    if (!kind.means[metric]) continue;
    std::vector<RunValue> seeds;
    for (size_t seed = 0; seed < resampled.size(); ++seed) {
      seeds.push_back({*kind.by_seed[metric][seed], resampled[seed][metric]});
    }
    kind.resampled[metric] = seed_and_instance_means({std::move(seeds)}, options);
    kind.intervals[metric] = stats::percentile_interval(kind.resampled[metric]);
  }
}

}  // namespace

RevEvaluation evaluate_rev(std::span<const RevPairs> pairs,
                           const stats::BootstrapOptions& options) {
  const std::vector<data::ScoredRationale>& rows = pairs.front().seeds.front();
  const stats::Clusters questions = rationale_questions(rows);
  RevEvaluation evaluation{std::ssize(rows), static_cast<int64_t>(questions.count), {}, options};
  for (const RevPairs& kind : pairs) {
    evaluation.kinds.push_back(kind_of(kind));
    for (const std::set<std::string>& ids : kind.left_out) {
      evaluation.left_out.insert(ids.begin(), ids.end());
    }
  }
  const std::vector<ResampledKind> resampled = resample(evaluation.kinds, questions, options);
  for (size_t k = 0; k < resampled.size(); ++k) {
    add_intervals(evaluation.kinds[k], resampled[k], options);
  }
  return evaluation;
}

}  // namespace rubric::eval
