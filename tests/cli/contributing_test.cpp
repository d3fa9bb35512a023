// CONTRIBUTING.md shows code of this tree, and what it says of additions holds.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/list.h"
#include "core/files/files.h"
#include "data/answers/list.h"
#include "data/model_files/list.h"
#include "data/multiple_choice/list.h"
#include "data/rationales/list.h"
#include "data/tasks/list.h"
#include "metrics/list.h"
#include "models/encoders/list.h"
#include "paths.h"

namespace rubric::cli::contributing_test {

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

// The tables of additions: one line for each.
const std::vector<std::string> kTables = {
    "cli/derive/list.h",      "cli/evaluate/list.h",     "cli/list.h",
    "data/answers/list.h",    "data/model_files/list.h", "data/multiple_choice/list.h",
    "data/rationales/list.h", "data/tasks/list.h",       "metrics/list.h",
    "models/encoders/list.h",
};

// Where else a descriptor stands, and why that is no second place to change.
const std::map<std::string, std::vector<std::string>> kElsewhere = {
    // The defaults: of a configuration's task, of a model card without one, of error analysis.
    {"kLercTask", {"train/settings/", "data/model_files/"}},
    {"kLerc", {"eval/agreement/gaps.cpp"}},
    // The two scores of SQuAD's script, whose best threshold of "no answer" it gives; f1 of
    // articles.
    {"kF1", {"eval/score/score.cpp"}},
    {"kExactMatch", {"eval/score/score.cpp"}},
    // The table of what the neural half runs.
    {"kTrain", {"cli/neural/neural_half.cpp"}},
    {"kGenerate", {"cli/neural/neural_half.cpp"}},
    {"kImport", {"cli/neural/neural_half.cpp"}},
    {"kQuantize", {"cli/neural/neural_half.cpp"}},
    {"kAverage", {"cli/neural/neural_half.cpp"}},
    // Scores of the suite, with names of their own.
    {"kRev", {"eval/rev/"}},
    {"kLas", {"eval/rev/"}},
};

bool holds_match(const std::string& file, const std::string& expression) {
  const std::string text = read_file(fs::path(source_folder()) / "src" / file);
  return std::regex_search(text, std::regex(expression));
}

// Whether the file, or the header beside it, defines the descriptor, or what a template has for it.
bool is_own_file(const std::string& file, const std::string& descriptor) {
  const std::string definition = "\\b" + descriptor + " = ";
  const std::string header = fs::path(file).replace_extension(".h");
  return holds_match(file, definition + "|<(\\w+::)?" + descriptor + ">") ||
         (fs::exists(fs::path(source_folder()) / "src" / header) &&
          holds_match(header, definition));
}

TEST(Contributing, AnAdditionIsItsOwnFilesAndALineOfOneTable) {
  const std::regex line("^    &(k\\w+),$", std::regex::multiline);
  for (const std::string& table : kTables) {
    const std::string text = read_file(fs::path(source_folder()) / "src" / table);
    int64_t lines = 0;
    for (std::sregex_iterator each(text.begin(), text.end(), line), end; each != end; ++each) {
      ++lines;
      const std::string descriptor = (*each)[1];
      const auto elsewhere = kElsewhere.find(descriptor);
      for (const std::string& file : files_with(descriptor)) {
        const bool is_excepted =
            elsewhere != kElsewhere.end() &&
            std::ranges::any_of(elsewhere->second,
                                [&](const std::string& begin) { return file.starts_with(begin); });
        EXPECT_TRUE(file == table || is_excepted || is_own_file(file, descriptor))
            << descriptor << " of " << table << " stands in " << file;
      }
    }
    EXPECT_GE(lines, 2) << table;
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
  add(kCommands);
  add(kSuites);
  add(kDerivations);
  const fs::path source = fs::path(source_folder()) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) continue;
    const std::string text = read_file(entry.path());
    for (const std::string& name : names) {
      for (const char* const operation : {"== ", "!= "}) {
        EXPECT_EQ(text.find(operation + ("\"" + name + "\"")), std::string::npos)
            << entry.path() << " compares with \"" << name << "\"";
      }
    }
  }
}

}  // namespace rubric::cli::contributing_test
