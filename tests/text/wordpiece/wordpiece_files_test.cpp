#include "text/tokenizer_fixtures.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text::wordpiece_files_test {

constexpr const char* kTokens = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n##s\n";

std::string vocabulary_error(std::string_view bytes) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", bytes);
  return input_error([&] { read_wordpiece_directory(folder.path()); });
}

TEST(WordPieceVocabularyFile, IdsAreLineNumbersFromZero) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", "[PAD]\r\n[UNK]\n\n[CLS]\n[SEP]\nthe");
  const WordPieceModel model = read_wordpiece_directory(folder.path());
  EXPECT_EQ(model.vocabulary.find("[PAD]"), 0);
  EXPECT_EQ(model.vocabulary.find("[CLS]"), 3);  // the empty line has an id and no token
  EXPECT_EQ(model.vocabulary.find("the"), 5);
  EXPECT_EQ(model.added_tokens.size(), 4u);  // there is no [MASK]
}

TEST(WordPieceVocabularyFile, ErrorsNameFileAndLine) {
  EXPECT_EQ(vocabulary_error(kTokens), "accepted");
  expect_says(vocabulary_error(""), {"vocabulary is empty", "vocab.txt"});
  expect_says(vocabulary_error(std::string(kTokens) + "new\nthe\n"),
              {"\"the\" is there twice", "id 4", "vocab.txt:8"});
  expect_says(vocabulary_error(std::string(kTokens) + "\xC3\n"), {"UTF-8", "vocab.txt:7"});
  expect_says(vocabulary_error(std::string(kTokens) + std::string(600, 'x')),
              {"600 bytes", "vocab.txt:7"});
  EXPECT_NE(input_error([] { read_wordpiece_directory("/nonexistent"); }), "accepted");
}

TEST(WordPieceVocabularyFile, NeedsTheSpecialTokens) {
  for (const std::string missing : {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}) {
    std::string text = kTokens;
    text.replace(text.find(missing), missing.size(), "other");
    expect_says(vocabulary_error(text), {"no " + missing, "vocab.txt"});
  }
}

TEST(WordPieceDirectory, OptionsComeFromTheConfiguration) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", kTokens);
  EXPECT_TRUE(read_wordpiece_directory(folder.path()).options.lowercase);
  folder.write(
      "tokenizer_config.json",
      R"({"do_lower_case": false, "strip_accents": true, "tokenize_chinese_chars": false})");
  const WordPieceOptions options = read_wordpiece_directory(folder.path()).options;
  EXPECT_FALSE(options.lowercase);
  EXPECT_EQ(options.strip_accents, true);
  EXPECT_FALSE(options.tokenize_chinese_chars);
}

TEST(WordPieceDirectory, TheConfigurationCountsOverTheNormalizer) {
  EXPECT_FALSE(read_wordpiece_directory(tokenizer_fixture("config_wins")).options.lowercase);
  const TemporaryFolder folder;
  folder.write("tokenizer.json", read_file(tokenizer_fixture("tokenizer_cased.json")));
  EXPECT_FALSE(read_wordpiece_directory(folder.path()).options.lowercase);
  folder.write("tokenizer_config.json", R"({"do_lower_case": true})");
  EXPECT_TRUE(read_wordpiece_directory(folder.path()).options.lowercase);
  folder.write("tokenizer_config.json",
               R"({"do_lower_case": true, "tokenizer_class": "PreTrainedTokenizerFast"})");
  EXPECT_FALSE(read_wordpiece_directory(folder.path()).options.lowercase);
}

TEST(WordPieceDirectory, AddedTokensOfAVocabularyAreInTheConfiguration) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", kTokens);
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {
      "3": {"content": "[SEP]", "special": true},
      "6": {"content": "<New>", "lstrip": true, "normalized": true}}})");
  const WordPieceModel model = read_wordpiece_directory(folder.path());
  ASSERT_EQ(model.added_tokens.size(), 2u);
  EXPECT_EQ(model.added_tokens[1].id, 6);
  EXPECT_EQ(model.added_tokens[1].pattern, "<new>");
  EXPECT_TRUE(model.added_tokens[1].lstrip);
  EXPECT_FALSE(model.added_tokens[1].rstrip);
}

