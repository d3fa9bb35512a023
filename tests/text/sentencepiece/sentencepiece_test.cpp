#include "text/sentencepiece/sentencepiece.h"

#include <algorithm>

#include "core/files/files.h"
#include "core/text/utf8.h"
#include "text/generation_fixtures.h"

namespace rubric::text::sentencepiece_test {

TEST(SentencePiece, BrokenBytesAreReplacementCharacters) {
  const SentencePiece t5 = SentencePiece::from_directory(generation_fixture("nfkc"));
  for (const std::string_view text : {"\xFF", "a\xC3 b", "\xE4\xB8", "</s>\xF0\x9F", "\xED\xA0"}) {
    EXPECT_EQ(encode(t5, text), encode(t5, repair_utf8(text))) << text;
  }
  const SentencePiece plain = SentencePiece::from_directory(generation_fixture("plain"));
  EXPECT_EQ(encode(plain, "a\xFF").back(), plain.find("<unk>"));  // NFKC makes a blank of U+FFFD
}

TEST(SentencePiece, LongTextsAreNotSlow) {
  const SentencePiece t5 = SentencePiece::from_directory(generation_fixture("nfkc"));
  // Half a megabyte of one word, of words, of one cluster, of white space.
  EXPECT_GT(encode(t5, std::string(1 << 19, 'e')).size(), 1u << 15);
  std::string words, marks = "a";
  while (words.size() < 1 << 19) words += "the rain ";
  while (marks.size() < 1 << 19) marks += "\u0301";
  EXPECT_EQ(encode(t5, words).size() % encode(t5, "the rain").size(), 0u);
  EXPECT_FALSE(encode(t5, marks).empty());
  EXPECT_TRUE(encode(t5, std::string(1 << 19, ' ')).empty());
}

TEST(SentencePiece, HasNoTokensAroundARow) {
  const SentencePiece t5 = SentencePiece::from_directory(generation_fixture("nfkc"));
  EXPECT_EQ(t5.cls_id(), -1);
  EXPECT_EQ(t5.sep_id(), -1);
  EXPECT_EQ(t5.size(), 434);
}

TEST(SentencePiece, TheFingerprintIsThatOfAllThatIdsDependOn) {
  const auto of = [](const std::string& name, const std::vector<std::string>& added = {}) {
    return SentencePiece::from_directory(generation_fixture(name), added).fingerprint();
  };
  std::vector<std::string> all = {of("plain"),         of("nfkc"),  of("published"),
                                  of("slow"),          of("first"), of("never"),
                                  of("symbols"),       of("added"), of("plain", {"<new>"}),
                                  of("plain", {"the"})};
  std::ranges::sort(all);
  EXPECT_TRUE(std::ranges::adjacent_find(all) == all.end());
  // A score, and a replaced character.
  for (const char* const change : {"\xC3\xA9", "rain"}) {
    const TemporaryFolder folder;
    std::string model = read_file(generation_fixture("plain") / "spiece.model");
    const size_t found = model.rfind(change);
    ASSERT_NE(found, std::string::npos);
    if (change[0] == 'r') {
      model[found + 6] ^= 1;  // behind "rain": the tag and the lowest byte of its score
    } else {
      model.replace(found, 2, "\xC3\xAA");
    }
    folder.write("spiece.model", model);
    folder.write("tokenizer_config.json",
                 read_file(generation_fixture("plain") / "tokenizer_config.json"));
    EXPECT_NE(SentencePiece::from_directory(folder.path()).fingerprint(), of("plain")) << change;
  }
}

}  // namespace rubric::text::sentencepiece_test
