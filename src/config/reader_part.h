// Configuration files into structs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "config/reader.h"
#include "config/yaml.h"

namespace rubric {

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

}  // namespace rubric
