// Structs as configuration files.
#pragma once

#include <functional>
#include <string>

#include "config/fields.h"

namespace rubric::config {

// The fields that `visit` lists as YAML, each below its comment. read_config gives the same values
// back, bit for bit: doubles in the shortest form that round-trips, strings quoted where YAML needs
// it, `${` as `$${` so that it is not expanded. Throws Error when a number is not finite.
std::string print_fields(const std::function<void(FieldVisitor&)>& visit);

// By value: visit_fields, written for readers too, is not const.
template <class Config>
std::string print_config(Config config) {
  return print_fields([&](FieldVisitor& visitor) { config.visit_fields(visitor); });
}

// One string, or a list in brackets, as print_fields writes it.
std::string yaml_text(const std::string& value);
std::string yaml_text(const std::vector<std::string>& values);

// The reference page of a configuration struct: docs/configuration.md is made of these.

// Markdown: `title` as a second-level heading, a table of the fields that `visit` lists (dotted
// key, type, default, range or choices, comment), and one section and table for each group.
std::string fields_reference(const std::function<void(FieldVisitor&)>& visit,
                             const std::string& title);

// `config` holds the defaults.
template <class Config>
std::string config_reference(Config config, const std::string& title) {
  return fields_reference([&](FieldVisitor& visitor) { config.visit_fields(visitor); }, title);
}

}  // namespace rubric::config
