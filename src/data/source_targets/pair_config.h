// The settings by which a source and its target become a model's input, and the text templates in
// them. Training, scoring and generation use the same settings, so a model's card holds them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/fields.h"

namespace rubric::data {

// The maximum length, in tokens, for a model without card and without a limit of positions: the
// memory of attention grows with its square.
constexpr int64_t kLongestText = 1 << 14;

struct PairConfig {
  std::string source = "{source}", target = "{target}";  // templates: see parse_template()
  std::string end;
  bool bos = true;
  int64_t max_source = 512;
  int64_t max_target = 128;
  std::string too_long = "cut";
  bool source_eos = true;
  bool target_eos = true;
  std::string decoder_start = "model";
  bool is_chat = false;  // a chat template wrote the sources, with all special tokens; no key

  void visit_fields(config::FieldVisitor& visitor);
};

// A part of a template: literal text or the place of a row's field, as in "[rationale] {rationale}
// {baseline} [answer]".
struct TemplatePart {
  std::string text;       // literal text; "" for a field
  std::string field;      // name of the field whose text is inserted
  std::string item_mark;  // for a field that is a list: the word before each item
};
using TextTemplate = std::vector<TemplatePart>;

// Parses a template: "{name}" is the place of a field, "{name:MARK}" that of a list, written "MARK
// a MARK b". Throws InputError, naming `where`, for an unmatched brace and for a place without a
// name.
TextTemplate parse_template(const std::string& text, const std::string& where);

std::vector<std::string> template_fields(const TextTemplate& parts);  // without repetition

// The words in brackets that mark the parts of a template, such as [answer] or <eos>, including
// item marks. A mark inside a field's text would be read as the start of another part.
std::vector<std::string> template_marks(const TextTemplate& parts);

}  // namespace rubric::data
