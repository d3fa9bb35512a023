#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"
#include "eval/chie/chie.h"

namespace rubric::eval {
namespace {

constexpr int kDecimals = 2;  // as in the paper

std::string two_decimals(double value) {
  return format_fixed(value, kDecimals);
}

Table system_table(const ChieResults& results) {
  Table table{"CHIE by system",
              {"system", "language"},
              {},
              {Align::left, Align::left},
              system_notes(results)};
  table.header.insert(table.header.end(), judge::kAspects.begin(), judge::kAspects.end());
  for (const char* name : {"n", "invalid", "F1", "EM", "BERTScore", "length"}) {
    table.header.emplace_back(name);
  }
  for (size_t i = 0; i < results.evaluation.systems.size(); ++i) {
    const ChieSystem& system = results.evaluation.systems[i];
    const ChieWords& words = results.words.systems[i];
    std::vector<std::string> row = {system.name, system.language};
    for (const int64_t agreed : system.agreed) row.push_back(std::to_string(agreed));
    row.insert(row.end(), {std::to_string(system.n()), std::to_string(system.invalid)});
    row.insert(row.end(), {two_decimals(words.f1), two_decimals(words.em),
                           system.bertscore ? two_decimals(*system.bertscore) : "not scored",
                           two_decimals(words.mean_length)});
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
              {"C, H, I, E: on how many of n answers the " + assessments.majority->rater.name +
               " agrees; ties: on how many the annotators are divided"}};
  table.header.insert(table.header.end(), judge::kAspects.begin(), judge::kAspects.end());
  table.header.emplace_back("n");
  for (const char* aspect : judge::kAspects) table.header.push_back(std::string("ties ") + aspect);
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
  table.header.insert(table.header.end(), judge::kAspects.begin(), judge::kAspects.end());
  table.header.emplace_back("length");
  for (const ChieTercile& tercile : results.terciles) {
    std::vector<std::string> row = {tercile.name, two_decimals(tercile.lowest),
                                    two_decimals(tercile.highest), std::to_string(tercile.n)};
    for (const int64_t agreed : tercile.agreed) row.push_back(std::to_string(agreed));
    row.push_back(two_decimals(tercile.mean_length));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string statistic_text(const AgreementOf& of, size_t statistic, int decimals) {
  const std::optional<double>& value = of.values[statistic];
  const std::optional<stats::Interval>& interval = of.intervals[statistic];
  if (!value) return "–";
  std::string text = format_fixed(*value, decimals);
  if (!interval) return text;
  return text + " [" + format_fixed(interval->low, decimals) + ", " +
         format_fixed(interval->high, decimals) + "]";
}

// Adds n and the statistics to the header, and a row for each aspect of each comparison.
void add_agreements(const std::vector<ChieAgreement>& agreements,
                    std::span<const AgreementStatistic> statistics, bool names_second,
                    Table& table) {
  table.header.insert(table.header.end(), {"aspect", "n"});
  for (const AgreementStatistic& statistic : statistics) table.header.emplace_back(statistic.title);
  for (const ChieAgreement& agreement : agreements) {
    for (size_t group = 0; group < kAspectGroups; ++group) {
      const AgreementOf& of = agreement.groups[group];
      std::vector<std::string> row = {agreement.first};
      if (names_second) row.push_back(agreement.second);
      row.insert(row.end(), {aspect_group(group), std::to_string(of.counts.n())});
      for (size_t i = 0; i < statistics.size(); ++i) {
        row.push_back(statistic_text(of, i, statistics[i].decimals));
      }
      table.rows.push_back(std::move(row));
    }
  }
}

Table gold_table(const ChieResults& results) {
  Table table{"Agreement with the annotators' majority, in percent",
              {"rater"},
              {},
              {Align::left, Align::left},
              majority_notes(results)};
  add_agreements(results.agreements->with_majority, kGoldStatistics, false, table);
  return table;
}

Table judge_table(const ChieResults& results) {
  Table table{"Judge against judge: agreement in percent, and Cohen's kappa",
              {"judge", "and judge"},
              {},
              {Align::left, Align::left, Align::left},
              judge_notes(results)};
  add_agreements(results.agreements->judges, kJudgeStatistics, true, table);
  return table;
}

std::string verdict_text(const std::optional<judge::Verdicts>& verdicts) {
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

constexpr const char* kPooled = "overall: the verdicts on all four aspects pooled";

int64_t missing(const Rater& rater) {
  return std::ranges::count_if(rater.ratings, [](const auto& rating) { return !rating; });
}

std::string interval_note(const ChieAgreements& agreements,
                          const std::vector<ChieAgreement>& compared) {
  int64_t least = compared.front().questions, most = least;
  bool is_by_question = false;
  for (const ChieAgreement& one : compared) {
    least = std::min(least, one.questions);
    most = std::max(most, one.questions);
    is_by_question = is_by_question || one.questions < one.n;
  }
  return "95% intervals of " + std::to_string(agreements.bootstrap.resamples) +
         " bootstrap resamples of " + (least < most ? std::to_string(least) + " to " : "") +
         std::to_string(most) + " questions" +
         (is_by_question ? ", all answers to one together" : "");
}

// For defined values; undefined ones are marked in the table.
void add_undefined_note(const std::vector<ChieAgreement>& compared,
                        std::vector<std::string>& notes) {
  int64_t most = 0;
  for (const ChieAgreement& one : compared) {
    for (const AgreementOf& of : one.groups) {
      for (size_t i = 0; i < of.values.size(); ++i) {
        if (of.values[i]) most = std::max(most, of.undefined[i]);
      }
    }
  }
  add_count("Resamples in which a statistic is undefined, which its interval ignores; at most",
            most, notes);
}

void add_invalid_notes(const std::vector<Rater>& judges, std::vector<std::string>& notes) {
  for (const Rater& judge : judges) {
    const auto invalid = std::ranges::count(judge.ratings, std::optional<Ratings>(Ratings()));
    add_count("Replies of " + judge.name + " without verdicts, left out", invalid, notes);
  }
}

}  // namespace

std::vector<Table> chie_tables(const ChieResults& results) {
  std::vector<Table> tables = {system_table(results)};
  const bool has_majority = results.agreements && results.agreements->assessments.majority;
  if (has_majority) tables.push_back(majority_table(results));
  if (!results.terciles.empty()) tables.push_back(tercile_table(results));
  if (has_majority) tables.push_back(gold_table(results));
  if (results.agreements && !results.agreements->judges.empty()) {
    tables.push_back(judge_table(results));
  }
  if (!results.evaluation.disagreements.empty()) {
    tables.push_back(disagreement_table(results.evaluation));
  }
  return tables;
}

std::vector<std::string> system_notes(const ChieResults& results) {
  const ChieEvaluation& evaluation = results.evaluation;
  const std::set<std::string>& parsers = evaluation.parsers;
  std::vector<std::string> notes = {"C, H, I, E: on how many answers the judge agrees, by the " +
                                    join({parsers.begin(), parsers.end()}) +
                                    (parsers.size() > 1 ? " parsers" : " parser") +
                                    "; more is better for C and H"};
  notes.push_back("length: the answers' mean in words, cut by " + join(results.words.segmenters));
  if (!evaluation.disagreements.empty()) {
    notes.push_back(counted(std::ssize(evaluation.disagreements), "reply is", "replies are") +
                    " read otherwise by the other parser");
  }
  return notes;
}

std::vector<std::string> tercile_notes(const ChieResults& results) {
  const bool has_labels = results.agreements && results.agreements->assessments.majority;
  std::vector<std::string> notes = {
      "C, H, I, E: on how many answers " +
      (has_labels ? "the " + results.agreements->assessments.majority->rater.name
                  : std::string("the judge")) +
      " agrees; equal scores in the order of the systems and the ledger"};
  int64_t undecided = 0, tied = 0;
  for (const ChieTercile& tercile : results.terciles) {
    undecided += tercile.undecided;
    tied += tercile.tied;
  }
  add_count("Answers with the same score as one of another tercile", tied, notes);
  add_count("Answers without a verdict on some aspect, which does not count there", undecided,
            notes);
  return notes;
}

std::vector<std::string> majority_notes(const ChieResults& results) {
  const ChieAgreements& agreements = results.agreements.value();
  const HumanMajority& majority = agreements.assessments.majority.value();
  std::vector<std::string> notes = {"The truth is the " + majority.rater.name +
                                        ", aspect by aspect; n: verdicts that both give; " +
                                        kPooled,
                                    interval_note(agreements, agreements.with_majority)};
  add_count("Answers without a label by these annotators, left out", missing(majority.rater),
            notes);
  add_count("Answers that some of them did not label; the others' majority counts",
            majority.incomplete, notes);
  add_count(
      "Verdicts that as many of them give as do not, left out, which favours every rater: they "
      "are the hardest",
      majority.ties, notes);
  add_count("Their labels of answers that are not evaluated, left out", majority.rater.others,
            notes);
  for (const Rater& human : agreements.assessments.humans) {
    add_count("Answers that " + human.name + " did not label, left out", missing(human), notes);
    add_count("Labels by " + human.name + " of answers that are not evaluated, left out",
              human.others, notes);
  }
  add_invalid_notes(agreements.assessments.judges, notes);
  add_undefined_note(agreements.with_majority, notes);
  return notes;
}

std::vector<std::string> judge_notes(const ChieResults& results) {
  const ChieAgreements& agreements = results.agreements.value();
  std::vector<std::string> notes = {std::string("n: verdicts that both give; ") + kPooled +
                                        ", what chance gives for kappa taken by aspect",
                                    interval_note(agreements, agreements.judges)};
  for (const Rater& judge : agreements.assessments.judges) {
    add_count("Answers that " + judge.name + " did not judge, left out", missing(judge), notes);
    add_count("Answers that " + judge.name + " alone judged, left out", judge.others, notes);
  }
  add_invalid_notes(agreements.assessments.judges, notes);
  add_undefined_note(agreements.judges, notes);
  return notes;
}

std::vector<std::string> chie_notes(const ChieResults& results) {
  std::vector<std::string> notes = system_notes(results);
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& note : more) {
      if (std::ranges::count(notes, note) == 0) notes.push_back(note);
    }
  };
  if (!results.terciles.empty()) add(tercile_notes(results));
  const std::vector<ChieSystem>& systems = results.evaluation.systems;
  if (systems.front().bertscore && has_several_languages(systems)) {
    add(
        {"No terciles: BERTScores of several languages have different scales; --language names "
         "one"});
  }
  if (results.agreements && results.agreements->assessments.majority) add(majority_notes(results));
  if (results.agreements && !results.agreements->judges.empty()) add(judge_notes(results));
  return notes;
}

}  // namespace rubric::eval
