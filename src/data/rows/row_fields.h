// The fields of a row by our names, whatever the file calls them.
#pragma once

#include <string>

#include "core/json/json.h"
#include "data/rows/rows.h"

namespace rubric {

// What the file calls our field.
std::string field_name(const FieldNames& names, const std::string& ours);

// Throws InputError, naming the row's own fields, when the row lacks our field.
void require_field(const Json& row, const FieldNames& names, const std::string& ours,
                   const std::string& where);

// The file's field `name` as text, a number by its digits; "" where there is none. Throws
// InputError.
std::string optional_text(const Json& row, const std::string& name, const std::string& where);

// The field's text, which holds more than white space. Throws InputError.
std::string required_text(const Json& row, const std::string& field, const std::string& where,
                          const std::string& what_to_do);

// The same without the blanks around it.
std::string trimmed_text(const Json& row, const std::string& field, const std::string& where);

}  // namespace rubric
