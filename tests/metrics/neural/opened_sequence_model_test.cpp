#include "metrics/neural/opened_sequence_model.h"

#include "core/files/files.h"
#include "messages.h"
#include "models/fixture.h"
#include "temporary_folder.h"

namespace rubric::metrics::opened_sequence_model_test {

// A model of tests/fixtures/likelihood whose files a test may change.
struct SequenceModelFiles : testing::Test {
  explicit SequenceModelFiles() { copy("t5"); }

  void copy(const std::string& name) const {
    fs::remove_all(folder_.path());
    fs::copy(fixture("likelihood/" + name), folder_.path());
  }
  void set(const std::string& file, const std::string& before, const std::string& after) const {
    std::string text = read_file(folder_.path() / file);
    const size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    write_file(folder_.path() / file, text.replace(at, before.size(), after));
  }
  std::string refusal(const Initialization& start = {}) const {
    return input_error([&] { open_sequence_model(folder_.path(), {}, start); });
  }

  TemporaryFolder folder_;
};

TEST_F(SequenceModelFiles, OpensWithAllThatBelongsToIt) {
  const OpenedSequenceModel opened = open_sequence_model(folder_.path(), {});
  EXPECT_EQ(opened.tokenizer->size(), 339);
  EXPECT_EQ(opened.model->vocabulary_size(), 344);
  EXPECT_EQ(opened.tokens.decoder_start, 0);
}

// T5's embedding has spare rows: new tokens take them first.
TEST_F(SequenceModelFiles, NewTokensTakeSpareRowsAndThenNewOnes) {
  const auto opened = [&](size_t count) {
    std::vector<std::string> tokens;
    for (size_t i = 0; i < count; ++i) tokens.push_back("<new_" + std::to_string(i) + ">");
    return open_sequence_model(folder_.path(), {}, {.add_tokens = tokens});
  };
  EXPECT_EQ(opened(5).model->vocabulary_size(), 344);
  const OpenedSequenceModel grown = opened(8);
  EXPECT_EQ(grown.model->vocabulary_size(), 347);
  EXPECT_EQ(grown.tokenizer->find("<new_7>"), 346);
  std::vector<int64_t> ids;
  grown.tokenizer->encode("bread <new_7>", ids);
  EXPECT_EQ(ids.back(), 346);
}

TEST_F(SequenceModelFiles, ATokenizerOfAnotherModelIsRefused) {
  set("config.json", "\"vocab_size\": 344", "\"vocab_size\": 300");
  const Initialization random = {true, {}, 0};
  expect_contains(refusal(random), "the tokenizer has 339 entries, the model 300");
  expect_contains(refusal(random), folder_.path().string());
  EXPECT_FALSE(holds(refusal(random), "extra ids"));
  fs::remove(folder_.path() / "tokenizer_config.json");
  expect_contains(refusal(random), "T5's usual 100 extra ids are among them");
}

TEST_F(SequenceModelFiles, TokensToAddHaveATextEach) {
  for (const std::string token : {"", " "}) {
    const std::string message = refusal({.add_tokens = {"<new>", token}});
    expect_says(message, {"a token to add is empty", "where: model.add_tokens", "name tokens"});
  }
}

TEST_F(SequenceModelFiles, OfSeveralEndsPairsGetTheTokenizers) {
  set("generation_config.json", "\"eos_token_id\": 1", "\"eos_token_id\": [5, 1]");
  const data::ModelTokens tokens = open_sequence_model(folder_.path(), {}).tokens;
  EXPECT_EQ(tokens.eos, 1);
  EXPECT_EQ(tokens.target_end, 1);
  EXPECT_EQ(tokens.eos_ids, (std::vector<int64_t>{5, 1}));
}

TEST_F(SequenceModelFiles, AnEndOfOnesOwnTakesThePlaceOfTheTokenizers) {
  copy("bart");
  data::PairConfig config;
  config.end = "<stop>";
  config.bos = false;
  const Initialization stop = {.add_tokens = {"<stop>"}};
  const OpenedSequenceModel opened = open_sequence_model(folder_.path(), config, stop);
  const int64_t id = opened.tokenizer->find("<stop>");
  EXPECT_EQ(opened.tokens.eos, 2) << "what ends a source";
  EXPECT_EQ(opened.tokens.target_end, id);
  EXPECT_EQ(opened.tokens.eos_ids, std::vector<int64_t>{id});
  EXPECT_EQ(opened.tokens.forced_eos, id);
  expect_contains(input_error([&] { open_sequence_model(folder_.path(), config); }),
                  "the tokenizer has no added token \"<stop>\"\n  where: seq2seq.end");
}

TEST_F(SequenceModelFiles, ATokenizerWithAnotherEndIsRefused) {
  set("generation_config.json", "\"eos_token_id\": 1", "\"eos_token_id\": 5");
  expect_contains(refusal(), "the tokenizer ends a text with the token 1, the model with 5");
}

// post_processor says what ends a text, whichever token tokenizer_config.json calls the end.
TEST_F(SequenceModelFiles, TheEndIsTheOneThatThePostProcessorPutsBehindATextToo) {
  fs::copy(fixture("tokenizer_json/t5"), folder_.path(),
           fs::copy_options::overwrite_existing | fs::copy_options::recursive);
  fs::remove(folder_.path() / "spiece.model");
  ASSERT_EQ(open_sequence_model(folder_.path(), {}).tokens.eos, 1);
  Json config = Json::parse_file(folder_.path() / "tokenizer_config.json");
  config["eos_token"] = "<extra_id_0>";
  write_file(folder_.path() / "tokenizer_config.json", config.dump());
  const OpenedSequenceModel opened = open_sequence_model(folder_.path(), {});
  EXPECT_NE(opened.tokenizer->eos_id(), 1);
  EXPECT_EQ(opened.tokens.eos, 1);
  EXPECT_EQ(opened.tokens.target_end, 1);
  EXPECT_EQ(opened.tokens.around.after, std::vector<int64_t>{1});
}

TEST_F(SequenceModelFiles, TheTokenizersEndIsOfNoMatterToPairsWithoutIt) {
  set("generation_config.json", "\"eos_token_id\": 1", "\"eos_token_id\": 5");
  data::PairConfig config;
  config.source_eos = config.target_eos = false;
  EXPECT_EQ(open_sequence_model(folder_.path(), config).tokens.eos, 5);
  config.target_eos = true;
  expect_contains(input_error([&] { open_sequence_model(folder_.path(), config); }), "with 5");
  config.end = "<extra_id_0>";
  const data::ModelTokens tokens = open_sequence_model(folder_.path(), config).tokens;
  EXPECT_EQ(tokens.eos_ids, std::vector{*tokens.target_end});
}

// A piece of words would not be found again where it is written behind a text.
TEST_F(SequenceModelFiles, AnEndOfPairsIsAnAddedToken) {
  data::PairConfig config;
  for (const char* const end : {"\u2581the", "<eos>"}) {
    config.end = end;
    const std::string message = input_error([&] { open_sequence_model(folder_.path(), config); });
    expect_contains(message, std::string("the tokenizer has no added token \"") + end + "\"");
  }
  EXPECT_GE(open_sequence_model(folder_.path(), {}).tokenizer->find("\u2581the"), 0);
}

TEST_F(SequenceModelFiles, TheFingerprintIsOfTokenizerAndWeights) {
  const std::string before = fingerprint(open_sequence_model(folder_.path(), {}));
  EXPECT_EQ(fingerprint(open_sequence_model(folder_.path(), {})), before);
  EXPECT_NE(fingerprint(open_sequence_model(folder_.path(), {}, {.add_tokens = {"<new>"}})),
            before);
  EXPECT_NE(fingerprint(open_sequence_model(folder_.path(), {}, {true, {}, 1})), before);
}

TEST_F(SequenceModelFiles, TheFingerprintIsOfWhatElseProbabilitiesDependOn) {
  std::string last = fingerprint(open_sequence_model(folder_.path(), {}));
  const auto changes = [&](const char* file, const char* before, const char* after) {
    set(file, before, after);
    const std::string fingerprint_before = last;
    last = fingerprint(open_sequence_model(folder_.path(), {}));
    return last != fingerprint_before;
  };
  EXPECT_TRUE(changes("config.json", "\"relative_attention_max_distance\": 128",
                      "\"relative_attention_max_distance\": 64"));
  EXPECT_TRUE(
      changes("config.json", "\"layer_norm_epsilon\": 1e-06", "\"layer_norm_epsilon\": 1e-05"));
  EXPECT_TRUE(
      changes("config.json", "\"decoder_start_token_id\": 0", "\"decoder_start_token_id\": 5"));
  EXPECT_FALSE(changes("generation_config.json", "\"decoder_start_token_id\": 0",
                       "\"decoder_start_token_id\": 5"));
  EXPECT_FALSE(changes("config.json", "\"dropout_rate\": 0.1", "\"dropout_rate\": 0.2"));
  EXPECT_FALSE(changes("config.json", "\"use_cache\": true", "\"use_cache\": false"));
}

TEST_F(SequenceModelFiles, TokensThatTheModelHasNotAreRefused) {
  set("generation_config.json", "\"decoder_start_token_id\": 0", "\"decoder_start_token_id\": 344");
  expect_contains(refusal(), "decoder_start_token_id is 344, the model has 344 tokens");
}

TEST_F(SequenceModelFiles, ADamagedTokenizerIsNamed) {
  const std::string file = folder_.file("spiece.model");
  fs::resize_file(file, fs::file_size(file) / 2);
  expect_contains(refusal(), file);
  fs::remove(file);
  expect_contains(refusal(), folder_.path().string());
}

}  // namespace rubric::metrics::opened_sequence_model_test
