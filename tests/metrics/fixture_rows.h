// The rows of tests/fixtures/metrics: references, a candidate, and the reference implementation's
// scores.
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "paths.h"

namespace rubric {

inline Json metric_fixture(const std::string& name) {
  return Json::parse_file(std::string(fixtures_folder()) + "/metrics/" + name);
}

inline std::vector<std::string> references_of(const Json& row) {
  std::vector<std::string> references;
  for (const Json& reference : row.find("references")->array()) {
    references.push_back(reference.string());
  }
  return references;
}

}  // namespace rubric
