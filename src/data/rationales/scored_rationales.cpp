#include "data/rationales/scored_rationales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/rationales/rationale_rows.h"
#include "data/rows/rows.h"

namespace rubric::data {

namespace {

// A part that all rows of a file must have, or none.
struct RowPart {
  const char* name;
  bool (*is_in)(const ScoredRationale&);
};
constexpr std::array<RowPart, 5> kParts = {
    {{"gold", [](const ScoredRationale& row) { return !row.gold.empty(); }},
     {"sim_x", [](const ScoredRationale& row) { return !row.sim_x.empty(); }},
     {"sim_r", [](const ScoredRationale& row) { return !row.sim_r.empty(); }},
     {"sim_xr", [](const ScoredRationale& row) { return !row.sim_xr.empty(); }},
     {"scores.rev", [](const ScoredRationale& row) { return row.rev.has_value(); }}}};

// The field's text, which must be one of the choices; "" if it is missing.
std::string chosen(const Json& row, const std::string& name,
                   const std::vector<std::string>& choices, const std::string& where) {
  std::string text = optional_text(row, name, where);
  if (text.empty()) return text;
  const std::string problem = choice_problem(name, text, choices);
  if (problem.empty()) return text;
  throw InputError(problem, where, "simulate the row again: rubric generate --candidates choices");
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
  return require_computable(rev->number(), "scores.rev", where);
}

ScoredRationale scored_rationale_of(const Json& row, int64_t number, const std::string& line) {
  ScoredRationale scored{rationale_of(row, number, line)};
  scored.where = line + ": " + scored.id;
  const std::string& where = scored.where;
  if (scored.choices.empty()) {
    throw InputError("there are no choices", where, "list them as \"choices\"");
  }
  scored.baseline_by = optional_text(row, "baseline_by", where);
  scored.sim_x = chosen(row, "sim_x", scored.choices, where);
  scored.sim_r = chosen(row, "sim_r", scored.choices, where);
  scored.sim_xr = chosen(row, "sim_xr", scored.choices, where);
  scored.rev = rev_of(row, where);
  return scored;
}

bool is_scored(const Json& row) {
  const Json* const scores = row.find("scores");
  const Json* const rev = scores == nullptr ? nullptr : scores->find("rev");
  return rev != nullptr && !rev->is_null();
}

// Makes a record with only the row's id (its place if another row has that id).
ScoredRationale unusable(const Json& row, int64_t number, const std::string& where,
                         const std::map<std::string, std::string>& places) {
  const Json* const id = row.find("id");
  const bool is_named = id != nullptr && (id->is_string() || id->is_number());
  ScoredRationale gap;
  gap.where = where;
  gap.id = is_named ? optional_name(row, "id", where) : std::to_string(number);
  if (places.contains(gap.id)) gap.id = where;
  return gap;
}

void refuse_gaps(const std::vector<ScoredRationale>& rows) {
  for (const RowPart& part : kParts) {
    std::vector<std::string> without;
    for (const ScoredRationale& row : rows) {
      if (!part.is_in(row)) without.push_back(row.where);
    }
    if (without.empty() || without.size() == rows.size()) continue;
    throw InputError(std::to_string(without.size()) + " of " + std::to_string(rows.size()) +
                         " rows have no " + part.name,
                     join_some(without, "; "),
                     "give it to all rows or to none, or leave such rows out with --common-rows");
  }
}

const std::vector<std::string> kAnswers = {"no", "yes"};
const std::vector<std::string> kAmounts = {"none", "little", "some", "enough"};  // 0 … 3

// The index of the word in `words` that the field holds, in any case.
int word_of(const Json& row, const std::string& field, const std::vector<std::string>& words,
            const std::string& where) {
  row.require(field, where);
  const std::string text = optional_text(row, field, where);
  const auto found = std::ranges::find(words, ascii_lower(trim(text)));
  if (found != words.end()) return static_cast<int>(found - words.begin());
  throw InputError("the field " + json_quote(field) + " is " + json_quote(text), where,
                   "write one of " + join(words));
}

std::string required_name(const Json& row, const std::string& field, const std::string& where) {
  row.require(field, where);
  std::string text = optional_name(row, field, where);
  if (!text.empty()) return text;
  throw InputError("the field " + json_quote(field) + " is empty", where,
                   "fill it in, or leave the row out");
}

}  // namespace

std::vector<ScoredRationale> read_scored_rationales(const std::filesystem::path& file, Gaps gaps) {
  std::vector<ScoredRationale> rows;
  std::map<std::string, std::string> places;
  int64_t unreadable = 0;
  std::string first_problem;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    try {
      ScoredRationale scored = scored_rationale_of(row, std::ssize(rows) + 1, where);
      const auto [first, is_new] = places.emplace(scored.id, where);
      if (!is_new) {
        throw InputError("the id " + json_quote(scored.id) + " occurs twice",
                         first->second + " and " + where, "give each row its own id");
      }
      rows.push_back(std::move(scored));
    } catch (const InputError& error) {
      if (gaps == Gaps::refused || is_scored(row)) throw;
      if (unreadable++ == 0) first_problem = error.what();
      rows.push_back(unusable(row, std::ssize(rows) + 1, where, places));
    }
    return true;
  });
  if (rows.empty()) throw no_rows(file);
  if (unreadable > 0) {
    log_warning(std::to_string(unreadable) + " of " + std::to_string(rows.size()) +
                " rows are unscored and cannot be read; the first: " + first_problem);
  }
  if (gaps == Gaps::refused) refuse_gaps(rows);
  return rows;
}

void take_out_gaps(std::vector<ScoredRationale>& rows) {
  std::vector<RowPart> wanted;
  for (const RowPart& part : kParts) {
    if (std::ranges::any_of(rows, part.is_in)) wanted.push_back(part);
  }
  std::erase_if(rows, [&](const ScoredRationale& row) {
    return row.label.empty() ||
           !std::ranges::all_of(wanted, [&](const RowPart& part) { return part.is_in(row); });
  });
}

std::vector<RationaleJudgement> read_rationale_judgements(const std::filesystem::path& file) {
  const InputFormat format = input_format("", file, "a name in .jsonl, .csv or .tsv");
  if (!has_rows(format)) {
    throw InputError("judgements are read as rows", file.string(),
                     "write JSON lines (.jsonl) or a table (.csv, .tsv)");
  }
  std::vector<RationaleJudgement> judgements;
  std::map<std::vector<std::string>, std::string> places;
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    RationaleJudgement judgement{required_name(row, "id", where), required_name(row, "kind", where),
                                 false, 0, where};
    judgement.justifies = word_of(row, "justifies", kAnswers, where) == 1;
    if (judgement.justifies) judgement.amount = word_of(row, "amount", kAmounts, where);
    const std::string annotator = optional_text(row, "annotator", where);
    if (!annotator.empty()) {
      const auto [first, is_new] =
          places.emplace(std::vector{judgement.id, judgement.kind, annotator}, where);
      if (!is_new) {
        throw InputError("the annotator " + json_quote(annotator) + " judges id " +
                             json_quote(judgement.id) + " of " + judgement.kind + " twice",
                         first->second + " and " + where, "keep one of the two");
      }
    }
    judgements.push_back(std::move(judgement));
    return true;
  });
  if (judgements.empty()) throw no_rows(file);
  return judgements;
}

}  // namespace rubric::data
