#include "text/wordpiece/wordpiece.h"

#include <map>
#include <thread>

#include "core/hash.h"
#include "core/text/utf8.h"
#include "text/tokenizer_fixtures.h"
#include "text/wordpiece/wordpiece_fixture.h"

namespace rubric::text::wordpiece_test {

constexpr int64_t kUnknown = 1;  // in the fixtures' vocabularies

class WordPieceCases : public testing::TestWithParam<const char*> {};

TEST_P(WordPieceCases, EveryDirectoryGivesTheIdsOfTheReference) {
  std::map<std::string, WordPiece> tokenizers;
  const auto find = [&](const std::string& name) {
    auto found = tokenizers.find(name);
    if (found == tokenizers.end()) {
      found = tokenizers.emplace(name, WordPiece::from_directory(tokenizer_fixture(name))).first;
    }
    return &found->second;
  };
  EXPECT_GE(compare_cases(tokenizer_fixture(GetParam()), find), 300u);
}

TEST_P(WordPieceCases, VocabularyFilesGiveTheSame) {
  const WordPiece uncased = wordpiece_of(tokenizer_fixture("vocab_uncased.txt"), "{}");
  const WordPiece cased =
      wordpiece_of(tokenizer_fixture("vocab_cased.txt"), R"({"do_lower_case": false})");
  const auto find = [&](const std::string& name) {
    return name == "uncased" ? &uncased : name == "cased" ? &cased : nullptr;
  };
  EXPECT_GE(compare_cases(tokenizer_fixture(GetParam()), find), 100u);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, WordPieceCases,
                         testing::Values("cases.json", "cases_random.json"));

// A pair is <s> A </s></s> B </s> there.
TEST(WordPiece, GivesTheIdsOfMpnet) {
  std::map<std::string, WordPiece> tokenizers;
  for (const char* const name : {"mpnet", "mpnet_json"}) {
    tokenizers.emplace(name, WordPiece::from_directory(tokenizer_fixture(name)));
    EXPECT_EQ(tokenizers.at(name).cls_id(), 0);
    EXPECT_EQ(tokenizers.at(name).sep_id(), 2);
  }
  const auto find = [&](const std::string& name) { return &tokenizers.at(name); };
  const auto file = tokenizer_fixture("cases_mpnet.json");
  EXPECT_GE(compare_cases(file, find), 200u);
  const Json cases = Json::parse_file(file);
  for (const Json& one : cases.array()) {
    const WordPiece& tokenizer = tokenizers.at(one.require_string("tokenizer", ""));
    Ids ids = {tokenizer.cls_id()};
    tokenizer.encode(one.require_string("text", ""), ids);
    ids.insert(ids.end(), 2, tokenizer.sep_id());
    tokenizer.encode(one.require_string("other", ""), ids);
    ids.push_back(tokenizer.sep_id());
    EXPECT_EQ(ids, ids_of(one.require("pair", ""))) << one.dump();
  }
}

TEST(WordPiece, KnowsItsSpecialTokens) {
  const WordPiece tokenizer = WordPiece::from_directory(tokenizer_fixture("added"));
  EXPECT_EQ(encode(tokenizer, "\u4E02\u2603"), (Ids{kUnknown, kUnknown}));
  EXPECT_EQ(tokenizer.cls_id(), 2);
  EXPECT_EQ(tokenizer.sep_id(), 3);
  EXPECT_EQ(tokenizer.size(), 848);
}

TEST(WordPiece, AppendsToTheIds) {
  const WordPiece tokenizer = WordPiece::from_directory(tokenizer_fixture("uncased"));
  Ids ids = {-5};
  tokenizer.encode("a", ids);
  EXPECT_EQ(ids, (Ids{-5, 69}));  // "a" stands in line 70 of the vocabulary
}

TEST(WordPiece, BrokenBytesAreReplacementCharacters) {
  const WordPiece tokenizer = WordPiece::from_directory(tokenizer_fixture("uncased"));
  uint32_t state = 1;
  const auto draw = [&state](uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
  };
  const std::string pieces[] = {
      "the",   " ", "[SEP]", "é",      "中",       "\xE4",         "\xB8", "\xFF",
      "[MASK", "]", "ing",   "\u0301", "\xF0\x9F", "\xED\xA0\x80", "\xC0"};
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (uint32_t n = draw(12); n > 0; --n) text += pieces[draw(std::size(pieces))];
    ASSERT_EQ(encode(tokenizer, text), encode(tokenizer, repair_utf8(text))) << i;
  }
  EXPECT_EQ(encode(tokenizer, "[SEP]\x80"), Ids{tokenizer.sep_id()});
}

TEST(WordPiece, LongTexts) {
  const WordPiece tokenizer = WordPiece::from_directory(tokenizer_fixture("uncased"));
  EXPECT_EQ(encode(tokenizer, std::string(1 << 20, 'a')), Ids{kUnknown});
  EXPECT_EQ(encode(tokenizer, std::string(1 << 20, '.')), Ids(1 << 20, 18));
  EXPECT_EQ(encode(tokenizer, std::string(1 << 20, '[')), Ids(1 << 20, 63));
}

TEST(WordPiece, SeveralThreadsAtOnce) {
  const WordPiece tokenizer = WordPiece::from_directory(tokenizer_fixture("added"));
  const std::string text = "Maria [SEP] walked <Left> to the market, café solo 中文!";
  const Ids expected = encode(tokenizer, text);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) wrong[t] += encode(tokenizer, text) != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(WordPieceFingerprint, IsThatOfTheContentNotOfTheFile) {
  const auto of_directory = [](const char* name) {
    return WordPiece::from_directory(tokenizer_fixture(name)).fingerprint();
  };
  const std::string uncased = of_directory("uncased");
  EXPECT_EQ(uncased.size(), 64u);
  EXPECT_EQ(of_directory("truncating"), uncased);
  for (const char* const config : {"{}", R"({"strip_accents": true})"}) {
    EXPECT_EQ(wordpiece_of(tokenizer_fixture("vocab_uncased.txt"), config).fingerprint(), uncased);
  }
}

TEST(WordPieceFingerprint, ChangesWithOptionsVocabularyAndAddedTokens) {
  const char* const names[] = {
      "uncased", "cased",      "uncased_keep_accents", "uncased_no_cjk", "cased_strip_accents",
      "added",   "config_wins"};
  std::map<std::string, std::string> seen;
  for (const char* const name : names) {
    const std::string fingerprint =
        WordPiece::from_directory(tokenizer_fixture(name)).fingerprint();
    EXPECT_TRUE(seen.emplace(fingerprint, name).second) << name << " and " << seen[fingerprint];
  }
}

}  // namespace rubric::text::wordpiece_test
