#include <string>

#include <gtest/gtest.h>

#include "text/sentencepiece/sentencepiece.h"

namespace rubric::text::piece_trie_test {

// The value at the end of `text`; -2 when the walk stops before.
int32_t walk(const PieceTrie& trie, std::string_view text) {
  PieceTrie::Walk walk;
  for (const char byte : text) {
    if (!trie.step(walk, byte)) return -2;
  }
  return walk.value;
}

TEST(PieceTrie, FindsTextsByTheirPrefixes) {
  PieceTrie trie;
  EXPECT_EQ(walk(trie, "a"), -2);
  trie.add("abc", 0);
  trie.add("a", 1);
  trie.add(std::string_view("a\0", 2), 2);
  trie.add("\xE2\x96\x81", 3);
  trie.add("abc", 4);
  EXPECT_EQ(walk(trie, ""), -1);
  EXPECT_EQ(walk(trie, "a"), 1);
  EXPECT_EQ(walk(trie, "ab"), -1);
  EXPECT_EQ(walk(trie, "abc"), 4);
  EXPECT_EQ(walk(trie, "abcd"), -2);
  EXPECT_EQ(walk(trie, std::string_view("a\0", 2)), 2);
  EXPECT_EQ(walk(trie, "\xE2\x96\x81"), 3);
  EXPECT_EQ(walk(trie, "b"), -2);
}

TEST(PieceTrie, KeepsManyTexts) {
  PieceTrie trie;
  for (int32_t i = 0; i < 20000; ++i) trie.add(std::to_string(i * 7919), i);
  for (int32_t i = 0; i < 20000; ++i) ASSERT_EQ(walk(trie, std::to_string(i * 7919)), i);
}

}  // namespace rubric::text::piece_trie_test
