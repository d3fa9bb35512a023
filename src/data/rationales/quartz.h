// QuaRTz (Tafjord et al. 2019): questions about qualitative relations, each with a sentence of
// knowledge that answers it.
#pragma once

#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric::data {

// Reads the published JSON lines, in file order: each is a keyed_question() with the sentence,
// "para", as the rationale. Throws InputError naming file and line.
std::vector<RationaleExample> read_quartz(const std::filesystem::path& file);

inline constexpr RationaleReader kQuartz = {
    .name = "quartz",
    .summary = "questions about qualitative relations with knowledge (Tafjord et al. 2019)",
    .read = read_quartz};

}  // namespace rubric::data
