// One configuration out of several layers: included files, the file itself, `--set` overrides.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "config/yaml.h"

namespace rubric::config {

// The map that `file` stands for; an empty file is an empty map.
//
// `include:` at the top names a file or a list of files, relative to the including one, which lie
// below it. Layers merge key by key, the later wins; a list replaces a list. Each override "a.b=v",
// v in YAML, is one more layer. Only then are variables filled in (config/variables.h), so that a
// variable in a value that a later layer replaces need not be set.
//
// Throws InputError with file:line, or "--set a.b=v": anything parse_yaml refuses, a missing
// include, a cycle, more than 32 files, an override without "=" or with an empty key.
Yaml load_layers(const std::filesystem::path& file, const std::vector<std::string>& overrides);

// Environment variables in configuration values.

// `text` with `${VAR}` replaced by the environment variable's value and `${VAR:-default}` by the
// value or, when the variable is unset or empty, by the default (as in a shell). `$${` stands for
// a literal `${`; any other `$` is itself. What comes out is not expanded again. Throws InputError
// at `where`, naming `key`, when a variable without default is not set. (Inside YAML's [ ] and { }
// a scalar with a variable needs quotes.)
std::string expand_variables(std::string_view text, const std::string& key,
                             const std::string& where);

// `text` so that expand_variables gives it back unchanged: every `${` becomes `$${`.
std::string escape_variables(std::string_view text);

// Configuration files into structs.

// Fills the fields that `visit` lists from a map. Throws InputError with file:line and the dotted
// key: an unknown key (with the nearest valid one), a value of the wrong type or out of range, a
// key without a value. A quoted scalar is a string, never a number.
void read_fields(const Yaml& map, const std::function<void(FieldVisitor&)>& visit);

// The struct that `file` and the overrides ("a.b=v") describe, defaults where they are silent.
// Throws InputError as load_layers and read_fields do.
template <class Config>
Config read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Config config;
  read_fields(load_layers(file, overrides),
              [&](FieldVisitor& visitor) { config.visit_fields(visitor); });
  return config;
}

}  // namespace rubric::config
