// Examples of published data sets of rationales, and which of them can be used.
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

// An example as a reader found it.
struct FoundRationale {
  Rationale record;     // label and gold are the same: what annotators explained
  std::string where;    // "file:line"
  std::string problem;  // what keeps it from being used, as far as the reader knows; "": nothing
};

struct RationaleSet {
  std::vector<Rationale> records;        // that can be used, in the order in which they were found
  std::vector<FoundRationale> unusable;  // each with its problem
};

// What is looked at: of CoS-E without its questions only ids and rationales are there.
enum class Checked { whole_records, rationales };

// Parts the examples, of one file or of several that belong together. Unusable is, too, what has
// no id, or one that stood before.
RationaleSet usable_rationales(std::vector<FoundRationale> found,
                               Checked checked = Checked::whole_records);

// "PROBLEM (COUNT): ID, ID, …" for each problem, in the order of the first.
std::vector<std::string> list_problems(const RationaleSet& set);

// For a set with unusable examples: how many, which, and where the first stands. To be thrown.
InputError unusable_error(const RationaleSet& set);

// The published data sets of rationales by their names.

struct RationaleSource {
  std::string kind;                    // one of rationale_kinds()
  std::vector<std::string> files;      // of one split
  std::vector<std::string> questions;  // CommonsenseQA's files: of cose alone
  int64_t explanation = 1;             // which: of esnli alone
};

// ecqa, cose, las, quartz, esnli
const std::vector<std::string>& rationale_kinds();

// The examples of all files, one file behind the other. CoS-E's without `questions` are ids and
// rationales alone. Throws InputError when there is no example.
RationaleSet read_rationale_source(const RationaleSource& source);

// Questions whose choices have letters, in AI2's form: CommonsenseQA's and QuaRTz's.

// {"id", "question": {"stem", "choices": [{"label", "text"}, …]}, "answerKey"} without a rationale
// yet. A key that is missing or no choice's, and two choices with one letter, are the example's
// problem. Throws InputError with `where` for what has another form.
FoundRationale keyed_question(const Json& row, const std::string& where);

// CoS-E (Rajani et al. 2019): explanations of CommonsenseQA's answers, apart from the questions.

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

// ECQA (Aggarwal et al. 2021): questions of CommonsenseQA with explanations.

// An example a row, in file order, of the columns q_no, q_text, q_op1 … q_op5, q_ans and taskA_pos:
// the reasons for the answer, one a line, whose line breaks become blanks (the free-flow text of
// taskB is not REV's rationale). Throws InputError naming file, line and column.
std::vector<FoundRationale> read_ecqa(const std::filesystem::path& file);

// e-SNLI (Camburu et al. 2018): SNLI's pairs with up to three explanations each.

constexpr int64_t kAllExplanations = 0;

// The published CSV (pairID, gold_label, Sentence1, Sentence2, Explanation_1 and, but for training,
// Explanation_2 and Explanation_3) or LAS's TSV (unique_key, label as a number, premise,
// hypothesis, explanation1 to explanation3), in file order. `explanation`: 1, 2 or 3, an example a
// row with that one; kAllExplanations: an example for each that the file has a column for, with ids
// ID/1 and so on. The choices are entailment, neutral, contradiction. Throws InputError naming
// file, line and column.
std::vector<FoundRationale> read_esnli(const std::filesystem::path& file, int64_t explanation = 1);

// CommonsenseQA v1.0 with CoS-E's explanations as the authors of LAS give it (Hase et al. 2020).

// An example a row, in file order, of the columns id, question, choice_0, choice_1, …, label (the
// answer's number from 0) and human_exp. Throws InputError naming file, line and column; the test
// file, which has neither label nor explanation, is refused.
std::vector<FoundRationale> read_las(const std::filesystem::path& file);

// QuaRTz (Tafjord et al. 2019): questions about qualitative relations, each with the sentence of
// knowledge that answers it.

// An example a line of the published JSON lines, in file order: a keyed_question() and "para", the
// sentence, as the rationale. Throws InputError naming file and line.
std::vector<FoundRationale> read_quartz(const std::filesystem::path& file);

}  // namespace rubric::data
