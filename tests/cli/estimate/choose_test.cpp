// `choose`, a sheet filled in, and `estimate`.
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/choose_command.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "data/scored_files/scored_files.h"

namespace rubric::cli::choose_test {

TEST_F(ChooseCommand, ASheetIsFilledInAndEstimated) {
  const std::string text = chosen({"--budget", "80", "--system", "system"}, "sheet.csv");
  expect_contains(text, "verdict,id,system,question,candidate,probability,stratum\n");
  EXPECT_EQ(text.find(",em,"), std::string::npos);  // scores would lead people
  const data::ScoredSource rows = sheet("sheet.csv");
  std::map<std::string, std::set<std::string>> systems;
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    EXPECT_EQ(rows.rows[i].find("probability")->string(), "0.4");
    EXPECT_EQ(rows.rows[i].find("stratum")->string(), "1");
    systems[rows.ids[i]].insert(rows.rows[i].find("system")->string());
  }
  EXPECT_EQ(systems.size(), 40U);
  for (const auto& [id, of] : systems) EXPECT_EQ(of.size(), 2U) << id;
  fill("sheet.csv");
  const Json json = estimate("sheet.csv");
  const Keys pair{
      .metric = "f1", .system = "one", .against = "two", .source = "both", .method = "t"};
  const double difference = value_of(json, "difference", pair);
  EXPECT_NEAR(difference, 0.4, 0.15);  // 80% and 40% are right
  // The same call gives the same sheet, another seed another one.
  EXPECT_EQ(chosen({"--budget", "80", "--system", "system"}, "again.csv"), text);
  EXPECT_NE(chosen({"--budget", "80", "--system", "system", "--seed", "1"}, "other.csv"), text);
}

// Scores that are no metrics of this call, other people's labels and what a metric said stay away.
TEST_F(ChooseCommand, WhatWouldLeadPeopleIsNotInTheSheet) {
  std::string rows;
  for (int i = 0; i < 20; ++i) {
    rows += "{\"id\": " + std::to_string(i) +
            ", \"candidate\": \"x\", \"score\": 5, \"verdict\": "
            "\"right\", \"explanation\": \"y\", \"kind\": \"old\", \"rating\": 5, \"response\": "
            "\"1969\", \"seen\": {\"f1\": \"trained\"}, \"likelihood_tokens\": [-1.5], \"scores\": "
            "{\"f1\": 0." +
            std::to_string(i) + "}}\n";
  }
  folder_.write("scored.jsonl", rows);
  expect_contains(chosen({"--budget", "4", "--human", "good"}, "sheet.csv"),
                  "good,id,candidate,kind,response,probability,stratum\n");
  std::string table = "id,candidate,year,f1,seen.f1,em,rating,run\n";
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    table += number + ",x,in " + number + "," + number + ",tuned," + number + ",,1\n";
  }
  folder_.write("scored.jsonl", table);
  expect_contains(
      chosen({"--budget", "4", "--metric", "f1", "--system", "run", "--input-format", "csv"},
             "second.csv"),
      "verdict,id,candidate,year,run,probability,stratum\n");
}

TEST_F(ChooseCommand, WhatMayBeALabelIsNoted) {
  std::string rows;
  for (int i = 0; i < 20; ++i) {
    rows += "{\"id\": " + std::to_string(i) + ", \"candidate\": \"x\", \"rating\": 5, " +
            "\"is_odd\": true, \"scores\": {\"f1\": 0.5}}\n";
  }
  folder_.write("scored.jsonl", rows);
  const Outcome outcome = choose({"--budget", "10", "--output", folder_.file("sheet.csv")});
  expect_contains(outcome.out,
                  "not in the sheet, because labels or scores would lead people: rating, is_odd");
}

