// tokenizer.json, the file format of Hugging Face's `tokenizers`, as far as BERT uses it.
#pragma once

#include <filesystem>

#include "text/wordpiece/wordpiece_files.h"

namespace rubric {

// Vocabulary, added tokens and the options of the normalizer; truncation, padding and the
// post-processor do not count. Throws InputError naming the file and the key for broken JSON, ids
// that are negative, repeated or over ten million, and every model, normalizer or pre-tokenizer
// other than BERT's.
WordPieceModel read_tokenizer_json(const std::filesystem::path& path);

}  // namespace rubric
