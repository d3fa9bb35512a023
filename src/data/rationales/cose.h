// CoS-E (Rajani et al. 2019): explanations of CommonsenseQA's answers, published without the
// questions.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric::data {

// Questions by id, without rationales.
using QuestionsById = std::map<std::string, RationaleExample>;

// Reads CommonsenseQA's files, JSON lines as for keyed_question(). Also throws InputError for a
// repeated id.
QuestionsById read_commonsenseqa(const std::vector<std::string>& files);

// Reads the published JSON lines, {"id", "explanation": {"open-ended", "selected"}} (v1.0 and
// v1.11, original or _processed), in file order: the open-ended explanation is the rationale;
// question and label are added later. Throws InputError naming file and line.
std::vector<RationaleExample> read_cose(const std::filesystem::path& file);

// Adds the questions to the explanations; an explanation without question is unusable.
void add_questions(std::vector<RationaleExample>& explanations, const QuestionsById& questions);

// Adds the questions of CommonsenseQA's files.
void add_commonsenseqa(std::vector<RationaleExample>& explanations,
                       const std::vector<std::string>& files);

inline constexpr RationaleReader kCose = {
    .name = "cose",
    .summary = "explanations of CommonsenseQA's answers (Rajani et al. 2019)",
    .read = read_cose,
    .questions = "CommonsenseQA's JSON lines",
    .add_questions = add_commonsenseqa};

}  // namespace rubric::data
