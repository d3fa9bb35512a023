#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "core/hash.h"
#include "core/random.h"
#include "core/system/log.h"
#include "data/rows/seen_rows.h"
#include "eval/agreement/agreement.h"
#include "eval/resampling.h"
#include "eval/result/render.h"
#include "stats/pairwise_accuracy.h"
#include "stats/significance.h"

namespace rubric::eval {
namespace {

// The weighted means of `values` by system, less the first value, so that a large offset loses no
// digits; empty when a system has no row.
class SystemMeans {
 public:
  explicit SystemMeans(const stats::Clusters& systems) : systems_(systems) {}

  template <class WeightOf>
  std::vector<double> operator()(const std::vector<double>& values, WeightOf weight_of) const {
    std::vector<double> sums(systems_.count), weights(systems_.count);
    for (size_t row = 0; row < values.size(); ++row) {
      const double weight = weight_of(row);
      sums[systems_.of[row]] += weight * (values[row] - values.front());
      weights[systems_.of[row]] += weight;
    }
    for (size_t system = 0; system < systems_.count; ++system) {
      if (weights[system] == 0) return {};
      sums[system] /= weights[system];
    }
    return sums;
  }

 private:
  const stats::Clusters& systems_;
};

// Means of the same scores, added up in another order, differ in their last digits: they tie.
std::vector<double> with_ties(std::span<const double> means) {
  constexpr double kRounding = 1e-13;  // of the largest
  std::vector<double> tied(means.begin(), means.end());
  std::vector<size_t> order(means.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return means[i]; });
  double largest = 0;
  for (const double mean : means) largest = std::max(largest, std::abs(mean));
  for (size_t k = 1; k < order.size(); ++k) {
    const bool is_tie = means[order[k]] - means[order[k - 1]] <= kRounding * largest;
    if (is_tie) tied[order[k]] = tied[order[k - 1]];
  }
  return tied;
}

}  // namespace

stats::Statistics system_agreement(std::span<const double> human_means,
                                   std::span<const double> metric_means) {
  const std::vector<double> human = with_ties(human_means), metric = with_ties(metric_means);
  stats::Correlations correlations;
  if (human.size() >= 3) correlations = stats::correlations(human, metric);
  int64_t pairs = 0, correct = 0;
  for (size_t a = 0; a < human.size(); ++a) {
    for (size_t b = a + 1; b < human.size(); ++b) {
      if (human[a] == human[b]) continue;
      ++pairs;
      const bool is_first_better = human[a] > human[b];
      correct += (is_first_better ? metric[a] > metric[b] : metric[a] < metric[b]) ? 1 : 0;
    }
  }
  std::optional<double> accuracy;
  if (pairs > 0) accuracy = static_cast<double>(correct) / static_cast<double>(pairs);
  return {correlations.pearson, correlations.spearman, correlations.kendall, accuracy};
}

std::vector<Measurement> measure_systems(const data::ScoredRows& rows,
                                         const stats::Clusters& questions,
                                         std::span<const size_t> metrics,
                                         const stats::BootstrapOptions& options) {
  const std::vector<Group> groups =
      group_by(rows.systems.size(), [&](size_t row) { return rows.systems[row]; });
  stats::Clusters systems{std::vector<uint32_t>(rows.systems.size()), groups.size()};
  for (size_t system = 0; system < groups.size(); ++system) {
    for (const size_t row : groups[system].members) systems.of[row] = static_cast<uint32_t>(system);
  }
  const SystemMeans means(systems);
  const auto agreements = [&](const auto& weight) {
    stats::Statistics all(metrics.size() * kSystemStatistics.size());
    const std::vector<double> human = means(rows.human, weight);
    if (human.empty()) return all;
    all.clear();
    for (const size_t metric : metrics) {
      std::ranges::copy(system_agreement(human, means(rows.scores[metric], weight)),
                        std::back_inserter(all));
    }
    return all;
  };
  const auto once = [](size_t) { return 1.0; };
  std::vector<Measurement> measurements;
  if (groups.size() > 1) {
    const stats::Statistics values = agreements(once);
    const auto resampled = stats::resampled_statistics(
        questions, options, 0, values.size(), [&](stats::Counts counts) {
          return agreements([&](size_t row) { return static_cast<double>(counts[row]); });
        });
    const std::string why =
        groups.size() < 3 ? "fewer than three systems" : "all means are the same";
    Adder add{measurements, {}, std::ssize(groups)};
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string statistic = kSystemStatistics[i % kSystemStatistics.size()];
      add.keys.metric = rows.metrics[metrics[i / kSystemStatistics.size()]];
      add.why_missing =
          statistic == kSystemStatistics.back() ? "all human means are the same" : why;
      add(statistic, values[i], stats::percentile_interval(resampled[i]));
    }
  }
  std::vector<std::vector<double>> metric_means;  // [metric][system], less the first row's score
  for (const size_t metric : metrics) metric_means.push_back(means(rows.scores[metric], once));
  const std::vector<double> human_means = means(rows.human, once);
  for (size_t system = 0; system < groups.size(); ++system) {
    Adder add{measurements, {.system = groups[system].name}, std::ssize(groups[system].members)};
    add("mean_label", human_means[system] + rows.human.front());
    for (size_t i = 0; i < metrics.size(); ++i) {
      add.keys.metric = rows.metrics[metrics[i]];
      add("mean", metric_means[i][system] + rows.scores[metrics[i]].front());
    }
  }
  return measurements;
}

