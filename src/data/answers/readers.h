// Readers of published data sets of judged answers: MOCHA (Chen et al. 2020), EVOUNA and STS-B.
// MOCHA's files are JSON, {constituent: {id: instance}}; a constituent (a source data set) is
// whatever key the file has. Errors are InputErrors naming file, constituent and id.
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

// An instance {context, question, reference, candidate, score, metadata: {source, scores}}.
// `score`, from 1 to 5, and `metadata` may be missing (a test set without labels).
Answer mocha_answer(const InstanceKey& key, const Json& instance, const std::string& where);

// Each annotator's rating, metadata.scores, of an instance or of a row made from one; empty if
// there are none.
std::vector<double> mocha_ratings(const Json& instance, const std::string& where);

// A minimal pair: candidate1, the better one, and candidate2 with score1 > score2 replace candidate
// and score; both scores may be missing.
AnswerPair mocha_pair(const InstanceKey& key, const Json& instance, const std::string& where);
bool is_mocha_pair(const Json& instance);

// Throws InputError when only one candidate has a score, or when the better one does not have the
// higher score.
void check_pair(const AnswerPair& pair, const std::string& where);

// Read all instances of a file, which must all be of that kind.
std::vector<Answer> read_mocha(const std::filesystem::path& path);
std::vector<AnswerPair> read_mocha_pairs(const std::filesystem::path& path);

// EVOUNA (Wang et al. 2023, "Evaluating Open-QA Evaluation"): questions, the answers of several
// systems, and a human verdict on each answer.

// Reads [{question, golden_answer, answer_SYSTEM, judge_SYSTEM, …, improper}] into one record for
// each question and system, in file order. Systems are whatever the keys name and become the
// constituents; the id is the question's number from 1; each part of golden_answer between "/" is a
// reference; a null answer is empty; a true verdict is the score 5, a false one 1. Leaves out
// improper questions and null verdicts and logs their number. Throws InputError naming file,
// question and field.
std::vector<Answer> read_evouna(const std::filesystem::path& file);

// STS-B (Cer et al. 2017): pairs of sentences with human similarity scores.

// The first sentence is the reference, the second the candidate; the score is from 0 to 5. Reads
// both published forms: three columns without header (stsb-multi-mt's CSV), or columns named
// sentence1, sentence2 and score among others (GLUE's TSV, whose test split has no score). A .tsv
// file is separated by tabs, with quotes as plain text, any other file by commas. Throws InputError
// naming file, line and column.
std::vector<Answer> read_stsb(const std::filesystem::path& file);

}  // namespace rubric::data
