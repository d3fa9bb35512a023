// The options of `rubric generate` that say how a text is decoded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "data/model_files/model_tokens.h"
#include "models/generation/generate_part.h"

namespace rubric {

// InputError when one of `options` is given and `needed`, the option that it is of, is not used.
void refuse_without(const OptionValues& values, bool is_used, const std::string& needed,
                    const std::vector<std::string>& options);

// InputError for any of these options: candidates are chosen, not written.
void require_no_decoding(const OptionValues& values);

// Throws InputError for values that are out of range or do not go together. A text is by default as
// long as the model was `trained` to write, where that is known, and as it has positions for.
GenerationOptions generation_options(const OptionValues& values, std::optional<int64_t> trained,
                                     const ModelTokens& tokens);

}  // namespace rubric
