// Parses a judge's reply: verdicts on an answer (CHIE, section 3), or which of two answers is
// better.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "judge/request.h"

namespace rubric::judge {

// Correctness, helpfulness, irrelevancy, extraneousness, in the order of the prompt's criteria.
inline constexpr std::array<const char*, 4> kAspects = {"C", "H", "I", "E"};

using Verdicts = std::array<bool, kAspects.size()>;  // by aspect: whether the judge agrees

// How a reply is read: as the authors' code reads it, or by aspect.
enum class VerdictParser { published, strict };
inline constexpr std::array<const char*, 2> kParserNames = {"published", "strict"};

const char* parser_name(VerdictParser parser);

// Throws InputError naming `where` unless it is one of kParserNames.
VerdictParser parser_of_name(const std::string& name, const std::string& where);

// Every parser reads the answer after the judge's thinking (reply.h), and an answer in JSON by its
// keys: {"reason": "…", "irrelevant": "Disagree", "correct": "Agree", …}. A key names an aspect by
// its letter, its number from 1 to 4 or its name; a value is Agree or Disagree, yes or no, true or
// false, 1 or 0, or an object that holds one of these. An array of four values is in the order of
// the aspects. nullopt unless each aspect has one verdict.
std::optional<Verdicts> read_verdicts(std::string_view reply, VerdictParser parser);

// Parses as the authors' code does: finds "Agree" and "Disagree" anywhere, case-sensitive, also
// inside longer words; nullopt unless there are exactly four. Verdicts of which each follows the
// name or number of an aspect, in another order than the aspects', are none either: "Extraneous:
// Disagree, …, Correct: Agree".
std::optional<Verdicts> published_verdicts(std::string_view reply);

// Parses by aspect. The reply must have the headings 1 to 4, once each and in this order ("2.",
// "**2)**", "Q2:", "| 2 |"), at the starts of lines or else within them, and none of 5 to 9;
// numbers of several digits are text. The text below each heading must say "agree" or "disagree",
// in any case: one that starts a line or a sentence or follows a colon takes precedence over those
// inside sentences; "not agree" and "hardly agree" are disagreements, also with two adverbs before
// the verb ("not fully agree"); the question's own "agree or disagree" does not count. nullopt
// where an aspect says neither or both, or where a word inside a sentence negates something before
// it ("I refuse to agree", "I would not say I agree").
std::optional<Verdicts> strict_verdicts(std::string_view reply);

// {"C": true, "H": false, "I": false, "E": false}; null for nullopt.
Json to_json(const std::optional<Verdicts>& verdicts);

// Which of two answers a judge prefers (CHIE, section 5.3 and Table 6).
enum class Preference { a, b, tie };

// Parses "A", "B" or "Tie" in the answer after the judge's thinking, in JSON as the value of a key
// such as "preference", "winner" or "better_answer": the whole answer, its last line, or the text
// after a last label such as "Better answer:", without the word "Answer" before it and Markdown,
// quotes, brackets and full stops around it ("**A**", "[[B]]", "Answer A"); "tie" in any case. A
// label or a key that names something else, or the worse answer, gives nullopt.
std::optional<Preference> read_preference(std::string_view reply);

// The messages of a comparison: the instruction, and passage, question and the two answers as A and
// B in the given order.
std::vector<Message> preference_messages(const std::string& prompt, const data::Answer& asked,
                                         const std::string& first, const std::string& second);

const char* preference_name(Preference preference);  // "A", "B", "Tie"

}  // namespace rubric::judge
