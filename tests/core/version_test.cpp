#include "rubric/version.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::version_test {

// The id that cmake/BuildId.cmake gives the source files of `folder`.
std::string id_of(const TemporaryFolder& folder) {
  const std::string output = folder.file("id.cpp");
  const std::string command = std::string("'" RUBRIC_CMAKE "' -DSOURCES='") + folder.file("src") +
                              "' -DOUTPUT='" + output + "' -P '" + source_folder() +
                              "/cmake/BuildId.cmake'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return read_file(output);
}

TEST(Version, HasTheBuildBehindTheRelease) {
  EXPECT_EQ(std::string(build_id()).size(), 12);
  EXPECT_EQ(version_with_build(), std::string(kVersion) + "+" + build_id());
}

TEST(Version, IsTheSameInEveryFileThatNamesIt) {
  const std::string folder = source_folder(), version = kVersion;
  expect_contains(read_file(folder + "/pyproject.toml"), "\nversion = \"" + version + "\"\n");
  expect_contains(read_file(folder + "/CITATION.cff"), "\nversion: " + version + "\n");
}

TEST(Version, TheIdChangesWithCodeAndNotWithComments) {
  const TemporaryFolder folder;
  folder.write("src/metrics/f1.cpp", "// F1.\ndouble f1(double p, double r) {\n  return 0;\n}\n");
  const std::string before = id_of(folder);

  folder.write("src/metrics/README.md", "Metrics.\n");
  folder.write(
      "src/metrics/f1.cpp",
      "// The harmonic mean.\n\ndouble f1(double p, double r) {  \n  // none\n  return 0;\n}\n");
  EXPECT_EQ(id_of(folder), before);

  folder.write("src/metrics/f1.cpp", "double f1(double p, double r) {\n  return 1;\n}\n");
  EXPECT_NE(id_of(folder), before);
}

TEST(Version, TheIdChangesWithEveryLineOfARawString) {
  const TemporaryFolder folder;
  folder.write("src/page.cpp", "const char* kPage = R\"(\n// one\n)\";\n");
  const std::string before = id_of(folder);
  folder.write("src/page.cpp", "const char* kPage = R\"(\n// two\n)\";\n");
  EXPECT_NE(id_of(folder), before);
}

TEST(Version, TheIdChangesWhenAFileIsRenamed) {
  const TemporaryFolder folder;
  folder.write("src/metrics/f1.h", "double f1(double p, double r);\n");
  const std::string before = id_of(folder);
  std::filesystem::rename(folder.path() / "src/metrics/f1.h", folder.path() / "src/metrics/f.h");
  EXPECT_NE(id_of(folder), before);
}

}  // namespace rubric::version_test
