#include "data/answers/predicted_answers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/rows/rows.h"

namespace rubric::data {
namespace {

void add(const std::string& key_in_file, const Json* text, const std::string& name,
         const std::string& where, MissingValues& missing, PredictedTexts& all) {
  const std::string key(plain_name(key_in_file));
  const bool is_missing = missing.lacks(text);
  std::optional<std::string> prediction;
  if (!is_missing) prediction = scalar_text(*text);
  if (!is_missing && !prediction) {
    throw InputError("the prediction must be a text, it is " + std::string(text->kind()), where,
                     "write \"\" where there is no answer");
  }
  if (is_missing && missing.keeps(MissingValues::kCandidate, name, where)) prediction = "";
  if (!all.emplace(key, prediction).second) {
    throw InputError("there is a second prediction for " + json_quote(key), where, "keep one");
  }
}

Json read_object(const std::filesystem::path& file, const std::string& hint) {
  Json root = Json::parse_file(file);
  if (root.is_object()) return root;
  throw InputError("expected an object, found " + std::string(root.kind()), file.string(), hint);
}

// Whether a row of JSON that is no answer of its own is {"KEY": "text", …}: it holds no rows.
bool has_texts_by_key(const Json& row) {
  return std::ranges::none_of(row.object(), [](const auto& member) {
    const Json& value = member.second;
    return value.is_object() ||
           (value.is_array() && !value.array().empty() && value.array().front().is_object());
  });
}

// Whether the row tells its question by `key` or a usual name of an id; what its other fields are
// called does not matter.
bool has_key(const Json& row, const std::string& key) {
  const FieldNames names = usual_names({&row, 1}, {{"reference", ""}, {"candidate", ""}}, "").names;
  return row.find(key) != nullptr || find_field(row, field_name(names, "id")) != nullptr;
}

// Whether all rows are {"KEY": "text", …}, each with other keys: the fields of rows repeat.
bool are_by_key(const std::vector<Json>& rows, const std::string& key) {
  std::set<std::string> keys;
  return std::ranges::all_of(rows, [&](const Json& row) {
    const auto is_new = [&](const auto& member) { return keys.insert(member.first).second; };
    return (rows.size() == 1 || std::ranges::all_of(row.object(), is_new)) &&
           has_texts_by_key(row) && !has_key(row, key);
  });
}

}  // namespace

PredictedTexts read_predicted_answers(const std::filesystem::path& file, const std::string& key,
                                      MissingValues& missing) {
  InputFormat format = rows_or_mocha(file);
  if (!has_rows(format)) format = InputFormat::kJson;
  format.may_be_by_key = true;
  missing.set_table(is_table(format));
  std::vector<Json> rows;
  std::vector<std::string> places;
  const auto visit = [&](Json row, const std::string& where) {
    rows.push_back(std::move(row));
    places.push_back(where);
    return true;
  };
  PredictedTexts all;
  FieldNames names = {{"reference", ""}};
  visit_rows(file, format, visit, text_columns(names));
  // Ids may be usual names of fields.
  const bool is_by_key = !is_table(format) && are_by_key(rows, key);
  if (!is_by_key && !rows.empty()) names = complete_names(rows, names, places[0]);
  const std::string name = field_name(names, "candidate");
  bool has_predictions = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    const std::string field = row.find(key) != nullptr ? key : field_name(names, "id");
    const FieldValue text = find_field(row, name);
    has_predictions |= text != nullptr;
    const bool is_row = text || find_field(row, field) != nullptr || is_table(format);
    if (is_by_key || (!is_row && has_texts_by_key(row))) {
      has_predictions = true;
      const std::string where = rows.size() == 1 ? file.string() : places[i];
      for (const auto& [id, prediction] : row.object()) {
        add(id, &prediction, "candidate", where + ": " + json_quote(id), missing, all);
      }
      continue;
    }
    const std::string value = optional_text(row, field, places[i]);
    if (value.empty()) {
      throw InputError("the row has no " + json_quote(key) + " to tell its question", places[i],
                       "add the field, as the data set has it");
    }
    add(value, text.get(), name, places[i], missing, all);
  }
  if (!has_predictions && !rows.empty()) {
    throw InputError("no row has a prediction", places[0],
                     "call its field prediction, or write {\"ID\": \"text\", …}");
  }
  missing.warn();
  missing.require_candidates(std::ssize(all), file.string(),
                             "call the field of the answers prediction");
  if (all.empty())
    throw InputError("the file has no predictions", file.string(),
                     "give {\"ID\": \"text\"}, or rows with an id and a prediction");
  return all;
}

std::map<std::string, NoAnswer> read_no_answers(const std::filesystem::path& file) {
  const Json root = read_object(file, "give {\"ID\": probability, …}");
  std::map<std::string, NoAnswer> all;
  for (const auto& [key, value] : root.object()) {
    const std::string where = file.string() + ": " + json_quote(key);
    if (!value.is_number()) {
      throw InputError("the probability must be a number, it is " + std::string(value.kind()),
                       where, "give {\"ID\": probability, …}");
    }
    if (!all.emplace(plain_name(key), NoAnswer{value.number(), all.size()}).second) {
      throw InputError("there is a second probability for " + json_quote(key), where, "keep one");
    }
  }
  return all;
}

std::vector<Answer> with_predictions(std::vector<Answer> questions,
                                     const PredictedTexts& predictions,
                                     const std::function<std::string(const Answer&)>& key_of,
                                     const char* missing, const std::filesystem::path& file) {
  std::vector<Answer> answers;
  std::vector<std::string> without;
  std::set<std::string> used;
  for (Answer& question : questions) {
    const std::string key(plain_name(key_of(question)));
    const auto found = predictions.find(key);
    if (found == predictions.end()) {
      without.push_back(json_quote(key));
      if (missing == nullptr) continue;
      question.candidate = missing;
    } else {
      used.insert(key);
      if (!found->second) continue;
      question.candidate = *found->second;
    }
    answers.push_back(std::move(question));
  }
  if (used.empty()) {
    throw InputError("no prediction is for a question of the data", file.string(),
                     "the data has " + join_some(without) + "; the predictions " +
                         json_quote(predictions.begin()->first));
  }
  if (!without.empty()) {
    const bool is_one = without.size() == 1;
    const std::string then = missing == nullptr
                                 ? (is_one ? "is left out: " : "are left out: ")
                                 : (is_one ? "counts as answered with an empty text: "
                                           : "count as answered with an empty text: ");
    log_warning(counted(std::ssize(without), "question has", "questions have") +
                " no prediction and " + then + join_some(without));
  }
  if (used.size() < predictions.size()) {
    log_warning(
        counted(std::ssize(predictions) - std::ssize(used), "prediction is", "predictions are") +
        " for no question of the data");
  }
  return answers;
}

}  // namespace rubric::data
