#include <gtest/gtest.h>

#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"

namespace rubric::eval {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

TEST(MochaTables, HaveAColumnForEachMetric) {
  const std::vector<Table> tables = mocha_tables(two_results());
  ASSERT_EQ(tables.size(), 4u);
  EXPECT_EQ(tables[0].header, (Row{"constituent", "lerc", "bleu1"}));
  EXPECT_EQ(tables[0].rows, (Rows{{"drop", "1.000 [1.000, 1.000]", "1.000 [1.000, 1.000]"},
                                  {"quoref", "-1.000 [-1.000, -1.000]", "-1.000 [-1.000, -1.000]"},
                                  {"average", "0.000 [0.000, 0.000]", "0.000 [0.000, 0.000]"},
                                  {"minimal pairs: drop (%)", "37.5", "not scored"},
                                  {"minimal pairs: quoref (%)", "100.0", "not scored"},
                                  {"minimal pairs: average (%)", "68.8", "not scored"}}));
  EXPECT_EQ(tables[0].notes, (Row{"lerc: 1 of 5 minimal pairs missing, counted as wrong (drop 1)",
                                  "bleu1: the minimal pairs are not scored"}));
}

// Human 1 2 4 5 against 1 2 5 4 in drop: r = 0.9, rho = 0.8, tau = 4 / 6.
TEST(MochaTables, ShowEachCorrelation) {
  Example example;
  example.lerc.answers[{"drop", "2"}] = 5;
  example.lerc.answers[{"drop", "3"}] = 4;
  const MochaResult result = example.result();
  const std::vector<Table> tables = mocha_tables({&result, 1});
  EXPECT_TRUE(tables[0].rows[0][1].starts_with("0.900 [")) << tables[0].rows[0][1];
  EXPECT_EQ(tables[1].title, "Spearman's rho");
  EXPECT_EQ(tables[1].rows, (Rows{{"drop", "0.800"}, {"quoref", "-1.000"}, {"average", "-0.100"}}));
  EXPECT_EQ(tables[2].title, "Kendall's tau-b");
  EXPECT_EQ(tables[2].rows, (Rows{{"drop", "0.667"}, {"quoref", "-1.000"}, {"average", "-0.167"}}));
}

TEST(MochaTables, SourcesThatAreAllOfTheirConstituentAreNotRepeated) {
  const std::vector<Table> tables = mocha_tables(two_results());
  EXPECT_EQ(tables[3].header, (Row{"constituent", "source", "n", "lerc", "bleu1"}));
  const std::string figures = "1.000 / 1.000 / 1.000";
  EXPECT_EQ(tables[3].rows, (Rows{{"drop", "bert", "2", figures, figures}}));
  Example example;
  for (data::Answer& answer : example.answers) answer.source = "bert";
  const MochaResult result = example.result();
  EXPECT_EQ(mocha_tables({&result, 1}).size(), 3u);
}

TEST(MochaTables, UndefinedFiguresAreDashes) {
  Example example;
  for (const char* id : {"0", "1", "2", "3"}) example.lerc.answers[{"drop", id}] = 3;
  const MochaResult result = example.result();
  for (const Table& table : mocha_tables({&result, 1})) {
    EXPECT_TRUE(table.rows[0].back().starts_with("–")) << table.title;
  }
  EXPECT_EQ(mocha_value_table({&result, 1}).rows[0],
            (Row{"lerc", "pearson", "drop", "", "", "", "", "4"}));
}

TEST(MochaFigures, StandOneInARow) {
  const std::vector<MochaResult> results = two_results();
  const Table figures = mocha_value_table({results.data(), 1});
  EXPECT_EQ(figures.header,
            (Row{"metric", "figure", "constituent", "source", "value", "low", "high", "n"}));
  const Rows expected = {{"lerc", "pearson", "drop", "", "1.000000", "1.000000", "1.000000", "4"},
                         {"lerc", "kendall", "drop", "bert", "1.000000", "", "", "2"},
                         {"lerc", "spearman", "quoref", "gpt2", "-1.000000", "", "", "4"},
                         {"lerc", "pearson", "average", "", "0.000000", "0.000000", "0.000000", ""},
                         {"lerc", "minimal_pairs", "drop", "", "0.375000", "", "", "4"},
                         {"lerc", "minimal_pairs", "average", "", "0.687500", "", "", ""}};
  for (const Row& row : expected) {
    EXPECT_EQ(std::count(figures.rows.begin(), figures.rows.end(), row), 1) << row[1] << row[2];
  }
  EXPECT_EQ(figures.rows.size(), 3u * (2 + 2 + 1) + 3);  // constituents, sources, average; pairs
  const Rows both = mocha_value_table(results).rows;
  EXPECT_EQ(both.size(), 2 * figures.rows.size());
  EXPECT_EQ(both.back(), (Row{"bleu1", "minimal_pairs", "average", "", "", "", "", ""}));
}

}  // namespace
}  // namespace rubric::eval
