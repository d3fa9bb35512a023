#include <utility>

#include "eval/mocha/mocha.h"
#include "eval/report/table.h"
#include "stats/agreement.h"

namespace rubric::eval {
namespace {

AnnotatorAgreement annotator_agreement(std::span<const data::Answer> answers, const Group& group) {
  std::vector<std::vector<double>> units;
  for (const size_t i : group.members) {
    if (answers[i].ratings.size() >= 2) units.push_back(answers[i].ratings);
  }
  return {group.name, stats::krippendorff_alpha(units), std::ssize(units)};
}

// Whether a metric orders each of the group's pairs correctly.
std::vector<bool> right_pairs(const Given& better, const Given& worse, const Group& group) {
  std::vector<bool> right;
  for (const size_t i : group.members)
    right.push_back(better[i] && worse[i] && *better[i] > *worse[i]);
  return right;
}

std::vector<MetricTest> test_pairs(std::span<const data::AnswerPair> pairs,
                                   std::span<const MochaPredictions> metrics,
                                   const std::set<std::string>& constituents) {
  const std::vector<data::InstanceKey> keys = keys_of(pairs);
  std::vector<size_t> scored;  // metrics
  std::vector<Given> better, worse;
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (!metrics[i].pairs) continue;
    scored.push_back(i);
    better.push_back(
        data::match_predictions(keys, metrics[i].pairs->better, metrics[i].metric).values);
    worse.push_back(
        data::match_predictions(keys, metrics[i].pairs->worse, metrics[i].metric).values);
  }
  std::vector<MetricTest> tests;
  for (const Group& group : group_by(pairs.size(), [&](size_t i) { return keys[i].first; })) {
    if (!is_chosen(constituents, group.name)) continue;
    std::vector<std::vector<bool>> right;
    for (size_t i = 0; i < scored.size(); ++i) {
      right.push_back(right_pairs(better[i], worse[i], group));
    }
    for (MetricTest test : test_accuracies(group.name, right)) {
      test.first = scored[test.first];
      test.second = scored[test.second];
      tests.push_back(std::move(test));
    }
  }
  correct(tests);
  return tests;
}

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

// The metric with the highest value, or nothing when all are undefined.
std::optional<size_t> best_of(const std::vector<std::optional<double>>& statistics) {
  std::optional<size_t> best;
  for (size_t i = 0; i < statistics.size(); ++i) {
    if (statistics[i] && (!best || *statistics[i] > *statistics[*best])) best = i;
  }
  return best;
}

void add_test_row(Table& table, const std::string& constituent, std::span<const MetricTest> tests,
                  const std::vector<std::optional<double>>& statistics) {
  const std::optional<size_t> best = best_of(statistics);
  std::vector<std::string> row = {constituent};
  for (size_t i = 0; i < statistics.size(); ++i) {
    const MetricTest* test = best && i != *best ? find_test(tests, constituent, *best, i) : nullptr;
    row.push_back(best && i == *best ? "best" : test != nullptr ? p_cell(test->corrected_p) : "–");
  }
  table.rows.push_back(std::move(row));
}

Table empty_test_table(const std::string& what, const std::vector<std::string>& metrics,
                       std::span<const MetricTest> tests) {
  Table table{what + ", p of the difference to the best metric",
              {"constituent"},
              {},
              {Align::left},
              {correction_note(tests)}};
  table.is_folded = true;
  table.header.insert(table.header.end(), metrics.begin(), metrics.end());
  return table;
}

Table correlation_test_table(const MochaTests& tests, std::span<const MochaResult> results) {
  Table table =
      empty_test_table("Williams' test of Pearson's r", tests.metrics, tests.correlations);
  for (size_t i = 0; i < results.front().constituents.size(); ++i) {
    std::vector<std::optional<double>> statistics;
    for (const MochaResult& result : results) {
      statistics.push_back(result.constituents[i].correlations.pearson);
    }
    add_test_row(table, results.front().constituents[i].name, tests.correlations, statistics);
  }
  return table;
}

Table pair_table(const MochaTests& tests, std::span<const MochaResult> results) {
  Table table =
      empty_test_table("McNemar's exact test on minimal pairs", tests.metrics, tests.pairs);
  table.notes.emplace_back("a pair of equal scores is wrong here, and half right in the accuracy");
  for (size_t i = 0; i < results.front().pairs.size(); ++i) {
    std::vector<std::optional<double>> statistics;
    for (const MochaResult& result : results) statistics.push_back(result.pairs[i].accuracy);
    add_test_row(table, results.front().pairs[i].name, tests.pairs, statistics);
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

MochaTests test_mocha(std::span<const data::Answer> answers,
                      std::span<const data::AnswerPair> pairs,
                      std::span<const MochaPredictions> metrics,
                      const std::set<std::string>& constituents) {
  MochaTests tests;
  const std::vector<data::InstanceKey> keys = keys_of(answers);
  std::vector<Given> given;
  for (const MochaPredictions& metric : metrics) {
    tests.metrics.push_back(metric.metric);
    given.push_back(data::match_predictions(keys, metric.answers, metric.metric).values);
  }
  for (const Group& group : group_by(answers.size(), [&](size_t i) { return keys[i].first; })) {
    if (!is_chosen(constituents, group.name)) continue;
    AnnotatorAgreement annotators = annotator_agreement(answers, group);
    if (annotators.n > 0) tests.annotators.push_back(std::move(annotators));
    std::vector<double> human;
    std::vector<std::vector<double>> scores;
    for (const Given& of_metric : given) {
      Series series = series_of(answers, of_metric, group.members);
      human = std::move(series.human);
      scores.push_back(std::move(series.predicted));
    }
    for (MetricTest& test :
         test_correlations(group.name, human, scores, {}, AgreementTest::williams, {})) {
      tests.correlations.push_back(std::move(test));
    }
  }
  correct(tests.correlations);
  if (!pairs.empty()) tests.pairs = test_pairs(pairs, metrics, constituents);
  return tests;
}

// Output.

std::vector<Table> mocha_test_tables(const MochaTests& tests,
                                     std::span<const MochaResult> results) {
  std::vector<Table> tables;
  if (!tests.correlations.empty()) tables.push_back(correlation_test_table(tests, results));
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

void add_test_values(const MochaTests& tests, Table& statistics) {
  for (const char* column : {"other", "p", "p_holm"}) statistics.header.emplace_back(column);
  for (const AnnotatorAgreement& annotators : tests.annotators) {
    statistics.rows.push_back({"human", "krippendorff_alpha", annotators.constituent, "",
                               number(annotators.alpha), "", "", std::to_string(annotators.n)});
  }
  const auto add = [&](const char* statistic, const std::vector<MetricTest>& of_value) {
    for (const MetricTest& test : of_value) {
      statistics.rows.push_back({tests.metrics[test.first], statistic, test.group, "",
                                 number(test.difference), "", "", "", tests.metrics[test.second],
                                 p_number(test.p), p_number(test.corrected_p)});
    }
  };
  add("pearson_difference", tests.correlations);
  add("minimal_pairs_difference", tests.pairs);
}

}  // namespace rubric::eval
