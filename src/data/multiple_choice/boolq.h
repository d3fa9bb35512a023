// BoolQ (Clark et al. 2019): yes/no questions.
#pragma once

#include <filesystem>

#include "data/multiple_choice/readers.h"

namespace rubric::data {

// Reads lines {question, passage, answer: true or false}; ignores other fields and blank lines. The
// answers are "yes" and "no". Throws InputError naming file and line.
ChoiceSet read_boolq(const std::filesystem::path& jsonl);

inline constexpr ChoiceReader kBoolQ = {.name = "boolq",
                                        .summary = "yes/no questions (Clark et al. 2019)",
                                        .files = "BoolQ: .jsonl files",
                                        .read = read_boolq};

}  // namespace rubric::data
