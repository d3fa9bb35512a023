// Which of two answers a judge prefers (CHIE, section 5.3 and Table 6).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/request.h"

namespace rubric {

enum class Preference { a, b, tie };

// "A", "B" or "Tie": the whole reply, its last line, or what stands behind its last colon, but for
// Markdown, quotes, brackets and full stops around it ("**A**", "[[B]]"); tie in any letters.
std::optional<Preference> read_preference(std::string_view reply);

// The instruction and passage, question and the two answers, as A and B in the order given.
std::vector<Message> preference_messages(const std::string& prompt, const Answer& asked,
                                         const std::string& first, const std::string& second);

const char* preference_name(Preference preference);  // "A", "B", "Tie"

}  // namespace rubric
