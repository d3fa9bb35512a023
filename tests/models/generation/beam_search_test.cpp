#include <map>

#include "models/generation/generate.h"
#include "models/generation/generation_fixture.h"

namespace rubric::models {
namespace {

data::EarlyStopping early_stopping(const Json& value) {
  if (value.is_string()) return data::EarlyStopping::never;
  return value.boolean() ? data::EarlyStopping::yes : data::EarlyStopping::no;
}

// What transformers calls generate() with.
GenerationOptions options_of(const Json& setting) {
  GenerationOptions options;
  options.max_new_tokens = 20;
  options.beams = setting.require_integer("num_beams", "setting");
  if (const Json* stop = setting.find("early_stopping")) {
    options.early_stopping = early_stopping(*stop);
  }
  if (const Json* penalty = setting.find("length_penalty")) {
    options.length_penalty = penalty->number();
  }
  return options;
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
      const auto texts = generate(*opened.model, opened.tokens, starts_of(opened.tokens, sources),
                                  numbers_to(std::ssize(sources)), options_of(settings[i]));
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
    const GenerationOptions options = options_of(setting);
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

// Among the most probable tokens of a step there may be several ends; beams must not run short.
TEST(BeamSearch, TokensEqualTransformersWithSeveralEnds) {
  const Json fixture_json = Json::parse_file(fixture("generation/ends.json"));
  const auto& settings = fixture_json.require("settings", "ends").array();
  std::map<std::string, Opened> models;
  size_t ended_otherwise = 0;
  for (const Json& row : fixture_json.require("rows", "ends").array()) {
    const std::string name = row.require_string("model", "ends");
    if (!models.contains(name)) models[name] = open_fixture(name);
    Opened& opened = models[name];
    opened.tokens.eos_ids = ids(row.require("ends", "ends"));
    const auto starts = starts_of(opened.tokens, {ids(row.require("source", "ends"))});
    for (size_t i = 0; i < settings.size(); ++i) {
      const auto texts = generate(*opened.model, opened.tokens, starts, std::vector<int64_t>{0},
                                  options_of(settings[i]));
      EXPECT_EQ(texts[0], ids(row.require("results", "ends").array()[i].require("tokens", "")))
          << name << " " << row.require("source", "").dump() << settings[i].dump();
      if (texts[0].size() < 20 && texts[0].back() != opened.tokens.eos) ++ended_otherwise;
    }
  }
  EXPECT_GT(ended_otherwise, 50u);
}

}  // namespace
}  // namespace rubric::models
