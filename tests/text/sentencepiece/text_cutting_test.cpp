#include "text/sentencepiece/normalization.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text {
namespace {

using Words = std::vector<std::string>;
using Prefix = PreTokenization::Prefix;

Words words_of(const PreTokenization& pre_tokenization, std::string text, bool starts_text = true) {
  normalize_white_space(pre_tokenization, text);
  Words words;
  for_each_word(pre_tokenization, text, starts_text,
                [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(PreTokenization, MarksBlanks) {
  const PreTokenization pre_tokenization;
  EXPECT_EQ(words_of(pre_tokenization, "a b"), (Words{"▁a", "▁b"}));
  EXPECT_EQ(words_of(pre_tokenization, "  a   b \n "), (Words{"▁a", "▁b"}));
  EXPECT_EQ(words_of(pre_tokenization, " a ▁b▁"), (Words{"▁a", "▁", "▁b", "▁"}));
  EXPECT_EQ(words_of(pre_tokenization, "a\tb"), (Words{"▁a\tb"}));
  EXPECT_EQ(words_of(pre_tokenization, " \u3000 "), Words{});
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
  pre_tokenization.strips_end = false;
  pre_tokenization.blank_run.clear();
  pre_tokenization.splits_at_white_space = true;
  EXPECT_EQ(words_of(pre_tokenization, "  a\t\u3000b  "), (Words{"▁a", "▁b"}));
  EXPECT_EQ(words_of(pre_tokenization, "a ▁ b▁c"), (Words{"▁a", "▁", "▁b", "▁c"}));
  pre_tokenization.prefix = Prefix::first;
  EXPECT_EQ(words_of(pre_tokenization, "a b"), (Words{"▁a", "b"}));
  EXPECT_EQ(words_of(pre_tokenization, " a b"), (Words{"a", "b"}));
}

// A tokenizer.json with these parts.
Json tokenizer(const std::string& normalizer, const std::string& pre_tokenizer,
               const std::string& decoder) {
  return Json::parse("{\"normalizer\": " + normalizer + ", \"pre_tokenizer\": " + pre_tokenizer +
                         ", \"decoder\": " + decoder + "}",
                     "");
}

constexpr const char* kMetaspace = R"({"type": "Metaspace", "replacement": "▁"})";

TEST(ReadTextCutting, KnowsTheFormsOfT5) {
  const PreTokenization now = read_pre_tokenization(
      tokenizer(R"({"type": "Sequence", "normalizers": [{"type": "Precompiled"},
                    {"type": "Strip", "strip_left": false, "strip_right": true},
                    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]})",
                R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"})",
                kMetaspace),
      "");
  EXPECT_TRUE(now.replaces_characters && now.strips_end && now.drops_first_blank);
  EXPECT_FALSE(now.splits_at_white_space);
  EXPECT_EQ(now.blank_run, "▁");
  EXPECT_EQ(now.prefix, Prefix::first);
  const PreTokenization before = read_pre_tokenization(
      tokenizer(R"({"type": "Precompiled"})",
                R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
                    {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true}]})",
                R"({"type": "Metaspace", "replacement": "▁", "add_prefix_space": false})"),
      "");
  EXPECT_TRUE(before.replaces_characters && before.splits_at_white_space);
  EXPECT_FALSE(before.strips_end || before.drops_first_blank);
  EXPECT_EQ(before.blank_run, "");
  EXPECT_EQ(before.prefix, Prefix::always);
  EXPECT_FALSE(read_pre_tokenization(tokenizer("null", kMetaspace, kMetaspace), "").strips_end);
}

TEST(ReadTextCutting, OtherStepsAreRefusedByName) {
  const auto message_of = [](const std::string& normalizer, const std::string& pre_tokenizer,
                             const std::string& decoder) {
    return input_error(
        [&] { read_pre_tokenization(tokenizer(normalizer, pre_tokenizer, decoder), "a.json"); });
  };
  const std::string none = "null";
  expect_says(message_of(R"({"type": "Lowercase"})", kMetaspace, kMetaspace),
              {"Lowercase", "a.json: normalizer"});
  expect_says(message_of(R"({"type": "Strip", "strip_left": true})", kMetaspace, kMetaspace),
              {"Strip"});
  expect_says(message_of(none, none, kMetaspace), {"null", "pre_tokenizer"});
  expect_says(message_of(none, R"({"type": "ByteLevel"})", kMetaspace), {"ByteLevel"});
  expect_says(message_of(none, R"({"type": "Metaspace", "replacement": "_"})", kMetaspace), {"_"});
  expect_says(message_of(none, kMetaspace, R"({"type": "WordPiece"})"), {"WordPiece", "decoder"});
  expect_says(message_of(none, R"({"type": "Sequence", "pretokenizers": []})", kMetaspace),
              {"pre_tokenizer"});
  expect_says(message_of("[]", kMetaspace, kMetaspace), {"an object"});
}

}  // namespace
}  // namespace rubric::text
