// Which of several references to train on.
#pragma once

#include <string>

#include "data/records.h"

namespace rubric {

// The reference that has most of its words in the candidate; of several such the one whose words
// make up most of the candidate, then the first. A word is a run of ASCII letters, taken as small
// ones, digits and other alphabets' bytes. An answer that is right is right by one of its
// references: to train it with another teaches that what differs is the same.
const std::string& nearest_reference(const Answer& answer);

}  // namespace rubric
