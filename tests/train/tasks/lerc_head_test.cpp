// A network that reads features beside a trained LERC's score, against plain PyTorch
// (tests/fixtures/make_lerc_head.py).
#include <gtest/gtest.h>

#include "config/printer.h"
#include "core/error.h"
#include "core/files/files.h"
#include "data/answers/answer_rows.h"
#include "data/model_files/seen_questions.h"
#include "data/tokens/tokenize_answers.h"
#include "messages.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/lerc.h"
#include "stats/correlation.h"
#include "text/wordpiece/wordpiece.h"
#include "train/tasks/lerc_task.h"

namespace rubric::train {
namespace {

const Json& expected() {
  static const Json json = Json::parse_file(fixture("lerc_head.json"));
  return json;
}

std::vector<float> floats(const Json& numbers) {
  std::vector<float> values;
  for (const Json& number : numbers.array()) values.push_back(static_cast<float>(number.number()));
  return values;
}

at::Tensor tensor_of(const Json& numbers) {
  return at::tensor(at::ArrayRef<float>(floats(numbers)));
}

models::Linear layer(const char* name, int64_t outputs) {
  const Json& json = expected().require(name, "");
  return {tensor_of(json.require("weight", "")).view({outputs, -1}).contiguous(),
          tensor_of(json.require("bias", ""))};
}

constexpr int64_t kMaxLength = 64;

LercData data_of(const std::vector<double>& labels) {
  const auto tokenizer = text::WordPiece::from_directory(fixture("lerc"));
  std::vector<data::Answer> answers = answers_of(Json::parse_file(fixture("lerc/expected.json")));
  for (size_t i = 0; i < answers.size(); ++i) answers[i].score = labels[i];
  data::TokenizedAnswers rows =
      data::tokenize_answers(answers, tokenizer, {.max_length = kMaxLength}, "fixture");
  rows.tokens.features = floats(expected().require("features", ""));
  return {.train = rows, .dev = rows, .dev_answers = std::move(answers)};
}

std::vector<double> labels() {
  const std::vector<float> values = floats(expected().require("labels", ""));
  return {values.begin(), values.end()};
}

TrainConfig config_with(const std::string& loss) {
  TrainConfig config;
  config.data.train = fixture("lerc_head.json").string();
  config.data.max_length = kMaxLength;
  config.head = {{{"f1", "recall", "contains"}, /*bounded=*/true}, loss};
  config.run.pooled_validation = true;
  return config;
}

metrics::LercModel headed_model() {
  metrics::LercModel model = metrics::load_lerc(fixture("lerc"));
  model.feature_layer = layer("feature_layer", metrics::kFeatureWidth);
  model.output_layer = layer("output_layer", 1);
  model.is_bounded = true;
  return model;
}

LercTask task_with(const std::string& loss, const std::vector<double>& scores = labels(),
                   const data::LabelScale& scale = {}) {
  LercData data = data_of(scores);
  data.scale = scale;
  return {config_with(loss), fixture("lerc"), headed_model(), std::move(data)};
}

std::vector<int64_t> all_rows() {
  std::vector<int64_t> rows(labels().size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i);
  return rows;
}

void expect_near(const at::Tensor& values, const Json& wanted, const std::string& what) {
  const at::Tensor flat = values.contiguous().view({-1});
  const std::vector<float> numbers = floats(wanted);
  ASSERT_EQ(static_cast<size_t>(flat.numel()), numbers.size()) << what;
  for (size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_NEAR(flat[static_cast<int64_t>(i)].item<double>(), numbers[i],
                1e-5 * std::max(1.0, std::abs(static_cast<double>(numbers[i]))))
        << what << " " << i;
  }
}

TEST(LercHead, LossesAndGradientsEqualTheReference) {
  for (const std::string loss : {"squared_error", "cross_entropy"}) {
    LercTask task = task_with(loss);
    const Parameters parameters = task.parameters();
    const at::Tensor sum = task.loss_sum(all_rows(), 0);
    sum.backward();
    const Json& wanted = expected().require("losses", "").require(loss, "");
    const double value = wanted.require_number("value", "");
    EXPECT_NEAR(sum.item<double>(), value, 1e-5 * value) << loss;
    for (const Parameter& parameter : parameters) {
      for (const char* name : {"feature_layer", "output_layer"}) {
        if (parameter.name != std::string(name) + ".weight") continue;
        expect_near(parameter.tensor.grad(), wanted.require(name, ""), loss + " " + name);
      }
    }
  }
}

TEST(LercHead, ScoresAreBoundedAsTheReferences) {
  LercTask task = task_with("cross_entropy");
  const Validation validation = task.validate({});
  const std::vector<float> scores = floats(expected().require("scores", ""));
  ASSERT_EQ(validation.predictions.size(), scores.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    const double score = validation.predictions[i].require("scores", "").require_number("lerc", "");
    EXPECT_NEAR(score, scores[i], 1e-5) << i;
    EXPECT_TRUE(score >= 1 && score <= 5);
  }
}

TEST(LercHead, ItsLayersAloneAreTrainedBesideFeatures) {
  std::vector<std::string> names;
  for (const Parameter& parameter : task_with("cross_entropy").parameters()) {
    names.push_back(parameter.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"feature_layer.weight", "feature_layer.bias",
                                             "output_layer.weight", "output_layer.bias"}));
}

TEST(LercHead, LearnsAtItsOwnRate) {
  TrainConfig config;
  config.data.train = fixture("lerc_head.json").string();
  config.head.rate = 7;
  LercData data = data_of(labels());
  data.train.tokens.features = data.dev.tokens.features = {};
  LercTask task(config, fixture("lerc"), metrics::load_lerc(fixture("lerc")), std::move(data));
  for (const Parameter& parameter : task.parameters()) {
    EXPECT_EQ(parameter.rate, parameter.name.starts_with("score_layer.") ? 7 : 1) << parameter.name;
  }
}

TEST(LercHead, ASavedModelScoresAsItWasTrained) {
  const TemporaryFolder folder;
  LercTask task = task_with("cross_entropy");
  const Validation validation = task.validate({});
  const std::filesystem::path directory = folder.path() / "model";
  std::filesystem::create_directory(directory);
  task.save(directory, validation);
  const metrics::LercModel loaded = metrics::load_lerc(directory);
  EXPECT_TRUE(loaded.is_bounded);
  const std::vector<double> scores =
      metrics::predict_scores(loaded, data_of(labels()).train.tokens, 512);
  for (size_t i = 0; i < scores.size(); ++i) {
    EXPECT_NEAR(scores[i],
                validation.predictions[i].require("scores", "").require_number("lerc", ""), 1e-5);
  }
}

// The same labels on another scale are learnt alike, and scores come out on theirs.
TEST(LercHead, LearnsAlikeOnEveryScale) {
  for (const std::string loss : {"squared_error", "cross_entropy"}) {
    LercTask usual = task_with(loss);
    const Validation of_usual = usual.validate({});
    for (const data::LabelScale scale : {data::LabelScale{0, 1}, {0, 100}, {-1, 1}}) {
      const auto mapped = [&](double score) {
        return scale.low + (scale.high - scale.low) * (score - 1) / 4;
      };
      std::vector<double> moved;
      for (const double label : labels()) moved.push_back(mapped(label));
      LercTask task = task_with(loss, moved, scale);
      const at::Tensor wanted = usual.loss_sum(all_rows(), 0), sum = task.loss_sum(all_rows(), 0);
      EXPECT_NEAR(sum.item<double>(), wanted.item<double>(), 1e-5 * wanted.item<double>());
      const Validation validation = task.validate({});
      EXPECT_NEAR(*validation.value, *of_usual.value, 1e-5);
      const auto score_of = [](const Validation& from, size_t row) {
        return from.predictions[row].require("scores", "").require_number("lerc", "");
      };
      for (size_t i = 0; i < moved.size(); ++i) {
        EXPECT_NEAR(score_of(validation, i), mapped(score_of(of_usual, i)),
                    1e-5 * (scale.high - scale.low));
      }
      const TemporaryFolder folder;
      task.save(folder.path(), validation);
      EXPECT_EQ(data::read_model_card(folder.path()).scale, data::scale_text(scale));
      EXPECT_EQ(metrics::load_lerc(folder.path()).scale, scale);
    }
  }
}

// Labels and ids are of the dev answers, tokens of their references: these must be of each other.
TEST(LercHead, DevRowsOfOtherAnswersAreAnError) {
  for (const bool has_more : {true, false}) {
    LercData data = data_of(labels());
    if (has_more) {
      data.dev_answers.push_back(data.dev_answers.back());
    } else {
      data.dev.same_answer.back() = 1;
    }
    EXPECT_THROW(
        LercTask(config_with("cross_entropy"), fixture("lerc"), headed_model(), std::move(data)),
        std::logic_error);
  }
}

// By hand: the share of the reference's words, and token F1 with the best reference.
TEST(LercHead, BaselinesAreOfTheDevRows) {
  LercData data = data_of(labels());
  data.dev_answers.clear();
  std::vector<double> recalls, f1s;
  for (size_t i = 0; i < labels().size(); ++i) {
    data::Answer answer;
    answer.score = labels()[i];
    answer.references = {"red blue", "green tree house door"};
    answer.candidate = i % 2 == 0 ? "red" : i % 3 == 0 ? "red blue yellow green" : "black";
    recalls.push_back(i % 2 == 0 ? 0.5 : i % 3 == 0 ? 1 : 0);
    f1s.push_back(i % 2 == 0 ? 2.0 / 3 : i % 3 == 0 ? 2.0 / 3 : 0);
    data.dev_answers.push_back(answer);
  }
  TrainConfig config = config_with("cross_entropy");
  config.head.keep = true;
  LercTask task(config, fixture("lerc"), headed_model(), std::move(data));
  std::vector<Baseline> baselines = task.baselines();
  // lerc-answers where it is found: this run does not start from it.
  std::erase_if(baselines, [](const Baseline& each) { return each.dev.name == "lerc-answers"; });
  ASSERT_EQ(baselines.size(), 2u);
  EXPECT_EQ(baselines[0].dev.name, "recall");
  EXPECT_EQ(baselines[0].scores, recalls);
  EXPECT_NEAR(*baselines[0].dev.value, *stats::pearson(recalls, labels()), 1e-12);
  EXPECT_EQ(baselines[1].dev.name, "f1");
  EXPECT_NEAR(*baselines[1].dev.value, *stats::pearson(f1s, labels()), 1e-12);
}

// Counted by hand, with thresholds half-way between two scores.
TEST(CorrectThreshold, IsThatOfTheBestAccuracy) {
  const std::vector<double> scores = {1.2, 3.3, 2.0, 3.1, 4.5, 1.0};
  EXPECT_EQ(correct_threshold(scores, std::vector<double>{1, 4, 3, 5, 5, 1}), 2.55);  // 3 is wrong
  EXPECT_EQ(correct_threshold(scores, std::vector<double>{1, 1, 1, 5, 5, 1}), 3.9);   // one error
  EXPECT_EQ(correct_threshold(std::vector{2.0001, 2.0003}, std::vector<double>{1, 5}), 2.0002);
}

TEST(CorrectThreshold, IsUndefinedWhereNoneDivides) {
  const std::vector<double> scores = {1.2, 3.3};
  EXPECT_EQ(correct_threshold(scores, std::vector<double>{4, 4}), std::nullopt);
  EXPECT_EQ(correct_threshold(scores, std::vector<double>{5, 1}), std::nullopt);
  EXPECT_EQ(correct_threshold({}, {}), std::nullopt);
}

TEST(CorrectThreshold, IsInTheCardOnTheScaleOfTheScores) {
  const TemporaryFolder folder;
  LercTask task = task_with("cross_entropy");
  const Validation validation = task.validate({});
  task.save(folder.path(), validation);
  const std::optional<double> threshold = data::read_model_card(folder.path()).threshold;
  const std::vector<float> scores = floats(expected().require("scores", ""));
  constexpr double kMiddle = (1.032895565 + 4.918255806) / 2;  // of the lowest and highest label
  const auto errors_at = [&](double limit) {
    int errors = 0;
    for (size_t i = 0; i < scores.size(); ++i) {
      errors += (scores[i] >= limit) != (labels()[i] > kMiddle) ? 1 : 0;
    }
    return errors;
  };
  ASSERT_TRUE(threshold.has_value());
  for (const float score : scores) EXPECT_LE(errors_at(*threshold), errors_at(score)) << score;
  EXPECT_LT(errors_at(*threshold), errors_at(6));
}

// Without dropout the loss of a validation is the loss that is trained.
TEST(LercHead, ValidationHasTheLossThatIsTrained) {
  for (const std::string loss : {"squared_error", "cross_entropy"}) {
    LercTask task = task_with(loss);
    const double value =
        expected().require("losses", "").require(loss, "").require_number("value", "");
    EXPECT_NEAR(task.validate({}).loss * static_cast<double>(labels().size()), value, 1e-5 * value)
        << loss;
  }
}

TEST(LercHead, CrossEntropyNeedsBounds) {
  TrainConfig config;
  config.head.loss = "cross_entropy";
  EXPECT_EQ(input_error([&] { open_task<data::kLercTask>(config, fixture("lerc")); }),
            error_lines("cross entropy needs scores between two bounds", "head.loss",
                        "set head.bounded: true"));
}

TEST(LercHead, WithFeaturesHasNoRateOfItsOwn) {
  HeadConfig head = {{{"f1"}, /*bounded=*/true}, "cross_entropy", /*rate=*/2};
  expect_contains(input_error([&] { require_head(head); }), "head.rate");
  head.rate = 1;
  EXPECT_EQ(input_error([&] { require_head(head); }), "accepted");
}

TEST(LercHead, FeaturesNeedBounds) {
  TrainConfig config;
  config.head.head.features = {"f1"};
  EXPECT_EQ(input_error([&] { open_task<data::kLercTask>(config, fixture("lerc")); }),
            error_lines("features are read beside scores with bounds", "head.features",
                        "set head.bounded: true"));
}

// A trained LERC on disk, and rows of two references each, of which the second one is the
// fixture's.
struct KeptHead : testing::Test {
  KeptHead() {
    std::filesystem::create_directory(start_);
    LercTask made = task_with("cross_entropy");
    made.save(start_, made.validate({}));
    data::ModelCard card = data::read_model_card(start_);
    card.encoder = "minilm";
    card.train = "stage1.jsonl";
    card.train_sha256 = "ab12";
    card.hold_out = {"fid"};
    card.seed = 7;
    data::write_seen_questions(start_, data::SeenQuestions{{1}, {2}}, card);
    write_file(start_ / "rubric.yaml", config::print_config(card));
    write_rows({"yesterday"});
    config_ = config_with("cross_entropy");
    config_.data.inputs = card.inputs;
    config_.data.train = config_.data.dev = rows_.string();
    config_.data.store = "";
    config_.head.head.features.clear();
    config_.head.keep = true;
    config_.head.rate = 3;
  }

