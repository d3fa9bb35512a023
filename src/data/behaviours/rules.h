// The rules that make minimal pairs, one for each behaviour.
#pragma once

#include <string>
#include <vector>

#include "data/behaviours/behaviours.h"

namespace rubric::data {

struct BehaviourQuestion {
  std::string question;                 // without a question mark at its end
  std::string right;                    // the first reference
  std::vector<std::string> references;  // all
  std::string wrong, other;             // answers to other questions, of the same kind as `right`
  std::vector<std::string> judged_right, judged_wrong;  // candidates that people judged
  Wordings wordings = Wordings::testing;
  uint64_t key = 0;  // of all that is drawn
};

extern const Behaviour kNegation, kNumber, kEntity, kVerboseRight, kVerboseWrong, kSeveral,
    kRefusal, kDate, kUnit, kTypo, kParaphrase;

}  // namespace rubric::data
