// QuaRTz (Tafjord et al. 2019): questions about qualitative relations, each with the sentence of
// knowledge that answers it.
#pragma once

#include <filesystem>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric {

// An example a line of the published JSON lines, in file order: a keyed_question() and "para", the
// sentence, as the rationale. Throws InputError naming file and line.
std::vector<FoundRationale> read_quartz(const std::filesystem::path& file);

}  // namespace rubric
