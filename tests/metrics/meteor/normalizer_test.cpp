#include "metrics/meteor/normalizer.h"

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"

namespace rubric::metrics::normalizer_test {

// Those of tests/fixtures/meteor/data.
const NonbreakingPrefixes kPrefixes = {{"Dr", "Mr", "St", "e.g", "Prof", "Nr"}, {"No", "pp"}};

TEST(MeteorNormalizer, EqualsTheJavaProgram) {
  const Json rows = Json::parse_file(std::string(fixtures_folder()) + "/meteor/words.json");
  ASSERT_GT(rows.array().size(), 400u);
  for (const Json& row : rows.array()) {
    const std::string& text = row.find("text")->string();
    EXPECT_EQ(normalize_for_meteor(text, kPrefixes), row.find("words")->string())
        << json_quote(text);
  }
}

TEST(MeteorNormalizer, ReadsInvalidUtf8AsReplacementCharacters) {
  EXPECT_EQ(normalize_for_meteor("a\xff\xfe b\xc3", kPrefixes), "a \ufffd \ufffd b \ufffd");
}

TEST(MeteorNormalizer, SplitsWords) {
  using Words = std::vector<std::string_view>;
  EXPECT_EQ(meteor_words(""), Words());
  EXPECT_EQ(meteor_words("  "), Words());
  EXPECT_EQ(meteor_words(" a  bc\td\n"), (Words{"a", "bc", "d"}));
  EXPECT_EQ(meteor_words("a\vb"), Words{"a\vb"});  // no delimiter of Java's StringTokenizer
}

}  // namespace rubric::metrics::normalizer_test
