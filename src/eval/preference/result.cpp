#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "eval/preference/preference.h"
#include "eval/report/table.h"
#include "eval/resampling.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

using Names = std::array<const char*, 3>;
constexpr Names kAnswers = {"a", "b", "tie"};             // of preference: over the pairs
constexpr Names kPositions = {"first", "second", "tie"};  // of position: over the replies
constexpr const char* kPreference = "preference";
constexpr const char* kPosition = "position";
constexpr const char* kNoPairs = "no pair counts";

// How often each of `names`, a subset, was given.
void add_shares(Keys keys, const PreferenceShares& shares, const Names& names, Result& result) {
  for (size_t i = 0; i < names.size(); ++i) {
    keys.subset = names[i];
    result.measurements.push_back(count_of(keys, "count", shares.counts[i]));
    add_value({.keys = keys, .interval = shares.intervals[i], .n = shares.n()}, "share",
              shares.shares[i], kNoPairs, result.measurements);
  }
}

// `system`: of all cases "".
void add_position(const std::string& system, const std::optional<PositionBias>& position,
                  Result& result) {
  if (!position) return;
  Keys keys{.metric = kPosition, .system = system};
  add_shares(keys, position->shown, kPositions, result);
  add_value({.keys = keys, .interval = position->interval, .n = position->shown.n()}, "difference",
            position->difference, kNoPairs, result.measurements);
  const auto add_count = [&](const char* subset, const char* statistic, int64_t count) {
    keys.subset = subset;
    result.measurements.push_back(count_of(keys, statistic, count));
  };
  add_count("first", "twice", position->first_twice);
  add_count("second", "twice", position->second_twice);
  add_count("tie", "once", position->tie_once);
}

std::vector<std::string> case_notes(const PreferenceEvaluation& evaluation) {
  const bool in_both_orders = evaluation.position.has_value();
  const bool by_question = evaluation.questions < evaluation.pairs;
  std::vector<std::string> notes = {
      std::string("A, B: on how many pairs the judge prefers answer_a or answer_b") +
          (in_both_orders ? ", in both orders; Tie: neither, or not the same one in both"
                          : "; Tie: neither"),
      "95% intervals of " + std::to_string(evaluation.bootstrap.resamples) +
          " bootstrap resamples" +
          (by_question ? " of the questions, all pairs of one together" : " of the pairs")};
  int64_t invalid = 0, incomplete = 0;
  std::set<std::string> languages;
  for (const PreferenceCase& one : evaluation.cases) {
    languages.insert(one.language);
    invalid += one.invalid;
    incomplete += one.incomplete;
  }
  languages.erase("");
  if (!languages.empty())
    notes.push_back("Language: " + join({languages.begin(), languages.end()}));
  add_count("Pairs with a reply that holds no preference (invalid), left out", invalid, notes);
  add_count("Pairs that the ledger has in one order alone (incomplete), left out", incomplete,
            notes);
  if (!in_both_orders) {
    notes.emplace_back(
        "Every pair is asked in one order, so it is unknown whether the order matters");
  }
  return notes;
}

Column of_subset(Column column, const std::string& metric, const std::string& subset) {
  column.keys = {.metric = metric, .subset = subset};
  return column;
}

Column counts_of(const std::string& title, const std::string& metric, const std::string& subset,
                 const std::string& statistic = "count") {
  return of_subset(counts_column(title, statistic), metric, subset);
}

Column percent_column(const std::string& title, const std::string& metric,
                      const std::string& subset) {
  return of_subset({.title = title, .statistics = {"share"}, .form = NumberForm::percent1}, metric,
                   subset);
}

Column n_of_subset(const std::string& title, const std::string& metric, const std::string& subset) {
  return of_subset({.title = title, .statistics = {"share"}, .part = CellPart::n}, metric, subset);
}

Layout case_layout(const PreferenceEvaluation& evaluation) {
  return {
      .title = "Which of two answers the judge prefers",
      .rows = {{"case", &Keys::system}},
      .columns = {counts_of("A", kPreference, "a"), counts_of("B", kPreference, "b"),
                  counts_of("Tie", kPreference, "tie"), n_of_subset("n", kPreference, "a"),
                  counts_column("invalid", "invalid"), counts_column("incomplete", "incomplete"),
                  percent_column("A %", kPreference, "a"), percent_column("B %", kPreference, "b"),
                  percent_column("Tie %", kPreference, "tie")},
      .notes = case_notes(evaluation)};
}

Layout position_layout() {
  return {.title = "Position bias",
          .rows = {{"case", &Keys::system, "all"}},
          .columns = {n_of_subset("replies", kPosition, "first"),
                      percent_column("first %", kPosition, "first"),
                      percent_column("second %", kPosition, "second"),
                      percent_column("tie %", kPosition, "tie"),
                      {.title = "first - second %",
                       .statistics = {"difference"},
                       .keys = {.metric = kPosition},
                       .form = NumberForm::percent1},
                      counts_of("first twice", kPosition, "first", "twice"),
                      counts_of("second twice", kPosition, "second", "twice"),
                      counts_of("tie once", kPosition, "tie", "once")},
          .notes = {
              "first, second: how often the judge prefers the answer shown first or second, of two "
              "replies a pair; a judge without bias has a difference of 0",
              "twice: pairs in which the judge prefers the answer shown first (or second) in both "
              "orders; tie once: in one order alone"}};
}

}  // namespace

std::string preference_signature(const judge::Ledger& ledger,
                                 const PreferenceEvaluation& evaluation,
                                 const std::string& language) {
  std::string signature = "preference|" + judge::ledger_signature(ledger) +
                          "|orders:" + (evaluation.position ? "both" : "one");
  if (!language.empty()) signature += "|language:" + signature_text(language);
  return signature + signature_end(evaluation.bootstrap);
}

Result preference_result(const PreferenceEvaluation& evaluation) {
  Result result{.title = "Which of two answers a judge prefers",
                .tables = {case_layout(evaluation)}};
  for (const PreferenceCase& one : evaluation.cases) {
    const Keys keys{.system = one.name};
    add_shares({.metric = kPreference, .system = one.name}, one.preferred, kAnswers, result);
    result.measurements.push_back(count_of(keys, "invalid", one.invalid));
    result.measurements.push_back(count_of(keys, "incomplete", one.incomplete));
    add_position(one.name, one.position, result);
  }
  add_position("", evaluation.position, result);
  if (evaluation.position) result.tables.push_back(position_layout());
  return result;
}

Result evaluate_preference_file(const PreferenceRequest& request, const Context& context) {
  const ContextScope scope(context);
  const judge::Ledger ledger = judge::read_chosen_ledger(request.ledger, request.judge);
  const PreferenceEvaluation evaluation = evaluate_preferences(
      ledger.entries, request.language, request.bootstrap, request.ledger.string());
  Result result = preference_result(evaluation);
  result.signature = preference_signature(ledger, evaluation, request.language);
  result.inputs = {request.ledger.string()};
  return result;
}

}  // namespace rubric::eval
