#include "stats/binary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace rubric::stats {
namespace {

ScoreLevel totals(std::span<const ScoreLevel> levels) {
  ScoreLevel sum;
  for (const ScoreLevel& level : levels) {
    sum.positives += level.positives;
    sum.negatives += level.negatives;
  }
  return sum;
}

// log(1 + exp(x)) without overflow.
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

// Where a level lies, its number of records, and the sum of their targets.
struct LogisticLevel {
  double x, records, targets;
};

struct Line {
  double slope = 0, intercept = 0;
  double at(double x) const { return slope * x + intercept; }
};

// The negative logarithm of the likelihood.
double loss(std::span<const LogisticLevel> levels, const Line& line) {
  double sum = 0;
  for (const auto& [x, records, targets] : levels) {
    sum += records * softplus(line.at(x)) - targets * line.at(x);
  }
  return sum;
}

// Newton's step downwards.
Line newton_step(std::span<const LogisticLevel> levels, const Line& line) {
  constexpr double kRidge = 1e-12;  // the curvature of constant scores is 0
  double slope = 0, intercept = 0, xx = kRidge, x1 = 0, one = kRidge;
  for (const auto& [x, records, targets] : levels) {
    const double p = logistic(line.at(x)), gradient = records * p - targets;
    const double curvature = records * p * (1 - p);
    slope += gradient * x;
    intercept += gradient;
    xx += curvature * x * x;
    x1 += curvature * x;
    one += curvature;
  }
  const double determinant = xx * one - x1 * x1;
  return {-(one * slope - x1 * intercept) / determinant,
          -(xx * intercept - x1 * slope) / determinant};
}

Line most_likely_line(std::span<const LogisticLevel> levels, Line line) {
  constexpr int kMostSteps = 100, kMostHalvings = 30;
  double now = loss(levels, line);
  for (int i = 0; i < kMostSteps; ++i) {
    Line step = newton_step(levels, line);
    double next = now;
    int halvings = 0;
    for (; halvings < kMostHalvings; ++halvings) {
      const Line tried{line.slope + step.slope, line.intercept + step.intercept};
      next = loss(levels, tried);
      if (next <= now) break;
      step = {step.slope / 2, step.intercept / 2};
    }
    if (halvings == kMostHalvings) break;
    line = {line.slope + step.slope, line.intercept + step.intercept};
    now = next;
    constexpr double kSmall = 1e-12;
    if (std::abs(step.slope) + std::abs(step.intercept) < kSmall) break;
  }
  return line;
}

}  // namespace

std::vector<ScoreLevel> score_levels(std::span<const double> scores,
                                     const std::vector<bool>& is_positive,
                                     std::span<const size_t> rows) {
  if (scores.size() != is_positive.size()) throw Error("each score needs a label");
  std::vector<size_t> order(rows.begin(), rows.end());
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] < scores[b]; });
  std::vector<ScoreLevel> levels;
  for (const size_t row : order) {
    if (levels.empty() || levels.back().score != scores[row]) levels.push_back({scores[row]});
    ++(is_positive[row] ? levels.back().positives : levels.back().negatives);
  }
  return levels;
}

