#include "data/rows/missing_values.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "core/field_text.h"
#include "core/system/log.h"
#include "core/text/ascii.h"

namespace rubric::data {
namespace {

// By MissingValues::Field.
constexpr const char* kFieldNames[] = {"candidate", "reference", "label"};
constexpr const char* kOurNames[] = {"candidate", "reference", "score"};

constexpr const char* kDrop = "or leave such rows out: --missing drop";

std::string advice(MissingValues::Field field) {
  if (field == MissingValues::kLabel) return std::string("fill it in, ") + kDrop;
  const bool is_candidate = field == MissingValues::kCandidate;
  return std::string("fill it in, or read it as \"\", ") +
         (is_candidate ? "an empty answer" : "no answer") + ": --missing empty; " + kDrop;
}

// "2 without a candidate (rows.csv:3, rows.csv:7), 1 without a label (rows.csv:9)"
std::string counts(const std::array<std::vector<std::string>, 3>& places) {
  std::vector<std::string> parts;
  for (size_t field = 0; field < places.size(); ++field) {
    if (places[field].empty()) continue;
    parts.push_back(std::to_string(places[field].size()) + " without a " + kFieldNames[field] +
                    own_field(kOurNames[field]) + " (" + join_some(places[field]) + ")");
  }
  return join(parts);
}

int64_t total(const std::array<std::vector<std::string>, 3>& places) {
  int64_t sum = 0;
  for (const std::vector<std::string>& of_field : places) sum += std::ssize(of_field);
  return sum;
}

}  // namespace

const std::vector<std::string>& missing_names() {
  static const std::vector<std::string> kNames = {"empty", "drop", "error"};
  return kNames;
}

std::string missing_name(Missing rule) {
  return rule == Missing::automatic ? "auto" : missing_names()[static_cast<size_t>(rule) - 1];
}

Missing missing_named(const std::string& name, const std::string& where) {
  if (name.empty()) return Missing::automatic;
  const std::vector<std::string>& names = missing_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw InputError("there is no rule " + json_quote(name) + " for missing values", where,
                     "choose " + join(names, " or "));
  }
  constexpr Missing kRules[] = {Missing::empty, Missing::drop, Missing::error};
  return kRules[found - names.begin()];
}

bool MissingValues::lacks(const Json* value) const {
  if (value == nullptr || value->is_null()) return true;
  if (value->is_array()) {
    const auto is_null = [](const Json& item) { return item.is_null(); };
    return !value->array().empty() && std::ranges::all_of(value->array(), is_null);
  }
  return is_table_ && value->is_string() && trim(value->string()).empty();
}

bool MissingValues::keeps(Field field, const std::string& name, const std::string& where,
                          const Json* value) {
  if (rule_ == Missing::drop) {
    dropped_[field].push_back(where);
    return false;
  }
  const bool can_be_empty = field == kCandidate ? rule_ != Missing::error
                                                : field == kReference && rule_ == Missing::empty;
  if (can_be_empty) {
    empty_[field].push_back(where);
    return true;
  }
  const std::string ours = kFieldNames[field];
  if (field == kLabel && value != nullptr && value->is_string() && !trim(value->string()).empty()) {
    const std::string word = json_quote(value->string());
    throw InputError("the row has no label: the field " + json_quote(name) + " is " + word, where,
                     advice(field) + "; where " + word +
                         " is a label of its own, write all labels as numbers, such as 0, 0.5, 1");
  }
  throw InputError("the row has no " + ours +
                       (name == ours ? ""
                                     : ": the field " + json_quote(name) + " is empty" +
                                           (field == kLabel ? " or NA" : "")),
                   where, advice(field));
}

void MissingValues::require_candidates(int64_t rows, const std::string& file,
                                       const std::string& advice) const {
  const auto missing = std::ssize(empty_[kCandidate]);
  if (rule_ != Missing::automatic || missing == 0 || missing < rows) return;
  throw InputError("no row has a candidate" + own_field("candidate") + ": its field is empty in " +
                       counted(rows, "row"),
                   file, advice + ", or read them as empty answers: --missing empty");
}

void MissingValues::add_non_text(const std::string& name, const Json& value, bool is_read,
                                 const std::string& where) {
  std::vector<std::string>& places =
      non_texts_["the field " + json_quote(name) + " is " + value.kind() + " and not a text, " +
                 (is_read ? "and is read as its JSON" : "and is not read")];
  if (places.empty() || places.back() != where) places.push_back(where);  // a pair is read twice
}

std::string MissingValues::add_name(const std::string& name, std::string_view text, bool is_id,
                                    const std::string& where) {
  return names_.try_emplace(name, name, is_id).first->second.add(text, where);
}

void MissingValues::require_texts() const {
  if (non_texts_.empty()) return;
  const auto& [problem, places] = *non_texts_.begin();
  throw InputError(problem, places.front(), "write it as a text, or leave it out");
}

std::string MissingValues::signature() const {
  if (total(dropped_) > 0) return "|missing:drop";
  return empty_[kReference].empty() ? "" : "|missing:empty";
}

void MissingValues::warn(bool of_empty) const {
  const int64_t dropped = total(dropped_), empty = of_empty ? total(empty_) : 0;
  if (dropped > 0) {
    log_warning(counted(dropped, "row is", "rows are") + " left out: " + counts(dropped_));
  }
  for (const auto& [field, names] : names_) names.warn();
  for (const auto& [problem, rows] : non_texts_) {
    log_warning(problem + ": in " + counted(std::ssize(rows), "row") + " (" + join_some(rows) +
                ")");
  }
  if (empty > 0) {
    log_warning(counted(empty, "row is", "rows are") +
                " read with an empty text: " + counts(empty_));
  }
}

}  // namespace rubric::data
