// MOCHA's file formats (Chen et al. 2020): JSON, {constituent: {id: instance}}. The constituents
// are whatever keys the file has. Every problem is an InputError naming file, constituent and id.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/records.h"

namespace rubric {

class Json;

// Instances {context, question, reference, candidate, score, metadata: {source}}, in file order.
// `score`, from 1 to 5, and `metadata` may be absent (a test set without labels). An id is unique
// in its constituent only: what identifies an instance is its InstanceKey.
std::vector<Answer> read_mocha(const std::filesystem::path& path);

// Minimal pairs {context, question, reference, candidate1, candidate2, score1, score2}, in file
// order; score1 > score2, both may be absent. candidate1 is the better one.
std::vector<AnswerPair> read_minimal_pairs(const std::filesystem::path& path);

using InstanceKey = std::pair<std::string, std::string>;  // constituent, id
using Predictions = std::map<InstanceKey, double>;

// The number `field` of every instance: "pred_score" of a prediction file, "pred_score1" and
// "pred_score2" of one for minimal pairs.
Predictions read_mocha_predictions(const std::filesystem::path& path, const std::string& field);

// The numbers in the object `field` ("scores") of every instance, by metric; null is no score.
std::map<std::string, Predictions> read_mocha_scores(const std::filesystem::path& path,
                                                     const std::string& field);

// Adds the members of a scores object to those of other instances; one that is there already, of
// the wrong kind is an InputError naming `where`.
void add_scores(const Json& scores, const InstanceKey& key, const std::string& where,
                std::map<std::string, Predictions>& all);

struct MatchedPredictions {
  std::vector<std::optional<double>> values;  // by key; nothing: missing
  int64_t unused = 0;                         // predictions that fit no key
};

// The prediction of each instance: that of its key or, where files name no constituents, of its id
// alone. An InputError when such an id stands in several constituents or nothing fits at all.
MatchedPredictions match_predictions(std::span<const InstanceKey> keys,
                                     const Predictions& predictions, const std::string& metric);

}  // namespace rubric
