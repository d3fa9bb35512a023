#include <gtest/gtest.h>

#include "data/answers/list.h"
#include "data/rows/rows.h"
#include "messages.h"

namespace rubric::data {
namespace {

TEST(InputFormats, ComeFromTheNameOrTheFile) {
  EXPECT_EQ(input_format("", "a.b/rows.jsonl"), InputFormat::jsonl);
  EXPECT_EQ(input_format("", "dev.json"), InputFormat::mocha);
  EXPECT_EQ(input_format("", "x.csv"), InputFormat::csv);
  EXPECT_EQ(input_format("", "x.tsv"), InputFormat::tsv);
  EXPECT_EQ(input_format("jsonl", "x.csv"), InputFormat::jsonl);
  EXPECT_EQ(input_format("mocha", "x"), InputFormat::mocha);
  EXPECT_EQ(input_format("evouna", "NQ.json"), kEvouna);
  EXPECT_EQ(input_format("stsb", "x.csv"), kStsb);
  expect_contains(input_error([] { input_format("", "rows.txt", "data.format"); }),
                  "name it with data.format");
  EXPECT_EQ(input_error([] { input_format("xml", "x.csv"); }),
            error_lines("unknown input format \"xml\"", "--input-format",
                        "choose jsonl, mocha, csv, tsv, evouna, stsb"));
  EXPECT_EQ(input_error([] { input_format("", "rows.txt"); }),
            error_lines("the file's name does not tell its format", "rows.txt",
                        "name it with --input-format: jsonl, mocha, csv, tsv, evouna, stsb"));
}

TEST(InputFormats, AreRowsOnlyWhereTheNameSaysSo) {
  EXPECT_EQ(rows_or_mocha("x.csv"), InputFormat::csv);
  EXPECT_EQ(rows_or_mocha("x.jsonl"), InputFormat::jsonl);
  EXPECT_EQ(rows_or_mocha("x"), InputFormat::mocha);
  EXPECT_FALSE(has_rows(kEvouna));
  EXPECT_TRUE(has_rows(InputFormat::tsv));
}

TEST(FieldNames, AreChecked) {
  const auto error = [](const std::vector<std::string>& assignments) {
    return input_error([&] { parse_field_names(assignments); });
  };
  EXPECT_EQ(error({}), "accepted");
  expect_contains(error({"candidate"}), "expected ours=theirs, found \"candidate\"");
  expect_contains(error({"candidate="}), "expected ours=theirs");
  expect_contains(error({"answer=x"}), "there is no field \"answer\"");
  expect_contains(error({"answer=x"}), "the fields are id, constituent");
  expect_contains(error({"candidate=x", "candidate=y"}), "\"candidate\" is named twice");
}

}  // namespace
}  // namespace rubric::data
