#include <gtest/gtest.h>

#include "text/sentencepiece/sentencepiece.h"

namespace rubric::text::unigram_test {

using Ids = std::vector<int64_t>;

struct Piece {
  const char* text;
  double score;
};

// The pieces have the ids 0, 1, … ; unknown text gets 99.
Ids cut(const std::vector<Piece>& pieces, std::string_view word) {
  Vocabulary vocabulary;
  std::vector<double> scores;
  for (const Piece& piece : pieces) {
    vocabulary.add(piece.text, static_cast<int32_t>(scores.size()));
    scores.push_back(piece.score);
  }
  Ids ids = {-7};  // what is there stays
  Unigram(vocabulary, scores, 99).append_ids(word, ids);
  EXPECT_EQ(ids.front(), -7);
  ids.erase(ids.begin());
  return ids;
}

TEST(Unigram, TakesTheMostProbableCut) {
  const std::vector<Piece> pieces = {{"a", -1}, {"b", -1}, {"ab", -1.5}, {"abc", -9}, {"c", -3}};
  EXPECT_EQ(cut(pieces, "ab"), (Ids{2}));
  EXPECT_EQ(cut(pieces, "abc"), (Ids{2, 4}));
  EXPECT_EQ(cut(pieces, "ba"), (Ids{1, 0}));
  EXPECT_EQ(cut(pieces, ""), Ids{});
}

TEST(Unigram, UnknownCharactersInARowAreOne) {
  const std::vector<Piece> pieces = {{"a", -1}, {"\u2603b", -2}};
  EXPECT_EQ(cut(pieces, "\u2603\u2603xa\u2603"), (Ids{99, 0, 99}));
  EXPECT_EQ(cut(pieces, "\u2603\u2603b"), (Ids{99, 1}));
  EXPECT_EQ(cut({}, "xyz"), (Ids{99}));
}

TEST(Unigram, ABetterPieceMayStartAtAnUnknownCharacter) {
  // x is unknown at min(-1, -30) - 10: the rare piece is better than unknown x and a.
  EXPECT_EQ(cut({{"a", -1}, {"xa", -30}}, "xa"), (Ids{1}));
}

TEST(Unigram, OfEqualCutsTheFirstFoundIsKept) {
  // ". .." and ".. ." have the same sum; what ends in the longer piece is found first.
  EXPECT_EQ(cut({{".", -2.1F}, {"..", -3.3F}}, "..."), (Ids{0, 1}));
  EXPECT_EQ(cut({{".", -2.1F}, {"..", -3.3F}}, "....."), (Ids{0, 1, 1}));
}

TEST(Unigram, LongWordsAreNotSlow) {
  const std::string word(1 << 20, 'a');
  EXPECT_EQ(cut({{"a", -1}, {"aaaa", -2}}, word).size(), word.size() / 4);
}

}  // namespace rubric::text::unigram_test
