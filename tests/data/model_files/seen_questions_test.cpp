#include "data/model_files/seen_questions.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::seen_questions_test {

// python3 -c "import hashlib; print(hashlib.sha256(b'whats capital of france').hexdigest()[:16])"
constexpr uint64_t kCapital = 0x25c8344af2168946;

TEST(QuestionHash, IsTheBeginningOfASha256) {
  EXPECT_EQ(question_hash("What's the capital of France?"), kCapital);
}

TEST(QuestionHash, IsThatOfOtherSpellings) {
  for (const char* const other :
       {"whats capital of france", "WHAT'S  the capital\tof France",
        "“What’s a capital of France”?", "What's the capital of France\uFF1F",
        "¿What's the capital of France…",
        "what's capital of "
        "an france ! "}) {
    EXPECT_EQ(question_hash(other), kCapital) << other;
  }
  EXPECT_EQ(question_hash("Where is the café?"), question_hash("where is the cafe\u0301"));
  for (const char* const other :
       {"What's the capital of Franc?", "What capital's of France?", "F"}) {
    EXPECT_NE(question_hash(other), kCapital) << other;
  }
}

TEST(QuestionHash, ThereIsNoneWhereNothingIsLeft) {
  for (const char* const empty : {"", " ", "?", "The", "a, the?", "“…”"}) {
    EXPECT_EQ(question_hash(empty), std::nullopt) << empty;
  }
}

struct QuestionLists : testing::Test {
  // The message of a directory whose list of trained questions has these bytes.
  std::string error_of(const std::string& bytes) const {
    folder_.write("rubric.yaml", card_);
    folder_.write("tuned_questions.bin", "");
    write_file(folder_.path() / "trained_questions.bin", bytes);
    return input_error([&] { read_seen_questions(folder_.path()); });
  }

  TemporaryFolder folder_;
  std::string card_ = "question_hashes: " + std::string(kQuestionNormalisation) + "\n";
};

TEST_F(QuestionLists, AreWhatWasWritten) {
  const std::vector<std::string> questions = {"Who?", "What's the capital of France?", "who", "",
                                              "what is it"};
  const std::vector<uint64_t> list = question_list(questions);
  EXPECT_EQ(list.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(list));
  const SeenQuestions written = {{1, 2, kCapital}, list};
  ModelCard card;
  write_seen_questions(folder_.path(), std::nullopt, card);
  EXPECT_EQ(card.question_hashes, kNoQuestionHashes);
  write_seen_questions(folder_.path(), written, card);
  EXPECT_EQ(card.question_hashes, kQuestionNormalisation);
  EXPECT_EQ(read_seen_questions(folder_.path()), std::nullopt);  // without a card
  folder_.write("rubric.yaml", card_);
  const std::optional<SeenQuestions> read = read_seen_questions(folder_.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->trained, written.trained);
  EXPECT_EQ(read->tuned, written.tuned);
  EXPECT_EQ(read->of("what's the capital of france"), Seen::trained);  // in both
  EXPECT_EQ(read->of("Who?"), Seen::tuned);
  EXPECT_EQ(read->of("Why?"), Seen::no);
  EXPECT_EQ(read->of(""), Seen::no);
  EXPECT_EQ(read_file(folder_.path() / "trained_questions.bin"),
            std::string("\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\x25\xc8\x34\x4a\xf2\x16\x89\x46", 24));
}

