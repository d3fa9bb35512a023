// The one rule for names in rows: of systems, groups, data sets, annotators, and ids. White space
// at both ends belongs to no name, so that "gpt4 " and "gpt4" are one system. Names that differ in
// case alone, or in Unicode's normalisation form, stay apart, and a warning names both.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"

namespace rubric::data {

// The name without white space at both ends.
std::string_view plain_name(std::string_view name);

// A value of a field that names something, 1.0 as 1, as plain_name(); "" where it is missing.
std::string name_of(const Json* value);

// The names in one field of a file.
//
//   NamesInField systems("system");
//   row.system = systems.add(text, where);
//   …
//   systems.warn();  // "1 row has blanks at an end of the field "system", which are left out: …"
class NamesInField {
 public:
  // `are_ids`: names that differ in case may well be of two records.
  explicit NamesInField(std::string field, bool are_ids = false)
      : field_(std::move(field)), are_ids_(are_ids) {}

  // The name as plain_name().
  std::string add(std::string_view name, const std::string& where);

  // One warning about blanks, and one about names that differ in case or form alone.
  void warn() const;

 private:
  std::string field_;
  bool are_ids_;
  std::vector<std::string> with_blanks_;              // names and places
  std::map<std::string, int64_t, std::less<>> rows_;  // by name
};

}  // namespace rubric::data
