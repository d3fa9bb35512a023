// STS-B (Cer et al. 2017): pairs of sentences and how similar people find them.
#pragma once

#include <filesystem>
#include <vector>

#include "data/records.h"

namespace rubric {

// The first sentence is the reference, the second the candidate, the score is from 0 to 5. Two
// published forms: three columns without header (stsb-multi-mt's CSV), or columns named sentence1,
// sentence2 and score among others (GLUE's TSV, whose test split has no score). A name in .tsv is
// separated by tabs, with quotes as plain text, any other by commas. Throws InputError naming file,
// line and column.
std::vector<Answer> read_stsb(const std::filesystem::path& file);

}  // namespace rubric
