#include "text/tokenizer_fixtures.h"
#include "text/wordpiece/wordpiece.h"

namespace rubric::text::wordpiece_tokenizer_json_test {

constexpr const char* kTokenizer = R"({
  "truncation": {"max_length": 8}, "padding": null,
  "added_tokens": [{"id": 4, "content": "<New>", "rstrip": true, "normalized": false}],
  "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": false,
                 "strip_accents": null, "lowercase": false},
  "pre_tokenizer": {"type": "BertPreTokenizer"},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "the": 6}}})";

WordPieceModel read(const std::string& text) {
  const TemporaryFolder folder;
  return read_tokenizer_json(folder.write("tokenizer.json", text));
}

// The error when `part` of the good file is replaced.
std::string error_with(const std::string& part, const std::string& replacement) {
  std::string text = kTokenizer;
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  text.replace(at, part.size(), replacement);
  return input_error([&] { read(text); });
}

TEST(TokenizerJson, ReadsVocabularyAddedTokensAndOptions) {
  const WordPieceModel model = read(kTokenizer);
  EXPECT_EQ(model.vocabulary.count(), 5u);
  EXPECT_EQ(model.vocabulary.find("the"), 6);
  ASSERT_EQ(model.added_tokens.size(), 1u);
  EXPECT_EQ(model.added_tokens[0].content, "<New>");
  EXPECT_EQ(model.added_tokens[0].id, 4);
  EXPECT_TRUE(model.added_tokens[0].rstrip);
  EXPECT_FALSE(model.added_tokens[0].lstrip);
  EXPECT_FALSE(model.options.lowercase);
  EXPECT_FALSE(model.options.strip_accents.has_value());
  EXPECT_FALSE(model.options.tokenize_chinese_chars);
}

// Steps before BertNormalizer, whose options tokenizer_config.json then leaves as they are.
TEST(TokenizerJson, BertNormalizerMayFollowOtherSteps) {
  std::string text = kTokenizer;
  const std::string begin = "\"normalizer\": ", end = "\"lowercase\": false}";
  text.insert(text.find(end) + end.size(), "]}");
  text.insert(text.find(begin) + begin.size(),
              R"({"type": "Sequence", "normalizers": [{"type": "NFKC"}, )");
  const TemporaryFolder folder;
  folder.write("tokenizer.json", text);
  folder.write("tokenizer_config.json", R"({"do_lower_case": true})");
  const WordPiece tokenizer = WordPiece::from_directory(folder.path());
  EXPECT_EQ(encode(tokenizer, "\uFF54\uFF48\uFF45 THE"), (Ids{6, 1}));  // fullwidth "the"
  EXPECT_EQ(tokenizer.around(), TokensAround());
  expect_says(
      error_with(R"({"type": "BertNormalizer")",
                 R"({"type": "Sequence", "normalizers": [{"type": "Nmt"}]}, "x": {"type": "a")"),
      {"Nmt", "BertNormalizer"});
}

TEST(TokenizerJson, ModelsOfTheFirstReleasesHaveNoType) {
  EXPECT_EQ(error_with(R"("type": "WordPiece", )", ""), "accepted");
}

TEST(TokenizerJson, OtherTokenizersAreNamed) {
  expect_says(error_with("\"WordPiece\"", "\"BPE\""),
              {"\"BPE\"", "WordPiece is needed", "tokenizer.json"});
  expect_says(error_with("\"BertNormalizer\"", "\"NFC\""), {"\"NFC\"", "BertNormalizer"});
  expect_says(error_with("\"BertPreTokenizer\"", "\"Metaspace\""), {"\"Metaspace\"", "Bert"});
  const std::string step = R"({"type": "BertPreTokenizer"})";
  const auto sequence = [](const std::string& steps) {
    return R"({"type": "Sequence", "pretokenizers": [)" + steps + "]}";
  };
  EXPECT_EQ(error_with(step, sequence(step)), "accepted");
  expect_says(error_with(step, sequence(step + "," + step)), {"pre_tokenizer", "Sequence"});
  expect_says(error_with(R"({"type": "BertPreTokenizer"})", "null"), {"pre_tokenizer is null"});
  expect_says(error_with("\"[UNK]\", ", "\"<unk>\", "), {"\"unk_token\"", "[UNK]"});
  expect_says(error_with("\"##\"", "\"@@\""), {"\"continuing_subword_prefix\""});
  expect_says(error_with("100", "50"), {"\"max_input_chars_per_word\"", "100"});
  expect_says(error_with("\"clean_text\": true", "\"clean_text\": false"), {"\"clean_text\""});
}

TEST(TokenizerJson, BadIdsAreNamed) {
  expect_says(error_with("\"the\": 6", "\"the\": -1"), {"-1", "\"the\"", "tokenizer.json"});
  expect_says(error_with("\"the\": 6", "\"the\": 3"), {"id 3 is there twice", "\"the\""});
  expect_says(error_with("\"the\": 6", "\"the\": 10000001"), {"10000001", "ten million"});
  expect_says(error_with("\"the\": 6", "\"the\": 1e300"), {"whole number", "\"the\""});
  expect_says(error_with("\"the\": 6", "\"the\": 1.5"), {"whole number", "1.5"});
  expect_says(error_with("\"the\": 6", "\"the\": \"6\""), {"whole number", "a string"});
  expect_says(error_with("\"id\": 4", "\"id\": -4"), {"-4", "added_tokens[0]"});
  EXPECT_EQ(error_with("\"the\": 6", "\"the\": 10000000"), "accepted");
}

TEST(TokenizerJson, BrokenFilesAreNamed) {
  expect_says(error_with("\"truncation\"", "truncation"), {"not valid JSON", "tokenizer.json:2"});
  expect_says(error_with("\"model\":", "\"modell\":"), {"\"model\" is missing", "modell"});
  expect_says(error_with("\"vocab\": {", "\"vocab\": 1, \"v\": {"), {"vocab", "a number"});
  expect_says(error_with("\"the\": 6", "\"\": 6"), {"empty token"});
  expect_says(error_with("\"content\": \"<New>\", ", ""), {"content", "added_tokens[0]"});
  expect_says(error_with("\"rstrip\": true", "\"rstrip\": 1"), {"\"rstrip\"", "added_tokens[0]"});
  expect_says(input_error([] { read("[]"); }), {"expected an object"});
  expect_says(input_error([] { read(""); }), {"tokenizer.json"});
}

}  // namespace rubric::text::wordpiece_tokenizer_json_test
