#include "text/byte_bpe/byte_bpe.h"

#include <map>

#include "core/files/files.h"
#include "core/text/utf8.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text::byte_bpe_test {

class ByteBpeCases : public testing::TestWithParam<const char*> {};

TEST_P(ByteBpeCases, EveryDirectoryGivesTheIdsOfTheReference) {
  std::map<std::string, ByteBpe> tokenizers;
  const auto find = [&](const std::string& name) {
    auto found = tokenizers.find(name);
    if (found == tokenizers.end()) {
      found = tokenizers.emplace(name, ByteBpe::from_directory(byte_bpe_fixture(name))).first;
    }
    return &found->second;
  };
  EXPECT_GE(compare_cases(byte_bpe_fixture(GetParam()), find), 300u);
  EXPECT_EQ(tokenizers.size(), 8u);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ByteBpeCases,
                         testing::Values("cases.json", "cases_random.json"));

TEST(ByteBpe, KnowsTheTokensAroundARow) {
  const ByteBpe roberta = ByteBpe::from_directory(byte_bpe_fixture("json"));
  EXPECT_EQ(roberta.cls_id(), 0);
  EXPECT_EQ(roberta.sep_id(), 2);
  EXPECT_EQ(roberta.size(), 961);
  const ByteBpe gpt2 = ByteBpe::from_directory(byte_bpe_fixture("gpt2"));
  EXPECT_EQ(gpt2.cls_id(), -1);
  EXPECT_EQ(gpt2.sep_id(), -1);
}

TEST(ByteBpe, BrokenBytesAreReplacementCharacters) {
  const ByteBpe tokenizer = ByteBpe::from_directory(byte_bpe_fixture("json"));
  for (const std::string_view text :
       {"\xFF", "a\xC3 b", "\xE4\xB8", "<mask>\xF0\x9F", "\xED\xA0\x80\xC0"}) {
    EXPECT_EQ(encode(tokenizer, text), encode(tokenizer, repair_utf8(text))) << text;
  }
  EXPECT_EQ(encode(tokenizer, "\xFF").size(), 3u);  // the three bytes of U+FFFD
}

TEST(ByteBpe, LongPiecesAreNotSlow) {
  // Half a megabyte without a place to split: takes minutes if time is quadratic.
  const ByteBpe tokenizer = ByteBpe::from_directory(byte_bpe_fixture("json"));
  const Ids ids = encode(tokenizer, std::string(1 << 19, 'e'));
  EXPECT_GT(ids.size(), 1u << 10);
  EXPECT_EQ(ids.front(), ids[ids.size() / 2]);
}

TEST(ByteBpe, EqualContentHasEqualFingerprints) {
  const auto of_directory = [](const char* name) {
    return ByteBpe::from_directory(byte_bpe_fixture(name)).fingerprint();
  };
  const std::string json = of_directory("json");
  for (const char* const same : {"plain", "files", "old_json"}) {
    EXPECT_EQ(of_directory(same), json) << same;
  }
  std::map<std::string, std::string> seen = {{json, "json"}};
  for (const char* const other : {"prefix_space", "added", "gpt2"}) {
    EXPECT_TRUE(seen.emplace(of_directory(other), other).second) << other;
  }
}

TEST(ByteBpe, TheOrderOfMergesCounts) {
  const TemporaryFolder folder;
  for (const char* const file : {"vocab.json", "merges.txt"}) {
    folder.write(file, read_file(byte_bpe_fixture("plain") / file));
  }
  const std::string before = ByteBpe::from_directory(folder.path()).fingerprint();
  std::string merges = read_file(byte_bpe_fixture("plain") / "merges.txt");
  const size_t first = merges.find('\n') + 1, second = merges.find('\n', first) + 1;
  const size_t third = merges.find('\n', second) + 1;
  merges = merges.substr(0, first) + merges.substr(second, third - second) +
           merges.substr(first, second - first) + merges.substr(third);
  folder.write("merges.txt", merges);
  EXPECT_NE(ByteBpe::from_directory(folder.path()).fingerprint(), before);
}

}  // namespace rubric::text::byte_bpe_test