namespace {

// The rows with unseen questions; nothing unless some rows but not all are such.
std::optional<Group> unseen_rows(const data::ScoredRows& rows) {
  Group unseen{kUnseen, {}};
  for (size_t row = 0; row < rows.human.size(); ++row) {
    if (is_unseen(rows, row)) unseen.members.push_back(row);
  }
  const bool has_others = unseen.members.size() < rows.human.size();
  return !unseen.members.empty() && has_others ? std::optional(unseen) : std::nullopt;
}

template <class Value>
std::vector<Value> select(const std::vector<Value>& values, const std::vector<size_t>& rows) {
  std::vector<Value> selected;
  for (const size_t row : rows) selected.push_back(values[row]);
  return selected;
}

// A hash of each row's question, whatever else the file holds.
std::vector<uint64_t> hashes_of(const RowQuestions& questions, size_t rows, uint64_t seed) {
  std::vector<uint64_t> hashes;
  for (size_t row = 0; row < rows; ++row) {
    hashes.push_back(random_bits(seed, Purpose::halves, questions.hash(row).first));
  }
  return hashes;
}

// What is known of all rows before the first group.
struct AllRows {
  const data::ScoredRows& rows;
  stats::Clusters questions;
  std::vector<uint64_t> question_hashes;  // empty if no halves are measured
  std::vector<DevChoice> dev;             // by metric; empty without dev rows
};

RowPairs row_pairs(std::span<const double> human, const stats::Clusters& questions) {
  const stats::Clusters items = pair_items(questions);
  const std::vector<double> constant(human.size());
  const stats::PairwiseAccuracy all_tied(human, constant, items, 0);
  return {all_tied.pairs(), items.count > 1, all_tied.value()};
}

// Adds the group. One that has all rows has their values.
void add_group(const AllRows& all, const Group& group, bool is_unseen, Progress& progress,
               Agreement& agreement) {
  const data::ScoredRows& rows = all.rows;
  if (!agreement.groups.empty() && group.members.size() == rows.human.size()) {
    GroupAgreement same = agreement.groups.front();
    same.name = group.name;
    agreement.groups.push_back(std::move(same));
    return;
  }
  const AgreementOptions& options = agreement.options;
  const uint64_t stream = group.name.empty() ? 0 : sha256_bits(group.name);
  const stats::Clusters questions = stats::clusters_by(select(all.questions.of, group.members));
  const std::vector<double> human = select(rows.human, group.members);
  std::vector<std::vector<double>> scores;
  for (const auto& metric : rows.scores) scores.push_back(select(metric, group.members));
  GroupAgreement result;
  if (!is_unseen) result.name = group.name;
  result.is_unseen = is_unseen;
  result.n = std::ssize(human);
  result.questions = static_cast<int64_t>(questions.count);
  result.is_human_constant =
      std::all_of(human.begin(), human.end(), [&](double label) { return label == human[0]; });
  result.pairs = row_pairs(human, questions);
  BinaryRows binary;
  if (agreement.labels) {
    binary.is_positive = are_positive(human, *agreement.labels);
    binary.dev = all.dev;
    result.positives = std::ranges::count(binary.is_positive, true);
  }
  if (!all.question_hashes.empty()) {
    binary.is_in_second = second_half(questions, select(all.question_hashes, group.members));
    result.has_halves = has_halves(binary);
  }
  result.metrics = metric_agreements(human, scores, questions, options.bootstrap, stream,
                                     agreement.labels ? &binary : nullptr, &progress);
  result.tests = test_correlations(human, scores, questions, options.test,
                                   {agreement.permutations, options.bootstrap.seed});
  agreement.groups.push_back(std::move(result));
}

// How many rows have a question that rows of `others` have too.
int64_t shared_rows(const data::ScoredRows& rows, const RowQuestions& questions,
                    const data::ScoredRows& others) {
  const RowQuestions other_questions(others);
  std::set<QuestionHash> hashes;
  for (size_t row = 0; row < others.rows.size(); ++row) {
    if (other_questions.has(row)) hashes.insert(other_questions.hash(row));
  }
  int64_t shared = 0;
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    shared += questions.has(row) && hashes.contains(questions.hash(row)) ? 1 : 0;
  }
  return shared;
}

// Chooses thresholds and curves on the dev rows.
void add_dev(const data::ScoredRows& dev, const RowQuestions& questions, AllRows& all,
             Agreement& agreement) {
  const std::vector<bool> is_positive = are_positive(dev.human, *agreement.labels);
  for (const auto& scores : dev.scores) all.dev.push_back(choose_on_dev(scores, is_positive));
  agreement.dev = {std::ssize(dev.human), std::ranges::count(is_positive, true), dev.unlabelled,
                   shared_rows(all.rows, questions, dev)};
}

}  // namespace