  void write_rows(const std::vector<std::string>& before) {
    answers_ = answers_of(Json::parse_file(fixture("lerc/expected.json")));
    std::string lines;
    for (size_t i = 0; i < answers_.size(); ++i) {
      data::Answer& answer = answers_[i];
      answer.references.insert(answer.references.begin(), before.begin(), before.end());
      answer.score = labels()[i];
      Json row = data::answer_row(answer);
      row["score"] = *answer.score;
      lines += row.dump() + "\n";
    }
    write_file(rows_, lines);
  }
  std::unique_ptr<Task> opened() const { return open_task<data::kLercTask>(config_, start_); }

  TemporaryFolder folder_;
  std::filesystem::path start_ = folder_.path() / "start", rows_ = folder_.path() / "rows.jsonl";
  std::vector<data::Answer> answers_;
  TrainConfig config_;
};

TEST_F(KeptHead, IsTrainedAtItsRateFromWhereItWas) {
  write_rows({});
  const auto task = opened();
  EXPECT_TRUE(task->starts_trained());
  std::vector<std::string> names;
  for (const Parameter& parameter : task->parameters()) {
    names.push_back(parameter.name);
    EXPECT_EQ(parameter.rate, 3) << parameter.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"feature_layer.weight", "feature_layer.bias",
                                             "output_layer.weight", "output_layer.bias"}));
  const data::Scores scores = metrics::make_lerc("lerc", start_)->score(answers_);
  const Validation validation = task->validate({});
  ASSERT_EQ(validation.predictions.size(), scores.rows.size());
  for (size_t i = 0; i < scores.rows.size(); ++i) {
    EXPECT_NEAR(validation.predictions[i].require("scores", "").require_number("lerc", ""),
                scores.rows[i].front(), 1e-5);
  }
  EXPECT_EQ(task->score_dev_answers(start_).size(), task->dev_answers().size());
  config_.head.keep = false;
  config_.head.rate = 1;
  EXPECT_FALSE(opened()->starts_trained());
}

