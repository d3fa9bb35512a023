#include <gtest/gtest.h>

#include "core/system/log.h"
#include "core/system/terminal.h"
#include "data/rows/example_rows.h"
#include "data/tokens/tokenized_answers.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"
#include "text/wordpiece/wordpiece.h"
#include "train/settings/lerc_data.h"

namespace rubric::train::stored_answers_test {

const std::string kFixtures = fixtures_folder();

struct StoredAnswers : testing::Test {
  StoredAnswers() { set_quiet(true); }
  ~StoredAnswers() override { set_quiet(false); }

  data::TokenizedAnswers stored(
      const data::AnswerTemplate& answer_template = {{"question", "candidate"}, 64},
      const data::Augmentation& augmentation = {}, const std::string& tokenizer = "/lerc") const {
    const text::WordPiece pieces = text::WordPiece::from_directory(kFixtures + tokenizer);
    return tokenized(open_answers({source_}, store_, pieces, answer_template, augmentation), pieces,
                     answer_template);
  }

  TemporaryFolder folder_;
  fs::path source_ = folder_.write("train.json", R"({"drop": {
      "a": {"context": "rain", "question": "who", "reference": "r", "candidate": "c", "score": 5},
      "b": {"context": "rain", "question": "why", "reference": "s", "candidate": "d", "score": 2}
      }})");
  fs::path store_ = folder_.path() / "made" / "store";
};

TEST_F(StoredAnswers, AreMadeOnceAndReadAfterwards) {
  const data::TokenizedAnswers made = stored();
  ASSERT_EQ(files_in(store_).size(), 1u);
  EXPECT_TRUE(contents(stored()) == contents(made));
  // What another program put there is what is read.
  const data::TokenizedAnswers other = example_rows(3);
  data::write_token_store(files_in(store_)[0], other, "hash");
  EXPECT_TRUE(contents(stored()) == contents(other));
  EXPECT_EQ(files_in(store_).size(), 1u);
}

TEST_F(StoredAnswers, AStoreOfLongerRowsIsRefused) {
  const data::TokenizedAnswers rows = example_rows(3);
  int64_t longest = 0;
  for (int64_t row = 0; row < 3; ++row) longest = std::max(longest, rows.tokens.length(row));
  const data::AnswerTemplate fits{{"question", "candidate"}, longest};
  const data::AnswerTemplate too_short{{"question", "candidate"}, longest - 1};
  stored(fits);
  stored(too_short);
  for (const fs::path& file : files_in(store_)) data::write_token_store(file, rows, "hash");
  EXPECT_EQ(stored(fits).rows(), 3);
  expect_contains(input_error([&] { stored(too_short); }), "a row is longer than data.max_length");
}

TEST_F(StoredAnswers, EachInputHasItsOwnFile) {
  stored();
  stored({{"candidate", "question"}, 64});
  stored({{"question", "candidate"}, 63});
  stored({{"question", "candidate"}, 64, {"question"}});
  stored({{"question", "candidate"}, 64}, {.identity = true, .swap = false});
  stored({{"question", "candidate"}, 64}, {.identity = false, .swap = true});
  stored({{"question", "candidate"}, 64}, {}, "/tokenizer/cased");
  EXPECT_EQ(files_in(store_).size(), 7u);
  folder_.write("train.json", read_file(source_) + "\n");
  stored();
  EXPECT_EQ(files_in(store_).size(), 8u);
}

