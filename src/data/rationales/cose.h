// CoS-E (Rajani et al. 2019): explanations of CommonsenseQA's answers, apart from the questions.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric {

// Questions by their ids, without rationales yet.
using QuestionsById = std::map<std::string, FoundRationale>;

// Of CommonsenseQA's files, JSON lines of keyed_question()s. Throws InputError for an id that is
// there twice, too.
QuestionsById read_commonsenseqa(const std::vector<std::string>& files);

// An explanation each, in file order, of the published JSON lines, {"id", "explanation":
// {"open-ended", "selected"}} (v1.0 and v1.11, as they are or _processed): the open-ended one is
// the rationale. Question and label are not there yet. Throws InputError naming file and line.
std::vector<FoundRationale> read_cose(const std::filesystem::path& file);

// Gives the explanations their questions; one without is unusable.
void add_questions(std::vector<FoundRationale>& explanations, const QuestionsById& questions);

}  // namespace rubric