TEST_F(KeptHead, ItsOwnFeaturesArePartOfIt) {
  config_.head.head.features = {"f1"};
  EXPECT_EQ(input_error([&] { opened(); }),
            error_lines("a head that is kept has its own features", "head.features",
                        "leave it out, or set head.keep: false"));
}

// One value for one model: that of the scores that `score` gives, with all references of a row.
TEST_F(KeptHead, IsValidatedByTheScoresOfAllReferences) {
  // One more reference than is read, the one of the fixture, and a row with that one alone.
  write_rows({"yesterday", "a", "b", "c", "d", "e", "f", "g"});
  const auto scores_of = [&](const std::vector<data::Answer>& answers) {
    std::vector<double> values;
    for (const auto& row : metrics::make_lerc("lerc", start_)->score(answers).rows) {
      values.push_back(row.front());
    }
    return values;
  };
  for (const char* const reference : {"first", "nearest"}) {
    config_.data.reference = reference;
    const auto task = opened();
    const Validation found = task->validate({});
    const std::vector<double> values = scores_of(answers_);
    ASSERT_EQ(found.predictions.size(), values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const Json& row = found.predictions[i];
      EXPECT_NEAR(row.require("scores", "").require_number("lerc", ""), values[i], 1e-5) << i;
      EXPECT_EQ(row.require_string("id", ""), answers_[i].id);
      EXPECT_EQ(row.require_number("score", ""), labels()[i]);
    }
    EXPECT_NEAR(*found.value, *stats::pearson(values, labels()), 1e-6);
    EXPECT_NEAR(*found.threshold, *correct_threshold(values, labels()), 1e-3);
    expect_contains(task->describe(), "with each of their references");
  }
  // The value is another one than that of first references.
  std::vector<data::Answer> first = answers_;
  for (data::Answer& answer : first) answer.references.resize(1);
  EXPECT_GT(std::abs(*stats::pearson(scores_of(first), labels()) -
                     *stats::pearson(scores_of(answers_), labels())),
            1e-3);
}

