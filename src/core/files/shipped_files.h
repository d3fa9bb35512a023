// Finds the files that this project ships or that scripts/setup fetches, where the context says
// that they are (rubric/context.h).
#pragma once

#include <filesystem>
#include <string>

#include "rubric/context.h"

namespace rubric {

// What lies beside a directory of programs: the repository that they were built in, else
// share/rubric of the place where they are installed.
Resources resources_beside(const std::filesystem::path& programs);

// Those of the running program.
Resources program_resources();

// The context's directory of programs. Throws InputError when the context names none.
std::filesystem::path programs_directory();

// Returns `name` if that file exists, else the file of that name in `folder` ("configs",
// "experiments") of the working directory or of what is shipped. Throws InputError listing the
// places searched; the message calls the file a `kind`, such as "configuration".
std::filesystem::path find_shipped(const std::string& kind, const std::string& folder,
                                   const std::string& name);

// The path of a file or directory that is shipped, such as "scripts/segment.py". It need not exist.
// Throws InputError when the context names no directory of them.
std::filesystem::path shipped_path(const std::string& name);

// The path of a directory that scripts/setup fetches: .deps/NAME of the repository, or
// share/rubric/NAME of an installed program, if scripts/setup fetched it before it was installed.
// It need not exist. Throws as shipped_path() does.
std::filesystem::path fetched_folder(const std::string& name);

// The same for a folder of data, in which nothing is executed: where it does not exist, .deps/NAME
// of the clone that this was built in, if it exists there.
std::filesystem::path fetched_data_folder(const std::string& name);

}  // namespace rubric
