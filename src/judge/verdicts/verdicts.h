// A judge's verdicts on an answer, read from the text of its reply (CHIE, section 3).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "judge/request.h"

namespace rubric::judge {

// Correctness, helpfulness, irrelevancy, extraneousness: the order of the prompt's criteria.
inline constexpr std::array<const char*, 4> kAspects = {"C", "H", "I", "E"};

using Verdicts = std::array<bool, kAspects.size()>;  // whether the judge agrees, by aspect

// As the authors' code reads it: "Agree" and "Disagree" wherever they stand, in these letters, also
// inside longer words; nothing unless there are exactly four.
std::optional<Verdicts> published_verdicts(std::string_view reply);

// By aspect: the reply has the headings 1 to 4, once each and in this order ("2.", "**2)**", "Q2:",
// "| 2 |"), at the starts of lines or else within them, and none of 5 to 9; numbers of several
// digits are text. What stands below each says "agree" or "disagree", in any letters: one that
// opens a line or a sentence or follows a colon counts before those inside sentences, "not agree"
// and "hardly agree" are disagreements, also with two adverbs before the verb ("not fully agree"),
// and the question's own "agree or disagree" is none of them. Nothing where an aspect says neither
// or both, or has a word inside a sentence that denies something before it ("I refuse to agree",
// "I would not say I agree").
std::optional<Verdicts> strict_verdicts(std::string_view reply);

// {"C": true, "H": false, "I": false, "E": false}; null where there are none.
Json to_json(const std::optional<Verdicts>& verdicts);

// Which of two answers a judge prefers (CHIE, section 5.3 and Table 6).

enum class Preference { a, b, tie };

// "A", "B" or "Tie": the whole reply, its last line, or what stands behind its last colon, but for
// Markdown, quotes, brackets and full stops around it ("**A**", "[[B]]"); tie in any letters.
std::optional<Preference> read_preference(std::string_view reply);

// The instruction and passage, question and the two answers, as A and B in the order given.
std::vector<Message> preference_messages(const std::string& prompt, const data::Answer& asked,
                                         const std::string& first, const std::string& second);

const char* preference_name(Preference preference);  // "A", "B", "Tie"

}  // namespace rubric::judge
