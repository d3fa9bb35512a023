// Readers of the published data sets of rationales: ECQA, CoS-E, LAS, QuaRTz and e-SNLI; and which
// of their examples can be used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

// An example as read from its file.
struct FoundRationale {
  Rationale record;     // label and gold are equal: the label that annotators explained
  std::string where;    // "file:line"
  std::string problem;  // why it cannot be used, as far as the reader knows; "": it can
};

struct RationaleSet {
  std::vector<Rationale> records;        // usable, in the order read
  std::vector<FoundRationale> unusable;  // each with its problem
};

// What is checked: CoS-E without its questions has only ids and rationales.
enum class Checked { whole_records, rationales };

// Separates usable from unusable examples of one file or several that belong together. An example
// without id or with a repeated id is unusable too.
RationaleSet usable_rationales(std::vector<FoundRationale> found,
                               Checked checked = Checked::whole_records);

// "PROBLEM (COUNT): ID, ID, …" for each problem, in order of first occurrence.
std::vector<std::string> list_problems(const RationaleSet& set);

// Makes an error to throw for a set with unusable examples: how many, which, and where the first
// one is.
InputError unusable_error(const RationaleSet& set);

// A published data set to read.
struct RationaleSource {
  std::string kind;                    // one of rationale_kinds()
  std::vector<std::string> files;      // the files of one split
  std::vector<std::string> questions;  // CommonsenseQA's files; only for cose
  int64_t explanation = 1;             // number of the explanation; only for esnli
};

// The names of the data sets: ecqa, cose, las, quartz, esnli.
const std::vector<std::string>& rationale_kinds();

// Reads the examples of all files in order. CoS-E without `questions` gives only ids and
// rationales. Throws InputError when there is no example.
RationaleSet read_rationale_source(const RationaleSource& source);

// Reads a question in AI2's form, whose choices have letters (CommonsenseQA, QuaRTz):

// {"id", "question": {"stem", "choices": [{"label", "text"}, …]}, "answerKey"}. It has no rationale
// yet. An answerKey that is missing or names no choice, and a repeated letter, are the example's
// problem. Throws InputError with `where` for another form.
FoundRationale keyed_question(const Json& row, const std::string& where);

// CoS-E (Rajani et al. 2019): explanations of CommonsenseQA's answers, published without the
// questions.

// Questions by id, without rationales.
using QuestionsById = std::map<std::string, FoundRationale>;

// Reads CommonsenseQA's files, JSON lines as for keyed_question(). Also throws InputError for a
// repeated id.
QuestionsById read_commonsenseqa(const std::vector<std::string>& files);

// Reads the published JSON lines, {"id", "explanation": {"open-ended", "selected"}} (v1.0 and
// v1.11, original or _processed), in file order: the open-ended explanation is the rationale;
// question and label are added later. Throws InputError naming file and line.
std::vector<FoundRationale> read_cose(const std::filesystem::path& file);

// Adds the questions to the explanations; an explanation without question is unusable.
void add_questions(std::vector<FoundRationale>& explanations, const QuestionsById& questions);

// ECQA (Aggarwal et al. 2021): questions of CommonsenseQA with explanations.

// Reads one example a row, in file order, from the columns q_no, q_text, q_op1 … q_op5, q_ans and
// taskA_pos: the reasons for the answer, one a line, which are joined by spaces (REV's rationale is
// not the free-flow text of taskB). Throws InputError naming file, line and column.
std::vector<FoundRationale> read_ecqa(const std::filesystem::path& file);

// e-SNLI (Camburu et al. 2018): SNLI's pairs with up to three explanations each.
constexpr int64_t kAllExplanations = 0;

// Reads the published CSV (pairID, gold_label, Sentence1, Sentence2, Explanation_1 and, except for
// the training split, Explanation_2 and Explanation_3) or LAS's TSV (unique_key, label as a number,
// premise, hypothesis, explanation1 to explanation3), in file order. With `explanation` 1, 2 or 3
// each row gives one example with that explanation; with kAllExplanations one for each explanation
// column, with ids ID/1 and so on. The choices are entailment, neutral, contradiction. Throws
// InputError naming file, line and column.
std::vector<FoundRationale> read_esnli(const std::filesystem::path& file, int64_t explanation = 1);

// CommonsenseQA v1.0 with CoS-E's explanations, as published by the authors of LAS (Hase et al.
// 2020).

// Reads one example a row, in file order, from the columns id, question, choice_0, choice_1, …,
// label (the answer's number from 0) and human_exp. Throws InputError naming file, line and column,
// also for the test file, which has neither label nor explanation.
std::vector<FoundRationale> read_las(const std::filesystem::path& file);

// QuaRTz (Tafjord et al. 2019): questions about qualitative relations, each with a sentence of
// knowledge that answers it.

// Reads the published JSON lines, in file order: each is a keyed_question() with the sentence,
// "para", as the rationale. Throws InputError naming file and line.
std::vector<FoundRationale> read_quartz(const std::filesystem::path& file);

}  // namespace rubric::data
