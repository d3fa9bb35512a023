// Which candidates answer nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rubric::metrics {

// Whether the whole text is one of the refusals in refusals.txt. Compared are small letters, words
// joined by one space, without marks at both ends ("“No idea…”"), with contractions
// written out, without an opening such as "I am sorry, but" before it and "sorry" behind it: "As a
// language model, I dont know." is "i do not know".
// "N/A" is a refusal, "Na" is sodium.
bool is_refusal(std::string_view text);

// Whether a reference says that the question has no answer: it is empty, a refusal, or a word such
// as "unknown", which as a candidate may be an answer.
bool has_no_answer(std::string_view reference);

// Whether the candidate answers nothing, where a reference says something: it is empty (white
// space, control and format characters alone) and no reference is, or it is a refusal and of no
// reference has_no_answer(). False without references.
bool answers_nothing(std::span<const std::string> references, std::string_view candidate);

// What the candidate says, too, where it is a refusal or a word such as "unknown", and the question
// has no answer: "" where a reference is empty, else the first that has_no_answer(). nullopt where
// there is none or a reference is the candidate, and of other candidates.
std::optional<std::string_view> same_refusal(std::span<const std::string> references,
                                             std::string_view candidate);

}  // namespace rubric::metrics
