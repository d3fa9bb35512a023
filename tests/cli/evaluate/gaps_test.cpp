// `evaluate gaps`: the list to fill in, and its tally.
#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::gaps_test {

struct EvaluateGaps : testing::Test {
  EvaluateGaps() {
    folder_.write("scored.json", R"({"drop": {
      "a": {"question": "q", "reference": "r", "candidate": "c <1>", "score": 5,
            "scores": {"lerc": 1, "bleu1": 0.5}},
      "b": {"question": "q", "reference": "r", "candidate": "c", "score": 1,
            "scores": {"lerc": 3, "bleu1": 0.9}},
      "c": {"question": "q", "reference": "r", "candidate": "c", "score": 2,
            "scores": {"lerc": 2, "bleu1": 0.1}}},
      "quoref": {"d": {"question": "q", "reference": "r", "candidate": "c", "score": 4,
            "scores": {"lerc": 3.5, "bleu1": 0.9}}}})");
  }
  Outcome gaps(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"evaluate", "gaps"});
    return run(arguments);
  }
  Outcome list(const std::string& output, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--input", folder_.file("scored.json"), "--metric", "lerc",
                                         "--output", folder_.file(output)});
    return gaps(arguments);
  }
  std::vector<Json> rows(const std::string& file) const {
    std::vector<Json> rows;
    LineReader lines(folder_.file(file));
    for (std::string line; lines.next(line);) rows.push_back(Json::parse(line, lines.where()));
    return rows;
  }
  TemporaryFolder folder_;
};

TEST_F(EvaluateGaps, ScoresOfLercAreFrom1To5AlsoOfOtherRows) {
  const auto of = [&](const std::string& best) {
    folder_.write("rows.csv", "id,candidate,lerc,f1\n1,a,1.5,0\n2,b," + best + ",1\n3,c,3,1\n");
    return gaps({"--input", folder_.file("rows.csv"), "--metric", "lerc,f1", "--output",
                 folder_.file("list" + best + ".csv")});
  };
  expect_contains(of("4.9").out, "lerc from 1 to 5, f1 from 0 to 1");
  expect_message(of("62"), 2, {"lerc are from 1.500 to 62.000, but its range is not known"});
}

TEST_F(EvaluateGaps, ListsTheLargestOfEachConstituent) {
  const Outcome outcome =
      done(list("gaps.jsonl", {"--most", "2", "--report", folder_.file("gaps.html")}));
  const std::vector<Json> found = rows("gaps.jsonl");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].find("id")->string(), "a");
  EXPECT_EQ(found[0].find("gap")->number(), -1);  // 1 and 5, from 1 to 5
  EXPECT_EQ(found[0].find("category")->string(), "");
  EXPECT_EQ(found[0].find("candidate")->string(), "c <1>");
  EXPECT_EQ(found[1].find("id")->string(), "b");
  EXPECT_EQ(found[1].find("gap")->number(), 0.5);
  EXPECT_EQ(found[2].find("group")->string(), "quoref");
  expect_contains(outcome.out, "lerc from 1 to 5, score from 1 to 5");
  const std::string page = read_file(folder_.file("gaps.html"));
  expect_contains(page, "c &lt;1&gt;");
  expect_contains(page, "Content-Security-Policy");  // the page of reports
}

TEST_F(EvaluateGaps, ComparesTwoMetricsOnTheirOwnScales) {
  ASSERT_EQ(list("gaps.jsonl", {"--metric", "bleu1"}).code, 0);
  const std::vector<Json> found = rows("gaps.jsonl");
  EXPECT_EQ(found[0].find("id")->string(), "a");
  EXPECT_NEAR(found[0].find("gap")->number(), 0 - 0.5, 1e-12);
  EXPECT_NEAR(found[1].find("gap")->number(), 0.5 - 0.9, 1e-12);
  ASSERT_EQ(list("scaled.jsonl", {"--metric", "bleu1", "--scale", "lerc=0:10"}).code, 0);
  EXPECT_NEAR(rows("scaled.jsonl")[0].find("gap")->number(), 0.3 - 0.9, 1e-12);
}

TEST_F(EvaluateGaps, AMetricMayLeaveItsScaleAndIsCounted) {
  const Outcome outcome =
      done(list("gaps.jsonl", {"--metric", "bleu1", "--scale", "lerc=1.5:3", "--most", "1"}));
  expect_contains(outcome.err, "2 of 4 values of lerc are outside its scale of 1.500 to 3.000");
  expect_contains(outcome.out, "lerc from 1.5 to 3");
  EXPECT_NEAR(rows("gaps.jsonl")[0].find("gap")->number(), (1 - 1.5) / 1.5 - 0.5, 1e-12);
}

// BLEU's 100 may be 100.00000000000004, and a mean of ones 1.0000000000000002.
TEST_F(EvaluateGaps, TheEndsOfAScaleHaveATolerance) {
  folder_.write("ends.csv",
                "id,bleu,one,label\n1,100.00000000000004,1.0000000000000002,100.00000000000004\n"
                "2,-1e-15,0,0\n3,50,0.5,20\n");
  int number = 0;
  const auto ends = [&](const std::string& metric, const std::vector<std::string>& scales) {
    std::vector<std::string> arguments = {
        "--input",  folder_.file("ends.csv"),
        "--metric", metric,
        "--human",  "label",
        "--output", folder_.file("gaps" + std::to_string(++number) + ".jsonl")};
    for (const std::string& scale : scales) arguments.insert(arguments.end(), {"--scale", scale});
    return gaps(arguments);
  };
  const Outcome of_bleu = done(ends("bleu", {"bleu=0:100", "label=0:100"}));
  EXPECT_FALSE(holds(of_bleu.err, "outside its scale")) << of_bleu.err;
  EXPECT_EQ(ends("one", {"label=0:100"}).code, 0);  // a metric from 0 to 1 needs no --scale
  expect_contains(ends("bleu", {"bleu=0:99.99", "label=0:100"}).err, "1 of 3 values of bleu");
  expect_message(ends("bleu", {"bleu=0:100", "label=0:99.99"}), 2, {"1 of 3 values of label"});
  expect_message(ends("bleu", {"bleu=0:1e308", "label=0:100"}), 2, {"too large", "--scale bleu"});
}

