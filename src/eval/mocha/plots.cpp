#include "eval/report/plots.h"

#include <memory>
#include <utility>

#include "core/error.h"
#include "eval/mocha/output.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

std::vector<uint32_t> rows_of(std::span<const data::Answer> answers,
                              const std::string& constituent) {
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].constituent == constituent) rows.push_back(static_cast<uint32_t>(i));
  }
  return rows;
}

}  // namespace

std::vector<Plot> mocha_plots(std::span<const MochaResult> results,
                              std::span<const data::Answer> answers) {
  std::vector<IntervalSeries> by_metric;
  for (const MochaResult& result : results) {
    IntervalSeries series{result.metric, {}};
    for (const ConstituentResult& constituent : result.constituents) {
      series.bars.push_back({constituent.name, constituent.correlations.pearson,
                             constituent.interval, constituent.n,
                             rows_of(answers, constituent.name)});
    }
    series.bars.push_back({"average", result.average.pearson, result.interval});
    by_metric.push_back(std::move(series));
  }
  return {
      interval_plot("Pearson's r with human judgements, 95% intervals", "Pearson's r", by_metric)};
}

ReportRows mocha_rows(std::span<const data::Answer> answers,
                      std::span<const MochaPredictions> metrics) {
  const std::vector<data::InstanceKey> keys = keys_of(answers);
  ReportRows rows;
  rows.header = {"id", "constituent", "question", "reference", "candidate", "human score"};
  const auto given = std::make_shared<std::vector<Given>>();  // shared by copies of the function
  for (const MochaPredictions& metric : metrics) {
    rows.header.push_back(metric.metric);
    given->push_back(data::match_predictions(keys, metric.answers, metric.metric).values);
  }
  rows.cells = [answers, given](uint32_t row) {
    const data::Answer& answer = answers[row];
    std::vector<std::string> cells = {
        answer.id,        answer.constituent,
        answer.question,  join(answer.references, " / "),
        answer.candidate, answer.score ? format_fixed(*answer.score, 2) : "–"};
    for (const Given& of_metric : *given) cells.push_back(cell(of_metric[row]));
    return cells;
  };
  return rows;
}

}  // namespace rubric::eval
