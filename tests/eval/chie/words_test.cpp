// F1, exact match and lengths, and the tables that show them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/files/files.h"
#include "eval/chie/chie.h"
#include "eval/result/render.h"
#include "judge/ledger/example_entry.h"
#include "measured.h"
#include "messages.h"
#include "temporary_folder.h"
#include "text/word_segmenter.h"

namespace rubric::eval::words_test {

// With ICU for words, whatever is set up here.
struct ChieWordsTest : testing::Test {
  ChieWordsTest() { setenv("RUBRIC_SEGMENTERS", "/nonexistent", 1); }
  ~ChieWordsTest() override {
    before_.empty() ? unsetenv("RUBRIC_SEGMENTERS")
                    : setenv("RUBRIC_SEGMENTERS", before_.c_str(), 1);
  }
  void add(const std::string& system, const std::string& id, const std::string& candidate,
           const std::string& reference, const std::string& language = "en") {
    entries_.push_back(example_entry(system, id, id == "small" ? kSmall : kReply));
    entries_.back().answer.candidate = candidate;
    entries_.back().answer.references = {reference};
    entries_.back().language = language;
  }
  ChieEvaluation evaluate() { return evaluate_chie(entries_, "", "L"); }
  ChieWordCounts measure() { return measure_words(evaluate().systems); }

  static constexpr const char* kSmall = "1. agree\n2. disagree\n3. agree\n4. disagree";
  std::string before_ = environment("RUBRIC_SEGMENTERS");
  std::vector<judge::LedgerEntry> entries_;
};

// "it is 308" against "308 points": one word in common of three and two.
TEST_F(ChieWordsTest, ArePercentAndMeansOverAllAnswers) {
  add("llama", "1", "It is 308.", "308 points");
  add("sea-lion", "1", "none", "308 points");
  add("llama", "2", "The 308 points!", "308 points");
  const ChieWordCounts figures = measure();
  ASSERT_EQ(figures.systems.size(), 2u);
  EXPECT_DOUBLE_EQ(figures.systems[0].f1, (0.4 + 1) / 2);
  EXPECT_DOUBLE_EQ(figures.systems[0].em, 0.5);
  EXPECT_DOUBLE_EQ(figures.systems[0].mean_length, 4);  // punctuation counts
  EXPECT_DOUBLE_EQ(figures.systems[1].f1, 0);
  EXPECT_DOUBLE_EQ(figures.systems[1].mean_length, 1);
  EXPECT_EQ(figures.segmenters, std::vector<std::string>{"icu-" + text::icu_version()});
}

// "I eat rice" against "eat rice": two words in common of three and two.
TEST_F(ChieWordsTest, AreCutInLanguagesWithoutBlanks) {
  add("thai", "1", "ฉันกินข้าว", "กินข้าว", "th");
  add("chinese", "1", "我吃米饭", "吃米饭", "zh");
  add("english", "1", "我吃米饭", "吃米饭", "en");
  const ChieWordCounts figures = measure();
  EXPECT_DOUBLE_EQ(figures.systems[0].f1, 0.8);
  EXPECT_DOUBLE_EQ(figures.systems[0].em, 0);
  EXPECT_DOUBLE_EQ(figures.systems[0].mean_length, 3);
  EXPECT_DOUBLE_EQ(figures.systems[1].f1, 0.8);
  EXPECT_DOUBLE_EQ(figures.systems[2].f1, 0);
}

// Segmenters that cut everything into two words (newmm) or three (jieba), note what they are asked
// and end when that has a 7 in it.
struct SegmentedWords : ChieWordsTest {
  SegmentedWords() {
    const auto python = folder_.write("bin/python",
                                      "#!/bin/sh\n"
                                      "echo '{\"segmenter\": \"'$2'-1\"}'\n"
                                      "[ $2 = newmm ] && words='\"a\", \"b\"' || words='\"a\", "
                                      "\" \", \"b\"'\n"
                                      "while read -r line; do\n"
                                      "  echo \"$2 $line\" >> " +
                                          folder_.file("asked") +
                                          "\n"
                                          "  case $line in *7*) exit 3;; esac\n"
                                          "  echo \"{\\\"words\\\": [$words]}\"\n"
                                          "done\n");
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    folder_.write("DONE", "");
    setenv("RUBRIC_SEGMENTERS", folder_.path().c_str(), 1);
  }
  std::string asked() const { return read_file(folder_.file("asked")); }