TEST_F(QuestionLists, AreUnitedListByList) {
  SeenQuestions seen = {{1, 3}, {5}};
  seen.add({{2, 3}, {}});
  seen.add({{}, {5, 6}});
  EXPECT_EQ(seen.trained, (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(seen.tuned, (std::vector<uint64_t>{5, 6}));
}

// A model directory comes from anywhere.
TEST_F(QuestionLists, ThatAreDamagedAreRefused) {
  const std::string one("\0\0\0\0\0\0\0\1", 8), two("\0\0\0\0\0\0\0\2", 8);
  EXPECT_EQ(error_of(""), "accepted");
  EXPECT_EQ(error_of(one + two), "accepted");
  for (const std::string& damaged : {one + "x", std::string("1234567"), two + one, one + one}) {
    const std::string error = error_of(damaged);
    expect_contains(error, "the list of questions is damaged");
    expect_contains(error, (folder_.path() / "trained_questions.bin").string());
  }
  std::filesystem::remove(folder_.path() / "trained_questions.bin");
  expect_contains(input_error([&] { read_seen_questions(folder_.path()); }),
                  "trained_questions.bin");
  card_ = "question_hashes: unknown-7\n";
  expect_contains(error_of(one), "question_hashes");
}

TEST(SeenSignature, NamesOnlySharesAboveNone) {
  EXPECT_EQ(seen_signature(13, 3, 20), "|seen:65%,tuned:15%");
  EXPECT_EQ(seen_signature(0, 3, 20), "|tuned:15%");
  EXPECT_EQ(seen_signature(20, 0, 20), "|seen:100%");
  EXPECT_EQ(seen_signature(0, 0, 20), "");
  EXPECT_EQ(seen_signature(1, 999, 1000), "|seen:<1%,tuned:>99%");
}

TEST(StartNote, CountsTheDevQuestionsThatTheStartHasSeen) {
  const SeenQuestions seen{{1, 2, 3, 9}, {3, 4}};  // 3 is of the trained
  const std::string worth =
      ": its dev score says little of new questions, nor does that of a model trained from it; "
      "take dev rows with other questions";
  const auto note = [&](const std::vector<uint64_t>& dev) { return start_note("lerc", seen, dev); };
  EXPECT_EQ(
      note({1, 2, 3, 4, 5}),
      "3 of 5 dev questions (60%) were in the training of lerc and 1 (20%) in its tuning" + worth);
  EXPECT_EQ(note({1, 5}), "1 of 2 dev questions (50%) was in the training of lerc" + worth);
  EXPECT_EQ(note({4}), "1 of 1 dev question (100%) was in the tuning of lerc" + worth);
  EXPECT_EQ(note({5, 6}), "");
  EXPECT_EQ(note({}), "");
}

Answer asked(const std::string& passage, const std::string& question,
             const std::string& reference) {
  Answer answer;
  answer.passage = passage;
  answer.question = question;
  answer.references = {reference};
  return answer;
}

// The number of shared questions, that of all, and the example.
using Shared = std::tuple<int64_t, int64_t, std::string>;

Shared shared(const std::vector<Answer>& train, const std::vector<Answer>& dev,
              bool reads_passage = false) {
  const SharedQuestions found = shared_questions(train, dev, reads_passage);
  return {found.count, found.all, found.example};
}

// The dev rows choose the model: what training has seen makes them too easy.
TEST(SharedQuestions, AreCountedOnceEach) {
  const std::vector<Answer> train = {asked("", "Who came?", "Ann"), asked("", "Where?", "home")};
  EXPECT_EQ(shared(train, {asked("", "Who left?", "Ann"), asked("", "When?", "noon")}),
            Shared(0, 2, ""));
  EXPECT_EQ(shared(train, {asked("", "When?", "noon"), asked("", "who came", "Bo"),
                           asked("", "Who came?", "Cy")}),
            Shared(1, 2, "who came"));
  EXPECT_EQ(shared(train, train), Shared(2, 2, "Who came?"));
}

// A question on another passage is another one, unless the model reads no passage and the reference
// is the same.
TEST(SharedQuestions, AreOnTheSamePassageOrHaveAReferenceInCommon) {
  const std::vector<Answer> train = {asked("p", "Who came?", "Ann"), asked("p", "Where?", "home")};
  const std::vector<Answer> far = {asked("q", "Who came?", "Bo"), asked("q", "Where?", "away")};
  const std::vector<Answer> near = {asked("q", "Who came?", "Bo"), asked("q", "Where?", "home")};
  const std::vector<Answer> same = {asked("p", "Who came?", "Bo"), asked("q", "Where?", "home")};
  EXPECT_EQ(shared(train, far), Shared(0, 2, ""));
  EXPECT_EQ(shared(train, near), Shared(1, 2, "Where?"));
  EXPECT_EQ(shared(train, near, /*reads_passage=*/true), Shared(0, 2, ""));
  EXPECT_EQ(shared(train, same, /*reads_passage=*/true), Shared(1, 2, "Who came?"));
}

TEST(SharedQuestions, AreReferencesWhereRowsHaveNoQuestion) {
  const std::vector<Answer> train = {asked("p", "", "Ann"), asked("p", "", "home")};
  EXPECT_EQ(shared(train, {asked("p", "", "Ann"), asked("q", "", "home")}), Shared(1, 2, "Ann"));
}

TEST(SharedQuestions, AreNamedWithTheCommandThatKeepsThemApart) {
  EXPECT_EQ(
      shared_note({12, 20, "Who came?"}),
      "12 of 20 dev questions (60%) are in the training rows, too, such as \"Who came?\": the "
      "dev score says little of new ones; divide the rows with `rubric split --by question`");
  const std::string note = shared_note({1, 2, "Ann", /*is_reference=*/true});
  expect_contains(note, "1 of 2 dev references (50%) is in");
  expect_contains(note, "`rubric split --by FIELD`, the field of the references");
}

}  // namespace rubric::data::seen_questions_test
