#include "core/files/files.h"
#include "text/byte_bpe/byte_bpe.h"
#include "text/tokenizer_files/token_entries.h"
#include "text/tokenizer_fixtures.h"

namespace rubric::text::byte_bpe_files_test {

// vocab.json with all bytes, ids from 10 on, and `more`.
std::string vocabulary(const std::string& more = R"("<s>": 0, "</s>": 2, "ab": 3, "abc": 4)") {
  std::string text = "{" + more;
  for (int byte = 0; byte < 256; ++byte) {
    text += ", " + json_quote(byte_character(static_cast<uint8_t>(byte))) + ": " +
            std::to_string(10 + byte);
  }
  return text + "}";
}

constexpr const char* kMerges = "#version: 0.2\na b\nab c\n";

std::string files_error(std::string_view vocab_json, std::string_view merges_txt,
                        std::string_view config = "{}") {
  const TemporaryFolder folder;
  folder.write("vocab.json", vocab_json);
  folder.write("merges.txt", merges_txt);
  folder.write("tokenizer_config.json", config);
  return input_error([&] { read_byte_bpe_directory(folder.path()); });
}

TEST(ByteBpeFiles, MergesAndVocabularyThatDisagreeAreNamed) {
  EXPECT_EQ(files_error(vocabulary(), kMerges), "accepted");
  expect_says(
      files_error(vocabulary(), "#version: 0.2\na b\nab d\n"),
      {"the merge does not belong to the vocabulary, which has no \"abd\"", "merges.txt:3"});
  expect_says(files_error(vocabulary(), "a b\nxx c\n"), {"no \"xx\"", "merges.txt:2"});
  expect_says(files_error(vocabulary(), "a b\nab\n"), {"a merge is two tokens", "merges.txt:2"});
  expect_says(files_error(vocabulary(), "a b c\n"), {"a merge is two tokens", "merges.txt:1"});
}

TEST(ByteBpeFiles, BadVocabulariesAreNamed) {
  expect_says(files_error(R"({"a": 1, "b": 2})", ""), {"not byte-level", "vocab.json"});
  expect_says(files_error("[]", ""), {"an object is needed", "vocab.json"});
  expect_says(files_error(vocabulary(R"("x1": 1, "x2": 1)"), ""),
              {"id 1 is there twice", "\"x2\""});
  expect_says(files_error(vocabulary(R"("x": 1, "x": 2)"), ""), {"\"x\"", "vocab.json"});
  expect_says(files_error(vocabulary(R"("x1": -1)"), ""), {"id -1", "\"x1\""});
  expect_says(files_error(vocabulary(R"("x1": 99999999)"), ""), {"id 99999999", "\"x1\""});
  expect_says(files_error(vocabulary(R"("x1": 1.5)"), ""), {"whole number", "1.5"});
  expect_says(files_error(vocabulary(R"("": 1)"), ""), {"empty token"});
  expect_says(files_error(vocabulary("\"" + std::string(600, 'x') + "\": 1"), ""), {"600 bytes"});
  expect_says(files_error("{\"a\": ", ""), {"JSON", "vocab.json"});
}

TEST(ByteBpeFiles, ErrorsInTheConfigurationNameTheKey) {
  const std::string good = vocabulary();
  expect_says(files_error(good, kMerges, R"({"add_prefix_space": 1})"), {"\"add_prefix_space\""});
  expect_says(files_error(good, kMerges, R"({"added_tokens_decoder": {"3": {"content": "<n>"}}})"),
              {"there twice", "<n>"});
}

TEST(ByteBpeFiles, AddedTokensOfAnOwnFileJoinTheOthers) {
  const TemporaryFolder folder;
  folder.write("vocab.json", vocabulary());
  folder.write("merges.txt", kMerges);
  folder.write("added_tokens.json", R"({"<new>": 500, "<s>": 0})");
  const auto count = [&] { return read_byte_bpe_directory(folder.path()).added_tokens.size(); };
  EXPECT_EQ(count(), 3u);  // <s>, </s> and the new one
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {"0": {"content": "<s>"}}})");
  EXPECT_EQ(count(), 1u);  // which says all there is
  folder.write("tokenizer_config.json", "{}");
  folder.write("added_tokens.json", R"({"<s>": 500})");
  expect_says(input_error([&] { count(); }), {"there twice", "<s>"});
  folder.write("added_tokens.json", R"(["<new>"])");
  expect_says(input_error([&] { count(); }), {"an object is needed", "added_tokens.json"});
}

TEST(ByteBpeFiles, TheConfigurationNamesTheTokensAroundARow) {
  const TemporaryFolder folder;
  folder.write("vocab.json", vocabulary());
  folder.write("merges.txt", kMerges);
  EXPECT_EQ(read_byte_bpe_directory(folder.path()).cls_id, 0);
  folder.write("tokenizer_config.json", R"({"cls_token": {"content": "ab"}, "sep_token": "nn"})");
  EXPECT_EQ(read_byte_bpe_directory(folder.path()).cls_id, 3);
  EXPECT_EQ(read_byte_bpe_directory(folder.path()).sep_id, -1);
}

