#include <algorithm>
#include <array>
#include <utility>

#include "core/context.h"
#include "core/system/log.h"
#include "eval/agreement/agreement.h"
#include "stats/bootstrap.h"
#include "stats/correlation.h"
#include "stats/pairwise_accuracy.h"

namespace rubric::eval {
namespace {

// A share of the drawn records: how much each distinct record counts in the numerator and in the
// denominator.
struct Share {
  std::vector<uint32_t> part, whole;

  std::optional<double> of(stats::Counts drawn) const {
    uint64_t parts = 0, wholes = 0;
    for (size_t i = 0; i < drawn.size(); ++i) {
      parts += uint64_t{drawn[i]} * part[i];
      wholes += uint64_t{drawn[i]} * whole[i];
    }
    if (wholes == 0) return std::nullopt;
    return static_cast<double>(parts) / static_cast<double>(wholes);
  }
};

// The metrics of a group, and what of them is resampled.
class Resampling {
 public:
  Resampling(std::span<const double> human, std::span<const std::vector<double>> scores,
             const stats::Clusters& questions, const BinaryRows* binary, uint64_t seed)
      : human_(human),
        items_(pair_items(questions)),
        binary_(binary != nullptr && (has_both_labels(*binary) || !binary->dev.empty()) ? binary
                                                                                        : nullptr) {
    for (const auto& metric : scores) add_metric(metric, seed);
    std::vector<std::optional<double>> labels(items_.count);
    for (size_t row = 0; row < human.size(); ++row) {
      std::optional<double>& label = labels[items_.of[row]];
      has_other_labels_ = has_other_labels_ || (label && *label != human[row]);
      label = human[row];
    }
    if (items_.count == 1) return;
    std::vector<size_t> sizes(items_.count);
    for (const uint32_t item : items_.of) ++sizes[item];
    item_columns_.push_back(at_first_row([&](size_t item) { return sizes[item] > 1 ? 1.0 : 0.0; }));
    item_sums_.emplace(questions, item_columns_);
  }

  // The kRowStatistics of each metric. Safe to call from several threads.
  stats::Statistics draw(stats::Counts counts) const {
    const std::vector<double> sums = item_sums_ ? item_sums_->of(counts) : std::vector<double>();
    const int64_t with_themselves = item_sums_ ? 0 : stats::pairs_with_themselves(counts);
    stats::Statistics values;
    for (size_t i = 0; i < metrics_.size(); ++i) {
      const Metric& metric = metrics_[i];
      const std::vector<uint32_t> drawn = metric.records.drawn(counts);
      const stats::ResampledCorrelations correlations = metric.correlation.all(drawn);
      std::optional<double> pairs, accuracy, f1;
      if (!item_sums_) {
        pairs = metric.pairs.resampled(drawn, with_themselves);
      } else if (sums.back() > 0) {
        pairs = sums[i] / sums.back();
      }
      if (binary_ != nullptr) {
        accuracy = metric.accuracy.of(drawn);
        f1 = metric.f1.of(drawn);
      }
      values.insert(values.end(),
                    {correlations.pearson, correlations.spearman, correlations.kendall, pairs,
                     correlations.concordance, accuracy, f1});
    }
    return values;
  }

  // `drawn`: the metric's statistics in all resamples.
  MetricAgreement agreement(size_t i, const std::vector<double>& scores,
                            std::span<const stats::Statistics> drawn) const {
    const Metric& metric = metrics_[i];
    MetricAgreement result;
    constexpr size_t kFewest = 3;  // of two rows a correlation is 1 or -1
    if (human_.size() >= kFewest) {
      const stats::Correlations correlations = stats::correlations(human_, scores);
      result.values[kPearson] = correlations.pearson;
      result.values[kSpearman] = correlations.spearman;
      result.values[kKendall] = correlations.kendall;
    }
    if (has_other_labels_) {  // else the best epsilon ties all pairs of any metric
      result.values[kPairwise] = metric.pairs.value();
      result.epsilon = metric.pairs.epsilon();
    }
    result.binary = metric.binary;
    if (result.binary) {
      result.values[kRocAuc] = result.binary->roc_auc;
      result.values[kBinaryAccuracy] = result.binary->accuracy.value;
      result.values[kBinaryF1] = result.binary->f1.value;
    }
    for (size_t s = 0; s < kRowStatistics.size(); ++s) {
      if (result.values[s]) result.intervals[s] = stats::percentile_interval(drawn[s]);
    }
    result.resampled = drawn[kPearson];
    return result;
  }

