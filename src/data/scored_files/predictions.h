// What metrics gave to the instances of a MOCHA file: the files that hold such numbers, and which
// number belongs to which instance.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/answers/readers.h"

namespace rubric {

// A key without constituent ("") stands for the one instance of that id.
using Predictions = std::map<InstanceKey, double>;

// The number `field` of every instance: "pred_score" of a prediction file in MOCHA's nesting,
// "pred_score1" and "pred_score2" of one for minimal pairs. A file named .jsonl, .csv or .tsv holds
// rows with id, perhaps constituent, and that field.
Predictions read_predictions(const std::filesystem::path& path, const std::string& field);

// The numbers of a scored file by metric, from the object `field` ("scores", of minimal pairs
// "scores1" and "scores2") of every instance; null is no score. The file is what `rubric score`
// writes: MOCHA's nesting, or JSON lines with "id" and perhaps "constituent"; or, for "scores", a
// table with a column for each metric, where an empty cell is no score. Throws InputError when an
// instance has two scores of one metric, or nothing is scored.
std::map<std::string, Predictions> read_scores(const std::filesystem::path& path,
                                               const std::string& field);

struct MatchedPredictions {
  std::vector<std::optional<double>> values;  // by key; nothing: missing
  std::vector<InstanceKey> unused;            // of predictions that fit no key
};

// The prediction of each instance: that of its key or, where files name no constituents, of its id
// alone. An InputError when such an id stands in several constituents or nothing fits at all.
MatchedPredictions match_predictions(std::span<const InstanceKey> keys,
                                     const Predictions& predictions, const std::string& metric);

}  // namespace rubric
