#include "text/tokenizer_files/token_entries.h"

#include "text/tokenizer_fixtures.h"

namespace rubric::text::token_entries_test {

TEST(TokenizerSettings, TheMapCountsBeforeTheConfigurationUnlessThatListsTokens) {
  const TemporaryFolder folder;
  EXPECT_EQ(named_token(read_tokenizer_settings(folder.path()), "eos_token", "</s>"), "</s>");
  folder.write("tokenizer_config.json",
               R"({"eos_token": "<a>", "pad_token": null, "bos_token": {"content": "<b>"}})");
  folder.write("special_tokens_map.json", R"({"eos_token": {"content": "<c>"},
               "additional_special_tokens": ["<x>", {"content": "<y>", "lstrip": true}]})");
  const TokenizerSettings both = read_tokenizer_settings(folder.path());
  EXPECT_EQ(named_token(both, "eos_token", "</s>"), "<c>");
  EXPECT_EQ(named_token(both, "bos_token", "<s>"), "<b>");
  EXPECT_EQ(named_token(both, "pad_token", "<pad>"), "");
  const std::vector<AddedToken> additional = additional_special_tokens(both);
  ASSERT_EQ(additional.size(), 2u);
  EXPECT_TRUE(additional[0].special && !additional[0].lstrip && !additional[0].normalized);
  EXPECT_EQ(additional[1].content, "<y>");
  EXPECT_TRUE(additional[1].lstrip);

  folder.write("tokenizer_config.json", R"({"eos_token": "<a>", "added_tokens_decoder": {},
               "clean_up_tokenization_spaces": true})");
  const TokenizerSettings listed = read_tokenizer_settings(folder.path());
  EXPECT_EQ(named_token(listed, "eos_token", "</s>"), "<a>");
  EXPECT_TRUE(additional_special_tokens(listed).empty());
  EXPECT_TRUE(cleans_up_spaces(listed));
  EXPECT_FALSE(cleans_up_spaces(both));
}

TEST(TokenizerSettings, WhatIsNoTokenIsRefused) {
  const auto message_of = [](const char* config) {
    const TemporaryFolder folder;
    folder.write("tokenizer_config.json", config);
    return input_error([&] {
      const TokenizerSettings settings = read_tokenizer_settings(folder.path());
      named_token(settings, "eos_token", "");
      additional_special_tokens(settings);
      cleans_up_spaces(settings);
    });
  };
  expect_says(message_of("[]"), {"an object", "tokenizer_config.json"});
  expect_says(message_of(R"({"eos_token": 1})"), {"eos_token"});
  expect_says(message_of(R"({"eos_token": ""})"), {"empty", "eos_token"});
  expect_says(message_of(R"({"eos_token": {}})"), {"content"});
  expect_says(message_of(R"({"additional_special_tokens": "<a>"})"), {"an array"});
  expect_says(message_of(R"({"additional_special_tokens": [[]]})"), {"additional_special_tokens"});
  expect_says(message_of(R"({"clean_up_tokenization_spaces": 1})"), {"true or false"});
}

}  // namespace rubric::text::token_entries_test
