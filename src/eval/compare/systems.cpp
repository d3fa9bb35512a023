#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/rows/rows.h"
#include "eval/agreement/gaps.h"
#include "eval/compare/compare.h"
#include "eval/report/table.h"

namespace rubric::eval {
namespace {

RecordKey record_of(const data::ScoredRows& rows, size_t i) {
  auto [constituent, id] = data::key_of(rows, i);
  return {rows.groups.empty() ? "" : rows.groups[i], std::move(constituent), std::move(id)};
}

// The file's names of the texts. Candidate and reference decide no number, so a name that may be
// several fields is no mistake; it is ours, then.
data::FieldNames text_names(const data::ScoredRows& rows, const RowQuestions& questions,
                            const std::string& file) {
  data::FieldNames names = questions.names();
  names.try_emplace("passage", "passage");
  names.try_emplace("question", "question");
  names.try_emplace("id", "id");
  try {
    return data::complete_names(rows.rows.front(), names, file);
  } catch (const InputError&) {
    return names;
  }
}

RowTexts texts_of(const Json& row, const data::FieldNames& names) {
  const auto text = [&](const char* field) {
    return cell_text(row, data::field_name(names, field));
  };
  return {text("question"), text("reference"), text("candidate")};
}

// The rows of a file, with what is known of all of them.
struct FileRows {
  FileRows(const data::ScoredRows& scored, const std::string& file)
      : rows(scored), questions(scored), names(text_names(scored, questions, file)) {}

  // Adds a row to a system; false if it has the record already.
  bool add(size_t i, bool is_first, SystemRows& system) const {
    RecordKey key = record_of(rows, i);
    if (!system.places.emplace(key, system.records.size()).second) return false;
    system.records.push_back(std::move(key));
    if (is_first) system.questions.push_back(questions.key(i));
    system.scores.resize(rows.scores.size());
    for (size_t m = 0; m < rows.scores.size(); ++m) system.scores[m].push_back(rows.scores[m][i]);
    system.texts.push_back(texts_of(rows.rows[i], names));
    return true;
  }

  const data::ScoredRows& rows;
  RowQuestions questions;
  data::FieldNames names;
};

// A part of the keys that holds one value in each file, and another in each; empty where it does
// not.
std::vector<std::string> names_in(const std::vector<SystemRows>& systems,
                                  std::string RecordKey::*part) {
  std::vector<std::string> names;
  for (const SystemRows& system : systems) {
    const std::string& name = system.records.front().*part;
    const bool is_only = std::ranges::all_of(
        system.records, [&](const RecordKey& key) { return key.*part == name; });
    if (!is_only || std::ranges::find(names, name) != names.end()) return {};
    names.push_back(name);
  }
  return names;
}

void leave_out(std::string RecordKey::*part, SystemRows& system) {
  system.places.clear();
  for (size_t row = 0; row < system.records.size(); ++row) {
    (system.records[row].*part).clear();
    system.places.emplace(system.records[row], row);
  }
}

// Gives the systems these names, unless two would be the same; a system without one keeps its own.
void rename(std::vector<SystemRows>& systems, std::vector<std::string> names) {
  for (size_t s = 0; s < systems.size(); ++s) {
    if (names[s].empty()) names[s] = systems[s].name;
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(s), names[s]) !=
        names.begin() + static_cast<std::ptrdiff_t>(s)) {
      return;
    }
  }
  for (size_t s = 0; s < systems.size(); ++s) systems[s].name = std::move(names[s]);
}

// Takes constituents and groups that name systems out of the keys, and says so; whether there were
// any.
bool take_names(std::vector<SystemRows>& systems) {
  std::vector<std::string> parts, named;
  for (const auto& [part, what] :
       {std::pair(&RecordKey::group, "group"), std::pair(&RecordKey::constituent, "constituent")}) {
    const std::vector<std::string> names = names_in(systems, part);
    if (names.empty()) continue;
    for (SystemRows& system : systems) leave_out(part, system);
    rename(systems, names);
    parts.emplace_back(what);
  }
  if (parts.empty()) return false;
  for (const SystemRows& system : systems) named.push_back(system.name + " (" + system.file + ")");
  log_info("each file has one " + join(parts, " and one ") +
           ", and another in each: taken as the system's name, rows are matched by id: " +
           join_some(named));
  return true;
}

void require_same_records(const std::vector<SystemRows>& systems) {
  const auto check = [](const SystemRows& lacking, const SystemRows& other) {
    std::vector<std::string> missing;
    for (const RecordKey& key : other.records) {
      if (!lacking.places.contains(key)) missing.push_back(to_text(key));
    }
    if (missing.empty()) return;
    throw InputError(counted(std::ssize(missing), "id") + " of " + other.file +
                         (missing.size() == 1 ? " is" : " are") +
                         " missing here: " + join_some(missing),
                     lacking.file,
                     "compare files of the same records; where a field names the system of each "
                     "row (such as constituent), --system FIELD takes the records that all have");
  };
  for (size_t s = 1; s < systems.size(); ++s) {
    check(systems[s], systems[0]);
    check(systems[0], systems[s]);
  }
}

