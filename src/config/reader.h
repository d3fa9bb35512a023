// One configuration out of several layers: included files, the file itself, `--set` overrides.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/yaml.h"

namespace rubric {

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

}  // namespace rubric
