// What is in a sheet of `choose`, and what `estimate` makes of one that was changed.
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/choose_command.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "data/scored_files/scored_files.h"

namespace rubric::cli::choose_sheet_test {

// Of a sheet in which some rows were taken out, all of one label.
TEST_F(ChooseCommand, RowsThatWereTakenOutAreNoted) {
  chosen({"--budget", "100", "--system", "system"}, "sheet.csv");
  fill("sheet.csv");
  EXPECT_EQ(estimate("sheet.csv").dump().find("stand for"), std::string::npos);
  std::string kept;
  int left_out = 0;
  for (std::istringstream lines(read_file(folder_.file("sheet.csv"))); std::getline(lines, kept);) {
    if (kept.find(",no,") != std::string::npos && ++left_out <= 15) continue;
    folder_.write("short.csv", (std::filesystem::exists(folder_.file("short.csv"))
                                    ? read_file(folder_.file("short.csv"))
                                    : "") +
                                   kept + "\n");
  }
  const std::string note = "stand for 170 answers by their probabilities, and there are 200";
  expect_contains(estimate("short.csv").dump(), note);
  // Nor is it missed without the options that name the columns.
  const Outcome plain =
      run({"rubric", "estimate", "--all", folder_.file("scored.jsonl"), "--labels",
           folder_.file("short.csv"), "--human", "verdict", "--system", "system"});
  expect_contains(plain.out, note);
}

// Of correct sheets nothing is noted: of questions with one to three answers, of answers to which a
// system was added later, and with two labels of each.
TEST_F(ChooseCommand, NothingIsMissingFromACorrectSheet) {
  std::string rows;
  for (int q = 0; q < 150; ++q) {
    for (int i = 0; i <= q % 3; ++i) {
      const std::string id = std::to_string(q) + "-" + std::to_string(i);
      rows += R"({"id": ")" + id + R"(", "system": ")" + (i == 0 ? "one" : "two") +
              R"(", "question": "Question )" + std::to_string(q) + R"(", "scores": {"f1": )" +
              std::to_string(q % 7) + "}}\n";
    }
  }
  folder_.write("scored.jsonl", rows);
  chosen({"--budget", "100", "--system", "system"}, "sheet.csv");
  std::string labels = "id,system,question,verdict,probability,stratum\n", text;
  const data::ScoredSource drawn = sheet("sheet.csv");
  for (size_t i = 0; i < drawn.rows.size(); ++i) {
    const Json& row = drawn.rows[i];
    labels += drawn.ids[i] + "," + row.find("system")->string() + "," +
              row.find("question")->string() + (i % 3 == 0 ? ",1," : ",0,") +
              row.find("probability")->string() + "," + row.find("stratum")->string() + "\n";
  }
  folder_.write("labels.csv", labels);
  folder_.write("twice.csv", labels + labels.substr(labels.find('\n') + 1));
  std::string without_question;
  for (std::istringstream lines(labels); std::getline(lines, text);) {
    const size_t second = text.find(',', text.find(',') + 1);
    without_question += text.erase(second, text.find(',', second + 1) - second) + "\n";
  }
  folder_.write("no_question.csv", without_question);
  std::string more = rows;
  for (int q = 0; q < 150; ++q) {
    more += R"({"id": "late )" + std::to_string(q) +
            R"(", "system": "late", "question": "Question )" + std::to_string(q) +
            R"(", "scores": {"f1": 1}})" + "\n";
  }
  folder_.write("more.jsonl", more);
  const auto notes = [&](const std::string& all, const std::string& of_labels,
                         const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {
        "rubric",  "estimate", "--all",    folder_.file(all), "--labels", folder_.file(of_labels),
        "--human", "verdict",  "--system", "system"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = done(run(arguments));
    return outcome.out;
  };
  for (const std::string& out :
       {notes("scored.jsonl", "labels.csv", {}), notes("more.jsonl", "labels.csv", {}),
        notes("scored.jsonl", "no_question.csv", {}),
        notes("scored.jsonl", "twice.csv", {"--average"})}) {
    expect_contains(out, "highest mean");
    EXPECT_EQ(out.find("stand for"), std::string::npos) << out;
  }
}

// 100 questions with two answers each, and 10 answers of a system that the sheet happens to lack.
// Of the 210 rows every other one was drawn, each alone: 105 stand for all, 90 clearly do not.
TEST_F(ChooseCommand, RowsDrawnAloneStandForAllRows) {
  std::string rows;
  const auto row = [](int q, const std::string& system) {
    return R"({"id": ")" + std::to_string(q) + R"(", "system": ")" + system +
           R"(", "question": "Question )" + std::to_string(q) + R"(", "scores": {"f1": )" +
           std::to_string(q % 7) + "}}\n";
  };
  for (int q = 0; q < 100; ++q) rows += row(q, "one") + row(q, "two");
  for (int q = 100; q < 110; ++q) rows += row(q, "rare");
  folder_.write("scored.jsonl", rows);
  const auto notes = [&](int drawn) {
    std::string labels = "id,system,verdict,probability,stratum\n";
    for (int i = 0; i < drawn; ++i) {
      // Both answers to some questions, one to others.
      const int q = i * 2 % 100 + (i < 50 ? 0 : i < 100 ? 1 - i % 3 % 2 : 1);
      labels += std::to_string(q) + (i < 50 || i >= 100 ? ",one," : ",two,") +
                (i % 3 == 0 ? "1" : "0") + ",0.5,1\n";
    }
    folder_.write("labels.csv", labels);
    return estimate("labels.csv").find("notes")->dump();
  };
  EXPECT_EQ(notes(105).find("stand for"), std::string::npos);
  expect_contains(notes(90),
                  "stand for 180 answers by their probabilities, and there are at least 200");
}