// Without tokenizer.json the class of tokenizer says what stands around a text.
TEST(ByteBpeFiles, TheClassOfTokenizerSaysWhatStandsAroundAText) {
  const TemporaryFolder folder;
  folder.write("vocab.json", vocabulary());
  folder.write("merges.txt", kMerges);
  const auto around = [&](const std::string& config, const std::string& model = "t5") {
    folder.write("tokenizer_config.json", config);
    folder.write("config.json", "{\"model_type\": \"" + model + "\"}");
    return read_byte_bpe_directory(folder.path()).around;
  };
  const TokensAround both = {{0}, {2}}, none = {};
  EXPECT_EQ(around(R"({"tokenizer_class": "RobertaTokenizer"})"), both);
  EXPECT_EQ(around(R"({"tokenizer_class": "BartTokenizerFast"})"), both);
  EXPECT_EQ(around(R"({"tokenizer_class": "GPT2Tokenizer"})"), none);
  EXPECT_EQ(
      around(R"({"tokenizer_class": "GPT2Tokenizer", "add_bos_token": true, "bos_token": "<s>"})"),
      (TokensAround{{0}, {}}));
  EXPECT_EQ(around("{}", "roberta"), both);
  EXPECT_EQ(around("{}", "gpt2"), none);
  expect_says(input_error([&] { around("{}"); }), {"the tokenizer is a t5", "tokenizer_class"});
  expect_says(input_error([&] { around(R"({"tokenizer_class": "CLIPTokenizer"})"); }),
              {"the tokenizer is a CLIPTokenizer", folder.path().string()});
}

TEST(ByteBpeFiles, TokensAroundATextThatAreMissingAreNamed) {
  const auto error = [](const std::string& more, std::string_view config = "{}") {
    return files_error(vocabulary(more + R"("ab": 3, "abc": 4)"), kMerges, config);
  };
  expect_says(error(R"("<s>": 0, )"), {"the vocabulary has no eos_token \"</s>\"", "vocab.json"});
  expect_says(error(R"("</s>": 2, )"), {"the vocabulary has no bos_token \"<s>\"", "vocab.json"});
  expect_says(error(""), {"the vocabulary has no bos_token \"<s>\""});
  expect_says(error(R"("<|endoftext|>": 0, )", R"({"eos_token": "<end>"})"),
              {"no eos_token \"<end>\""});
  EXPECT_EQ(error(R"("<|endoftext|>": 0, )"), "accepted");
  EXPECT_EQ(error(R"("<s>": 0, )", R"({"eos_token": "ab"})"), "accepted");
  EXPECT_EQ(error("", R"({"bos_token": null, "eos_token": null})"), "accepted");
}

TEST(ByteBpeFiles, NeedsBothFiles) {
  const TemporaryFolder folder;
  folder.write("vocab.json", vocabulary());
  expect_says(input_error([&] { read_byte_bpe_directory(folder.path()); }),
              {"not both of vocab.json and merges.txt", folder.path().string()});
}

// tokenizer.json of the fixtures with `before` replaced.
std::string json_error(const std::string& before, const std::string& after) {
  const TemporaryFolder folder;
  std::string text = read_file(byte_bpe_fixture("json") / "tokenizer.json");
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  folder.write("tokenizer.json", text.replace(at, before.size(), after));
  return input_error([&] { read_byte_bpe_directory(folder.path()); });
}

TEST(ByteBpeTokenizerJson, OtherKindsAreRefusedByName) {
  EXPECT_EQ(json_error("\"version\"", "\"version\""), "accepted");
  expect_says(json_error("\"normalizer\": null", R"("normalizer": {"type": "Nmt"})"),
              {"normalizer", "Nmt"});
  expect_says(json_error("\"type\": \"BPE\"", "\"type\": \"Unigram\""), {"Unigram"});
  EXPECT_EQ(json_error("\"ignore_merges\": false", "\"ignore_merges\": true"), "accepted");
  expect_says(json_error("\"byte_fallback\": false", "\"byte_fallback\": true"),
              {"\"ByteLevel\"", "pre_tokenizer"});
  expect_says(
      json_error("\"continuing_subword_prefix\": \"\"", "\"continuing_subword_prefix\": \"##\""),
      {"\"continuing_subword_prefix\""});
  expect_says(json_error("\"use_regex\": true", "\"use_regex\": false"), {"\"use_regex\""});
  expect_says(json_error("\"type\": \"ByteLevel\"", "\"type\": \"Metaspace\""),
              {"\"Metaspace\"", "ByteLevel"});
  expect_says(json_error("\"type\": \"RobertaProcessing\"", R"("type": "ByPosition")"),
              {"post_processor", "ByPosition"});
  expect_says(json_error("\"merges\": [", "\"merges\": [[\"a\", 1], "), {"merges[0]"});
  expect_says(json_error("\"merges\": [", "\"merges\": [[\"<s>\", \"<s>\"], "),
              {"no \"<s><s>\"", "merges[0]"});
}

TEST(ByteBpeTokenizerJson, ASequenceOfOneStepIsThatStep) {
  for (const auto& [part, steps] :
       {std::pair("pre_tokenizer", "pretokenizers"), {"decoder", "decoders"}}) {
    const TemporaryFolder folder;
    Json tokenizer = Json::parse_file(byte_bpe_fixture("json") / "tokenizer.json");
    const Json step = tokenizer.require(part, "");
    const auto message = [&](Json::Array list) {
      tokenizer[part] = Json();
      tokenizer[part]["type"] = "Sequence";
      tokenizer[part][steps] = std::move(list);
      folder.write("tokenizer.json", tokenizer.dump());
      return input_error([&] { read_byte_bpe_directory(folder.path()); });
    };
    EXPECT_EQ(message({step}), "accepted") << part;
    expect_says(message({step, step}), {part, "Sequence"});
    expect_says(message({}), {part, "Sequence"});
  }
}

}  // namespace rubric::text::byte_bpe_files_test
