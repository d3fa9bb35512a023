#include "text/tokenizer_files/tokenizer_json.h"

#include "text/tokenizer_fixtures.h"

namespace rubric::text::tokenizer_files_tokenizer_json_test {

TokensAround around(const std::string& post_processor) {
  return read_tokens_around(Json::parse("{\"post_processor\": " + post_processor + "}", ""),
                            "a.json");
}

const std::string kTemplate =
    R"({"type": "TemplateProcessing", "pair": [],
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                   {"SpecialToken": {"id": "end", "type_id": 0}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [5], "tokens": ["<s>"]},
                           "end": {"id": "end", "ids": [7, 8], "tokens": ["</s>", "."]}}})";

TEST(TokensAround, AreThoseOfThePostProcessor) {
  const TokensAround none = {}, both = {{0}, {2}};
  EXPECT_EQ(read_tokens_around(Json::parse("{}", ""), "a.json"), none);
  EXPECT_EQ(around("null"), none);
  EXPECT_EQ(around(R"({"type": "ByteLevel"})"), none);
  EXPECT_EQ(around(R"({"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]})"),
            both);
  EXPECT_EQ(around(R"({"type": "BertProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]})"), both);
  EXPECT_EQ(around(kTemplate), (TokensAround{{5}, {7, 8}}));
}

const std::string kByteLevel = R"({"type": "ByteLevel"})";

std::string sequence(const std::string& steps) {
  return "{\"type\": \"Sequence\", \"processors\": [" + steps + "]}";
}

TEST(TokensAround, OfASequenceAreThoseOfItsStepThatAddsSome) {
  const TokensAround expected = {{5}, {7, 8}};
  for (const std::string& steps : {kTemplate, kByteLevel + "," + kTemplate,
                                   sequence(kTemplate) + "," + sequence(kByteLevel)}) {
    EXPECT_EQ(around(sequence(steps)), expected) << steps;
  }
  EXPECT_EQ(around(sequence("")), TokensAround());
}

// BertProcessing behind a template gives [CLS] text [SEP] </s> [SEP] in `tokenizers`.
TEST(TokensAround, TwoStepsThatAddTokensAreRefused) {
  const std::string bert = R"({"type": "BertProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]})";
  const std::string text =
      R"({"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}]})";
  EXPECT_EQ(around(sequence(text + "," + bert)), (TokensAround{{0}, {2}}));
  for (const std::string& steps :
       {kTemplate + "," + bert, bert + "," + kByteLevel + "," + sequence(kTemplate),
        kTemplate + "," + kTemplate, bert + "," + text}) {
    expect_says(input_error([&] { around(sequence(steps)); }),
                {"a.json: post_processor", "does not read the step"});
  }
}

TEST(TokensAround, WhatCannotBeReadIsRefusedByName) {
  const auto changed = [](const std::string& before, const std::string& after) {
    std::string text = kTemplate;
    const size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return text.replace(at, before.size(), after);
  };
  for (const auto& [post_processor, told] : std::vector<std::pair<std::string, std::string>>{
           {R"({"type": "ByPosition"})", "ByPosition"},
           {R"({"type": "Sequence"})", "Sequence"},
           {R"({"type": "BertProcessing", "cls": ["<s>", 0]})", "sep"},
           {R"({"type": "BertProcessing", "cls": ["<s>", 0], "sep": [2]})", "BertProcessing"},
           {changed("\"A\"", "\"B\""), "TemplateProcessing"},
           {changed("\"id\": \"A\", \"type_id\": 0", "\"id\": \"A\", \"type_id\": 1"),
            "TemplateProcessing"},
           {changed("\"id\": \"<s>\", \"type_id\": 0", "\"id\": \"<s>\", \"type_id\": 2"),
            "TemplateProcessing"},
           {changed("\"id\": \"<s>\", \"type_id\"", "\"id\": \"<t>\", \"type_id\""), "<t>"},
           {changed("[7, 8]", "[-1]"), "TemplateProcessing"},
           {changed("[7, 8]", "[2.7]"), "TemplateProcessing"},
           {changed("[7, 8]", "[1e300]"), "TemplateProcessing"},
           {R"({"type": "BertProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2.7]})",
            "BertProcessing"},
           {R"({"type": "BertProcessing", "cls": ["<s>", -1], "sep": ["</s>", 2]})",
            "BertProcessing"},
           {changed("{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}},", ""), "TemplateProcessing"},
           {"[]", "an object"},
           {"3", "a.json: post_processor"}}) {
    expect_says(input_error([&] { around(post_processor); }), {told, "a.json: post_processor"});
  }
}

}  // namespace rubric::text::tokenizer_files_tokenizer_json_test
