#include "data/rows/seen_rows.h"

#include <algorithm>

#include "data/rows/rows.h"

namespace rubric::data {

std::vector<std::string> SeenRows::texts(size_t records) const {
  std::vector<std::string> texts(records);
  for (const size_t record : trained) texts[record] = kSeenTrained;
  for (const size_t record : tuned) texts[record] = kSeenTuned;
  return texts;
}

void set_seen(Json& row, const std::string& member, std::span<const std::string> names,
              const std::string& how) {
  const auto is_of_these = [&](const auto& entry) {
    return std::ranges::find(names, entry.first) != names.end();
  };
  std::erase_if(row.object(), [&](const auto& entry) {  // a table's columns
    return std::ranges::any_of(
        names, [&](const std::string& name) { return entry.first == member + "." + name; });
  });
  const Json* const there = row.find(member);
  const bool is_ours = there != nullptr && there->is_object();
  if (how.empty() && !(is_ours && std::ranges::any_of(there->object(), is_of_these))) return;
  Json& seen = row[member];
  if (!seen.is_object()) seen = Json(Json::Object());
  std::erase_if(seen.object(), is_of_these);
  for (const std::string& name : names) {
    if (!how.empty()) seen[name] = how;
  }
  if (!seen.object().empty()) return;
  std::erase_if(row.object(), [&](const auto& entry) { return entry.first == member; });
}

bool is_seen(const Json& row, const std::string& metric, const std::string& how) {
  const FieldValue seen = find_field(row, "seen." + metric);
  return seen != nullptr && seen->is_string() && seen->string() == how;
}

}  // namespace rubric::data