  TemporaryFolder folder_;
};

// A reference's length is not asked for, and no text is cut twice.
TEST_F(SegmentedWords, CountWhatTheAuthorsCodeCounts) {
  add("english", "1", "answer", "reference");
  add("english", "2", "answer", "reference");
  add("chinese", "1", "ch", "re", "zh-CN");
  add("thai", "1", "th", "re", "th");
  const ChieWordCounts figures = measure();
  EXPECT_EQ(figures.systems[0].lengths, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(figures.systems[1].mean_length, 3);  // the blank counts
  EXPECT_EQ(figures.systems[1].f1, 1);
  EXPECT_EQ(figures.systems[2].mean_length, 2);
  EXPECT_EQ(figures.segmenters, (std::vector<std::string>{"newmm-1", "jieba-1"}));
  EXPECT_EQ(asked(), "newmm \"answer\"\njieba \"ch\"\njieba \"re\"\nnewmm \"th\"\nnewmm \"re\"\n");
}

TEST_F(SegmentedWords, FailuresNameTheAnswer) {
  add("llama", "1", "seven", "reference");
  add("llama", "2", "777", "reference");
  try {
    measure();
    FAIL();
  } catch (const Error& error) {
    expect_contains(error.what(), "no words of id \"2\" of llama: the program ended");
  }
}

// 我 吃 ␣ 3 ␣ 碗 米饭 。 against 吃 碗 米饭: without mark and blanks three words in common of five
// and three.
TEST_F(ChieWordsTest, ChineseLengthsAreJiebas) {
  before_.empty() ? unsetenv("RUBRIC_SEGMENTERS") : setenv("RUBRIC_SEGMENTERS", before_.c_str(), 1);
  if (!std::filesystem::exists(text::segmenter_folder() / "DONE")) {
    GTEST_SKIP() << "scripts/setup --segmenters has not been run";
  }
  add("chinese", "1", "我吃 3 碗米饭.", "吃碗米饭", "zh");
  const ChieWordCounts figures = measure();
  EXPECT_EQ(figures.systems[0].mean_length, 8);
  EXPECT_DOUBLE_EQ(figures.systems[0].f1, 0.75);
  EXPECT_TRUE(figures.segmenters.front().starts_with("jieba-"));
}

TEST_F(ChieWordsTest, AsAResult) {
  add("llama", "1", "It is 308.", "308 points");
  EXPECT_EQ(result_tables(chie_result(ChieResults{evaluate(), measure()}), kPrintedText).size(),
            1u);
  add("llama", "small", "It is 308.", "308 points");
  const Result result = chie_result(ChieResults{evaluate(), measure()});
  const std::vector<Table> tables = result_tables(result, kPrintedText);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].header, (std::vector<std::string>{"system", "C", "H", "I", "E", "n",
                                                        "invalid", "F1", "EM", "length"}));
  EXPECT_EQ(tables[0].rows[0], (std::vector<std::string>{"llama", "1", "0", "0", "1", "2", "1",
                                                         "40.00", "0.00", "4.00"}));
  EXPECT_EQ(tables[1].rows[0],
            (std::vector<std::string>{"llama", "en", "small", "invalid", "1 0 1 0"}));
  EXPECT_EQ(
      std::ranges::count(all_notes(result),
                         "llama: 1 reply of 2 without verdicts, in no count of C, H, I and E"),
      1);
  const Json json = to_json(result);
  const auto of_aspect = [](const char* aspect) {
    return Keys{.metric = aspect, .system = "llama"};
  };
  EXPECT_EQ(measured(json, "count", of_aspect("C")).find("n")->number(), 1);  // one has verdicts
  EXPECT_EQ(value_of(json, "count", of_aspect("E")), 1);
  const Json& f1 = measured(json, "mean", {.metric = "f1", .system = "llama"});
  EXPECT_DOUBLE_EQ(f1.find("value")->number(), 0.4);
  EXPECT_EQ(f1.find("n")->number(), 2);
  EXPECT_EQ(value_of(json, "mean", {.metric = "length", .system = "llama"}), 4);
  EXPECT_EQ(json.find("records")->find("disagreements")->dump(),
            R"([{"system": "llama", "language": "en", "id": "small", "published": "invalid", )"
            R"("strict": "1 0 1 0"}])");
}

}  // namespace rubric::eval::words_test