// The features are part of the key, with their order; a name that is unknown is told before a store
// is looked for, and a store with others is refused.
TEST_F(StoredAnswers, HaveTheFeaturesThatAreAskedFor) {
  const text::WordPiece pieces = text::WordPiece::from_directory(kFixtures + "/lerc");
  const data::AnswerTemplate answer_template{{"question", "candidate"}, 64};
  const fs::path shared = folder_.write("shared_words.json", R"({"drop": {
      "a": {"context": "", "question": "who", "reference": "r s", "candidate": "s t u v", "score": 5},
      "b": {"context": "", "question": "why", "reference": "x", "candidate": "x", "score": 2}
      }})");
  const auto with = [&](const std::vector<std::string>& features) {
    AnswerSource source{shared};
    source.features = features;
    return tokenized(open_answers(source, store_, pieces, answer_template, {}), pieces,
                     answer_template);
  };
  const std::vector<float> f1_recall = {1.F / 3, 0.5F, 1, 1}, recall_f1 = {0.5F, 1.F / 3, 1, 1};
  EXPECT_EQ(with({"f1", "recall"}).tokens.features, f1_recall);
  EXPECT_EQ(with({"f1", "recall"}).tokens.features, f1_recall);  // read
  EXPECT_EQ(with({"candidate_length"}).tokens.features.size(), 2u);
  EXPECT_EQ(with({"recall", "f1"}).tokens.features, recall_f1);
  EXPECT_TRUE(with({}).tokens.features.empty());
  EXPECT_EQ(files_in(store_).size(), 4u);
  expect_contains(input_error([&] { with({"f1, recall"}); }),
                  "there is no feature called \"f1, recall\"");
  for (const fs::path& file : files_in(store_)) {
    data::TokenizedAnswers rows = data::read_token_store(file);
    rows.tokens.features.assign(6, 0);
    data::write_token_store(file, rows, "hash");
  }
  const std::string told = input_error([&] { with({"f1", "recall"}); });
  expect_contains(told, "its rows do not have 2 features each");
  expect_contains(told, "delete it; it is made again from its source");
  expect_contains(input_error([&] { with({}); }), "its rows do not have 0 features each");
}

TEST_F(StoredAnswers, AreTheAugmentedRowsOfTheSource) {
  const data::TokenizedAnswers rows =
      stored({{"question", "candidate"}, 64}, {.identity = true, .swap = true});
  EXPECT_EQ(rows.ids,
            (std::vector<std::string>{"a", "b", "a#identity", "a#swapped", "b#identity"}));
  EXPECT_EQ(rows.labels, (std::vector<double>{5, 2, 5, 5, 5}));
}

TEST_F(StoredAnswers, TrainOnTheReferenceThatIsAskedFor) {
  const text::WordPiece pieces = text::WordPiece::from_directory(kFixtures + "/lerc");
  const auto rows = folder_.write(
      "rows.jsonl",
      R"({"reference": ["a tree", "two lemons"], "candidate": "lemons", "score": 2})");
  for (const auto& [reference, text] :
       {std::pair(RowReference::first, "a tree"), {RowReference::nearest, "two lemons"}}) {
    const auto answers = open_answers({rows, data::InputFormat::kJsonl, reference}, store_, pieces,
                                      {{"reference"}, 64}, {})
                             .answers;
    EXPECT_EQ(answers.at(0).references.front(), text);
  }
}

TEST_F(StoredAnswers, WithoutAFolderNothingIsWritten) {
  const data::TokenizedAnswers made = stored();
  store_.clear();
  EXPECT_TRUE(contents(stored()) == contents(made));
}

TEST_F(StoredAnswers, AFolderThatCannotBeMadeIsAnInputError) {
  store_ = source_ / "store";
  EXPECT_EQ(input_error([&] { stored(); }),
            error_lines("cannot create the directory of the token store: Not a directory",
                        store_.string(), "set data.store to another directory"));
}

TEST_F(StoredAnswers, OpeningTokenisesNothing) {
  const text::WordPiece pieces = text::WordPiece::from_directory(kFixtures + "/lerc");
  const data::AnswerTemplate answer_template{{"question", "candidate"}, 64};
  EXPECT_EQ(open_answers({source_}, store_, pieces, answer_template, {}).answers.size(), 2u);
  EXPECT_FALSE(fs::exists(store_));
  folder_.write("train.json", R"({"drop": {
      "a": {"context": "rain", "question": "who", "reference": "r", "candidate": "c"}}})");
  expect_contains(
      input_error([&] { open_answers({source_}, store_, pieces, answer_template, {}); }),
      "without a score");
}

}  // namespace rubric::train::stored_answers_test
