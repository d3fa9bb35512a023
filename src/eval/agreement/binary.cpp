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

// The significant digits, at least four, with which a threshold still predicts the same rows
// positive.
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

// The best on these rows, without a value.
ThresholdAgreement best_on(const Levels& levels, stats::ThresholdGoal goal) {
  ThresholdAgreement best;
  best.threshold = stats::best_threshold(levels, goal);
  best.digits = digits_of(best.threshold, levels);
  return best;
}

using ValueOfCounts = std::optional<double> (*)(const stats::YesNoCounts&);

// `value` is computed from the counts over both halves.
ThresholdAgreement threshold_agreement(const Levels& all, const std::array<Levels, 2>& halves,
                                       stats::ThresholdGoal goal, ValueOfCounts value) {
  ThresholdAgreement agreement = best_on(all, goal);
  std::array<double, 2> thresholds = {};
  for (size_t half = 0; half < 2; ++half) {
    thresholds[half] = stats::best_threshold(halves[half], goal);
    agreement.half_digits[half] = digits_of(thresholds[half], all);
  }
  agreement.half_thresholds = thresholds;
  if (!stats::has_both_labels(halves[0]) || !stats::has_both_labels(halves[1])) return agreement;
  stats::YesNoCounts counts = stats::counts_at(halves[0], thresholds[1]);
  counts += stats::counts_at(halves[1], thresholds[0]);
  agreement.value = value(counts);
  return agreement;
}

ThresholdAgreement at_dev_threshold(ThresholdAgreement chosen, const Levels& all,
                                    ValueOfCounts value) {
  chosen.digits = std::max(chosen.digits, digits_of(chosen.threshold, all));
  chosen.value = value(stats::counts_at(all, chosen.threshold));
  return chosen;
}

// Without a positive row it would be 0, or 0 / 0, for any metric, which says nothing of one.
std::optional<double> f1_with_positives(const stats::YesNoCounts& counts) {
  const bool has_positives = counts.both + counts.second_only > 0;
  return has_positives ? stats::f1(counts) : std::nullopt;
}

void add_probabilities(const Levels& levels, const stats::LogisticCurve& curve, Levels& to) {
  for (stats::ScoreLevel level : levels) {
    level.score = curve(level.score);
    to.push_back(level);
  }
}

std::optional<double> crossed_calibration_error(const std::array<Levels, 2>& halves) {
  if (!stats::has_both_labels(halves[0]) || !stats::has_both_labels(halves[1])) return std::nullopt;
  Levels probabilities;
  for (size_t half = 0; half < 2; ++half) {
    add_probabilities(halves[half], stats::fit_logistic_curve(halves[1 - half]), probabilities);
  }
  return stats::calibration_error(std::move(probabilities));
}

}  // namespace

DevChoice choose_on_dev(std::span<const double> scores, const std::vector<bool>& is_positive) {
  const Levels levels = stats::score_levels(scores, is_positive);
  return {best_on(levels, stats::ThresholdGoal::accuracy),
          best_on(levels, stats::ThresholdGoal::f1), stats::fit_logistic_curve(levels)};
}

std::vector<bool> are_positive(std::span<const double> human, const BinaryLabels& labels) {
  std::vector<bool> is_positive;
  for (const double label : human) is_positive.push_back(label == labels.positive);
  return is_positive;
}

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

BinaryAgreement binary_agreement(std::span<const double> scores, const BinaryRows& rows,
                                 size_t metric) {
  const Levels all = stats::score_levels(scores, rows.is_positive);
  BinaryAgreement agreement;
  agreement.roc_auc = stats::roc_auc(all);
  if (!rows.dev.empty()) {
    const DevChoice& dev = rows.dev[metric];
    agreement.accuracy = at_dev_threshold(dev.accuracy, all, stats::observed_agreement);
    agreement.f1 = at_dev_threshold(dev.f1, all, f1_with_positives);
    Levels probabilities;
    add_probabilities(all, dev.curve, probabilities);
    agreement.calibration_error = stats::calibration_error(std::move(probabilities));
    return agreement;
  }
  const std::array<Levels, 2> halves = half_levels(scores, rows);
  agreement.accuracy =
      threshold_agreement(all, halves, stats::ThresholdGoal::accuracy, stats::observed_agreement);
  agreement.f1 = threshold_agreement(all, halves, stats::ThresholdGoal::f1, stats::f1);
  agreement.calibration_error = crossed_calibration_error(halves);
  return agreement;
}

std::vector<bool> predicted_positive(std::span<const double> scores, const BinaryRows& rows,
                                     const ThresholdAgreement& thresholds) {
  std::vector<bool> predicted;
  for (size_t row = 0; row < scores.size(); ++row) {
    const double threshold = thresholds.half_thresholds
                                 ? (*thresholds.half_thresholds)[rows.is_in_second[row] ? 0 : 1]
                                 : thresholds.threshold;
    predicted.push_back(scores[row] >= threshold);
  }
  return predicted;
}

}  // namespace rubric::eval
