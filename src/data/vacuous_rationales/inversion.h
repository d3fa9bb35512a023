// The subject of a question before its verb again: "would you put it" → "you would put it".
#pragma once

#include <optional>
#include <string_view>

#include "data/vacuous_rationales/sentence_words.h"

namespace rubric {

// A main clause in the order of a statement.
struct Clause {
  Words subject;
  Words predicate;    // from the auxiliary or the verb on
  size_t verb = 0;    // the main verb's place in the predicate, of "to be" the auxiliary's
  std::string plain;  // the main verb in its plain form
};

bool is_motion(std::string_view verb);  // to a place: go, heading

// Of what stands behind the auxiliary in a question: whether that is a verb at once, so that what
// was asked for is itself the subject ("What would | hide a snake").
bool lacks_subject(const Word& auxiliary, const Words& rest);

// `rest` is what stands behind the auxiliary. Nothing where the subject's end is not found.
std::optional<Clause> undo_inversion(const Word& auxiliary, const Words& rest);

// Where in the predicate the answer belongs: to what, to where, and to why, how and when.
size_t object_place(const Clause& clause);
size_t goal_or_place(const Clause& clause);
size_t end_of_main_clause(const Clause& clause);

}  // namespace rubric
