// Vacuous rationales of question answering, by rules for English: what stands in for the T5-3B
// converter (Chen et al. 2021) that REV (Chen et al. 2022, section 2) takes them from.
#pragma once

#include <string>
#include <string_view>

namespace rubric {

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

}  // namespace rubric
