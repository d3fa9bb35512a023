#include "text/porter_stemmer.h"

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"

namespace rubric::text {
namespace {

TEST(PorterStemmer, EqualsNltks) {
  const Json stems = Json::parse_file(std::string(fixtures_folder()) + "/metrics/porter.json");
  ASSERT_GE(stems.object().size(), 1000U);
  for (const auto& [word, stem] : stems.object())
    EXPECT_EQ(porter_stem(word), stem.string()) << word;
}

TEST(PorterStemmer, TakesAnyWord) {
  for (const char* const word : {"", "s", "ed", "ing", "ion", "eed", "ied", "ll", "123", "ss"}) {
    porter_stem(word);
  }
}

}  // namespace
}  // namespace rubric::text
