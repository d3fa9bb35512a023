// What all kinds of tokenizers read alike of a tokenizer.json (the file format of `tokenizers`):
// the steps of its parts, and the special tokens that its post-processor puts around a text.
// Whatever cannot be read is refused by its name, never left out. Every function throws InputError
// naming `where` or `file`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "text/tokenizer.h"

namespace rubric::text {

// The steps of a normalizer, pre-tokenizer, post-processor or decoder: those of a Sequence, also of
// one inside another, else `part` itself as the only one; none for null.
std::vector<const Json*> flattened_steps(const Json& part, const std::string& where);

// The step of a part of `tokenizer` that has one; null where the part is null.
const Json& only_step(const Json& tokenizer, const char* part, const std::string& file);

// Whether `object` has the key with this value, as JSON.
bool has_value(const Json& object, std::string_view key, std::string_view json);

[[noreturn]] void refuse_step(const Json& step, const std::string& where);

// The tokens around a single text according to post_processor: null and ByteLevel put none there,
// BertProcessing and RobertaProcessing `cls` before and `sep` behind, TemplateProcessing those of
// its template `single`. In a Sequence one step may put tokens.
//
//   {"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2], …} gives {{0}, {2}}
TokensAround read_tokens_around(const Json& tokenizer, const std::string& file);

}  // namespace rubric::text
