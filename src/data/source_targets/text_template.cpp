#include "data/source_targets/text_template.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/json/json.h"

namespace rubric {
namespace {

bool is_mark(const std::string& word) {
  return word.size() > 2 && ((word.front() == '[' && word.back() == ']') ||
                             (word.front() == '<' && word.back() == '>'));
}

void add_once(std::string word, std::vector<std::string>& words) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
}

}  // namespace

TextTemplate parse_template(const std::string& text, const std::string& where) {
  const auto fail = [&](const std::string& what) {
    throw InputError(what + " in the template " + json_quote(text), where,
                     "write the place of a field as {name}, that of a list as {name:MARK}");
  };
  TextTemplate parts;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '}') fail("a brace closes that was not opened");
    const size_t open = std::min(text.find_first_of("{}", at), text.size());
    if (open > at) {
      parts.push_back({text.substr(at, open - at), "", ""});
      at = open;
      continue;
    }
    const size_t close = text.find_first_of("{}", at + 1);
    if (close == std::string::npos || text[close] == '{') fail("a brace is not closed");
    const std::string place = text.substr(at + 1, close - at - 1);
    const size_t colon = std::min(place.find(':'), place.size());
    TemplatePart part{"", place.substr(0, colon), ""};
    if (colon < place.size()) part.item_mark = place.substr(colon + 1);
    if (part.field.empty() || (colon < place.size() && part.item_mark.empty())) {
      fail("a place has no name");
    }
    parts.push_back(std::move(part));
    at = close + 1;
  }
  return parts;
}

std::vector<std::string> template_fields(const TextTemplate& parts) {
  std::vector<std::string> fields;
  for (const TemplatePart& part : parts) {
    if (!part.field.empty()) add_once(part.field, fields);
  }
  return fields;
}

std::vector<std::string> template_marks(const TextTemplate& parts) {
  std::vector<std::string> marks;
  for (const TemplatePart& part : parts) {
    std::istringstream words(part.text + " " + part.item_mark);
    for (std::string word; words >> word;) {
      if (is_mark(word)) add_once(word, marks);
    }
  }
  return marks;
}

}  // namespace rubric
