// Helpers for reading an experiment's YAML, which throw InputError with file:line, and the reader
// of its cells.
#pragma once

#include <string>
#include <vector>

#include "config/yaml.h"
#include "eval/reproduce/experiment.h"

namespace rubric::eval {

// Throws unless `node` is a map whose keys are all in `keys`.
void require_keys(const config::Yaml& node, const std::string& what,
                  const std::vector<std::string>& keys);

// Returns the member of a map; throws when it is missing.
const config::Yaml& require_member(const config::Yaml& map, const std::string& what,
                                   const std::string& key);

// A scalar; a list of scalars, where a single scalar is a list of one.
std::string text_of(const config::Yaml& node, const std::string& key);
std::vector<std::string> texts_of(const config::Yaml& node, const std::string& key);

// The same for an optional member of a map: "" or an empty list when it is missing.
std::string text_member(const config::Yaml& map, const std::string& key);
std::vector<std::string> texts_member(const config::Yaml& map, const std::string& key);

// A finite decimal number.
double number_of(const config::Yaml& node, const std::string& key);

// The members of the map `key` of `map`; empty when it is missing.
const std::vector<std::pair<std::string, config::Yaml>>& members_of(const config::Yaml& map,
                                                                    const std::string& key);

// Cells.

// Reads `cells:`, each entry a row over some or all of the `columns:`. Throws InputError with
// file:line.
std::vector<Cell> read_cells(const config::Yaml& root);

}  // namespace rubric::eval
