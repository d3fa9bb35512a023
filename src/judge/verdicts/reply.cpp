#include "judge/verdicts/reply.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/embedded.h"
#include "core/text/ascii.h"
#include "judge/verdicts/verdicts.h"
#include "text/unicode/unicode.h"

namespace rubric::judge {

namespace {

// ---- thinking ----

struct Tags {
  std::string_view open, close;  // in lower case
};

// Those that no word in the tag names: gpt-oss and MedGemma.
constexpr Tags kNamedTags[] = {
    {"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"},
    {"<unused94>", "<unused95>"},
};

// Words for thinking in a tag's name, beside those that hold "think".
const WordList kThoughts("judge/verdicts/verdicts.tsv", "thoughts");

struct Brackets {
  std::string_view open, close;
  bool takes_all;  // else only words that hold "think": "[Analysis]" may be a heading
};
constexpr Brackets kBrackets[] = {
    {"<", ">", true}, {"[", "]", false}, {"◁", "▷", true}, {"&lt;", "&gt;", true}};

enum class TagKind { none, opens, closes };

// What a tag is by the text between its brackets, in lower case: "think", "/think", " / think ",
// "seed:think", "|start_thinking|", "|end_of_thought|", "think type=\"x\"".
TagKind tag_kind(std::string_view inside, bool takes_all) {
  size_t at = 0;
  while (at < inside.size() && !is_ascii_letter(inside[at])) ++at;
  bool closes = inside.substr(0, at).find('/') != inside.npos ||
                inside.ends_with('/');  // "think/" is no thinking
  bool is_thinking = false;
  while (at < inside.size() && inside[at] != ' ') {  // attributes follow
    size_t end = at;
    while (end < inside.size() && is_ascii_letter(inside[end])) ++end;
    const std::string_view word = inside.substr(at, end - at);
    closes = closes || word == "end";
    is_thinking = is_thinking || word.find("think") != word.npos ||
                  (takes_all && std::ranges::count(kThoughts, word) > 0);
    at = std::max(end, at + 1);
  }
  if (!is_thinking) return TagKind::none;
  return closes ? TagKind::closes : TagKind::opens;
}

struct Tag {
  TagKind kind = TagKind::none;
  size_t end = 0;
};

// The tag of thinking that begins at a position of a reply in lower case.
Tag tag_at(std::string_view lower, size_t at) {
  const std::string_view rest = lower.substr(at);
  for (const Tags& tags : kNamedTags) {
    if (rest.starts_with(tags.open)) return {TagKind::opens, at + tags.open.size()};
    if (rest.starts_with(tags.close)) return {TagKind::closes, at + tags.close.size()};
  }
  for (const Brackets& brackets : kBrackets) {
    if (!rest.starts_with(brackets.open)) continue;
    constexpr size_t kLongest = 80;
    const std::string_view text = rest.substr(brackets.open.size(), kLongest);
    const size_t end = text.find(brackets.close);
    if (end == text.npos) return {};
    return {tag_kind(text.substr(0, end), brackets.takes_all),
            at + brackets.open.size() + end + brackets.close.size()};
  }
  return {};
}

// ---- JSON ----

// Whether an object with a key, or a list of objects, begins here: {" or {' or {key: or [{.
bool begins_json(std::string_view text) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  const std::string_view inside = text::strip(text.substr(1, std::min<size_t>(text.size(), 4096)));
  if (text.front() == '[') return inside.starts_with('{');
  for (const std::string_view quote : {"\"", "\\\"", "'", "“", "‘"}) {
    if (inside.starts_with(quote)) return true;
  }
  size_t end = 0;
  while (end < inside.size() && (is_ascii_letter(inside[end]) || inside[end] == '_')) ++end;
  return end > 0 && text::strip(inside.substr(end)).starts_with(':');
}

// Whether the text is the inside of an object: "correct": …, as where the request began the reply
// with a brace.
bool begins_member(std::string_view text) {
  if (!text.starts_with('"')) return false;
  const size_t end = text.find_first_of("\"\n", 1);
  return end != text.npos && text::strip(text.substr(end + 1, 8)).starts_with(':');
}

// Whether a line begins with a first heading, which JSON never does: "1. Agree".
bool begins_headings(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" *#-"), line.size()));
  return (line.starts_with("1.") || line.starts_with("1)")) && line.size() > 2 &&
         !is_ascii_digit(line[2]);
}

// The position after the bracket that closes the one at the start, or of the headings before it;
// npos if there is neither.
size_t json_end(std::string_view text) {
  int64_t depth = 0;
  bool is_quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quoted) {
      if (c == '\\') ++at;
      is_quoted = c != '"';
      continue;
    }
    is_quoted = c == '"';
    if (c == '\n' && begins_headings(text.substr(at + 1))) return at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return text.npos;
}

