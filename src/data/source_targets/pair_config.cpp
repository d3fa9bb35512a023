#include "data/source_targets/pair_config.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/json/json.h"

namespace rubric::data {

namespace {

bool is_mark(const std::string& word) {
  return word.size() > 2 && ((word.front() == '[' && word.back() == ']') ||
                             (word.front() == '<' && word.back() == '>'));
}

void add_once(std::string word, std::vector<std::string>& words) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
}

}  // namespace

void PairConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("source", source,
                "what a source is made of: {name} is a field of the row, {name:MARK} a list with "
                "MARK before each of its texts");
  visitor.field("target", target, "the same for a target");
  visitor.field("end", end,
                "the added token that ends a generated text and, after a space, a target, such as "
                "<eos>; \"\": the end-of-sequence token of the model's tokenizer");
  visitor.field("bos", bos,
                "whether a BART's sources and targets begin with its beginning-of-sequence token");
  visitor.field("max_source", max_source, "longest source in tokens, special tokens included",
                {2, 1 << 20});
  visitor.field("max_target", max_target, "longest target in tokens, special tokens included",
                {2, 1 << 20});
  visitor.field("too_long", too_long,
                "a longer text: cut truncates its end (of a causal model's source the beginning) "
                "and counts it; refuse stops before anything is computed",
                {"cut", "refuse"});
  visitor.field("source_eos", source_eos,
                "whether a source ends with the end-of-sequence token of the model's tokenizer");
  visitor.field("target_eos", target_eos, "whether a target ends with its end");
  visitor.field("decoder_start", decoder_start,
                "what the decoder starts with: the token that the model's configuration names, or "
                "the last token of the source; a causal model always continues its source",
                {"model", "last-input"});
}

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

}  // namespace rubric::data
