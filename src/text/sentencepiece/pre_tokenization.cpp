#include "text/sentencepiece/pre_tokenization.h"

#include <algorithm>
#include <vector>

#include "core/text/utf8.h"
#include "text/tokenizer_files/tokenizer_json.h"
#include "text/unicode/unicode.h"

namespace rubric::text {

namespace {

void use_words(std::string_view text, const std::function<void(std::string_view)>& use) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(kBlankMark, 1), text.size());
    use(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

PreTokenization::Prefix read_prefix(const Json& metaspace, const std::string& where) {
  if (!has_value(metaspace, "type", "\"Metaspace\"") ||
      metaspace.require_string("replacement", where) != kBlankMark) {
    refuse_step(metaspace, where);
  }
  const Json* const scheme = metaspace.find("prepend_scheme");
  if (scheme == nullptr) {  // before tokenizers 0.15
    return has_value(metaspace, "add_prefix_space", "false") ? PreTokenization::Prefix::never
                                                             : PreTokenization::Prefix::always;
  }
  if (scheme->dump() == "\"never\"") return PreTokenization::Prefix::never;
  if (scheme->dump() == "\"first\"") return PreTokenization::Prefix::first;
  if (scheme->dump() == "\"always\"") return PreTokenization::Prefix::always;
  refuse_step(metaspace, where);
}

PreTokenization read_pre_tokenization(const Json& tokenizer, const std::string& file) {
  PreTokenization pre_tokenization;
  const std::string where = file + ": pre_tokenizer";
  const std::vector<const Json*> steps =
      flattened_steps(tokenizer.require("pre_tokenizer", file), where);
  if (steps.empty()) refuse_step(Json(), where);
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    const Json& step = *steps[i];
    pre_tokenization.splits_at_white_space |= has_value(step, "type", "\"WhitespaceSplit\"");
    const bool cuts_marks =
        has_value(step, "type", "\"Punctuation\"") && has_value(step, "behavior", "\"Isolated\"");
    pre_tokenization.splits_at_punctuation |= cuts_marks;
    // One of them: no published model has both.
    if (pre_tokenization.splits_at_white_space == pre_tokenization.splits_at_punctuation ||
        !(cuts_marks || has_value(step, "type", "\"WhitespaceSplit\""))) {
      refuse_step(step, where);
    }
  }
  if (has_value(*steps.back(), "split", "false")) refuse_step(*steps.back(), where);
  pre_tokenization.prefix = read_prefix(*steps.back(), where);
  pre_tokenization.drops_first_blank =
      read_prefix(only_step(tokenizer, "decoder", file), file + ": decoder") !=
      PreTokenization::Prefix::never;
  return pre_tokenization;
}

void for_each_word(const PreTokenization& pre_tokenization, std::string_view text, bool starts_text,
                   const std::function<void(std::string_view)>& use) {
  thread_local std::string marked;
  const auto use_marked = [&](std::string_view part, bool is_first) {
    marked.clear();
    const bool has_prefix = pre_tokenization.prefix == PreTokenization::Prefix::always ||
                            (pre_tokenization.prefix == PreTokenization::Prefix::first && is_first);
    if (has_prefix && !part.starts_with(' ') && !part.starts_with(kBlankMark)) marked = kBlankMark;
    for (const char c : part) {
      if (c == ' ') {
        marked += kBlankMark;
      } else {
        marked += c;
      }
    }
    use_words(marked, use);
  };
  if (text.empty()) return;
  const bool cuts_blanks = pre_tokenization.splits_at_white_space;
  const bool cuts_marks = pre_tokenization.splits_at_punctuation;
  if (!cuts_blanks && !cuts_marks) return use_marked(text, starts_text);
  size_t start = 0;
  for (size_t position = 0; position < text.size();) {
    const size_t here = position;
    const char32_t character = decode_utf8(text, position);
    if (cuts_marks ? !is_bert_punctuation(character) : !is_white_space(character)) continue;
    if (start < here) use_marked(text.substr(start, here - start), starts_text && start == 0);
    if (cuts_marks) use_marked(text.substr(here, position - here), starts_text && here == 0);
    start = position;
  }
  if (start < text.size()) use_marked(text.substr(start), starts_text && start == 0);
}

}  // namespace rubric::text
