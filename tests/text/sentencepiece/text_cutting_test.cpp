#include "text/sentencepiece/pre_tokenization.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text::text_cutting_test {

using Words = std::vector<std::string>;
using Prefix = PreTokenization::Prefix;

// Without white space at the end, and with blank marks for runs of spaces, as of a spiece.model.
std::string normalized(const std::string& text) {
  std::string out;
  Normalizer::of_spiece_model("", "").normalize(text, out);
  return out;
}

Words words_of(const PreTokenization& pre_tokenization, const std::string& text,
               bool starts_text = true) {
  Words words;
  for_each_word(pre_tokenization, text, starts_text,
                [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(PreTokenization, MarksBlanks) {
  const PreTokenization pre_tokenization;
  EXPECT_EQ(words_of(pre_tokenization, "a b"), (Words{"▁a", "▁b"}));
  EXPECT_EQ(words_of(pre_tokenization, normalized("  a   b \n ")), (Words{"▁a", "▁b"}));
  EXPECT_EQ(words_of(pre_tokenization, " a ▁b▁"), (Words{"▁a", "▁", "▁b", "▁"}));
  EXPECT_EQ(words_of(pre_tokenization, "a\tb"), (Words{"▁a\tb"}));
  EXPECT_EQ(words_of(pre_tokenization, normalized(" \u3000 ")), Words{});
  EXPECT_EQ(words_of(pre_tokenization, ""), Words{});
}

TEST(PreTokenization, PutsABlankBeforeAllTextsOrTheFirstOrNone) {
  PreTokenization pre_tokenization;
  EXPECT_EQ(words_of(pre_tokenization, "a", false), (Words{"▁a"}));
  pre_tokenization.prefix = Prefix::first;
  EXPECT_EQ(words_of(pre_tokenization, "a b", true), (Words{"▁a", "▁b"}));
  EXPECT_EQ(words_of(pre_tokenization, "a b", false), (Words{"a", "▁b"}));
  pre_tokenization.prefix = Prefix::never;
  EXPECT_EQ(words_of(pre_tokenization, "a b", true), (Words{"a", "▁b"}));
}

TEST(PreTokenization, SplitsAtWhiteSpaceAsPublishedTokenizersDo) {
  PreTokenization pre_tokenization;
  pre_tokenization.splits_at_white_space = true;
  EXPECT_EQ(words_of(pre_tokenization, "  a\t\u3000b  "), (Words{"▁a", "▁b"}));
  EXPECT_EQ(words_of(pre_tokenization, "a ▁ b▁c"), (Words{"▁a", "▁", "▁b", "▁c"}));
  pre_tokenization.prefix = Prefix::first;
  EXPECT_EQ(words_of(pre_tokenization, "a b"), (Words{"▁a", "b"}));
  EXPECT_EQ(words_of(pre_tokenization, " a b"), (Words{"a", "b"}));
}

// A tokenizer.json with these parts.
Json tokenizer(const std::string& pre_tokenizer, const std::string& decoder) {
  return Json::parse("{\"pre_tokenizer\": " + pre_tokenizer + ", \"decoder\": " + decoder + "}",
                     "");
}

constexpr const char* kMetaspace = R"({"type": "Metaspace", "replacement": "▁"})";

TEST(ReadTextCutting, KnowsTheFormsOfT5) {
  const PreTokenization now = read_pre_tokenization(
      tokenizer(R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"})",
                kMetaspace),
      "");
  EXPECT_TRUE(now.drops_first_blank);
  EXPECT_FALSE(now.splits_at_white_space);
  EXPECT_EQ(now.prefix, Prefix::first);
  const PreTokenization before = read_pre_tokenization(
      tokenizer(R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
                    {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true}]})",
                R"({"type": "Metaspace", "replacement": "▁", "add_prefix_space": false})"),
      "");
  EXPECT_TRUE(before.splits_at_white_space);
  EXPECT_FALSE(before.drops_first_blank);
  EXPECT_EQ(before.prefix, Prefix::always);
}

TEST(ReadTextCutting, OtherStepsAreRefusedByName) {
  const auto message_of = [](const std::string& pre_tokenizer, const std::string& decoder) {
    return input_error([&] { read_pre_tokenization(tokenizer(pre_tokenizer, decoder), "a.json"); });
  };
  expect_says(message_of("null", kMetaspace), {"null", "a.json: pre_tokenizer"});
  expect_says(message_of(R"({"type": "ByteLevel"})", kMetaspace), {"ByteLevel"});
  expect_says(message_of(R"({"type": "Sequence", "pretokenizers": [{"type": "Digits"}, )" +
                             std::string(kMetaspace) + "]}",
                         kMetaspace),
              {"Digits"});
  expect_says(message_of(R"({"type": "Metaspace", "replacement": "_"})", kMetaspace), {"_"});
  expect_says(
      message_of(R"({"type": "Metaspace", "replacement": "▁", "split": false})", kMetaspace),
      {"split"});
  expect_says(message_of(kMetaspace, R"({"type": "WordPiece"})"), {"WordPiece", "a.json: decoder"});
  expect_says(message_of(kMetaspace, "null"), {"null", "decoder"});
  expect_says(message_of(R"({"type": "Sequence", "pretokenizers": []})", kMetaspace),
              {"pre_tokenizer"});
}

}  // namespace rubric::text::text_cutting_test
