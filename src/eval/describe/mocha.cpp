#include <string>
#include <utility>

#include "eval/describe/describe.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

constexpr const char* kLengths =
    "Lengths are means over the candidates of the first file, in words of BERT's basic tokenizer "
    "(cased); the paper counts spaCy's tokens.";
constexpr const char* kUnique =
    "Passages are unique by their text, questions by passage, question and reference.";
constexpr const char* kRounded = "Scores between whole numbers count as the nearest, halves up.";

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

std::string score_name(size_t i) {
  return "score_" + std::to_string(i + 1);
}

void add_scores(const Keys& keys, const data::ScoreCounts& scores, Result& result) {
  for (size_t i = 0; i < scores.size(); ++i) {
    result.measurements.push_back(count_of(keys, score_name(i), scores[i]));
  }
}

void add_constituent(Keys keys, const data::ConstituentStatistics& constituent, Result& result) {
  keys.group = constituent.name;
  for (const Size& size : kSizes) {
    result.measurements.push_back(count_of(keys, size.statistic, constituent.*size.count));
  }
  result.measurements.push_back(count_of(keys, "unscored", constituent.unscored));
  for (const auto& [statistic, length] : {std::pair("passage_length", constituent.passage_length),
                                          {"question_length", constituent.question_length},
                                          {"reference_length", constituent.reference_length},
                                          {"candidate_length", constituent.candidate_length}}) {
    result.measurements.push_back({.keys = keys, .statistic = statistic, .value = length});
  }
  add_scores(keys, constituent.scores, result);
  for (const auto& [name, source] : constituent.sources) {
    keys.source = name;
    result.measurements.push_back(count_of(keys, "candidates", source.candidates));
    add_scores(keys, source.scores, result);
  }
}

Layout sizes_layout(std::span<const SplitStatistics> splits) {
  Layout layout{.title = "Sizes",
                .rows = {{"constituent", &Keys::group, "total"}},
                .notes = {kLengths, kUnique}};
  for (const std::string part : {"passage", "question", "reference", "candidate"}) {
    layout.columns.push_back({.title = part,
                              .statistics = {part + "_length"},
                              .keys = {.subset = splits.front().name},
                              .form = NumberForm::fixed1});
  }
  for (const Size& size : kSizes) {
    for (const SplitStatistics& split : splits) {
      layout.columns.push_back(
          counts_column(std::string(size.statistic) + " " + split.name, size.statistic));
      layout.columns.back().keys.subset = split.name;
    }
  }
  return layout;
}

Layout scores_layout(const SplitStatistics& split) {
  Layout layout{.title = "Candidates by human score: " + split.name,
                .rows = {{"constituent", &Keys::group}, {"source", &Keys::source, "all"}},
                .keys = {.subset = split.name},
                .notes = {kRounded}};
  for (size_t i = 0; i < data::ScoreCounts{}.size(); ++i) {
    layout.columns.push_back(counts_column(std::to_string(i + 1), score_name(i)));
  }
  return layout;
}

}  // namespace

Result mocha_description(std::span<const SplitStatistics> splits) {
  Result result{.title = "MOCHA's data", .tables = {sizes_layout(splits)}};
  for (const SplitStatistics& split : splits) {
    for (const data::ConstituentStatistics& constituent : split.constituents) {
      add_constituent({.subset = split.name}, constituent, result);
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
    result.tables.push_back(scores_layout(split));
    if (unscored > 0) {
      result.tables.back().notes.push_back("Candidates without a score: " +
                                           std::to_string(unscored));
    }
  }
  add_totals({"candidates"}, result);
  return result;
}

}  // namespace rubric::eval
