// A folder that tells when it is damaged: its file DONE lists all others, with size and SHA-256.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/files.h"

namespace rubric {

inline constexpr const char* kSeal = "DONE";

// Writes DONE, last of all, for the files that lie in the folder. Throws Error.
void seal_folder(const std::filesystem::path& folder);

// The files that DONE lists, each mapped and found to be what was sealed: what is read here is what
// was written. Others in the folder are as if they were not there.
class SealedFolder {
 public:
  // Throws InputError that names the first file that is missing or differs and says how.
  explicit SealedFolder(const std::filesystem::path& folder);

  std::vector<std::string> names() const;  // in order
  // The whole file, as long as this lives. Throws InputError when DONE does not list it.
  std::string_view bytes(const std::string& name) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
  std::map<std::string, MappedFile> files_;
};

}  // namespace rubric
