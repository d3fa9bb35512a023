#include "judge/ledger/entry.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "data/answers/answer_rows.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge {

namespace {

// null for an empty text: not recorded.
Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

std::string require_text(const Json& json, const char* field, const std::string& where) {
  std::string text = json.require_string(field, where);
  if (!text.empty()) return text;
  throw InputError("the field " + json_quote(field) + " is empty", where,
                   "name a ledger that rubric judge wrote");
}

int64_t require_count(const Json& json, const char* field, int64_t least,
                      const std::string& where) {
  const int64_t count = json.require_integer(field, where);
  if (count >= least) return count;
  throw InputError("the field " + json_quote(field) + " is " + std::to_string(count), where,
                   "it must be " + std::to_string(least) + " or more");
}

std::optional<TokenUsage> usage_of(const Json& json, const std::string& where) {
  const Json* const usage = json.find("usage");
  if (usage == nullptr || usage->is_null()) return std::nullopt;
  return TokenUsage{require_count(*usage, "prompt_tokens", 0, where),
                    require_count(*usage, "completion_tokens", 0, where)};
}

std::string parameters_of(const Json& json, const std::string& where) {
  const Json* const parameters = json.find("parameters");
  if (parameters == nullptr || parameters->is_null()) return "";
  if (parameters->is_object()) return parameters->dump();
  throw InputError(std::string("the field \"parameters\" is ") + parameters->kind(), where,
                   "it must be an object or null");
}

// Reads the answer, or the two answers that are compared.
void read_judged_answers(const Json& json, const std::string& where, LedgerEntry& entry) {
  constexpr int64_t kNoRow = 0;  // not used: there is an id
  const std::string order = data::optional_text(json, "order", where);
  if (order.empty()) {
    entry.answer = data::row_answer(json, {{"source", "system"}}, kNoRow, where);
    return;
  }
  if (order != "AB" && order != "BA") {
    throw InputError("the field \"order\" is " + json_quote(order), where, "it must be AB or BA");
  }
  entry.order = order == "AB" ? AnswerOrder::ab : AnswerOrder::ba;
  entry.answer.id = data::plain_name(json.require_string("id", where));
  entry.answer.source = data::plain_name(json.require_string("system", where));
  entry.answer.question = json.require_string("question", where);
  entry.answer.candidate = json.require_string("candidate", where);
  entry.other = json.require_string("other", where);
}

}  // namespace

JudgedAnswer judged_answer(const LedgerEntry& entry) {
  return {entry.answer.source, entry.language, entry.answer.id, entry.order};
}

EntryJudge entry_judge(const LedgerEntry& entry) {
  return {entry.judge, entry.prompt_hash, entry.parameters};
}

Json to_json(const LedgerEntry& entry) {
  Json json;
  json["key"] = entry.key;
  json["id"] = entry.answer.id;
  json["system"] = entry.answer.source;
  json["language"] = entry.language;
  json["judge"] = entry.judge;
  json["parameters"] =
      entry.parameters.empty() ? Json() : Json::parse(entry.parameters, "parameters");
  json["question"] = entry.answer.question;
  const std::vector<std::string>& references = entry.answer.references;
  const bool is_pair = entry.order != AnswerOrder::none;
  if (!is_pair) {
    json["reference"] = references.size() == 1
                            ? Json(references.front())
                            : Json(Json::Array(references.begin(), references.end()));
  }
  json["candidate"] = entry.answer.candidate;
  if (is_pair) {
    json["other"] = entry.other;
    json["order"] = entry.order == AnswerOrder::ab ? "AB" : "BA";
  }
  json["passage_hash"] = entry.passage_hash;
  json["prompt_hash"] = text_or_null(entry.prompt_hash);
  json["attempt"] = entry.attempt;
  json["reply"] = entry.reply;
  json["finish_reason"] = text_or_null(entry.finish_reason);
  if (entry.parser != VerdictParser::published) json["parser"] = parser_name(entry.parser);
  if (!holds_verdict(entry)) {
    json["invalid"] = true;
  } else if (is_pair) {
    json["preference"] = preference_name(*entry_preference(entry));
  } else {
    json["verdicts"] = to_json(read_verdicts(entry.reply, entry.parser));
  }
  if (entry.usage) {
    json["usage"] = Json::Object{{"prompt_tokens", entry.usage->prompt},
                                 {"completion_tokens", entry.usage->completion}};
  } else {
    json["usage"] = Json();
  }
  json["time"] = text_or_null(entry.time);
  return json;
}

