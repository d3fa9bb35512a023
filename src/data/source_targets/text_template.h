// Texts with places for the fields of a row: "[rationale] {rationale} {baseline} [answer]".
#pragma once

#include <string>
#include <vector>

namespace rubric {

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

}  // namespace rubric