// What is read of a token store is what was written there.
TEST_F(KeptHead, IsValidatedAlikeFromATokenStore) {
  const auto value = [&] { return opened()->validate({}).value; };
  const auto without = value();
  config_.data.store = (folder_.path() / "store").string();
  EXPECT_EQ(value(), without);
  EXPECT_EQ(value(), without);
}

// At update 0 nothing of this run's rows is in the weights.
TEST_F(KeptHead, UntouchedItIsTrainedOnWhatItWasTrainedOn) {
  const auto task = opened();
  Validation validation = task->validate({});
  const auto saved = [&](const std::string& name) {
    const std::filesystem::path directory = folder_.path() / name;
    std::filesystem::create_directory(directory);
    task->save(directory, validation);
    return directory;
  };
  const std::string question = answers_.front().question;
  const auto later = saved("later");
  EXPECT_EQ(data::read_model_card(later).train, config_.data.train);
  EXPECT_EQ(data::read_seen_questions(later)->of(question), data::Seen::trained);
  EXPECT_EQ(data::read_seen_questions(later)->trained.front(), 1U);
  validation.is_start = true;
  const auto first = saved("first");
  const data::ModelCard card = data::read_model_card(first);
  EXPECT_EQ(card.encoder, "minilm");
  EXPECT_EQ(card.train, "stage1.jsonl");
  EXPECT_EQ(card.train_sha256, "ab12");
  EXPECT_EQ(card.hold_out, std::vector<std::string>{"fid"});
  EXPECT_EQ(card.seed, 7);
  EXPECT_EQ(card.threshold, validation.threshold);
  const auto seen = data::read_seen_questions(first);
  EXPECT_EQ(seen->trained, std::vector<uint64_t>{1});
  EXPECT_EQ(seen->of(question), data::Seen::tuned);
}

