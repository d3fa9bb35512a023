#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/field_text.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/rows/copied_rows.h"
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

// The texts of a field in all rows that have one.
struct TextColumn {
  std::string_view first;
  bool differs = false;      // not all texts are `first`
  bool is_value = true;      // all are numbers, or words such as true
  bool names_system = true;  // each is its row's system
};

// The column of the answers where none has a name that says so: "answer", else the only column
// with texts that is not the same in all rows. "" where several may be it.
std::string candidate_field(const data::ScoredRows& rows) {
  for (const char* const usual : {"candidate", "answer"}) {
    if (data::has_values(rows, usual)) return usual;
  }
  std::map<std::string_view, TextColumn> columns;
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    for (const auto& [name, value] : rows.rows[i].object()) {
      if (!value.is_string() || data::is_missing(&value)) continue;
      const auto [entry, is_new] = columns.try_emplace(name, TextColumn{value.string()});
      TextColumn& column = entry->second;
      column.differs |= column.first != value.string();
      column.is_value = column.is_value && data::is_value(value);
      column.names_system &= !rows.systems.empty() && value.string() == rows.systems[i];
    }
  }
  std::erase_if(columns, [](const auto& entry) {
    const auto& [name, column] = entry;
    const bool is_of_answer =
        std::ranges::find(data::answer_fields(), name) != data::answer_fields().end();
    return is_of_answer || !column.differs || column.is_value || column.names_system;
  });
  return columns.size() == 1 ? std::string(columns.begin()->first) : "";
}

bool is_whole_number(const Json& value) {
  if (value.is_string()) return parse_count(trim(value.string())).has_value();
  return value.is_number() && parse_count(value.number_text()).has_value();
}

// The last row's texts and whole numbers in columns that have no usual name.
void add_columns(const Json& row, const std::vector<std::string>& metrics, SystemRows& system) {
  for (const auto& [name, value] : row.object()) {
    const bool is_of_answer =
        std::ranges::find(data::answer_fields(), name) != data::answer_fields().end();
    const bool is_number = is_whole_number(value) && std::ranges::count(metrics, name) == 0;
    const bool is_text = value.is_string() && !data::is_missing(&value) && !data::is_value(value);
    if (is_of_answer || (!is_number && !is_text)) continue;
    if (is_text) system.text_columns.insert(name);
    std::vector<uint64_t>& texts = system.columns[name];
    texts.resize(system.records.size());
    texts.back() = sha256_bits(value.is_string() ? value.string() : value.number_text());
  }
}

// The rows of a file, with what is known of all of them.
struct FileRows {
  explicit FileRows(const data::ScoredRows& scored)
      : rows(scored), questions(scored), candidate(candidate_field(scored)) {}

  // Adds a row to a system, which may have rows of its record among those from `begin` on, whose
  // scores are averaged; false if it has the record before.
  bool add(size_t i, size_t begin, SystemRows& system) const {
    RecordKey key = record_of(rows, i);
    const auto [place, is_new] = system.places.emplace(key, system.records.size());
    if (!is_new) {
      if (place->second < begin) return false;
      const auto count = static_cast<double>(++system.rows[place->second]);
      for (size_t m = 0; m < rows.scores.size(); ++m) {
        double& mean = system.scores[m][place->second];
        mean += (rows.scores[m][i] - mean) / count;
      }
      return true;
    }
    system.records.push_back(std::move(key));
    system.ids.push_back(rows.ids[i]);
    system.rows.push_back(1);
    system.has_ids &= !data::is_missing(rows.rows[i].find("id"));
    system.hashes.push_back(data::may_be_copy(rows.rows[i]) ? data::row_hash(rows.rows[i]) : 0);
    system.questions.push_back(questions.hash(i));
    system.scores.resize(rows.scores.size());
    for (size_t m = 0; m < rows.scores.size(); ++m) system.scores[m].push_back(rows.scores[m][i]);
    const Json& row = rows.rows[i];
    system.texts.push_back(
        {cell_text(row, "question"), cell_text(row, "reference"), cell_text(row, candidate)});
    if (!system.has_ids) add_columns(row, rows.metrics, system);
    return true;
  }

  const data::ScoredRows& rows;
  RowQuestions questions;
  std::string candidate;
};

