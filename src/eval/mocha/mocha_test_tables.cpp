// The forms of mocha_tests.h.
#include <utility>

#include "eval/report/figures.h"
#include "eval/mocha/significance.h"

namespace rubric {
namespace {

Table annotator_table(const MochaTests& tests) {
  Table table{"Agreement of the annotators (Krippendorff's alpha, interval)",
              {"constituent", "instances", "alpha"},
              {},
              {Align::left},
              {}};
  for (const AnnotatorAgreement& annotators : tests.annotators) {
    table.rows.push_back(
        {annotators.constituent, std::to_string(annotators.n), cell(annotators.alpha)});
  }
  return table;
}

// The metric with the highest figure, or nothing when none has one.
std::optional<size_t> best_of(const std::vector<std::optional<double>>& figures) {
  std::optional<size_t> best;
  for (size_t i = 0; i < figures.size(); ++i) {
    if (figures[i] && (!best || *figures[i] > *figures[*best])) best = i;
  }
  return best;
}

void add_row(Table& table, const std::string& constituent, std::span<const MetricTest> tests,
             const std::vector<std::optional<double>>& figures) {
  const std::optional<size_t> best = best_of(figures);
  std::vector<std::string> row = {constituent};
  for (size_t i = 0; i < figures.size(); ++i) {
    const MetricTest* test = best && i != *best ? find_test(tests, constituent, *best, i) : nullptr;
    row.push_back(best && i == *best ? "best" : test != nullptr ? p_cell(test->corrected_p) : "–");
  }
  table.rows.push_back(std::move(row));
}

Table empty_table(const std::string& what, const std::vector<std::string>& metrics,
                  std::span<const MetricTest> tests) {
  Table table{what + ", p of the difference to the best metric",
              {"constituent"},
              {},
              {Align::left},
              {correction_note(tests)}};
  table.header.insert(table.header.end(), metrics.begin(), metrics.end());
  return table;
}

Table correlation_table(const MochaTests& tests, std::span<const MochaResult> results) {
  Table table = empty_table("Williams' test of Pearson's r", tests.metrics, tests.correlations);
  for (size_t i = 0; i < results.front().constituents.size(); ++i) {
    std::vector<std::optional<double>> figures;
    for (const MochaResult& result : results) {
      figures.push_back(result.constituents[i].correlations.pearson);
    }
    add_row(table, results.front().constituents[i].name, tests.correlations, figures);
  }
  return table;
}

Table pair_table(const MochaTests& tests, std::span<const MochaResult> results) {
  Table table = empty_table("McNemar's exact test on minimal pairs", tests.metrics, tests.pairs);
  table.notes.emplace_back("a pair of equal scores is wrong here, and half right in the accuracy");
  for (size_t i = 0; i < results.front().pairs.size(); ++i) {
    std::vector<std::optional<double>> figures;
    for (const MochaResult& result : results) figures.push_back(result.pairs[i].accuracy);
    add_row(table, results.front().pairs[i].name, tests.pairs, figures);
  }
  return table;
}

Json to_json(std::span<const MetricTest> tests, const std::vector<std::string>& metrics) {
  Json::Array array;
  for (const MetricTest& test : tests) {
    array.push_back(Json::Object{{"constituent", test.group},
                                 {"first", metrics[test.first]},
                                 {"second", metrics[test.second]},
                                 {"difference", test.difference},
                                 {"statistic", test.statistic},
                                 {"p", test.p},
                                 {"p_holm", test.corrected_p}});
  }
  return array;
}

}  // namespace

std::vector<Table> mocha_test_tables(const MochaTests& tests,
                                     std::span<const MochaResult> results) {
  std::vector<Table> tables;
  if (!tests.correlations.empty()) tables.push_back(correlation_table(tests, results));
  if (!tests.pairs.empty()) tables.push_back(pair_table(tests, results));
  if (!tests.annotators.empty()) tables.push_back(annotator_table(tests));
  return tables;
}

Json to_json(const MochaTests& tests) {
  Json json{Json::Object()};
  for (const AnnotatorAgreement& annotators : tests.annotators) {
    json["annotators"][annotators.constituent] =
        Json::Object{{"alpha", or_null(annotators.alpha)}, {"n", annotators.n}};
  }
  if (!tests.correlations.empty()) {
    json["tests"]["pearson"] = to_json(tests.correlations, tests.metrics);
  }
  if (!tests.pairs.empty()) json["tests"]["minimal_pairs"] = to_json(tests.pairs, tests.metrics);
  return json;
}

void add_test_figures(const MochaTests& tests, Table& figures) {
  for (const char* column : {"other", "p", "p_holm"}) figures.header.emplace_back(column);
  for (const AnnotatorAgreement& annotators : tests.annotators) {
    figures.rows.push_back({"human", "krippendorff_alpha", annotators.constituent, "",
                            number(annotators.alpha), "", "", std::to_string(annotators.n)});
  }
  const auto add = [&](const char* figure, const std::vector<MetricTest>& of_figure) {
    for (const MetricTest& test : of_figure) {
      figures.rows.push_back({tests.metrics[test.first], figure, test.group, "",
                              number(test.difference), "", "", "", tests.metrics[test.second],
                              p_number(test.p), p_number(test.corrected_p)});
    }
  };
  add("pearson_difference", tests.correlations);
  add("minimal_pairs_difference", tests.pairs);
}

}  // namespace rubric