TEST_F(ChooseCommand, ASecondSheetGoesOn) {
  chosen({"--budget", "60", "--system", "system"}, "first.csv");
  EXPECT_EQ(choose({"--budget", "60", "--system", "system"}).code, 2);  // no --output
  fill("first.csv", 50);
  const std::vector<std::string> options = {
      "--budget", "120",   "--method", "score",
      "--metric", "f1",    "--labels", folder_.file("first.csv"),
      "--system", "system"};
  std::vector<std::string> with_output = options;
  with_output.insert(with_output.end(), {"--output", folder_.file("second.csv")});
  const Outcome outcome = done(choose(with_output));
  expect_contains(outcome.out, "of these without a label");
  with_output.insert(with_output.end(), {"--format", "json"});
  const Json result = Json::parse(choose(with_output).out, "stdout");
  EXPECT_EQ(value_of(result, "answers"), 200);
  EXPECT_EQ(value_of(result, "earlier"), 60);
  EXPECT_EQ(value_of(result, "unlabelled"), 10);
  EXPECT_EQ(value_of(result, "chosen"), 60);
  EXPECT_EQ(value_of(result, "lowest_score", {.subset = "stratum 1"}), 0);
  double of_strata = 0;
  for (const Json& one : result.find("measurements")->array()) {
    const bool is_of_stratum = one.find("subset") != nullptr;
    if (is_of_stratum && one.find("statistic")->string() == "chosen") {
      of_strata += one.find("value")->number();
    }
  }
  EXPECT_EQ(of_strata, 60);
  with_output.resize(with_output.size() - 2);
  expect_contains(outcome.out, "By score");
  expect_contains(outcome.err, "rubric estimate --all " + folder_.file("scored.jsonl") +
                                   " --labels " + folder_.file("second.csv") +
                                   " --human verdict --system system --metric f1");
  with_output.insert(with_output.end(), {"--field", "question=question"});
  expect_contains(choose(with_output).err, "--metric f1 --field question=question\n");
  const data::ScoredSource first = sheet("first.csv"), second = sheet("second.csv");
  std::map<std::string, std::string> labels;
  double stands_for = 0;
  std::map<std::string, std::set<std::string>> strata;
  for (size_t i = 0; i < second.rows.size(); ++i) {
    strata[second.rows[i].find("stratum")->string()].insert(second.ids[i]);
    labels[second.ids[i] + second.rows[i].find("system")->string()] =
        second.rows[i].find("verdict")->string();
    stands_for += 1 / std::stod(second.rows[i].find("probability")->string());
  }
  for (size_t i = 0; i < first.rows.size(); ++i) {
    const std::string& verdict = first.rows[i].find("verdict")->string();
    const std::string key = first.ids[i] + first.rows[i].find("system")->string();
    ASSERT_TRUE(labels.contains(key)) << key;
    EXPECT_EQ(labels[key], verdict.empty() ? "" : verdict == "yes" ? "1" : "0");
  }
  EXPECT_NEAR(stands_for, 200, 20);
  // Earlier rows are as they were, and of each new stratum there are two questions or more.
  EXPECT_EQ(strata.at("1").size(), 30U);
  EXPECT_GT(strata.size(), 3U);
  for (const auto& [stratum, questions] : strata) EXPECT_GE(questions.size(), 2U) << stratum;
  fill("second.csv");
  const Json with_draw = estimate("second.csv");
  EXPECT_EQ(with_draw.dump().find("was not read"), std::string::npos);
  // The sheet tells by itself how it was drawn, unless its columns have other names.
  const std::vector<std::string> command = {
      "rubric",   "estimate", "--all",    folder_.file("scored.jsonl"),
      "--labels", "",         "--human",  "verdict",
      "--system", "system",   "--metric", "f1",
      "--format", "json"};
  const auto of_sheet = [&](const std::string& name) {
    std::vector<std::string> arguments = command;
    arguments[5] = folder_.file(name);
    return printed_json(run(arguments));
  };
  const Json by_itself = of_sheet("second.csv");
  EXPECT_EQ(by_itself.find("measurements")->dump(), with_draw.find("measurements")->dump());
  expect_contains(by_itself.find("notes")->dump(),
                  "the sheet's columns probability and stratum say how its labels were drawn");
  std::string renamed = read_file(folder_.file("second.csv"));
  renamed.replace(renamed.find("stratum"), std::string("stratum").size(), "layer");
  folder_.write("renamed.csv", renamed);
  const Json as_alike = of_sheet("renamed.csv");
  EXPECT_NE(as_alike.find("measurements")->dump(), with_draw.find("measurements")->dump());
  expect_contains(as_alike.find("notes")->dump(), "give --probability probability");
}