// The records that all systems have: their rows have one key and one question, and one reference
// where keys are the rows' numbers.
size_t shared_records(const std::vector<SystemRows>& systems) {
  const SystemRows& first = systems.front();
  const auto is_shared = [&](size_t row) {
    return std::ranges::all_of(systems, [&](const SystemRows& system) {
      const auto found = system.places.find(first.records[row]);
      if (found == system.places.end()) return false;
      const RowTexts &texts = first.texts[row], &here = system.texts[found->second];
      const auto agree = [](const std::string& one, const std::string& other) {
        return one.empty() || other.empty() || one == other;
      };
      const bool have_questions = !texts.question.empty() && !here.question.empty();
      if (have_questions && first.questions[row] != system.questions[found->second]) return false;
      return (first.has_ids && system.has_ids) || agree(texts.reference, here.reference);
    });
  };
  size_t shared = 0;
  for (size_t row = 0; row < first.records.size(); ++row) shared += is_shared(row) ? 1 : 0;
  return shared;
}

// The earlier record of each that is a copy of it.
std::map<size_t, size_t> copies_in(const SystemRows& system) {
  std::map<size_t, size_t> copies;
  std::map<uint64_t, size_t> first;
  for (size_t row = 0; row < system.hashes.size(); ++row) {
    if (system.hashes[row] == 0) continue;
    const auto [entry, is_new] = first.emplace(system.hashes[row], row);
    if (!is_new) copies.emplace(row, entry->second);
  }
  return copies;
}

// Makes copies rows of the earlier records, whose scores they have.
void merge_copies(const std::map<size_t, size_t>& copies, SystemRows& system) {
  const size_t count = system.records.size();
  for (const auto& [row, first] : copies) system.rows[first] += system.rows[row];
  const auto keep = [&](auto& values) {
    size_t kept = 0;
    for (size_t row = 0; row < count; ++row) {
      if (copies.contains(row)) continue;
      if (kept != row) values[kept] = std::move(values[row]);
      ++kept;
    }
    values.resize(kept);
  };
  keep(system.records);
  keep(system.ids);
  keep(system.rows);
  keep(system.hashes);
  keep(system.questions);
  keep(system.texts);
  for (std::vector<double>& scores : system.scores) keep(scores);
  for (auto& [name, texts] : system.columns) {
    texts.resize(count);  // it may end earlier
    keep(texts);
  }
  system.places.clear();
  for (size_t row = 0; row < system.records.size(); ++row) {
    system.places.emplace(system.records[row], row);
  }
}

// Rows that are matched by their numbers: a row is a copy where it is one in all files.
void merge_shared_copies(std::vector<SystemRows>& systems) {
  std::map<size_t, size_t> shared = copies_in(systems.front());
  for (const SystemRows& system : std::span(systems).subspan(1)) {
    const std::map<size_t, size_t> copies = copies_in(system);
    std::erase_if(shared, [&](const auto& copy) {
      const auto found = copies.find(copy.first);
      return found == copies.end() || found->second != copy.second;
    });
  }
  for (SystemRows& system : systems) {
    merge_copies(shared, system);
    const auto others = std::ssize(copies_in(system));
    if (others == 0) continue;
    log_warning(counted(others, "row") + " of " + system.file +
                (others == 1 ? " is a copy" : " are copies") +
                " of an earlier one in every field, but not in all files, and counts as a record");
  }
}

// Names each record by its passage and question in place of its id. Several records of one question
// are numbered by their references, then in the order of the file; copies are one record.
SystemRows named_by_question(SystemRows system) {
  merge_copies(copies_in(system), system);
  std::map<RecordKey, std::vector<size_t>> of_questions;
  for (size_t row = 0; row < system.records.size(); ++row) {
    RecordKey& key = system.records[row];
    key.id = json_quote(system.texts[row].question);
    key.question = system.questions[row];
    of_questions[key].push_back(row);
  }
  system.places.clear();
  for (auto& [key, rows] : of_questions) {
    std::ranges::stable_sort(rows, {}, [&](size_t row) { return system.texts[row].reference; });
    for (size_t i = 0; i < rows.size(); ++i) {
      RecordKey& record = system.records[rows[i]];
      if (i > 0) record.id += " (" + std::to_string(i + 1) + ")";
      system.places.emplace(record, rows[i]);
    }
  }
  return system;
}

