#include "metrics/meteor/data.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "messages.h"
#include "metrics/meteor/meteor_folder.h"
#include "paths.h"

namespace rubric::metrics::data_test {

TEST(MeteorData, IsReadFromTheFoldersOfTheDistribution) {
  const MeteorFolder folder;
  const MeteorData data = read_meteor_data(folder.path());
  EXPECT_TRUE(data.prefixes.always.contains("Dr"));
  EXPECT_TRUE(data.prefixes.before_number.contains("pp"));
  EXPECT_FALSE(data.prefixes.always.contains("pp"));
  EXPECT_FALSE(data.prefixes.always.contains("#"));
  EXPECT_TRUE(data.function_words.contains("the"));
  EXPECT_FALSE(data.synonyms.synsets("car").empty());
  EXPECT_TRUE(data.paraphrases.has_value());
  EXPECT_EQ(data.hash.size(), 8u);
}

TEST(MeteorData, AnyFileMayBeMissingButThatIsSaid) {
  for (const char* name : {"synonym/english.synsets", "synonym/english.exceptions",
                           "function/english.words", "nonbreaking/english.prefixes"}) {
    const MeteorFolder folder;
    std::filesystem::remove(folder.path() / name);
    EXPECT_EQ(input_error([&] { read_meteor_data(folder.path()); }),
              error_lines("METEOR's data is not there", (folder.path() / name).string(),
                          "run scripts/setup --meteor in the clone of rubric that this was built "
                          "from, or set RUBRIC_METEOR to a directory with METEOR's data"));
  }
}

TEST(MeteorData, EveryFileCountsForTheHash) {
  const MeteorFolder folder;
  std::string last = read_meteor_data(folder.path()).hash;
  for (const char* name : {"synonym/english.synsets", "synonym/english.exceptions",
                           "function/english.words", "nonbreaking/english.prefixes"}) {
    const std::filesystem::path file = folder.path() / name;
    write_file(file, read_file(file) + "new\n1\n");
    const std::string now = read_meteor_data(folder.path()).hash;
    EXPECT_NE(now, last) << name;
    last = now;
  }
}

TEST(MeteorData, TheEnvironmentSaysWhere) {
  setenv("RUBRIC_METEOR", "/somewhere", 1);
  EXPECT_EQ(meteor_directory(), "/somewhere");
  unsetenv("RUBRIC_METEOR");
  EXPECT_EQ(meteor_directory(), std::filesystem::path(source_folder()) / ".deps" / "meteor");
}

}  // namespace rubric::metrics::data_test
