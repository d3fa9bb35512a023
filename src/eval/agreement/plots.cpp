#include "eval/report/plots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "eval/agreement/output.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

// Divides a range into equal bins and maps a value to the middle of its bin.
class Grid {
 public:
  Grid(std::span<const double> values, int bins) : low_(std::ranges::min(values)), bins_(bins) {
    const double range = std::ranges::max(values) - low_;
    if (range > 0) step_ = range / bins;
  }
  double operator()(double value) const {
    const double bin = std::min(std::floor((value - low_) / step_), bins_ - 1.0);
    return low_ + (bin + 0.5) * step_;
  }

 private:
  double low_, step_ = 1;
  int bins_;
};

// Whether there are few distinct labels, such as 1 to 5, which are not binned.
bool has_few_values(std::vector<double> values) {
  constexpr size_t kFew = 25;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values.size() <= kFew;
}

// Score, label and size of each circle.
std::string circles(const std::vector<double>& scores, const std::vector<double>& human) {
  constexpr int kColumns = 30, kRows = 15;
  constexpr double kLargest = 2.4;  // in gnuplot's point sizes
  const Grid columns(scores, kColumns), label_rows(human, kRows);
  const bool is_exact = has_few_values(human);
  std::map<std::pair<double, double>, int64_t> counts;
  for (size_t i = 0; i < scores.size(); ++i) {
    ++counts[{columns(scores[i]), is_exact ? human[i] : label_rows(human[i])}];
  }
  int64_t most = 1;
  for (const auto& [place, count] : counts) most = std::max(most, count);
  std::string data;
  for (const auto& [place, count] : counts) {
    const double share = std::sqrt(static_cast<double>(count) / static_cast<double>(most));
    data += plot_number(place.first) + "\t" + plot_number(place.second) + "\t" +
            plot_number(kLargest * std::max(0.12, share)) + "\n";
  }
  return data;
}

// The mean score and the mean label, with its interval, in each tenth of the rows by score. Equal
// scores stay in one tenth.
std::string calibration(const std::vector<double>& scores, const std::vector<double>& human) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scores[a] < scores[b]; });
  const size_t tenth = std::max<size_t>((scores.size() + 9) / 10, 5);
  std::string data;
  for (size_t start = 0, end = 0; start < order.size(); start = end) {
    double sum = 0;
    std::vector<double> labels;
    while (end < order.size() &&
           (end - start < tenth || scores[order[end]] == scores[order[end - 1]])) {
      sum += scores[order[end]];
      labels.push_back(human[order[end++]]);
    }
    const stats::MeanInterval mean = stats::mean_interval(labels);
    data += plot_number(sum / static_cast<double>(labels.size())) + "\t" + plot_number(mean.mean) +
            "\t" + plot_number(mean.low) + "\t" + plot_number(mean.high) + "\n";
  }
  return data;
}

Plot scatter(const std::string& metric, const std::vector<double>& scores,
             const std::vector<double>& human) {
  Plot plot;
  plot.title = metric + " against human labels: circles are rows, the line the mean label";
  plot.description =
      "Each circle's area says how many rows lie there; the line joins the mean "
      "human label of each tenth of the rows by score, with its 95% interval.";
  plot.commands =
      "$circles << EOD\n" + circles(scores, human) + "EOD\n$means << EOD\n" +
      calibration(scores, human) + "EOD\nset xlabel " + plot_quote(metric) +
      "\nset ylabel 'human label'\nset autoscale fix\nset offsets graph 0.05, graph 0.05, graph "
      "0.1, "
      "graph 0.1\nset xtics format '%g'\n"
      "plot $circles using 1:2:3 with points pt 7 ps variable lc rgb '#9cc8e1' notitle, "
      "$means using 1:2:3:4 with yerrorlines pt 7 ps 0.5 lw 2 lc rgb '#d55e00' notitle\n";
  return plot;
}

Plot intervals(const Agreement& agreement, const std::vector<size_t>& order) {
  const auto bar = [](const std::string& name, const MetricAgreement& metric) {
    return IntervalBar{name, metric.correlations.pearson, metric.pearson};
  };
  const std::string title = "Pearson's r with human labels, 95% intervals";
  if (agreement.groups.size() == 1) {
    IntervalSeries series;
    for (const size_t i : order) {
      series.bars.push_back(bar(agreement.metrics[i], agreement.groups[0].metrics[i]));
    }
    return interval_plot(title, "Pearson's r", {&series, 1});
  }
  std::vector<IntervalSeries> by_metric;
  for (const size_t i : order) {
    IntervalSeries series{agreement.metrics[i], {}};
    for (const GroupAgreement& group : agreement.groups) {
      series.bars.push_back(bar(group.name.empty() ? "all rows" : group.name, group.metrics[i]));
    }
    by_metric.push_back(std::move(series));
  }
  return interval_plot(title, "Pearson's r", by_metric);
}

}  // namespace

std::vector<Plot> agreement_plots(const Agreement& agreement, const data::ScoredRows& rows) {
  const std::vector<size_t> order = by_agreement(agreement.groups.front());
  std::vector<Plot> plots = {intervals(agreement, order)};
  for (const size_t i : order) {
    if (!agreement.groups.front().metrics[i].correlations.pearson) continue;
    plots.push_back(scatter(agreement.metrics[i], rows.scores[i], rows.human));
  }
  return plots;
}

}  // namespace rubric::eval
