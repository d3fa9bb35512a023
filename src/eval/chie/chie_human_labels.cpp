#include "eval/chie/assessments.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/text/ascii.h"
#include "data/rows/row_fields.h"
#include "data/rows/rows_part.h"

namespace rubric {
namespace {

bool verdict_of(const Json& row, const char* aspect, const std::string& where) {
  const Json& value = row.require(aspect, where);
  if (value.is_bool()) return value.boolean();
  const std::string given = optional_text(row, aspect, where);
  const std::string text = ascii_lower(trim(given));
  const std::vector<std::string> yes = {"1", "1.0", "true", "agree"},
                                 no = {"0", "0.0", "false", "disagree"};
  if (std::ranges::count(yes, text) > 0) return true;
  if (std::ranges::count(no, text) > 0) return false;
  throw InputError("the field " + json_quote(aspect) + " is " + json_quote(given), where,
                   "write 1, true or agree, or else 0, false or disagree");
}

}  // namespace

std::vector<HumanLabel> read_human_labels(const std::filesystem::path& file) {
  const InputFormat format = input_format("", file, "a name in .jsonl, .csv or .tsv");
  if (!has_rows(format)) {
    throw InputError("human labels are read as rows", file.string(),
                     "write JSON lines (.jsonl) or a table (.csv, .tsv)");
  }
  std::vector<HumanLabel> labels;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, size_t> places;
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    const auto text = [&](const char* field) {
      return required_text(row, field, where, "say of which answer, and whose, the verdicts are");
    };
    HumanLabel label{
        text("system"), optional_text(row, "language", where), text("id"), text("annotator"), {},
        where};
    for (size_t i = 0; i < kAspects.size(); ++i) {
      label.verdicts[i] = verdict_of(row, kAspects[i], where);
    }
    const auto [first, is_new] = places.try_emplace(
        {label.system, label.language, label.id, label.annotator}, labels.size());
    if (!is_new) throw labelled_twice(labels[first->second], label);
    labels.push_back(std::move(label));
    return true;
  });
  if (labels.empty()) throw InputError("the file has no rows", file.string());
  return labels;
}

InputError labelled_twice(const HumanLabel& first, const HumanLabel& second) {
  return InputError("the annotator " + json_quote(first.annotator) + " labels id " +
                        json_quote(first.id) + " of " + first.system + " twice",
                    first.where + " and " + second.where, "take one of the rows out");
}

}  // namespace rubric
