// Includes go one way (docs/architecture.md).
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "paths.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// What each top folder may include, besides itself.
const std::map<std::string, std::set<std::string>> kBelow = {
    {"core", {}},
    {"config", {"core"}},
    {"text", {"core"}},
    {"stats", {"core"}},
    {"data", {"core", "config", "text", "stats"}},
    {"models", {"core", "config", "text", "data"}},
    {"distributed", {"core"}},
    {"metrics", {"core", "config", "text", "stats", "data", "models", "distributed"}},
    {"judge", {"core", "config", "text", "stats", "data"}},
    {"eval",
     {"core", "config", "text", "stats", "data", "models", "distributed", "metrics", "judge"}},
    {"train",
     {"core", "config", "text", "stats", "data", "models", "metrics", "distributed", "eval"}},
    {"cli",
     {"core", "config", "text", "stats", "data", "models", "distributed", "metrics", "judge",
      "eval", "train"}},
};

// Whether a file of src/ needs libtorch: told by its folder, as src/CMakeLists.txt does. Lists and
// what they list are light in every folder.
bool is_neural(const std::string& file) {
  const bool is_list = file.find("/list.") != std::string::npos || file.ends_with("kind.h");
  if (file.starts_with("distributed/launch.") || is_list) return false;
  const auto is_below = [&](const char* folder) { return file.starts_with(folder); };
  return std::ranges::any_of(std::vector{"models/", "distributed/", "metrics/neural/",
                                         "eval/neural/", "cli/neural"},
                             is_below) ||
         (is_below("train/") && !is_below("train/settings/") && !is_below("train/curves/"));
}

TEST(Includes, GoOneWayAndLightCodeKnowsNoTorch) {
  const fs::path source = fs::path(source_folder()) / "src";
  const std::regex include("#include ([\"<])([^\">]+)[\">]");
  int files = 0, neural_files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) continue;
    const std::string file = fs::relative(entry.path(), source).string();
    const std::string folder = file.substr(0, file.find('/'));
    ASSERT_TRUE(kBelow.contains(folder)) << folder << " is not in the picture";
    neural_files += is_neural(file) ? 1 : 0;
    LineReader lines(entry.path());
    for (std::string line; lines.next(line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      const std::string target = match[2], target_folder = target.substr(0, target.find('/'));
      if (match[1] == "\"") {
        EXPECT_TRUE(target_folder == folder || target_folder == "rubric" ||  // include/rubric
                    kBelow.at(folder).contains(target_folder))
            << file << " includes " << target;
        EXPECT_TRUE(is_neural(file) || !is_neural(target))
            << file << ", which is light, includes " << target;
      } else if (!is_neural(file)) {
        EXPECT_FALSE(target_folder == "torch" || target_folder == "ATen" || target_folder == "c10")
            << file << " includes " << target;
      }
    }
    ++files;
  }
  EXPECT_GT(files, 400);
  EXPECT_GT(neural_files, 100);
}

// Folders that share a purpose could draw the same numbers for two things.
TEST(Purposes, ServeOneFolder) {
  const fs::path source = fs::path(source_folder()) / "src";
  const std::regex use("Purpose::([a-z_]+)");
  std::map<std::string, std::set<std::string>> folders;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), use), end; at != end; ++at) {
      folders[(*at)[1]].insert(fs::relative(entry.path().parent_path(), source).string());
    }
  }
  // Each draws one thing: resamples, new weights, and which records are taken.
  folders.erase("bootstrap");
  folders.erase("initialise");
  folders.erase("split");
  EXPECT_GT(folders.size(), 10u);
  for (const auto& [purpose, users] : folders) {
    EXPECT_EQ(users.size(), 1u) << purpose << ": " << *users.begin() << ", " << *users.rbegin();
  }
}

// A folder that is too full hides what it holds. A file has no limit: it is one idea.
TEST(Folders, HoldNoMoreFilesThanAReaderOverlooks) {
  const fs::path source = fs::path(source_folder()) / "src";
  std::map<std::string, int> in_folder;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) continue;
    ++in_folder[entry.path().parent_path().string()];
  }
  for (const auto& [folder, files] : in_folder) EXPECT_LE(files, 40) << folder;
}

TEST(Folders, EachTopFolderSaysWhatBelongsInIt) {
  const fs::path source = fs::path(source_folder()) / "src";
  for (const auto& entry : fs::directory_iterator(source)) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename();
    LineReader lines(entry.path() / "README.md");
    std::string line;
    for (const std::string& start : {"# " + name + ": ", std::string(), std::string("- Here: "),
                                     std::string("- Not here: "), std::string("- Start: ")}) {
      EXPECT_TRUE(lines.next(line) && line.starts_with(start)) << lines.where() << ": " << line;
    }
    EXPECT_FALSE(lines.next(line)) << lines.where();
  }
}

}  // namespace
}  // namespace rubric
