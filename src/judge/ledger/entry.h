// An entry of a ledger: one attempt at a judgement, its JSON form, the messages it sends and the
// verdict in its reply.
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

// Words of `finish_reason`: OpenAI's of a filter, and ours of a message that is a refusal, which is
// also Anthropic's.
inline constexpr const char *kFiltered = "content_filter", *kRefusal = "refusal";

// Which of two compared answers was shown first: the candidate (ab) or the other (ba).
enum class AnswerOrder { none, ab, ba };

struct LedgerEntry {
  std::string key;      // request_key()
  data::Answer answer;  // its source is the system; the passage is not stored
  std::string other;    // the answer it is compared with, unless order is none
  AnswerOrder order = AnswerOrder::none;
  std::string language;                   // of the answer: "en"
  std::string judge;                      // the model
  std::string parameters;                 // a JSON object on one line; "": not recorded
  std::string passage_hash, prompt_hash;  // SHA-256; prompt_hash is "" if the prompt is unknown
  int64_t attempt = 1;
  std::string reply;          // the full text
  std::string finish_reason;  // the endpoint's, or kRefusal; "": not recorded
  std::optional<TokenUsage> usage;
  std::string time;  // of the reply, UTC: "2024-06-01T12:00:00Z"; "": not recorded
  VerdictParser parser = VerdictParser::published;  // by which `judge` read the reply
};

// Identifies the judged answer (of a system, in a language, to a question) or the pair and its
// order.
struct JudgedAnswer {
  std::string system, language, id;
  AnswerOrder order = AnswerOrder::none;
  auto operator<=>(const JudgedAnswer&) const = default;
};
JudgedAnswer judged_answer(const LedgerEntry& entry);

// Identifies the judge: a model with a prompt and parameters.
struct EntryJudge {
  std::string judge, prompt_hash, parameters;
  auto operator<=>(const EntryJudge&) const = default;
};
EntryJudge entry_judge(const LedgerEntry& entry);

// An object that every command can read as a row: id, system, question, reference and candidate,
// and the fields of the judgement. "verdicts" are those that its parser reads; for a comparison
// (with "other" and "order", without reference) "preference" is the better answer, A the candidate;
// otherwise the entry is "invalid". These are for other programs: we parse the reply again.
Json to_json(const LedgerEntry& entry);

// The fields of the judgement, and of the ledger's first line "prompt".
inline constexpr const char* kJudgementFields[] = {
    "key",         "judge",    "parameters", "order",         "passage_hash", "prompt",
    "prompt_hash", "attempt",  "reply",      "finish_reason", "parser",       "invalid",
    "preference",  "verdicts", "usage",      "time"};

// Throws InputError naming `where` and the field.
LedgerEntry ledger_entry(const Json& json, const std::string& where);

// The messages to send. The answer must have its passage.
std::vector<Message> entry_messages(const std::string& prompt, const LedgerEntry& entry);

// Whether the reply holds what was asked for: CHIE's four verdicts by its parser, or a preference.
bool holds_verdict(const LedgerEntry& entry);

// Whether the judge reached the limit of its tokens: its server says so ("length").
bool is_truncated(const LedgerEntry& entry);

// Whether the judge or a filter of its server refused: "refusal", "content_filter".
bool is_refused(const std::string& finish_reason);

// The start of the reply and why it ended, for messages: "Sorry, I …" (finish_reason "refusal").
std::string reply_sample(const LedgerEntry& entry);

// "no verdict could be read in 3 replies; one is SAMPLE".
std::string unread_text(int64_t count, const std::string& sample);

// The better answer of a comparison: `a` is the candidate, regardless of the order shown.
std::optional<Preference> entry_preference(const LedgerEntry& entry);

}  // namespace rubric::judge
