// What the readers of an experiment's parts share: values with the messages of their errors.
#pragma once

#include <string>
#include <vector>

#include "config/yaml.h"
#include "eval/reproduce/experiment.h"

namespace rubric::eval {

// InputError when `node` is no map or has a key that is none of `keys`.
void require_keys(const config::Yaml& node, const std::string& what,
                  const std::vector<std::string>& keys);

// The member of a map; InputError when it is missing.
const config::Yaml& require_member(const config::Yaml& map, const std::string& what,
                                   const std::string& key);

// A scalar; a list of them, where a single scalar is a list of one.
std::string text_of(const config::Yaml& node, const std::string& key);
std::vector<std::string> texts_of(const config::Yaml& node, const std::string& key);

// As these, of a map's member that may be missing: "" or an empty list then.
std::string text_member(const config::Yaml& map, const std::string& key);
std::vector<std::string> texts_member(const config::Yaml& map, const std::string& key);

// A finite decimal number.
double number_of(const config::Yaml& node, const std::string& key);

// The members of the map `key` of `map`; none when it is missing.
const std::vector<std::pair<std::string, config::Yaml>>& members_of(const config::Yaml& map,
                                                                    const std::string& key);

// The cells of an experiment's file.

// `cells:`, each entry a row over some or all of the `columns:`. Throws InputError with file:line.
std::vector<Cell> read_cells(const config::Yaml& root);

}  // namespace rubric::eval
