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
constexpr Names kAnswers = {"a", "b", "tie"};
constexpr Names kPositions = {"first", "second", "replies_tie"};

// How often each of `names` was given, and its percentage.
void add_shares(const Keys& keys, const PreferenceShares& shares, const Names& names,
                Result& result) {
  for (size_t i = 0; i < names.size(); ++i) {
    result.measurements.push_back(count_of(keys, names[i], shares.counts[i]));
    result.measurements.push_back({.keys = keys,
                                   .statistic = std::string("percent_") + names[i],
                                   .value = shares.percent[i],
                                   .interval = shares.intervals[i],
                                   .n = shares.n()});
  }
}

void add_position(const Keys& keys, const std::optional<PositionBias>& position, Result& result) {
  if (!position) return;
  add_shares(keys, position->shown, kPositions, result);
  result.measurements.push_back({.keys = keys,
                                 .statistic = "first_minus_second",
                                 .value = position->difference,
                                 .interval = position->interval,
                                 .n = position->shown.n()});
  result.measurements.push_back(count_of(keys, "first_twice", position->first_twice));
  result.measurements.push_back(count_of(keys, "second_twice", position->second_twice));
  result.measurements.push_back(count_of(keys, "tie_once", position->tie_once));
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

Column percent_column(const std::string& title, const std::string& statistic) {
  return {.title = title, .statistics = {statistic}, .form = NumberForm::fixed1};
}

Layout case_layout(const PreferenceEvaluation& evaluation) {
  return {.title = "Which of two answers the judge prefers",
          .rows = {{"case", &Keys::system}},
          .columns = {counts_column("A", "a"),
                      counts_column("B", "b"),
                      counts_column("Tie", "tie"),
                      {.title = "n", .statistics = {"percent_a"}, .part = CellPart::n},
                      counts_column("invalid", "invalid"),
                      counts_column("incomplete", "incomplete"),
                      percent_column("A %", "percent_a"),
                      percent_column("B %", "percent_b"),
                      percent_column("Tie %", "percent_tie")},
          .notes = case_notes(evaluation)};
}

Layout position_layout() {
  return {.title = "Position bias",
          .rows = {{"case", &Keys::system, "all"}},
          .columns = {{.title = "replies", .statistics = {"percent_first"}, .part = CellPart::n},
                      percent_column("first %", "percent_first"),
                      percent_column("second %", "percent_second"),
                      percent_column("tie %", "percent_replies_tie"),
                      percent_column("first - second", "first_minus_second"),
                      counts_column("first twice", "first_twice"),
                      counts_column("second twice", "second_twice"),
                      counts_column("tie once", "tie_once")},
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
    add_shares(keys, one.preferred, kAnswers, result);
    result.measurements.push_back(count_of(keys, "invalid", one.invalid));
    result.measurements.push_back(count_of(keys, "incomplete", one.incomplete));
    add_position(keys, one.position, result);
  }
  add_position({}, evaluation.position, result);
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
