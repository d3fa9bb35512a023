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

namespace rubric::data {

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

// EVOUNA (Wang et al. 2023, "Evaluating Open-QA Evaluation"): questions, the answers of several
// systems, and a human verdict on each.

// A record for each question and system that answered it, in file order: [{question, golden_answer,
// answer_SYSTEM, judge_SYSTEM, …, improper}]. The systems are whatever the keys name and become the
// constituents; the id is the question's number from 1; every part of golden_answer between "/" is
// a reference; a null answer is an empty one; a true verdict is the score 5, a false one 1.
// Improper questions and null verdicts are left out, and counted in the log. Throws InputError
// naming file, question and field.
std::vector<Answer> read_evouna(const std::filesystem::path& file);

// STS-B (Cer et al. 2017): pairs of sentences and how similar people find them.

// The first sentence is the reference, the second the candidate, the score is from 0 to 5. Two
// published forms: three columns without header (stsb-multi-mt's CSV), or columns named sentence1,
// sentence2 and score among others (GLUE's TSV, whose test split has no score). A name in .tsv is
// separated by tabs, with quotes as plain text, any other by commas. Throws InputError naming file,
// line and column.
std::vector<Answer> read_stsb(const std::filesystem::path& file);

}  // namespace rubric::data
