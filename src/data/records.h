// The records of the public library, by their names here.
#pragma once

#include "rubric/records.h"

namespace rubric::data {

using rubric::Answer;
using rubric::AnswerPair;
using rubric::ChoiceQuestion;
using rubric::Derivation;
using rubric::DerivationQuestion;
using rubric::DerivationStep;
using rubric::Rationale;
using rubric::Scores;
using rubric::SourceTarget;
using rubric::SupportingFact;

}  // namespace rubric::data
