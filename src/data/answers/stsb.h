// STS-B (Cer et al. 2017): pairs of sentences with human similarity scores.
#pragma once

#include <filesystem>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

// The first sentence is the reference, the second the candidate; the score is from 0 to 5. Reads
// both published forms: three columns without header (stsb-multi-mt's CSV), or columns named
// sentence1, sentence2 and score among others (GLUE's TSV, whose test split has no score). A .tsv
// file is separated by tabs, with quotes as plain text, any other file by commas. Throws InputError
// naming file, line and column.
std::vector<Answer> read_stsb(const std::filesystem::path& file);

inline constexpr InputFormat kStsb = {
    .name = "stsb",
    .summary = "STS-B's CSV or TSV: pairs of sentences with a score (Cer et al. 2017)",
    .read = read_stsb};

}  // namespace rubric::data
