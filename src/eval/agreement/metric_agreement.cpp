#include <algorithm>
#include <array>
#include <utility>

#include "core/context.h"
#include "core/system/log.h"
#include "eval/agreement/suite.h"
#include "stats/correlation.h"
#include "stats/pairwise_accuracy.h"

namespace rubric::eval {
namespace {

// A share that a resample has as one sum over its records by another.
struct Ratio {
  size_t part = 0, whole = 0;  // columns of ResampledSums
};

std::optional<double> ratio_of(const std::vector<double>& sums, const Ratio& ratio) {
  if (sums[ratio.whole] == 0) return std::nullopt;
  return sums[ratio.part] / sums[ratio.whole];
}

// One metric's values in all resamples.
struct ResampledMetric {
  using Values = std::vector<std::optional<double>>;
  explicit ResampledMetric(size_t resamples)
      : pearson(resamples),
        spearman(pearson),
        kendall(pearson),
        pairs(pearson),
        roc_auc(pearson),
        accuracy(pearson),
        f1(pearson) {}
  Values pearson, spearman, kendall, pairs, roc_auc, accuracy, f1;
};

// All metrics of a group, and what of them is resampled.
class Resampling {
 public:
  Resampling(std::span<const double> human, std::span<const std::vector<double>> scores,
             const stats::Clusters& questions, const BinaryRows* binary, uint64_t seed)
      : items_(pair_items(questions)),
        binary_(binary != nullptr && has_both_labels(*binary) ? binary : nullptr),
        rows_(add_column(std::vector<double>(human.size(), 1))),
        items_with_pairs_(columns_.size()) {
    std::vector<size_t> sizes(items_.count);
    for (const uint32_t item : items_.of) ++sizes[item];
    add_column(at_first_row([&](size_t item) { return sizes[item] > 1 ? 1.0 : 0.0; }));
    for (const auto& metric : scores) add_metric(human, metric, seed);
    sums_.emplace(questions, columns_);
    columns_.clear();
  }

  // Into a place of each metric. Safe to call from several threads.
  void draw(stats::Counts counts, size_t resample, std::vector<ResampledMetric>& values) const {
    const std::vector<double> sums = sums_->of(counts);
    for (size_t i = 0; i < metrics_.size(); ++i) {
      const Metric& metric = metrics_[i];
      const stats::ResampledCorrelations drawn = metric.correlation.all(counts);
      ResampledMetric& into = values[i];
      into.pearson[resample] = drawn.pearson;
      into.spearman[resample] = drawn.spearman;
      into.kendall[resample] = drawn.kendall;
      into.pairs[resample] =
          items_.count > 1 ? ratio_of(sums, metric.pair_share) : metric.pairs.resampled(counts);
      if (binary_ == nullptr) continue;
      into.roc_auc[resample] = drawn.concordance;
      into.accuracy[resample] = ratio_of(sums, metric.accuracy);
      into.f1[resample] = ratio_of(sums, metric.f1);
    }
  }

  MetricAgreement agreement(size_t i, stats::Correlations correlations,
                            ResampledMetric drawn) const {
    const Metric& metric = metrics_[i];
    MetricAgreement result;
    result.correlations = correlations;
    result.pearson = stats::percentile_interval(drawn.pearson);
    result.spearman = stats::percentile_interval(drawn.spearman);
    result.kendall = stats::percentile_interval(drawn.kendall);
    result.pairs = {metric.pairs.value(), stats::percentile_interval(drawn.pairs),
                    metric.pairs.epsilon()};
    result.binary = metric.binary;
    result.resampled = std::move(drawn.pearson);
    if (!result.binary) return result;
    result.binary->roc_auc_interval = stats::percentile_interval(drawn.roc_auc);
    if (!result.binary->accuracy.value) return result;
    result.binary->accuracy.interval = stats::percentile_interval(drawn.accuracy);
    result.binary->f1.interval = stats::percentile_interval(drawn.f1);
    return result;
  }

 private:
  struct Metric {
    stats::ResampledCorrelation correlation;
    stats::PairwiseAccuracy pairs;
    Ratio pair_share, accuracy, f1;
    std::optional<BinaryAgreement> binary;
  };

