// all-mpnet-base-v2 on the texts of a data set, against what tests/fixtures/make_bert.py kept of
// transformers' and bert-score's figures: numbers alone, the texts are the data set's.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "data/answers/stsb.h"
#include "metrics/neural/bertscore.h"
#include "models/fixture.h"
#include "text/tokenizer.h"

namespace rubric::metrics::mpnet_test {

struct MpnetBase : testing::Test {
  void SetUp() override {
    if (!std::filesystem::exists(mpnet_folder())) {
      GTEST_SKIP() << "scripts/setup --mpnet has not been run";
    }
    const char* const data = std::getenv("RUBRIC_DATA");
    if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
    answers_ = data::read_stsb(std::filesystem::path(data) / "stsb" / "stsb-en-dev.csv");
    ASSERT_GT(answers_.size(), 200u);
    answers_.resize(200);
    expected_ = fixture_tensors("bert/mpnet_base_real.safetensors");
  }

  std::vector<data::Answer> answers_;
  std::map<std::string, at::Tensor> expected_;
};

TEST_F(MpnetBase, HiddenStatesOfRealTextsEqualTransformers) {
  const at::NoGradGuard no_grad;
  const auto encoder = models::load_encoder(mpnet_folder(), {}).encoder;
  const auto tokenizer = text::open_tokenizer(mpnet_folder());
  data::TokenBatch rows;
  for (const data::Answer& answer : answers_) {
    rows.ids.push_back(tokenizer->cls_id());
    tokenizer->encode(answer.references.at(0), rows.ids);
    rows.ids.push_back(tokenizer->sep_id());
    rows.offsets.push_back(std::ssize(rows.ids));
  }
  rows.segments.resize(rows.ids.size(), 0);
  const models::PackedTokens tokens = models::pack(rows);
  const at::Tensor& expected = expected_.at("states");  // [texts, layers, first or last token, 8]
  double largest = 0;
  for (int64_t i = 0; i < expected.size(1); ++i) {
    const at::Tensor states = encoder->hidden_states(tokens, 4 * i, {}).narrow(1, 0, 8);
    for (int64_t row = 0; row < expected.size(0); ++row) {
      const auto offset = tokens.offsets.begin() + row;
      for (const int64_t end : {0, 1}) {
        const at::Tensor state = states[end == 0 ? offset[0] : offset[1] - 1];
        const double off = (state - expected[row][i][end]).abs().max().item<double>();
        EXPECT_LT(off, 1e-4) << "layer " << 4 * i << ", text " << row;
        largest = std::max(largest, off);
      }
    }
  }
  std::cout << "hidden states: largest difference " << largest << '\n';
}

TEST_F(MpnetBase, BertScoresOfRealTextsEqualThePackage) {
  BertScoreOptions options;
  options.layer = 8;
  const data::Scores scores = make_bertscore(mpnet_folder(), options)->score(answers_);
  const at::Tensor& expected = expected_.at("bertscore");  // [pairs, P R F]
  double largest = 0;
  for (size_t i = 0; i < answers_.size(); ++i) {
    const at::Tensor row = expected[static_cast<int64_t>(i)];
    const size_t columns[] = {2, 0, 1};
    for (size_t column = 0; column < 3; ++column) {
      const double figure = row[static_cast<int64_t>(columns[column])].item<double>();
      EXPECT_NEAR(scores.rows[i][column], figure, 1e-5) << "pair " << i;
      largest = std::max(largest, std::abs(scores.rows[i][column] - figure));
    }
  }
  std::cout << "BERTScore: largest difference " << largest << '\n';
}

}  // namespace rubric::metrics::mpnet_test
