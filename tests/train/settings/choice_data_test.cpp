#include "train/settings/choice_data.h"

#include <gtest/gtest.h>

#include "data/sample_tokenizer.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"
#include "train/settings/train_config.h"

namespace rubric::train::choice_data_test {

const std::string kSample = std::string(source_folder()) + "/samples/multiple_choice/";

TrainConfig sample_config() {
  TrainConfig config;
  config.task = "multiple_choice";
  config.questions.of(data::kMcTest) = {{kSample + "mctest_train.tsv"},
                                        {kSample + "mctest_dev.tsv"}};
  config.questions.of(data::kMultiRc) = {{kSample + "multirc_train.json"},
                                         {kSample + "multirc_dev.json"}};
  return config;
}

int64_t both(const ChoiceSplit& split) {
  int64_t count = 0;
  for (const ChoicePair& pair : split.pairs) {
    const data::ChoiceQuestion& question = split.questions[static_cast<size_t>(pair.question)];
    if (pair.first != pair.second && label_of(question, pair, false) == ChoiceLabel::both) ++count;
  }
  return count;
}

TEST(ChoiceData, HoldsThePairsOfEverySource) {
  const ChoiceData data = load_choice_data(sample_config(), sample_tokenizer());
  EXPECT_EQ(data.train.questions.size(), 24u + 8u);
  EXPECT_EQ(data.dev.questions.size(), 8u + 4u);
  EXPECT_EQ(data.train.questions.back().source, "multirc/multirc_train.json");
  // By hand: MultiRC's training questions have 2, 2, 1, 2, 2, 1, 2, 1 correct and 1, 2, 1, 1, 2, 1,
  // 1, 2 incorrect answers.
  EXPECT_EQ(both(data.train), 5);
  int64_t identity = 0;
  for (const ChoicePair& pair : data.train.pairs) identity += pair.first == pair.second ? 1 : 0;
  EXPECT_EQ(std::ssize(data.train.pairs) - identity, 24 * 3 + 5 + (2 + 4 + 1 + 2 + 4 + 1 + 2 + 2));
  const std::string text = describe(data);
  expect_contains(text, "train: 32 questions (mctest/mctest_train.tsv 24, ");
  expect_contains(text, "0 questions dropped; dev: 12 questions");
}

TEST(ChoiceData, QuestionsOfBothSplitsAreWarnedOf) {
  TrainConfig config = sample_config();
  EXPECT_EQ(stderr_of([&] { load_choice_data(config, sample_tokenizer()); }), "");
  config.questions.of(data::kMultiRc).dev = {kSample + "multirc_train.json"};
  expect_contains(stderr_of([&] { load_choice_data(config, sample_tokenizer()); }),
                  "8 of 16 dev questions");
}

// [CLS] p [SEP] q [SEP] a1 [SEP] a2 [SEP], the lengths as they are, labels in the order read.
TEST(ChoiceData, RowsAreReadInTheOrderThatIsDrawn) {
  const ChoiceData data = load_choice_data(sample_config(), sample_tokenizer());
  std::vector<int64_t> all(data.train.pairs.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i);
  int64_t differing = 0;
  std::vector<ChoiceLabel> before;
  for (const int64_t update : {0, 1}) {
    const ChoiceRows rows = choice_rows(data.train, all, 5, update, sample_tokenizer(), {});
    ASSERT_EQ(rows.labels.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(rows.tokens.length(all[i]), data.train.lengths[i]);
      const data::ChoiceQuestion& question = data.train.question_of(all[i]);
      const bool swapped = is_swapped(question, data.train.pairs[i], 5, update, all[i]);
      EXPECT_EQ(rows.labels[i], label_of(question, data.train.pairs[i], swapped));
      const data::Answer row = as_answer(question, data.train.pairs[i], swapped);
      data::TokenBatch expected;
      data::AnswerEncoder(sample_tokenizer(), {}).encode(row, row.references[0], expected);
      EXPECT_EQ(data::select_rows(rows.tokens, std::span(&all[i], 1)).ids, expected.ids);
      if (update == 1 && rows.labels[i] != before[i]) ++differing;
    }
    before = rows.labels;
  }
  EXPECT_GT(differing, 0);
}

TEST(ChoiceData, TheDevRowsAreTheSameForEverySeed) {
  TrainConfig config = sample_config();
  const ChoiceData one = load_choice_data(config, sample_tokenizer());
  config.seed = 2;
  const ChoiceData two = load_choice_data(config, sample_tokenizer());
  const ChoiceRows a = dev_rows(one.dev, sample_tokenizer(), {}),
                   b = dev_rows(two.dev, sample_tokenizer(), {});
  EXPECT_EQ(a.tokens.ids, b.tokens.ids);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_NE(std::ranges::count(a.labels, ChoiceLabel::first), 0);
  EXPECT_NE(std::ranges::count(a.labels, ChoiceLabel::second), 0);
}

TEST(ChoiceData, LongPassagesAreDroppedAndCounted) {
  TrainConfig config = sample_config();
  std::vector<int64_t> ids;
  const ChoiceData all = load_choice_data(config, sample_tokenizer());
  sample_tokenizer().encode(all.train.questions[0].passage, ids);
  config.questions.max_passage = std::ssize(ids);
  const ChoiceData fitting = load_choice_data(config, sample_tokenizer());
  EXPECT_EQ(fitting.train.questions[0].passage, all.train.questions[0].passage);
  config.questions.max_passage = std::ssize(ids) - 1;
  const ChoiceData shorter = load_choice_data(config, sample_tokenizer());
  EXPECT_NE(shorter.train.questions[0].passage, all.train.questions[0].passage);
  const std::string reason =
      "questions with a passage of more than " + std::to_string(ids.size() - 1) + " tokens";
  EXPECT_EQ(shorter.train.dropped.at(reason),
            std::ssize(all.train.questions) - std::ssize(shorter.train.questions));
  expect_contains(describe(shorter), reason);
  config.questions.max_passage = 1;
  const std::string message = input_error([&] { load_choice_data(config, sample_tokenizer()); });
  expect_contains(message, "no pair of answers is left: 32 questions dropped (32 questions with");
  expect_contains(message, "questions.*.train");
}

TEST(ChoiceData, ARowThatDoesNotFitIsNamed) {
  TrainConfig config = sample_config();
  config.data.max_length = 7;  // five special tokens, and three fields that keep a token
  expect_contains(input_error([&] { load_choice_data(config, sample_tokenizer()); }),
                  "record mctest/mctest_train.tsv/sample.train.0#1");
}

TEST(DataSources, NameEveryFileByItsKey) {
  const std::vector<DataSource> sources = data_sources(sample_config());
  ASSERT_EQ(sources.size(), 4u);
  EXPECT_EQ(sources[0].key, "questions.mctest.train");
  EXPECT_EQ(sources[3].key, "questions.multirc.dev");
  EXPECT_EQ(sources[3].path, kSample + "multirc_dev.json");
  TrainConfig lerc;
  lerc.data.train = "a";
  EXPECT_EQ(data_sources(lerc).front().key, "data.train");
  EXPECT_EQ(data_sources(lerc).front().path, "a");
}

TEST(DataSources, HashesCoverEveryFile) {
  const TemporaryFolder folder;
  TrainConfig config;
  config.task = "multiple_choice";
  config.questions.of(data::kBoolQ).train = {folder.write("a.jsonl", "a"),
                                             folder.write("b.jsonl", "b")};
  config.questions.of(data::kMcTest).dev = {folder.write("dev.tsv", "story")};
  folder.write("dev.ans", "A");
  folder.write("race/high/1.txt", "x");
  config.questions.of(data::kRace).train = {folder.file("race")};
  Json before = data_hashes(config);
  ASSERT_EQ(before.object().size(), 3u);
  for (const auto& [file, key] : {std::pair("a.jsonl", "questions.boolq.train"),
                                  {"b.jsonl", "questions.boolq.train"},
                                  {"dev.tsv", "questions.mctest.dev"},
                                  {"dev.ans", "questions.mctest.dev"},
                                  {"race/high/1.txt", "questions.race.train"},
                                  {"race/middle/2.txt", "questions.race.train"}}) {
    folder.write(file, "changed");
    const Json now = data_hashes(config);
    for (const auto& [name, hash] : now.object()) {
      EXPECT_EQ(hash.string() != before.find(name)->string(), name == key) << file << " " << name;
    }
    before = now;
  }
}

}  // namespace rubric::train::choice_data_test