TEST_F(EvaluateGaps, TalliesFilledLists) {
  folder_.write("filled.jsonl", R"({"category": "passage", "group": "drop"}
{"category": " paraphrase ", "group": "drop"}
{"category": "Passage", "group": "quoref"}
{"category": "", "group": "quoref"}
)");
  const Outcome outcome = gaps({"--tally", folder_.file("filled.jsonl")});
  EXPECT_EQ(outcome.out,
            "Categories of 3 rows\n\n"
            "category    rows     %  drop  quoref\n"
            "----------  ----  ----  ----  ------\n"
            "passage        2  66.7     1       1\n"
            "paraphrase     1  33.3     1       0\n\n"
            "1 row has no category yet\n");
  const Json json = Json::parse(
      gaps({"--tally", folder_.file("filled.jsonl"), "--format", "json"}).out, "stdout");
  EXPECT_EQ(value_of(json, "rows", {.group = "quoref", .subset = "passage"}), 1);
  EXPECT_EQ(value_of(json, "share", {.subset = "passage"}), 2 / 3.0);
  // A table goes out, a spreadsheet fills it, and it comes back.
  ASSERT_EQ(list("gaps.csv", {}).code, 0);
  std::string table = read_file(folder_.file("gaps.csv"));
  EXPECT_TRUE(table.starts_with("category,group,id,lerc,score,gap,")) << table;
  folder_.write("gaps.csv", table.insert(table.find('\n') + 1, "other"));
  expect_contains(gaps({"--tally", folder_.file("gaps.csv")}).out, "other        1  100.0");
}

TEST_F(EvaluateGaps, AListThatMayBeFilledIsNotReplaced) {
  ASSERT_EQ(list("gaps.csv", {}).code, 0);
  const std::string before = read_file(folder_.file("gaps.csv"));
  expect_message(list("gaps.csv", {"--most", "1"}), 2, {"there is a list already", "gaps.csv"});
  EXPECT_EQ(read_file(folder_.file("gaps.csv")), before);
}

TEST_F(EvaluateGaps, BadInputIsNamed) {
  const auto expect = [&](std::vector<std::string> arguments, const std::string& part) {
    expect_message(gaps(std::move(arguments)), 2, {part});
  };
  expect({"--metric", "lerc"}, "--input is missing");
  folder_.write("five.jsonl", "{\"score\": 4, \"scores\": {\"f1\": 0.5}}\n");
  const std::vector<std::string> five = {"--input",  folder_.file("five.jsonl"), "--metric", "f1",
                                         "--output", folder_.file("o.jsonl")};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), five.begin(), five.end());
    return more;
  };
  expect(five, "give it: --scale score=LOW:HIGH");
  expect({"--input", five[1], "--metric", "f1", "--output", folder_.file("o.tsv")},
         "name it .jsonl or .csv");
  expect(with({"--scale", "score"}), "expected NAME=LOW:HIGH");
  expect(with({"--scale", "score=5:1"}), "the low end is not below the high one");
  expect(with({"--scale", "score=1:3"}),
         "1 of 1 values of score are outside its scale of 1.000 to 3.000: they are from 4.000 to "
         "4.000");
  expect(with({"--scale", "em=0:1"}), "no metric to scale called \"em\"");
  expect(with({"--metric", "f1"}), "named twice");
  expect(with({"--human", "f1"}), "compared with itself");
  folder_.write("empty.jsonl", "{\"category\": \"\"}\n");
  expect({"--tally", folder_.file("empty.jsonl")}, "no row has a category");
  expect({"--tally", folder_.file("five.jsonl")}, "the row has no \"category\"");
}

TEST_F(EvaluateGaps, ATableOfQuestionsAndSystemsNeedsFieldsAlone) {
  folder_.write("own.csv",
                "number,model,prompt,reply,truth,rating,f1\n"
                "1,big,who?,Ann,Ann,1,1\n1,small,who?,Bob,Ann,1,0.25\n2,big,why?,c,d,0,0\n");
  done(gaps({"--input",  folder_.file("own.csv"),
             "--metric", "f1",
             "--output", folder_.file("list.jsonl"),
             "--most",   "1",
             "--field",  "id=number",
             "--field",  "source=model",
             "--field",  "question=prompt",
             "--field",  "candidate=reply",
             "--field",  "reference=truth",
             "--field",  "score=rating"}));
  const Json row = rows("list.jsonl").at(0);
  EXPECT_EQ(row.find("id")->string(), "1");
  EXPECT_EQ(row.find("candidate")->string(), "Bob");
  EXPECT_EQ(row.find("question")->string(), "who?");
  EXPECT_EQ(row.find("model")->string(), "small");
}

}  // namespace rubric::cli::gaps_test