// The files of models that were published before added_tokens_decoder was written.
TEST(WordPieceDirectory, TheTokensAroundATextAreNamedOrThoseOfTheClass) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", "<s>\n<pad>\n</s>\n[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n<mask>\n");
  const auto ids = [&] {
    const WordPieceModel model = read_wordpiece_directory(folder.path());
    return std::pair(model.cls_id, model.sep_id);
  };
  const std::pair<int64_t, int64_t> bert = {5, 6}, mpnet = {0, 2};
  EXPECT_EQ(ids(), bert);
  folder.write("config.json", R"({"model_type": "mpnet"})");
  EXPECT_EQ(ids(), mpnet);
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizer"})");
  EXPECT_EQ(ids(), bert);
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "MPNetTokenizer"})");
  folder.write("config.json", "{}");
  EXPECT_EQ(ids(), mpnet);
  const WordPieceModel model = read_wordpiece_directory(folder.path());
  ASSERT_EQ(model.added_tokens.size(), 5u);
  EXPECT_EQ(model.added_tokens.back().content, "<mask>");
  EXPECT_TRUE(model.added_tokens.back().lstrip);
  EXPECT_FALSE(model.added_tokens.front().lstrip);
  folder.write("special_tokens_map.json",
               R"({"cls_token": "[CLS]", "sep_token": {"content": "the"}})");
  EXPECT_EQ(ids(), std::pair(int64_t{5}, int64_t{7}));
  folder.write("special_tokens_map.json", R"({"cls_token": "<new>"})");
  expect_says(input_error([&] { read_wordpiece_directory(folder.path()); }),
              {"no <new>", "vocab.txt"});
}

std::string configuration_error(std::string_view json) {
  const TemporaryFolder folder;
  folder.write("vocab.txt", kTokens);
  folder.write("tokenizer_config.json", json);
  return input_error([&] { read_wordpiece_directory(folder.path()); });
}

TEST(WordPieceDirectory, ErrorsNameTheKey) {
  const std::string file = "tokenizer_config.json";
  expect_says(configuration_error("[]"), {"an object is needed", file});
  expect_says(configuration_error("{"), {"JSON", file});
  expect_says(configuration_error(R"({"do_lower_case": "yes"})"), {"\"do_lower_case\"", file});
  expect_says(configuration_error(R"({"strip_accents": 1})"), {"\"strip_accents\"", file});
  expect_says(configuration_error(R"({"added_tokens_decoder": []})"), {"object", file});
  expect_says(configuration_error(R"({"added_tokens_decoder": {"x": {"content": "<n>"}}})"),
              {"not an id", file, "\"x\""});
  expect_says(configuration_error(R"({"added_tokens_decoder": {"6": {}}})"), {"content", "\"6\""});
  expect_says(configuration_error(R"({"added_tokens_decoder": {"4": {"content": "<n>"}}})"),
              {"there twice", "<n>"});
  expect_says(configuration_error(R"({"added_tokens_decoder": {"6": {"content": "the"}}})"),
              {"there twice", "the"});
  expect_says(
      configuration_error(
          R"({"added_tokens_decoder": {"6": {"content": "<n>"}, "7": {"content": "<n>"}}})"),
      {"there twice", "<n>"});
  expect_says(configuration_error(
                  R"({"added_tokens_decoder": {"6": {"content": "\u0301", "normalized": true}}})"),
              {"empty token"});
}

TEST(WordPieceDirectory, NeedsOneOfTheFiles) {
  const TemporaryFolder folder;
  expect_says(input_error([&] { read_wordpiece_directory(folder.path()); }),
              {"no tokenizer.json and no vocab.txt", folder.path().string()});
}

}  // namespace rubric::text::wordpiece_files_test
