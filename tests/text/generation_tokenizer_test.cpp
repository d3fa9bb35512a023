#include "core/files/files.h"
#include "text/generation_fixtures.h"
#include "text/tokenizer.h"

namespace rubric::text::generation_tokenizer_test {

class GenerationCases : public testing::TestWithParam<const char*> {};

TEST_P(GenerationCases, IdsAndDecodedTextAreThoseOfTheReference) {
  GenerationFixtures tokenizers;
  const Json cases = Json::parse_file(generation_fixture(GetParam()));
  for (const Json& one : cases.array()) {
    compare_case(tokenizers[one.require_string("tokenizer", "")], one);
  }
  EXPECT_EQ(tokenizers.count(), 12u);
  EXPECT_GE(cases.array().size(), 400u);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, GenerationCases,
                         testing::Values("cases.json", "cases_random.json"));

TEST(GenerationTokenizer, AddsTokensAsTheReferenceDoes) {
  const Json cases = Json::parse_file(generation_fixture("cases_grown.json"));
  const Json& new_tokens = cases.array().front().require("new", "");
  std::vector<std::string> added;
  for (const Json& token : new_tokens.array()) added.push_back(token.string());
  GenerationFixtures tokenizers(added);
  for (const Json& one : cases.array()) {
    const GenerationTokenizer& tokenizer = tokenizers[one.require_string("tokenizer", "")];
    if (one.find("new") == nullptr) {
      compare_case(tokenizer, one);
      continue;
    }
    SCOPED_TRACE(one.dump());
    EXPECT_EQ(tokenizer.size(), one.require_integer("size", ""));
    Ids ids;
    for (const std::string& token : added) ids.push_back(tokenizer.find(token));
    EXPECT_EQ(ids, ids_of(one.require("new_ids", "")));
  }
  EXPECT_EQ(tokenizers.count(), 7u);
}

TEST(GenerationTokenizer, KnowsTheEndOfAText) {
  GenerationFixtures tokenizers;
  EXPECT_EQ(tokenizers["nfkc"].eos_id(), 1);
  EXPECT_EQ(tokenizers["saved"].eos_id(), 1);
  EXPECT_EQ(tokenizers["bart"].eos_id(), 2);
  EXPECT_EQ(tokenizers["gpt2"].eos_id(), 0);
  EXPECT_EQ(tokenizers["gpt2_added"].eos_id(), 0);
  EXPECT_EQ(tokenizers["gpt2_added"].find("<pad>"), tokenizers["gpt2_added"].size() - 1);
}

TEST(GenerationTokenizer, FindsTokensByTheirText) {
  GenerationFixtures tokenizers;
  const GenerationTokenizer& t5 = tokenizers["nfkc"];
  EXPECT_EQ(t5.find("</s>"), 1);
  EXPECT_EQ(t5.find("<extra_id_0>"), t5.size() - 1);
  EXPECT_EQ(t5.find("<extra_id_99>"), t5.size() - 100);
  EXPECT_EQ(t5.find("<extra_id_100>"), -1);
  EXPECT_EQ(t5.find(""), -1);
  EXPECT_EQ(encode(t5, "the"), Ids{t5.find("\u2581the")});
  const GenerationTokenizer& bart = tokenizers["bart"];
  EXPECT_EQ(encode(bart, " the"), Ids{bart.find("\u0120the")});
}

TEST(GenerationTokenizer, IdsWithoutATokenGiveNothing) {
  GenerationFixtures tokenizers;
  for (const char* const name : {"nfkc", "bart", "gpt2"}) {
    const GenerationTokenizer& tokenizer = tokenizers[name];
    Ids ids = encode(tokenizer, "the rain");
    const std::string text = tokenizer.decode(ids);
    for (const int64_t id : {int64_t{-100}, tokenizer.size(), INT64_MAX, INT64_MIN}) {
      ids.insert(ids.begin() + 1, id);
    }
    EXPECT_EQ(tokenizer.decode(ids), text);
    EXPECT_EQ(tokenizer.decode({}), "");
  }
}

TEST(OpenGenerationTokenizer, OtherKindsAreRefusedByName) {
  const auto message_of = [](const std::filesystem::path& folder) {
    return input_error([&] { open_generation_tokenizer(folder); });
  };
  expect_says(message_of(tokenizer_fixture("uncased")), {"WordPiece", "vocab.txt"});
  expect_says(message_of(tokenizer_fixture("added")), {"WordPiece"});
  const TemporaryFolder folder;
  expect_says(message_of(folder.path()), {"no tokenizer", folder.path().string()});
  folder.write("tokenizer.json", R"({"model": {"type": "WordLevel"}})");
  expect_says(message_of(folder.path()), {"\"WordLevel\""});
  folder.write("tokenizer.json", "{}");
  expect_says(message_of(folder.path()), {"\"model\""});
}

TEST(OpenGenerationTokenizer, ATokenThatCannotBeAddedIsRefused) {
  const auto add = [](const char* name, const std::string& token) {
    return input_error([&] { open_generation_tokenizer(generation_fixture(name), {token}); });
  };
  for (const char* const name : {"nfkc", "gpt2"}) {
    expect_says(add(name, ""), {"empty"});
    expect_says(add(name, "\xFF"), {"UTF-8"});
    expect_says(add(name, std::string(513, 'a')), {"513 bytes"});
  }
  expect_says(add("nfkc", " "), {"empty", "added token"});  // nothing is left of it
}

}  // namespace rubric::text::generation_tokenizer_test
