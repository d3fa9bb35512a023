// Prints a configuration struct as a YAML file, and as the block of docs/configuration.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/fields.h"

namespace rubric::config {

// The fields as YAML, each below its comment. read_config returns the same values, bit for bit:
// doubles have the shortest form that round-trips, strings are quoted where YAML needs it, and `${`
// is escaped as `$${`. With `shows_allowed` a comment ends with the choices or the range of its
// field. Throws Error when a number is not finite.
std::string print_fields(const std::vector<Field>& fields, bool shows_allowed = false);

// Takes a copy because visit_fields, which readers use too, is not const.
template <class Config>
std::string print_config(Config config, bool shows_allowed = false) {
  return print_fields(fields_of(config), shows_allowed);
}

// The value of each field by its dotted key, as it is printed; "" where there is none.
using FieldValues = std::vector<std::pair<std::string, std::string>>;
FieldValues values_of_fields(const std::vector<Field>& fields);

template <class Config>
FieldValues config_values(Config config) {
  return values_of_fields(fields_of(config));
}

// The same without comments, for hashes that name the values alone.
std::string without_comments(const std::string& printed);

// A string, or a list in brackets, as print_fields writes it.
std::string yaml_text(const std::string& value);
std::string yaml_text(const std::vector<std::string>& values);

}  // namespace rubric::config
