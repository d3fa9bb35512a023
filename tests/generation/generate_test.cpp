#include "generation/generate.h"

#include "core/json.h"
#include "generation/forced_tokens.h"
#include "models/load_conditional_model.h"
#include "models/seq2seq_fixture.h"

namespace rubric {
namespace {

struct Opened {
  std::unique_ptr<ConditionalModel> model;
  ModelTokens tokens;
};

Opened open_fixture(const std::string& name) {
  const std::filesystem::path directory = fixture("seq2seq/" + name);
  return {load_conditional_model(directory), read_model_tokens(directory)};
}

// Sources with the token to start with.
TokenPairs starts_of(const ModelTokens& tokens, const std::vector<std::vector<int64_t>>& sources) {
  TokenPairs starts;
  for (std::vector<int64_t> source : sources) {
    int64_t start = source.back();
    if (tokens.is_causal) {
      source.pop_back();
    } else {
      start = tokens.decoder_start.value();
    }
    append_row(starts.sources, source);
    append_row(starts.decoder_inputs, {start});
  }
  return starts;
}

std::vector<int64_t> ids(const Json& list) {
  std::vector<int64_t> values;
  for (const Json& value : list.array()) values.push_back(static_cast<int64_t>(value.number()));
  return values;
}

std::vector<int64_t> numbers_to(int64_t count) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

class GreedyParity : public testing::TestWithParam<const char*> {};

TEST_P(GreedyParity, TokensEqualTransformers) {
  const Opened opened = open_fixture(GetParam());
  const Seq2SeqFixture expected = seq2seq_fixture(GetParam());
  std::vector<std::vector<int64_t>> sources;
  const at::Tensor lengths = expected.expected.at("source_mask").sum(1);
  for (int64_t row = 0; row < lengths.size(0); ++row) {
    sources.push_back(
        row_ids(expected.expected.at("source_ids")[row], lengths[row].item<int64_t>()));
  }
  GenerationOptions options;
  options.max_new_tokens = 20;
  const auto texts = generate(*opened.model, opened.tokens, starts_of(opened.tokens, sources),
                              numbers_to(std::ssize(sources)), options);
  const at::Tensor greedy = expected.expected.at("greedy");
  for (size_t row = 0; row < texts.size(); ++row) {
    const at::Tensor reference = greedy[static_cast<int64_t>(row)];
    EXPECT_EQ(texts[row], row_ids(reference, reference.ge(0).sum().item<int64_t>())) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, GreedyParity,
                         testing::Values("t5", "t5_v1_1", "t5_gated_tied", "t5_gated_silu", "bart",
                                         "bart_scaled", "gpt2", "gpt2_inner", "t5_added",
                                         "t5_v1_1_added", "bart_added", "gpt2_added"));

EarlyStopping early_stopping(const Json& value) {
  if (value.is_string()) return EarlyStopping::never;
  return value.boolean() ? EarlyStopping::yes : EarlyStopping::no;
}

// All sources of a model at once, where transformers has decoded each by itself.
TEST(BeamSearch, TokensEqualTransformersOn200Sources) {
  const Json fixture_json = Json::parse_file(fixture("generation/beams.json"));
  const auto& settings = fixture_json.require("settings", "beams").array();
  int compared = 0;
  for (const std::string name : {"t5", "bart", "gpt2"}) {
    const Opened opened = open_fixture(name);
    std::vector<std::vector<int64_t>> sources;
    std::vector<const Json*> results;
    for (const Json& row : fixture_json.require("rows", "beams").array()) {
      if (row.require_string("model", "beams") != name) continue;
      sources.push_back(ids(row.require("source", "beams")));
      results.push_back(&row.require("results", "beams"));
    }
    for (size_t i = 0; i < settings.size(); ++i) {
      const Json& setting = settings[i];
      GenerationOptions options;
      options.max_new_tokens = 20;
      options.beams = setting.require_integer("num_beams", "beams");
      options.length_penalty = setting.require_number("length_penalty", "beams");
      options.early_stopping = early_stopping(setting.require("early_stopping", "beams"));
      const auto texts = generate(*opened.model, opened.tokens, starts_of(opened.tokens, sources),
                                  numbers_to(std::ssize(sources)), options);
      for (size_t row = 0; row < texts.size(); ++row, ++compared) {
        EXPECT_EQ(texts[row], ids(results[row]->array()[i].require("tokens", "beams")))
            << name << " row " << row << " setting " << i;
      }
    }
  }
  EXPECT_EQ(compared, 800);
}

// The settings of published BARTs that this project has: a forced start and a forced end.
TEST(BeamSearch, ForcedTokensEqualTransformers) {
  const Json fixture_json = Json::parse_file(fixture("generation/bart_forced.json"));
  const auto& settings = fixture_json.require("settings", "forced").array();
  Opened opened = open_fixture("bart");
  int compared = 0;
  for (size_t i = 0; i < settings.size(); ++i) {
    const Json& setting = settings[i];
    if (setting.find("no_repeat_ngram_size") || setting.find("min_length")) continue;
    const auto token = [&](const char* name) {
      return setting.find(name) ? std::optional(setting.require_integer(name, "forced"))
                                : std::nullopt;
    };
    opened.tokens.forced_bos = token("forced_bos_token_id");
    opened.tokens.forced_eos = token("forced_eos_token_id");
    GenerationOptions options;
    options.max_new_tokens = fixture_json.require_integer("max_new_tokens", "forced");
    options.beams = setting.require_integer("num_beams", "forced");
    if (const Json* stop = setting.find("early_stopping")) {
      options.early_stopping = early_stopping(*stop);
    }
    if (const Json* penalty = setting.find("length_penalty")) {
      options.length_penalty = penalty->number();
    }
    for (const Json& row : fixture_json.require("rows", "forced").array()) {
      const auto starts = starts_of(opened.tokens, {ids(row.require("source", "forced"))});
      const auto texts =
          generate(*opened.model, opened.tokens, starts, std::vector<int64_t>{0}, options);
      EXPECT_EQ(texts[0], ids(row.require("results", "forced").array()[i].require("tokens", "")))
          << setting.dump();
      ++compared;
    }
  }
  EXPECT_GE(compared, 30);
}

// transformers: the end is forced after the start, so that it wins where both are.
TEST(ForcedTokens, OfATextOfOneTokenTheEndIs) {
  ModelTokens tokens;
  tokens.forced_bos = 5;
  tokens.forced_eos = 6;
  EXPECT_EQ(forced_token(tokens, 0, 1), 6);
  EXPECT_EQ(forced_token(tokens, 0, 2), 5);
  EXPECT_EQ(forced_token(tokens, 1, 2), 6);
  EXPECT_EQ(forced_token(tokens, 1, 3), std::nullopt);
}

TEST(Generate, SamplesDependOnTheRowsNumberAndNotOnItsBatch) {
  const Opened opened = open_fixture("t5");
  const std::vector<std::vector<int64_t>> sources = {{5, 6, 7}, {9, 10}, {11, 4, 3, 8}};
  GenerationOptions options;
  options.max_new_tokens = 15;
  options.samples = true;
  options.sampling = {1.5, 20, 0.95};
  const auto all = generate(*opened.model, opened.tokens, starts_of(opened.tokens, sources),
                            std::vector<int64_t>{40, 41, 42}, options);
  const auto second = generate(*opened.model, opened.tokens, starts_of(opened.tokens, {sources[1]}),
                               std::vector<int64_t>{41}, options);
  EXPECT_EQ(second[0], all[1]);
  const auto other = generate(*opened.model, opened.tokens, starts_of(opened.tokens, {sources[1]}),
                              std::vector<int64_t>{43}, options);
  EXPECT_NE(other[0], all[1]);
}

}  // namespace
}  // namespace rubric
