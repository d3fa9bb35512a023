#include "config/printer.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include "cases.h"
#include "config/example_config.h"
#include "config/reader.h"
#include "core/random.h"

namespace rubric::config::printer_test {

struct Printer : ConfigFolder {
  ExampleConfig round_trip(const ExampleConfig& config) const {
    return read_config<ExampleConfig>(write("config.yaml", print_config(config)), {});
  }
};

TEST_F(Printer, WritesEveryFieldBelowItsComment) {
  EXPECT_EQ(print_config(ExampleConfig()),
            read_file(std::string(source_folder()) + "/tests/config/example_printed.yaml"));
}

// As docs/configuration.md shows them.
TEST_F(Printer, WithoutCommentsOnlyValuesAreLeft) {
  EXPECT_EQ(without_comments("# one\nname: \"# two\"\ngroup:\n  # three # four\n  x: 1\n"),
            "name: \"# two\"\ngroup:\n  x: 1\n");
  EXPECT_EQ(without_comments(""), "");
}

TEST_F(Printer, WritesTheValuesThatAFieldMayHave) {
  const std::string page = print_config(ExampleConfig(), true);
  expect_contains(page, "# of all random numbers (at least 0)\nseed: 0\n");
  expect_contains(page, "  # passes over the training data (from 1 to 1000)\n  epochs: 3\n");
  expect_contains(page, "  # of matrix products (float32, bfloat16)\n  precision: float32\n");
  expect_contains(page, "  # new order each epoch\n  shuffle: true\n");
  expect_contains(page, "  # constituents left out | never trained on\n  hold_out: [drop]\n");
}

TEST_F(Printer, StringsComeBack) {
  setenv("X", "expanded", 1);
  for (const auto& [text] : cases<std::string>("config/printed_texts.json", "texts")) {
    ExampleConfig config;
    config.name = text;
    config.data.hold_out = {text, "next", text};
    const ExampleConfig back = round_trip(config);
    EXPECT_EQ(back.name, text);
    EXPECT_EQ(back.data.hold_out, config.data.hold_out);
    EXPECT_EQ(print_config(back), print_config(config));
  }
  unsetenv("X");
}

TEST_F(Printer, AnyTextComesBack) {
  const std::vector<std::string> pieces = {"$", "{", "}", "\"", "\\", "\n", "\r", " ",    "\t", "#",
                                           ":", "-", "a", "é",  "😀",  "'",  ",",  "\x1B", "["};
  ExampleConfig config;
  config.data.hold_out.clear();
  for (uint64_t i = 0; i < 2000; ++i) {
    std::string text;
    for (uint64_t j = 0; j < i % 12; ++j) {
      text += pieces[below(random_bits(1, Purpose::shuffle, i, j), pieces.size())];
    }
    config.data.hold_out.push_back(text);
  }
  EXPECT_EQ(round_trip(config).data.hold_out, config.data.hold_out);
}

TEST_F(Printer, NumbersComeBackBitForBit) {
  std::vector<double> values = {
      0.0, -0.0, 0.1, 1.0 / 3, 1e300, -1e-300, 5e-324, 2.5e-5, std::numeric_limits<double>::max()};
  for (uint64_t i = 0; i < 200; ++i) {
    values.push_back(std::bit_cast<double>(random_bits(2, Purpose::shuffle, i)));
  }
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    ExampleConfig config;
    config.train.learning_rate = value;
    EXPECT_EQ(std::bit_cast<uint64_t>(round_trip(config).train.learning_rate),
              std::bit_cast<uint64_t>(value));
  }
  ExampleConfig config;
  config.seed = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(round_trip(config).seed, config.seed);
}

TEST_F(Printer, RefusesNumbersThatAreNotFinite) {
  ExampleConfig config;
  config.train.learning_rate = std::nan("");
  EXPECT_THROW(print_config(config), Error);
}

TEST_F(Printer, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(yaml_text("data/mocha/train.json"), "data/mocha/train.json");
  EXPECT_EQ(yaml_text("true"), "\"true\"");
  EXPECT_EQ(yaml_text("OFF"), "\"OFF\"");
  EXPECT_EQ(yaml_text("1e5"), "\"1e5\"");
  EXPECT_EQ(yaml_text("${X}"), "\"$${X}\"");
  EXPECT_EQ(yaml_text("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(yaml_text(std::vector<std::string>{}), "[]");
  EXPECT_EQ(yaml_text(std::vector<std::string>{"a", "b c"}), "[a, \"b c\"]");
}

}  // namespace rubric::config::printer_test
