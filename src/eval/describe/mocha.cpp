#include <string>

#include "eval/describe/describe.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

struct Size {
  const char* statistic;
  int64_t data::ConstituentStatistics::*count;
};
constexpr Size kSizes[] = {{"passages", &data::ConstituentStatistics::passages},
                           {"questions", &data::ConstituentStatistics::questions},
                           {"candidates", &data::ConstituentStatistics::candidates}};

int64_t total(const SplitStatistics& split, int64_t data::ConstituentStatistics::*count) {
  int64_t sum = 0;
  for (const data::ConstituentStatistics& constituent : split.constituents)
    sum += constituent.*count;
  return sum;
}

void add_scores(const Adder& add, const data::ScoreCounts& scores) {
  for (size_t i = 0; i < scores.size(); ++i) {
    add("score_" + std::to_string(i + 1), static_cast<double>(scores[i]));
  }
}

void add_constituent(Adder add, const data::ConstituentStatistics& constituent) {
  add.keys.group = constituent.name;
  for (const Size& size : kSizes) add.counts({{size.statistic, constituent.*size.count}});
  add.counts({{"unscored", constituent.unscored}});
  add("passage_length", constituent.passage_length);
  add("question_length", constituent.question_length);
  add("reference_length", constituent.reference_length);
  add("candidate_length", constituent.candidate_length);
  add_scores(add, constituent.scores);
  for (const auto& [name, source] : constituent.sources) {
    add.keys.source = name;
    add.counts({{"candidates", source.candidates}});
    add_scores(add, source.scores);
  }
}

Layout sizes_layout(std::span<const SplitStatistics> splits) {
  Layout layout = read_layout("describe", "mocha_sizes", {{"first", splits.front().name}});
  for (const Size& size : kSizes) {
    for (const SplitStatistics& split : splits) {
      layout.columns.push_back(
          counts_column(std::string(size.statistic) + " " + split.name, size.statistic));
      layout.columns.back().keys.subset = split.name;
    }
  }
  return layout;
}

}  // namespace

Result mocha_description(std::span<const SplitStatistics> splits) {
  Result result{.title = "MOCHA's data", .tables = {sizes_layout(splits)}};
  for (const SplitStatistics& split : splits) {
    for (const data::ConstituentStatistics& constituent : split.constituents) {
      add_constituent({result.measurements, {.subset = split.name}}, constituent);
    }
  }
  for (const SplitStatistics& split : splits) {  // the last row
    for (const Size& size : kSizes) {
      result.measurements.push_back(
          count_of({.subset = split.name}, size.statistic, total(split, size.count)));
    }
    const int64_t unscored = total(split, &data::ConstituentStatistics::unscored);
    if (unscored == total(split, &data::ConstituentStatistics::candidates)) {
      result.tables.front().notes.push_back("No candidate of " + split.name +
                                            " has a human score.");
      continue;
    }
    result.tables.push_back(read_layout("describe", "mocha_scores", {{"split", split.name}}));
    if (unscored > 0) {
      result.tables.back().notes.push_back("Candidates without a score: " +
                                           std::to_string(unscored));
    }
  }
  add_totals({"candidates"}, result);
  return result;
}

}  // namespace rubric::eval
