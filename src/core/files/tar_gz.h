// Files out of a gzipped tar archive that nobody vouches for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubric {

// Unpacks the files named `wanted`, which lie in the archive's root, into the folder `directory`
// under the same names. The whole archive is read and checked, the sums that gzip and tar carry
// included. Throws InputError naming `archive` when a file is missing or there twice; when any path
// is absolute or holds "..", when anything is a link or a device; when it unpacks to far more than
// weights can be packed by (sixteen times its size, and 16 MB); and when it is damaged, cut short,
// or no such archive. Error when the folder cannot be written.
void unpack_tar_gz(const std::filesystem::path& archive, const std::vector<std::string>& wanted,
                   const std::filesystem::path& directory);

}  // namespace rubric
