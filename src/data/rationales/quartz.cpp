#include "data/rationales/quartz.h"

#include <utility>

#include "data/rows/rows.h"

namespace rubric::data {

std::vector<RationaleExample> read_quartz(const std::filesystem::path& file) {
  std::vector<RationaleExample> found;
  visit_rows(file, InputFormat::kJsonl, [&](const Json& row, const std::string& where) {
    RationaleExample example = keyed_question(row, where);
    example.record.rationale = row.require_string("para", where + ": " + example.record.id);
    found.push_back(std::move(example));
    return true;
  });
  return found;
}

}  // namespace rubric::data
