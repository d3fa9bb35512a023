#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "text/unicode/unicode.h"

namespace rubric::text::grapheme_test {

// The clusters of GraphemeBreakTest.txt's kinds; charsmap_test.cpp has all single marks.
TEST(Grapheme, ClustersAreThoseOfAnnex29) {
  const std::vector<std::vector<std::string>> texts = {
      {"a", "b", " "},
      {"\r\n", "\n", "\r", "\u0301"},  // controls
      {"e\u0301\u0302", "x"},
      {"\u0600a\u0301", "b"},                            // a mark before what it belongs to
      {"\u1100\u1161\u11A8", "\u1100\uAC01", "\uAC01"},  // Hangul
      {"\uAC00\u1161\u11A8", "a"},
      {"\U0001F1E6\U0001F1E7", "\U0001F1E8", "a"},  // flags
      {"\U0001F469\U0001F3FD\u200D\U0001F52C", "\U0001F469"},
      {"a\u200D", "\U0001F52C"},
      {"\u0E01\u0E33", "\u0E01"},
  };
  for (const std::vector<std::string>& clusters : texts) {
    std::string text;
    for (const std::string& cluster : clusters) text += cluster;
    size_t position = 0;
    for (const std::string& cluster : clusters) {
      EXPECT_EQ(grapheme_end(text, position), position + cluster.size()) << text;
      position += cluster.size();
    }
  }
}

}  // namespace rubric::text::grapheme_test
