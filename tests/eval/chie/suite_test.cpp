// BERTScore beside the judge's verdicts.
#include <gtest/gtest.h>

#include "eval/chie/chie.h"
#include "judge/ledger/example_entry.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval::suite_of_chie_test {

struct ChieScores : testing::Test {
  static std::string row(const std::string& system, const std::string& id, const std::string& score,
                         const std::string& candidate = "It is 308.") {
    return R"({"id": ")" + id + R"(", "system": ")" + system +
           R"(", "language": "en", "candidate": ")" + candidate + R"(", "scores": {"bertscore": )" +
           score + "}}\n";
  }
  std::vector<ChieSystem> scored(const std::string& rows) {
    std::vector<ChieSystem> systems = evaluate_chie(entries_, "", "L").systems;
    add_bertscores(systems, folder_.write("scored.jsonl", rows));
    return systems;
  }
  std::string refusal(const std::string& rows) {
    return input_error([&] { scored(rows); });
  }

  TemporaryFolder folder_;
  std::vector<judge::LedgerEntry> entries_ = {
      example_entry("llama", "1"), example_entry("llama", "2"), example_entry("sea-lion", "1")};
};

TEST_F(ChieScores, AreMeansInPercent) {
  const std::vector<ChieSystem> systems =
      scored(row("sea-lion", "1", "0.25") + row("llama", "1", "0.5") + row("llama", "2", "1") +
             row("another", "1", "0"));
  EXPECT_DOUBLE_EQ(systems[0].bertscore.value(), 0.75);
  EXPECT_DOUBLE_EQ(systems[1].bertscore.value(), 0.25);
}

TEST_F(ChieScores, AreOfEveryAnswerThatIsJudged) {
  const std::string two = row("llama", "1", "0.5") + row("sea-lion", "1", "0.5");
  expect_contains(refusal(two), "no score of id \"2\" of llama");
  expect_contains(refusal(two + row("llama", "2", "0.5", "No.")),
                  "another answer than id \"2\" of llama");
  expect_contains(refusal(two + row("llama", "2", "null")), "bertscore");
  expect_contains(refusal(two + row("llama", "2", "90")), "not a number from -1 to 1");
  expect_contains(refusal(two + row("llama", "2", "-1.1")), "not a number from -1 to 1");
  expect_contains(refusal(two + row("llama", "1", "0.25")), "two scores of one answer");
  expect_contains(refusal(two + R"({"id": "2", "system": "llama", "language": "en", )" +
                          R"("candidate": "It is 308."})" + "\n"),
                  "scores");
}

}  // namespace rubric::eval::suite_of_chie_test
