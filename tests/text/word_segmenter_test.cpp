// Words by the segmenters' process, and by ICU where they are not set up.
#include "text/word_segmenter.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::text::word_segmenter_test {

using Texts = std::vector<std::string>;

TEST(IcuWords, AreWhatIsBetweenBoundaries) {
  EXPECT_EQ(icu_words("It's  308.5 points,\nno?", "en"),
            (Texts{"It's", "308.5", "points", ",", "no", "?"}));
  EXPECT_EQ(icu_words("", "en"), Texts{});
  EXPECT_EQ(icu_words(" \t\n\u00a0", "en"), Texts{});
}

// "I eat rice": three words of each language's dictionary.
TEST(IcuWords, KnowLanguagesWithoutBlanks) {
  EXPECT_EQ(icu_words("ฉันกินข้าว", "th"), (Texts{"ฉัน", "กิน", "ข้าว"}));
  EXPECT_EQ(icu_words("我吃米饭", "zh"), (Texts{"我", "吃", "米饭"}));
}

// Has a shell script where the environment's python is expected.
struct SegmenterTest : testing::Test {
  SegmenterTest() { setenv("RUBRIC_SEGMENTERS", folder_.path().c_str(), 1); }
  ~SegmenterTest() override {
    before_.empty() ? unsetenv("RUBRIC_SEGMENTERS")
                    : setenv("RUBRIC_SEGMENTERS", before_.c_str(), 1);
  }
  void set_up(const std::string& script) {
    const auto python = folder_.write("bin/python", "#!/bin/sh\n" + script);
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    folder_.write("DONE", "");
  }
  std::string failure() {
    try {
      WordSegmenter(Segmenter::newmm).words("a", "th");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string before_ = environment("RUBRIC_SEGMENTERS");
  TemporaryFolder folder_;
};

TEST_F(SegmenterTest, IsIcuWhereNothingIsSetUp) {
  testing::internal::CaptureStderr();
  WordSegmenter words(Segmenter::newmm);
  EXPECT_EQ(words.words("no, never", "en"), (Texts{"no", ",", "never"}));
  EXPECT_EQ(words.words("", "en"), Texts{});
  EXPECT_EQ(words.name(), "icu-" + icu_version());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  words.words("a", "th");
  words.words("b", "th-TH");
  WordSegmenter(Segmenter::jieba).words("a", "zh");
  const std::string told = testing::internal::GetCapturedStderr();
  expect_says(told, {"newmm is not set up: ICU finds the words", "jieba is not set up"});
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 2);  // once each
}

TEST_F(SegmenterTest, IsAskedLineByLine) {
  set_up(
      "echo '{\"segmenter\": \"'$2'-1.0\"}'\n"
      "while read -r line; do printf '{\"words\": [%s, \"ข้าว\"]}\\n' \"$line\"; done\n");
  WordSegmenter words(Segmenter::jieba);
  EXPECT_EQ(words.words("two\nlines", "zh"), (Texts{"two\nlines", "ข้าว"}));
  EXPECT_EQ(words.words("\"q\"\\", "zh"), (Texts{"\"q\"\\", "ข้าว"}));
  EXPECT_EQ(words.name(), "jieba-1.0");
  EXPECT_EQ(WordSegmenter(Segmenter::icu).name(), "icu-" + icu_version());
}

// One process for all texts and languages: it counts them.
TEST_F(SegmenterTest, IsStartedOnce) {
  set_up(
      "echo '{\"segmenter\": \"newmm-1.0\"}'; n=0\n"
      "while read -r line; do n=$((n+1)); echo \"{\\\"words\\\": [\\\"$n\\\"]}\"; done\n");
  WordSegmenter words(Segmenter::newmm);
  EXPECT_EQ(words.words("a", "th"), Texts{"1"});
  EXPECT_EQ(words.words("b", "en"), Texts{"2"});
  EXPECT_EQ(words.name(), "newmm-1.0");
}

TEST_F(SegmenterTest, FailuresAreErrors) {
  set_up("echo broken >&2; exit 3\n");
  expect_says(failure(), {"exit status 3: broken", "and run scripts/setup --segmenters"});
  set_up("echo '{\"segmenter\": \"newmm-1\"}'\n");
  expect_contains(failure(), "exit status 0, asked for \"a\"");
  set_up("echo '{\"segmenter\": \"newmm-1\"}'; read -r line; echo nonsense\n");
  expect_contains(failure(), "newmm-1");
}

// scripts/segment.py itself.
TEST_F(SegmenterTest, RealOnesAnswerEachTextAtOnce) {
  unsetenv("RUBRIC_SEGMENTERS");
  if (!std::filesystem::exists(segmenter_folder() / "DONE")) {
    GTEST_SKIP() << "scripts/setup --segmenters has not been run";
  }
  WordSegmenter thai(Segmenter::newmm), chinese(Segmenter::jieba);
  EXPECT_EQ(thai.words("ฉันกินข้าว", "th"), (Texts{"ฉัน", "กินข้าว"}));
  EXPECT_EQ(chinese.words("我吃米饭", "zh"), (Texts{"我", "吃", "米饭"}));
  EXPECT_EQ(thai.words("a b\nc\u2028", "en"), (Texts{"a", "b", "\n", "c", "\u2028"}));
  EXPECT_EQ(chinese.words("我吃 3 碗米饭。\n", "zh"),  // as jieba.lcut
            (Texts{"我", "吃", " ", "3", " ", "碗", "米饭", "。", "\n"}));
  EXPECT_TRUE(thai.name().starts_with("newmm-"));
  EXPECT_TRUE(chinese.name().starts_with("jieba-"));
}

// Digits in a row take newmm, and a letter in a row jieba, the square of their number: an hour for
// these in one piece.
TEST_F(SegmenterTest, RealOnesCutLongTextsInPieces) {
  unsetenv("RUBRIC_SEGMENTERS");
  if (!std::filesystem::exists(segmenter_folder() / "DONE")) {
    GTEST_SKIP() << "scripts/setup --segmenters has not been run";
  }
  constexpr size_t kLong = 200'000;
  std::string same, words;
  for (size_t i = 0; i < kLong; ++i) same += "米";
  for (size_t i = 0; i < kLong / 6; ++i) words += "ข้าว 7\n";
  EXPECT_EQ(WordSegmenter(Segmenter::jieba).words(same, "zh").size(), kLong);
  WordSegmenter thai(Segmenter::newmm);
  // A number a piece of 1,000.
  EXPECT_EQ(thai.words(std::string(kLong, '7'), "th"), Texts(kLong / 1000, std::string(1000, '7')));
  EXPECT_EQ(thai.words(words, "th").size(), kLong / 6 * 3);  // the rest is cut at blanks alone
}

}  // namespace rubric::text::word_segmenter_test
