#include "models/generation/forced_tokens.h"

namespace rubric {

std::optional<int64_t> forced_token(const ModelTokens& tokens, int64_t place,
                                    int64_t max_new_tokens) {
  if (place == max_new_tokens - 1 && tokens.forced_eos) return tokens.forced_eos;
  if (place == 0 && !tokens.is_causal) return tokens.forced_bos;
  return std::nullopt;
}

}  // namespace rubric
