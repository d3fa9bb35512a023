// One attempt at a judgement, as a line of a ledger.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge {

struct TokenUsage {
  int64_t prompt = 0, completion = 0;
};

// Of two answers that are compared, which was shown first: the candidate (ab) or the other (ba).
enum class AnswerOrder { none, ab, ba };

struct LedgerEntry {
  std::string key;      // request_key()
  data::Answer answer;  // its source is the system; the passage is not kept
  std::string other;    // the answer that it is compared with, where order is one
  AnswerOrder order = AnswerOrder::none;
  std::string language;                   // of the answer: "en"
  std::string judge;                      // the model
  std::string parameters;                 // a JSON object in one line; "": not recorded
  std::string passage_hash, prompt_hash;  // SHA-256; "" of a prompt that is not known
  int64_t attempt = 1;
  std::string reply;          // all of it
  std::string finish_reason;  // as the endpoint says it; "": not recorded
  std::optional<TokenUsage> usage;
  std::string time;  // when the reply came, UTC: "2024-06-01T12:00:00Z"; "": not recorded
};

// Which answer is judged: a system's, in a language, to a question; or which pair, in which order.
struct JudgedAnswer {
  std::string system, language, id;
  AnswerOrder order = AnswerOrder::none;
  auto operator<=>(const JudgedAnswer&) const = default;
};
JudgedAnswer judged_answer(const LedgerEntry& entry);

// Who judged it: a model, with a prompt and parameters.
struct EntryJudge {
  std::string judge, prompt_hash, parameters;
  auto operator<=>(const EntryJudge&) const = default;
};
EntryJudge entry_judge(const LedgerEntry& entry);

// An object that any command reads as a row: id, system, question, reference and candidate, beside
// what belongs to the judgement. Its "verdicts" are what published_verdicts() reads in the reply,
// its "preference" (where two answers are compared: "other" and "order", and no reference) the
// better answer, A the candidate; or else it is "invalid". They are there for other programs, as we
// read the reply again.
Json to_json(const LedgerEntry& entry);

// Throws InputError naming `where` and the field.
LedgerEntry ledger_entry(const Json& json, const std::string& where);

// What an entry of a ledger asks, and what its reply says: CHIE's four verdicts on an answer, or
// the better of two answers.

// What is sent. The answer's passage must be there.
std::vector<Message> entry_messages(const std::string& prompt, const LedgerEntry& entry);

// Whether the reply holds what was asked for: four verdicts, as published_verdicts() reads them, or
// a preference.
bool holds_verdict(const LedgerEntry& entry);

// The better answer of an entry that compares two: a is the candidate, whichever was shown first.
std::optional<Preference> entry_preference(const LedgerEntry& entry);

}  // namespace rubric::judge
