#include "data/rows/names.h"

#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "data/rows/rows.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

std::string_view plain_name(std::string_view name) {
  return text::strip(name);
}

std::string name_of(const Json* value) {
  if (is_missing(value)) return "";
  if (value->is_string()) return std::string(plain_name(value->string()));
  std::string text = value->dump();
  if (value->is_number() && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string NamesInField::add(std::string_view name, const std::string& where) {
  const std::string_view plain = plain_name(name);
  if (plain.size() < name.size()) {
    std::string told = json_quote(std::string(name)) + " (" + where + ")";
    const bool is_read_twice = !with_blanks_.empty() && with_blanks_.back() == told;  // a pair
    if (!is_read_twice) with_blanks_.push_back(std::move(told));
  }
  if (!are_ids_) {
    const auto found = rows_.find(plain);
    if (found == rows_.end()) {
      rows_.emplace(plain, 1);
    } else {
      ++found->second;
    }
  }
  return std::string(plain);
}

void NamesInField::warn() const {
  const std::string field = "the field " + json_quote(field_);
  if (!with_blanks_.empty()) {
    log_warning(counted(std::ssize(with_blanks_), "row has", "rows have") +
                " blanks at an end of " + field +
                ", which are left out: " + join_some(with_blanks_));
  }
  std::map<std::string, std::vector<std::string>> alike;
  for (const auto& [name, rows] : rows_) {
    alike[text::lower_case(text::normal_form(name, text::NormalForm::kc))].push_back(
        json_quote(name) + " (" + counted(rows, "row") + ")");
  }
  std::vector<std::string> told;
  for (const auto& [folded, names] : alike) {
    if (names.size() > 1) told.push_back(join(names, " and "));
  }
  if (told.empty()) return;
  log_warning("names in " + field + " differ in case or in the form of Unicode alone: " +
              join_some(told, "; ") + ". Each counts by itself: write them alike if they are one");
}

}  // namespace rubric::data
