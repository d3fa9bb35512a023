#include "data/rationales/task_outputs.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rationales/rationale_rows.h"
#include "data/rows/rows.h"
#include "data/vacuous_rationales/vacuous_rationales.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

namespace {

constexpr const char* kAnswer = "[answer]";
constexpr const char* kRationale = "[rationale]";

// Splits a text into parts, without the mark that published outputs have before the first.
std::vector<MarkedPart> parts_of(OutputKind kind, std::string_view text) {
  std::vector<MarkedPart> parts = split_at_marks(text);
  const char* const first = kind == OutputKind::x_yr ? kAnswer : kRationale;
  if (parts.size() > 1 && parts[0].text.empty() && parts[1].mark == first) {
    parts.erase(parts.begin());
    parts.front().mark.clear();
  }
  return parts;
}

std::string normalized(std::string_view text) {
  std::istringstream words(text::lower_case(text));
  std::string all;
  for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
  return all;
}

// Whether the field belongs to a pair of label and rationale, not to the question.
bool belongs_to_pair(const std::string& field, OutputKind kind) {
  if (field == "baseline" || field == "baseline_by") return kind != OutputKind::vacuous;
  for (const std::string name : {"label", "rationale", "generated", "sim_x", "sim_r", "sim_xr"}) {
    if (field == name || field == name + "_likelihoods") return true;
  }
  return false;
}

Json without_pair(const Json& row, OutputKind kind) {
  Json::Object kept;
  for (const auto& [name, value] : row.object()) {
    if (belongs_to_pair(name, kind)) continue;
    if (name != "scores" || !value.is_object()) {
      kept.emplace_back(name, value);
    } else if (Json scores = other_scores(value, {"rev", "rev_with", "rev_without"});
               !scores.object().empty()) {
      kept.emplace_back(name, std::move(scores));
    }
  }
  return kept;
}

// The vacuous rationale supports the row's label, which must be the gold label.
void require_gold_label(const Json& row, const std::string& gold, const std::string& where) {
  const std::string label = optional_text(row, "label", where);
  if (label.empty() || label == gold) return;
  throw InputError("the baseline belongs to the label " + json_quote(label) +
                       ", not to the gold label " + json_quote(gold),
                   where, "start from pairs of gold labels, and derive their baselines");
}

TaskOutput output_of(const Json& row, OutputKind kind, const std::string& field,
                     const std::string& where) {
  if (kind == OutputKind::vacuous) {
    TaskOutput output;
    output.rationale =
        required_text(row, "baseline", where, "make it with `rubric derive vacuous-rationales`");
    return output;
  }
  if (row.find(field) == nullptr) {
    throw InputError("the field " + json_quote(field) + " is missing", where,
                     "let a task model write it: rubric generate; or name another with --text");
  }
  return parse_task_output(kind, row.require_string(field, where));
}

struct OwnRow {
  Json row;
  std::string problem;  // why it cannot be used, as far as known; "": it can
};

// Converts a row to our form, and gives a published row its id.
OwnRow own_row(Json row, OutputKind kind, int64_t number, const std::optional<InputIds>& ids,
               const std::string& line) {
  if (!is_published_output(row)) {
    if (!ids) return {std::move(row), ""};
    throw InputError("--ids is only valid with published outputs, which have no ids", line,
                     "leave it out");
  }
  std::string id = optional_name(row, "id", line);
  if (id.empty()) id = std::to_string(number);
  OwnRow own = {published_output_row(row, id, kind, line + ": " + id), ""};
  if (!ids) return own;
  id = input_id(*ids, own.row, line);
  if (id.empty()) return {std::move(own.row), "no row of --ids asks this, with these choices"};
  own.row["id"] = id;
  return own;
}

// Adds the row's pair, or the reason why it has none.
void add_pair(TaskOutputs& all, OwnRow own, int64_t number, const std::string& line,
              OutputKind kind, const std::string& field) {
  Json row = std::move(own.row);
  std::string id = optional_name(row, "id", line);
  if (id.empty()) id = std::to_string(number);
  const std::string where = line + ": " + id;
  const std::string gold = required_text(row, "gold", where, "give the true label");
  if (kind == OutputKind::vacuous) require_gold_label(row, gold, where);
  TaskOutput output = output_of(row, kind, field, where);
  if (!own.problem.empty()) output.problem = own.problem;
  row = without_pair(row, kind);
  row["label"] = gold;
  // A placeholder if there is no rationale, so that the rest of the row is checked.
  row["rationale"] = output.problem.empty() ? output.rationale : gold;
  Rationale record = rationale_of(row, number, line);  // also checks the rest of the row
  if (kind == OutputKind::x_yr && record.choices.empty()) {
    throw InputError("there are no choices", where, "list them as \"choices\"");
  }
  if (kind == OutputKind::x_yr && output.problem.empty()) {
    record.label = choice_meant(output.label, record.choices);
    row["label"] = record.label;
    if (record.label.empty()) output.problem = "the label is not among the choices";
  }
  if (!output.problem.empty()) {
    all.set.unusable.push_back({std::move(record), line, std::move(output.problem)});
    return;
  }
  if (output.is_truncated) all.truncated.push_back(id);
  if (kind == OutputKind::x_ry) {
    std::erase_if(row.object(), [](const auto& member) { return member.first == "label"; });
  }
  all.set.records.push_back(std::move(record));
  all.rows.push_back(std::move(row));
}

}  // namespace

