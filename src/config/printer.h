// Prints a configuration struct as a YAML file, and as the block of docs/configuration.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace rubric::config {

// The fields that `visit` lists as YAML, each below its comment. read_config returns the same
// values, bit for bit: doubles have the shortest form that round-trips, strings are quoted where
// YAML needs it, and `${` is escaped as `$${`. With `shows_allowed` a comment ends with the choices
// or the range of its field. Throws Error when a number is not finite.
std::string print_fields(const std::function<void(FieldVisitor&)>& visit,
                         bool shows_allowed = false);

// Takes a copy because visit_fields, which readers use too, is not const.
template <class Config>
std::string print_config(Config config, bool shows_allowed = false) {
  return print_fields([&](FieldVisitor& visitor) { config.visit_fields(visitor); }, shows_allowed);
}

// A string, or a list in brackets, as print_fields writes it.
std::string yaml_text(const std::string& value);
std::string yaml_text(const std::vector<std::string>& values);

// The dotted keys of the fields that `visit` lists.
std::vector<std::string> keys_of_fields(const std::function<void(FieldVisitor&)>& visit);

template <class Config>
std::vector<std::string> config_keys() {
  Config config;
  return keys_of_fields([&](FieldVisitor& visitor) { config.visit_fields(visitor); });
}

}  // namespace rubric::config
