// How a source and its target become a model's input: the same for training, scoring and
// generating, so a model's card says it too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/fields.h"

namespace rubric::data {

// Of a model that has neither a card nor positions of its own, in tokens: attention's memory grows
// with the square of it.
constexpr int64_t kLongestText = 1 << 14;

struct PairConfig {
  std::string source = "{source}", target = "{target}";  // templates (text/text_template.h)
  std::string end;
  bool bos = true;
  int64_t max_source = 512;
  int64_t max_target = 128;
  std::string too_long = "cut";
  bool source_eos = true;
  bool target_eos = true;
  std::string decoder_start = "model";

  void visit_fields(config::FieldVisitor& visitor);
};

// Texts with places for the fields of a row: "[rationale] {rationale} {baseline} [answer]".

struct TemplatePart {
  std::string text;       // stands as it is; "" at a field's place
  std::string field;      // whose text stands here
  std::string item_mark;  // of a field that lists texts: the word before each of them
};
using TextTemplate = std::vector<TemplatePart>;

// "{name}" is the place of a field; "{name:MARK}" that of a list, "MARK a MARK b". Throws
// InputError, naming `where`, for a brace without its other and for a place without a name.
TextTemplate parse_template(const std::string& text, const std::string& where);

std::vector<std::string> template_fields(const TextTemplate& parts);  // each once

// The words of a template that mark its parts, those in brackets such as [answer] or <eos>, item
// marks included. A field's text that held one would be read as another part.
std::vector<std::string> template_marks(const TextTemplate& parts);

}  // namespace rubric::data
