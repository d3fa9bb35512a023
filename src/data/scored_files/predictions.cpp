#include <set>

#include "core/error.h"
#include "data/answers/answer_rows.h"
#include "data/rows/rows.h"
#include "data/scored_files/scored_files.h"

namespace rubric::data {
namespace {

using MetricPredictions = std::map<std::string, Predictions>;

void add_instance_scores(const Json& scores, const InstanceKey& key, const std::string& where,
                         MetricPredictions& all) {
  if (!scores.is_object()) {
    throw InputError(std::string("the scores must be an object, they are ") + scores.kind(), where,
                     "write {\"metric\": number}, as `rubric score` does");
  }
  for (const auto& [metric, value] : scores.object()) {
    if (value.is_null()) continue;
    const double score = require_value(value, "the score " + json_quote(metric), where);
    if (!all[metric].emplace(key, score).second) {
      throw InputError("a second score " + json_quote(metric) + " for the same instance", where,
                       "keep one of the two, or give the rows their \"constituent\"");
    }
  }
}

// The key of a row with "id" and optionally "constituent".
InstanceKey row_key(const Json& row, const std::string& where) {
  const Json& id = row.require("id", where);
  const Json* constituent = row.find("constituent");
  const bool has_constituent = constituent != nullptr && !constituent->is_null();
  const auto name = [&](const char* field) {
    return std::string(plain_name(row.require_string(field, where)));
  };
  return {has_constituent ? name("constituent") : "", id.is_number() ? name_of(&id) : name("id")};
}

Predictions read_predicted_rows(const std::filesystem::path& path, InputFormat format,
                                const std::string& field) {
  Predictions predictions;
  visit_rows(path, format, [&](const Json& row, const std::string& where) {
    const std::optional<double> value = row_label(row, {{"score", field}}, where);
    if (!value)
      throw InputError("the field " + json_quote(field) + " is missing", where,
                       "give the row its prediction, or leave the row out");
    if (!predictions.emplace(row_key(row, where), *value).second) {
      throw InputError("a second prediction for the same instance", where,
                       "keep one of the two, or give the rows their \"constituent\"");
    }
    return true;
  });
  if (predictions.empty()) throw no_rows(path);
  return predictions;
}

// The scores of a row: its object `field`, or the cells of a table's columns.
Json scores_of(const ScoredSource& source, size_t i, const std::string& field,
               const std::vector<std::string>& columns) {
  if (!source.is_table()) return source.rows[i].require(field, source.places[i]);
  Json scores{Json::Object()};
  for (const std::string& column : columns) {
    const Json* cell = source.rows[i].find(column);
    if (!is_missing(cell)) scores[column] = *cell;
  }
  return scores;
}

}  // namespace

Predictions read_predictions(const std::filesystem::path& path, const std::string& field) {
  const InputFormat format = rows_or_mocha(path);
  if (format != InputFormat::kMocha) return read_predicted_rows(path, format, field);
  Predictions predictions;
  visit_mocha(path, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
    predictions[key] = require_computable(instance.require_number(field, where),
                                          "the field " + json_quote(field), where);
  });
  return predictions;
}

MetricPredictions read_scores(const std::filesystem::path& path, const std::string& field) {
  const ScoredSource source = read_scored_source(path, rows_or_mocha(path));
  if (source.is_table() && field != "scores") {
    throw InputError("a table holds one score a metric, not " + field, path.string(),
                     "give the pairs of one metric as --pair-predictions, with the columns id, "
                     "pred_score1 and pred_score2, or scored pairs as JSON lines");
  }
  const std::vector<std::string> columns =
      source.is_table() ? number_columns(source) : std::vector<std::string>();
  MetricPredictions all;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    const Json &row = source.rows[i], scores = scores_of(source, i, field, columns);
    add_instance_scores(scores, row_key(row, source.places[i]), source.places[i], all);
  }
  if (all.empty()) {
    throw InputError("the file holds no " + field, path.string(),
                     "score it first with `rubric score`");
  }
  return all;
}

MatchedPredictions match_predictions(std::span<const InstanceKey> keys,
                                     const Predictions& predictions, const std::string& metric) {
  MatchedPredictions matched;
  std::set<std::string> found_by_id;
  std::set<InstanceKey> used;
  for (const InstanceKey& key : keys) {
    auto found = predictions.find(key);
    if (found == predictions.end()) {
      found = predictions.find({"", key.second});
      if (found != predictions.end() && !found_by_id.insert(key.second).second) {
        throw InputError("the id " + json_quote(key.second) + " occurs in several constituents",
                         "the scores of " + metric, "give each scored row its \"constituent\"");
      }
    }
    const bool is_found = found != predictions.end();
    matched.values.push_back(is_found ? std::optional(found->second) : std::nullopt);
    if (is_found) used.insert(found->first);
  }
  if (used.empty()) {
    throw InputError("no score of " + metric + " belongs to an instance of the data", "",
                     "score the same file that you evaluate, and keep its constituents and ids");
  }
  for (const auto& [key, value] : predictions) {
    if (!used.contains(key)) matched.unused.push_back(key);
  }
  return matched;
}

}  // namespace rubric::data
