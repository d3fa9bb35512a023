// Texts, a line each, with files of references, as sacreBLEU reads them.
#pragma once

#include <filesystem>
#include <vector>

#include "data/records.h"
#include "data/rows/input_format.h"
#include "data/rows/missing_values.h"

namespace rubric::data {

// The candidate of each line of `file`, with the references in that line of the others. An empty
// line is an empty text, also a reference, as in sacreBLEU 2.6; rows without another reference are
// left out by Missing::drop and an error for Missing::error. Ids are the numbers of the lines.
// Throws InputError for files of different lengths.
std::vector<Answer> read_text_lines(const std::filesystem::path& file,
                                    const std::vector<std::filesystem::path>& references,
                                    MissingValues& missing);

inline constexpr InputFormat kTextLines = {
    .name = "lines",
    .summary = "texts, a line each, with --references, as sacreBLEU reads them",
    .read_lines = read_text_lines};

}  // namespace rubric::data
