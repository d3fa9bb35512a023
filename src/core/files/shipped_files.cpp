#include "core/files/shipped_files.h"

#include <vector>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"

namespace rubric {

namespace fs = std::filesystem;

namespace {

const fs::path& named(const fs::path& directory, const char* member, const std::string& what) {
  if (!directory.empty()) return directory;
  throw InputError("it is not said where " + what, std::string("resources.") + member,
                   "set it in the context of the call");
}

}  // namespace

extern const char* const kRepository;  // the clone, or ""; defined by src/CMakeLists.txt

Resources resources_beside(const fs::path& programs) {
  const fs::path repository = programs.parent_path().parent_path();  // of build/bin
  if (is_there(repository / "scripts" / "setup", "make the program's directory readable")) {
    return {repository, repository / ".deps", programs};
  }
  const fs::path installed = programs.parent_path() / "share" / "rubric";
  return {installed, installed, programs};
}

Resources program_resources() {
  return resources_beside(program_directory());
}

fs::path programs_directory() {
  return named(current_context().resources.programs, "programs", "the programs of rubric are");
}

namespace {

// The paths, from the folder, of the files in it and below it.
std::vector<std::string> names_below(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (fs::recursive_directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
       entry.increment(unreadable)) {
    names.push_back(entry->path().lexically_relative(folder).string());
  }
  return names;
}

}  // namespace

fs::path find_shipped(const std::string& kind, const std::string& folder, const std::string& name) {
  const fs::path& shipped = current_context().resources.shipped;
  std::vector<fs::path> places = {name};
  if (fs::path(name).is_relative()) {
    places.push_back(fs::path(folder) / name);
    if (!shipped.empty()) places.push_back(shipped / folder / name);
  }
  std::vector<std::string> looked;
  fs::path folder_there;
  for (const fs::path& place : places) {
    std::error_code unreadable;  // counts as missing
    if (fs::is_regular_file(place, unreadable)) return place;
    if (folder_there.empty() && fs::is_directory(place, unreadable)) folder_there = place;
    looked.push_back(place.string());
  }
  if (!folder_there.empty()) {
    const std::vector<std::string> files = names_in(folder_there, fs::file_type::regular);
    throw InputError("a folder, where one " + kind + " is needed", folder_there.string(),
                     files.empty() ? "name a file" : "name a file in it: " + join_some(files));
  }
  const std::string nearest = nearest_name(name, names_below(shipped / folder));
  throw InputError("there is no " + kind + " \"" + name + "\"", "looked at " + join(looked),
                   nearest.empty() ? "name a file, or one of the files in " + folder + "/"
                                   : "did you mean " + nearest + "?");
}

fs::path shipped_path(const std::string& name) {
  return named(current_context().resources.shipped, "shipped", "rubric's own files are") / name;
}

fs::path fetched_folder(const std::string& name) {
  return named(current_context().resources.fetched, "fetched", "what scripts/setup fetches is") /
         name;
}

fs::path fetched_data_folder(const std::string& name) {
  const fs::path folder = fetched_folder(name), in_clone = fs::path(kRepository) / ".deps" / name;
  std::error_code unreadable;  // counts as missing
  if (*kRepository == '\0' || fs::exists(folder, unreadable)) return folder;
  return fs::exists(in_clone, unreadable) ? in_clone : folder;
}

}  // namespace rubric
