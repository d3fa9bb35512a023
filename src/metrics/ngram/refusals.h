// Which candidates answer nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rubric::metrics {

// Whether the whole text is one of the refusals in refusals.txt. Compared are small letters, words
// joined by one space, without marks at both ends ("“No idea…”"), with contractions
// written out, without "I am sorry, but" before it and "sorry" behind it: "Sorry, I dont know." is
// "i do not know".
// "N/A" is a refusal, "Na" is sodium.
bool is_refusal(std::string_view text);

// Whether the candidate answers nothing, where a reference says something: it is empty (white
// space, control and format characters alone) and no reference is, or it is a refusal and no
// reference is empty or a refusal. False without references.
bool answers_nothing(std::span<const std::string> references, std::string_view candidate);

// Whether the candidate is a refusal and a reference is empty: the question has no answer, which
// the refusal says as an empty candidate does.
bool finds_no_answer(std::span<const std::string> references, std::string_view candidate);

}  // namespace rubric::metrics