bool lacks_ids(const std::vector<SystemRows>& systems) {
  return std::ranges::any_of(systems, [](const SystemRows& system) { return !system.has_ids; });
}

// Matches rows by question where that gives more records of all systems than ids do, or than the
// numbers of rows without ids, which mean nothing in files of other lengths: where ids differ from
// file to file, or one id has two questions. Whether it does.
bool match_by_question(std::vector<SystemRows>& systems) {
  const bool have_questions = std::ranges::all_of(systems, [](const SystemRows& system) {
    return std::ranges::none_of(system.texts,
                                [](const RowTexts& texts) { return texts.question.empty(); });
  });
  const size_t by_id = shared_records(systems);
  const auto [least, longest] = std::ranges::minmax_element(
      systems, {}, [](const SystemRows& system) { return system.records.size(); });
  const bool are_numbers = lacks_ids(systems);
  const bool are_same_rows = least->records.size() == longest->records.size();
  if (!have_questions || (by_id == least->records.size() && (!are_numbers || are_same_rows))) {
    return false;
  }
  std::vector<SystemRows> named;
  for (const SystemRows& system : systems) named.push_back(named_by_question(system));
  const size_t by_question = shared_records(named);
  if (by_question < by_id || (by_question == by_id && (!are_numbers || are_same_rows)))
    return false;
  systems = std::move(named);
  log_info("rows are matched by passage and question, which " +
           counted(static_cast<int64_t>(by_question), "record") + " of all systems " +
           (by_question == 1 ? "has" : "have") + " in common" +
           (are_numbers ? "" : "; by id it would be " + std::to_string(by_id)));
  return true;
}

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

