#include "core/files/files.h"
#include "text/generation_fixtures.h"
#include "text/sentencepiece/sentencepiece_files.h"

namespace rubric::text::unigram_json_test {

std::filesystem::path json_fixture(const std::string& name) {
  return std::filesystem::path(fixtures_folder()) / "tokenizer_json" / name;
}

// make_tokenizer_json.py: XLM-RoBERTa's tokenizer.json in today's form and in that of earlier
// releases, under BERT's model_type, with other normalizers; T5's without spiece.model.
TEST(UnigramJson, IdsTokensAroundAndDecodedTextsAreThoseOfTheReference) {
  std::map<std::string, std::unique_ptr<GenerationTokenizer>> tokenizers;
  const Json cases = Json::parse_file(json_fixture("cases.json"));
  for (const Json& one : cases.array()) {
    const std::string name = one.require_string("tokenizer", "");
    auto& tokenizer = tokenizers[name];
    if (!tokenizer) tokenizer = open_generation_tokenizer(json_fixture(name));
    compare_case(*tokenizer, one);
    const TokensAround& around = tokenizer->around();
    Ids whole = around.before;
    tokenizer->encode("a", whole);
    whole.insert(whole.end(), around.after.begin(), around.after.end());
    EXPECT_EQ(whole, ids_of(one.require("around", ""))) << name;
  }
  EXPECT_EQ(tokenizers.size(), 6u);
  EXPECT_GE(cases.array().size(), 200u);
}

TEST(UnigramJson, EncodersOpenItToo) {
  for (const char* const name :
       {"xlm_roberta", "xlm_roberta_old", "xlm_roberta_spm", "multilingual", "nfkc"}) {
    const auto tokenizer = open_tokenizer(json_fixture(name));
    EXPECT_EQ(tokenizer->cls_id(), 0) << name;
    EXPECT_EQ(tokenizer->sep_id(), 2) << name;
    EXPECT_EQ(tokenizer->around(), (TokensAround{{0}, {2}})) << name;
  }
}

TEST(UnigramJson, ATokenAroundATextMustBeOneOfTheTokenizers) {
  const TemporaryFolder folder;
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "XLMRobertaTokenizer"})");
  std::string text = read_file(json_fixture("xlm_roberta/tokenizer.json"));
  const std::string before = "\"ids\":[2]";
  const size_t at = text.find(before);
  ASSERT_NE(at, std::string::npos);
  folder.write("tokenizer.json", text.replace(at, before.size(), "\"ids\":[999]"));
  expect_says(input_error([&] { open_tokenizer(folder.path()); }),
              {"the token 999 around a text", folder.path().string()});
}

TEST(UnigramJson, TheClassOfTokenizerMustBeKnown) {
  const TemporaryFolder folder;
  folder.write("tokenizer.json", read_file(json_fixture("xlm_roberta/tokenizer.json")));
  const auto error = [&](const std::string& config) {
    folder.write("tokenizer_config.json", config);
    return input_error([&] { open_tokenizer(folder.path()); });
  };
  EXPECT_EQ(error(R"({"tokenizer_class": "XLMRobertaTokenizerFast"})"), "accepted");
  expect_says(error(R"({"tokenizer_class": "AlbertTokenizer"})"), {"AlbertTokenizer"});
  folder.write("config.json", R"({"model_type": "bert"})");
  expect_says(error("{}"), {"the tokenizer is a bert", "tokenizer_config.json"});
  folder.write("config.json", R"({"model_type": "xlm-roberta"})");
  EXPECT_EQ(error("{}"), "accepted");
}

}  // namespace rubric::text::unigram_json_test
