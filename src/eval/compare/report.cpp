#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eval/compare/compare.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

// The means by one metric; with groups a bar for each system in every group.
Plot means_plot(const SystemComparison& comparison, size_t metric) {
  const std::string& name = comparison.metrics[metric];
  const auto bar = [&](const std::string& label, const GroupComparison& group, size_t system) {
    const SystemMean& mean = group.metrics[metric].means[system];
    return IntervalBar{label, mean.mean, mean.interval};
  };
  std::vector<IntervalSeries> series;
  if (comparison.groups.size() == 1) {
    IntervalSeries& systems = series.emplace_back();
    for (size_t s = 0; s < comparison.systems.size(); ++s) {
      systems.bars.push_back(bar(comparison.systems[s], comparison.groups.front(), s));
    }
  }
  for (size_t s = 0; s < comparison.systems.size() && comparison.groups.size() > 1; ++s) {
    IntervalSeries& system = series.emplace_back();
    system.name = comparison.systems[s];
    for (const GroupComparison& group : shown_groups(comparison.groups)) {
      system.bars.push_back(bar(group.name.empty() ? "all records" : group.name, group, s));
    }
  }
  return interval_plot("Mean " + name + ", 95% intervals", name, series);
}

Plot differences_plot(const SystemComparison& comparison, size_t metric) {
  IntervalSeries series;
  for (const Comparison& pair : comparison.groups.front().metrics[metric].comparisons) {
    series.bars.push_back({pair_name(comparison, pair), pair.difference, pair.interval});
  }
  const std::string& name = comparison.metrics[metric];
  return interval_plot("Differences in " + name + ", 95% intervals", "difference in " + name,
                       std::span(&series, 1));
}

// For each two systems a bar whose parts are the shares of wins, ties and losses.
std::string bar_of(const Comparison& pair, int64_t n) {
  constexpr double kBlocks = 16;
  const auto blocks = [&](int64_t records) {
    return std::lround(kBlocks * static_cast<double>(records) / static_cast<double>(n));
  };
  const long wins = blocks(pair.wins), not_lost = blocks(pair.wins + pair.ties);
  std::string bar;
  for (long i = 0; i < std::lround(kBlocks); ++i) bar += i < wins ? "█" : i < not_lost ? "▒" : "░";
  return bar;
}

Table wins_table(const SystemComparison& comparison) {
  const GroupComparison& all = comparison.groups.front();
  Table table{
      "Records that score higher with the first system (█), with neither (▒), with the "
      "second (░)",
      {"metric", "systems", "", "wins", "ties", "losses"},
      {},
      {Align::left, Align::left, Align::left},
      {}};
  const auto percent = [&](int64_t records) {
    return percent_cell(static_cast<double>(records) / static_cast<double>(all.n)) + "%";
  };
  for (size_t m = 0; m < comparison.metrics.size(); ++m) {
    for (const Comparison& pair : all.metrics[m].comparisons) {
      table.rows.push_back({comparison.metrics[m], pair_name(comparison, pair), bar_of(pair, all.n),
                            percent(pair.wins), percent(pair.ties), percent(pair.losses)});
    }
  }
  return table;
}

}  // namespace

Report comparison_report(const SystemComparison& comparison) {
  constexpr size_t kLongestText = 300;
  Report report;
  report.title = "Comparison of " + std::to_string(comparison.systems.size()) + " systems";
  report.tables = comparison_tables(comparison);
  std::swap(report.paragraphs, report.tables.front().notes);  // what decides comes first
  report.tables.insert(report.tables.begin() + 1, wins_table(comparison));
  for (Table& table : differing_tables(comparison, kLongestText)) {
    report.tables.push_back(std::move(table));
  }
  for (size_t m = 0; m < comparison.metrics.size(); ++m) {
    report.plots.push_back(means_plot(comparison, m));
    report.plots.push_back(differences_plot(comparison, m));
  }
  report.signatures = {comparison.signature};
  return report;
}

}  // namespace rubric::eval
