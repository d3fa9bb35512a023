// Tokens that a model's configuration forces on every text it writes.
#pragma once

#include <cstdint>
#include <optional>

#include "data/model_files/model_tokens.h"

namespace rubric {

// The token at `place`, counted from 0, of a text of at most `max_new_tokens`: BART's first one
// (forced_bos_token_id), and the end where the text would be cut (forced_eos_token_id).
std::optional<int64_t> forced_token(const ModelTokens& tokens, int64_t place,
                                    int64_t max_new_tokens);

}  // namespace rubric
