// MOCHA (Chen et al. 2020): judged answers as JSON, {constituent: {id: instance}}; a constituent (a
// source data set) is whatever key the file has. Errors are InputErrors naming file, constituent
// and id. Its descriptor is InputFormat::kMocha.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

// Identifies an instance: an id is unique only within its constituent.
using InstanceKey = std::pair<std::string, std::string>;  // constituent, id

// Calls `visit` for every instance of a file in file order; throws for a file without instances.
// `where` names file, constituent and id. The visitor must check what an instance holds.
using InstanceVisitor =
    std::function<void(const InstanceKey& key, const Json& instance, const std::string& where)>;
void visit_mocha(const std::filesystem::path& path, const InstanceVisitor& visit);

// The answer of an instance {context, question, reference, candidate, score, metadata: {source,
// scores}}. `score`, from 1 to 5, and `metadata` may be missing (a test set without labels). Of a
// minimal pair, where candidate1, the better one, and candidate2 with score1 > score2 replace
// candidate and score, the two, the better first; both scores may be missing.
std::vector<Answer> mocha_answers(const InstanceKey& key, const Json& instance,
                                  const std::string& where);

// Each annotator's rating, metadata.scores, of an instance or of a row made from one; empty if
// there are none.
std::vector<double> mocha_ratings(const Json& instance, const std::string& where);

// Throws InputError when only one candidate has a score, or when the better one does not have the
// higher score.
void check_pair(const AnswerPair& pair, const std::string& where);

// Read all instances of a file, which must all have that kind.
std::vector<Answer> read_mocha(const std::filesystem::path& path);
std::vector<AnswerPair> read_mocha_pairs(const std::filesystem::path& path);

}  // namespace rubric::data