TEST_F(KeptHead, ScoresOutsideTheLabelsAreNamedAlsoBetweenBounds) {
  config_.data.scale = "0:10";
  const auto task = opened();
  const auto [least, most] = std::ranges::minmax(labels());
  // The training rows are the dev rows, too, and few.
  ASSERT_EQ(task->data_notes().size(), 2U);
  expect_contains(join(task->data_notes()), " dev questions");
  expect_contains(join(task->data_notes()), " hardly tell ");
  EXPECT_EQ(task->notes(std::vector<double>{least, most}).size(), 0U);
  const auto notes = task->notes(std::vector<double>{least - 0.1, 3, most + 0.1, 9});
  ASSERT_EQ(notes.size(), 1U);
  expect_contains(notes[0], "3 of 4 dev scores are outside the range of the labels");
  expect_contains(notes[0], "data.scale, is 0:10");
}

struct HeadOnDisk : testing::Test {
  // A copy of the tiny model with this card, whose head was trained with features or without.
  std::string error_of(const std::string& card, bool has_features) const {
    const std::filesystem::path directory = folder_.path() / "model";
    std::filesystem::remove_all(directory);
    std::filesystem::create_directory(directory);
    if (has_features) {
      LercTask task = task_with("cross_entropy");
      task.save(directory, task.validate({}));
    } else {
      std::filesystem::copy(fixture("lerc"), directory);
    }
    write_file(directory / "rubric.yaml", card);
    return input_error([&] { metrics::load_lerc(directory); });
  }
  TemporaryFolder folder_;
};

