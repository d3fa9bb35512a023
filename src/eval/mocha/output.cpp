#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "eval/mocha/mocha.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"
#include "eval/resampling.h"

namespace rubric::eval {
namespace {

std::string accuracy_cell(std::optional<double> accuracy) {
  return accuracy ? percent_cell(accuracy) : "not scored";
}

// A row of `names` followed by a cell for each metric.
template <class CellOf>
void add_row(Table& table, std::vector<std::string> names, std::span<const MochaResult> results,
             CellOf cell_of) {
  for (const MochaResult& result : results) names.push_back(cell_of(result));
  table.rows.push_back(std::move(names));
}

Table empty_table(const std::string& title, std::vector<std::string> header,
                  std::span<const MochaResult> results) {
  for (const MochaResult& result : results) header.push_back(result.metric);
  return {title, std::move(header), {}, {Align::left}, {}};
}

void add_pairs(Table& table, std::span<const MochaResult> results) {
  const std::vector<PairResult>& pairs = results.front().pairs;  // the same for every metric
  if (pairs.empty()) return;
  for (size_t i = 0; i < pairs.size(); ++i) {
    add_row(table, {"minimal pairs: " + pairs[i].name + " (%)"}, results,
            [&](const MochaResult& result) { return accuracy_cell(result.pairs[i].accuracy); });
  }
  add_row(table, {"minimal pairs: average (%)"}, results,
          [](const MochaResult& result) { return accuracy_cell(result.pair_average); });
}

// A row for each constituent and the average, with cells by cell_of(correlations, interval).
template <class CellOf>
Table correlation_table(const std::string& title, std::span<const MochaResult> results,
                        CellOf cell_of) {
  Table table = empty_table(title, {"constituent"}, results);
  for (size_t i = 0; i < results.front().constituents.size(); ++i) {
    add_row(table, {results.front().constituents[i].name}, results, [&](const MochaResult& result) {
      return cell_of(result.constituents[i].correlations, result.constituents[i].interval);
    });
    table.counts.push_back(results.front().constituents[i].n);
  }
  add_row(table, {"average"}, results,
          [&](const MochaResult& result) { return cell_of(result.average, result.interval); });
  return table;
}

Table pearson_table(std::span<const MochaResult> results) {
  Table table =
      correlation_table("Pearson's r with human judgements", results,
                        [](const stats::Correlations& correlations, const auto& interval) {
                          return cell(correlations.pearson, interval);
                        });
  add_pairs(table, results);
  for (const MochaResult& result : results) {
    for (const std::string& note : mocha_notes(result)) {
      table.notes.push_back(result.metric + ": " + note);
    }
  }
  return table;
}

Table rank_table(const std::string& title, std::optional<double> stats::Correlations::*statistic,
                 std::span<const MochaResult> results) {
  return correlation_table(title, results,
                           [&](const stats::Correlations& correlations, const auto&) {
                             return cell(correlations.*statistic);
                           });
}

constexpr const char* kBySource =
    "By source of the candidates: Pearson's r / Spearman's rho / Kendall's tau-b";

// Leaves out sources that are all of their constituent.
Table source_table(std::span<const MochaResult> results) {
  Table table = empty_table(kBySource, {"constituent", "source", "n"}, results);
  table.alignment = {Align::left, Align::left};
  for (size_t i = 0; i < results.front().constituents.size(); ++i) {
    const ConstituentResult& constituent = results.front().constituents[i];
    for (size_t j = 0; j < constituent.sources.size(); ++j) {
      const SourceResult& source = constituent.sources[j];
      if (source.n == constituent.n) continue;
      add_row(table, {constituent.name, source.name, std::to_string(source.n)}, results,
              [&](const MochaResult& result) {
                const stats::Correlations& statistics =
                    result.constituents[i].sources[j].correlations;
                return cell(statistics.pearson) + " / " + cell(statistics.spearman) + " / " +
                       cell(statistics.kendall);
              });
    }
  }
  return table;
}

// The three correlations as rows of mocha_value_table().
void add_values(Table& table, const std::string& metric, const std::string& constituent,
                const std::string& source, const stats::Correlations& correlations,
                const std::optional<stats::Interval>& interval, const std::string& n) {
  const auto add = [&](const char* statistic, std::optional<double> value, const std::string& low,
                       const std::string& high) {
    table.rows.push_back({metric, statistic, constituent, source, number(value), low, high, n});
  };
  add("pearson", correlations.pearson, interval ? number(interval->low) : "",
      interval ? number(interval->high) : "");
  add("spearman", correlations.spearman, "", "");
  add("kendall", correlations.kendall, "", "");
}

// "3 of 120 predictions missing, counted as 0 (drop 2, quoref 1)", or "" without missing ones.
template <class Constituent>
std::string missing_note(const std::vector<Constituent>& constituents, const std::string& what,
                         const std::string& counts_as) {
  int64_t missing = 0, n = 0;
  std::vector<std::string> parts;
  for (const Constituent& constituent : constituents) {
    missing += constituent.missing;
    n += constituent.n;
    if (constituent.missing == 0) continue;
    parts.push_back(constituent.name + " " + std::to_string(constituent.missing));
  }
  if (missing == 0) return "";
  return std::to_string(missing) + " of " + std::to_string(n) + " " + what +
         " missing, counted as " + counts_as + " (" + join(parts) + ")";
}

std::string undefined_note(const MochaResult& result) {
  std::vector<std::string> undefined;
  for (const ConstituentResult& constituent : result.constituents) {
    if (!constituent.correlations.pearson) undefined.push_back(constituent.name);
  }
  if (undefined.empty()) return "";
  return "no average, the correlation is undefined (constant or fewer than two values) for " +
         join(undefined);
}

Json to_json(const stats::Correlations& correlations) {
  return Json::Object{{"pearson", or_null(correlations.pearson)},
                      {"spearman", or_null(correlations.spearman)},
                      {"kendall", or_null(correlations.kendall)}};
}

Json to_json(const ConstituentResult& constituent, bool resampled) {
  Json json = to_json(constituent.correlations);
  json["n"] = constituent.n;
  json["missing"] = constituent.missing;
  json["ci95"] = or_null(constituent.interval);
  Json sources{Json::Object()};
  for (const SourceResult& source : constituent.sources) {
    sources[source.name] = to_json(source.correlations);
    sources[source.name]["n"] = source.n;
    if (resampled) add_resampled(sources[source.name], "pearson", source.resampled);
  }
  json["sources"] = std::move(sources);
  if (resampled) add_resampled(json, "pearson", constituent.resampled);
  return json;
}

Json to_json(const MochaResult& result, bool resampled) {
  Json json;
  for (const ConstituentResult& constituent : result.constituents) {
    json["constituents"][constituent.name] = to_json(constituent, resampled);
  }
  json["average"] = to_json(result.average);
  json["average"]["ci95"] = or_null(result.interval);
  for (const PairResult& pair : result.pairs) {
    Json& own = json["minimal_pairs"]["constituents"][pair.name];
    own = Json::Object{
        {"accuracy", or_null(pair.accuracy)}, {"n", pair.n}, {"missing", pair.missing}};
    if (resampled) add_resampled(own, "accuracy", pair.resampled);
  }
  if (!result.pairs.empty()) json["minimal_pairs"]["average"] = or_null(result.pair_average);
  if (!result.signature.empty()) json["signature"] = result.signature;
  const std::vector<std::string> notes = mocha_notes(result);
  if (!notes.empty()) json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

}  // namespace

std::vector<Table> mocha_tables(std::span<const MochaResult> results) {
  std::vector<Table> tables = {
      pearson_table(results), rank_table("Spearman's rho", &stats::Correlations::spearman, results),
      rank_table("Kendall's tau-b", &stats::Correlations::kendall, results), source_table(results)};
  if (tables.back().rows.empty()) tables.pop_back();
  return tables;
}

Table mocha_value_table(std::span<const MochaResult> results) {
  Table table;
  table.header = {"metric", "figure", "constituent", "source", "value", "low", "high", "n"};
  for (const MochaResult& result : results) {
    for (const ConstituentResult& constituent : result.constituents) {
      add_values(table, result.metric, constituent.name, "", constituent.correlations,
                 constituent.interval, std::to_string(constituent.n));
      for (const SourceResult& source : constituent.sources) {
        add_values(table, result.metric, constituent.name, source.name, source.correlations, {},
                   std::to_string(source.n));
      }
    }
    add_values(table, result.metric, "average", "", result.average, result.interval, "");
    for (const PairResult& pair : result.pairs) {
      table.rows.push_back({result.metric, "minimal_pairs", pair.name, "", number(pair.accuracy),
                            "", "", std::to_string(pair.n)});
    }
    if (!result.pairs.empty()) {
      table.rows.push_back(
          {result.metric, "minimal_pairs", "average", "", number(result.pair_average), "", "", ""});
    }
  }
  return table;
}

std::vector<std::string> mocha_notes(const MochaResult& result) {
  const bool has_unscored_pairs = !result.pairs.empty() && !result.pair_average;
  std::vector<std::string> notes = {missing_note(result.constituents, "predictions", "0"),
                                    missing_note(result.pairs, "minimal pairs", "wrong"),
                                    has_unscored_pairs ? "the minimal pairs are not scored" : "",
                                    undefined_note(result)};
  std::erase(notes, "");
  std::vector<std::string> unused;
  for (const auto& [constituent, id] : result.unused) {
    unused.push_back(constituent.empty() ? id : constituent + "/" + id);
  }
  if (!unused.empty()) {
    notes.push_back(std::to_string(unused.size()) +
                    " scores belong to no instance: " + data::ids_text(unused));
  }
  return notes;
}

Json to_json(std::span<const MochaResult> results, bool resampled) {
  if (results.size() == 1) return to_json(results.front(), resampled);
  Json::Object metrics;
  for (const MochaResult& result : results) {
    metrics.emplace_back(result.metric, to_json(result, resampled));
  }
  return Json::Object{{"metrics", std::move(metrics)}};
}

namespace {

std::vector<uint32_t> rows_of(std::span<const data::Answer> answers,
                              const std::string& constituent) {
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].constituent == constituent) rows.push_back(static_cast<uint32_t>(i));
  }
  return rows;
}

