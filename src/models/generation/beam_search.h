// Beam search as transformers 4.57 makes it (generation/utils.py, _beam_search).
#pragma once

#include <vector>

#include "models/generation/generate_part.h"

namespace rubric {

// generate() with options.beams > 1. A source's search does not depend on the others'.
std::vector<std::vector<int64_t>> beam_search(const ConditionalModel& model,
                                              const ModelTokens& tokens, const TokenPairs& starts,
                                              std::span<const int64_t> numbers,
                                              const GenerationOptions& options);

}  // namespace rubric
