// CONTRIBUTING.md shows code of this tree, and what it says of additions holds.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "data/answers/list.h"
#include "data/model_files/list.h"
#include "data/multiple_choice/list.h"
#include "data/rationales/list.h"
#include "data/tasks/list.h"
#include "metrics/list.h"
#include "models/encoders/list.h"
#include "paths.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

// The code of a page by file: each part of a block that follows a line "// src/FILE".
std::vector<std::pair<std::string, std::string>> shown_code(const fs::path& page) {
  std::vector<std::pair<std::string, std::string>> parts;
  bool is_code = false;
  LineReader lines(page);
  for (std::string line; lines.next(line);) {
    if (line.starts_with("```")) {
      is_code = line == "```cpp";
    } else if (is_code && line.starts_with("// src/")) {
      parts.emplace_back(line.substr(3), "");
    } else if (is_code && !parts.empty()) {
      parts.back().second += line + "\n";
    }
  }
  return parts;
}

TEST(Contributing, ShowsCodeOfTheTree) {
  const fs::path root = source_folder();
  const auto parts = shown_code(root / "CONTRIBUTING.md");
  EXPECT_GE(parts.size(), 20U);  // the files of ten kinds of additions, and their tables
  for (const auto& [file, code] : parts) {
    ASSERT_FALSE(code.empty()) << file;
    EXPECT_NE(read_file(root / file).find(code), std::string::npos)
        << file << " has no such lines:\n"
        << code;
  }
}

// The source files, below src/, in which `word` stands by itself.
std::vector<std::string> files_with(const std::string& word) {
  const fs::path source = fs::path(source_folder()) / "src";
  const std::regex whole("\\b" + word + "\\b");
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) continue;
    const std::string text = read_file(entry.path());
    if (text.find(word) == std::string::npos || !std::regex_search(text, whole)) continue;
    files.push_back(fs::relative(entry.path(), source).string());
  }
  std::ranges::sort(files);
  return files;
}

// Descriptors, the table of their kind, and how the names of their own files begin.
const std::map<std::string, std::pair<std::string, std::vector<std::string>>> kAdditions = {
    {"kCompare", {"cli/list.h", {}}},
    {"kGapsSuite", {"cli/list.h", {}}},
    {"kRougeL", {"metrics/list.h", {"metrics/ngram/rouge_l."}}},
    {"kBertScore", {"metrics/list.h", {"metrics/neural/bertscore"}}},
    {"kStsb", {"data/answers/list.h", {"data/answers/stsb."}}},
    {"kRace", {"data/multiple_choice/list.h", {"data/multiple_choice/race."}}},
    {"kQuartz", {"data/rationales/list.h", {"data/rationales/quartz."}}},
    {"kBart",
     {"data/model_files/list.h", {"data/model_files/bart_kind.h", "models/seq2seq/bart."}}},
    {"kRoberta", {"models/encoders/list.h", {"models/encoders/bert"}}},
    {"kSeq2SeqTask",
     {"data/tasks/list.h", {"data/tasks/seq2seq_kind.h", "train/tasks/seq2seq_task."}}},
};

TEST(Contributing, AnAdditionIsItsOwnFilesAndALineOfOneTable) {
  for (const auto& [descriptor, places] : kAdditions) {
    const auto& [table, own] = places;
    const std::vector<std::string> files = files_with(descriptor);
    EXPECT_TRUE(std::ranges::count(files, table) == 1) << descriptor;
    for (const std::string& file : files) {
      const bool is_own = std::ranges::any_of(
          own, [&](const std::string& begin) { return file.starts_with(begin); });
      EXPECT_TRUE(is_own || file == table) << descriptor << " stands in " << file;
    }
  }
}

// Code that compares a name as a string is a second place that an addition would have to change.
TEST(Contributing, NoNameIsComparedAsAString) {
  std::vector<std::string> names;
  const auto add = [&](const auto& list) {
    for (const auto* const descriptor : list) names.emplace_back(descriptor->name);
  };
  add(metrics::kMetrics);
  add(data::kTasks);
  add(data::kInputFormats);
  add(data::kChoiceReaders);
  add(data::kRationaleReaders);
  add(data::kSequenceKinds);
  add(models::kEncoders);
  const fs::path source = fs::path(source_folder()) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path());
    for (const std::string& name : names) {
      for (const char* const operation : {"== ", "!= "}) {
        EXPECT_EQ(text.find(operation + ("\"" + name + "\"")), std::string::npos)
            << entry.path() << " compares with \"" << name << "\"";
      }
    }
  }
}

}  // namespace
}  // namespace rubric