// A sheet of unequal probabilities says so beside the columns that tell them, which people take
// out.
TEST_F(ChooseCommand, ASheetWithoutItsProbabilitiesIsRefused) {
  const auto columns = [&](const std::string& name, const std::set<std::string>& without) {
    std::string text;
    const data::ScoredSource rows = sheet(name);
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      std::string header, line;
      for (const auto& [field, value] : rows.rows[i].object()) {
        if (without.contains(field)) continue;
        header += (header.empty() ? "" : ",") + (field == "probability" ? "weight" : field);
        const bool is_label = field == "verdict";
        const std::string cell = is_label ? (i % 3 == 0 ? "no" : "yes") : data::name_of(&value);
        line += (line.empty() ? "" : ",") + std::string("\"") +
                (field == "candidate" ? "x" : cell) + "\"";
      }
      if (i == 0) text = header + "\n";
      text += line + "\n";
    }
    return folder_.write("labels.csv", text).string();
  };
  const auto estimate_of = [&](const std::string& labels, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"rubric", "estimate", "--all", folder_.file("scored.jsonl"),
                               "--labels", labels, "--human", "verdict", "--system", "system"});
    return run(more);
  };
  chosen({"--budget", "60", "--system", "system", "--method", "disagreement"}, "sheet.csv");
  const std::string dropped = columns("sheet.csv", {"probability", "stratum", "candidate"});
  for (const char* const command : {"estimate", "plan"}) {
    std::vector<std::string> arguments = {
        "rubric",   command, "--all",   folder_.file("scored.jsonl"),
        "--labels", dropped, "--human", "verdict",
        "--system", "system"};
    if (command == std::string("plan")) arguments.insert(arguments.end(), {"--width", "0.1"});
    expect_message(run(arguments), 2,
                   {"drew these answers with unequal probabilities", "put them back"});
  }
  const std::string renamed = columns("sheet.csv", {"candidate"});  // "weight", and the stratum
  expect_message(estimate_of(renamed), 2, {"unequal probabilities", "--probability weight"});
  EXPECT_EQ(estimate_of(renamed, {"--probability", "weight", "--strata", "stratum"}).code, 0);
  expect_message(choose({"--labels", dropped, "--budget", "80", "--system", "system", "--output",
                         folder_.file("more.csv")}),
                 2, {"the earlier sheet was drawn with unequal probabilities"});
  const std::string unmarked = columns("sheet.csv", {"candidate", "sheet_draw"});
  const Outcome outcome = done(estimate_of(unmarked));
  expect_contains(outcome.err, "the column weight of " + unmarked + " was not read");
  // A sheet of equal ones needs none.
  chosen({"--budget", "60", "--system", "system"}, "alike.csv");
  EXPECT_FALSE(holds(read_file(folder_.file("alike.csv")), "sheet_draw"));
  EXPECT_EQ(estimate_of(columns("alike.csv", {"probability", "stratum", "candidate"})).code, 0);
}

// Of ids and labels alone the metrics tell it: where they disagree more answers were drawn.
TEST_F(ChooseCommand, IdsAndLabelsOfAnUnequalSheetAreNoRandomDraw) {
  std::string rows = "id,f1,em\n";
  for (int i = 0; i < 1200; ++i) {
    const int rank = i * 7 % 1200;
    const bool agrees = i % 6 != 0;
    rows += "q" + std::to_string(i) + "," + std::to_string(rank) + "," +
            std::to_string(agrees ? rank : 1199 - rank) + "\n";
  }
  folder_.write("scored.jsonl", rows);
  const auto told = [&](const char* method) {
    chosen({"--budget", "200", "--method", method, "--input-format", "csv"},
           method + std::string(".csv"));
    std::string labels = "id,verdict\n";
    for (const std::string& id : sheet(method + std::string(".csv")).ids) {
      labels += id + "," + (std::stoi(id.substr(1)) % 3 == 0 ? "no" : "yes") + "\n";
    }
    const Outcome outcome =
        done(run({"rubric", "estimate", "--all", folder_.file("scored.jsonl"), "--input-format",
                  "csv", "--labels", folder_.write("labels.csv", labels), "--human", "verdict"}));
    return outcome.out + outcome.err;
  };
  expect_contains(told("disagreement"), "the labels are no random draw");
  EXPECT_FALSE(holds(told("random"), "no random draw"));
}

TEST_F(ChooseCommand, ASheetWithLabelsIsNotReplaced) {
  const std::vector<std::string> options = {"--budget", "20", "--system", "system"};
  const std::string sheet = chosen(options, "sheet.csv");
  EXPECT_EQ(chosen(options, "sheet.csv"), sheet);  // the same again
  fill("sheet.csv");
  const std::string filled = read_file(folder_.file("sheet.csv"));
  std::vector<std::string> again = options;
  again.insert(again.end(), {"--output", folder_.file("sheet.csv")});
  expect_message(choose(again), 2, {"another file of this name, which may hold labels"});
  EXPECT_EQ(read_file(folder_.file("sheet.csv")), filled);
}

