#include "eval/compare/compare.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace rubric {
namespace {

RecordKey record_of(const ScoredRows& rows, size_t i) {
  auto [constituent, id] = key_of(rows, i);
  return {rows.groups.empty() ? "" : rows.groups[i], std::move(constituent), std::move(id)};
}

std::string told(const RecordKey& key) {
  const std::string& place = key.constituent.empty() ? key.group : key.constituent;
  return (place.empty() ? "" : place + " / ") + key.id;
}

std::vector<std::string> missing_from(const SystemScores& lacking, const SystemScores& other) {
  std::vector<std::string> missing;
  for (const RecordKey& key : other.records) {
    if (!lacking.scores.contains(key)) missing.push_back(told(key));
  }
  return missing;
}

}  // namespace

SystemScores whole_file_system(const std::string& name, const std::string& file,
                               const ScoredRows& rows) {
  SystemScores system{name, file, {}, {}};
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    system.records.push_back(record_of(rows, i));
    system.scores.emplace(system.records.back(),
                          ScoredRecord{rows.scores[0][i], question_of(rows, i)});
  }
  return system;
}

void add_named_systems(const std::string& file, const ScoredRows& rows,
                       std::vector<SystemScores>& systems) {
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    auto system = std::ranges::find(systems, rows.systems[i], &SystemScores::name);
    if (system == systems.end()) {
      systems.push_back({rows.systems[i], "", {}, {}});
      system = systems.end() - 1;
    }
    RecordKey key = record_of(rows, i);
    const ScoredRecord record{rows.scores[0][i], question_of(rows, i)};
    if (!system->scores.emplace(key, record).second) {
      throw InputError("a second score of " + system->name + " for the id " + told(key), file,
                       "give each record of a system once");
    }
    system->records.push_back(std::move(key));
  }
}

void require_same_records(const std::vector<SystemScores>& systems) {
  const auto check = [](const SystemScores& lacking, const SystemScores& other) {
    const std::vector<std::string> missing = missing_from(lacking, other);
    if (missing.empty()) return;
    throw InputError(std::to_string(missing.size()) + " ids of " + other.file +
                         " are not in this file: " + join_some(missing),
                     lacking.file,
                     "compare files of the same records; where a field names the system of each "
                     "row (such as constituent), give --system FIELD");
  };
  for (size_t s = 1; s < systems.size(); ++s) {
    check(systems[s], systems[0]);
    check(systems[0], systems[s]);
  }
}

std::string keep_shared_records(std::vector<SystemScores>& systems) {
  std::map<RecordKey, size_t> holders;
  for (const SystemScores& system : systems) {
    for (const RecordKey& key : system.records) ++holders[key];
  }
  const auto is_shared = [&](const RecordKey& key) { return holders.at(key) == systems.size(); };
  std::vector<std::string> left_out;
  for (const auto& [key, count] : holders) {
    if (!is_shared(key)) left_out.push_back(told(key));
  }
  if (left_out.empty()) return "";
  std::vector<std::string> names;
  for (SystemScores& system : systems) {
    names.push_back(system.name);
    std::erase_if(system.records, [&](const RecordKey& key) { return !is_shared(key); });
    std::erase_if(system.scores, [&](const auto& entry) { return !is_shared(entry.first); });
  }
  if (systems[0].records.empty()) {
    throw InputError("no record is of every system (" + join_some(names) + ")", "--system",
                     "give the rows of one record the same \"id\" in each system");
  }
  return std::to_string(left_out.size()) +
         " records are not of every system and left out: " + join_some(left_out);
}

}  // namespace rubric
