// Prints a configuration struct as a YAML file, and as a Markdown reference page
// (docs/configuration.md is made of these).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace rubric::config {

// The fields that `visit` lists as YAML, each below its comment. read_config returns the same
// values, bit for bit: doubles have the shortest form that round-trips, strings are quoted where
// YAML needs it, and `${` is escaped as `$${`. Throws Error when a number is not finite.
std::string print_fields(const std::function<void(FieldVisitor&)>& visit);

// Takes a copy because visit_fields, which readers use too, is not const.
template <class Config>
std::string print_config(Config config) {
  return print_fields([&](FieldVisitor& visitor) { config.visit_fields(visitor); });
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

// Returns Markdown: `title` as a second-level heading, a table of the fields that `visit` lists
// (dotted key, type, default, range or choices, comment), and one section with a table for each
// group.
std::string fields_reference(const std::function<void(FieldVisitor&)>& visit,
                             const std::string& title);

// `config` must hold the defaults.
template <class Config>
std::string config_reference(Config config, const std::string& title) {
  return fields_reference([&](FieldVisitor& visitor) { config.visit_fields(visitor); }, title);
}

}  // namespace rubric::config
