#include "data/answers/joined_scores.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"

namespace rubric::data {
namespace {

using Key = std::vector<std::string>;  // the values of the keys

const std::string& value_of(const Answer& answer, const std::string& key) {
  return key == "id" ? answer.id : answer.constituent;
}

// The text of a key's value, which may be a number.
std::string key_text(const Json& row, const std::string& field, const std::string& where) {
  const Json& value = row.require(field, where);
  if (value.is_string()) return value.string();
  if (value.is_number()) return value.number_text();
  throw InputError(
      "the key " + json_quote(field) + " must be a text or a number, it is " + value.kind(), where,
      "name the field of the ids with --on id=FIELD");
}

// Cells of tables are texts.
std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.number();
  return value.is_string() ? parse_number(value.string()) : std::nullopt;
}

std::vector<std::string> score_names(const Json& row, const FieldNames& keys,
                                     const std::string& where) {
  std::vector<std::string> names;
  for (const auto& field : row.object()) {
    const std::string& name = field.first;
    const bool is_key =
        std::ranges::any_of(keys, [&](const auto& key) { return key.second == name; });
    // A candidate such as 1969 is no score, nor is the human score.
    const bool is_of_answer = std::ranges::count(answer_fields(), name) > 0 || is_text_field(name);
    if (!is_key && !is_of_answer && number_of(field.second)) names.push_back(name);
  }
  if (!names.empty()) return names;
  throw InputError("the row has no number beside its keys", where, "name a file with scores");
}

}  // namespace

const std::vector<std::string>& join_keys() {
  static const std::vector<std::string> keys = {"id", "constituent"};
  return keys;
}

Scores read_joined_scores(const std::filesystem::path& file, const FieldNames& keys,
                          std::span<const Answer> answers) {
  for (const auto& [ours, theirs] : keys) {
    if (std::ranges::count(join_keys(), ours) > 0) continue;
    throw InputError("rows are not told apart by " + json_quote(ours), "--on",
                     "name " + join(join_keys()) + ", where they differ as id=FIELD");
  }
  const InputFormat format = input_format("", file, "--join");
  if (!has_rows(format)) {
    throw InputError("the file has no rows of scores", file.string(), "give jsonl, csv or tsv");
  }
  Scores scores;
  std::map<Key, std::vector<double>> rows;
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    if (rows.empty()) scores.names = score_names(row, keys, where);
    Key key;
    for (const auto& [ours, theirs] : keys) key.push_back(key_text(row, theirs, where));
    std::vector<double> values;
    for (const std::string& name : scores.names) {
      const std::optional<double> value = number_of(row.require(name, where));
      if (!value) throw InputError("the score " + json_quote(name) + " is no number", where);
      values.push_back(require_computable(*value, "the score " + json_quote(name), where));
    }
    if (rows.emplace(std::move(key), std::move(values)).second) return true;
    throw InputError("another row has the same keys", where,
                     "name more keys, such as --on id,constituent");
  });
  std::vector<std::string> missing;
  for (const Answer& answer : answers) {
    Key key;
    for (const auto& [ours, theirs] : keys) key.push_back(value_of(answer, ours));
    const auto found = rows.find(key);
    if (found == rows.end()) {
      missing.push_back(answer.constituent + "/" + answer.id);
    } else {
      scores.rows.push_back(found->second);
    }
  }
  if (missing.empty()) return scores;
  throw InputError(std::to_string(missing.size()) + " of " + counted(std::ssize(answers), "row") +
                       " have no score there, the first is " + missing.front(),
                   file.string(), "name the keys with --on, such as --on id=row");
}

}  // namespace rubric::data
