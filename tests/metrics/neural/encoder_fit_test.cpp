#include "metrics/neural/encoder_fit.h"

#include "messages.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/lerc.h"
#include "metrics/neural/lerc_model.h"
#include "paths.h"

namespace rubric::metrics::encoder_fit_test {

namespace fs = std::filesystem;

TEST(RequireFit, ATokenizerLargerThanTheModelIsRefused) {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& more) {
    const fs::path directory = changed_lerc(folder, "vocab.txt", more);
    const std::vector<std::string> head = {"score_layer.weight", "score_layer.bias"};
    return input_error([&] {
      require_fit(*models::load_encoder(directory, head).encoder, *text::open_tokenizer(directory),
                  directory);
    });
  };
  EXPECT_EQ(problem(""), "accepted");
  expect_contains(problem("onemore\n"), "use the tokenizer files that belong to the model");
}

TEST(RequireFit, ATokenizerWithoutTokensAroundARowIsRefused) {
  const models::LoadedEncoder loaded = models::load_encoder(minilm_folder(), {});
  const std::string message = input_error([&] {
    require_fit(*loaded.encoder, *text::open_tokenizer(fixture("byte_bpe/gpt2")), "here");
  });
  expect_contains(message, "lacks the token that begins a row");
  expect_contains(message, "use a model of BERT's or RoBERTa's or MPNet's or DeBERTa's or");
}

TEST(RequirePositions, ARowLongerThanTheModelIsRefused) {
  const LercModel model = load_lerc(fixture("lerc"));
  const auto problem = [&](int64_t length) {
    return input_error([&] { require_positions(*model.encoder, length, "folder"); });
  };
  EXPECT_EQ(problem(64), "accepted");
  EXPECT_EQ(problem(65), error_lines("data.max_length is 65, the model has 64 positions", "folder",
                                     "lower data.max_length"));
}

}  // namespace rubric::metrics::encoder_fit_test