// Whether the text at [begin, end) has its lines for itself.
bool fills_lines(std::string_view answer, size_t begin, size_t end) {
  const size_t line = answer.find('\n', end);
  return (begin == 0 || answer[begin - 1] == '\n') &&
         text::strip(answer.substr(end, line == answer.npos ? line : line - end)).empty();
}

// Whether the text is a list of four values, such as ["Agree", "Disagree", "no", 0].
bool is_list(std::string_view text) {
  const std::optional<Json> json = parsed_json(text);
  return json && json->is_array() && json->array().size() == kAspects.size();
}

// The parts of an answer that are JSON, valid or not, in their order.
std::vector<std::string_view> json_texts(std::string_view answer) {
  if (begins_member(answer)) return {answer};
  std::vector<std::string_view> found;
  size_t tried = 0;  // up to here as a list
  for (size_t at = answer.find_first_of("{["); at != answer.npos;
       at = answer.find_first_of("{[", at)) {
    const bool begins = begins_json(answer.substr(at));
    const bool is_tried = !begins && answer[at] == '[' && at >= tried;
    const size_t end = begins || is_tried ? json_end(answer.substr(at)) : 0;
    const std::string_view text = answer.substr(at, end);
    if (is_tried) tried = at + text.size();
    const bool is_whole = is_tried && end != text.npos && fills_lines(answer, at, at + end);
    if (begins || (is_whole && is_list(text))) {
      found.push_back(text);
      at += text.size();
    } else {
      ++at;
    }
  }
  return found;
}

// ---- the answer ----

struct Answer {
  std::string text;
  bool ends_in_thinking = false;
};

// gpt-oss's tags as servers leave them that drop special tokens: "analysisWe need …assistantfinal1.
// Agree". nullopt unless the reply begins so.
std::optional<Answer> answer_without_tags(std::string_view reply) {
  constexpr std::string_view kOpens = "analysis", kCloses = "assistantfinal";
  const size_t begin = std::min(reply.find_first_not_of(" \t\r\n"), reply.size());
  const std::string_view text = reply.substr(begin);
  if (!text.starts_with(kOpens) || text.size() == kOpens.size()) return std::nullopt;
  const char next = text[kOpens.size()];
  if (!is_ascii_digit(next) && !(next >= 'A' && next <= 'Z')) return std::nullopt;
  const size_t end = reply.rfind(kCloses);
  if (end == reply.npos) return Answer{"", true};
  return Answer{std::string(reply.substr(end + kCloses.size())), false};
}

Answer answer_of(std::string_view reply) {
  if (auto answer = answer_without_tags(reply)) return std::move(*answer);
  const std::string lower = ascii_lower(reply);
  std::vector<std::string_view> quoted = json_texts(lower);  // tags in JSON are text
  std::erase_if(quoted, [](std::string_view text) { return json_end(text) == text.npos; });
  auto next = quoted.begin();
  Answer answer;
  size_t begin = 0;  // of the text behind the last tag
  for (size_t at = 0; at < lower.size(); ++at) {
    while (next != quoted.end() && next->data() == lower.data() + at) at += (next++)->size();
    const Tag tag = tag_at(lower, at);
    const bool is_mentioned = at > 1 && std::string_view("\"'`").find(lower[at - 1]) != lower.npos;
    if (tag.kind == TagKind::closes) {
      if (!answer.ends_in_thinking) answer.text.clear();  // thinking that no tag opens
      answer.ends_in_thinking = false;
      begin = tag.end;
    }
    if (tag.kind == TagKind::opens && !answer.ends_in_thinking && !is_mentioned) {
      answer.text += std::string(reply.substr(begin, at - begin)) + "\n";
      answer.ends_in_thinking = true;
    }
  }
  if (!answer.ends_in_thinking) answer.text += reply.substr(begin);
  return answer;
}

}  // namespace

std::string answer_text(std::string_view reply) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (reply.starts_with(kByteOrderMark)) reply.remove_prefix(kByteOrderMark.size());
  return std::string(text::strip(answer_of(reply).text));
}

bool ends_in_thinking(std::string_view reply) {
  return answer_of(reply).ends_in_thinking;
}

std::optional<Json> parsed_json(std::string_view text) {
  try {
    return Json::parse(text, "");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<std::vector<Json>> answer_json(std::string_view answer,
                                             bool (*concerns)(std::string_view)) {
  std::optional<std::vector<Json>> values;
  for (const std::string_view text : json_texts(answer)) {
    if (!concerns(text)) continue;
    if (!values) values.emplace();
    std::optional<Json> json = parsed_json(text);
    if (json) {
      values->push_back(std::move(*json));
    } else {
      values->clear();
    }
  }
  return values;
}

}  // namespace rubric::judge
