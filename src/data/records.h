// The records of the public library, by their names here.
#pragma once

#include "rubric/records.h"

namespace rubric::data {

using rubric::Answer;
using rubric::AnswerPair;
using rubric::ChoiceQuestion;
using rubric::SourceTarget;
using rubric::Rationale;
using rubric::DerivationStep;
using rubric::Derivation;
using rubric::DerivationQuestion;
using rubric::SupportingFact;
using rubric::Scores;

}  // namespace rubric::data
