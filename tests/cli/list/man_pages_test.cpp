// Manual pages, which come from what --help prints.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "cli/list.h"
#include "cli/list/command_lines.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "temporary_folder.h"

namespace rubric::cli::man_pages_test {

struct ManPages : testing::Test {
  void SetUp() override { done(run({"rubric", "list", "--man", folder_.file("man")})); }
  std::string page(const std::string& name) const {
    return read_file(folder_.file("man/" + name + ".1"));
  }

  TemporaryFolder folder_;
};

TEST_F(ManPages, EachCommandHasOneWithItsOptionsAndExamples) {
  size_t pages = 1;  // rubric's
  for (const CommandLine& line : command_lines()) {
    const std::string text = page("rubric-" + join(line.words, "-"));
    ++pages;
    EXPECT_TRUE(text.starts_with(".TH RUBRIC\\-")) << text;
    for (const std::string section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "EXIT STATUS", "SEE ALSO"}) {
      expect_contains(text, "\n.SH " + section + "\n");
    }
    for (const auto& option : line.options.options()) {
      std::string name = "--" + option->long_name();
      replace_all(name, "-", "\\-");
      expect_contains(text, name);
    }
  }
  const std::filesystem::directory_iterator files(folder_.file("man"));
  EXPECT_EQ(static_cast<size_t>(std::distance(begin(files), end(files))), pages);
  for (const Command* const command : kCommands) {
    expect_contains(page("rubric"), "\nrubric " + std::string(command->name) + "\n");
  }
}

TEST_F(ManPages, ShowTextAsItIs) {
  const std::string score = page("rubric-score");
  expect_contains(score, ".SH NAME\nrubric\\-score \\- scores a file of answers");
  expect_contains(score, ".nf\nusage: rubric score METRIC[,METRIC…] \\-\\-input FILE");
  expect_contains(score, "\\-i [ \\-\\-input ] FILE ");
  expect_contains(page("rubric-generate"), "\\-\\-source \\(aqsummarize: ");
}

TEST_F(ManPages, TroffReadsThem) {
  if (!std::filesystem::exists("/usr/bin/groff")) GTEST_SKIP() << "groff is not installed";
  for (const auto& entry : std::filesystem::directory_iterator(folder_.file("man"))) {
    const std::string out = folder_.file("out"), err = folder_.file("err");
    EXPECT_EQ(
        run_process({"groff", "-K", "utf8", "-man", "-Tutf8", "-ww", entry.path()}, {"", out, err}),
        0);
    EXPECT_EQ(read_file(err), "") << entry.path();
    expect_contains(read_file(out), "75:");
  }
}

}  // namespace rubric::cli::man_pages_test
