// tests/fixtures/make_choice.py puts a three-way head on the tiny encoder in plain PyTorch; our
// model, task and figures must give the same.
#include "train/tasks/choice_task.h"

#include <map>
#include <tuple>

#include "messages.h"
#include "metrics/neural/lerc_model.h"
#include "models/fixture.h"
#include "temporary_folder.h"

namespace rubric::train::choice_task_test {

struct ChoiceParity : testing::Test {
  ChoiceParity() {
    for (const Json& row : json_.require_array("rows", "")) {
      data::Answer answer;
      answer.passage = row.require_string("passage", "");
      answer.question = row.require_string("question", "");
      answer.candidate = row.require_string("candidate", "");
      const std::string& reference = row.require_string("reference", "");
      encoder_.encode(answer, reference, rows_);
      labels_.push_back(row.require_integer("label", ""));
      place_[{answer.question, reference, answer.candidate}] = labels_.size() - 1;
    }
  }

  ChoiceModel model() const {
    const std::vector<std::string> head = {"score_layer.weight", "score_layer.bias"};
    return {models::load_encoder(fixture("lerc"), head).encoder,
            {tensors_.at("classifier.weight").clone(), tensors_.at("classifier.bias").clone()}};
  }

  ChoiceSplit split() const {
    ChoiceSplit split;
    for (const Json& json : json_.require_array("questions", "")) {
      data::ChoiceQuestion question;
      question.id = std::to_string(split.questions.size());
      question.source = split.questions.size() < 2 ? "set/a" : "set/b";
      question.passage = json.require_string("passage", "");
      question.question = json.require_string("question", "");
      for (const Json& text : json.require_array("correct", "")) {
        question.correct.push_back(text.string());
      }
      for (const Json& text : json.require_array("incorrect", "")) {
        question.incorrect.push_back(text.string());
      }
      split.questions.push_back(question);
    }
    split.pairs = choice_pairs(split.questions, 4);
    for (const ChoicePair& pair : split.pairs) {
      const data::ChoiceQuestion& question = split.questions[static_cast<size_t>(pair.question)];
      split.lengths.push_back(rows_.length(static_cast<int64_t>(place_of(question, pair, false))));
    }
    return split;
  }

  size_t place_of(const data::ChoiceQuestion& question, const ChoicePair& pair,
                  bool swapped) const {
    const data::Answer row = as_answer(question, pair, swapped);
    return place_.at({row.question, row.references[0], row.candidate});
  }

  ChoiceTask task(const std::string& data) const {
    TrainConfig config;
    config.task = "multiple_choice";
    config.seed = 4;
    config.data.max_length = 64;
    config.model.name = "tiny";
    config.questions.of(data::kBoolQ) = {{data}, {data}};
    return {config,
            fixture("lerc"),
            model(),
            text::open_tokenizer(fixture("lerc")),
            {split(), split()}};
  }

