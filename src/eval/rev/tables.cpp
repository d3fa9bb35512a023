#include "eval/rev/output.h"

#include <cmath>
#include <cstdio>

#include "eval/report/figures.h"
#include "eval/rev/rev_notes.h"

namespace rubric {
namespace {

constexpr int kDecimals = 4;  // as the paper's Table 1 has them
constexpr const char* kUndefined = "–";

std::string figure_text(const std::optional<double>& value,
                        const std::optional<Interval>& interval = {}) {
  if (!value) return kUndefined;
  std::string text = rev_text(*value, kDecimals);
  if (interval) {
    text += " [" + rev_text(interval->low, kDecimals) + ", " + rev_text(interval->high, kDecimals) +
            "]";
  }
  return text;
}

// Of ranks and counts: a fraction where they are means.
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
      row.push_back(kind.has(metric) ? figure_text(kind.means[metric], kind.intervals[metric])
                                     : kNotScored);
    }
    row.push_back(std::to_string(kind.scores.size()));
    table.rows.push_back(std::move(row));
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
      if (name.ends_with("_gold")) continue;  // beside the others too much to read
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
      ranks_of(judged_figures(evaluation, humans, kRevMetrics.size()))};
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    table.header.emplace_back(kRevMetrics[metric].title);
    ranks.push_back(ranks_of(judged_figures(evaluation, humans, metric)));
  }
  for (size_t i = 0; i < humans.kinds.size(); ++i) {
    const HumanKind& kind = humans.kinds[i];
    std::vector<std::string> row = {evaluation.kinds[i].name, std::to_string(kind.n),
                                    cell(kind.justified), cell(kind.score, kind.interval)};
    for (const auto& by_kind : ranks) row.push_back(plain_text(by_kind[i]));
    table.rows.push_back(std::move(row));
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
    const SystemFigures& kinds = agreement.kinds;
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

}  // namespace rubric