LedgerEntry ledger_entry(const Json& json, const std::string& where) {
  LedgerEntry entry;
  entry.key = require_text(json, "key", where);
  for (const char* field : {"id", "system", "language", "judge"}) require_text(json, field, where);
  read_judged_answers(json, where, entry);
  entry.language = json.require_string("language", where);
  entry.judge = json.require_string("judge", where);
  entry.parameters = parameters_of(json, where);
  entry.passage_hash = require_text(json, "passage_hash", where);
  entry.prompt_hash = data::optional_text(json, "prompt_hash", where);
  entry.attempt = require_count(json, "attempt", 1, where);
  entry.reply = json.require_string("reply", where);
  entry.finish_reason = data::optional_text(json, "finish_reason", where);
  entry.usage = usage_of(json, where);
  entry.time = data::optional_text(json, "time", where);
  const std::string parser = data::optional_text(json, "parser", where);
  if (!parser.empty()) entry.parser = parser_of_name(parser, where);
  return entry;
}

std::vector<Message> entry_messages(const std::string& prompt, const LedgerEntry& entry) {
  const data::Answer& answer = entry.answer;
  switch (entry.order) {
    case AnswerOrder::ab:
      return preference_messages(prompt, answer, answer.candidate, entry.other);
    case AnswerOrder::ba:
      return preference_messages(prompt, answer, entry.other, answer.candidate);
    default:
      return judge_messages(prompt, answer);
  }
}

bool holds_verdict(const LedgerEntry& entry) {
  if (entry.order == AnswerOrder::none) return read_verdicts(entry.reply, entry.parser).has_value();
  return read_preference(entry.reply).has_value();
}

bool is_truncated(const LedgerEntry& entry) {
  // OpenAI's word, Anthropic's and Gemini's, Mistral's.
  constexpr std::array<std::string_view, 3> kAtLimit = {"length", "max_tokens", "model_length"};
  return std::ranges::count(kAtLimit, ascii_lower(entry.finish_reason)) > 0;
}

bool is_refused(const std::string& finish_reason) {
  constexpr std::array<std::string_view, 3> kRefusals = {kFiltered, kRefusal,
                                                         "safety"};  // Gemini's
  const std::string reason = ascii_lower(finish_reason);
  return std::ranges::any_of(kRefusals, [&](auto word) { return reason.starts_with(word); });
}

std::string reply_sample(const LedgerEntry& entry) {
  constexpr size_t kShown = 300;
  const std::string& reply = entry.reply;
  const std::string start = repair_utf8(std::string_view(reply).substr(0, kShown));
  return json_quote(start + (reply.size() > kShown ? "…" : "")) +
         (entry.finish_reason.empty() ? ""
                                      : " (finish_reason " + json_quote(entry.finish_reason) + ")");
}

std::string unread_text(int64_t count, const std::string& sample) {
  return "no verdict could be read in " + counted(count, "reply") + "; one is " + sample;
}

std::optional<Preference> entry_preference(const LedgerEntry& entry) {
  const std::optional<Preference> shown = read_preference(entry.reply);
  if (!shown || *shown == Preference::tie || entry.order == AnswerOrder::ab) return shown;
  return *shown == Preference::a ? Preference::b : Preference::a;
}

}  // namespace rubric::judge
