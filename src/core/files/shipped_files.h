// Where the files that this project ships lie.
#pragma once

#include <filesystem>
#include <string>

namespace rubric {

// The file `name` as given, else in `folder` ("configs", "experiments") here or beside the program,
// built or installed. Throws InputError with the places looked at; `kind` is what it is called
// there: "configuration".
std::filesystem::path find_shipped(const std::string& kind, const std::string& folder,
                                   const std::string& name);

// A file or folder of the repository, "scripts/segment.py", in share/rubric of an installed
// program. It need not be there.
std::filesystem::path shipped_path(const std::string& name);

// A folder that scripts/setup fetches: .deps/NAME of the repository, share/rubric/NAME of an
// installed program. It need not be there.
std::filesystem::path fetched_folder(const std::string& name);

}  // namespace rubric
