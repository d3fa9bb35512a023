#include "eval/agreement/suite.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/hash.h"
#include "core/random.h"
#include "core/system/log.h"
#include "eval/resampling.h"
#include "stats/pairwise_accuracy.h"
#include "stats/significance.h"

namespace rubric::eval {
namespace {

// All rows, then the groups in order of first appearance.
std::vector<Group> groups_of(const data::ScoredRows& rows) {
  std::vector<Group> groups =
      group_by(rows.groups.size(), [&](size_t i) { return rows.groups[i]; });
  Group all{"", std::vector<size_t>(rows.human.size())};
  std::iota(all.members.begin(), all.members.end(), size_t{0});
  groups.insert(groups.begin(), std::move(all));
  return groups;
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
    std::string text;
    for (const std::string& part : questions.key(row)) text += part + '\0';
    hashes.push_back(random_bits(seed, Purpose::halves, sha256_bits(text)));
  }
  return hashes;
}

// What is known of all rows before the first group.
struct AllRows {
  const data::ScoredRows& rows;
  stats::Clusters questions;
  std::vector<uint64_t> question_hashes;  // empty if labels do not have two values
};

RowPairs row_pairs(std::span<const double> human, const stats::Clusters& questions) {
  const stats::Clusters items = pair_items(questions);
  const std::vector<double> constant(human.size());
  const stats::PairwiseAccuracy all_tied(human, constant, items, 0);
  return {all_tied.pairs(), items.count > 1, all_tied.value()};
}

// Adds the group and its tests.
void add_group(const AllRows& all, const Group& group, Progress& progress, Agreement& agreement) {
  const data::ScoredRows& rows = all.rows;
  const AgreementOptions& options = agreement.options;
  const uint64_t stream = agreement.groups.size();
  const stats::Clusters questions = stats::clusters_by(select(all.questions.of, group.members));
  const std::vector<double> human = select(rows.human, group.members);
  std::vector<std::vector<double>> scores;
  for (const auto& metric : rows.scores) scores.push_back(select(metric, group.members));
  GroupAgreement result;
  result.name = group.name;
  result.n = std::ssize(human);
  result.questions = static_cast<int64_t>(questions.count);
  result.is_human_constant =
      std::all_of(human.begin(), human.end(), [&](double label) { return label == human[0]; });
  result.pairs = row_pairs(human, questions);
  BinaryRows binary;
  if (agreement.labels) {
    for (const double label : human)
      binary.is_positive.push_back(label == agreement.labels->positive);
    binary.is_in_second = second_half(questions, select(all.question_hashes, group.members));
    result.positives = std::ranges::count(binary.is_positive, true);
    result.has_halves = has_halves(binary);
  }
  result.metrics = metric_agreements(human, scores, questions, options.bootstrap, stream,
                                     agreement.labels ? &binary : nullptr, &progress);
  agreement.groups.push_back(std::move(result));
  for (MetricTest& test : test_correlations(group.name, human, scores, questions, options.test,
                                            {agreement.permutations, options.bootstrap.seed})) {
    agreement.tests.push_back(std::move(test));
  }
}

}  // namespace

Agreement evaluate_agreement(const data::ScoredRows& rows, const AgreementOptions& options) {
  Agreement agreement;
  agreement.metrics = rows.metrics;
  agreement.unlabelled = rows.unlabelled;
  agreement.options = options;
  agreement.labels = binary_labels(rows.human);
  const RowQuestions questions(rows);
  AllRows all{rows, questions.clusters(), {}};
  if (agreement.labels) {
    all.question_hashes = hashes_of(questions, rows.rows.size(), options.bootstrap.seed);
  }
  agreement.has_questions = questions.any();
  const std::vector<Group> groups = groups_of(rows);
  const size_t pairs = rows.metrics.size() * (rows.metrics.size() - 1) / 2;
  agreement.permutations = stats::permutations_for(options.bootstrap, pairs * groups.size());
  Progress progress("resampling", std::ssize(groups) * options.bootstrap.resamples);
  for (const Group& group : groups) add_group(all, group, progress, agreement);
  correct(agreement.tests);
  if (!rows.systems.empty()) {
    agreement.systems = evaluate_systems(rows, all.questions, options.bootstrap);
  }
  return agreement;
}

std::vector<size_t> by_agreement(const GroupAgreement& group) {
  std::vector<size_t> order(group.metrics.size());
  std::iota(order.begin(), order.end(), size_t{0});
  constexpr double kUndefined = -2;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return group.metrics[a].correlations.pearson.value_or(kUndefined) >
           group.metrics[b].correlations.pearson.value_or(kUndefined);
  });
  return order;
}

}  // namespace rubric::eval