std::vector<SeenCounts> seen_counts(const data::ScoredRows& rows) {
  std::vector<SeenCounts> all(rows.metrics.size());
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    for (size_t metric = 0; metric < all.size(); ++metric) {
      all[metric].trained +=
          data::is_seen(rows.rows[row], rows.metrics[metric], data::kSeenTrained) ? 1 : 0;
      all[metric].tuned +=
          data::is_seen(rows.rows[row], rows.metrics[metric], data::kSeenTuned) ? 1 : 0;
    }
  }
  const bool has_any = std::ranges::any_of(
      all, [](const SeenCounts& seen) { return seen.trained + seen.tuned > 0; });
  return has_any ? all : std::vector<SeenCounts>();
}

void warn_of_scales(const data::ScoredRows& rows, const std::vector<bool>& is_left_out) {
  constexpr size_t kFewest = 10;  // rows of what may be no system
  const auto warn = [&](const std::vector<std::string>& systems, size_t fewest) {
    std::vector<Group> groups = group_by(systems.size(), [&](size_t row) { return systems[row]; });
    for (Group& group : groups) {
      std::erase_if(group.members, [&](size_t row) {
        return (!rows.is_unscored.empty() && rows.is_unscored[row]) ||
               (!is_left_out.empty() && is_left_out[row]);
      });
    }
    std::erase_if(groups, [&](const Group& group) { return group.members.size() < fewest; });
    if (groups.size() < 2) return;
    std::vector<std::string> names;
    for (const Group& group : groups) names.push_back(group.name);
    for (size_t metric = 0; metric < rows.metrics.size(); ++metric) {
      std::vector<ScoreRange> ranges;
      for (const Group& group : groups) {
        const std::vector<double> scores = select(rows.scores[metric], group.members);
        const auto [least, most] = std::ranges::minmax(scores);
        ranges.push_back({least, most});
      }
      warn_of_scales(rows.metrics[metric], names, ranges);
    }
  };
  if (!rows.systems.empty()) return warn(rows.systems, 1);
  std::vector<std::string> names;
  const std::string field = data::likely_system(rows);
  if (field.empty()) return;
  for (const Json& row : rows.rows) names.push_back(data::name_of(row.find(field)));
  warn(names, kFewest);
}

bool is_unseen(const data::ScoredRows& rows, size_t row) {
  return std::ranges::none_of(rows.metrics, [&](const std::string& metric) {
    return data::is_seen(rows.rows[row], metric, data::kSeenTrained) ||
           data::is_seen(rows.rows[row], metric, data::kSeenTuned);
  });
}

Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options,
                             const data::ScoredRows* dev) {
  Agreement agreement;
  agreement.metrics = rows.metrics;
  agreement.unlabelled = rows.unlabelled;
  agreement.options = options;
  agreement.labels = binary_labels(dev != nullptr ? dev->human : rows.human);
  const RowQuestions questions(rows);
  AllRows all{rows, questions.clusters(), {}, {}};
  if (options.test == AgreementTest::automatic) {
    agreement.options.test = automatic_test(all.questions);
  }
  if (dev != nullptr) {
    add_dev(*dev, questions, all, agreement);
  } else if (agreement.labels) {
    all.question_hashes = hashes_of(questions, rows.rows.size(), options.bootstrap.seed);
  }
  agreement.has_questions = questions.any();
  agreement.notes.insert(agreement.notes.end(), rows.label_warnings.begin(),
                         rows.label_warnings.end());
  agreement.seen = seen_counts(rows);
  warn_of_scales(rows);
  std::vector<Group> groups = all_and_groups(
      rows.human.size(), [&](size_t i) { return rows.groups.empty() ? "" : rows.groups[i]; });
  const std::optional<Group> unseen = unseen_rows(rows);
  if (unseen) groups.insert(groups.begin() + 1, *unseen);
  const size_t pairs = rows.metrics.size() * (rows.metrics.size() - 1) / 2;
  agreement.permutations = stats::permutations_for(options.bootstrap, pairs * groups.size());
  Progress progress("resampling", std::ssize(groups) * options.bootstrap.resamples);
  for (size_t i = 0; i < groups.size(); ++i) {
    add_group(all, groups[i], unseen && i == 1, progress, agreement);
  }
  if (!rows.systems.empty()) {
    for (const Group& system :
         group_by(rows.systems.size(), [&](size_t row) { return rows.systems[row]; })) {
      agreement.systems.push_back(system.name);
    }
    agreement.of_systems = measure_systems(
        rows, all.questions, by_agreement(agreement.groups.front()), options.bootstrap);
  }
  return agreement;
}

std::vector<size_t> by_agreement(const GroupAgreement& group) {
  std::vector<size_t> order(group.metrics.size());
  std::iota(order.begin(), order.end(), size_t{0});
  constexpr double kUndefined = -2;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return group.metrics[a].values[kPearson].value_or(kUndefined) >
           group.metrics[b].values[kPearson].value_or(kUndefined);
  });
  return order;
}

}  // namespace rubric::eval