 private:
  struct Metric {
    stats::DistinctRecords records;  // by label, score and, if there are such, half
    stats::ResampledCorrelation correlation;
    stats::PairwiseAccuracy pairs;
    Share accuracy, f1;
    std::optional<BinaryAgreement> binary;
  };

  void add_metric(const std::vector<double>& scores, uint64_t seed) {
    std::vector<double> half(scores.size());
    if (binary_ != nullptr && binary_->dev.empty()) {
      half.assign(binary_->is_in_second.begin(), binary_->is_in_second.end());
    }
    const std::array<std::span<const double>, 3> series = {human_, scores, half};
    stats::DistinctRecords records(series);
    const std::vector<double> human = records.values_of(human_), metric = records.values_of(scores);
    const stats::Clusters all{std::vector<uint32_t>(records.size()), 1};
    // Distinct records no longer say which item a record belongs to.
    stats::PairwiseAccuracy pairs =
        items_.count > 1 ? stats::PairwiseAccuracy(human_, scores, items_, seed)
                         : stats::PairwiseAccuracy(human, metric, all, seed, records.times());
    if (items_.count > 1) {
      const std::vector<std::optional<double>> by_item = pairs.by_item();
      item_columns_.push_back(at_first_row([&](size_t item) { return by_item[item].value_or(0); }));
    }
    Metric added{std::move(records), {human, metric}, std::move(pairs), {}, {}, {}};
    if (binary_ != nullptr) {
      added.binary = binary_agreement(scores, *binary_, metrics_.size());
      add_shares(scores, added);
    }
    metrics_.push_back(std::move(added));
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

  // For accuracy the correct predictions among all rows; for F1 twice the correct positive ones
  // among the rows that are predicted positive and those that are positive.
  void add_shares(const std::vector<double>& scores, Metric& metric) const {
    const auto shares = [&](const ThresholdAgreement& thresholds, auto part, auto whole) {
      const std::vector<bool> predicted = predicted_positive(scores, *binary_, thresholds);
      std::vector<double> parts, wholes;
      for (size_t row = 0; row < predicted.size(); ++row) {
        const bool is_positive = binary_->is_positive[row];
        parts.push_back(part(predicted[row] ? 1 : 0, is_positive ? 1 : 0));
        wholes.push_back(whole(predicted[row] ? 1 : 0, is_positive ? 1 : 0));
      }
      const std::vector<double> distinct_parts = metric.records.values_of(parts),
                                distinct_wholes = metric.records.values_of(wholes);
      return Share{{distinct_parts.begin(), distinct_parts.end()},
                   {distinct_wholes.begin(), distinct_wholes.end()}};
    };
    metric.accuracy = shares(
        metric.binary->accuracy, [](int a, int b) { return a == b ? 1 : 0; },
        [](int, int) { return 1; });
    metric.f1 = shares(
        metric.binary->f1, [](int a, int b) { return 2 * a * b; },
        [](int a, int b) { return a + b; });
  }

  const std::span<const double> human_;
  const stats::Clusters items_;
  const BinaryRows* const binary_;
  bool has_other_labels_ = false;  // whether some pair of rows has different labels
  std::vector<Metric> metrics_;
  // Where there are several items: each metric's accuracy of pairs within them, then whether they
  // have pairs.
  std::vector<std::vector<double>> item_columns_;
  std::optional<stats::ResampledSums> item_sums_;
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
  const size_t count = kRowStatistics.size();
  const std::vector<stats::Statistics> drawn = stats::resampled_statistics(
      questions, options, stream, scores.size() * count, [&](stats::Counts counts) {
        end_if_stop_requested();
        if (progress != nullptr) progress->add(1);
        return resampling.draw(counts);
      });
  std::vector<MetricAgreement> metrics;
  for (size_t i = 0; i < scores.size(); ++i) {
    metrics.push_back(
        resampling.agreement(i, scores[i], std::span(drawn).subspan(i * count, count)));
  }
  return metrics;
}

}  // namespace rubric::eval
