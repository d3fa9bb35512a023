#include "data/scored_rationales.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "data/rationale_rows.h"
#include "data/row_fields.h"
#include "data/row_scores.h"
#include "data/rows.h"

namespace rubric {
namespace {

void check_choices(const std::vector<std::string>& choices, const std::string& where) {
  if (choices.empty()) throw InputError("there are no choices", where, "list them as \"choices\"");
  for (auto choice = choices.begin(); choice != choices.end(); ++choice) {
    if (std::find(choices.begin(), choice, *choice) == choice) continue;
    throw InputError("the choice " + json_quote(*choice) + " stands twice", where,
                     "list each choice once");
  }
}

// The field's text, which must be one of the choices; "" where there is none.
std::string chosen(const Json& row, const std::string& name,
                   const std::vector<std::string>& choices, const std::string& where) {
  std::string text = optional_text(row, name, where);
  if (text.empty() || std::ranges::find(choices, text) != choices.end()) return text;
  std::vector<std::string> quoted;
  for (const std::string& choice : choices) quoted.push_back(json_quote(choice));
  throw InputError(name + " " + json_quote(text) + " is not among the choices", where,
                   "the choices are " + join_some(quoted));
}

std::optional<double> rev_of(const Json& row, const std::string& where) {
  check_scores_member(row, "scores", where);
  const Json* const scores = row.find("scores");
  const Json* const rev = scores == nullptr ? nullptr : scores->find("rev");
  if (rev == nullptr || rev->is_null()) return std::nullopt;
  if (!rev->is_number() || !std::isfinite(rev->number())) {
    throw InputError("scores.rev must be a finite number, it is " +
                         (rev->is_number() ? rev->number_text() : rev->kind()),
                     where, "score the row again: rubric score rev");
  }
  return rev->number();
}

ScoredRationale scored_rationale_of(const Json& row, int64_t number, const std::string& line) {
  ScoredRationale scored{rationale_of(row, number, line)};
  scored.where = line + ": " + scored.id;
  const std::string& where = scored.where;
  check_choices(scored.choices, where);
  scored.sim_x = chosen(row, "sim_x", scored.choices, where);
  scored.sim_r = chosen(row, "sim_r", scored.choices, where);
  scored.sim_xr = chosen(row, "sim_xr", scored.choices, where);
  scored.rev = rev_of(row, where);
  return scored;
}

void require_all_or_none(const std::vector<ScoredRationale>& rows, const std::string& what,
                         const std::function<bool(const ScoredRationale&)>& has) {
  std::vector<std::string> without;
  for (const ScoredRationale& row : rows) {
    if (!has(row)) without.push_back(row.where);
  }
  if (without.empty() || without.size() == rows.size()) return;
  throw InputError(std::to_string(without.size()) + " of " + std::to_string(rows.size()) +
                       " rows have no " + what,
                   join_some(without, "; "), "give it to all rows, or to none");
}

}  // namespace

std::vector<ScoredRationale> read_scored_rationales(const std::filesystem::path& file) {
  std::vector<ScoredRationale> rows;
  std::map<std::string, std::string> places;
  visit_rows(file, InputFormat::jsonl, [&](const Json& row, const std::string& where) {
    rows.push_back(scored_rationale_of(row, std::ssize(rows) + 1, where));
    const auto [first, is_new] = places.emplace(rows.back().id, where);
    if (is_new) return true;
    throw InputError("the id " + json_quote(rows.back().id) + " stands twice",
                     first->second + " and " + where, "give each row its own id");
  });
  if (rows.empty()) throw InputError("the file has no rows", file.string());
  require_all_or_none(rows, "gold", [](const auto& row) { return !row.gold.empty(); });
  require_all_or_none(rows, "sim_x", [](const auto& row) { return !row.sim_x.empty(); });
  require_all_or_none(rows, "sim_r", [](const auto& row) { return !row.sim_r.empty(); });
  require_all_or_none(rows, "sim_xr", [](const auto& row) { return !row.sim_xr.empty(); });
  require_all_or_none(rows, "scores.rev", [](const auto& row) { return row.rev.has_value(); });
  return rows;
}

}  // namespace rubric
