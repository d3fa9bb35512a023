#include "data/rationales/published_output.h"

#include "core/error.h"
#include "data/rationales/marked_text.h"

namespace rubric {
namespace {

// The text of the last part with this mark; "" where there is none.
std::string part_of(const std::vector<MarkedPart>& parts, const std::string& mark) {
  std::string text;
  for (const MarkedPart& part : parts) {
    if (part.mark == mark) text = part.text;
  }
  return text;
}

// Of XY*->R it stands in the input, else in what should have been written.
std::string gold_label(const std::vector<MarkedPart>& input, const std::string& gold,
                       OutputKind kind) {
  if (kind == OutputKind::xy_r) return part_of(input, "[answer]");
  if (kind == OutputKind::x_yr) return parse_task_output(kind, gold).label;
  return part_of(split_at_marks(gold), "[answer]");
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

}  // namespace rubric
