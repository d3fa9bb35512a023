// What transformers can do to decoded text: take out blanks that its first tokenizers put there.
#pragma once

#include <string>

namespace rubric {

// clean_up_tokenization of transformers: no blank before . ? ! , n't 'm 's 've 're, and none around
// an apostrophe that stands alone.
void clean_up_spaces(std::string& text);

}  // namespace rubric
