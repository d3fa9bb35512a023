#include "eval/report/plots.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "eval/agreement/agreement.h"
#include "eval/agreement/gaps.h"
#include "eval/report/table.h"
#include "eval/result/layouts.h"
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

// Whether there are few distinct values, such as labels from 1 to 5, which are not binned.
bool has_few_values(std::vector<double> values) {
  constexpr size_t kFew = 25;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values.size() <= kFew;
}

std::string range_text(double low, double high) {
  const std::string from = format_significant(low), to = format_significant(high);
  return from == to ? from : from + " to " + to;
}

// The least and the largest of the rows' values.
std::string range_of(const std::vector<double>& values, const std::vector<uint32_t>& rows) {
  double low = values[rows.front()], high = low;
  for (const uint32_t row : rows) {
    low = std::min(low, values[row]);
    high = std::max(high, values[row]);
  }
  return range_text(low, high);
}

// A circle at each place where rows lie, whose area says how many.
PlotSeries circles(const std::string& metric, const std::vector<double>& scores,
                   const std::vector<double>& human) {
  constexpr int kColumns = 30, kLabelRows = 15;
  constexpr double kLargest = 12, kSmallest = 1.8;  // radius in pixels
  const Grid columns(scores, kColumns), label_rows(human, kLabelRows);
  const bool is_exact_score = has_few_values(scores), is_exact_label = has_few_values(human);
  std::map<std::pair<double, double>, std::vector<uint32_t>> places;
  for (size_t i = 0; i < scores.size(); ++i) {
    places[{is_exact_score ? scores[i] : columns(scores[i]),
            is_exact_label ? human[i] : label_rows(human[i])}]
        .push_back(static_cast<uint32_t>(i));
  }
  size_t most = 1;
  for (const auto& [place, rows] : places) most = std::max(most, rows.size());
  PlotSeries series{"", {}, PlotStyle::circles, 0};
  for (auto& [place, rows] : places) {
    const double share = static_cast<double>(rows.size()) / static_cast<double>(most);
    PlotPoint point{
        place.first, place.second, {}, std::max(kSmallest, kLargest * std::sqrt(share))};
    point.title = metric + " " + range_of(scores, rows) + ", label " + range_of(human, rows) +
                  ": " + counted(std::ssize(rows), "row");
    point.rows = std::move(rows);
    series.points.push_back(std::move(point));
  }
  // So that no circle hides a smaller one.
  std::ranges::stable_sort(series.points, std::ranges::greater(), &PlotPoint::radius);
  return series;
}

// The mean score and the mean label, with its interval, in each tenth of the rows by score. Equal
// scores stay in one tenth, and so do the last rows where they are too few for an interval. Labels
// have bounds that Student's t does not know: no interval leaves the range of the labels.
PlotSeries calibration(const std::string& metric, const std::vector<double>& scores,
                       const std::vector<double>& human) {
  constexpr size_t kFewest = 5;
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return scores[a] < scores[b]; });
  const size_t tenth = std::max<size_t>((scores.size() + 9) / 10, kFewest);
  const auto [lowest, highest] = std::ranges::minmax(human);
  PlotSeries series{"", {}, PlotStyle::line_and_points, 1};
  for (size_t start = 0, end = 0; start < order.size(); start = end) {
    double sum = 0;
    std::vector<double> labels;
    while (end < order.size() && (end - start < tenth || order.size() - end < kFewest ||
                                  scores[order[end]] == scores[order[end - 1]])) {
      sum += scores[order[end]];
      labels.push_back(human[order[end++]]);
    }
    const stats::MeanInterval mean = stats::mean_interval(labels);
    PlotPoint point{sum / static_cast<double>(labels.size()), mean.mean};
    if (labels.size() >= kFewest) {
      point.interval = {std::max(mean.low, lowest), std::min(mean.high, highest)};
    }
    point.title = metric + " " + range_text(scores[order[start]], scores[order[end - 1]]) +
                  ": mean label " + cell(mean.mean, point.interval) + ", " +
                  counted(std::ssize(labels), "row");
    point.rows.assign(order.begin() + static_cast<std::ptrdiff_t>(start),
                      order.begin() + static_cast<std::ptrdiff_t>(end));
    series.points.push_back(std::move(point));
  }
  return series;
}

Plot scatter(const std::string& metric, const std::vector<double>& scores,
             const std::vector<double>& human) {
  Plot plot;
  plot.title = metric + " against human labels: circles are rows, the line the mean label";
  plot.description =
      "Each circle's area says how many rows lie there; the line joins the mean "
      "human label of each tenth of the rows by score, with its 95% interval.";
  plot.x_label = metric;
  plot.y_label = "human label";
  plot.series = {circles(metric, scores, human), calibration(metric, scores, human)};
  return plot;
}

// The fields of the first row that hold text to read: no numbers, and not the passage, which would
// take the room of many rows.
std::vector<std::string> text_fields(const data::ScoredRows& rows) {
  constexpr size_t kMost = 6;
  const std::set<std::string> left_out = {"id", "passage", "context", "article"};
  std::vector<std::string> fields;
  if (rows.rows.empty()) return fields;
  for (const auto& [name, value] : rows.rows.front().object()) {
    const bool is_text = value.is_array() || (value.is_string() && !parse_cell(value.string()));
    if (is_text && !left_out.contains(name) && fields.size() < kMost) fields.push_back(name);
  }
  return fields;
}

}  // namespace

void add_agreement_plots(const Agreement& agreement, std::shared_ptr<const data::ScoredRows> rows,
                         Result& result) {
  result.interval_plots.push_back(
      {read_layout("agreement", agreement.groups.size() > 1 ? "plot_by_group" : "plot"),
       "Pearson's r", [rows](const Keys& keys) {
         std::vector<uint32_t> numbers;
         for (size_t i = 0; i < rows->human.size(); ++i) {
           const bool is_in = keys.subset.empty()
                                  ? keys.group.empty() || rows->groups[i] == keys.group
                                  : is_unseen(*rows, i);
           if (is_in) numbers.push_back(static_cast<uint32_t>(i));
         }
         return numbers;
       }});
  for (const size_t i : by_agreement(agreement.groups.front())) {
    if (!agreement.groups.front().metrics[i].values[kPearson]) continue;
    result.plots.push_back(scatter(agreement.metrics[i], rows->scores[i], rows->human));
  }
  const std::vector<std::string> fields = text_fields(*rows);
  Records& points = result.points;
  points.columns = {"id"};
  points.columns.insert(points.columns.end(), fields.begin(), fields.end());
  points.columns.emplace_back("human label");
  points.columns.insert(points.columns.end(), rows->metrics.begin(), rows->metrics.end());
  points.size = rows->human.size();
  points.row = [rows, fields](size_t row) {
    std::vector<RecordValue> cells = {rows->ids[row]};
    for (const std::string& name : fields) cells.emplace_back(cell_text(rows->rows[row], name));
    cells.emplace_back(format_significant(rows->human[row]));
    for (const std::vector<double>& scores : rows->scores) cells.emplace_back(scores[row]);
    return cells;
  };
}

}  // namespace rubric::eval
