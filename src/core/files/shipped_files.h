// Finds the files that this project ships or that scripts/setup fetches.
#pragma once

#include <filesystem>
#include <string>

namespace rubric {

// Returns `name` if that file exists, else the file of that name in `folder` ("configs",
// "experiments") of the working directory or beside the program, built or installed. Throws
// InputError listing the places searched; the message calls the file a `kind`, such as
// "configuration".
std::filesystem::path find_shipped(const std::string& kind, const std::string& folder,
                                   const std::string& name);

// The path of a file or directory of the repository, such as "scripts/segment.py"; an installed
// program has it in share/rubric. It need not exist.
std::filesystem::path shipped_path(const std::string& name);

// The path of a directory that scripts/setup fetches: .deps/NAME of the repository, or
// share/rubric/NAME of an installed program. It need not exist.
std::filesystem::path fetched_folder(const std::string& name);

}  // namespace rubric
