#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "core/error.h"
#include "eval/report/plots.h"
#include "eval/report/table.h"
#include "eval/rev/rev.h"

namespace rubric::eval {
namespace {

constexpr int kDecimals = 4;  // as in the paper's Table 1
constexpr const char* kUndefined = "–";

std::string value_text(const std::optional<double>& value,
                       const std::optional<stats::Interval>& interval = {}) {
  if (!value) return kUndefined;
  std::string text = rev_text(*value, kDecimals);
  if (interval) {
    text += " [" + rev_text(interval->low, kDecimals) + ", " + rev_text(interval->high, kDecimals) +
            "]";
  }
  return text;
}

// For ranks and counts, which are fractions when averaged.
std::string plain_text(std::optional<double> value) {
  if (!value) return kUndefined;
  return format_fixed(*value, *value == std::floor(*value) ? 0 : 1);
}

Table kind_table(const RevEvaluation& evaluation, const std::optional<RevHumans>& humans) {
  Table table{"REV, LAS and RQ of " + std::to_string(evaluation.n) + " rows",
              {"kind"},
              {},
              {Align::left},
              rev_notes(evaluation, humans)};
  for (const RevMetric& metric : kRevMetrics) table.header.emplace_back(metric.title);
  table.header.emplace_back("seeds");
  for (const RevKind& kind : evaluation.kinds) {
    std::vector<std::string> row = {kind.name};
    for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
      row.push_back(kind.has(metric) ? value_text(kind.means[metric], kind.intervals[metric])
                                     : kNotScored);
    }
    row.push_back(std::to_string(kind.scores.size()));
    table.rows.push_back(std::move(row));
    table.counts.push_back(evaluation.n);
  }
  return table;
}

Table detail_table(const RevEvaluation& evaluation) {
  Table table{
      "Behind them: shares of the rows, and LAS of its two groups",
      {"kind", "REV > 0", "label = gold", "sim(x)", "sim(r)", "sim(x,r)", "leaking", "not leaking",
       "LAS, leaking", "LAS, not"},
      {},
      {Align::left},
      {"sim: how often the simulator that reads the question (x), the rationale (r) or both "
       "chooses the label"}};
  for (const RevKind& kind : evaluation.kinds) {
    std::vector<std::string> row = {kind.name};
    for (const auto& [name, value] : kind.details) {
      if (name.ends_with("_gold")) continue;  // would be too much to read
      const bool is_count = name == "leaking" || name == "non_leaking";
      row.push_back(is_count ? plain_text(value) : cell(value));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table human_table(const RevEvaluation& evaluation, const RevHumans& humans) {
  Table table{"Human judgements of the kinds, and the kinds' ranks",
              {"kind", "judged", "justified", "score", "humans"},
              {},
              {Align::left},
              {}};
  std::vector<std::vector<std::optional<double>>> ranks = {
      ranks_of(judged_values(evaluation, humans, kRevMetrics.size()))};
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    table.header.emplace_back(kRevMetrics[metric].title);
    ranks.push_back(ranks_of(judged_values(evaluation, humans, metric)));
  }
  for (size_t i = 0; i < humans.kinds.size(); ++i) {
    const HumanKind& kind = humans.kinds[i];
    std::vector<std::string> row = {evaluation.kinds[i].name, std::to_string(kind.n),
                                    cell(kind.justified), cell(kind.score, kind.interval)};
    for (const auto& by_kind : ranks) row.push_back(plain_text(by_kind[i]));
    table.rows.push_back(std::move(row));
    table.counts.push_back(kind.n);
  }
  return table;
}

Table agreement_table(const RevHumans& humans) {
  Table table{"Agreement with human scores, over kinds and over judged rationales",
              {"metric", "kinds: Spearman", "Kendall", "pairs in order", "rationales: n",
               "Spearman", "Kendall"},
              {},
              {Align::left},
              {"pairs in order: the share of the pairs of kinds that humans tell apart which the "
               "metric orders as they do"}};
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    const RevAgreement& agreement = humans.metrics[metric];
    const SystemAgreement& kinds = agreement.kinds;
    const SystemInterval& intervals = agreement.kind_intervals;
    const MetricAgreement& rationales = agreement.rationales;
    table.rows.push_back(
        {kRevMetrics[metric].title, cell(kinds.correlations.spearman, intervals.spearman),
         cell(kinds.correlations.kendall, intervals.kendall),
         cell(kinds.pairwise_accuracy, intervals.pairwise_accuracy), std::to_string(agreement.n),
         cell(rationales.correlations.spearman, rationales.spearman),
         cell(rationales.correlations.kendall, rationales.kendall)});
  }
  return table;
}

std::string interval_note(const RevEvaluation& evaluation) {
  const bool has_seeds = std::ranges::any_of(
      evaluation.kinds, [](const RevKind& kind) { return kind.scores.size() > 1; });
  std::string note = "95% intervals of " + std::to_string(evaluation.bootstrap.resamples) +
                     " bootstrap resamples" + (has_seeds ? " of seeds and rows" : "");
  if (evaluation.questions < evaluation.n) {
    note += "; " + std::to_string(evaluation.n) + " rows of " +
            std::to_string(evaluation.questions) + " questions, resampled by question";
  }
  return note;
}

// The number of rows of each file that are not common to all.
std::string left_out_note(const RevEvaluation& evaluation) {
  std::vector<std::string> files;
  for (const RevKind& kind : evaluation.kinds) {
    std::vector<std::string> by_seed;
    for (const int64_t rows : kind.left_out) by_seed.push_back(std::to_string(rows));
    files.push_back(join(by_seed, " and ") + " of " + kind.name);
  }
  return "Only the " + std::to_string(evaluation.n) + " of " +
         std::to_string(evaluation.n + std::ssize(evaluation.left_out)) +
         " rows that all files hold, with all scores; left out: " + join(files);
}

// Empty when the kinds' baselines were made in the same way.
std::vector<std::string> baseline_notes(const RevEvaluation& evaluation) {
  std::set<std::string> different;
  std::vector<std::string> kinds;
  for (const RevKind& kind : evaluation.kinds) {
    if (kind.baselines.empty()) continue;
    std::vector<std::string> makers;
    for (const auto& [maker, rows] : kind.baselines) makers.push_back(maker);
    different.insert(join(makers));
    kinds.push_back(kind.name + " by " + join(makers, " and "));
  }
  if (different.size() < 2) return {};
  return {"The kinds' baselines were not made alike, and REV is the gain over them: " +
          join(kinds, "; ")};
}

// Notes on LAS, which needs rows in both of its groups.
std::vector<std::string> group_notes(const RevKind& kind) {
  if (!kind.has(kLas)) return {};
  if (!kind.means[kLas]) {
    return {"LAS of " + kind.name + " is undefined: in a seed all rows leak, or none does"};
  }
  const auto undefined =
      std::ranges::count_if(kind.resampled[kLas], [](const auto& statistic) { return !statistic; });
  if (undefined == 0) return {};
  return {"LAS of " + kind.name + ": " + std::to_string(undefined) +
          " resamples without rows in both groups are left out of the interval"};
}

void add_human_notes(const RevHumans& humans, std::vector<std::string>& notes) {
  if (humans.ties > 0) {
    notes.push_back(
        "Rationales that as many annotators call justified as not, which counts as "
        "not (-1): " +
        std::to_string(humans.ties));
  }
  if (humans.other_kinds > 0) {
    notes.push_back("Judgements of kinds that are not evaluated, which do not count: " +
                    std::to_string(humans.other_kinds));
  }
  if (humans.left_out > 0) {
    notes.push_back("Judgements of rows that are left out, which do not count: " +
                    std::to_string(humans.left_out));
  }
  if (!humans.is_same_rows) notes.emplace_back("Not the same rows are judged of every kind");
}

}  // namespace

std::string rev_text(double value, int decimals) {
  const std::string fixed = format_fixed(value, decimals);
  const bool is_hidden = value != 0 && std::abs(value) < 0.5 * std::pow(10.0, -decimals);
  if (!is_hidden) return fixed;
  char text[32];
  std::snprintf(text, sizeof(text), "%.1e", value);
  return text;
}

std::vector<Table> rev_tables(const RevEvaluation& evaluation,
                              const std::optional<RevHumans>& humans) {
  std::vector<Table> tables = {kind_table(evaluation, humans), detail_table(evaluation)};
  if (humans) {
    tables.push_back(human_table(evaluation, *humans));
    tables.push_back(agreement_table(*humans));
  }
  return tables;
}

std::vector<std::string> rev_notes(const RevEvaluation& evaluation,
                                   const std::optional<RevHumans>& humans) {
  std::vector<std::string> notes = {interval_note(evaluation)};
  if (!evaluation.left_out.empty()) notes.push_back(left_out_note(evaluation));
  for (std::string& note : baseline_notes(evaluation)) notes.push_back(std::move(note));
  for (const RevKind& kind : evaluation.kinds) {
    for (std::string& note : group_notes(kind)) notes.push_back(std::move(note));
    const auto others = std::ranges::count(kind.has_other_texts, true);
    if (others > 0) {
      notes.push_back(kind.name + ": rows whose label or rationale is not the same in all seeds: " +
                      std::to_string(others));
    }
  }
  if (humans) add_human_notes(*humans, notes);
  return notes;
}

std::vector<Plot> rev_plots(const RevEvaluation& evaluation,
                            const std::optional<RevHumans>& humans) {
  std::vector<Plot> plots;
  const auto add = [&](const std::string& title, const std::string& axis,
                       const IntervalSeries& series) {
    const bool has_value = std::ranges::any_of(
        series.bars, [](const IntervalBar& bar) { return bar.value.has_value(); });
    if (has_value) plots.push_back(interval_plot(title + ", 95% intervals", axis, {&series, 1}));
  };
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    IntervalSeries series;
    for (const RevKind& kind : evaluation.kinds) {
      series.bars.push_back({kind.name, kind.means[metric], kind.intervals[metric], evaluation.n});
    }
    const std::string title = kRevMetrics[metric].title;
    add(title + " by kind", metric == kRev ? title + ", nats" : title, series);
  }
  if (humans) {
    IntervalSeries series;
    for (size_t i = 0; i < humans->kinds.size(); ++i) {
      const HumanKind& kind = humans->kinds[i];
      series.bars.push_back({evaluation.kinds[i].name, kind.score, kind.interval, kind.n});
    }
    add("Human scores by kind", "-1 (not justified) to 3 (enough information)", series);
  }
  return plots;
}

}  // namespace rubric::eval
