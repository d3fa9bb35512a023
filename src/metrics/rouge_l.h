// ROUGE-L of one sentence, as the MS-COCO caption scripts compute it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rubric {

// ROUGE-L (Lin 2004), beta 1.2, in [0, 1], from the best precision and the best recall over the
// references, each on its own, as pycocoevalcap's Rouge.calc_score does. Words are what stands
// between single blanks, empty ones included. `references` must not be empty.
double rouge_l(std::span<const std::string> references, std::string_view candidate);

}  // namespace rubric
