#include <cstdlib>

#include <gtest/gtest.h>

#include "config/printer.h"
#include "data/model_files/model_directory.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::model_card_test {

std::string card_error(const std::string& yaml) {
  const TemporaryFolder folder;
  folder.write("rubric.yaml", yaml);
  return input_error([&] { read_model_card(folder.path()); });
}

TEST(ModelCard, WithoutOneThePapersInputIsAssumed) {
  const TemporaryFolder folder;
  const ModelCard card = read_model_card(folder.path());
  EXPECT_EQ(card.task, "lerc");
  EXPECT_EQ(card.inputs,
            (std::vector<std::string>{"passage", "question", "reference", "candidate"}));
  EXPECT_EQ(card.max_length, 512);
}

TEST(ModelCard, ReadsEveryField) {
  const TemporaryFolder folder;
  folder.write("rubric.yaml",
               "task: lerc\ninputs: [reference, candidate]\nmax_length: 128\nencoder: bert\n"
               "train: train.json\ntrain_sha256: ab12\nhold_out: [drop]\nseed: 7\n"
               "validation: pearson\nvalidation_figure: 0.75\nthreshold: 3.127\n");
  const ModelCard card = read_model_card(folder.path());
  EXPECT_EQ(card.inputs, (std::vector<std::string>{"reference", "candidate"}));
  EXPECT_EQ(card.max_length, 128);
  EXPECT_EQ(card.encoder, "bert");
  EXPECT_EQ(card.train, "train.json");
  EXPECT_EQ(card.train_sha256, "ab12");
  EXPECT_EQ(card.hold_out, std::vector<std::string>{"drop"});
  EXPECT_EQ(card.seed, 7);
  EXPECT_EQ(card.validation, "pearson");
  EXPECT_EQ(card.validation_score, 0.75);
  EXPECT_EQ(card.threshold, 3.127);
}

TEST(ModelCard, AnUndefinedFigureIsLeftOut) {
  const TemporaryFolder folder;
  ModelCard card;
  for (const std::optional<double> figure : {std::optional<double>(), std::optional(-0.25)}) {
    card.validation_score = card.threshold = figure;
    const std::string text = config::print_config(card);
    EXPECT_EQ(holds(text, "\nvalidation_figure:"), figure.has_value()) << text;
    EXPECT_EQ(holds(text, "\nthreshold:"), figure.has_value()) << text;
    folder.write("rubric.yaml", text);
    EXPECT_EQ(read_model_card(folder.path()).validation_score, figure);
    EXPECT_EQ(read_model_card(folder.path()).threshold, figure);
  }
}

TEST(ModelCard, ErrorsNameFileLineAndKey) {
  expect_says(card_error("task: lerc\nmax_lenght: 128\n"), {"rubric.yaml:2", "max_length"});
  expect_contains(card_error("task: rev\n"), "lerc");
  expect_contains(card_error("max_length: 7\n"), "from 8 to 1048576");
  expect_contains(card_error("inputs: candidate\n"), "inputs");
  expect_contains(card_error("task: [\n"), "rubric.yaml");
}

// A model's folder may come from anywhere: its card reaches no other file and no variable.
TEST(ModelCard, HasNoIncludesAndNoVariables) {
  expect_contains(card_error("include: /etc/hostname\n"), "include");
  const TemporaryFolder folder;
  folder.write("rubric.yaml", "encoder: ${HOME}\n");
  EXPECT_EQ(read_model_card(folder.path()).encoder, "${HOME}");
}

}  // namespace rubric::data::model_card_test