MatchedSystems matched(std::vector<SystemRows> systems, std::vector<RecordKey> records) {
  MatchedSystems matched;
  matched.scores.resize(systems.front().scores.size());
  for (SystemRows& system : systems) {
    std::vector<RowTexts> texts;
    std::vector<std::vector<double>> scores(system.scores.size());
    for (const RecordKey& record : records) {
      const size_t row = system.places.at(record);
      texts.push_back(std::move(system.texts[row]));
      for (size_t m = 0; m < scores.size(); ++m) scores[m].push_back(system.scores[m][row]);
    }
    matched.names.push_back(system.name);
    matched.texts.push_back(std::move(texts));
    for (size_t m = 0; m < scores.size(); ++m) matched.scores[m].push_back(std::move(scores[m]));
  }
  std::vector<QuestionKey> questions;
  for (const RecordKey& record : records) {
    questions.push_back(systems[0].questions[systems[0].places.at(record)]);
  }
  matched.questions = stats::clusters_by(questions);
  matched.records = std::move(records);
  return matched;
}

// Rows with one id would be compared even if they belonged to different records. nullopt: all
// questions agree.
std::optional<std::string> other_questions(const MatchedSystems& systems) {
  for (size_t s = 1; s < systems.names.size(); ++s) {
    std::vector<std::string> others;
    for (size_t i = 0; i < systems.records.size(); ++i) {
      const std::string &first = systems.texts[0][i].question, &own = systems.texts[s][i].question;
      if (!first.empty() && !own.empty() && first != own) {
        others.push_back(to_text(systems.records[i]));
      }
    }
    if (others.empty()) continue;
    return std::to_string(others.size()) + " of " + std::to_string(systems.records.size()) +
           " records have another question in " + systems.names[s] + " than in " +
           systems.names[0] + ": " + data::ids_text(others);
  }
  return std::nullopt;
}

}  // namespace

std::string to_text(const RecordKey& key) {
  const std::string& place = key.constituent.empty() ? key.group : key.constituent;
  return (place.empty() ? "" : place + " / ") + key.id;
}

void add_file_system(const std::string& name, const std::string& file, const data::ScoredRows& rows,
                     std::vector<SystemRows>& systems) {
  systems.push_back({name, file, {}, {}, {}, {}, {}});
  const FileRows added(rows, file);
  for (size_t i = 0; i < rows.ids.size(); ++i) added.add(i, systems.size() == 1, systems.back());
}

void add_named_systems(const std::string& file, const data::ScoredRows& rows,
                       std::vector<SystemRows>& systems) {
  const FileRows added(rows, file);
  std::map<std::string, size_t> numbers;  // by name, as there may be many systems
  for (size_t s = 0; s < systems.size(); ++s) numbers.emplace(systems[s].name, s);
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    const auto [entry, is_new] = numbers.emplace(rows.systems[i], systems.size());
    const size_t s = entry->second;
    if (is_new) systems.push_back({rows.systems[i], "", {}, {}, {}, {}, {}});
    if (added.add(i, s == 0, systems[s])) continue;
    throw InputError(
        "a second score of " + systems[s].name + " for the id " + to_text(record_of(rows, i)), file,
        "give each record of a system once");
  }
}

MatchedSystems match_files(std::vector<SystemRows> systems, bool shared_alone) {
  const bool has_names = take_names(systems);
  if (shared_alone) return match_named(std::move(systems));
  require_same_records(systems);
  const std::string file = systems.front().file;
  std::vector<RecordKey> records = systems.front().records;
  MatchedSystems together = matched(std::move(systems), std::move(records));
  const std::optional<std::string> problem = other_questions(together);
  if (problem && has_names) {
    throw InputError(*problem, file,
                     "compare files of the same records, with one id for each in all of them");
  }
  if (problem) log_warning(*problem);
  return together;
}

MatchedSystems match_named(std::vector<SystemRows> systems) {
  std::map<RecordKey, size_t> holders;
  for (const SystemRows& system : systems) {
    for (const RecordKey& key : system.records) ++holders[key];
  }
  std::vector<std::string> left_out, names;
  for (const auto& [key, count] : holders) {
    if (count < systems.size()) left_out.push_back(to_text(key));
  }
  for (const SystemRows& system : systems) names.push_back(system.name);
  std::vector<RecordKey> shared;
  for (const RecordKey& key : systems.front().records) {
    if (holders.at(key) == systems.size()) shared.push_back(key);
  }
  if (shared.empty()) {
    throw InputError("not one record is in every system (" + join_some(names) + ")", "--system",
                     "give the rows of one record the same \"id\" in each system");
  }
  MatchedSystems together = matched(std::move(systems), std::move(shared));
  if (!left_out.empty()) {
    together.note = counted(std::ssize(left_out), "record") +
                    " not in every system, left out: " + data::ids_text(left_out);
  }
  if (const std::optional<std::string> problem = other_questions(together)) log_warning(*problem);
  return together;
}

}  // namespace rubric::eval
