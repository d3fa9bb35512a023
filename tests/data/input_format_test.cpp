#include "data/input_format.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric {
namespace {

TEST(InputFormats, ComeFromTheNameOrTheFile) {
  EXPECT_EQ(input_format("", "a.b/rows.jsonl"), InputFormat::jsonl);
  EXPECT_EQ(input_format("", "dev.json"), InputFormat::mocha);
  EXPECT_EQ(input_format("", "x.csv"), InputFormat::csv);
  EXPECT_EQ(input_format("", "x.tsv"), InputFormat::tsv);
  EXPECT_EQ(input_format("jsonl", "x.csv"), InputFormat::jsonl);
  EXPECT_EQ(input_format("mocha", "x"), InputFormat::mocha);
  EXPECT_EQ(input_error([] { input_format("xml", "x.csv"); }),
            error_lines("unknown input format \"xml\"", "--input-format",
                        "choose jsonl, mocha, csv or tsv"));
  EXPECT_EQ(input_error([] { input_format("", "rows.txt"); }),
            error_lines("the file's name does not tell its format", "rows.txt",
                        "add --input-format jsonl, mocha, csv or tsv"));
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
}  // namespace rubric
