// Reads a configuration struct from its layers (included files, the file itself, `--set`
// overrides), with environment variables expanded.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "config/yaml.h"

namespace rubric::config {

// Returns the merged map of `file`, its includes and the overrides; an empty file is an empty map.
//
// The top-level key `include` names one file or a list of files, relative to the including file;
// they are the layers below it. Layers are merged key by key and the later one wins; a list
// replaces a list. Each override "a.b=v", with v in YAML, is one more layer. Variables are expanded
// after merging, so a variable in a replaced value need not be set.
//
// Throws InputError with file:line or "--set a.b=v" for anything that parse_yaml refuses, a missing
// include, a cycle, more than 32 files, and an override without "=" or with an empty key.
Yaml load_layers(const std::filesystem::path& file, const std::vector<std::string>& overrides);

// Replaces `${VAR}` by the value of the environment variable, and `${VAR:-default}` by its value
// or, when it is unset or empty, by the default (as in a shell). `$${` stands for a literal `${`;
// any other `$` is kept. The result is not expanded again. Throws InputError at `where`, naming
// `key`, when a variable without default is not set. (Inside YAML's [ ] and { } a scalar with a
// variable needs quotes.)
std::string expand_variables(std::string_view text, const std::string& key,
                             const std::string& where);

// Escapes every `${` as `$${`, so that expand_variables returns `text` unchanged.
std::string escape_variables(std::string_view text);

// Fills the fields from a map. Throws InputError with file:line and the dotted key for an unknown
// key (with the nearest valid one), a value of the wrong type or out of range, and a key without a
// value. A quoted scalar is a string, never a number. `list` lists them anew after each: which
// there are may depend on the values of those before.
void read_fields(const Yaml& map, const std::function<std::vector<Field>()>& list);

// Reads `file` and the overrides ("a.b=v") into a struct; fields that they do not set keep their
// defaults. Throws InputError as load_layers and read_fields do.
template <class Config>
Config read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Config config;
  read_fields(load_layers(file, overrides), [&] { return fields_of(config); });
  return config;
}

}  // namespace rubric::config
