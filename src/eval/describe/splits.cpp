#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <string_view>

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

void add_totals(std::initializer_list<std::string_view> statistics, Result& result) {
  std::set<std::string> splits;
  std::vector<Measurement> totals;
  for (const Measurement& one : result.measurements) {
    splits.insert(one.keys.subset);
    if (std::ranges::count(statistics, one.statistic) == 0) continue;
    Keys keys = one.keys;
    keys.subset = "";
    const auto total = std::ranges::find_if(totals, [&](const Measurement& other) {
      return other.statistic == one.statistic && other.keys == keys;
    });
    if (total == totals.end()) {
      totals.push_back({.keys = keys, .statistic = one.statistic, .value = one.value});
    } else {
      *total->value += *one.value;
    }
  }
  if (splits.size() < 2) return;
  result.measurements.insert(result.measurements.end(), totals.begin(), totals.end());
}

}  // namespace rubric::eval
