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

// make_decoder_tokenizers.py: byte-level BPE of Llama 3's, Qwen2's and SmolLM2's kinds, BPE with
// byte fallback of Llama 2's, Mistral's, Phi-3's and Gemma's.
TEST(DecoderTokenizers, IdsAndDecodedTextAreThoseOfTheReference) {
  GenerationFixtures tokenizers({}, "decoder_tokenizers");
  size_t compared = 0;
  for (const char* const file : {"cases.json", "cases_random.json"}) {
    const Json cases = Json::parse_file(decoder_fixture(file));
    for (const Json& one : cases.array()) {
      compare_case(tokenizers[one.require_string("tokenizer", "")], one);
      ++compared;
    }
  }
  EXPECT_EQ(tokenizers.count(), 7u);
  EXPECT_GE(compared, 600u);
}

// tokenizer.model alone, which LlamaTokenizerFast converts.
TEST(DecoderTokenizers, OfSentencePiecesModelAreThoseOfTheReference) {
  GenerationFixtures tokenizers({}, "decoder_tokenizers");
  const Json cases = Json::parse_file(decoder_fixture("cases_model.json"));
  for (const Json& one : cases.array()) {
    const GenerationTokenizer& tokenizer = tokenizers[one.require_string("tokenizer", "")];
    compare_case(tokenizer, one);
    const Json* const whole = one.find("whole");
    if (whole == nullptr) continue;
    Ids ids = tokenizer.around().before;
    tokenizer.encode(one.require_string("text", ""), ids);
    ids.insert(ids.end(), tokenizer.around().after.begin(), tokenizer.around().after.end());
    EXPECT_EQ(ids, ids_of(*whole));
  }
  EXPECT_EQ(tokenizers.count(), 3u);
  const TemporaryFolder folder;
  folder.write("tokenizer.model", read_file(decoder_fixture("model/tokenizer.model")));
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "GemmaTokenizer"})");
  expect_says(input_error([&] { open_generation_tokenizer(folder.path()); }),
              {"GemmaTokenizer", "fetch tokenizer.json"});
}

TEST(DecoderTokenizers, KnowWhatStandsAroundAText) {
  GenerationFixtures tokenizers({}, "decoder_tokenizers");
  for (const char* const name : {"llama2", "mistral", "gemma"}) {
    EXPECT_EQ(tokenizers[name].around(), (TokensAround{{1}, {}})) << name;
    EXPECT_EQ(tokenizers[name].eos_id(), 2) << name;
  }
  const GenerationTokenizer& llama3 = tokenizers["llama3"];
  EXPECT_EQ(llama3.around(), (TokensAround{{llama3.find("<|begin_of_text|>")}, {}}));
  EXPECT_EQ(llama3.eos_id(), llama3.find("<|end_of_text|>"));
  for (const char* const name : {"qwen2", "smollm2", "phi3"}) {
    EXPECT_EQ(tokenizers[name].around(), TokensAround{}) << name;
  }
}

// The script's asserts say that the reference gives Llama 3's ids with these steps, too.
TEST(DecoderTokenizers, SplitAsPhi4LikeLlama3) {
  const TemporaryFolder folder;
  std::string text = read_file(decoder_fixture("llama3/tokenizer.json"));
  const auto put = [&](const std::string& from, const std::string& to) {
    const size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
  };
  put(R"("behavior":"Isolated","invert":false)", R"("behavior":"Removed","invert":true)");
  put(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+)",
      R"('(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+)");
  put(R"([^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|)",
      R"([^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|)");
  folder.write("tokenizer.json", text);
  folder.write("tokenizer_config.json", read_file(decoder_fixture("llama3/tokenizer_config.json")));
  const auto tokenizer = open_generation_tokenizer(folder.path());
  size_t compared = 0;
  for (const char* const file : {"cases.json", "cases_random.json"}) {
    const Json cases = Json::parse_file(decoder_fixture(file));
    for (const Json& one : cases.array()) {
      if (one.require_string("tokenizer", "") != "llama3") continue;
      compare_case(*tokenizer, one);
      ++compared;
    }
  }
  EXPECT_GE(compared, 60u);
}

TEST(DecoderTokenizers, UnknownBytesAreOneTokenWhereTheFileSaysSo) {
  GenerationFixtures tokenizers({}, "decoder_tokenizers");
  const Json cases = Json::parse_file(decoder_fixture("cases_unknown.json"));
  for (const Json& one : cases.array()) {
    EXPECT_EQ(
        encode(tokenizers[one.require_string("tokenizer", "")], one.require_string("text", "")),
        ids_of(one.require("ids", "")))
        << one.dump();
  }
  EXPECT_NE(tokenizers["fused"].fingerprint(), tokenizers["not_fused"].fingerprint());
}

// A step that is read in another way, or not at all, is named with what it says.
TEST(DecoderTokenizers, UnknownStepsAreRefused) {
  const auto message_with = [](const char* name, const std::string& from, const std::string& to) {
    const TemporaryFolder folder;
    std::string text = read_file(decoder_fixture(std::string(name) + "/tokenizer.json"));
    const size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    folder.write("tokenizer.json", text.replace(place, from.size(), to));
    return input_error([&] { open_generation_tokenizer(folder.path()); });
  };
  expect_says(message_with("llama3", "{1,3}", "{1,4}"), {"expression", "{1,4}", "pre_tokenizer"});
  expect_says(message_with("llama3", "\"Isolated\"", "\"Removed\""), {"Removed"});
  expect_says(message_with("smollm2", "\"individual_digits\":true", "\"individual_digits\":false"),
              {"Digits"});
  expect_says(message_with("llama2", "\"start\":1", "\"start\":2"), {"Strip", "decoder"});
  expect_says(message_with("llama2", "\"<0x41>\"", "\"<0x410>\""), {"<0x41>", "65"});
  expect_says(message_with("mistral", "\"split\":false", "\"split\":true"), {"Metaspace"});
  expect_says(message_with("gemma", "\"content\":\"\u2581\"", "\"content\":\" \""), {"Split"});
}

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
