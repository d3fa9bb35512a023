#include "data/source_targets/token_pairs.h"

#include "text/generation_fixtures.h"

namespace rubric::data::token_pairs_test {

struct Kind {
  const char* tokenizer;
  ModelTokens tokens;
};

ModelTokens tokens_of(const std::string& type, std::optional<int64_t> bos, int64_t eos,
                      std::optional<int64_t> start, int64_t longest) {
  ModelTokens tokens;
  tokens.is_causal = type == "gpt2";
  tokens.starts_with_bos = type == "bart";
  if (type == "bart") tokens.around.before = {*bos};
  if (type != "gpt2") tokens.around.after = {eos};
  tokens.bos = bos;
  tokens.eos = eos;
  tokens.eos_ids = {eos};
  tokens.decoder_start = start;
  tokens.max_positions = longest;
  return tokens;
}

const Kind kT5 = {"plain", tokens_of("t5", {}, 1, 0, 0)};
const Kind kBart = {"bart", tokens_of("bart", 0, 2, 2, 64)};
const Kind kGpt2 = {"gpt2", tokens_of("gpt2", 0, 0, {}, 16)};

struct Pairs : testing::Test {
  static const text::GenerationTokenizer& tokenizer(const Kind& kind) {
    static GenerationFixtures fixtures;
    return fixtures[kind.tokenizer];
  }
  // The ids of a text without anything around it.
  static Ids plain(const Kind& kind, const std::string& text) {
    return encode(tokenizer(kind), text);
  }

  TokenPairs encode_pair(const Kind& kind, const SourceTarget& record) {
    PairEncoder encoder(tokenizer(kind), pair_template(config_, kind.tokens, "config.json"));
    TokenPairs pairs;
    encoder.encode(record, pairs);
    truncated_sources_ = encoder.truncated_sources();
    truncated_targets_ = encoder.truncated_targets();
    return pairs;
  }
  TokenPairs encode_source(const Kind& kind, const std::string& source, int64_t new_tokens) {
    PairEncoder encoder(tokenizer(kind), pair_template(config_, kind.tokens, "config.json"));
    TokenPairs pairs;
    encoder.encode_source({"7", source, ""}, new_tokens, pairs);
    truncated_sources_ = encoder.truncated_sources();
    return pairs;
  }
  std::string refusal(const Kind& kind, const std::string& source, const std::string& target) {
    return input_error([&] { encode_pair(kind, {"row 7", source, target}); });
  }

