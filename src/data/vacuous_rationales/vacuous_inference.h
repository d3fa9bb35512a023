// Vacuous rationales of natural language inference.
#pragma once

#include <string>
#include <string_view>

namespace rubric {

// "PREMISE implies | contradicts | is not related to HYPOTHESIS." for the labels entailment,
// contradiction and neutral (REV, Chen et al. 2022, section 2 and Table 2): the premise without its
// end mark, the hypothesis with a small first letter. A first word that is "I", has further
// capitals, or stands with its capital inside premise or hypothesis (a name) keeps it. Throws
// InputError with `where` for another label, and for a premise or hypothesis without a word.
std::string vacuous_inference(std::string_view premise, std::string_view hypothesis,
                              std::string_view label, const std::string& where);

}  // namespace rubric