TEST_F(ChooseCommand, RowsThatAreNotFilledInAreNoted) {
  chosen({"--budget", "40", "--system", "system"}, "sheet.csv");
  const auto noted = [&](size_t most) {
    fill("sheet.csv", most);
    const Outcome outcome = done(run({"rubric", "estimate", "--all", folder_.file("scored.jsonl"),
                                      "--labels", folder_.file("sheet.csv"), "--human", "verdict",
                                      "--system", "system", "--metric", "f1"}));
    return outcome.out.find("of 40 rows of ") != std::string::npos;
  };
  EXPECT_TRUE(noted(39));
  EXPECT_FALSE(noted(40));
  // Where probabilities are read, the labels of half a sheet cannot stand for all answers.
  chosen({"--budget", "160", "--system", "system"}, "wide.csv");
  fill("wide.csv", 60);
  expect_message(run({"rubric", "estimate", "--all", folder_.file("scored.jsonl"), "--labels",
                      folder_.file("wide.csv"), "--human", "verdict", "--system", "system",
                      "--metric", "f1", "--probability", "probability"}),
                 2,
                 {"100 rows have no label, and without them the labels of one stand for ",
                  "label all rows of the sheet"});
}

TEST_F(ChooseCommand, APageIsFilledInInABrowser) {
  const std::string page = chosen({"--budget", "5", "--system", "system"}, "sheet.html");
  for (const char* part : {"<table class=\"reading\">", "id=\"sheet\">{\"file\": \"sheet.csv\"",
                           "Save as CSV", "\"probability\", \"stratum\"]", "Question, "}) {
    expect_contains(page, part);
  }
  EXPECT_EQ(page.find("</script> \""), std::string::npos);
  const Outcome json = choose({"--budget", "4", "--system", "system", "--output",
                               folder_.file("x.csv"), "--format", "json"});
  const Json result = Json::parse(json.out, "stdout");
  const Json::Array& rows = result.find("records")->find("sheet")->array();
  EXPECT_EQ(rows.size(), 4U);
}

TEST_F(ChooseCommand, RandomNeedsNoScores) {
  std::string table = "id,candidate,year\n";
  for (int i = 0; i < 20; ++i) table += std::to_string(i) + ",x,1999\n";
  folder_.write("scored.jsonl", table);
  const std::vector<std::string> options = {"--budget", "4", "--input-format", "csv"};
  expect_contains(chosen(options, "sheet.csv"), "verdict,id,candidate,probability,stratum\n");
  // Nor do rows have to be scored, and numbers that may be scores are not shown.
  folder_.write("scored.jsonl",
                "{\"id\": 1, \"candidate\": \"x\", \"f1\": 0.5}\n{\"id\": 2, \"candidate\": "
                "\"y\"}\n{\"id\": 3, \"candidate\": \"z\"}\n");
  expect_contains(chosen({"--budget", "3"}, "second.csv"),
                  "verdict,id,candidate,probability,stratum\n");
}

// Once, whether there is an earlier sheet or none.
TEST_F(ChooseCommand, MeansOnTwoScalesAreSaidOnce) {
  const auto write = [&](double of_two) {
    std::string rows;
    for (int q = 0; q < 100; ++q) {
      for (const std::string system : {"one", "two"}) {
        Json row;
        row["id"] = std::to_string(q);
        row["system"] = system;
        row["question"] = "Question " + std::to_string(q) + "?";
        row["scores"] = Json::Object{{"f1", system == "one" ? q % 7 / 7.0 : of_two * (q % 7) / 7}};
        rows += row.dump() + "\n";
      }
    }
    folder_.write("scored.jsonl", rows);
  };
  const auto times_said = [&](const std::string& sheet, std::vector<std::string> more) {
    more.insert(more.end(), {"--system", "system", "--method", "score", "--metric", "f1",
                             "--output", folder_.file(sheet)});
    const std::string err = done(choose(more)).err, what = "f1: the scores of one lie between";
    int64_t times = 0;
    for (size_t at = 0; (at = err.find(what, at)) != err.npos; ++at) ++times;
    return times;
  };
  write(100);
  EXPECT_EQ(times_said("first.csv", {"--budget", "80"}), 1);
  fill("first.csv");
  EXPECT_EQ(times_said("second.csv", {"--budget", "100", "--labels", folder_.file("first.csv")}),
            1);
  write(1);
  EXPECT_EQ(times_said("third.csv", {"--budget", "80"}), 0);
}

