// Extended grapheme clusters (Unicode Standard Annex 29): what a reader takes for one character,
// as `tokenizers` 0.22 sees them: by Unicode 16, whatever ICU has here.
#pragma once

#include <cstddef>
#include <string_view>

namespace rubric {

// Where the cluster that starts at `position` < text.size() ends, in valid UTF-8. Rule GB9c (Indic
// conjuncts) is left out: who calls this treats clusters from six bytes on alike.
size_t grapheme_end(std::string_view text, size_t position);

}  // namespace rubric
