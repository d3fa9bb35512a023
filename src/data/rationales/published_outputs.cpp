#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rationales/rationale_rows.h"
#include "data/rationales/task_outputs.h"
#include "data/rows/rows.h"

namespace rubric::data {

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