void require_same_records(const std::vector<SystemRows>& systems, const std::string& noun) {
  const auto check = [&](const SystemRows& lacking, const SystemRows& other) {
    std::vector<std::string> missing;
    for (const RecordKey& key : other.records) {
      if (!lacking.places.contains(key)) missing.push_back(to_text(key));
    }
    if (missing.empty()) return;
    throw InputError(counted(std::ssize(missing), noun) + " of " + other.file +
                         (missing.size() == 1 ? " is" : " are") +
                         " missing here: " + join_some(missing),
                     lacking.file,
                     "compare files of the same records, or those that all files have: --missing "
                     "drop; or name the field that holds their ids: --field id=FIELD; where a "
                     "field names the system of each row (such as "
                     "constituent), --system FIELD takes the records that all have");
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
  std::vector<QuestionHash> questions;
  for (const RecordKey& record : records) {
    questions.push_back(systems[0].questions[systems[0].places.at(record)]);
  }
  matched.questions = stats::clusters_by(questions);
  const auto averaged = std::ranges::count_if(records, [&](const RecordKey& record) {
    return std::ranges::any_of(systems, [&](const SystemRows& system) {
      return system.rows[system.places.at(record)] > 1;
    });
  });
  if (averaged > 0) {
    matched.notes.push_back(counted(averaged, "record has", "records have") +
                            " several rows of one system, whose scores are averaged");
  }
  for (RecordKey& record : records) record.id = systems[0].ids[systems[0].places.at(record)];
  matched.records = std::move(records);
  return matched;
}

// Rows without ids are known by their numbers.
std::string records_text(const std::vector<std::string>& names, bool are_numbers) {
  if (!are_numbers) return data::ids_text(names);
  return (names.size() == 1 ? "row " : "rows ") + join_some(names);
}

// Rows with one id would be compared even if they belonged to different records. nullopt: all texts
// of this kind agree, where both systems have one.
std::optional<std::string> differing_texts(const MatchedSystems& systems, const std::string& kind,
                                           std::string RowTexts::*text, bool is_by_number) {
  for (size_t s = 1; s < systems.names.size(); ++s) {
    std::vector<std::string> others;
    for (size_t i = 0; i < systems.records.size(); ++i) {
      const std::string &first = systems.texts[0][i].*text, &here = systems.texts[s][i].*text;
      if (!first.empty() && !here.empty() && first != here) {
        others.push_back(to_text(systems.records[i]));
      }
    }
    if (others.empty()) continue;
    return std::to_string(others.size()) + " of " + std::to_string(systems.records.size()) +
           " records have another " + kind + own_field(kind) + " in " + systems.names[s] +
           " than in " + systems.names[0] + ": " + records_text(others, is_by_number);
  }
  return std::nullopt;
}

// Warns of records with another question. Throws InputError for these where constituents were taken
// for names of systems; and where records are matched by the numbers of their rows, for records
// with another question or another reference.
void check_texts(const MatchedSystems& systems, const std::string& file, bool has_names,
                 bool is_by_number) {
  std::optional<std::string> problem =
      differing_texts(systems, "question", &RowTexts::question, is_by_number);
  if (is_by_number) {
    if (!problem) problem = differing_texts(systems, "reference", &RowTexts::reference, true);
    if (!problem) return;
    throw InputError(*problem, file,
                     "give the same records in the same order, as rows without ids are matched by "
                     "their numbers; or name what tells records apart: --field id=FIELD, "
                     "--field question=FIELD");
  }
  if (problem && has_names) {
    throw InputError(*problem, file,
                     "compare files of the same records, with one id for each in all of them");
  }
  if (problem) log_warning(*problem);
}

// How a column differs between the rows of two systems that have one record.
struct ColumnDifference {
  int64_t rows = 0;
  bool is_order = false;  // the same texts in another order
};

ColumnDifference column_difference(const SystemRows& first, const SystemRows& second,
                                   const std::string& name) {
  ColumnDifference difference;
  std::vector<uint64_t> texts, others, differing, differing_others;  // of the differing rows
  for (const auto& [record, row] : first.places) {
    const auto place = second.places.find(record);
    if (place == second.places.end()) continue;
    const auto text = [&](const SystemRows& system, size_t i) {
      const std::vector<uint64_t>& column = system.columns.at(name);
      return i < column.size() ? column[i] : 0;
    };
    texts.push_back(text(first, row));
    others.push_back(text(second, place->second));
    if (texts.back() == 0 || others.back() == 0 || texts.back() == others.back()) continue;
    ++difference.rows;
    differing.push_back(texts.back());
    differing_others.push_back(others.back());
  }
  for (auto* const all : {&texts, &others, &differing, &differing_others}) std::ranges::sort(*all);
  // One text in all rows is that of the system or of the run.
  const auto is_constant = [](const auto& sorted) { return sorted.front() == sorted.back(); };
  if (texts.empty() || is_constant(texts) || is_constant(others)) return {};
  // Few texts, such as "good" and "poor", tell no records apart: systems may have as many of each.
  constexpr int64_t kOneIn = 10, kMost = 2;
  const auto rows = std::ssize(texts);
  const bool are_same = texts == others;
  const auto distinct = std::ranges::unique(texts).begin() - texts.begin();
  if (distinct * kOneIn < rows) return {};
  // Texts that the other file has in no row, such as a model's reasons, match no rows.
  std::vector<uint64_t> shared;
  std::ranges::set_intersection(differing, differing_others, std::back_inserter(shared));
  if (std::ssize(shared) * kMost <= difference.rows) return {};
  difference.is_order = are_same && distinct * kMost > rows;
  return difference;
}

// Where no question is known, rows that are matched by their numbers may be of different records
// all the same: a column tells, such as "prompt", that is known by no usual name. Throws InputError
// where it has the same texts in another order, else warns.
void check_columns(const std::vector<SystemRows>& systems) {
  const SystemRows& first = systems.front();
  const auto has_question = [](const RowTexts& texts) { return !texts.question.empty(); };
  if (std::ranges::all_of(first.texts, has_question)) return;
  for (const SystemRows& system : std::span(systems).subspan(1)) {
    std::vector<std::string> options, of_order;
    std::string example;
    int64_t most = 0;
    for (const auto& [name, texts] : first.columns) {
      if (!system.columns.contains(name)) continue;
      const auto [rows, is_order] = column_difference(first, system, name);
      const bool is_number = !first.text_columns.contains(name);
      if (rows == 0 || (is_number && !is_order)) continue;  // numbers of an answer differ
      (is_order ? of_order : options)
          .push_back("--field " + shell_word((is_number ? "id=" : "question=") + name));
      if (rows > most) example = json_quote(name);
      most = std::max(most, rows);
    }
    if (most == 0) continue;
    const std::string problem = "rows without ids are matched by their numbers, and " +
                                counted(most, "row has", "rows have") + " another " + example +
                                " in " + system.name + " than in " + first.name;
    if (!of_order.empty()) {
      throw InputError(
          problem + ": the same texts in another order",
          system.file.empty() ? "--system" : system.file,
          "match rows by the column that tells records apart: " + join_some(of_order, " or "));
    }
    log_warning(problem + ": where a column tells records apart, match rows by it, " +
                join_some(options, " or "));
  }
}

// Throws InputError for files of different lengths whose rows are matched by their numbers.
void require_same_lengths(const std::vector<SystemRows>& systems) {
  const SystemRows& first = systems.front();
  for (const SystemRows& system : systems) {
    if (system.records.size() == first.records.size()) continue;
    throw InputError(counted(std::ssize(first.records), "row") + " in " + first.file + ", " +
                         std::to_string(system.records.size()) +
                         " here, and rows without ids are matched by their numbers",
                     system.file,
                     "compare files of the same rows, or name what tells records apart: "
                     "--field id=FIELD, --field question=FIELD");
  }
}

}  // namespace

