#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"
#include "eval/chie/chie.h"
#include "eval/report/table.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

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
         counted(most, "question") + (is_by_question ? ", all answers to one together" : "");
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

// Those of the first are in the notes of its systems.
void add_invalid_notes(const std::vector<Rater>& judges, std::vector<std::string>& notes) {
  for (const Rater& judge : std::span(judges).subspan(1)) {
    const auto invalid = std::ranges::count(judge.ratings, std::optional<Ratings>(Ratings()));
    add_count("Replies of " + judge.name + " without verdicts, left out", invalid, notes);
  }
}

std::vector<std::string> system_notes(const ChieResults& results) {
  const ChieEvaluation& evaluation = results.evaluation;
  const std::set<std::string>& parsers = evaluation.parsers;
  std::vector<std::string> notes = {"C, H, I, E: on how many answers the judge agrees, by the " +
                                    join({parsers.begin(), parsers.end()}) +
                                    (parsers.size() > 1 ? " parsers" : " parser") +
                                    "; more is better for C and H"};
  std::set<std::string> languages;
  for (const ChieSystem& system : evaluation.systems) {
    if (!system.language.empty()) languages.insert(system.language);
  }
  if (languages.size() == 1) notes.push_back("Language: " + *languages.begin());
  for (const ChieSystem& system : evaluation.systems) {
    if (languages.size() > 1)
      notes.push_back("Language of " + system.name + ": " + system.language);
  }
  for (const ChieSystem& system : evaluation.systems) {
    if (system.invalid == 0) continue;
    notes.push_back(system.name + ": " + counted(system.invalid, "reply") + " of " +
                    std::to_string(system.n()) + " without verdicts, in no count of C, H, I and E");
  }
  notes.push_back("length: the answers' mean in words, cut by " + join(results.words.segmenters));
  if (!evaluation.disagreements.empty()) {
    notes.push_back(counted(std::ssize(evaluation.disagreements), "reply is", "replies are") +
                    " read differently by the two parsers, published and strict");
  }
  return notes;
}

bool has_majority(const ChieResults& results) {
  return results.agreements && results.agreements->assessments.majority;
}

// Whose verdicts the terciles count, as a key.
std::string tercile_rater(const ChieResults& results) {
  return has_majority(results) ? kMajority : "";
}

