#include "eval/chie/chie_tables.h"

#include <span>
#include <string>
#include <utility>

#include "eval/chie/chie_notes.h"

namespace rubric {
namespace {

constexpr int kDecimals = 2;  // as the paper has them

std::string text_of(double value) {
  return format_fixed(value, kDecimals);
}

Table system_table(const ChieResults& results) {
  Table table{"CHIE by system",
              {"system", "language"},
              {},
              {Align::left, Align::left},
              system_notes(results)};
  table.header.insert(table.header.end(), kAspects.begin(), kAspects.end());
  for (const char* name : {"n", "invalid", "F1", "EM", "BERTScore", "length"}) {
    table.header.emplace_back(name);
  }
  for (size_t i = 0; i < results.evaluation.systems.size(); ++i) {
    const ChieSystem& system = results.evaluation.systems[i];
    const ChieWords& words = results.words.systems[i];
    std::vector<std::string> row = {system.name, system.language};
    for (const int64_t agreed : system.agreed) row.push_back(std::to_string(agreed));
    row.insert(row.end(), {std::to_string(system.n()), std::to_string(system.invalid)});
    row.insert(row.end(), {text_of(words.f1), text_of(words.em),
                           system.bertscore ? text_of(*system.bertscore) : "not scored",
                           text_of(words.mean_length)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table majority_table(const ChieResults& results) {
  const ChieAssessments& assessments = results.agreements->assessments;
  Table table{"CHIE by system: the annotators' majority",
              {"system"},
              {},
              {Align::left},
              {"C, H, I, E: on how many of n answers the " + assessments.majority->assessor.name +
               " agrees; ties: on how many there is none"}};
  table.header.insert(table.header.end(), kAspects.begin(), kAspects.end());
  table.header.emplace_back("n");
  for (const char* aspect : kAspects) table.header.push_back(std::string("ties ") + aspect);
  for (const MajorityCounts& counts : majority_counts(assessments)) {
    std::vector<std::string> row = {counts.system};
    for (const int64_t agreed : counts.agreed) row.push_back(std::to_string(agreed));
    row.push_back(std::to_string(counts.n));
    for (const int64_t ties : counts.ties) row.push_back(std::to_string(ties));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table tercile_table(const ChieResults& results) {
  Table table{"CHIE by BERTScore, in terciles",
              {"BERTScore", "from", "to", "n"},
              {},
              {Align::left},
              tercile_notes(results)};
  table.header.insert(table.header.end(), kAspects.begin(), kAspects.end());
  table.header.emplace_back("length");
  for (const ChieTercile& tercile : results.terciles) {
    std::vector<std::string> row = {tercile.name, text_of(tercile.lowest), text_of(tercile.highest),
                                    std::to_string(tercile.n)};
    for (const int64_t agreed : tercile.agreed) row.push_back(std::to_string(agreed));
    row.push_back(text_of(tercile.mean_length));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string figure_text(const AgreementOf& of, size_t figure, int decimals) {
  const std::optional<double>& value = of.values[figure];
  const std::optional<Interval>& interval = of.intervals[figure];
  if (!value) return "–";
  std::string text = format_fixed(*value, decimals);
  if (!interval) return text;
  return text + " [" + format_fixed(interval->low, decimals) + ", " +
         format_fixed(interval->high, decimals) + "]";
}

// Adds n and the figures to the header, and a row for each aspect of each comparison.
void add_agreements(const std::vector<ChieAgreement>& agreements,
                    std::span<const AgreementFigure> figures, bool names_second, Table& table) {
  table.header.insert(table.header.end(), {"aspect", "n"});
  for (const AgreementFigure& figure : figures) table.header.emplace_back(figure.title);
  for (const ChieAgreement& agreement : agreements) {
    for (size_t group = 0; group < kAspectGroups; ++group) {
      const AgreementOf& of = agreement.groups[group];
      std::vector<std::string> row = {agreement.first};
      if (names_second) row.push_back(agreement.second);
      row.insert(row.end(), {aspect_group(group), std::to_string(of.counts.n())});
      for (size_t i = 0; i < figures.size(); ++i) {
        row.push_back(figure_text(of, i, figures[i].decimals));
      }
      table.rows.push_back(std::move(row));
    }
  }
}

Table truth_table(const ChieResults& results) {
  Table table{"Agreement with the annotators' majority, in percent",
              {"assessor"},
              {},
              {Align::left, Align::left},
              majority_notes(results)};
  add_agreements(results.agreements->with_majority, kTruthFigures, false, table);
  return table;
}

Table judge_table(const ChieResults& results) {
  Table table{"Judge against judge: agreement in percent, and Cohen's kappa",
              {"judge", "and judge"},
              {},
              {Align::left, Align::left, Align::left},
              judge_notes(results)};
  add_agreements(results.agreements->judges, kJudgeFigures, true, table);
  return table;
}

std::string verdict_text(const std::optional<Verdicts>& verdicts) {
  if (!verdicts) return "invalid";
  std::string text;
  for (const bool agrees : *verdicts) text += (text.empty() ? "" : " ") + std::to_string(agrees);
  return text;
}

Table disagreement_table(const ChieEvaluation& evaluation) {
  Table table{"Replies that the two parsers read differently",
              {"system", "id", "published", "strict"},
              {},
              {Align::left, Align::left, Align::left, Align::left},
              {"C H I E, 1: the judge agrees"}};
  for (const ParserDisagreement& one : evaluation.disagreements) {
    table.rows.push_back(
        {one.system, one.id, verdict_text(one.published), verdict_text(one.strict)});
  }
  return table;
}

}  // namespace

std::vector<Table> chie_tables(const ChieResults& results) {
  std::vector<Table> tables = {system_table(results)};
  const bool has_majority = results.agreements && results.agreements->assessments.majority;
  if (has_majority) tables.push_back(majority_table(results));
  if (!results.terciles.empty()) tables.push_back(tercile_table(results));
  if (has_majority) tables.push_back(truth_table(results));
  if (results.agreements && !results.agreements->judges.empty()) {
    tables.push_back(judge_table(results));
  }
  if (!results.evaluation.disagreements.empty()) {
    tables.push_back(disagreement_table(results.evaluation));
  }
  return tables;
}

}  // namespace rubric
