#include "data/predictions.h"

#include <set>

#include "core/error.h"
#include "core/files.h"
#include "data/answer_rows.h"
#include "data/rows.h"

namespace rubric {
namespace {

using MetricPredictions = std::map<std::string, Predictions>;

void add_scores(const Json& scores, const InstanceKey& key, const std::string& where,
                MetricPredictions& all) {
  if (!scores.is_object()) {
    throw InputError(std::string("the scores must be an object, they are ") + scores.kind(), where,
                     "write {\"metric\": number}, as `rubric score` does");
  }
  for (const auto& [metric, value] : scores.object()) {
    if (value.is_null()) continue;
    if (!value.is_number()) {
      throw InputError(
          "the score " + json_quote(metric) + " must be a number, it is " + value.kind(), where);
    }
    if (!all[metric].emplace(key, value.number()).second) {
      throw InputError("a second score " + json_quote(metric) + " for the same instance", where);
    }
  }
}

// Whether a scored file has MOCHA's nesting, or a row a line. Its name is only a hint: rows scored
// into a file named .json are known by their first line, a whole object with its scores.
bool is_nested(const std::filesystem::path& path, const std::string& field) {
  const bool is_named_json = path.extension() == ".json";
  LineReader lines(path);
  std::string first;
  lines.next(first);
  try {
    return Json::parse(first, path.string()).find(field) == nullptr && is_named_json;
  } catch (const InputError&) {
    return first == "{" || is_named_json;
  }
}

// Of a row with "id" and perhaps "constituent".
InstanceKey row_key(const Json& row, const std::string& where) {
  const Json& id = row.require("id", where);
  const Json* constituent = row.find("constituent");
  const bool has_constituent = constituent != nullptr && !constituent->is_null();
  return {has_constituent ? row.require_string("constituent", where) : "",
          id.is_number() ? id.number_text() : row.require_string("id", where)};
}

MetricPredictions read_scored_rows(const std::filesystem::path& path, const std::string& field) {
  MetricPredictions all;
  visit_rows(path, InputFormat::jsonl, [&](const Json& row, const std::string& where) {
    add_scores(row.require(field, where), row_key(row, where), where, all);
    return true;
  });
  return all;
}

Predictions read_predicted_rows(const std::filesystem::path& path, InputFormat format,
                                const std::string& field) {
  Predictions predictions;
  visit_rows(path, format, [&](const Json& row, const std::string& where) {
    const std::optional<double> value = row_label(row, {{"score", field}}, where);
    if (!value) throw InputError("the field " + json_quote(field) + " is missing", where);
    if (!predictions.emplace(row_key(row, where), *value).second) {
      throw InputError("a second prediction for the same instance", where);
    }
    return true;
  });
  if (predictions.empty()) throw InputError("the file has no rows", path.string());
  return predictions;
}

}  // namespace

Predictions read_predictions(const std::filesystem::path& path, const std::string& field) {
  const InputFormat format = rows_or_mocha(path);
  if (format != InputFormat::mocha) return read_predicted_rows(path, format, field);
  Predictions predictions;
  visit_mocha(path, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
    predictions[key] = instance.require_number(field, where);
  });
  return predictions;
}

MetricPredictions read_scores(const std::filesystem::path& path, const std::string& field) {
  MetricPredictions all;
  if (is_nested(path, field)) {
    visit_mocha(path, [&](const InstanceKey& key, const Json& instance, const std::string& where) {
      add_scores(instance.require(field, where), key, where, all);
    });
  } else {
    all = read_scored_rows(path, field);
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
  int64_t used = 0;
  for (const InstanceKey& key : keys) {
    auto found = predictions.find(key);
    if (found == predictions.end()) {
      found = predictions.find({"", key.second});
      if (found != predictions.end() && !found_by_id.insert(key.second).second) {
        throw InputError("the id " + json_quote(key.second) + " stands in several constituents",
                         "the scores of " + metric, "give each scored row its \"constituent\"");
      }
    }
    const bool is_found = found != predictions.end();
    matched.values.push_back(is_found ? std::optional(found->second) : std::nullopt);
    used += is_found ? 1 : 0;
  }
  if (used == 0) {
    throw InputError("no score of " + metric + " belongs to an instance of the data", "",
                     "score the same file that you evaluate, and keep its constituents and ids");
  }
  matched.unused = static_cast<int64_t>(predictions.size()) - used;
  return matched;
}

}  // namespace rubric