  PairConfig config_;
  TruncatedTexts truncated_sources_, truncated_targets_;
};

Ids joined(std::initializer_list<Ids> parts) {
  Ids all;
  for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Ids first(const Ids& ids, size_t count) {
  return {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count)};
}
Ids last(const Ids& ids, size_t count) {
  return {ids.end() - static_cast<std::ptrdiff_t>(count), ids.end()};
}

const SourceTarget kRow = {"7", "the baker told her", "no bread was left"};

TEST_F(Pairs, T5EndsBothTexts) {
  const Ids source = plain(kT5, kRow.source), target = plain(kT5, kRow.target);
  const TokenPairs pairs = encode_pair(kT5, kRow);
  EXPECT_EQ(pairs.sources.ids, joined({source, {1}}));
  EXPECT_EQ(pairs.targets, joined({target, {1}}));
  EXPECT_EQ(pairs.decoder_inputs.ids, joined({{0}, target}));
  EXPECT_EQ(pairs.tokens(0), std::ssize(source) + std::ssize(target) + 2);
}

TEST_F(Pairs, BartAlsoBeginsThem) {
  const Ids source = plain(kBart, kRow.source), target = plain(kBart, kRow.target);
  const TokenPairs pairs = encode_pair(kBart, kRow);
  EXPECT_EQ(pairs.sources.ids, joined({{0}, source, {2}}));
  EXPECT_EQ(pairs.targets, joined({{0}, target, {2}}));
  EXPECT_EQ(pairs.decoder_inputs.ids, joined({{2, 0}, target}));
}

TEST_F(Pairs, Gpt2GoesOnFromTheSourcesLastToken) {
  const Ids source = plain(kGpt2, kRow.source), target = plain(kGpt2, kRow.target);
  const TokenPairs pairs = encode_pair(kGpt2, kRow);
  EXPECT_EQ(pairs.sources.ids, first(source, source.size() - 1));
  EXPECT_EQ(pairs.targets, joined({target, {0}}));
  EXPECT_EQ(pairs.decoder_inputs.ids, joined({{source.back()}, target}));
}

TEST_F(Pairs, Gpt2WithoutASourceStartsWithItsBeginningToken) {
  const TokenPairs pairs = encode_pair(kGpt2, {"7", "", "bread"});
  EXPECT_EQ(pairs.sources.length(0), 0);
  EXPECT_EQ(pairs.decoder_inputs.ids, joined({{0}, plain(kGpt2, "bread")}));
  Kind nameless = kGpt2;
  nameless.tokens.bos.reset();
  expect_contains(refusal(nameless, "", "bread"), "no token is left of the source");
}

TEST_F(Pairs, BartMayHaveNoBeginning) {
  config_.bos = false;
  const TokenPairs pairs = encode_pair(kBart, kRow);
  EXPECT_EQ(pairs.sources.ids, joined({plain(kBart, kRow.source), {2}}));
  EXPECT_EQ(pairs.targets, joined({plain(kBart, kRow.target), {2}}));
}

// As the model was trained on it: given and target are one text, with a blank between them.
TEST_F(Pairs, WhatIsGivenOfATargetIsReadAndCounted) {
  for (const Kind* const kind : {&kT5, &kBart, &kGpt2}) {
    const SourceTarget whole = {"7", "her", "no bread was left"};
    const SourceTarget parted = {"7", "her", "was left", "no bread"};
    const TokenPairs pairs = encode_pair(*kind, parted);
    EXPECT_EQ(pairs.targets, encode_pair(*kind, whole).targets) << kind->tokenizer;
    const auto prefix = static_cast<int64_t>(kind == &kBart);
    EXPECT_EQ(pairs.given, Ids{prefix + std::ssize(plain(*kind, "no bread"))}) << kind->tokenizer;
    EXPECT_EQ(encode_pair(*kind, whole).given, Ids{0});
  }
}

TEST_F(Pairs, WhatIsGivenIsNeverCut) {
  config_.max_target = 4;
  expect_contains(input_error([&] {
                    encode_pair(kT5, {"row 7", "her", "was left", "no bread for the baker"});
                  }),
                  "more than the 4 that are allowed");
}

TEST_F(Pairs, EndsCanBeLeftOutAndTheStartTakenFromTheSource) {
  config_.source_eos = config_.target_eos = false;
  config_.decoder_start = "last-input";
  const Ids source = plain(kT5, kRow.source), target = plain(kT5, kRow.target);
  const TokenPairs pairs = encode_pair(kT5, kRow);
  EXPECT_EQ(pairs.sources.ids, source);  // which the encoder still reads whole
  EXPECT_EQ(pairs.targets, target);
  EXPECT_EQ(pairs.decoder_inputs.ids, joined({{source.back()}, first(target, target.size() - 1)}));
}

// An encoder has nothing to attend to then.
TEST_F(Pairs, ASourceOfNoTokenAtAllIsRefused) {
  config_.source_eos = false;
  for (const std::string source : {"", "  "}) {
    expect_says(refusal(kT5, source, "bread"), {"record \"row 7\"", "no token"});
  }
  EXPECT_EQ(encode_pair(kBart, {"7", "", "bread"}).sources.ids, Ids{0});
}

TEST_F(Pairs, LongTextsLoseTheirEndsAndAreCounted) {
  config_.max_source = 4;
  config_.max_target = 3;
  const Ids source = plain(kBart, kRow.source), target = plain(kBart, kRow.target);
  const TokenPairs pairs = encode_pair(kBart, kRow);
  EXPECT_EQ(pairs.sources.ids, joined({{0}, first(source, 2), {2}}));
  EXPECT_EQ(pairs.targets, joined({{0}, first(target, 1), {2}}));
  EXPECT_EQ(truncated_sources_.ids, std::vector<std::string>{"7"});
  EXPECT_EQ(truncated_sources_.longest, 4);
  EXPECT_EQ(truncated_targets_.ids, std::vector<std::string>{"7"});
  EXPECT_EQ(truncated_targets_.shortest, 3);
  config_.max_source = std::ssize(source) + 2;
  config_.max_target = std::ssize(target) + 2;
  encode_pair(kBart, kRow);
  EXPECT_TRUE(truncated_sources_.ids.empty() && truncated_targets_.ids.empty());
}

TEST(TruncatedTexts, AreDescribedByTheirFirstRecords) {
  TruncatedTexts cuts{{"a", "a", "b"}, 9, 9};
  EXPECT_EQ(describe_truncations(cuts, "sources", 20),
            "3 of 20 sources are too long and are cut at 9 tokens: records \"a\", \"b\"");
  cuts.shortest = 4;
  expect_contains(describe_truncations(cuts, "sources", 20), "cut at 4 to 9 tokens");
}

TEST_F(Pairs, Gpt2sSourceLosesItsBeginningSoThatAllFits) {
  std::string words;
  for (int i = 0; i < 30; ++i) words += "bread ";
  words += "the old oven";
  const Ids source = plain(kGpt2, words), target = plain(kGpt2, "bread was left");
  const TokenPairs pairs = encode_pair(kGpt2, {"7", words, "bread was left"});
  EXPECT_EQ(pairs.tokens(0), 16);  // all of its positions
  EXPECT_EQ(joined({pairs.sources.ids, first(pairs.decoder_inputs.ids, 1)}),
            last(source, 16 - target.size()));
  EXPECT_EQ(truncated_sources_.ids.size(), 1u);
  EXPECT_EQ(truncated_sources_.longest, 16 - std::ssize(target));
  expect_contains(input_error([&] { encode_source(kGpt2, words, 17); }),
                  "the target leaves no room for the source");
}

TEST_F(Pairs, LongTextsAreRefusedWhereAsked) {
  config_.too_long = "refuse";
  config_.max_source = 4;
  const std::string length = std::to_string(plain(kT5, kRow.source).size() + 1);
  const std::string message = refusal(kT5, kRow.source, "bread");
  expect_says(message, {"the source has " + length + " tokens, more than the 4", "record \"row 7\"",
                        "raise seq2seq.max_source"});
  config_.max_source = 100;
  config_.max_target = 2;
  expect_contains(refusal(kT5, kRow.source, kRow.target), "the target has");
}

// What the model has no positions for, no setting allows.
TEST_F(Pairs, TheModelsPositionsAreNamedWhereTheyBind) {
  config_.too_long = "refuse";
  std::string words;
  for (int i = 0; i < 70; ++i) words += "bread ";
  for (const auto& [source, target] : {std::pair(words, std::string("bread")), {"bread", words}}) {
    const std::string message = refusal(kBart, source, target);
    expect_contains(message, "more than the 64 that the model's 64 positions hold");
    expect_contains(message, "use a model with more positions");
  }
  expect_contains(refusal(kGpt2, words, "bread"), "that the target leaves of the model's 16");
  PairEncoder encoder(tokenizer(kBart), pair_template(config_, kBart.tokens, ""), "rows.jsonl");
  TokenPairs pairs;
  expect_contains(input_error([&] {
                    encoder.encode({"row 7", words, "bread"}, pairs);
                  }),
                  "rows.jsonl: record \"row 7\"");
}

// Written behind the target as a word of its own: the blank between them is a token of GPT-2's.
TEST_F(Pairs, AnEndOfTheConfigurationsOwnIsReadWithTheTarget) {
  Kind kind = {"gpt2_added", kGpt2.tokens};
  const int64_t end = tokenizer(kind).find("<P>");
  kind.tokens.target_end = end;
  config_.end = "<P>";
  const Ids whole = plain(kind, kRow.target + " <P>");
  ASSERT_EQ(whole.back(), end);
  ASSERT_EQ(whole.size(), plain(kind, kRow.target).size() + 2);
  EXPECT_EQ(encode_pair(kind, kRow).targets, whole);
  config_.target_eos = false;
  EXPECT_EQ(encode_pair(kind, kRow).targets, first(whole, whole.size() - 1));
  config_.target_eos = true;
  config_.max_target = 3;
  EXPECT_EQ(encode_pair(kind, kRow).targets, joined({first(whole, 2), {end}}));
  EXPECT_EQ(std::ssize(truncated_targets_.ids), 1);
}

TEST_F(Pairs, ATargetOfNoTokenIsRefused) {
  const std::string message = refusal(kT5, "the baker", " ");
  expect_says(message, {"no token is left of the target", "record \"row 7\""});
}

// Whoever gives a source whole writes its marks, too; in a template's places they would be read as
// another part, or as the end of it all.
TEST_F(Pairs, ATemplateWithMarksKeepsOtherTokensOut) {
  const std::string source = "the baker <pad> told her", target = "no </s> bread";
  EXPECT_EQ(refusal(kT5, source, target), "accepted");
  config_.source = "{question} </s> {passage}";
  const std::string message = refusal(kT5, source, "bread");
  expect_says(message, {"the source holds <pad>", "record \"row 7\""});
  EXPECT_EQ(input_error([&] { encode_source(kT5, source, 10); }).substr(0, 23),
            message.substr(0, 23));
  expect_contains(refusal(kT5, "the baker", "no <extra_id_0>"), "the target holds <extra_id_0>");
  EXPECT_EQ(refusal(kT5, "the baker </s> told her", "bread"), "accepted");
  ASSERT_EQ(plain(kT5, "\u1234").back(), tokenizer(kT5).find("<unk>"));
  EXPECT_EQ(refusal(kT5, "the \u1234 baker", "bread"), "accepted") << "no token of a text";
  expect_contains(refusal(kT5, "the <unk> baker", "bread"), "the source holds <unk>");
}

TEST_F(Pairs, AGenerationStartsWithOneToken) {
  const TokenPairs pairs = encode_source(kT5, kRow.source, 10);
  EXPECT_EQ(pairs.sources.ids, joined({plain(kT5, kRow.source), {1}}));
  EXPECT_EQ(pairs.decoder_inputs.ids, Ids{0});
  EXPECT_TRUE(pairs.targets.empty());
  const Ids source = plain(kGpt2, kRow.source);
  ASSERT_GT(source.size(), 3u);
  const TokenPairs causal = encode_source(kGpt2, kRow.source, 14);  // room for 3
  EXPECT_EQ(joined({causal.sources.ids, causal.decoder_inputs.ids}), last(source, 3));
  EXPECT_EQ(truncated_sources_.ids.size(), 1u);
}

// A chat template writes all special tokens itself.
TEST_F(Pairs, ChatsEndWithoutTheTokenizersTokens) {
  ModelTokens tokens = kGpt2.tokens;
  tokens.around.after = {1};
  EXPECT_EQ(pair_template(config_, tokens, "config.json").source_suffix, Ids{1});
  config_.is_chat = true;
  EXPECT_EQ(pair_template(config_, tokens, "config.json").source_suffix, Ids());
}

TEST_F(Pairs, SelectedRowsKeepTheirParts) {
  PairEncoder encoder(tokenizer(kT5), pair_template(config_, kT5.tokens, "config.json"));
  TokenPairs pairs;
  for (const char* text : {"bread", "two lemons", "her grandmother"}) {
    encoder.encode({"7", text, text}, pairs);
  }
  const TokenPairs selected = select_pairs(pairs, std::vector<int64_t>{2, 0});
  const Ids long_one = joined({plain(kT5, "her grandmother"), {1}});
  const Ids short_one = joined({plain(kT5, "bread"), {1}});
  EXPECT_EQ(selected.rows(), 2);
  EXPECT_EQ(selected.sources.ids, joined({long_one, short_one}));
  EXPECT_EQ(selected.targets, joined({long_one, short_one}));
  EXPECT_EQ(selected.sources.length(0), std::ssize(long_one));
}

// A T5 with RoBERTa's tokenizer, one that puts nothing around a text, a GPT-2 with a beginning.
TEST_F(Pairs, WhatStandsAroundATextIsTheTokenizersAndNotTheKindOfModels) {
  Kind kind = kT5;
  kind.tokens.around = {{7, 8}, {9}};
  TokenPairs pairs = encode_pair(kind, kRow);
  const Ids source = plain(kT5, kRow.source), target = plain(kT5, kRow.target);
  EXPECT_EQ(pairs.sources.ids, joined({{7, 8}, source, {9}}));
  EXPECT_EQ(pairs.targets, joined({{7, 8}, target, {9}}));
  kind.tokens.around = {};
  pairs = encode_pair(kind, kRow);
  EXPECT_EQ(pairs.sources.ids, source);
  EXPECT_EQ(pairs.targets, target);

  kind = kGpt2;
  kind.tokens.around = {{7}, {}};
  const SourceTarget row = {"7", "her", "bread"};
  pairs = encode_pair(kind, row);
  const Ids her = plain(kGpt2, "her"), bread = plain(kGpt2, "bread");
  EXPECT_EQ(joined({pairs.sources.ids, {pairs.decoder_inputs.ids.front()}}), joined({{7}, her}));
  EXPECT_EQ(pairs.targets, joined({bread, {0}}));
  const std::string words = "the old bridge over the river was under water in the morning";
  pairs = encode_source(kind, words, 4);  // 16 positions: 13 tokens, with the beginning
  const Ids all = plain(kGpt2, words);
  Ids expected = {7};
  expected.insert(expected.end(), all.end() - 12, all.end());
  EXPECT_EQ(joined({pairs.sources.ids, pairs.decoder_inputs.ids}), expected);

  // A GPT-2 whose tokenizer ends a text, too: a target follows that end.
  kind.tokens.around = {{7}, {8, 9}};
  pairs = encode_pair(kind, row);
  EXPECT_EQ(joined({pairs.sources.ids, {pairs.decoder_inputs.ids.front()}}),
            joined({{7}, her, {8, 9}}));
  EXPECT_EQ(pairs.targets, joined({bread, {0}}));
  pairs = encode_pair(kind, {"7", "", "bread"});
  EXPECT_EQ(joined({pairs.sources.ids, {pairs.decoder_inputs.ids.front()}}), (Ids{7, 8, 9}));
  pairs = encode_source(kind, words, 4);
  expected = {7};
  expected.insert(expected.end(), all.end() - 10, all.end());
  EXPECT_EQ(joined({pairs.sources.ids, pairs.decoder_inputs.ids}), joined({expected, {8, 9}}));
  const std::string crowded = input_error([&] { encode_source(kind, words, 15); });
  expect_contains(crowded, "no room for the source");
}

// Line breaks, runs of blanks, characters that are replaced or unknown, special tokens, which are
// left out of written texts. Byte-level BPE keeps all but these.
TEST_F(Pairs, ATargetComesBackOrIsKnownNotTo) {
  using Text = std::optional<std::string>;
  for (const auto& [text, of_t5] :
       std::vector<std::pair<std::string, Text>>{{"no bread was left", {}},
                                                 {" no bread ", {}},
                                                 {"", {}},
                                                 {"no bread\nwas left", "no bread was left"},
                                                 {"no\tbread", "no bread"},
                                                 {"no  bread", "no bread"},
                                                 {"\uFF21", "A"}}) {
    EXPECT_EQ(changed_target(tokenizer(kT5), text), of_t5) << json_quote(text);
    EXPECT_EQ(changed_target(tokenizer(kBart), text), std::nullopt) << json_quote(text);
  }
  for (const std::string text : {"no ☃ bread", "no <extra_id_0> bread", "no <pad> bread"}) {
    const Text changed = changed_target(tokenizer(kT5), text);
    ASSERT_TRUE(changed) << text;
    EXPECT_EQ(changed->find_first_of("☃<"), std::string::npos) << *changed;
  }
  EXPECT_EQ(changed_target(tokenizer(kBart), "the <mask> x"), "the x");
}

TEST_F(Pairs, AMissingTokenIsNamed) {
  ModelTokens tokens = kBart.tokens;
  tokens.eos.reset();
  const std::string message = input_error([&] { pair_template(config_, tokens, "config.json"); });
  expect_says(message, {"eos_token_id", "config.json"});
}

}  // namespace rubric::data::token_pairs_test