std::vector<std::string> tercile_notes(const ChieResults& results) {
  std::vector<std::string> notes = {
      "C, H, I, E: on how many answers " +
      (has_majority(results) ? "the " + results.agreements->assessments.majority->rater.name
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

// Measurements.

// Adds measurements with the same keys and number of records.
class Measured {
 public:
  Measured(Keys keys, std::optional<int64_t> n, Result& result)
      : keys_(std::move(keys)), n_(n), result_(result) {}

  void add(const std::string& statistic, std::optional<double> value,
           const std::optional<stats::Interval>& interval = {}) {
    add_value({.keys = keys_, .interval = interval, .n = n_}, statistic, value,
              "its denominator is zero", result_.measurements);
  }
  // Of a metric; of an aspect.
  void add(const std::string& metric, const std::string& statistic, std::optional<double> value) {
    add(statistic, value);
    result_.measurements.back().keys.metric = metric;
  }
  void add_aspects(const std::string& statistic,
                   const std::array<int64_t, judge::kAspects.size()>& counts) {
    for (size_t i = 0; i < counts.size(); ++i) {
      add(judge::kAspects[i], statistic, static_cast<double>(counts[i]));
    }
  }

 private:
  Keys keys_;
  std::optional<int64_t> n_;
  Result& result_;
};

void add_systems(const ChieResults& results, Result& result) {
  for (size_t i = 0; i < results.evaluation.systems.size(); ++i) {
    const ChieSystem& system = results.evaluation.systems[i];
    const ChieWords& words = results.words.systems[i];
    const Keys keys{.system = system.name};
    Measured(keys, system.n() - system.invalid, result).add_aspects("count", system.agreed);
    Measured measured(keys, system.n(), result);
    measured.add("invalid", static_cast<double>(system.invalid));
    measured.add("f1", "mean", words.f1);
    measured.add("em", "mean", words.em);
    if (system.bertscore) measured.add("bertscore", "mean", system.bertscore);
    measured.add("length", "mean", words.mean_length);
  }
}

void add_majority(const ChieResults& results, Result& result) {
  for (const MajorityCounts& counts : majority_counts(results.agreements->assessments)) {
    Measured measured({.system = counts.system, .source = kMajority}, counts.n, result);
    measured.add_aspects("count", counts.agreed);
    measured.add_aspects("ties", counts.ties);
  }
}

void add_terciles(const ChieResults& results, Result& result) {
  for (const ChieTercile& tercile : results.terciles) {
    Measured measured({.source = tercile_rater(results), .subset = tercile.name}, tercile.n,
                      result);
    measured.add("bertscore", "lowest", tercile.lowest);
    measured.add("bertscore", "highest", tercile.highest);
    measured.add_aspects("count", tercile.agreed);
    measured.add("undecided", static_cast<double>(tercile.undecided));
    measured.add("tied", static_cast<double>(tercile.tied));
    measured.add("length", "mean", tercile.mean_length);
  }
}

// The names of YesNoCounts, in order.
using CountNames = std::array<const char*, 4>;
constexpr CountNames kGoldCounts = {"tp", "fp", "fn", "tn"},
                     kJudgeCounts = {"both", "first_only", "second_only", "neither"};

void add_agreements(const std::vector<ChieAgreement>& agreements,
                    std::span<const AgreementStatistic> statistics, const CountNames& names,
                    const std::string& against, Result& result) {
  for (const ChieAgreement& agreement : agreements) {
    Keys keys{.against = against.empty() ? agreement.second : against, .source = agreement.first};
    Measured of_answers(keys, {}, result);
    of_answers.add("answers", static_cast<double>(agreement.n));
    of_answers.add("questions", static_cast<double>(agreement.questions));
    of_answers.add("invalid", static_cast<double>(agreement.invalid[0]));
    of_answers.add("invalid_against", static_cast<double>(agreement.invalid[1]));
    for (size_t group = 0; group < kAspectGroups; ++group) {
      const AgreementOf& of = agreement.groups[group];
      keys.metric = aspect_group(group);
      Measured measured(keys, of.counts.n(), result);
      const std::array<int64_t, 4> counts = {of.counts.both, of.counts.first_only,
                                             of.counts.second_only, of.counts.neither};
      for (size_t i = 0; i < counts.size(); ++i) {
        measured.add(names[i], static_cast<double>(counts[i]));
      }
      for (size_t i = 0; i < statistics.size(); ++i) {
        measured.add(statistics[i].key, of.values[i], of.intervals[i]);
        measured.add(std::string("undefined_") + statistics[i].key,
                     static_cast<double>(of.undefined[i]));
      }
    }
  }
}

// Layouts.

Column metric_column(const std::string& title, const std::string& metric,
                     const std::string& statistic, NumberForm form) {
  return {.title = title, .statistics = {statistic}, .keys = {.metric = metric}, .form = form};
}

void add_aspect_columns(const std::string& prefix, const std::string& statistic, Layout& layout) {
  for (const char* aspect : judge::kAspects) {
    layout.columns.push_back(metric_column(prefix + aspect, aspect, statistic, NumberForm::count));
  }
}

Column n_of(const std::string& statistic, const Keys& keys) {
  return {.title = "n", .statistics = {statistic}, .keys = keys, .part = CellPart::n};
}

Column length_column() {
  return metric_column("length", "length", "mean", NumberForm::fixed2);
}

Layout system_layout(const ChieResults& results) {
  Layout layout{.title = "CHIE by system",
                .rows = {{"system", &Keys::system}},
                .notes = system_notes(results)};
  add_aspect_columns("", "count", layout);
  layout.columns.push_back(n_of("invalid", {}));
  layout.columns.push_back(counts_column("invalid", "invalid"));
  layout.columns.push_back(metric_column("F1", "f1", "mean", NumberForm::percent2));
  layout.columns.push_back(metric_column("EM", "em", "mean", NumberForm::percent2));
  layout.columns.push_back(metric_column("BERTScore", "bertscore", "mean", NumberForm::percent2));
  layout.columns.push_back(length_column());
  return layout;
}

Layout majority_layout(const ChieResults& results) {
  Layout layout{.title = "CHIE by system: the annotators' majority",
                .rows = {{"system", &Keys::system}},
                .keys = {.source = kMajority},
                .notes = {"C, H, I, E: on how many of n answers the " +
                          results.agreements->assessments.majority->rater.name +
                          " agrees; ties: on how many the annotators are divided"}};
  add_aspect_columns("", "count", layout);
  layout.columns.push_back(n_of("count", {.metric = "C"}));
  add_aspect_columns("ties ", "ties", layout);
  return layout;
}

Layout tercile_layout(const ChieResults& results) {
  Layout layout{.title = "CHIE by BERTScore, in terciles",
                .rows = {{"BERTScore", &Keys::subset}},
                .keys = {.source = tercile_rater(results)},
                .notes = tercile_notes(results)};
  layout.columns = {metric_column("from", "bertscore", "lowest", NumberForm::percent2),
                    metric_column("to", "bertscore", "highest", NumberForm::percent2),
                    n_of("count", {.metric = "C"})};
  add_aspect_columns("", "count", layout);
  layout.columns.push_back(length_column());
  return layout;
}

void add_statistic_columns(std::span<const AgreementStatistic> statistics, Layout& layout) {
  layout.columns.push_back(n_of(statistics.front().key, {}));
  for (const AgreementStatistic& statistic : statistics) {
    layout.columns.push_back(
        {.title = statistic.title, .statistics = {statistic.key}, .form = statistic.form});
  }
}

Layout gold_layout(const ChieResults& results) {
  Layout layout{.title = "Agreement with the annotators' majority, in percent",
                .rows = {{"rater", &Keys::source}, {"aspect", &Keys::metric}},
                .keys = {.against = kMajority},
                .notes = majority_notes(results)};
  add_statistic_columns(kGoldStatistics, layout);
  return layout;
}

Layout judge_layout(const ChieResults& results) {
  Layout layout{
      .title = "Judge against judge: agreement in percent, and Cohen's kappa",
      .rows = {{"judge", &Keys::source}, {"and judge", &Keys::against}, {"aspect", &Keys::metric}},
      .notes = judge_notes(results)};
  add_statistic_columns(kJudgeStatistics, layout);
  return layout;
}

std::string verdict_text(const std::optional<judge::Verdicts>& verdicts) {
  if (!verdicts) return "invalid";
  std::string text;
  for (const bool agrees : *verdicts) text += (text.empty() ? "" : " ") + std::to_string(agrees);
  return text;
}

Records disagreements(const ChieEvaluation& evaluation) {
  RecordRows rows;
  for (const ParserDisagreement& one : evaluation.disagreements) {
    rows.push_back(
        {one.system, one.language, one.id, verdict_text(one.published), verdict_text(one.strict)});
  }
  return held_records(
      {.name = "disagreements",
       .title = "Replies that the two parsers read differently (C H I E, 1: the judge agrees)",
       .columns = {"system", "language", "id", "published", "strict"},
       .key_columns = 3},
      std::move(rows));
}

}  // namespace

Result chie_result(const ChieResults& results) {
  Result result{.title = "Answers by a judge's verdicts (CHIE)",
                .tables = {system_layout(results)}};
  add_systems(results, result);
  if (has_majority(results)) {
    add_majority(results, result);
    result.tables.push_back(majority_layout(results));
  }
  add_terciles(results, result);
  if (!results.terciles.empty()) result.tables.push_back(tercile_layout(results));
  if (results.agreements) {
    add_agreements(results.agreements->with_majority, kGoldStatistics, kGoldCounts, kMajority,
                   result);
    add_agreements(results.agreements->judges, kJudgeStatistics, kJudgeCounts, "", result);
    if (has_majority(results)) result.tables.push_back(gold_layout(results));
    if (!results.agreements->judges.empty()) result.tables.push_back(judge_layout(results));
  }
  const std::vector<ChieSystem>& systems = results.evaluation.systems;
  if (systems.front().bertscore && has_several_languages(systems)) {
    result.notes.emplace_back(
        "No terciles: BERTScores of several languages have different scales; --language names one");
  }
  result.records.push_back(disagreements(results.evaluation));
  return result;
}

}  // namespace rubric::eval