const std::string kVersion =
    "features_version: " + std::to_string(metrics::kFeaturesVersion) + "\n";

TEST_F(HeadOnDisk, ThatIsNotAsTheCardSaysIsRefused) {
  EXPECT_EQ(error_of("head: {features: [f1, recall, contains], bounded: true}\n" + kVersion, true),
            "accepted");
  EXPECT_EQ(error_of("max_length: 64\n", false), "accepted");
  const std::string place = (folder_.path() / "model/rubric.yaml").string() + ": head.features";
  const std::string missing = error_of("head: {features: [f1]}\n" + kVersion, false);
  expect_contains(missing, "the card names features, and the model has no feature_layer.weight");
  expect_contains(missing, place);
  const std::string unnamed = error_of("max_length: 64\n", true);
  expect_contains(unnamed, "the model has feature_layer.weight, and the card names no features");
  expect_contains(unnamed, place);
  std::filesystem::remove(folder_.path() / "model/rubric.yaml");
  expect_contains(input_error([&] { metrics::load_lerc(folder_.path() / "model"); }),
                  "the model reads features, and its card rubric.yaml is missing");
  const std::string fewer = error_of("head: {features: [f1, recall]}\n" + kVersion, true);
  expect_contains(fewer, "feature_layer.weight has the shape [32, 4], and the head needs [32, 3]");
  expect_contains(fewer, "  to do: ");
  expect_contains(error_of("head: {features: [f2]}\n" + kVersion, true),
                  "no feature called \"f2\"");
  expect_contains(error_of("head: {features: [f1, f1]}\n" + kVersion, true), "name it once");
  expect_contains(
      error_of("task: similarity\ninputs: [reference, candidate]\nhead: {bounded: true}\n", true),
      "head");
}

TEST_F(HeadOnDisk, ThatReadsFeaturesOfAnotherVersionIsRefused) {
  const std::string head = "head: {features: [f1, recall, contains], bounded: true}\n";
  const auto version = [&](int64_t number) {
    return error_of(head + "features_version: " + std::to_string(number) + "\n", true);
  };
  EXPECT_EQ(version(metrics::kFeaturesVersion), "accepted");
  const std::string error = version(metrics::kFeaturesVersion + 1);
  expect_contains(error, "the model reads features of version " +
                             std::to_string(metrics::kFeaturesVersion + 1) +
                             ", this rubric computes version " +
                             std::to_string(metrics::kFeaturesVersion));
  expect_contains(error, (folder_.path() / "model/rubric.yaml").string() + ": features_version");
  // Cards did not name version 2.
  expect_contains(error_of(head, true), "the model reads features of version 2");
  // Cards of models that read none have no such key.
  expect_contains(error_of("features_version: 2\n", false), "features_version");
}

