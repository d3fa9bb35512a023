// Every format of a file of answers.
#pragma once

#include "core/list.h"
#include "data/answers/answer_equivalence.h"
#include "data/answers/efficientqa.h"
#include "data/answers/evouna.h"
#include "data/answers/nq_open.h"
#include "data/answers/squad.h"
#include "data/answers/stsb.h"
#include "data/answers/text_lines.h"
#include "data/answers/trivia_qa.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// A new format is a line here, and files of its own.
inline constexpr const InputFormat* kInputFormats[] = {
    &InputFormat::kJsonl,
    &InputFormat::kJson,
    &InputFormat::kMocha,
    &InputFormat::kCsv,
    &InputFormat::kTsv,
    &kEvouna,
    &kEfficientQa,
    &kAnswerEquivalence,
    &kStsb,
    &kSquad,
    &kNqOpen,
    &kTriviaQa,
    &kTextLines,
};
static_assert(have_unique_names(kInputFormats));

}  // namespace rubric::data
