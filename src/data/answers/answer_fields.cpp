#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/answers/reference_separator.h"
#include "data/answers/usual_names.h"
#include "data/rows/list_cell.h"

namespace rubric::data {
namespace {

// The fields of a sample's answer, added to it.
void add_answer_of_sample(Json& row, int64_t number, const std::string& where) {
  const Json fields = answer_row(lm_eval_answer(row, number, where));
  for (const auto& [name, value] : fields.object()) {
    if (row.find(name) == nullptr) row[name] = value;
  }
}

// How many rows tell what the fields are.
constexpr int64_t kFirstRows = 100;

// Reads the first rows, which tell the names of the fields, and then one after another.
class AnswerRowReader {
 public:
  AnswerRowReader(InputFormat format, FieldNames names, const AnswerOptions& options,
                  const AnswerRowVisitor& visit)
      : format_(format), names_(std::move(names)), options_(options), visit_(visit) {}

  // False: no more rows are to be read.
  bool add(Json row, const std::string& where) {
    if (is_begun_) return read(std::move(row), where);
    rows_.push_back(std::move(row));
    places_.push_back(where);
    return std::ssize(rows_) < kFirstRows || begin();
  }

  // Reads the first rows, if there are any; at the end of the file.
  bool begin() {
    if (is_begun_ || rows_.empty()) return true;
    is_begun_ = true;
    are_samples_ = names_.empty() && is_lm_eval_sample(rows_.front());
    all_names_ = are_samples_ ? names_
                              : complete_names(rows_, names_, places_.front(),
                                               options_.label != AnswerOptions::Label::ignored);
    std::vector<Json> rows = std::move(rows_);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!read(std::move(rows[i]), places_[i])) return false;
    }
    return true;
  }

  void tell() const {
    if (are_samples_) log_info("the rows are samples of lm-evaluation-harness");
    separators_.warn();
  }

 private:
  bool read(Json row, const std::string& where) {
    for (const auto& [ours, theirs] : names_) {
      const bool may_be_missing = ours == "reference" || ours == "candidate";
      if (!may_be_missing) require_field(row, names_, ours, where);
    }
    ++number_;
    if (are_samples_) add_answer_of_sample(row, number_, where);
    if (!is_row_pair(row, all_names_)) require_texts(row, where);
    read_references(row, where);
    return visit_(std::move(row), all_names_, where);
  }

  // Splits the reference, or counts what may separate several.
  void read_references(Json& row, const std::string& where) {
    const std::string name = field_name(all_names_, "reference");
    if (is_table(format_)) read_reference_list(row, name, where);
    const FieldValue value = find_field(row, name);
    if (value == nullptr) return;
    const std::string& separator = options_.reference_separator;
    const bool is_text = value->is_string();
    if (separator.empty() && is_text) return separators_.note(std::span(&value->string(), 1));
    std::vector<std::string> texts;
    if (is_text) texts.push_back(value->string());
    for (const Json& item : value->is_array() ? value->array() : Json::Array()) {
      if (item.is_string()) texts.push_back(item.string());
    }
    if (separator.empty()) return separators_.note(texts);
    const std::vector<std::string> parts = split_references(texts, separator);
    if (parts.size() == texts.size()) return;
    if (row.find(name) == nullptr) {
      throw InputError("the references of " + json_quote(name) + " cannot be split", where,
                       "leave --reference-separator out, or give the texts in a field of the row");
    }
    row[name] = Json::Array(parts.begin(), parts.end());
  }

  // Throws InputError for a row without candidate or reference if no earlier row has one, or if it
  // has a field that the earlier ones have not: the value may be there, under another name. Else it
  // is missing.
  void require_texts(const Json& row, const std::string& where) {
    bool has_both = true;
    for (const char* const ours : {"reference", "candidate"}) {
      if (find_field(row, field_name(all_names_, ours)) != nullptr) {
        found_.insert(ours);
        continue;
      }
      has_both = false;
      const bool has_others = std::ranges::any_of(
          row.object(), [&](const auto& member) { return !known_.contains(member.first); });
      if (has_others || !found_.contains(ours)) require_field(row, all_names_, ours, where);
    }
    if (!has_both || number_ > kFirstRows) return;
    for (const auto& member : row.object()) known_.insert(member.first);
  }

  InputFormat format_;
  FieldNames names_, all_names_;  // given, and all
  const AnswerOptions& options_;
  const AnswerRowVisitor& visit_;
  SeparatorCounts separators_;
  std::vector<Json> rows_;  // the first, until they are read
  std::vector<std::string> places_;
  bool is_begun_ = false, are_samples_ = false;
  int64_t number_ = 0;
  std::set<std::string> known_, found_;  // known_: fields of early rows
};

}  // namespace

void read_reference_list(Json& row, const std::string& reference, const std::string& where) {
  const Json* const cell = row.find(reference);
  if (cell == nullptr) return;
  if (const auto items = parse_list_cell(cell->string(), where)) {
    row[reference] = Json::Array(items->begin(), items->end());
  }
}

void visit_answer_rows(const std::filesystem::path& file, InputFormat format,
                       const FieldNames& names, const AnswerOptions& options,
                       const AnswerRowVisitor& visit) {
  AnswerRowReader reader(format, names, options, visit);
  try {
    visit_rows(
        file, format,
        [&](Json row, const std::string& where) { return reader.add(std::move(row), where); },
        text_columns(names));
  } catch (const InputError&) {
    if (reader.begin()) throw;  // the rows before the problem come first, and may be enough
  }
  reader.begin();
  reader.tell();
}

}  // namespace rubric::data