TaskOutput parse_task_output(OutputKind kind, std::string_view text) {
  const std::vector<MarkedPart> parts = parts_of(kind, text);
  TaskOutput output;
  size_t place = 0;  // of the rationale
  if (kind == OutputKind::x_yr) {
    if (parts.size() < 2 || parts[1].mark != kRationale) {
      output.problem = std::string("no ") + kRationale + " follows the label";
      return output;
    }
    output.label = parts[0].text;
    place = 1;
  }
  output.rationale = parts[place].text;
  output.is_truncated = place + 1 < parts.size();
  if (kind == OutputKind::x_ry) {
    if (std::ranges::find(parts, kAnswer, &MarkedPart::mark) == parts.end()) {
      output.problem = std::string("there is no ") + kAnswer;
    }
    output.is_truncated = parts.size() > 1 && parts[1].mark != kAnswer;
  }
  if (output.problem.empty() && output.rationale.empty()) {
    output.problem = "the rationale is empty";
  }
  return output;
}

std::string choice_meant(std::string_view label, const std::vector<std::string>& choices) {
  for (const std::string& choice : choices) {
    if (trim(choice) == trim(label)) return choice;
  }
  const std::string wanted = normalized(label);
  const auto found = std::ranges::find_if(
      choices, [&](const std::string& choice) { return normalized(choice) == wanted; });
  return found == choices.end() ? "" : *found;
}

TaskOutputs read_task_outputs(const std::filesystem::path& file, OutputKind kind,
                              const std::string& field, const std::optional<InputIds>& wanted) {
  TaskOutputs all;
  std::unordered_set<std::string> ids;
  int64_t number = 0;
  visit_rows(file, InputFormat::kJsonl, [&](Json row, const std::string& line) {
    OwnRow own = own_row(std::move(row), kind, ++number, wanted, line);
    const std::string id = optional_name(own.row, "id", line);
    // A row with a problem does not occupy its id.
    if (own.problem.empty() && !id.empty() && !ids.insert(id).second) {
      throw InputError("the id is there twice", line + ": " + id, "give each row an id of its own");
    }
    add_pair(all, std::move(own), number, line, kind, field);
    return true;
  });
  if (number == 0) throw no_rows(file);
  return all;
}

