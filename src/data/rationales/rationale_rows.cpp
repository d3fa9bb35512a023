#include "data/rationales/rationale_rows.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "data/rows/rows.h"

namespace rubric::data {

namespace {

bool is_blank_text(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

Rationale record_of(const Json& row, const std::string& where) {
  Rationale record;
  record.question = optional_text(row, "question", where);
  record.premise = optional_text(row, "premise", where);
  record.hypothesis = optional_text(row, "hypothesis", where);
  if (row.find("choices") != nullptr) record.choices = required_texts(row, "choices", where);
  record.label = optional_text(row, "label", where);
  record.gold = optional_text(row, "gold", where);
  record.rationale = optional_text(row, "rationale", where);
  record.baseline = optional_text(row, "baseline", where);
  return record;
}

std::string problem_of_choices(const Rationale& record) {
  const std::vector<std::string>& choices = record.choices;
  if (std::ranges::any_of(choices, is_blank_text)) return "a choice is empty";
  for (auto choice = choices.begin(); choice != choices.end(); ++choice) {
    if (std::find(choices.begin(), choice, *choice) != choice) {
      return "the choice " + json_quote(*choice) + " occurs twice";
    }
  }
  if (choices.empty()) return "";
  const std::string problem = choice_problem("the label", record.label, choices);
  if (!problem.empty() || record.gold.empty()) return problem;
  return choice_problem("the gold", record.gold, choices);
}

}  // namespace

std::string rationale_problem(const Rationale& record) {
  const bool has_question = !is_blank_text(record.question);
  const bool has_premise = !is_blank_text(record.premise),
             has_hypothesis = !is_blank_text(record.hypothesis);
  if (has_question && (has_premise || has_hypothesis)) {
    return "there is a question beside premise and hypothesis";
  }
  if (!has_question && !has_premise && !has_hypothesis) {
    return "there is neither a question nor a premise and a hypothesis";
  }
  if (!has_question && !has_premise) return "the premise is missing or empty";
  if (!has_question && !has_hypothesis) return "the hypothesis is missing or empty";
  if (is_blank_text(record.label)) return "the label is missing or empty";
  const std::string problem = rationale_text_problem(record);
  return problem.empty() ? problem_of_choices(record) : problem;
}

std::string choice_problem(const std::string& name, const std::string& text,
                           const std::vector<std::string>& choices) {
  if (std::ranges::find(choices, text) != choices.end()) return "";
  std::vector<std::string> quoted;
  for (const std::string& choice : choices) quoted.push_back(json_quote(choice));
  return name + " " + json_quote(text) + " is not among the choices " + join_some(quoted);
}

std::string rationale_text_problem(const Rationale& record) {
  return is_blank_text(record.rationale) ? "the rationale is missing or empty" : "";
}

Json rationale_row(const Rationale& record) {
  Json row = Json::Object{{"id", record.id}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) row[name] = text;
  };
  add("question", record.question);
  add("premise", record.premise);
  add("hypothesis", record.hypothesis);
  if (!record.choices.empty()) {
    row["choices"] = Json::Array(record.choices.begin(), record.choices.end());
  }
  add("label", record.label);
  add("gold", record.gold);
  add("rationale", record.rationale);
  add("baseline", record.baseline);
  return row;
}

Rationale rationale_of(const Json& row, int64_t number, const std::string& line,
                       Baselines baselines) {
  std::string id = optional_name(row, "id", line);
  if (id.empty()) id = std::to_string(number);
  const std::string where = line + ": " + id;
  Rationale record = record_of(row, where);
  record.id = std::move(id);
  if (const std::string problem = rationale_problem(record); !problem.empty()) {
    const bool is_of_another_kind = is_blank_text(record.label) && is_blank_text(record.rationale);
    throw InputError(problem, where,
                     is_of_another_kind ? "rows of rationales have a question, or a premise and a "
                                          "hypothesis, and a label and a rationale"
                                        : "correct the row, or leave it out");
  }
  if (baselines == Baselines::required && is_blank_text(record.baseline)) {
    throw InputError("the baseline rationale is missing or empty", where,
                     "make it with `rubric derive vacuous-rationales`");
  }
  return record;
}

RationaleRows read_rationales(const std::filesystem::path& file) {
  RationaleRows whole;
  std::unordered_set<std::string> ids;
  visit_rows(file, InputFormat::kJsonl, [&](Json row, const std::string& line) {
    Rationale record = rationale_of(row, std::ssize(whole.rows) + 1, line);
    const std::string where = line + ": " + record.id;
    if (!ids.insert(record.id).second) {
      throw InputError("the id is there twice", where, "give each row an id of its own");
    }
    whole.records.push_back(std::move(record));
    whole.rows.push_back(std::move(row));
    whole.places.push_back(where);
    return true;
  });
  if (whole.rows.empty()) throw no_rows(file);
  return whole;
}

RationaleSample draw_rationales(std::span<const Rationale> records, double share, uint64_t seed) {
  constexpr double kRounding = 1e-9;  // 0.29 of 100 is 29, although the product is slightly less
  const auto count =
      static_cast<size_t>(std::floor(share * static_cast<double>(records.size()) + kRounding));
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < records.size(); ++i) {
    order.emplace_back(random_bits(seed, Purpose::split, sha256_bits(records[i].id)), i);
  }
  std::ranges::sort(order);
  std::vector<char> is_drawn(records.size(), 0);
  for (size_t i = 0; i < count; ++i) is_drawn[order[i].second] = 1;
  RationaleSample sample;
  for (size_t i = 0; i < records.size(); ++i) {
    (is_drawn[i] != 0 ? sample.drawn : sample.rest).push_back(records[i]);
  }
  return sample;
}

}  // namespace rubric::data