// A sheet at random needs no scores, and those of some of its answers may be missing later.
TEST_F(ChooseCommand, ASecondSheetLeavesOutAnswersWithoutAScore) {
  constexpr int kWithout = 20;
  std::string rows;
  const data::ScoredSource scored =
      data::read_scored_source(folder_.file("scored.jsonl"), data::InputFormat::kJsonl);
  for (Json row : scored.rows) {
    if (std::stoi(row.find("id")->string()) < kWithout) row["scores"] = Json::Object{};
    rows += row.dump() + "\n";
  }
  folder_.write("scored.jsonl", rows);
  chosen({"--budget", "60", "--system", "system"}, "first.csv");
  const data::ScoredSource drawn = sheet("first.csv");
  std::string labels = "id,system,verdict\n";  // without probabilities: drawn alike from all
  int without = 0;
  for (size_t i = 0; i < drawn.rows.size(); ++i) {
    labels += drawn.ids[i] + "," + drawn.rows[i].find("system")->string() + ",yes\n";
    without += std::stoi(drawn.ids[i]) < kWithout ? 1 : 0;
  }
  ASSERT_GT(without, 0);
  folder_.write("first.csv", labels);
  chosen({"--budget", "120", "--method", "score", "--metric", "f1", "--missing", "drop", "--labels",
          folder_.file("first.csv"), "--system", "system"},
         "second.csv");
  // Of 160 answers with a score each was drawn by 60 in 200; the new ones are questions of two.
  const double all = 200, first = 60, budget = 120, with_score = 160;
  const double kept = first - without, more = budget - kept;
  const double part = std::max(more / budget, more / (with_score - kept));
  const data::ScoredSource second = sheet("second.csv");
  int earlier = 0;
  for (size_t i = 0; i < second.rows.size(); ++i) {
    EXPECT_GE(std::stoi(second.ids[i]), kWithout);
    if (second.rows[i].find("stratum")->string() != "1") continue;
    ++earlier;
    EXPECT_EQ(second.rows[i].find("verdict")->string(), "1");
    EXPECT_NEAR(std::stod(second.rows[i].find("probability")->string()),
                1 / ((1 - part) * all / first + part), 1e-6);
  }
  EXPECT_EQ(earlier, 60 - without);
}

constexpr const char* kTooFewLabels = "needs at least 10 labels of each system,";

// Ties make fewer strata, and questions are drawn whole.
TEST_F(ChooseCommand, WhatIsLessThanAskedForIsTold) {
  const std::string file = folder_.file("x.csv");
  const Outcome outcome = choose({"--budget", "51", "--system", "system", "--method", "score",
                                  "--metric", "em", "--output", file});
  expect_says(outcome.out, {"2 strata in place of 5, because many answers have the same score",
                            "50 rows for a budget of 51: a question is drawn with all its "
                            "answers, of which there are 2 on average"});
  EXPECT_EQ(outcome.out.find(kTooFewLabels), std::string::npos);
}

TEST_F(ChooseCommand, ASheetWithTooFewLabelsForAnEstimateIsTold) {
  const std::vector<std::string> options = {"--system", "system", "--output", folder_.file("x.csv"),
                                            "--budget"};
  const auto drawn = [&](const char* budget) {
    std::vector<std::string> all = options;
    all.emplace_back(budget);
    const std::string out = choose(all).out;
    std::filesystem::remove(folder_.file("x.csv"));
    return out;
  };
  expect_contains(drawn("18"), std::string(kTooFewLabels) +
                                   " and this sheet has fewer rows "
                                   "(one: 9, two: 9): draw it with a larger --budget");
  EXPECT_EQ(drawn("20").find(kTooFewLabels), std::string::npos);
}