std::string to_text(const RecordKey& key) {
  const std::string& place = key.constituent.empty() ? key.group : key.constituent;
  return (place.empty() ? "" : place + " / ") + key.id;
}

void add_file_system(const std::string& name, const std::string& file, const data::ScoredRows& rows,
                     std::vector<SystemRows>& systems) {
  systems.push_back({.name = name, .file = file});
  const FileRows added(rows);
  for (size_t i = 0; i < rows.ids.size(); ++i) added.add(i, 0, systems.back());
}

void add_named_systems(const data::ScoredRows& rows, std::vector<SystemRows>& systems) {
  const FileRows added(rows);
  std::map<std::string, size_t> numbers;  // by name, as there may be many systems
  std::vector<size_t> begins;             // the first record of this file, by system
  for (size_t s = 0; s < systems.size(); ++s) {
    numbers.emplace(systems[s].name, s);
    begins.push_back(systems[s].records.size());
  }
  for (size_t i = 0; i < rows.ids.size(); ++i) {
    const auto [entry, is_new] = numbers.emplace(rows.systems[i], systems.size());
    const size_t s = entry->second;
    if (is_new) systems.push_back({.name = rows.systems[i]});
    begins.resize(systems.size());
    if (added.add(i, begins[s], systems[s])) continue;
    throw InputError(
        "a second score of " + systems[s].name + " for the id " + to_text(record_of(rows, i)),
        rows.places[i], "give each record of a system in one file");
  }
}

MatchedSystems match_files(std::vector<SystemRows> systems, bool shared_alone) {
  const bool has_names = take_names(systems);
  if (shared_alone) return match_named(std::move(systems));
  const bool is_by_question = match_by_question(systems),
             is_by_number = !is_by_question && lacks_ids(systems);
  if (is_by_number) require_same_lengths(systems);
  if (is_by_number) merge_shared_copies(systems);
  require_same_records(systems, is_by_question ? "question" : "id");
  if (is_by_number) check_columns(systems);
  const std::string file = systems.front().file;
  std::vector<RecordKey> records = systems.front().records;
  MatchedSystems result = matched(std::move(systems), std::move(records));
  check_texts(result, file, has_names, is_by_number);
  return result;
}

MatchedSystems match_named(std::vector<SystemRows> systems) {
  const bool is_by_number = !match_by_question(systems) && lacks_ids(systems);
  if (is_by_number) check_columns(systems);
  const std::string file = systems.front().file;
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
                     "give the rows of one record the same id or question in each system, or name "
                     "the field that holds it: --field id=FIELD, --field question=FIELD");
  }
  MatchedSystems result = matched(std::move(systems), std::move(shared));
  if (!left_out.empty()) {
    result.notes.push_back(
        counted(std::ssize(left_out), "record") +
        " not in every system, left out: " + records_text(left_out, is_by_number));
  }
  check_texts(result, file, /*has_names=*/false, is_by_number);
  return result;
}

}  // namespace rubric::eval
