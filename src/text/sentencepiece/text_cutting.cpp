#include "text/sentencepiece/text_cutting.h"

#include <vector>

#include "core/error.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric {
namespace {

constexpr const char* kUseT5 = "use a model with the tokenizer of T5";

[[noreturn]] void refuse(const Json& step, const std::string& where) {
  throw InputError("T5's tokenizer has no step " + step.dump().substr(0, 200), where, kUseT5);
}

bool is_value(const Json& step, std::string_view key, std::string_view json) {
  const Json* const found = step.find(key);
  return found != nullptr && found->dump() == json;
}

// The steps of a Sequence under `list`, else the one that this is; none where it is null.
std::vector<const Json*> steps_of(const Json& part, std::string_view list,
                                  const std::string& where) {
  std::vector<const Json*> steps;
  if (part.is_null()) return steps;
  if (!is_value(part, "type", "\"Sequence\"")) return {&part};
  for (const Json& step : part.require_array(list, where)) steps.push_back(&step);
  return steps;
}

void read_normalizer(const Json& normalizer, const std::string& where, TextCutting& cutting) {
  cutting.replaces_characters = false;
  cutting.strips_end = false;
  cutting.blank_run.clear();
  for (const Json* const step : steps_of(normalizer, "normalizers", where)) {
    const std::string& type = step->require_string("type", where);
    const bool is_done = !cutting.blank_run.empty();
    if (type == "Precompiled" && !cutting.strips_end && !is_done) {
      cutting.replaces_characters = true;
    } else if (type == "Strip" && is_value(*step, "strip_left", "false") &&
               is_value(*step, "strip_right", "true") && !is_done) {
      cutting.strips_end = true;
    } else if (type == "Replace" &&
               is_value(step->require("pattern", where), "Regex", "\" {2,}\"")) {
      cutting.blank_run = step->require_string("content", where);
    } else {
      refuse(*step, where);
    }
  }
}

TextCutting::Prefix read_prefix(const Json& metaspace, const std::string& where) {
  if (!is_value(metaspace, "type", "\"Metaspace\"") ||
      metaspace.require_string("replacement", where) != kBlankMark ||
      is_value(metaspace, "split", "false")) {
    refuse(metaspace, where);
  }
  const Json* const scheme = metaspace.find("prepend_scheme");
  if (scheme == nullptr) {  // before tokenizers 0.15
    return is_value(metaspace, "add_prefix_space", "false") ? TextCutting::Prefix::never
                                                            : TextCutting::Prefix::always;
  }
  if (scheme->dump() == "\"never\"") return TextCutting::Prefix::never;
  if (scheme->dump() == "\"first\"") return TextCutting::Prefix::first;
  if (scheme->dump() == "\"always\"") return TextCutting::Prefix::always;
  refuse(metaspace, where);
}

void use_words(std::string_view text, const std::function<void(std::string_view)>& use) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(kBlankMark, 1), text.size());
    use(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

TextCutting read_text_cutting(const Json& tokenizer, const std::string& file) {
  TextCutting cutting;
  read_normalizer(tokenizer.require("normalizer", file), file + ": normalizer", cutting);
  const std::string where = file + ": pre_tokenizer";
  const std::vector<const Json*> steps =
      steps_of(tokenizer.require("pre_tokenizer", file), "pretokenizers", where);
  if (steps.empty()) refuse(Json(), where);
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    if (!is_value(*steps[i], "type", "\"WhitespaceSplit\"")) refuse(*steps[i], where);
    cutting.splits_at_white_space = true;
  }
  cutting.prefix = read_prefix(*steps.back(), where);
  const Json& decoder = tokenizer.require("decoder", file);
  cutting.drops_first_blank =
      read_prefix(decoder, file + ": decoder") != TextCutting::Prefix::never;
  return cutting;
}

void normalize_white_space(const TextCutting& cutting, std::string& text) {
  if (cutting.strips_end) {
    size_t end = text.size();
    for (size_t start = end; start > 0 && is_white_space(decode_utf8_backwards(text, start));) {
      end = start;
    }
    text.resize(end);
  }
  if (cutting.blank_run.empty() || text.find("  ") == std::string::npos) return;
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_not_of(' ', i), text.size());
    if (end - i >= 2) {
      result += cutting.blank_run;
      i = end;
    } else {
      result += text[i++];
    }
  }
  text = std::move(result);
}

void for_each_word(const TextCutting& cutting, std::string_view text, bool starts_text,
                   const std::function<void(std::string_view)>& use) {
  thread_local std::string marked;
  const auto use_marked = [&](std::string_view part, bool is_first) {
    marked.clear();
    const bool has_prefix = cutting.prefix == TextCutting::Prefix::always ||
                            (cutting.prefix == TextCutting::Prefix::first && is_first);
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
  if (!cutting.splits_at_white_space) return use_marked(text, starts_text);
  size_t start = 0;
  for (size_t position = 0; position < text.size();) {
    const size_t here = position;
    if (!is_white_space(decode_utf8(text, position))) continue;
    if (start < here) use_marked(text.substr(start, here - start), starts_text && start == 0);
    start = position;
  }
  if (start < text.size()) use_marked(text.substr(start), starts_text && start == 0);
}

}  // namespace rubric
