// MOCHA's file formats (Chen et al. 2020): JSON, {constituent: {id: instance}}. The constituents
// are whatever keys the file has. Every problem is an InputError naming file, constituent and id.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric {

// What identifies an instance: an id is unique in its constituent only.
using InstanceKey = std::pair<std::string, std::string>;  // constituent, id

// Calls `visit` for every instance of a file in file order; one without any is refused. `where`
// names file, constituent and id. What instances hold is for the visitor to check.
using InstanceVisitor =
    std::function<void(const InstanceKey& key, const Json& instance, const std::string& where)>;
void visit_mocha(const std::filesystem::path& path, const InstanceVisitor& visit);

// An instance {context, question, reference, candidate, score, metadata: {source, scores}}.
// `score`, from 1 to 5, and `metadata` may be absent (a test set without labels).
Answer mocha_answer(const InstanceKey& key, const Json& instance, const std::string& where);

// The annotators' own judgements, metadata.scores, of an instance or of a row made of one; empty
// where there are none.
std::vector<double> mocha_ratings(const Json& instance, const std::string& where);

// A minimal pair: candidate1, the better one, and candidate2 with score1 > score2 in the place of
// candidate and score; both scores may be absent.
AnswerPair mocha_pair(const InstanceKey& key, const Json& instance, const std::string& where);
bool is_mocha_pair(const Json& instance);

// Throws InputError where one candidate alone has a score, or the better one not the higher.
void check_pair(const AnswerPair& pair, const std::string& where);

// All instances of a file, which must be of that kind.
std::vector<Answer> read_mocha(const std::filesystem::path& path);
std::vector<AnswerPair> read_mocha_pairs(const std::filesystem::path& path);

}  // namespace rubric
