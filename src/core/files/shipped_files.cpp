#include "core/files/shipped_files.h"

#include <vector>

#include "core/error.h"
#include "core/files/files.h"

namespace rubric {

namespace fs = std::filesystem;

namespace {

// The repository whose build/bin contains the program; "" for an installed program.
fs::path repository() {
  const fs::path folder = program_directory().parent_path().parent_path();
  const bool is_one =
      is_there(folder / "scripts" / "setup", "make the program's directory readable");
  return is_one ? folder : fs::path();
}

fs::path installed_folder() {
  return program_directory().parent_path() / "share" / "rubric";
}

}  // namespace

fs::path find_shipped(const std::string& kind, const std::string& folder, const std::string& name) {
  std::vector<fs::path> places = {name};
  if (fs::path(name).is_relative()) {
    places.insert(places.end(), {fs::path(folder) / name, installed_folder() / folder / name,
                                 program_directory().parent_path().parent_path() / folder / name});
  }
  std::vector<std::string> looked;
  for (const fs::path& place : places) {
    std::error_code unreadable;  // counts as missing
    if (fs::is_regular_file(place, unreadable)) return place;
    looked.push_back(place.string());
  }
  throw InputError("there is no " + kind + " \"" + name + "\"", "looked at " + join(looked),
                   "name a file, or one of the files in " + folder + "/");
}

fs::path shipped_path(const std::string& name) {
  const fs::path home = repository();
  return (home.empty() ? installed_folder() : home) / name;
}

fs::path fetched_folder(const std::string& name) {
  const fs::path home = repository();
  return (home.empty() ? installed_folder() : home / ".deps") / name;
}

}  // namespace rubric
