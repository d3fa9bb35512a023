#include "data/scored_files/joined_scores.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/field_text.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/scored_files/scored_files.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
namespace {

using Key = std::vector<std::string>;  // the values of the keys

// The text of a key's value, which may be a number.
std::string key_text(const ScoredSource& source, size_t row, const std::string& field) {
  const std::string& where = source.places[row];
  const FieldValue value = find_field(source.rows[row], field);
  if (value == nullptr) source.rows[row].require(field, where);
  if (value->is_string() || value->is_number()) {
    return field == "id" ? source.ids[row] : name_of(value.get());
  }
  throw InputError(
      "the key " + json_quote(field) + " must be a text or a number, it is " + value->kind(), where,
      "name the field of the ids with --on id=FIELD");
}

// Gives the rows their numbers as ids where neither file has ids. Throws InputError for a row whose
// candidate is not the answer's.
void number_rows(std::span<const Answer> answers, ScoredSource& source) {
  const auto has_id = [](const Json& row) { return row.find("id") != nullptr; };
  if (std::ranges::any_of(source.rows, has_id) || source.rows.size() != answers.size() ||
      !std::ranges::all_of(answers, &Answer::is_numbered)) {
    return;
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    const Json* const candidate = source.rows[i].find("candidate");
    if (candidate != nullptr && candidate->is_string() &&
        candidate->string() != answers[i].candidate) {
      throw InputError(
          "rows without ids are joined in their order, and this one has another "
          "candidate" +
              own_field("candidate") + " than " + record_name(answers[i]),
          source.places[i], "give the rows of both files ids");
    }
    source.rows[i]["id"] = source.ids[i];
  }
}

// Of the answer whose scores come next.
void add_seen(const Json& row, ScoresAndSeen& scores) {
  for (const std::string& name : scores.names) {
    if (is_seen(row, name, kSeenTrained)) scores.seen[name].trained.push_back(scores.rows.size());
    if (is_seen(row, name, kSeenTuned)) scores.seen[name].tuned.push_back(scores.rows.size());
  }
}

}  // namespace

const std::vector<std::string>& join_keys() {
  static const std::vector<std::string> keys = {"id", "constituent"};
  return keys;
}

ScoresAndSeen read_joined_scores(const std::filesystem::path& file, const FieldNames& keys,
                                 std::span<const Answer> answers, std::span<const Json> rows) {
  for (const auto& [ours, theirs] : keys) {
    if (std::ranges::count(join_keys(), ours) > 0) continue;
    throw InputError("rows cannot be matched by " + json_quote(ours), "--on",
                     "name " + join(join_keys()) + ", where they differ as id=FIELD");
  }
  ScoredSource source = read_scored_source(file, input_format("", file, "--join"));
  if (keys.contains("id") && keys.at("id") == "id") number_rows(answers, source);
  FieldNames fields;  // as the rows have them
  for (const auto& [ours, theirs] : keys) fields[ours] = field_in(source, theirs);
  ScoresAndSeen scores;
  for (const auto& [ours, field] : fields) key_text(source, 0, field);  // throws if it is missing
  const Json& first = source.rows.front();
  scores.names = numbers_in_row(first);
  // A key is no score. Nor is a field that the input has too, such as a human label.
  std::vector<std::string> left_out;
  std::erase_if(scores.names, [&](const std::string& name) {
    const auto is_key = [&](const auto& field) { return field.second == name; };
    if (std::ranges::any_of(fields, is_key)) return true;
    const Json* const of_metrics = first.find("scores");
    const bool is_score = of_metrics != nullptr && of_metrics->find(name) != nullptr;
    const auto has_it = [&](const Json& row) { return find_field(row, name) != nullptr; };
    if (is_score || std::ranges::none_of(rows, has_it)) return false;
    left_out.push_back(json_quote(name));
    return true;
  });
  if (!left_out.empty()) {
    log_info("fields that the input has too are not joined as scores: " + join_some(left_out));
  }
  if (scores.names.empty()) {
    throw InputError("the row has no number beside its keys" +
                         std::string(left_out.empty() ? "" : " and the fields of the input") +
                         ", and no \"scores\"",
                     source.places.front(), "name a file with scores");
  }
  struct Row {
    size_t place;
    std::vector<double> values;
  };
  std::map<Key, Row> by_key;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    const std::string& where = source.places[i];
    Key key;
    for (const auto& [ours, field] : fields) key.push_back(key_text(source, i, field));
    std::vector<double> values;
    for (const std::string& name : scores.names) {
      const FieldValue score = find_score(source.rows[i], name);
      const std::optional<double> value = score != nullptr ? number_of(*score) : std::nullopt;
      if (!value) {
        throw InputError("the score " + json_quote(name) + " is no number", where,
                         "write a number, or leave the field out of all rows");
      }
      values.push_back(require_computable(*value, "the score " + json_quote(name), where));
    }
    if (by_key.emplace(std::move(key), Row{i, std::move(values)}).second) continue;
    throw InputError("another row has the same keys", where,
                     "name more keys, such as --on id,constituent");
  }
  std::vector<std::string> missing;
  for (const Answer& answer : answers) {
    Key key;
    for (const auto& [ours, theirs] : keys)
      key.push_back(ours == "id" ? answer.id : answer.constituent);
    const auto found = by_key.find(key);
    if (found == by_key.end()) {
      missing.push_back(record_name(answer) +
                        (answer.constituent.empty() ? "" : " of " + answer.constituent));
    } else {
      add_seen(source.rows[found->second.place], scores);
      scores.rows.push_back(found->second.values);
    }
  }
  if (missing.empty()) return scores;
  throw InputError(std::to_string(missing.size()) + " of " + counted(std::ssize(answers), "row") +
                       " have no score there, the first is " + missing.front(),
                   file.string(), "name the keys with --on, such as --on id=row");
}

}  // namespace rubric::data
