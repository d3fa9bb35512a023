#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "eval/describe/describe.h"

namespace rubric::eval {

std::vector<std::string> split_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) {
    names.push_back(std::filesystem::path(file).stem().string());
    if (std::ranges::count(names, names.back()) > 1) {
      throw InputError("two files are called " + names.back(), file,
                       "give each split a name of its own");
    }
  }
  return names;
}

std::vector<SplitFiles> split_files(const std::vector<std::string>& arguments) {
  std::vector<SplitFiles> splits;
  std::vector<std::string> unnamed;
  for (const std::string& argument : arguments) {
    const size_t equals = argument.find('=');
    const bool is_named = equals != std::string::npos && equals > 0 && argument.find('/') > equals;
    std::string name = argument.substr(0, equals), file = argument;
    if (is_named) {
      file = argument.substr(equals + 1);
    } else {
      unnamed.push_back(argument);
      name = split_names(unnamed).back();
    }
    const auto same = std::ranges::find(splits, name, &SplitFiles::name);
    if (same == splits.end()) {
      splits.push_back({name, {file}});
    } else if (is_named) {
      same->files.push_back(file);
    } else {
      throw InputError("two files are called " + name, file, "name it: NAME=" + file);
    }
  }
  return splits;
}

}  // namespace rubric::eval
