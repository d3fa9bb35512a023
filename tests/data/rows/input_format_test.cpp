#include <gtest/gtest.h>

#include "core/files/gzip.h"
#include "data/answers/list.h"
#include "data/rows/rows.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data {
namespace {

TEST(InputFormats, ComeFromTheNameOrTheFile) {
  const TemporaryFolder folder;
  const std::string rows = folder.write("rows.txt", "");
  EXPECT_EQ(input_format("", "a.b/rows.jsonl"), InputFormat::kJsonl);
  EXPECT_EQ(input_format("", "dev.json"), InputFormat::kMocha);
  EXPECT_EQ(input_format("", "x.csv"), InputFormat::kCsv);
  EXPECT_EQ(input_format("", "x.tsv"), InputFormat::kTsv);
  EXPECT_EQ(input_format("jsonl", "x.csv"), InputFormat::kJsonl);
  EXPECT_EQ(input_format("mocha", "x"), InputFormat::kMocha);
  EXPECT_EQ(input_format("evouna", "NQ.json"), kEvouna);
  EXPECT_EQ(input_format("stsb", "x.csv"), kStsb);
  expect_contains(input_error([&] { input_format("", rows, "data.format"); }),
                  "name it with data.format");
  EXPECT_EQ(
      input_error([] { input_format("xml", "x.csv"); }),
      error_lines(
          "unknown input format \"xml\"", "--input-format",
          "choose jsonl, json, mocha, csv, tsv, evouna, efficientqa, answer_equivalence, stsb, "
          "squad, nq_open, trivia_qa, lm_eval"));
  EXPECT_EQ(
      input_error([&] { input_format("", rows); }),
      error_lines("the file's name does not tell its format", rows,
                  "name it with --input-format: jsonl, json, mocha, csv, tsv, evouna, "
                  "efficientqa, answer_equivalence, stsb, squad, nq_open, trivia_qa, lm_eval"));
}

TEST(InputFormats, OfWhatIsNoFileAreNotAsked) {
  const TemporaryFolder folder;
  const std::string none = folder.file("none");
  EXPECT_EQ(input_error([&] { input_format("", none); }), error_lines("no such file", none));
  EXPECT_EQ(input_error([&] { input_format("", folder.path()); }),
            error_lines("a directory, where a file is needed", folder.path().string()));
  EXPECT_EQ(input_format("csv", none), InputFormat::kCsv);
}

TEST(InputFormats, AreFoundInCompressedFilesArraysAndStandardInput) {
  const TemporaryFolder folder;
  EXPECT_EQ(input_format("", "rows.csv.gz"), InputFormat::kCsv);
  EXPECT_EQ(input_format("", kStandardInput), InputFormat::kJsonl);
  EXPECT_EQ(input_format("", folder.write("array.json", "\xEF\xBB\xBF \n [{}]")),
            InputFormat::kJson);
  EXPECT_EQ(input_format("", folder.write("array.json.gz", gzip("[]"))), InputFormat::kJson);
  EXPECT_EQ(input_format("", folder.write("mocha.json", "{}")), InputFormat::kMocha);
  EXPECT_EQ(input_format("", "x.csv", "", ';').separator, ';');
  expect_contains(input_error([] { input_format("", "x.jsonl", "--input-format", ';'); }),
                  "--delimiter is only valid with tables");
}

TEST(InputFormats, OfPublishedDataSetsAreKnownByTheirBeginning) {
  const TemporaryFolder folder;
  const auto format = [&](const std::string& name, const std::string& text) {
    return input_format("", folder.write(name, text)).name;
  };
  EXPECT_EQ(format("NQ.json", R"([ {"question": "q", "golden_answer": "a", "answer_x": "b"}])"),
            "evouna");
  EXPECT_EQ(format("own.json", R"([{"question": "q", "golden_answer": "a", "candidate": "b"}])"),
            "json");
  const std::string rest = R"( "reference": "a", "candidate": "b", "question": "q"})";
  EXPECT_EQ(format("train.jsonl", R"({ "label": "correct",)" + rest), "answer_equivalence");
  EXPECT_EQ(format("train.jsonl", R"({"label": "incorrect",)" + rest), "answer_equivalence");
  EXPECT_EQ(format("own.jsonl", R"({"label": "5",)" + rest), "jsonl");
  EXPECT_EQ(format("own.jsonl", R"({"label": "correct", "reference": "a", "candidate": "b", )"
                                R"("question": "q", "score": 4})"),
            "jsonl");
}

// A user's own rows may have kept a field of EfficientQA beside their candidate.
TEST(InputFormats, RowsWithACandidateAreNoEfficientQa) {
  const TemporaryFolder folder;
  const std::string graded =
      R"({"question": "q", "answer": ["a"], "def_correct_predictions": ["b"])";
  EXPECT_EQ(input_format("", folder.write("graded.jsonl", graded + "}\n")), kEfficientQa);
  const auto own = folder.write("own.jsonl", graded + R"(, "reference": "a", "candidate": "b"})");
  EXPECT_EQ(input_format("", own), InputFormat::kJsonl);
}

TEST(InputFormats, AreRowsOnlyWhereTheNameSaysSo) {
  EXPECT_EQ(rows_or_mocha("x.csv"), InputFormat::kCsv);
  EXPECT_EQ(rows_or_mocha("x.jsonl"), InputFormat::kJsonl);
  EXPECT_EQ(rows_or_mocha("x"), InputFormat::kMocha);
  EXPECT_FALSE(has_rows(kEvouna));
  EXPECT_TRUE(has_rows(InputFormat::kTsv));
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
  expect_contains(error({"answer=candidate"}),
                  "our name comes first: perhaps --field candidate=answer; the fields are id");
  expect_contains(error({"candidate=x", "candidate=y"}), "\"candidate\" is named twice");
}

}  // namespace
}  // namespace rubric::data