TEST_F(ChooseCommand, ASecondSheetIsDrawnAsTheFirst) {
  std::string rows = read_file(folder_.file("scored.jsonl"));  // ids alone would tell it, else
  for (size_t at = 0; (at = rows.find("\"system\"", at)) != std::string::npos;) {
    rows.replace(at, 8, "\"constituent\"");
  }
  folder_.write("scored.jsonl", rows);
  chosen({"--budget", "40", "--system", "constituent"}, "together.csv");
  const std::vector<std::string> second = {"--budget", "60", "--output", folder_.file("more.csv")};
  const auto after = [&](const std::string& sheet) {
    std::vector<std::string> options = second;
    options.insert(options.end(), {"--labels", folder_.file(sheet)});
    return choose(options);
  };
  expect_message(after("together.csv"), 2,
                 {"it was drawn with --system", "give the same --system"});
  folder_.write("page.html", "<html></html>");
  expect_message(after("page.html"), 2, {"the page to fill in", "Save as CSV"});
  chosen({"--budget", "40"}, "apart.csv");
  EXPECT_EQ(after("apart.csv").code, 0);
}

TEST_F(ChooseCommand, WhatDoesNotFitIsRefused) {
  const std::string output = folder_.file("sheet.csv");
  const auto refused = [&](std::vector<std::string> options,
                           const std::vector<std::string>& parts) {
    if (std::ranges::count(options, "--output") == 0) {
      options.insert(options.end(), {"--output", output});
    }
    options.insert(options.end(), {"--system", "system"});
    expect_message(choose(options), 2, parts);
  };
  refused({"--budget", "201"}, {"the budget is 201 and there are 200 answers"});
  refused({"--budget", "1"}, {"the budget leaves 1 row", "drawn together"});
  refused({"--method", "scores"}, {"method", "did you mean score"});
  for (const std::string field : {"candidate", "id", "system"}) {
    refused({"--human", field}, {"is called " + field + ", as a field of the answers is"});
  }
  refused({"--method", "disagreement", "--metric", "f1"}, {"one metric cannot disagree"});
  refused({"--method", "score"}, {"no ten labels tell how to combine them"});
  refused({"--output", folder_.file("sheet.txt")}, {"name it .csv, or .html"});
  refused({"--output", folder_.file("scored.jsonl")}, {"this would replace"});
  refused({"--human", "probability"}, {"the column to fill in is called"});
  refused({"--human", "stratum"}, {"the column to fill in is called"});
  refused({"--metric", "f2"}, {"no row has a score \"f2\"", "did you mean f1?"});
  const std::string header = "id,system,verdict,probability\n";
  for (const auto& [rows, part] : std::map<std::string, std::string>{
           {"7,one,1,0\n", "the probability \"probability\" is 0"},
           {"7,one,1,1.5\n", "the probability \"probability\" is 1.5"},
           {"7,one,1,0.5\n8,one,1,\n", "1 row of the earlier sheet has no probability"},
           {"7,one,1,0.9\n8,one,1,0.9\n", "the labels stand for 2.22 answers"},
           {"777,one,1,0.5\n", "labels of 1 answer not in "},
           {"7,one,1,0.5\n7,one,0,0.5\n", "several labels"},
           {"7,one,maybe,0.01\n", "must be a number, true or false"}}) {
    const std::string labels = folder_.write("labels.csv", header + rows);
    refused({"--labels", labels}, {part});
  }
  folder_.write("labels.csv", header + "7,one,1,0.01\n8,two,1,0.01\n");
  refused({"--labels", folder_.file("labels.csv"), "--budget", "2"},
          {"the budget is 2 and the earlier sheet has 2 rows"});
  folder_.write("scored.jsonl", "{\"scores\": {\"f1\": 1}}\n");
  expect_message(choose({"--output", output}), 2, {"1 row has no \"id\""});
}

TEST_F(ChooseCommand, RowsWithoutIdsAreKnownByTheirQuestions) {
  std::string rows = "prompt,model,reply,f1\n";
  for (int i = 0; i < 20; ++i) {
    const std::string question = "why " + std::to_string(i) + "?";
    rows += question + ",one,a,0.5\n" + question + ",two,b,0.25\n";
  }
  folder_.write("own.csv", rows);
  const std::string sheet = folder_.file("sheet.csv");
  done(run({"rubric", "choose", "--input", folder_.file("own.csv"), "--system", "model", "--field",
            "question=prompt", "--field", "candidate=reply", "--budget", "10", "--output", sheet}));
  const std::string text = read_file(sheet);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "verdict,id,question,model,candidate,probability,stratum");
  expect_contains(text, "why ");
}

}  // namespace rubric::cli::choose_test
