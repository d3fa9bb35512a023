#include "models/derived_models.h"

#include <fstream>

#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include "core/context.h"
#include "core/error.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/seen_questions.h"
#include "messages.h"
#include "models/weights/weights.h"
#include "paths.h"
#include "recorder.h"
#include "temporary_folder.h"

namespace rubric::models {
namespace {

namespace fs = std::filesystem;

const fs::path kTinyLerc = fs::path(fixtures_folder()) / "lerc";

void average(const std::vector<fs::path>& models, const fs::path& output) {
  average_models({{models.begin(), models.end()}, output}, current_context());
}

struct AverageModels : testing::Test {
  // A copy of the tiny LERC whose floating-point numbers are `more` larger.
  fs::path model(const std::string& name, double more, const std::string& card = "") const {
    const fs::path directory = folder_.file(name);
    fs::copy(kTinyLerc, directory);
    NamedTensors tensors = read_weights(kTinyLerc);
    for (auto& [_, tensor] : tensors) {
      if (tensor.is_floating_point()) tensor = tensor + more;
    }
    write_weights(directory, tensors);
    if (!card.empty()) std::ofstream(directory / "rubric.yaml") << card;
    return directory;
  }

  fs::path output() const { return folder_.file("mean"); }

  void expect_refused(const std::vector<fs::path>& directories,
                      const std::vector<std::string>& parts) const {
    try {
      average(directories, output());
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      for (const std::string& part : parts) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      }
    }
    EXPECT_FALSE(fs::exists(output()));
  }

