#include "stats/binary.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "eval/agreement/agreement.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

using Levels = std::vector<stats::ScoreLevel>;

std::array<Levels, 2> half_levels(std::span<const double> scores, const BinaryRows& rows) {
  std::array<std::vector<size_t>, 2> members;
  for (size_t row = 0; row < scores.size(); ++row) {
    members[rows.is_in_second[row] ? 1 : 0].push_back(row);
  }
  return {stats::score_levels(scores, rows.is_positive, members[0]),
          stats::score_levels(scores, rows.is_positive, members[1])};
}

// The significant digits, at least four, with which a threshold still calls the same rows positive.
int digits_of(double threshold, const Levels& levels) {
  constexpr int kFewest = 4;
  const auto call = [&](double limit) {
    return std::ranges::lower_bound(levels, limit, {}, &stats::ScoreLevel::score);
  };
  int digits = kFewest;
  while (digits < std::numeric_limits<double>::max_digits10 &&
         call(std::strtod(format_significant(threshold, digits).c_str(), nullptr)) !=
             call(threshold)) {
    ++digits;
  }
  return digits;
}

// `value` is computed from the counts over both halves.
ThresholdAgreement threshold_agreement(const Levels& all, const std::array<Levels, 2>& halves,
                                       stats::ThresholdGoal goal,
                                       std::optional<double> (*value)(const stats::YesNoCounts&)) {
  ThresholdAgreement agreement;
  agreement.threshold = stats::best_threshold(all, goal);
  agreement.digits = digits_of(agreement.threshold, all);
  for (size_t half = 0; half < 2; ++half) {
    agreement.half_thresholds[half] = stats::best_threshold(halves[half], goal);
    agreement.half_digits[half] = digits_of(agreement.half_thresholds[half], all);
  }
  if (!stats::has_both_labels(halves[0]) || !stats::has_both_labels(halves[1])) return agreement;
  stats::YesNoCounts counts = stats::counts_at(halves[0], agreement.half_thresholds[1]);
  counts += stats::counts_at(halves[1], agreement.half_thresholds[0]);
  agreement.value = value(counts);
  return agreement;
}

std::optional<double> crossed_calibration_error(const std::array<Levels, 2>& halves) {
  if (!stats::has_both_labels(halves[0]) || !stats::has_both_labels(halves[1])) return std::nullopt;
  Levels probabilities;
  for (size_t half = 0; half < 2; ++half) {
    const stats::LogisticCurve curve = stats::fit_logistic_curve(halves[1 - half]);
    for (stats::ScoreLevel level : halves[half]) {
      level.score = curve(level.score);
      probabilities.push_back(level);
    }
  }
  return stats::calibration_error(std::move(probabilities));
}

}  // namespace

std::optional<BinaryLabels> binary_labels(std::span<const double> human) {
  if (human.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(human);
  const bool has_two = low < high && std::ranges::all_of(human, [low = low, high = high](double x) {
                         return x == low || x == high;
                       });
  return has_two ? std::optional(BinaryLabels{low, high}) : std::nullopt;
}

std::vector<bool> second_half(const stats::Clusters& questions, std::span<const uint64_t> hashes) {
  std::vector<uint64_t> hash(questions.count);
  for (size_t row = 0; row < hashes.size(); ++row) hash[questions.of[row]] = hashes[row];
  std::vector<size_t> order(questions.count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t question) { return hash[question]; });
  std::vector<bool> is_later(questions.count), is_in_second;
  for (size_t i = order.size() / 2; i < order.size(); ++i) is_later[order[i]] = true;
  for (const uint32_t question : questions.of) is_in_second.push_back(is_later[question]);
  return is_in_second;
}

bool has_both_labels(const BinaryRows& rows) {
  const auto& labels = rows.is_positive;
  return std::ranges::find(labels, true) != labels.end() &&
         std::ranges::find(labels, false) != labels.end();
}

bool has_halves(const BinaryRows& rows) {
  std::array<std::array<bool, 2>, 2> has = {};  // [half][label]
  for (size_t row = 0; row < rows.is_positive.size(); ++row) {
    has[rows.is_in_second[row] ? 1 : 0][rows.is_positive[row] ? 1 : 0] = true;
  }
  return has[0][0] && has[0][1] && has[1][0] && has[1][1];
}

BinaryAgreement binary_agreement(std::span<const double> scores, const BinaryRows& rows) {
  const Levels all = stats::score_levels(scores, rows.is_positive);
  const std::array<Levels, 2> halves = half_levels(scores, rows);
  BinaryAgreement agreement;
  agreement.roc_auc = stats::roc_auc(all);
  agreement.accuracy =
      threshold_agreement(all, halves, stats::ThresholdGoal::accuracy, stats::observed_agreement);
  agreement.f1 = threshold_agreement(all, halves, stats::ThresholdGoal::f1, stats::f1);
  agreement.calibration_error = crossed_calibration_error(halves);
  return agreement;
}

std::vector<bool> called_positive(std::span<const double> scores, const BinaryRows& rows,
                                  const ThresholdAgreement& thresholds) {
  std::vector<bool> called;
  for (size_t row = 0; row < scores.size(); ++row) {
    const size_t other = rows.is_in_second[row] ? 0 : 1;
    called.push_back(scores[row] >= thresholds.half_thresholds[other]);
  }
  return called;
}

}  // namespace rubric::eval
