#include "eval/score/score_totals.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "core/error.h"

namespace rubric::eval {
namespace {

std::vector<Interval> intervals_of(std::span<const ScoreTotals> metrics,
                                   std::span<const uint32_t> order) {
  // As many as sacreBLEU draws; fewer of very many rows, which need fewer.
  constexpr int64_t kResamples = 1000, kLeast = 200, kMostDraws = 200'000'000;
  std::vector<stats::ClusterSums> sums;
  for (const ScoreTotals& metric : metrics) sums.push_back(metric.sums().in_order(order));
  const auto drawn = static_cast<int64_t>(order.size());
  const BootstrapOptions options = {.resamples =
                                        std::clamp(kMostDraws / drawn, kLeast, kResamples)};
  std::vector<const stats::ClusterSums*> all;
  for (const stats::ClusterSums& each : sums) all.push_back(&each);
  return stats::bootstrap_sums(all, options, [&](std::span<const double> drawn_sums, double rows) {
    std::vector<double> values;
    size_t next = 0;
    for (const ScoreTotals& metric : metrics) {
      const size_t columns = metric.sums().columns;
      for (const double value : metric.values_of(drawn_sums.subspan(next, columns), rows)) {
        values.push_back(value);
      }
      next += columns;
    }
    return values;
  });
}

}  // namespace

void ScoreTotals::add(const Scores& scores, std::span<const uint32_t> clusters) {
  const bool is_corpus = !scores.statistics.empty();
  const auto& rows = is_corpus ? scores.statistics : scores.rows;
  if (rows.empty()) return;
  if (rows_ == 0) {
    names_ = scores.names;
    if (is_corpus) corpus_scores_ = scores.corpus_scores;
    by_cluster_.columns = rows.front().size();
    totals_.resize(by_cluster_.columns);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    by_cluster_.add(clusters[i], rows[i]);
    for (size_t j = 0; j < totals_.size(); ++j) totals_[j] += rows[i][j];
  }
  for (const size_t row : scores.truncated) {
    truncated_.push_back(static_cast<size_t>(rows_) + row);
  }
  rows_ += std::ssize(rows);
}

std::vector<double> ScoreTotals::values_of(std::span<const double> sums, double rows) const {
  return is_corpus() ? corpus_scores_(sums) : stats::means_of_sums(sums, rows);
}

std::vector<FileScore> scores_over_rows(std::span<const ScoreTotals> metrics,
                                        std::span<const std::string> signatures,
                                        std::span<const uint32_t> order) {
  if (metrics.empty()) return {};
  if (metrics.front().rows() == 0) throw Error("there are no rows to score");
  std::vector<Interval> intervals;
  if (order.size() > 1) intervals = intervals_of(metrics, order);
  std::vector<FileScore> all;
  for (size_t i = 0; i < metrics.size(); ++i) {
    const ScoreTotals& metric = metrics[i];
    const std::vector<double> values = metric.values();
    for (size_t j = 0; j < values.size(); ++j) {
      std::optional<Interval> interval;
      if (!intervals.empty()) interval = intervals[all.size()];
      all.push_back({metric.names()[j], values[j], interval, metric.rows(), signatures[i],
                     metric.is_corpus(), std::nullopt, metric.truncated()});
      all.back().questions = std::ssize(order);
    }
  }
  return all;
}

}  // namespace rubric::eval
