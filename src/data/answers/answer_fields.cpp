#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/rows/list_cell.h"

namespace rubric::data {
namespace {

struct Synonyms {
  std::string_view ours;
  std::vector<std::string_view> theirs;
};

// As Hugging Face's data sets, lm-evaluation-harness (--log_samples), RAG tools and SQuAD's rows
// call them.
const std::vector<Synonyms>& all_synonyms() {
  static const std::vector<Synonyms> kAll = {
      {"candidate",
       {"prediction", "predictions", "predicted", "pred", "prediction_text", "response",
        "hypothesis", "filtered_resps.0"}},
      {"reference",
       {"references", "target", "gold", "golden_answers", "gold_answers", "ground_truth", "answers",
        "answers.text"}},
      {"passage", {"context", "article", "doc.context", "doc.passage"}},
      {"question", {"doc.question"}},
  };
  return kAll;
}

bool is_list_of_strings(const Json& value) {
  return value.is_array() && (value.array().empty() || value.array().front().is_string());
}

// The row's own spelling of the name, if it has a field of it that can hold what is ours.
std::optional<std::string> spelled(const Json& row, std::string_view ours, std::string_view name) {
  const auto holds_text = [&](const Json& value) {
    return value.is_string() || value.is_null() ||
           (ours == "reference" && is_list_of_strings(value));
  };
  for (const auto& [member, value] : row.object()) {
    if (ascii_lower(member) == name && holds_text(value)) return member;
  }
  const std::string path(name);
  const Json* const nested = name.find('.') == name.npos ? nullptr : find_field(row, path);
  return nested != nullptr && holds_text(*nested) ? std::optional(path) : std::nullopt;
}

// What the row calls our field; nullopt when the row has no usual name for it.
std::optional<std::string> synonym_in(const Json& row, const Synonyms& synonyms,
                                      const std::string& where) {
  std::vector<std::string> found;
  for (const std::string_view name : synonyms.theirs) {
    if (auto member = spelled(row, synonyms.ours, name)) found.push_back(*std::move(member));
  }
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    const std::string ours(synonyms.ours);
    throw InputError("the " + ours + " may be any of the fields " + join(found), where,
                     "name it: --field " + ours + "=" + found.front());
  }
  return found.front();
}

void add_answer(const Json& row, const Json* candidate, const Json* reference, FieldNames& added) {
  if ((candidate == nullptr) == (reference == nullptr)) return;
  const std::string ours = candidate == nullptr ? "candidate" : "reference";
  if (const auto member = spelled(row, ours, "answer")) added[ours] = *member;
}

// Adds the fields of a sample's answer to it.
void add_answer_of_sample(Json& row, int64_t number, const std::string& where) {
  const Json fields = answer_row(lm_eval_answer(row, number, where));
  for (const auto& [name, value] : fields.object()) {
    if (row.find(name) == nullptr) row[name] = value;
  }
}

}  // namespace

bool is_text_field(const std::string& name) {
  const std::string lower = ascii_lower(name);
  if (lower == "answer" || lower == "candidate1" || lower == "candidate2") return true;
  return std::ranges::any_of(all_synonyms(), [&](const Synonyms& synonyms) {
    return lower == synonyms.ours || std::ranges::count(synonyms.theirs, lower) > 0;
  });
}

FieldNames complete_names(const Json& row, FieldNames names, const std::string& where) {
  FieldNames added;
  const bool is_pair = is_row_pair(row, names);
  for (const Synonyms& synonyms : all_synonyms()) {
    const std::string ours(synonyms.ours);
    if (names.contains(ours) || row.find(ours) != nullptr) continue;
    if (is_pair && ours == "candidate") continue;
    if (const auto member = spelled(row, ours, ours)) {
      added[ours] = *member;
      continue;
    }
    if (const auto theirs = synonym_in(row, synonyms, where)) added[ours] = *theirs;
  }
  const auto field = [&](const std::string& ours) {
    return find_field(row, field_name(added.contains(ours) ? added : names, ours));
  };
  if (!is_pair) add_answer(row, field("candidate"), field("reference"), added);
  std::vector<std::string> told;
  for (const auto& [ours, theirs] : added) told.push_back(ours + " is " + json_quote(theirs));
  if (!told.empty()) log_info("fields: " + join(told));
  names.merge(added);
  return names;
}

void read_reference_list(Json& row, const std::string& reference, const std::string& where) {
  const Json* const cell = row.find(reference);
  if (cell == nullptr) return;
  if (const auto items = parse_list_cell(cell->string(), where)) {
    row[reference] = Json::Array(items->begin(), items->end());
  }
}

void visit_answer_rows(const std::filesystem::path& file, InputFormat format,
                       const FieldNames& names, const AnswerRowVisitor& visit) {
  std::optional<FieldNames> completed;
  bool are_samples = false;
  int64_t number = 0;
  visit_rows(
      file, format,
      [&](Json row, const std::string& where) {
        for (const auto& [ours, theirs] : names) {
          if (ours != "candidate" || !is_row_pair(row, names))
            require_field(row, names, ours, where);
        }
        ++number;
        if (!completed) are_samples = names.empty() && is_lm_eval_sample(row);
        if (are_samples) add_answer_of_sample(row, number, where);
        if (!completed) completed = are_samples ? names : complete_names(row, names, where);
        if (is_table(format)) read_reference_list(row, field_name(*completed, "reference"), where);
        return visit(std::move(row), *completed, where);
      },
      [&](const std::string& column) {
        return is_text_field(column) || std::ranges::any_of(names, [&](const auto& name) {
                 return name.second == column && is_text_field(name.first);
               });
      });
  if (are_samples) log_info("the rows are samples of lm-evaluation-harness");
}

}  // namespace rubric::data
