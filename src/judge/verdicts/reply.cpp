#include "judge/verdicts/reply.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/text/ascii.h"

namespace rubric::judge {

namespace {

struct Tags {
  std::string_view open, close;  // in lower case
};

// As published models and servers write them: DeepSeek-R1 and Qwen3, Claude's and Gemini's prompts,
// Magistral, Kimi, OpenThinker, gpt-oss.
constexpr Tags kThinking[] = {{"<think>", "</think>"},
                              {"<thinking>", "</thinking>"},
                              {"<thought>", "</thought>"},
                              {"<reasoning>", "</reasoning>"},
                              {"[think]", "[/think]"},
                              {"◁think▷", "◁/think▷"},
                              {"<|begin_of_thought|>", "<|end_of_thought|>"},
                              {"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"}};

struct Span {
  size_t begin, end;
};

// The part of a reply that is its answer, and where thinking opens again ("npos": nowhere).
Span answer_span(std::string_view reply, bool& ends_thinking) {
  const std::string lower = ascii_lower(reply);
  Span answer = {0, lower.size()};
  for (const Tags& tags : kThinking) {
    const size_t at = lower.rfind(tags.close);
    if (at != lower.npos) answer.begin = std::max(answer.begin, at + tags.close.size());
  }
  ends_thinking = false;
  for (const Tags& tags : kThinking) {
    const size_t at = lower.find(tags.open, answer.begin);
    if (at == lower.npos) continue;
    ends_thinking = true;
    answer.end = std::min(answer.end, at);
  }
  return answer;
}

constexpr std::string_view kBlank = " \t\r\n";

std::string_view strip(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

std::optional<Json> parsed(std::string_view text) {
  try {
    return Json::parse(text, "the reply");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// The text in the first Markdown fence; "" if there is none.
std::string_view fenced(std::string_view text) {
  constexpr std::string_view kFence = "```";
  const size_t open = text.find(kFence);
  const size_t line = open == text.npos ? text.npos : text.find('\n', open);
  const size_t close = line == text.npos ? text.npos : text.find(kFence, line);
  return close == text.npos ? "" : strip(text.substr(line, close - line));
}

}  // namespace

std::string_view answer_text(std::string_view reply) {
  bool ends_thinking = false;
  const Span answer = answer_span(reply, ends_thinking);
  return strip(reply.substr(answer.begin, answer.end - answer.begin));
}

bool ends_in_thinking(std::string_view reply) {
  bool ends_thinking = false;
  answer_span(reply, ends_thinking);
  return ends_thinking;
}

std::optional<Json> answer_json(std::string_view answer) {
  const std::string_view in_fence = fenced(answer);
  const size_t open = answer.find('{'), close = answer.rfind('}');
  const bool has_braces = open != answer.npos && close != answer.npos && open < close;
  for (const std::string_view text :
       {answer, in_fence, has_braces ? answer.substr(open, close + 1 - open) : ""}) {
    if (!text.starts_with('{') && !text.starts_with('[')) continue;
    std::optional<Json> json = parsed(text);
    const bool is_empty = json && json->is_object() && json->object().empty();
    if (json && !is_empty) return json;
  }
  if (answer.starts_with('{') || in_fence.starts_with('{')) return Json();
  return std::nullopt;
}

}  // namespace rubric::judge
