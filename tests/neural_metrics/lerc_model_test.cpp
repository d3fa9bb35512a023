#include "neural_metrics/lerc_model.h"

#include "messages.h"
#include "neural_metrics/fixture_answers.h"
#include "text/wordpiece.h"

namespace rubric {
namespace {

TEST(LoadLerc, AnEncoderAloneIsRefused) {
  expect_contains(input_error([] { load_lerc(RUBRIC_MINILM); }),
                  "the model has no score_layer.weight: it is an encoder, not a trained LERC");
}

TEST(LoadLerc, AModelOfOneSegmentIsRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path directory = changed_lerc(folder, "config.json", "");
  std::string config = read_file(directory / "config.json");
  const std::string before = "\"type_vocab_size\": 2";
  ASSERT_NE(config.find(before), std::string::npos);
  config.replace(config.find(before), before.size(), "\"type_vocab_size\": 1");
  write_file(directory / "config.json", config);
  NamedTensors weights = read_safetensors(directory / "model.safetensors");
  for (auto& [name, tensor] : weights) {
    if (name.ends_with("token_type_embeddings.weight")) tensor = tensor.narrow(0, 0, 1);
  }
  write_safetensors(directory / "model.safetensors", weights);
  for (const std::string& message : {input_error([&] { load_lerc(directory); }),
                                     input_error([&] { start_lerc(directory, 1); })}) {
    expect_contains(message, "type_vocab_size");
    expect_contains(message, (directory / "config.json").string());
  }
}

TEST(RequireFit, ATokenizerLargerThanTheModelIsRefused) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& more) {
    const std::filesystem::path directory = changed_lerc(folder, "vocab.txt", more);
    return input_error([&] {
      require_fit(load_lerc(directory), WordPiece::from_directory(directory), directory);
    });
  };
  EXPECT_EQ(problem(""), "accepted");
  expect_contains(problem("onemore\n"), "use the tokenizer files that belong to the model");
}

TEST(RequirePositions, ARowLongerThanTheModelIsRefused) {
  const LercModel model = load_lerc(fixture("lerc"));
  const auto problem = [&](int64_t length) {
    return input_error([&] { require_positions(model, length, "folder"); });
  };
  EXPECT_EQ(problem(64), "accepted");
  EXPECT_EQ(problem(65), error_lines("data.max_length is 65, the model has 64 positions", "folder",
                                     "lower data.max_length"));
}

TEST(StartLerc, TheHeadDependsOnTheSeedAlone) {
  const LercModel a = start_lerc(RUBRIC_MINILM, 1), b = start_lerc(RUBRIC_MINILM, 1);
  EXPECT_TRUE(at::equal(a.score_layer.weight, b.score_layer.weight));
  EXPECT_FALSE(at::equal(a.score_layer.weight, start_lerc(RUBRIC_MINILM, 2).score_layer.weight));
  const double bound = 1 / std::sqrt(384.0);
  EXPECT_LE(a.score_layer.weight.abs().max().item<double>(), bound);
  EXPECT_GT(a.score_layer.weight.abs().max().item<double>(), 0.9 * bound);
}

}  // namespace
}  // namespace rubric
