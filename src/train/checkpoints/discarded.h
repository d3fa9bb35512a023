// What a run directory no longer needs.
#pragma once

#include <filesystem>

namespace rubric {

// Takes its name from a file or folder at once, and deletes it. What cannot be deleted yet is left,
// with a warning, to delete_discarded(): on NFS a file that some process has open stays, as
// .nfsXXXX, and its folder with it. Throws Error when it cannot be renamed.
void discard(const std::filesystem::path& path);

// Deletes what discard() has left in `directory`, and what killed processes had not finished there.
void delete_discarded(const std::filesystem::path& directory);

}  // namespace rubric
