#include "metrics/ngram/porter_stemmer.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"

namespace rubric::metrics::porter_stemmer_test {

TEST(PorterStemmer, EqualsNltks) {
  const Json stems = Json::parse_file(std::string(fixtures_folder()) + "/metrics/porter.json");
  ASSERT_GE(stems.object().size(), 1000U);
  for (const auto& [word, stem] : stems.object())
    EXPECT_EQ(porter_stem(word), stem.string()) << word;
}

// All of up to four characters that its rules tell apart, which leave little before an ending.
TEST(PorterStemmer, ShortWordsKeepALetterAndGrowByNone) {
  EXPECT_EQ(porter_stem(""), "");
  const std::string characters = "aeiysdnglz1";
  std::vector<std::string> words = {""};
  for (size_t i = 0; i < words.size() && words[i].size() < 4; ++i) {
    for (const char c : characters) {
      const std::string word = words[i] + c;
      const std::string stem = porter_stem(word);
      EXPECT_FALSE(stem.empty()) << word;
      EXPECT_LE(stem.size(), word.size()) << word << " " << stem;
      words.push_back(word);
    }
  }
}

}  // namespace rubric::metrics::porter_stemmer_test
