#include <gtest/gtest.h>

#include "messages.h"
#include "metrics/meteor/data.h"
#include "temporary_folder.h"

namespace rubric::metrics::meteor_synonyms_test {

using Numbers = std::vector<int32_t>;

struct MeteorSynonymsTest : testing::Test {
  MeteorSynonymsTest() {
    folder_.write("english.synsets",
                  "box\n5 3\nfly\n00000007\ngo\n1 2\nman\n9\nclass\n4\nmake\n6\nwant\n8\nwan\n10\n"
                  "axe\n11\nax\n11 12\n");
    folder_.write("english.exceptions", "go\nwent gone\naxe\naxes\nax\naxes\n");
  }
  TemporaryFolder folder_;
};

TEST_F(MeteorSynonymsTest, KnowWordsAndTheirForms) {
  const MeteorSynonyms synonyms(folder_.path());
  EXPECT_EQ(synonyms.synsets("box"), (Numbers{3, 5}));
  EXPECT_EQ(synonyms.synsets("boxes"), (Numbers{3, 5}));
  EXPECT_EQ(synonyms.synsets("flies"), Numbers{7});
  EXPECT_EQ(synonyms.synsets("men"), Numbers{9});
  EXPECT_EQ(synonyms.synsets("making"), Numbers{6});
  EXPECT_EQ(synonyms.synsets("wanted"), Numbers{8});  // "wante" is no word
  EXPECT_EQ(synonyms.synsets("class"), Numbers{4});   // no plural of "clas"
  EXPECT_EQ(synonyms.synsets("went"), (Numbers{1, 2}));
  EXPECT_EQ(synonyms.synsets("axes"), (Numbers{11, 12}));  // of two base forms, each synset once
  EXPECT_EQ(synonyms.synsets("xyz"), Numbers());
  EXPECT_EQ(synonyms.synsets(""), Numbers());
  EXPECT_EQ(synonyms.synsets("s"), Numbers());
}

TEST_F(MeteorSynonymsTest, FilesOfAnotherFormAreNamed) {
  const auto message = [&] {
    return input_error([&] { const MeteorSynonyms synonyms(folder_.path()); });
  };
  const std::string file = folder_.write("english.synsets", "box\n5 3\nfly\n").string();
  EXPECT_EQ(message(), error_lines("the second line of a pair is missing", file + ":3",
                                   "run scripts/setup --meteor"));
  folder_.write("english.synsets", "box\n5 3\nfly\nseven\n");
  EXPECT_EQ(message(), error_lines("synsets of a word must be numbers", file + ":4",
                                   "run scripts/setup --meteor"));
  folder_.write("english.synsets", "");
  EXPECT_EQ(message(), "accepted");
}

}  // namespace rubric::metrics::meteor_synonyms_test
