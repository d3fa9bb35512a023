#include "models/encoders/list.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::models::list_test {

TEST(EncoderList, EveryTypeLeadsToItsKind) {
  size_t types = 0;
  for (const EncoderKind* const kind : kEncoders) {
    EXPECT_EQ(&require_encoder(kind->name, "here"), kind);
    for (const std::string_view alias : kind->aliases) {
      EXPECT_EQ(&require_encoder(alias, "here"), kind) << alias;
    }
    types += 1 + kind->aliases.size();
    for (const std::string_view text : {kind->title, kind->tokenizer, kind->example}) {
      EXPECT_FALSE(text.empty()) << kind->name;
    }
  }
  EXPECT_EQ(encoder_types().size(), types);
}

TEST(EncoderList, OtherTypesAreRefusedWithTheNearest) {
  const auto refusal = [](const std::string& type) {
    return input_error([&] { require_encoder(type, "config.json"); });
  };
  EXPECT_EQ(refusal("gpt_neox"),
            error_lines("the model is a \"gpt_neox\"; this version runs \"bert\", \"roberta\", "
                        "\"xlm-roberta\", \"mpnet\", \"deberta\", \"deberta-v2\", \"electra\", "
                        "\"distilbert\", \"rembert\", \"bleurt\" and \"modernbert\"",
                        "config.json", "name a model of one of these types"));
  expect_contains(refusal("robert"), "did you mean \"roberta\"?");
}

constexpr EncoderKind kOne = {.name = "one",
                              .aliases = {},
                              .title = "One",
                              .summary = "s",
                              .tokenizer = "t",
                              .example = "e",
                              .prefix = {}};

// What the table's static_assert refuses.
TEST(EncoderList, NamesAreThereOnce) {
  static constexpr std::string_view kAlias[] = {"one"}, kTwice[] = {"x", "x"}, kOwn[] = {"two"};
  const auto with = [](auto change) {
    EncoderKind two = kOne;
    two.name = "two";
    two.title = "Two";
    change(two);
    const EncoderKind* const kinds[] = {&kOne, &two};
    return have_unique_names(kinds);
  };
  EXPECT_TRUE(with([](EncoderKind&) {}));
  EXPECT_FALSE(with([](EncoderKind& two) { two.name = "one"; }));
  EXPECT_FALSE(with([](EncoderKind& two) { two.aliases = kAlias; }));
  EXPECT_FALSE(with([](EncoderKind& two) { two.aliases = kTwice; }));
  EXPECT_FALSE(with([](EncoderKind& two) { two.aliases = kOwn; }));
  EXPECT_FALSE(with([](EncoderKind& two) { two.summary = ""; }));
}

}  // namespace rubric::models::list_test