namespace {

// The text of the last part with this mark; "" if there is none.
std::string part_of(const std::vector<MarkedPart>& parts, const std::string& mark) {
  std::string text;
  for (const MarkedPart& part : parts) {
    if (part.mark == mark) text = part.text;
  }
  return text;
}

// The gold label: in the input for XY*->R, else in the gold output.
std::string gold_label(const std::vector<MarkedPart>& input, const std::string& gold,
                       OutputKind kind) {
  if (kind == OutputKind::xy_r) return part_of(input, "[answer]");
  if (kind == OutputKind::x_yr) return parse_task_output(kind, gold).label;
  return part_of(split_at_marks(gold), "[answer]");
}

constexpr std::array<std::string_view, 6> kMarks = {"[question]",   "[choice]", "[premise]",
                                                    "[hypothesis]", "[answer]", "[rationale]"};

// The mark at the start of the text; "" if there is none.
std::string_view mark_at(std::string_view text) {
  const auto found =
      std::ranges::find_if(kMarks, [&](std::string_view mark) { return text.starts_with(mark); });
  return found == kMarks.end() ? std::string_view() : *found;
}

std::vector<std::string> asked_by(const Json& row, const std::string& where) {
  std::vector<std::string> asked;
  for (const char* const field : {"question", "premise", "hypothesis"}) {
    asked.emplace_back(trim(optional_text(row, field, where)));
  }
  if (asked.front().empty()) return asked;
  for (const Json& choice : row.require_array("choices", where)) {
    asked.emplace_back(trim(choice.string()));
  }
  return asked;
}

}  // namespace

bool is_published_output(const Json& row) {
  return row.find("input") != nullptr && row.find("predictions") != nullptr &&
         row.find("choices") == nullptr;
}

Json published_output_row(const Json& row, const std::string& id, OutputKind kind,
                          const std::string& where) {
  const Json::Array& predictions = row.require_array("predictions", where);
  if (predictions.empty() || !predictions.front().is_string()) {
    throw InputError("there is no prediction", where, "give a list of texts");
  }
  const std::vector<MarkedPart> input = split_at_marks(row.require_string("input", where));
  Json ours = Json::Object{{"id", id}};
  Json::Array choices;
  for (const auto& [mark, text] : input) {
    if (mark == "[choice]") choices.emplace_back(text);
    for (const std::string name : {"question", "premise", "hypothesis"}) {
      if (mark == "[" + name + "]") ours[name] = text;
    }
  }
  if (ours.find("question") == nullptr) choices = {"entailment", "neutral", "contradiction"};
  ours["choices"] = std::move(choices);
  ours["gold"] = gold_label(input, row.require_string("gold", where), kind);
  ours["generated"] = predictions.front();
  return ours;
}

std::vector<MarkedPart> split_at_marks(std::string_view text) {
  text = text.substr(0, text.find("<eos>"));
  std::vector<MarkedPart> parts = {{}};
  for (size_t i = 0; i < text.size();) {
    const std::string_view mark = mark_at(text.substr(i));
    if (mark.empty()) {
      parts.back().text += text[i++];
    } else {
      parts.push_back({std::string(mark), ""});
      i += mark.size();
    }
  }
  for (MarkedPart& part : parts) part.text = trim(part.text);
  return parts;
}

InputIds read_input_ids(const std::filesystem::path& file) {
  const RationaleRows whole = read_rationales(file);
  InputIds ids;
  for (size_t i = 0; i < whole.rows.size(); ++i) {
    ids[asked_by(whole.rows[i], whole.places[i])].push_back(whole.records[i].id);
  }
  return ids;
}

std::string input_id(const InputIds& ids, const Json& row, const std::string& where) {
  const auto found = ids.find(asked_by(row, where));
  if (found == ids.end()) return "";
  if (found->second.size() == 1) return found->second.front();
  throw InputError(
      std::to_string(found->second.size()) + " rows of --ids ask this: " + join_some(found->second),
      where, "leave all but one of them out");
}

}  // namespace rubric::data
