#include "config/find_file.h"

#include <vector>

#include "core/error.h"
#include "core/files.h"

namespace rubric {

namespace fs = std::filesystem;

fs::path find_shipped(const std::string& kind, const std::string& folder, const std::string& name) {
  std::vector<fs::path> places = {name};
  if (fs::path(name).is_relative()) {
    const fs::path installed = program_directory().parent_path();
    places.insert(places.end(),
                  {fs::path(folder) / name, installed / "share" / "rubric" / folder / name,
                   installed.parent_path() / folder / name});
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

}  // namespace rubric
