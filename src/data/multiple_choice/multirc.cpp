#include "data/multiple_choice/multirc.h"

#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::data {
namespace {

constexpr std::string_view kBreak = "<br>", kNumber = "<b>Sent ", kEnd = ": </b>";

// The length of the "<b>Sent 12: </b>" at `at`; 0 if there is none.
size_t number_length(std::string_view text, size_t at) {
  if (text.substr(at, kNumber.size()) != kNumber) return 0;
  size_t end = at + kNumber.size();
  while (end < text.size() && is_ascii_digit(text[end])) ++end;
  return text.substr(end, kEnd.size()) == kEnd ? end + kEnd.size() - at : 0;
}

void read_question(const Json& json, const ChoiceQuestion& blank, const std::string& where,
                   ChoiceSet& set) {
  ChoiceQuestion question = blank;
  question.question = json.require_string("question", where);
  int64_t number = 0;
  for (const Json& answer : json.require_array("answers", where)) {
    const std::string place = where + ", answer " + std::to_string(++number);
    (answer.require_boolean("isAnswer", place) ? question.correct : question.incorrect)
        .push_back(answer.require_string("text", place));
  }
  if (question.correct.empty() || question.incorrect.empty()) {
    ++set.dropped["MultiRC questions without both a correct and an incorrect answer"];
  } else {
    set.questions.push_back(std::move(question));
  }
}

}  // namespace

std::string without_sentence_markup(const std::string& text) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    if (text.compare(at, kBreak.size(), kBreak) == 0) {
      plain += ' ';
      at += kBreak.size();
    } else if (const size_t length = number_length(text, at); length > 0) {
      at += length;
    } else {
      plain += text[at++];
    }
  }
  const size_t end = plain.find_last_not_of(' ');
  return end == std::string::npos ? "" : plain.substr(0, end + 1);
}

ChoiceSet read_multirc(const std::filesystem::path& json) {
  const std::string file = json.string();
  const Json root = Json::parse_file(json);
  ChoiceSet set;
  int64_t number = 0;
  for (const Json& entry : root.require_array("data", file)) {
    const std::string id =
        entry.require_string("id", file + ": paragraph " + std::to_string(++number));
    const std::string where = file + ": " + json_quote(id);
    const Json& paragraph = entry.require("paragraph", where);
    ChoiceQuestion blank;
    blank.source = source_name("multirc", json);
    blank.passage = without_sentence_markup(paragraph.require_string("text", where));
    int64_t question = 0;
    for (const Json& value : paragraph.require_array("questions", where)) {
      const std::string ordinal = std::to_string(++question);
      blank.id = id + "#" + ordinal;
      read_question(value, blank, where + ", question " + ordinal, set);
    }
  }
  require_questions(set, json);
  return set;
}

}  // namespace rubric::data