  TemporaryFolder folder_;
};

TEST_F(AverageModels, WeightsAreTheMeans) {
  average({model("a", 0), model("b", 1), model("c", 5)}, output());
  const NamedTensors first = read_weights(kTinyLerc), mean = read_weights(output());
  ASSERT_EQ(mean.size(), first.size());
  for (size_t i = 0; i < mean.size(); ++i) {
    ASSERT_EQ(mean[i].first, first[i].first);
    ASSERT_EQ(mean[i].second.dtype(), first[i].second.dtype());
    const at::Tensor expected =
        first[i].second.is_floating_point() ? first[i].second + 2 : first[i].second;
    EXPECT_TRUE(at::allclose(mean[i].second, expected, 1e-6, 1e-6)) << mean[i].first;
  }
}

TEST_F(AverageModels, TheMeanOfOneHasItsWeights) {
  average({kTinyLerc}, output());
  const NamedTensors one = read_weights(kTinyLerc), mean = read_weights(output());
  ASSERT_EQ(mean.size(), one.size());
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(mean[i].second.equal(one[i].second));
}

// However the weights are stored, the mean is one file of floating-point numbers.
TEST_F(AverageModels, ModelsMayBeInShardsOrIn8Bits) {
  const NamedTensors first = read_weights(kTinyLerc);
  const fs::path shards = model("shards", 0), bits = folder_.file("bits");
  fs::remove(shards / "model.safetensors");
  write_weights(shards, first, 10'000);
  ASSERT_TRUE(fs::exists(shards / "model.safetensors.index.json"));
  quantize_model({model("b", 2), bits});
  average({shards, bits}, output());
  EXPECT_TRUE(fs::exists(output() / "model.safetensors"));
  const NamedTensors mean = read_weights(output());
  ASSERT_EQ(mean.size(), first.size());
  for (const auto& [name, tensor] : first) {
    const at::Tensor* const of_both = find_tensor(mean, name);
    ASSERT_NE(of_both, nullptr) << name;
    ASSERT_EQ(of_both->dtype(), tensor.dtype()) << name;
    if (!tensor.is_floating_point()) continue;
    // Numbers of 8 bits are off by up to half of 1/127 of the largest of their row.
    const double most = (tensor + 2).abs().max().item<double>();
    EXPECT_LT((*of_both - tensor - 1).abs().max().item<double>(), most / 127 / 4 + 1e-6) << name;
  }
}

TEST_F(AverageModels, TheCardHasNothingOfOneRun) {
  const fs::path first =
      model("a", 0, "\nseed: 7\nvalidation: pearson\nvalidation_figure: 0.5\nthreshold: 3.5\n");
  average({first, model("b", 1, "\nseed: 8\nthreshold: 2.5\n")}, output());
  const data::ModelCard card = data::read_model_card(output());
  EXPECT_EQ(card.seed, 0);
  EXPECT_EQ(card.validation, "");
  EXPECT_EQ(card.validation_score, std::nullopt);
  EXPECT_EQ(card.threshold, std::nullopt);
}

TEST_F(AverageModels, TheMeanOfOneKeepsItsCard) {
  const fs::path one = model("a", 0, "seed: 7\nthreshold: 3.5\n");
  average({one}, output());
  EXPECT_EQ(data::read_model_card(output()).seed, 7);
  EXPECT_EQ(data::read_model_card(output()).threshold, 3.5);
}

TEST_F(AverageModels, ListWhatAnyOfThemHasSeen) {
  const std::string card = "question_hashes: " + std::string(data::kQuestionNormalisation) + "\n";
  const fs::path first = model("a", 0, card), second = model("b", 1, card),
                 third = model("c", 2, "seed: 3\n");
  data::ModelCard written;
  data::write_seen_questions(first, data::SeenQuestions{{1, 5}, {7}}, written);
  data::write_seen_questions(second, data::SeenQuestions{{2, 5}, {}}, written);
  Recorder recorder;
  {
    Context context;
    context.observer = &recorder;
    average_models({{first, second, third}, output()}, context);
  }
  ASSERT_EQ(recorder.messages.size(), 1U);  // the third one may have seen any
  expect_contains(recorder.messages[0].second, "no questions of " + third.string());
  const auto seen = data::read_seen_questions(output());
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->trained, (std::vector<uint64_t>{1, 2, 5}));
  EXPECT_EQ(seen->tuned, (std::vector<uint64_t>{7}));
}

TEST_F(AverageModels, FilesSayWhatAModelWithACardHasSeen) {
  const fs::path rows = folder_.write(
      "rows.jsonl", R"({"question": "Who?", "reference": "Tom", "candidate": "a man"})"
                    "\n");
  const fs::path no_card = model("a", 0);
  expect_contains(input_error([&] {
                    quantize_model({no_card, output(), {{rows}, {}}});
                  }),
                  "no rubric.yaml");
  EXPECT_FALSE(fs::exists(output()));
  quantize_model({model("b", 0, "seed: 1\n"), output(), {{rows}, {}}});
  EXPECT_EQ(data::read_seen_questions(output())->of("who"), data::Seen::trained);
}

TEST_F(AverageModels, AFileWithoutQuestionsIsRefused) {
  const fs::path rows =
      folder_.write("rows.csv", "reference,candidate,question\nTom,a man,\nTom,he,\n");
  const std::string error = input_error([&] {
    quantize_model({model("b", 0, "seed: 1\n"), output(), {{rows}, {}}});
  });
  expect_says(error, {"no row has a question", "rows.csv"});
  EXPECT_FALSE(fs::exists(output()));
}

TEST_F(AverageModels, OfOtherCardsOrFilesAreRefused) {
  const fs::path first = model("a", 0, "seed: 1\n");
  expect_refused({first, model("b", 0, "hold_out: [drop]\n")}, {"b/rubric.yaml", "card"});
  const fs::path other = model("c", 0, "seed: 2\n");
  std::ofstream(other / "config.json", std::ios::app) << "\n";
  expect_refused({first, other}, {"c/config.json", "configuration or tokenizer"});
}

TEST_F(AverageModels, NetworksThatReadFeaturesAreRefused) {
  const std::string card = "head: {features: [f1], bounded: true}\n";
  expect_refused({model("a", 0, card), model("b", 0, card)},
                 {"a/rubric.yaml", "average the encoders"});
}

TEST_F(AverageModels, WhatOneModelAloneHasACardForIsRefused) {
  expect_refused({model("a", 0, "seed: 1\n"), model("b", 0)}, {"no rubric.yaml", "has one"});
}

TEST_F(AverageModels, OfOtherTensorsAreRefused) {
  const fs::path first = model("a", 0), other = model("b", 0);
  NamedTensors tensors = read_weights(other);
  const auto write = [&] {
    fs::remove(other / "model.safetensors");
    write_weights(other, tensors);
  };
  const at::Tensor last = tensors.back().second;
  tensors.back().second = at::zeros({3});
  write();
  expect_refused({first, other}, {tensors.back().first, "another shape", other.string()});
  tensors.back().second = last.to(at::kLong);
  write();
  expect_refused({first, other}, {tensors.back().first, "another type"});
  tensors.back().second = last.to(at::kHalf);
  write();
  expect_refused({first, other}, {tensors.back().first, "another type"});
  tensors.pop_back();
  write();
  expect_refused({first, other}, {"tensors", other.string()});
}

}  // namespace
}  // namespace rubric::models