  const Json json_ = Json::parse_file(fixture("choice/choice.json"));
  const std::map<std::string, at::Tensor> tensors_ = fixture_tensors("choice/expected.safetensors");
  const std::unique_ptr<text::Tokenizer> tokenizer_ = text::open_tokenizer(fixture("lerc"));
  data::AnswerEncoder encoder_{*tokenizer_, {.max_length = 64}};
  data::TokenBatch rows_;
  std::vector<int64_t> labels_;
  std::map<std::tuple<std::string, std::string, std::string>, size_t> place_;
};

TEST_F(ChoiceParity, LogitsLossAndGradientsEqualTheReference) {
  ChoiceModel model = this->model();
  const Parameters parameters = trained_parameters(model.parameters());
  const at::Tensor logits = model.logits(models::pack(rows_));
  EXPECT_LT(difference(logits.detach(), tensors_.at("logits")), 1e-5);
  at::cross_entropy_loss(logits, at::tensor(at::IntArrayRef(labels_), at::kLong), {},
                         at::Reduction::Sum)
      .backward();
  int64_t compared = 0;
  for (const auto& [name, tensor, decays, rate] : parameters) {
    const auto expected = tensors_.find("gradient." + name);
    if (expected == tensors_.end()) continue;
    EXPECT_LT(difference(tensor.grad(), expected->second), 2e-5) << name;
    ++compared;
  }
  EXPECT_EQ(compared, std::ssize(tensors_) - 4);
}

// In whatever order a pair is read at an update, its loss is the reference's for that order.
TEST_F(ChoiceParity, TheTasksLossIsThatOfTheOrderDrawn) {
  const TemporaryFolder folder;
  ChoiceTask task = this->task(folder.write("data.jsonl", "x"));
  const ChoiceSplit split = this->split();
  const at::Tensor& losses = tensors_.at("losses");
  std::vector<int64_t> all(split.pairs.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i);
  EXPECT_EQ(task.targets(all), static_cast<double>(all.size()));
  for (int64_t update = 0; update < 3; ++update) {
    double expected = 0;
    for (const int64_t pair : all) {
      const data::ChoiceQuestion& question = split.question_of(pair);
      const ChoicePair& answers = split.pairs[static_cast<size_t>(pair)];
      const bool swapped = is_swapped(question, answers, 4, update, pair);
      expected += losses[static_cast<int64_t>(place_of(question, answers, swapped))].item<double>();
    }
    EXPECT_NEAR(task.loss_sum(all, update).item<double>(), expected, 1e-4) << update;
  }
}

TEST_F(ChoiceParity, ValidationIsByAccuracyAndNamesItsParts) {
  const TemporaryFolder folder;
  const Validation validation =
      task(folder.write("data.jsonl", "x")).validate(distributed::Ranks());
  const ChoiceSplit split = this->split();
  double right = 0, loss = 0;
  for (const Json& row : validation.predictions) {
    const data::ChoiceQuestion& question =
        split.questions[static_cast<size_t>(std::stoi(row.require_string("id", "")))];
    const size_t i = place_.at(
        {question.question, row.require_string("first", ""), row.require_string("second", "")});
    const auto place = static_cast<int64_t>(i);
    right += tensors_.at("logits")[place].argmax().item<int64_t>() == labels_[i] ? 1 : 0;
    loss += tensors_.at("losses")[place].item<double>();
    const char* const names[] = {"first", "second", "both"};
    const std::string label = names[labels_[i]];
    EXPECT_EQ(row.require_string("label", ""), label);
    const Json& probabilities = row.require("probabilities", "");
    EXPECT_NEAR(std::log(probabilities.require_number(label, "")),
                -tensors_.at("losses")[place].item<double>(), 1e-5);
  }
  const auto pairs = static_cast<double>(split.pairs.size());
  ASSERT_EQ(validation.predictions.size(), split.pairs.size());
  EXPECT_EQ(validation.name, "accuracy");
  EXPECT_DOUBLE_EQ(validation.value.value(), right / pairs);
  EXPECT_NEAR(validation.parts.require_number("loss", ""), loss / pairs, 1e-5);
  const Json& sources = validation.parts.require("sources", "");
  EXPECT_EQ(sources.require("set/a", "").require_integer("questions", ""), 2);
  EXPECT_EQ(sources.require("set/b", "").require_integer("questions", ""), 2);
}

TEST_F(ChoiceParity, FineTuningStartsFromItsEncoderAlone) {
  const TemporaryFolder folder;
  ChoiceTask task = this->task(folder.write("data.jsonl", "x"));
  const std::filesystem::path directory = folder.path() / "model";
  std::filesystem::create_directory(directory);
  task.save(directory, task.validate(distributed::Ranks()));
  const data::ModelCard card = data::read_model_card(directory);
  EXPECT_EQ(card.task, "multiple_choice");
  EXPECT_EQ(card.train, folder.file("data.jsonl"));
  EXPECT_EQ(card.validation, "accuracy");
  EXPECT_EQ(models::read_safetensors(directory / "model.safetensors").size(),
            model().encoder->parameters().size() + 2);

  metrics::LercModel fresh = metrics::start_lerc(directory, 9),
                     plain = metrics::start_lerc(fixture("lerc"), 9);
  const models::NamedTensors a = fresh.tensors(), b = plain.tensors();
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(at::equal(a[i].second, b[i].second)) << i;
  expect_contains(input_error([&] { metrics::load_lerc(directory); }),
                  "no score head (score_layer.weight)");
}

}  // namespace rubric::train::choice_task_test
