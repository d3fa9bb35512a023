// Includes go one way (docs/architecture.md).
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "paths.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// What each folder may include, besides itself.
const std::map<std::string, std::set<std::string>> kBelow = {
    {"core", {}},
    {"config", {"core"}},
    {"text", {"core", "config"}},
    {"stats", {"core", "config", "text"}},
    {"data", {"core", "config", "text", "stats"}},
    {"metrics", {"core", "config", "text", "stats", "data"}},
    {"judge", {"core", "config", "text", "stats", "data", "metrics"}},
    {"eval", {"core", "config", "text", "stats", "data", "metrics", "judge"}},
    {"models", {"core", "config", "text", "stats", "data"}},
    {"distributed", {"core"}},
    {"generation", {"core", "config", "text", "stats", "data", "models"}},
    {"neural_metrics",
     {"core", "config", "text", "stats", "data", "metrics", "models", "distributed"}},
    {"train",
     {"core", "config", "text", "stats", "data", "metrics", "models", "neural_metrics",
      "distributed"}},
    {"cli",
     {"core", "config", "text", "stats", "data", "metrics", "judge", "eval", "models", "generation",
      "neural_metrics", "distributed", "train"}},
};
const std::set<std::string> kNeural = {"models",      "generation", "neural_metrics",
                                       "distributed", "train",      "cli"};

TEST(Includes, GoOneWayAndLightCodeKnowsNoTorch) {
  const fs::path source = fs::path(source_folder()) / "src";
  const std::regex include("#include ([\"<])([^\">]+)[\">]");
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    const std::string file = fs::relative(entry.path(), source).string();
    const std::string folder = file.substr(0, file.find('/'));
    ASSERT_TRUE(kBelow.contains(folder)) << folder << " is not in the picture";
    LineReader lines(entry.path());
    for (std::string line; lines.next(line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      const std::string target = match[2], target_folder = target.substr(0, target.find('/'));
      if (match[1] == "\"") {
        const auto& below = kBelow.at(folder);
        EXPECT_TRUE(target_folder == folder || below.contains(target_folder))
            << file << " includes " << target;
      } else if (!kNeural.contains(folder)) {
        EXPECT_FALSE(target_folder == "torch" || target_folder == "ATen" || target_folder == "c10")
            << file << " includes " << target;
      }
    }
    ++files;
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace rubric
