#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"
#include "eval/chie/chie.h"
#include "eval/report/table.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

constexpr const char* kPooled = "overall: the verdicts on all four aspects pooled";

int64_t missing(const Rater& rater) {
  return std::ranges::count_if(rater.ratings, [](const auto& rating) { return !rating; });
}

// On the intervals of comparisons, and the statistics that are undefined in a resample.
void add_interval_notes(const std::vector<Measurement>& compared,
                        const stats::BootstrapOptions& bootstrap, std::vector<std::string>& notes) {
  int64_t least = INT64_MAX, most = 0, undefined = 0;
  bool is_by_question = false;
  for (size_t i = 1; i < compared.size(); ++i) {
    const Measurement &before = compared[i - 1], &one = compared[i];
    const auto value = static_cast<int64_t>(one.value.value_or(0));
    if (one.statistic == "questions") {
      least = std::min(least, value);
      most = std::max(most, value);
      is_by_question = is_by_question || value < before.value;
    }
    if (before.value && one.statistic.starts_with("undefined_")) {
      undefined = std::max(undefined, value);
    }
  }
  notes.insert(notes.begin() + 1, "95% intervals of " + std::to_string(bootstrap.resamples) +
                                      " bootstrap resamples of " +
                                      (least < most ? std::to_string(least) + " to " : "") +
                                      counted(most, "question") +
                                      (is_by_question ? ", all answers to one together" : ""));
  add_count("Resamples in which a statistic is undefined, which its interval ignores; at most",
            undefined, notes);
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
  return results.assessments && results.assessments->majority;
}

std::vector<std::string> tercile_notes(const ChieResults& results) {
  std::vector<std::string> notes = {
      "C, H, I, E: on how many answers " +
      (has_majority(results) ? "the " + results.assessments->majority->rater.name
                             : std::string("the judge")) +
      " agrees; equal scores in the order of the systems and the ledger"};
  const auto sum_of = [&](const char* statistic) {
    double sum = 0;
    for (const Measurement& one : results.terciles) {
      if (one.statistic == statistic) sum += *one.value;
    }
    return static_cast<int64_t>(sum);
  };
  add_count("Answers with the same score as one of another tercile", sum_of("tied"), notes);
  add_count("Answers without a verdict on some aspect, which does not count there",
            sum_of("undecided"), notes);
  return notes;
}

std::vector<std::string> majority_notes(const ChieResults& results) {
  const ChieAssessments& assessments = results.assessments.value();
  const HumanMajority& majority = assessments.majority.value();
  std::vector<std::string> notes = {"The truth is the " + majority.rater.name +
                                    ", aspect by aspect; n: verdicts that both give; " + kPooled};
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
  for (const Rater& human : assessments.humans) {
    add_count("Answers that " + human.name + " did not label, left out", missing(human), notes);
    add_count("Labels by " + human.name + " of answers that are not evaluated, left out",
              human.others, notes);
  }
  add_invalid_notes(assessments.judges, notes);
  add_interval_notes(results.agreements.with_majority, results.bootstrap, notes);
  return notes;
}

std::vector<std::string> judge_notes(const ChieResults& results) {
  std::vector<std::string> notes = {std::string("n: verdicts that both give; ") + kPooled +
                                    ", what chance gives for kappa taken by aspect"};
  for (const Rater& judge : results.assessments->judges) {
    add_count("Answers that " + judge.name + " did not judge, left out", missing(judge), notes);
    add_count("Answers that " + judge.name + " alone judged, left out", judge.others, notes);
  }
  add_invalid_notes(results.assessments->judges, notes);
  add_interval_notes(results.agreements.of_judges, results.bootstrap, notes);
  return notes;
}

// Measurements.

using AspectNumbers = std::array<int64_t, judge::kAspects.size()>;

void add_aspects(Adder add, const std::string& statistic, const AspectNumbers& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    add.keys.metric = judge::kAspects[i];
    add(statistic, static_cast<double>(numbers[i]));
  }
}

void add_mean(Adder add, const std::string& metric, std::optional<double> value) {
  add.keys.metric = metric;
  add("mean", value);
}

void add_systems(const ChieResults& results, Result& result) {
  for (size_t i = 0; i < results.evaluation.systems.size(); ++i) {
    const ChieSystem& system = results.evaluation.systems[i];
    const ChieWords& words = results.words.systems[i];
    Adder add{result.measurements, {.system = system.name}, system.n() - system.invalid};
    add_aspects(add, "count", system.agreed);
    add.n = system.n();
    add("invalid", static_cast<double>(system.invalid));
    add_mean(add, "f1", words.f1);
    add_mean(add, "em", words.em);
    if (system.bertscore) add_mean(add, "bertscore", system.bertscore);
    add_mean(add, "length", words.mean_length);
  }
}

struct ScoredAnswer {
  double bertscore;
  int64_t length;
  Ratings rating;
};

