#include "models/config_fields.h"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::models::config_fields_test {

ConfigFields fields_of(const char* json) {
  return {Json::parse(json, "config.json"), "config.json"};
}

// Reads each kind of field that the model computes with.
std::string values_of(const char* json) {
  ConfigFields fields = fields_of(json);
  fields.size("width", 8);
  fields.layers("layers", 2);
  fields.fraction("epsilon", 1e-12);
  fields.flag("tied", true);
  fields.choice("activation", "gelu", {"gelu", "relu"});
  fields.token("pad", 10, 1);
  return fields.values();
}

TEST(ConfigFields, WhatIsMissingOrNullIsAsIfTheUsualValueStoodThere) {
  const std::string usual =
      "width 8\nlayers 2\nepsilon 1e-12\ntied true\nactivation \"gelu\"\npad 1\n";
  EXPECT_EQ(values_of("{}"), usual);
  EXPECT_EQ(values_of(R"({"width": null, "layers": null, "epsilon": null, "tied": null,
                          "activation": null, "pad": null})"),
            usual);
  EXPECT_EQ(values_of(R"({"pad": 1, "activation": "gelu", "tied": true, "epsilon": 1e-12,
                          "layers": 2, "width": 8})"),
            usual);
}

TEST(ConfigFields, EveryOtherValueIsNoted) {
  std::set<std::string> seen = {values_of("{}")};
  for (const char* const json :
       {R"({"width": 9})", R"({"layers": 3})", R"({"epsilon": 1e-5})", R"({"tied": false})",
        R"({"activation": "relu"})", R"({"pad": 0})"}) {
    EXPECT_TRUE(seen.insert(values_of(json)).second) << json;
  }
}

TEST(ConfigFields, WhatOnlyTrainingReadsIsNotNoted) {
  const ConfigFields fields = fields_of(R"({"dropout": 0.3, "deviation": 0.5})");
  EXPECT_EQ(fields.dropout("dropout", 0.1), 0.3);
  EXPECT_EQ(fields.dropout("other", 0.1), 0.1);
  EXPECT_EQ(fields.start_scale("deviation", 1), 0.5);
  EXPECT_EQ(fields.values(), "");
}

TEST(ConfigFields, WhatNoModelHasIsRefusedByName) {
  const auto refusal = [](const char* json, const std::function<void(ConfigFields&)>& read) {
    ConfigFields fields = fields_of(json);
    const std::string message = input_error([&] { read(fields); });
    expect_contains(message, "where: config.json\n  to do: use ");
    return message;
  };
  const auto size = [](ConfigFields& fields) { fields.size("width"); };
  expect_contains(refusal("{}", size), "the field \"width\" is missing");
  expect_contains(refusal(R"({"width": "8"})", size), "\"width\" must be a number");
  expect_contains(refusal(R"({"width": 1.5})", size), "\"width\" must be a whole number");
  expect_contains(refusal(R"({"width": 0})", size), "width is 0, which no model has");
  expect_contains(refusal(R"({"width": 10000001})", size), "which no model has");
  expect_contains(refusal(R"({"layers": 1001})", [](ConfigFields& f) { f.layers("layers"); }),
                  "layers is over 1000");
  expect_contains(refusal(R"({"epsilon": 1})", [](ConfigFields& f) { f.fraction("epsilon", 0); }),
                  "epsilon must be at least 0 and below 1");
  expect_contains(refusal(R"({"scale": 0})", [](ConfigFields& f) { f.start_scale("scale", 1); }),
                  "scale must be above 0");
  expect_contains(refusal(R"({"tied": 1})", [](ConfigFields& f) { f.flag("tied", true); }),
                  "\"tied\" must be true or false");
  expect_contains(refusal(R"({"pad": 10})", [](ConfigFields& f) { f.token("pad", 10, 0); }),
                  "pad is outside the vocabulary");
  expect_contains(refusal(R"({"activation": "silu"})",
                          [](ConfigFields& f) {
                            f.choice("activation", "gelu", {"gelu", "relu"});
                          }),
                  "activation \"silu\" is not supported\n  where: config.json\n"
                  "  to do: use a model whose activation is gelu or relu");
}

}  // namespace rubric::models::config_fields_test
