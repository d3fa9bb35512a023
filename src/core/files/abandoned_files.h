// What processes that were killed have left of files that appear whole (AtomicFile).
#pragma once

#include <filesystem>

namespace rubric {

// Removes what killed processes of this machine left of `path`; what is still being written stays.
void remove_abandoned(const std::filesystem::path& path);

}  // namespace rubric