// Of the answers from `begin` to `end`.
void add_tercile(Adder add, std::span<const ScoredAnswer> sorted, size_t begin, size_t end) {
  const std::span<const ScoredAnswer> third = sorted.subspan(begin, end - begin);
  AspectNumbers agreed{};
  int64_t undecided = 0, tied = 0, words = 0;
  for (const auto& [score, length, rating] : third) {
    for (size_t i = 0; i < agreed.size(); ++i) agreed[i] += rating[i].value_or(false) ? 1 : 0;
    undecided += std::ranges::count(rating, std::optional<bool>()) > 0 ? 1 : 0;
    const bool is_tied = (begin > 0 && score == sorted[begin - 1].bertscore) ||
                         (end < sorted.size() && score == sorted[end].bertscore);
    tied += is_tied ? 1 : 0;
    words += length;
  }
  add.n = std::ssize(third);
  add.keys.metric = "bertscore";
  add("lowest", third.front().bertscore);
  add("highest", third.back().bertscore);
  add.keys.metric = "";
  add_aspects(add, "count", agreed);
  add("undecided", static_cast<double>(undecided));
  add("tied", static_cast<double>(tied));
  add_mean(add, "length", static_cast<double>(words) / static_cast<double>(third.size()));
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

std::vector<Measurement> majority_counts(const ChieAssessments& assessments) {
  std::vector<Measurement> counts;
  const auto& [answers, judges, humans, majority] = assessments;
  for (size_t i = 0; majority && i < answers.size();) {
    const std::string& system = answers[i]->answer.source;
    AspectNumbers agreed{}, ties{};
    int64_t n = 0;
    for (; i < answers.size() && answers[i]->answer.source == system; ++i) {
      const std::optional<Ratings>& rating = majority->rater.ratings[i];
      if (!rating) continue;
      ++n;
      for (size_t aspect = 0; aspect < agreed.size(); ++aspect) {
        agreed[aspect] += (*rating)[aspect].value_or(false) ? 1 : 0;
        ties[aspect] += (*rating)[aspect] ? 0 : 1;
      }
    }
    const Adder add{counts, {.system = system, .source = kMajority}, n};
    add_aspects(add, "count", agreed);
    add_aspects(add, "ties", ties);
  }
  return counts;
}

bool has_several_languages(std::span<const ChieSystem> systems) {
  return std::ranges::any_of(systems, [&](const ChieSystem& system) {
    return system.language != systems.front().language;
  });
}

std::vector<Measurement> bertscore_terciles(std::span<const ChieSystem> systems,
                                            const ChieWordCounts& words, const Rater& rater,
                                            const std::string& source) {
  if (has_several_languages(systems)) return {};
  std::vector<ScoredAnswer> answers;
  size_t place = 0;  // the answer's index among all systems' answers
  for (size_t i = 0; i < systems.size(); ++i) {
    for (size_t j = 0; j < systems[i].answers.size(); ++j, ++place) {
      const std::optional<Ratings>& rating = rater.ratings[place];
      if (!rating) continue;
      answers.push_back(
          {systems[i].answers[j].bertscore.value(), words.systems[i].lengths[j], *rating});
    }
  }
  std::ranges::stable_sort(answers, {}, &ScoredAnswer::bertscore);
  constexpr std::array<const char*, 3> kNames = {"low", "medium", "high"};
  std::vector<Measurement> terciles;
  if (answers.size() < kNames.size()) return terciles;
  for (size_t i = 0; i < kNames.size(); ++i) {
    add_tercile({terciles, {.source = source, .subset = kNames[i]}}, answers,
                i * answers.size() / kNames.size(), (i + 1) * answers.size() / kNames.size());
  }
  return terciles;
}

Result chie_result(const ChieResults& results) {
  Result result{.title = "Answers by a judge's verdicts (CHIE)"};
  const auto add_table = [&](const std::string& name, std::vector<std::string> notes,
                             const std::map<std::string, std::string>& texts = {}) {
    Layout& layout = result.tables.emplace_back(read_layout("chie", name, texts));
    std::ranges::move(notes, std::back_inserter(layout.notes));
  };
  add_table("systems", system_notes(results));
  add_systems(results, result);
  const auto add_all = [&](const std::vector<Measurement>& more) {
    result.measurements.insert(result.measurements.end(), more.begin(), more.end());
  };
  if (has_majority(results)) {
    add_all(majority_counts(*results.assessments));
    add_table("majority", {}, {{"rater", results.assessments->majority->rater.name}});
  }
  add_all(results.terciles);
  if (!results.terciles.empty()) {
    add_table("terciles", tercile_notes(results),
              {{"source", results.terciles.front().keys.source}});
  }
  add_all(results.agreements.with_majority);
  add_all(results.agreements.of_judges);
  if (has_majority(results)) add_table("gold", majority_notes(results));
  if (!results.agreements.of_judges.empty()) add_table("judges", judge_notes(results));
  const std::vector<ChieSystem>& systems = results.evaluation.systems;
  if (systems.front().bertscore && has_several_languages(systems)) {
    result.notes.emplace_back(
        "No terciles: BERTScores of several languages have different scales; --language names one");
  }
  result.records.push_back(disagreements(results.evaluation));
  return result;
}

}  // namespace rubric::eval