// The names as a set; throws unless each is in the data.
std::set<std::string> chosen_constituents(const std::vector<std::string>& names,
                                          std::span<const data::Answer> answers) {
  std::set<std::string> known;
  for (const data::Answer& answer : answers) known.insert(answer.constituent);
  for (const std::string& name : names) {
    if (!known.contains(name)) {
      throw unknown_name("constituent in the data", name, {known.begin(), known.end()});
    }
  }
  return {names.begin(), names.end()};
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

ReportRows mocha_rows(std::shared_ptr<const std::vector<data::Answer>> answers,
                      std::span<const MochaPredictions> metrics) {
  const std::vector<data::InstanceKey> keys = keys_of(*answers);
  ReportRows rows;
  rows.header = {"id", "constituent", "question", "reference", "candidate", "human score"};
  const auto given = std::make_shared<std::vector<Given>>();  // shared by copies of the function
  for (const MochaPredictions& metric : metrics) {
    rows.header.push_back(metric.metric);
    given->push_back(data::match_predictions(keys, metric.answers, metric.metric).values);
  }
  rows.cells = [answers = std::move(answers), given](uint32_t row) {
    const data::Answer& answer = (*answers)[row];
    std::vector<std::string> cells = {
        answer.id,        answer.constituent,
        answer.question,  join(answer.references, " / "),
        answer.candidate, answer.score ? format_fixed(*answer.score, 2) : "–"};
    for (const Given& of_metric : *given) cells.push_back(cell(of_metric[row]));
    return cells;
  };
  return rows;
}

SuiteOutput evaluate_mocha_files(const MochaRequest& request) {
  const auto kept =
      std::make_shared<const std::vector<data::Answer>>(read_mocha_instances(request.files.data));
  const std::vector<data::Answer>& answers = *kept;
  std::vector<data::AnswerPair> pairs;
  if (!request.files.minimal_pairs.empty()) {
    pairs = read_mocha_minimal_pairs(request.files.minimal_pairs);
  }
  const std::set<std::string> constituents = chosen_constituents(request.constituents, answers);
  const std::string signature =
      "|suite:mocha|" + mocha_signature(request.files) + signature_end(request.bootstrap);
  const std::vector<MochaPredictions> metrics = read_metrics(request.files, request.metrics);
  SuiteOutput output;
  std::vector<MochaResult> results;
  for (const MochaPredictions& metric : metrics) {
    MochaResult result = evaluate_mocha(answers, pairs, metric, request.bootstrap, constituents);
    result.signature = signature_text(metric.metric) + signature;
    output.report.signatures.push_back(result.signature);
    for (const std::string& note : mocha_notes(result)) {
      output.notes.push_back(result.metric + ": " + note);
    }
    results.push_back(std::move(result));
  }
  const MochaTests tests = test_mocha(answers, pairs, metrics, constituents);
  if (!pairs.empty() && results.front().pairs.empty()) {
    log_warning("no minimal pair belongs to the chosen constituents");
  }
  output.report.title = "MOCHA: agreement with human judgements";
  output.report.paragraphs = {"Data: " + request.files.data};
  output.report.tables = mocha_tables(results);
  for (Table& table : mocha_test_tables(tests, results)) {
    output.report.tables.push_back(std::move(table));
  }
  output.report.plots = mocha_plots(results, answers);
  output.json = to_json(results, request.resampled);
  const Json tested = to_json(tests);
  for (const auto& [name, value] : tested.object()) output.json[name] = value;
  output.values = mocha_value_table(results);
  add_test_values(tests, output.values);
  output.report.rows = mocha_rows(kept, metrics);
  return output;
}

}  // namespace rubric::eval
