#include "config/reader.h"

#include "config/example_config.h"

namespace rubric::config::reader_test {

struct Reader : ConfigFolder {
  ExampleConfig read(const std::string& text,
                     const std::vector<std::string>& overrides = {}) const {
    return read_config<ExampleConfig>(write("run.yaml", text), overrides);
  }
  std::string error(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return input_error([&] { read(text, overrides); });
  }
  // The message of a mistake on the file's line `line`.
  std::string at(int line, const std::string& what, const std::string& what_to_do = "") const {
    return error_lines(what, path("run.yaml") + ":" + std::to_string(line), what_to_do);
  }
};

TEST_F(Reader, FillsEveryKindOfField) {
  const ExampleConfig config = read(
      "name: lerc ood\n"
      "seed: 7\n"
      "train:\n"
      "  epochs: 10\n"
      "  learning_rate: 1e-4\n"
      "  precision: bfloat16\n"
      "  shuffle: false\n"
      "  decay: {rate: .5}\n"
      "data: {train: \"\", hold_out: [drop, \"true\", 3]}\n");
  EXPECT_EQ(config.name, "lerc ood");
  EXPECT_EQ(config.seed, 7);
  EXPECT_EQ(config.train.epochs, 10);
  EXPECT_EQ(config.train.learning_rate, 1e-4);
  EXPECT_EQ(config.train.precision, "bfloat16");
  EXPECT_FALSE(config.train.shuffle);
  EXPECT_EQ(config.train.decay.rate, 0.5);
  EXPECT_EQ(config.data.train, "");
  EXPECT_EQ(config.data.hold_out, (std::vector<std::string>{"drop", "true", "3"}));
}

TEST_F(Reader, KeepsDefaultsOfWhatIsNotSaid) {
  for (const char* const text : {"", "train: {}", "# nothing"}) {
    const ExampleConfig config = read(text);
    EXPECT_EQ(config.name, "example");
    EXPECT_EQ(config.train.epochs, 3);
    EXPECT_EQ(config.data.hold_out, std::vector<std::string>{"drop"});
  }
  EXPECT_TRUE(read("data: {hold_out: []}").data.hold_out.empty());
}

TEST_F(Reader, TakesOverrides) {
  const ExampleConfig config =
      read("data: {hold_out: [a, b]}", {"data.hold_out=[drop, quoref]", "train.decay.rate=0"});
  EXPECT_EQ(config.data.hold_out, (std::vector<std::string>{"drop", "quoref"}));
  EXPECT_EQ(config.train.decay.rate, 0);
}

TEST_F(Reader, StringsAreWhatWasWritten) {
  EXPECT_EQ(read("name: 1e5").name, "1e5");
  EXPECT_EQ(read("name: true").name, "true");
  EXPECT_EQ(read("name: \"~\"").name, "~");
}

TEST_F(Reader, NamesUnknownKeysAndTheNearest) {
  EXPECT_EQ(error("train:\n  epochs: 1\n  epoch: 3"),
            at(3, "unknown key \"train.epoch\"", "did you mean train.epochs?"));
  EXPECT_EQ(error("data: {}\ntrian: {epochs: 3}"),
            at(2, "unknown key \"trian\"", "did you mean train?"));
  EXPECT_EQ(error("epochs: 3"), at(1, "unknown key \"epochs\"", "did you mean train.epochs?"));
  EXPECT_EQ(error("train: {decay: {seed: 3}}"),
            at(1, "unknown key \"train.decay.seed\"", "did you mean seed?"));
  EXPECT_EQ(error("data: {zzzzzzzz: 3}"),
            at(1, "unknown key \"data.zzzzzzzz\"", "the keys here are: train, hold_out"));
  EXPECT_EQ(error("train.epochs: 3"),
            at(1, "unknown key \"train.epochs\"",
               "nest the keys in a file (group:, below it key:); dots are for --set"));
  EXPECT_EQ(error("", {"train.epoch=3"}),
            error_lines("unknown key \"train.epoch\"", "--set train.epoch=3",
                        "did you mean train.epochs?"));
}

TEST_F(Reader, TellsWhatItExpectedAndFound) {
  const std::string epochs = "train.epochs: expected a whole number (from 1 to 1000), found ";
  const std::string write = "write a whole number (from 1 to 1000)";
  EXPECT_EQ(error("train: {epochs: three}"), at(1, epochs + "\"three\"", write));
  EXPECT_EQ(error("train:\n  epochs: 3.5"), at(2, epochs + "\"3.5\"", write));
  EXPECT_EQ(error("train: {epochs: 0}"), at(1, epochs + "\"0\"", write));
  EXPECT_EQ(error("train: {epochs: 1001}"), at(1, epochs + "\"1001\"", write));
  EXPECT_EQ(error("train: {epochs: \"3\"}"),
            at(1, epochs + "the string \"3\"", "remove the quotes"));
  EXPECT_EQ(error("train: {epochs: {a: 1}}"), at(1, epochs + "a map of keys", write));
  EXPECT_EQ(error("train: {epochs: [1]}"), at(1, epochs + "a list", write));
  EXPECT_EQ(error("name: {a: 1}"),
            at(1, "name: expected a string, found a map of keys", "write a string"));
  EXPECT_EQ(error("train: 3"),
            at(1, "train: expected a map of keys, found \"3\"", "write a map of keys"));
  EXPECT_EQ(error("train: [3]"),
            at(1, "train: expected a map of keys, found a list", "write a map of keys"));
  EXPECT_EQ(error("train: {precision: float23}"),
            at(1, "train.precision: expected one of float32, bfloat16, found \"float23\"",
               "did you mean float32?"));
  EXPECT_EQ(error("data: {hold_out: drop}"),
            at(1, "data.hold_out: expected a list of strings, found \"drop\"",
               "put it in brackets: [ ]"));
  EXPECT_EQ(error("data:\n  hold_out:\n    - a\n    - [b]"),
            at(4, "data.hold_out[1]: expected a string, found a list", "write a string"));
  EXPECT_EQ(error("", {"data.hold_out.0=x"}),
            error_lines("data.hold_out: expected a list of strings, found a map of keys",
                        "--set data.hold_out.0=x", "write a list of strings"));
}

TEST_F(Reader, RefusesKeysWithoutAValue) {
  const std::string to_do = "give a value (\"\" for an empty string) or remove the key";
  EXPECT_EQ(error("seed: 1\nname:"), at(2, "name: expected a string, found nothing", to_do));
  EXPECT_EQ(error("seed: null"),
            at(1, "seed: expected a whole number (at least 0), found nothing", to_do));
  EXPECT_EQ(error("train: {shuffle: ~}"),
            at(1, "train.shuffle: expected true or false, found nothing", to_do));
  EXPECT_EQ(error("data: {hold_out: }"),
            at(1, "data.hold_out: expected a list of strings, found nothing", to_do));
  EXPECT_EQ(error("data: {hold_out: [a, ~]}"),
            at(1, "data.hold_out[1]: expected a string, found nothing", to_do));
  EXPECT_EQ(error("seed: 1\ntrain:"), at(2, "train: expected a map of keys, found nothing",
                                         "indent its keys below it, or remove it"));
  EXPECT_EQ(error("", {"seed="}),
            error_lines("seed: expected a whole number (at least 0), found nothing",
                        "--set seed=", to_do));
}

TEST_F(Reader, TakesOnlyPlainNumbersAndBooleans) {
  for (const char* const text : {"1e3", "0x10", "010", "1_000", "+", "1 2", "3.", "\"\"",
                                 "9223372036854775808", ".inf", "+1", "--1", "-x", "true"}) {
    EXPECT_NE(error(std::string("seed: ") + text).find("expected a whole number"),
              std::string::npos)
        << text;
  }
  for (const char* const text : {".inf", "-.inf", ".nan", "nan", "inf", "infinity", "1e999",
                                 "1e-999", "0x1p3", "1,5", "1e", "e5", ".", "5%", "two"}) {
    EXPECT_NE(
        error(std::string("train: {learning_rate: \"") + text + "\"}").find("expected a number"),
        std::string::npos)
        << text;
    EXPECT_NE(error(std::string("train:\n  learning_rate: ") + text).find("expected a number"),
              std::string::npos)
        << text;
  }
  for (const char* const text : {"yes", "True", "on", "1", "\"true\"", "[true]"}) {
    EXPECT_NE(error(std::string("train:\n  shuffle: ") + text).find("expected true or false"),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(read("seed: 9223372036854775807").seed, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(read("train: {learning_rate: -3}").train.learning_rate, -3);
}

}  // namespace rubric::config::reader_test