  size_t add_column(std::vector<double> column) {
    columns_.push_back(std::move(column));
    return columns_.size() - 1;
  }

  void add_metric(std::span<const double> human, const std::vector<double>& scores, uint64_t seed) {
    Metric metric{{human, scores}, {human, scores, items_, seed}, {}, {}, {}, {}};
    if (items_.count > 1) {
      const std::vector<std::optional<double>> by_item = metric.pairs.by_item();
      metric.pair_share = {
          add_column(at_first_row([&](size_t item) { return by_item[item].value_or(0); })),
          items_with_pairs_};
    }
    if (binary_ != nullptr) {
      metric.binary = binary_agreement(scores, *binary_);
      add_calls(scores, metric);
    }
    metrics_.push_back(std::move(metric));
  }

  // A column that has value_of(item) at the first row of each item, so that it counts once.
  template <class ValueOf>
  std::vector<double> at_first_row(ValueOf value_of) const {
    std::vector<double> column(items_.of.size());
    std::vector<bool> is_seen(items_.count);
    for (size_t row = 0; row < column.size(); ++row) {
      const uint32_t item = items_.of[row];
      if (!is_seen[item]) column[row] = value_of(item);
      is_seen[item] = true;
    }
    return column;
  }

  // Right calls of all rows; and of F1 twice the right positive ones, of those called positive and
  // those that are.
  void add_calls(const std::vector<double>& scores, Metric& metric) {
    const auto column = [&](const ThresholdAgreement& thresholds, auto value) {
      const std::vector<bool> called = called_positive(scores, *binary_, thresholds);
      std::vector<double> values;
      for (size_t row = 0; row < called.size(); ++row) {
        values.push_back(value(called[row], binary_->is_positive[row]));
      }
      return add_column(std::move(values));
    };
    const auto number = [](bool is) { return is ? 1.0 : 0.0; };
    const ThresholdAgreement &accuracy = metric.binary->accuracy, &f1 = metric.binary->f1;
    metric.accuracy = {column(accuracy, [&](bool a, bool b) { return number(a == b); }), rows_};
    metric.f1 = {column(f1, [&](bool a, bool b) { return 2 * number(a && b); }),
                 column(f1, [&](bool a, bool b) { return number(a) + number(b); })};
  }

  const stats::Clusters items_;
  const BinaryRows* const binary_;
  std::vector<std::vector<double>> columns_;
  const size_t rows_, items_with_pairs_;  // the columns that count them
  std::vector<Metric> metrics_;
  std::optional<stats::ResampledSums> sums_;
};

}  // namespace

stats::Clusters pair_items(const stats::Clusters& questions) {
  std::vector<size_t> sizes(questions.count);
  for (const uint32_t question : questions.of) ++sizes[question];
  size_t shared = 0;
  for (const size_t size : sizes) shared += size > 1 ? size : 0;
  if (2 * shared >= questions.of.size()) return questions;
  return {std::vector<uint32_t>(questions.of.size()), 1};
}

std::vector<MetricAgreement> metric_agreements(std::span<const double> human,
                                               std::span<const std::vector<double>> scores,
                                               const stats::Clusters& questions,
                                               const stats::BootstrapOptions& options,
                                               uint64_t stream, const BinaryRows* binary,
                                               Progress* progress) {
  const Resampling resampling(human, scores, questions, binary, options.seed);
  std::vector<ResampledMetric> values(scores.size(),
                                      ResampledMetric(static_cast<size_t>(options.resamples)));
  stats::visit_resamples(questions, options, stream, [&](size_t resample, stats::Counts counts) {
    end_if_stop_requested();
    resampling.draw(counts, resample, values);
    if (progress != nullptr) progress->add(1);
  });
  std::vector<MetricAgreement> metrics;
  for (size_t i = 0; i < scores.size(); ++i) {
    metrics.push_back(
        resampling.agreement(i, stats::correlations(human, scores[i]), std::move(values[i])));
  }
  return metrics;
}

}  // namespace rubric::eval
