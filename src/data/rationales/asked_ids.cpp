#include "data/rationales/task_outputs.h"

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rationales/rationale_rows.h"
#include "data/rows/row_fields.h"

namespace rubric {
namespace {

std::vector<std::string> asked_by(const Json& row, const std::string& where) {
  std::vector<std::string> asked;
  for (const char* const field : {"question", "premise", "hypothesis"}) {
    asked.emplace_back(trim(optional_text(row, field, where)));
  }
  if (asked.front().empty()) return asked;
  for (const Json& choice : row.require_array("choices", where)) {
    asked.emplace_back(trim(choice.string()));
  }
  return asked;
}

}  // namespace

AskedIds read_asked_ids(const std::filesystem::path& file) {
  const WholeRationales whole = read_rationales(file);
  AskedIds ids;
  for (size_t i = 0; i < whole.rows.size(); ++i) {
    ids[asked_by(whole.rows[i], whole.wheres[i])].push_back(whole.records[i].id);
  }
  return ids;
}

std::string asked_id(const AskedIds& ids, const Json& row, const std::string& where) {
  const auto found = ids.find(asked_by(row, where));
  if (found == ids.end()) return "";
  if (found->second.size() == 1) return found->second.front();
  throw InputError(
      std::to_string(found->second.size()) + " rows of --ids ask this: " + join_some(found->second),
      where, "leave all but one of them out");
}

}  // namespace rubric
