// Preferences to be read, and what a reader must know.
#include <algorithm>

#include <gtest/gtest.h>

#include "eval/preference/preference.h"
#include "eval/result/render.h"
#include "judge/ledger/example_entry.h"
#include "messages.h"

namespace rubric::eval::preference_tables_test {

Result evaluation_of(const std::vector<judge::LedgerEntry>& entries) {
  return evaluate_preferences(entries, "", {.resamples = 10, .seed = 1}, "L");
}

bool is_noted(const std::vector<std::string>& notes, const std::string& part) {
  return std::ranges::any_of(notes, [&](const std::string& note) { return holds(note, part); });
}

TEST(PreferenceTables, ShowCasesAndPosition) {
  judge::LedgerEntry other = example_pair("C vs CH", "3", judge::AnswerOrder::ab, "A");
  other.answer.question = "Who?";
  const Result evaluation =
      evaluation_of({example_pair("C vs CH", "1", judge::AnswerOrder::ab, "B"),
                     example_pair("C vs CH", "1", judge::AnswerOrder::ba, "B"),
                     example_pair("C vs CH", "2", judge::AnswerOrder::ab, "A"),
                     example_pair("C vs CH", "2", judge::AnswerOrder::ba, "Both"), other});
  const std::vector<Table> tables = result_tables(evaluation, kPrintedText);
  ASSERT_EQ(tables.size(), 2u);
  using Row = std::vector<std::string>;
  EXPECT_EQ(tables[0].rows.at(0), (Row{"C vs CH", "0", "0", "1", "1", "1", "1", "0.0", "0.0",
                                       "100.0"}));  // one question has no interval
  const Row position = {"C vs CH", "2", "0.0", "100.0", "0.0", "-100.0", "0", "1", "0"};
  EXPECT_EQ(tables[1].rows.at(0), position);
  EXPECT_EQ(tables[1].rows.at(1).front(), "all");
  EXPECT_TRUE(std::equal(position.begin() + 1, position.end(), tables[1].rows[1].begin() + 1));
  const std::vector<std::string> notes = all_notes(evaluation);
  EXPECT_TRUE(is_noted(notes, "not the same one in both"));
  EXPECT_TRUE(is_noted(notes, "(invalid), left out: 1"));
  EXPECT_TRUE(is_noted(notes, "(incomplete), left out: 1"));
  EXPECT_TRUE(is_noted(notes, "10 bootstrap resamples of the pairs"));
  EXPECT_FALSE(is_noted(notes, "it is unknown whether"));
}

TEST(PreferenceTables, OfOneOrderSayThatBiasCannotBeTold) {
  const Result evaluation =
      evaluation_of({example_pair("C vs CH", "1", judge::AnswerOrder::ab, "A"),
                     example_pair("C vs CI", "1", judge::AnswerOrder::ab, "Both"),
                     example_pair("C vs CH", "2", judge::AnswerOrder::ab, "A")});
  const std::vector<Table> tables = result_tables(evaluation, kPrintedText);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows.at(1).back(), "–");  // no percentage of nothing
  const std::vector<std::string> notes = all_notes(evaluation);
  EXPECT_TRUE(is_noted(notes, "it is unknown whether the order matters"));
  EXPECT_TRUE(is_noted(notes, "of the questions, all pairs of one together"));
  EXPECT_FALSE(is_noted(notes, "in both"));
}

}  // namespace rubric::eval::preference_tables_test
