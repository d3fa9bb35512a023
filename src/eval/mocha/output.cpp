#include "eval/mocha/output.h"

#include <optional>
#include <string>
#include <utility>

#include "eval/report/figures.h"
#include "eval/mocha/mocha_notes.h"

namespace rubric {
namespace {

std::string percent(std::optional<double> accuracy) {
  return accuracy ? format_fixed(100 * *accuracy, 1) : "not scored";
}

// A row that begins with `names` and goes on with a cell for each metric.
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
  const std::vector<PairResult>& pairs = results.front().pairs;  // of every metric the same
  if (pairs.empty()) return;
  for (size_t i = 0; i < pairs.size(); ++i) {
    add_row(table, {"minimal pairs: " + pairs[i].name + " (%)"}, results,
            [&](const MochaResult& result) { return percent(result.pairs[i].accuracy); });
  }
  add_row(table, {"minimal pairs: average (%)"}, results,
          [](const MochaResult& result) { return percent(result.pair_average); });
}

// A row for each constituent and the average, of what cell_of(correlations, interval) prints.
template <class CellOf>
Table correlation_table(const std::string& title, std::span<const MochaResult> results,
                        CellOf cell_of) {
  Table table = empty_table(title, {"constituent"}, results);
  for (size_t i = 0; i < results.front().constituents.size(); ++i) {
    add_row(table, {results.front().constituents[i].name}, results, [&](const MochaResult& result) {
      return cell_of(result.constituents[i].correlations, result.constituents[i].interval);
    });
  }
  add_row(table, {"average"}, results,
          [&](const MochaResult& result) { return cell_of(result.average, result.interval); });
  return table;
}

Table pearson_table(std::span<const MochaResult> results) {
  Table table = correlation_table("Pearson's r with human judgements", results,
                                  [](const Correlations& correlations, const auto& interval) {
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

Table rank_table(const std::string& title, std::optional<double> Correlations::*figure,
                 std::span<const MochaResult> results) {
  return correlation_table(title, results, [&](const Correlations& correlations, const auto&) {
    return cell(correlations.*figure);
  });
}

constexpr const char* kBySource =
    "By source of the candidates: Pearson's r / Spearman's rho / Kendall's tau-b";

// Without the sources that are all of their constituent: they say nothing new.
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
                const Correlations& figures = result.constituents[i].sources[j].correlations;
                return cell(figures.pearson) + " / " + cell(figures.spearman) + " / " +
                       cell(figures.kendall);
              });
    }
  }
  return table;
}

// The three correlations of one place, as rows of mocha_figures.
void add_figures(Table& table, const std::string& metric, const std::string& constituent,
                 const std::string& source, const Correlations& correlations,
                 const std::optional<Interval>& interval, const std::string& n) {
  const auto add = [&](const char* figure, std::optional<double> value, const std::string& low,
                       const std::string& high) {
    table.rows.push_back({metric, figure, constituent, source, number(value), low, high, n});
  };
  add("pearson", correlations.pearson, interval ? number(interval->low) : "",
      interval ? number(interval->high) : "");
  add("spearman", correlations.spearman, "", "");
  add("kendall", correlations.kendall, "", "");
}

}  // namespace

std::vector<Table> mocha_tables(std::span<const MochaResult> results) {
  std::vector<Table> tables = {
      pearson_table(results), rank_table("Spearman's rho", &Correlations::spearman, results),
      rank_table("Kendall's tau-b", &Correlations::kendall, results), source_table(results)};
  if (tables.back().rows.empty()) tables.pop_back();
  return tables;
}

Table mocha_figures(std::span<const MochaResult> results) {
  Table table;
  table.header = {"metric", "figure", "constituent", "source", "value", "low", "high", "n"};
  for (const MochaResult& result : results) {
    for (const ConstituentResult& constituent : result.constituents) {
      add_figures(table, result.metric, constituent.name, "", constituent.correlations,
                  constituent.interval, std::to_string(constituent.n));
      for (const SourceResult& source : constituent.sources) {
        add_figures(table, result.metric, constituent.name, source.name, source.correlations, {},
                    std::to_string(source.n));
      }
    }
    add_figures(table, result.metric, "average", "", result.average, result.interval, "");
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

}  // namespace rubric