// All labels of a first sheet at random were drawn alike, whether its columns say so or not.
TEST_F(ChooseCommand, ARandomSheetMayBeFilledInHalf) {
  chosen({"--budget", "120", "--system", "system"}, "sheet.csv");
  fill("sheet.csv", 80);
  const std::string with_draw = read_file(folder_.file("sheet.csv"));
  std::string without = "id,system,verdict\n";
  const data::ScoredSource rows = sheet("sheet.csv");
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    without += rows.ids[i] + "," + rows.rows[i].find("system")->string() + "," +
               rows.rows[i].find("verdict")->string() + "\n";
  }
  folder_.write("without.csv", without);
  const auto systems = [&](const std::string& labels) {
    const Outcome outcome = done(run({"rubric", "estimate", "--all", folder_.file("scored.jsonl"),
                                      "--labels", folder_.file(labels), "--human", "verdict",
                                      "--system", "system", "--format", "json"}));
    return Json::parse(outcome.out, "stdout").find("measurements")->dump();
  };
  EXPECT_EQ(systems("sheet.csv"), systems("without.csv"));
  // As a program for tables may write the only stratum.
  std::string written = with_draw;
  for (size_t at = 0; (at = written.find(",1\n", at)) != std::string::npos;) {
    written.replace(at, 3, ",1.0\n");
  }
  ASSERT_NE(written, with_draw);
  folder_.write("written.csv", written);
  EXPECT_EQ(systems("written.csv"), systems("without.csv"));
}

// The page hides the column, whatever it is called; a table cannot.
TEST_F(ChooseCommand, ATableThatShowsTheSystemIsNoted) {
  const auto notes = [&](const std::string& sheet) {
    return choose({"--budget", "20", "--system", "system", "--output", folder_.file(sheet)}).out;
  };
  expect_contains(notes("shown.csv"), "the sheet has the column system");
  EXPECT_FALSE(holds(notes("hidden.html"), "the sheet has the column"));
  std::string rows = "id,llm,candidate,f1\n";
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i / 2) + (i % 2 == 0 ? ",one,a,0.1\n" : ",two,b,0.2\n");
  }
  folder_.write("llm.csv", rows);
  const auto of = [&](const std::string& sheet) {
    return run({"rubric", "choose", "--input", folder_.file("llm.csv"), "--budget", "20",
                "--system", "llm", "--output", folder_.file(sheet)});
  };
  expect_contains(of("llm.csv.csv").out, "the sheet has the column llm");
  ASSERT_EQ(of("llm.html").code, 0);
  EXPECT_FALSE(holds(read_file(folder_.file("llm.html")), "data-name=\"llm\""));
}

TEST_F(ChooseCommand, TheOrderOfAnswersDoesNotTellTheSystem) {
  chosen({"--budget", "120", "--system", "system"}, "sheet.csv");
  const data::ScoredSource rows = sheet("sheet.csv");
  ASSERT_EQ(rows.rows.size(), 120U);
  int first_is_one = 0;
  for (size_t i = 0; i < rows.rows.size(); i += 2) {
    EXPECT_EQ(rows.ids[i], rows.ids[i + 1]);
    first_is_one += rows.rows[i].find("system")->string() == "one" ? 1 : 0;
  }
  EXPECT_GT(first_is_one, 15);
  EXPECT_LT(first_is_one, 45);
  // Nor does that of the earlier rows in a second sheet.
  fill("sheet.csv");
  chosen({"--budget", "160", "--system", "system", "--labels", folder_.file("sheet.csv")},
         "second.csv");
  const data::ScoredSource second = sheet("second.csv");
  ASSERT_EQ(second.rows.size(), 160U);
  first_is_one = 0;
  for (size_t i = 0; i < 120; i += 2) {
    EXPECT_EQ(second.ids[i], second.ids[i + 1]);
    first_is_one += second.rows[i].find("system")->string() == "one" ? 1 : 0;
  }
  EXPECT_GT(first_is_one, 15);
  EXPECT_LT(first_is_one, 45);
}

// Two of 400 questions have the same text, and are one with six answers: 40 make about 120 rows.
TEST_F(ChooseCommand, AQuestionWithMoreAnswersTakesNoneFromTheBudget) {
  std::string rows;
  for (int q = 0; q < 400; ++q) {
    for (int system = 0; system < 3; ++system) {
      const std::string id = std::to_string(q), text = std::to_string(q == 399 ? 398 : q);
      rows += R"({"id": ")" + id + R"(", "system": "s)" + std::to_string(system) +
              R"(", "question": "Question )" + text + R"("})" + "\n";
    }
  }
  folder_.write("scored.jsonl", rows);
  chosen({"--budget", "120", "--system", "system"}, "sheet.csv");
  EXPECT_GE(sheet("sheet.csv").rows.size(), 120U);
  EXPECT_EQ(
      choose({"--budget", "6", "--system", "system", "--output", folder_.file("six.csv")}).code, 0);
}

}  // namespace rubric::cli::choose_sheet_test
