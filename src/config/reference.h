// The reference page of a configuration struct: docs/configuration.md is made of these.
#pragma once

#include <functional>
#include <string>

#include "config/fields.h"

namespace rubric {

// Markdown: `title` as a second-level heading, a table of the fields that `visit` lists (dotted
// key, type, default, range or choices, comment), and one section and table for each group.
std::string fields_reference(const std::function<void(FieldVisitor&)>& visit,
                             const std::string& title);

// `config` holds the defaults.
template <class Config>
std::string config_reference(Config config, const std::string& title) {
  return fields_reference([&](FieldVisitor& visitor) { config.visit_fields(visitor); }, title);
}

}  // namespace rubric
