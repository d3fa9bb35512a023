// Vacuous rationales of question answering, by rules for English: what stands in for the T5-3B
// converter (Chen et al. 2021) that REV (Chen et al. 2022, section 2) takes them from.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/json/json.h"

namespace rubric::data {

// How a question was turned into a statement.
enum class StatementRule {
  blank,     // a blank of underscores is filled
  end,       // "This causes what?": the wh-word that ends the question is replaced
  inside,    // "This causes what emotion in them?": so is one with words behind it
  subject,   // "What causes this?": the answer stands where the wh-phrase did
  identity,  // "What is the cause of this?": the answer behind "is"
  object,    // "What might it cause in them?": the subject before its verb, the answer behind it
  place,     // "Where might it live?": so, with "in" or "to"
  manner,    // why, how and when: so, with "because of" or "by"
  polar,     // "Is it so?", answered yes or no; "Is it this or that?"
  open,      // "He was tired so he": the answer is appended
  plain,     // none of them: QUESTION ANSWER.
};
inline constexpr size_t kStatementRules = 11;

const char* name_of(StatementRule rule);

struct Statement {
  std::string text;  // holds the answer as it is, but for a capital at the start
  StatementRule rule = StatementRule::plain;
};

// Question and answer, each with a word in it, as one sentence; the sentences before and behind the
// one that asks stay as they are.
Statement vacuous_statement(std::string_view question, std::string_view answer);

// Vacuous rationales of natural language inference.

// "PREMISE implies | contradicts | is not related to HYPOTHESIS." for the labels entailment,
// contradiction and neutral (REV, Chen et al. 2022, section 2 and Table 2): the premise without its
// end mark, the hypothesis with a small first letter. A first word that is "I", has further
// capitals, or stands with its capital inside premise or hypothesis (a name) keeps it. Throws
// InputError with `where` for another label, and for a premise or hypothesis without a word.
std::string vacuous_inference(std::string_view premise, std::string_view hypothesis,
                              std::string_view label, const std::string& where);

// What a rationale row's vacuous rationale is made from.

// Which label is given to what.
struct LabelledInput {
  std::string question;             // of question answering
  std::string premise, hypothesis;  // of natural language inference, where the question is ""
  std::string label;
};

// Of a row's `question`, or `premise` and `hypothesis`, and `label`, without the blanks around
// them. Throws InputError for a missing or empty one, and for a row with both kinds.
LabelledInput labelled_input(const Json& row, const std::string& where);

// What a converter of questions and answers reads, and the statements that it wrote.

// Question (or premise, a blank, hypothesis) and label.
using ConverterInput = std::pair<std::string, std::string>;
ConverterInput converter_input(const LabelledInput& input);

// JSON lines of question_text, answer_text and question_statement_text, in any order. Throws
// InputError for a missing or empty one, and for two statements of one input.
std::map<ConverterInput, std::string> read_statements(const std::filesystem::path& file);

}  // namespace rubric::data
