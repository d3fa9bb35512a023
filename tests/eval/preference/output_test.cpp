// Preferences for other programs.
#include <gtest/gtest.h>

#include "eval/preference/preference.h"
#include "judge/ledger/example_entry.h"

namespace rubric::eval {
namespace {

PreferenceEvaluation evaluate(const std::vector<judge::LedgerEntry>& entries) {
  return evaluate_preferences(entries, "", {.resamples = 10, .seed = 1}, "L");
}

// The judge prefers B in both orders, so each resample is the same.
TEST(PreferenceJson, HasCasesAndPosition) {
  const PreferenceEvaluation evaluation =
      evaluate({example_pair("C vs CH", "1", judge::AnswerOrder::ab, "B"),
                example_pair("C vs CH", "1", judge::AnswerOrder::ba, "A")});
  const std::string position =
      R"({"first": 1, "second": 1, "tie": 0, "n": 2, )"
      R"("percent": {"first": 50, "second": 50, "tie": 0}, )"
      R"("ci95": {"first": [50, 50], "second": [50, 50], "tie": [0, 0], "difference": [0, 0]}, )"
      R"("difference": 0, "changed": {"first_twice": 0, "second_twice": 0, "tie_once": 0}})";
  const Json json = to_json(evaluation);
  EXPECT_EQ(json.find("position")->dump(), position);
  EXPECT_EQ(json.find("cases")->dump(), R"({"C vs CH": {"A": 0, "B": 1, "Tie": 0, "n": 1, )"
                                        R"("percent": {"A": 0, "B": 100, "Tie": 0}, )"
                                        R"("ci95": {"A": [0, 0], "B": [100, 100], "Tie": [0, 0]}, )"
                                        R"("invalid": 0, "incomplete": 0, "position": )" +
                                            position + R"(, "language": "en"}})");
}

TEST(PreferenceJson, HasNullForWhatIsNotKnown) {
  const Json json =
      to_json(evaluate({example_pair("C vs CH", "1", judge::AnswerOrder::ab, "Both")}));
  EXPECT_TRUE(json.find("position")->is_null());
  const Json& one = *json.find("cases")->find("C vs CH");
  EXPECT_TRUE(one.find("position")->is_null());
  EXPECT_TRUE(one.find("percent")->find("A")->is_null());
  EXPECT_TRUE(one.find("ci95")->find("A")->is_null());
}

TEST(PreferenceFigureList, HasAFigureARow) {
  const std::string list = print_table(
      preference_value_table(evaluate({example_pair("C vs CH", "1", judge::AnswerOrder::ab, "A"),
                                       example_pair("C vs CH", "1", judge::AnswerOrder::ba, "A")})),
      OutputFormat::csv);
  const std::string position =
      ",position_first,2,,\n,position_second,0,,\n,position_tie,0,,\n,position_n,2,,\n"
      ",position_first_percent,100,100,100\n,position_second_percent,0,0,0\n"
      ",position_tie_percent,0,0,0\n,position_difference,100,100,100\n"
      ",position_first_twice,1,,\n,position_second_twice,0,,\n,position_tie_once,0,,\n";
  std::string of_case = position;
  for (size_t i = 0; (i = of_case.find(",position", i)) != of_case.npos; i += 9) {
    of_case.insert(i, "C vs CH");
    i += 7;
  }
  EXPECT_EQ(list,
            "name,figure,value,low,high\n"
            "C vs CH,A,0,,\nC vs CH,B,0,,\nC vs CH,Tie,1,,\nC vs CH,n,1,,\n"
            "C vs CH,A_percent,0,0,0\nC vs CH,B_percent,0,0,0\nC vs CH,Tie_percent,100,100,100\n"
            "C vs CH,invalid,0,,\nC vs CH,incomplete,0,,\n" +
                of_case + position);
}

}  // namespace
}  // namespace rubric::eval
