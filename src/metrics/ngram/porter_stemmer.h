// The stems of English words (Porter 1980), with the extensions of NLTK's PorterStemmer, which
// Google's rouge-score uses.
#pragma once

#include <string>

namespace rubric::metrics {

// `word` is of lower-case ASCII letters and digits.
std::string porter_stem(std::string word);

}  // namespace rubric::metrics