std::vector<ScoreLevel> score_levels(std::span<const double> scores,
                                     const std::vector<bool>& is_positive) {
  std::vector<size_t> rows(scores.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  return score_levels(scores, is_positive, rows);
}

bool has_both_labels(std::span<const ScoreLevel> levels) {
  const ScoreLevel all = totals(levels);
  return all.positives > 0 && all.negatives > 0;
}

std::optional<double> roc_auc(std::span<const ScoreLevel> levels) {
  if (!has_both_labels(levels)) return std::nullopt;
  const ScoreLevel all = totals(levels);
  double won = 0, negatives_below = 0;  // pairs
  for (const ScoreLevel& level : levels) {
    const auto positives = static_cast<double>(level.positives),
               negatives = static_cast<double>(level.negatives);
    won += positives * (negatives_below + negatives / 2);
    negatives_below += negatives;
  }
  return won / (static_cast<double>(all.positives) * static_cast<double>(all.negatives));
}

// Values are compared as fractions, in whole numbers. Without a positive F1 is 0.
double best_threshold(std::span<const ScoreLevel> levels, ThresholdGoal goal) {
  const ScoreLevel all = totals(levels);
  const int64_t n = all.positives + all.negatives;
  double best = std::numeric_limits<double>::infinity();
  int64_t best_part = goal == ThresholdGoal::accuracy ? all.negatives : 0, best_whole = n;
  int64_t predicted = 0, correct = 0;  // records above, and the positive ones of them
  for (size_t i = levels.size(); i-- > 0;) {
    predicted += levels[i].positives + levels[i].negatives;
    correct += levels[i].positives;
    const int64_t part =
        goal == ThresholdGoal::accuracy ? all.negatives - predicted + 2 * correct : 2 * correct;
    const int64_t whole = goal == ThresholdGoal::accuracy ? n : predicted + all.positives;
    if (part * best_whole <= best_part * whole) continue;
    best_part = part;
    best_whole = whole;
    const double score = levels[i].score;
    const double middle = i == 0 ? score : std::midpoint(levels[i - 1].score, score);
    best = i > 0 && middle <= levels[i - 1].score ? score : middle;  // neighbours in the last bit
  }
  return best;
}

YesNoCounts counts_at(std::span<const ScoreLevel> levels, double threshold) {
  YesNoCounts counts;
  for (const ScoreLevel& level : levels) {
    counts.add(level.score >= threshold, true, level.positives);
    counts.add(level.score >= threshold, false, level.negatives);
  }
  return counts;
}

double LogisticCurve::operator()(double score) const {
  return logistic(slope * ((score - centre) / scale) + intercept);
}

LogisticCurve fit_logistic_curve(std::span<const ScoreLevel> levels) {
  const ScoreLevel all = totals(levels);
  const auto positives = static_cast<double>(all.positives),
             negatives = static_cast<double>(all.negatives);
  LogisticCurve curve;
  for (const ScoreLevel& level : levels) {
    const auto records = static_cast<double>(level.positives + level.negatives);
    curve.centre += level.score * (records / (positives + negatives));
  }
  double largest = 0;
  for (const ScoreLevel& level : levels) {
    largest = std::max(largest, std::abs(level.score - curve.centre));
  }
  if (largest > 0) curve.scale = largest;
  const double high = (positives + 1) / (positives + 2), low = 1 / (negatives + 2);
  std::vector<LogisticLevel> scaled;
  for (const ScoreLevel& level : levels) {
    const auto yes = static_cast<double>(level.positives),
               no = static_cast<double>(level.negatives);
    scaled.push_back({(level.score - curve.centre) / curve.scale, yes + no, yes * high + no * low});
  }
  const Line line = most_likely_line(scaled, {0, std::log((positives + 1) / (negatives + 1))});
  curve.slope = line.slope;
  curve.intercept = line.intercept;
  return curve;
}

std::optional<double> calibration_error(std::vector<ScoreLevel> levels, int64_t bins) {
  if (!std::ranges::all_of(levels, [](const auto& level) { return std::isfinite(level.score); })) {
    return std::nullopt;
  }
  std::ranges::sort(levels, {}, &ScoreLevel::score);
  struct Bin {
    double probabilities = 0, positives = 0;
  };
  std::vector<Bin> all(static_cast<size_t>(bins));
  const ScoreLevel sum = totals(levels);
  const int64_t n = sum.positives + sum.negatives;
  if (n == 0) return std::nullopt;
  int64_t seen = 0, below_it = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    const auto& [probability, positives, negatives] = levels[i];
    if (i == 0 || levels[i - 1].score != probability) below_it = seen;
    Bin& bin = all[static_cast<size_t>(bins * below_it / n)];
    bin.probabilities += probability * static_cast<double>(positives + negatives);
    bin.positives += static_cast<double>(positives);
    seen += positives + negatives;
  }
  double error = 0;
  for (const Bin& bin : all) error += std::abs(bin.probabilities - bin.positives);
  return error / static_cast<double>(n);
}

}  // namespace rubric::stats