// What the encoder has seen decides what the whole model has seen.
TEST_F(HeadOnDisk, ItsCardSaysWhatTheLercBelowWasTrainedOn) {
  ASSERT_EQ(error_of("max_length: 64\nhead: {bounded: true}\nencoder: minilm\ntrain: stage1.jsonl\n"
                     "train_sha256: \"ab12\"\nhold_out: [fid, gpt4]\nseed: 3\n",
                     false),
            "accepted");
  TrainConfig config;
  config.data.train = fixture("lerc_head.json").string();
  config.data.max_length = kMaxLength;
  config.head = {{{"f1", "recall", "contains"}, /*bounded=*/true}, "cross_entropy"};
  config.run.pooled_validation = true;
  const std::filesystem::path below = folder_.path() / "model", made = folder_.path() / "stacked";
  LercTask task(config, below, metrics::start_lerc(below, 1, config.head.head), data_of(labels()));
  std::filesystem::create_directory(made);
  task.save(made, task.validate({}));
  const data::ModelCard card = data::read_model_card(made);
  EXPECT_EQ(card.below.encoder, "minilm");
  EXPECT_EQ(card.below.train, "stage1.jsonl");
  EXPECT_EQ(card.below.train_sha256, "ab12");
  EXPECT_EQ(card.below.hold_out, (std::vector<std::string>{"fid", "gpt4"}));
  EXPECT_EQ(card.below.seed, 3);
  EXPECT_EQ(card.train, config.data.train);
  EXPECT_EQ(card.features_version, metrics::kFeaturesVersion);
  expect_contains(read_file(made / "rubric.yaml"), "features_version: ");
}

TEST_F(HeadOnDisk, ThatReadsFeaturesStandsOnATrainedLercOfBoundedScores) {
  const std::filesystem::path directory = folder_.path() / "model";
  const data::LercHead head = {{"f1", "recall", "contains"}, /*bounded=*/true};
  const auto error = [&] { return input_error([&] { metrics::start_lerc(directory, 1, head); }); };
  EXPECT_EQ(error_of("head: {bounded: false}\n", false), "accepted");
  expect_contains(error(), "the scores of this model are not bounded");
  EXPECT_EQ(error_of("head: {bounded: true}\n", false), "accepted");
  EXPECT_EQ(error(), "accepted");

  const metrics::LercModel trained = metrics::load_lerc(directory),
                           model = metrics::start_lerc(directory, 1, head);
  EXPECT_TRUE(at::equal(model.score_layer.weight, trained.score_layer.weight));
  const at::Tensor in = model.feature_layer.weight.flatten() * 2,  // of 4 inputs
      out = model.output_layer.weight.flatten() * std::sqrt(double{metrics::kFeatureWidth});
  EXPECT_GT((in.narrow(0, 0, out.numel()) - out).abs().max().item<double>(), 0.1);
}

TEST_F(HeadOnDisk, ThatReadsFeaturesReadsTheInputsOfTheTrainedLerc) {
  TrainConfig config;
  config.head.head = {{"f1"}, /*bounded=*/true};
  const auto error = [&] {
    return input_error([&] { open_task<data::kLercTask>(config, folder_.path() / "model"); });
  };
  ASSERT_EQ(error_of("head: {bounded: true}\nmax_length: 64\ninputs: [question, reference, "
                     "candidate]\n",
                     false),
            "accepted");
  expect_contains(error(), "the trained LERC has another data.inputs");
  expect_contains(error(), "set data.inputs: [question, reference, candidate]");
  config.data.inputs = {"question", "reference", "candidate"};
  expect_contains(error(), "set data.max_length: 64");
  error_of("task: similarity\ninputs: [reference, candidate]\n", false);
  EXPECT_EQ(error(),
            error_lines("head.features are read beside the score of a trained LERC, and this model "
                        "was trained for similarity",
                        "model.name " + (folder_.path() / "model").string(),
                        "name a model that was trained for lerc, with head.bounded: true"));
  ASSERT_EQ(error_of("head: {features: [f1, recall, contains], bounded: true}\n" + kVersion, true),
            "accepted");
  expect_contains(error(), "the trained LERC reads features already");
}

}  // namespace
}  // namespace rubric::train
