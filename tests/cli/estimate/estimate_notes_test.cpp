// Labels of which `estimate` doubts that they are what was meant, and systems without enough.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/estimate_command.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric::cli::estimate_notes_test {

// 60 questions, answered by three systems; the first 40 have labels, unless `label` gives "".
template <class Label>
std::string three_systems(Label label) {
  std::string rows = "id,system,f1,verdict\n";
  for (int q = 0; q < 60; ++q) {
    for (const std::string system : {"a", "b", "c"}) {
      rows += std::to_string(q) + "," + system + "," + std::to_string((q * 7 + system[0]) % 10) +
              "," + (q < 40 ? label(q, system) : "") + "\n";
    }
  }
  return rows;
}

TEST_F(EstimateCommand, SystemsThatAreNotToldApartAreNoted) {
  std::string rows = "id,system,f1,verdict\n";
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i) + (i < 20 ? ",a," : ",b,") + std::to_string(i % 7) + "," +
            std::to_string(i % 2) + "\n";
  }
  folder_.write("all.csv", rows);
  const std::string note =
      "the rows name several in the field \\\"system\\\", which --system takes";
  expect_contains(json_of("all.csv", {"--human", "verdict"}).find("notes")->dump(), note);
  const Json told = json_of("all.csv", {"--human", "verdict", "--system", "system"});
  EXPECT_EQ(told.find("notes")->dump().find("which --system takes"), std::string::npos);
  write_answers();  // without systems
  EXPECT_EQ(json_of("all.csv", {"--labels", "labels.csv", "--human", "verdict"})
                .find("notes")
                ->dump()
                .find("which --system takes"),
            std::string::npos);
}

// What a model has seen, and means on two scales, are of the rows and not of a command.
TEST_F(EstimateCommand, WhatIsTrueOfTheScoresIsSaidByEveryCommand) {
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    const bool is_share = i % 2 == 0;
    rows += R"({"id": )" + std::to_string(i) + R"(, "model": ")" + (is_share ? "a" : "b") +
            R"(", "verdict": )" + std::to_string(i % 3) + R"(, "scores": {"lerc": )" +
            std::to_string(i % 7 / (is_share ? 7.0 : 0.07)) + "}" +
            (i < 20 ? R"(, "seen": {"lerc": "trained"})" : "") + "}\n";
  }
  const std::string file = folder_.write("all.jsonl", rows).string();
  const std::vector<std::vector<std::string>> commands = {
      {"estimate", "--all", file},
      {"plan", "--all", file, "--width", "0.1"},
      {"evaluate", "agreement", "--input", file}};
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(command.front());
    command.insert(command.begin(), "rubric");
    command.insert(command.end(), {"--human", "verdict"});
    const Outcome outcome = done(run(command));
    expect_contains(outcome.out,
                    "lerc: its model was trained on the questions of 20 rows and tuned on "
                    "those of 0, of 60");
    expect_contains(outcome.err,
                    "lerc: the scores of a lie between 0 and 1, and those of b reach 85.7");
  }
}

// Of labels in their own file: the same values are the label, others are another judge's.
TEST_F(EstimateCommand, AScoreOfTheLabelsNameIsComparedWithTheLabels) {
  std::string same, other, labels = "id,verdict\n";
  for (int i = 0; i < 40; ++i) {
    const std::string id = std::to_string(i);
    const std::string row =
        R"({"id": )" + id + R"(, "scores": {"f1": 0.)" + id + R"(, "verdict": )";
    same += row + std::to_string(i % 2) + "}}\n";
    other += row + std::to_string(i % 3) + "}}\n";
    if (i < 20) labels += id + "," + std::to_string(i % 2) + "\n";
  }
  folder_.write("same.jsonl", same);
  folder_.write("other.jsonl", other);
  folder_.write("labels.csv", labels);
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human", "verdict"};
  std::vector<std::string> named = options;
  named.insert(named.end(), {"--metric", "verdict"});
  expect_refused("same.jsonl", named,
                 {"the score \"verdict\" of every labelled answer is its label"});
  EXPECT_EQ(json_of("same.jsonl", options).dump().find("\"metric\":\"verdict\""),
            std::string::npos);
  value_of(json_of("other.jsonl", options), "correlation",
           {.metric = "verdict", .source = "both", .method = "t"});
  done(estimate("other.jsonl", named));
}

TEST_F(EstimateCommand, RowsWithoutQuestionsAreNoted) {
  const auto notes = [&](bool has_id, bool has_question) {
    std::string rows = std::string("system,f1,verdict") + (has_id ? ",id" : "") +
                       (has_question ? ",question" : "") + "\n";
    for (int i = 0; i < 40; ++i) {
      const std::string question = std::to_string(i / 2);
      rows += std::string(i % 2 == 0 ? "a," : "b,") + std::to_string(i % 7) + "," +
              std::to_string(i / 2 % 2) + (has_id ? "," + question : "") +
              (has_question ? ",What is " + question + "?" : "") + "\n";
    }
    folder_.write("all.csv", rows);
    return json_of("all.csv", {"--human", "verdict", "--system", "system"}).find("notes")->dump();
  };
  expect_contains(notes(false, false),
                  "no row has a \\\"question\\\": rows are taken as independent, and differences "
                  "between systems are not paired by question; --field question=FIELD names it");
  expect_contains(notes(true, false), "rows of one id are taken for answers to one question");
  EXPECT_FALSE(holds(notes(false, true), "no row has a"));
}

// From 30 labelled questions on, where the warning of few labels is not there.
TEST_F(EstimateCommand, FewDegreesOfFreedomAreNoted) {
  const auto notes = [&](int zeros) {
    std::string rows = "id,f1,verdict\n";
    for (int i = 0; i < 200; ++i) {
      const std::string verdict = i >= 60 ? "" : i * 7 % 60 < zeros ? "0" : "1";
      rows += std::to_string(i) + "," + std::to_string(i * 13 % 11) + "," + verdict + "\n";
    }
    folder_.write("all.csv", rows);
    return json_of("all.csv", {"--human", "verdict"}).find("notes")->dump();
  };
  expect_says(notes(2), {"nearly all of the error comes from a few labels", " in place of 59)"});
  EXPECT_FALSE(holds(notes(20), "comes from a few labels"));
}

// As lm-evaluation-harness names it, for all commands that read ids.
TEST_F(EstimateCommand, ADocIdIsAnId) {
  std::string all, labels;
  for (int i = 0; i < 60; ++i) {
    const std::string id = "{\"doc_id\": " + std::to_string(i);
    all += id + ", \"scores\": {\"f1\": " + std::to_string(i * 7 % 10) + "}}\n";
    if (i % 2 == 0) labels += id + ", \"verdict\": " + std::to_string(i % 3 % 2) + "}\n";
  }
  folder_.write("all.jsonl", all);
  const std::string sheet = folder_.file("sheet.csv");
  const Json json = json_of(
      "all.jsonl", {"--labels", folder_.write("labels.jsonl", labels), "--human", "verdict"});
  EXPECT_EQ(value_of(json, "labels", {}), 30);
  done(run({"rubric", "choose", "--input", folder_.file("all.jsonl"), "--budget", "20", "--output",
            sheet}));
  expect_contains(read_file(sheet), "verdict,id,");
}

TEST_F(EstimateCommand, ASystemWithoutEnoughLabelsLeavesTheOthersTheirEstimates) {
  const auto parity = [](int q) { return std::to_string(q % 2); };
  struct Case {
    std::string label_of_c, told;
    bool only_first;
  };
  for (const Case& of_case :
       {Case{"1", "c has no estimate, with 40 labels that are all equal", false},
        Case{"", "c has no estimate, with no label", false},
        Case{"1", "c has no estimate, with only 9 labels", true}}) {
    SCOPED_TRACE(of_case.told);
    folder_.write("all.csv", three_systems([&](int q, const std::string& system) {
                    if (system != "c") return parity(q);
                    return of_case.only_first && q >= 9 ? "" : of_case.label_of_c;
                  }));
    const Json json = json_of("all.csv", {"--human", "verdict", "--system", "system"});
    const auto of = [&](const std::string& statistic, const Keys& keys) -> const Json& {
      return measured(json, statistic, keys);
    };
    EXPECT_NEAR(
        of("mean", {.system = "a", .source = "labels", .method = "t"}).find("value")->number(), 0.5,
        1e-12);
    const Json& mean = of("mean", {.system = "c", .source = "labels", .method = "t"});
    EXPECT_TRUE(mean.find("value")->is_null());
    EXPECT_EQ("c has no estimate, with " + mean.find("why_missing")->string(), of_case.told);
    Keys pair{.system = "a", .against = "b", .source = "labels", .method = "t"};
    EXPECT_FALSE(of("difference", pair).find("value")->is_null());
    pair.against = "c";
    EXPECT_TRUE(of("difference", pair).find("value")->is_null());
    EXPECT_EQ(of("difference", pair).find("why_missing")->string(),
              "c has " + mean.find("why_missing")->string());
    const Keys of_f1{.metric = "f1", .source = "both", .method = "t"};
    EXPECT_FALSE(of("correlation", of_f1).find("value")->is_null());
    expect_contains(json.find("notes")->dump(), of_case.told);
    expect_contains(estimate("all.csv", {"--human", "verdict", "--system", "system"}).out,
                    "Of the systems with an estimate, without “c”, “");
    // The correlations are of all answers where c has labels at all.
    EXPECT_EQ(
        json.find("notes")->dump().find("correlations are of the systems") != std::string::npos,
        of_case.label_of_c.empty());
    EXPECT_EQ(json.find("notes")->dump().find("c: f1"), std::string::npos);
    const Outcome plan = done(run({"rubric", "plan", "--all", folder_.file("all.csv"), "--human",
                                   "verdict", "--system", "system", "--difference", "0.2"}));
    expect_contains(plan.out, "mean of a – that of b");
    EXPECT_EQ(plan.out.find("that of c"), std::string::npos);
  }
  // One system leaves nothing to compare.
  folder_.write("all.csv", three_systems([&](int q, const std::string& system) {
                  return system == "a" ? parity(q) : "";
                }));
  expect_refused(
      "all.csv", {"--human", "verdict", "--system", "system"},
      {"of 3 systems only a can be estimated: b: no label, c: no label",
       "label at least 10 answers of each system, with labels that are not all equal, drawn",
       "leave out the rows of such a system"});
}

TEST_F(EstimateCommand, ALabelBesideTheTextsOfAnotherAnswerIsRefused) {
  std::string all = "id,question,candidate,f1\n", labels = "id,question,candidate,verdict\n";
  std::string shifted = labels;
  for (int i = 0; i < 40; ++i) {
    const std::string id = std::to_string(i), texts = ",\"Who is\nno. " + id + "?\",man " + id;
    all += id + texts + "," + std::to_string(i % 7) + "\n";
    if (i >= 20) continue;
    const std::string verdict = "," + std::to_string(i % 2) + "\n";
    labels += id + ",\"Who is \r\nno. " + id + "? \",man " + id + verdict;  // as programs change it
    shifted += std::to_string(i + 1) + texts + verdict;
  }
  folder_.write("all.csv", all);
  folder_.write("labels.csv", labels);
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human", "verdict"};
  EXPECT_EQ(estimate("all.csv", options).code, 0);
  folder_.write("labels.csv", shifted);
  expect_refused("all.csv", options,
                 {"the label of 1 stands beside the question \"Who is\\nno. 0?\"",
                  "the question of 1 is \"Who is\\nno. 1?\"", "labels.csv:2",
                  "give every label the id of the answer beside it"});
}

// Of 40 labels, the first `changed` beside another text than the answer's.
TEST_F(EstimateCommand, TextsThatAProgramForTablesChangedAreNotedIfTheyAreFew) {
  const auto estimated = [&](int changed) {
    std::string all = "id,question,candidate,f1\n", labels = "id,question,candidate,verdict\n";
    for (int i = 0; i < 80; ++i) {
      const std::string id = std::to_string(i);
      const std::string start = "q" + id + ",Which agent is no. " + id + "?,";
      all += start + "00" + id + "," + std::to_string(i % 7) + "\n";
      const std::string text = i < changed ? id : "00" + id;
      if (i < 40) labels += start + text + "," + std::to_string(i % 2) + "\n";
    }
    folder_.write("all.csv", all);
    folder_.write("labels.csv", labels);
    return estimate("all.csv", {"--labels", "labels.csv", "--human", "verdict"});
  };
  EXPECT_EQ(estimated(0).out.find("with other texts"), std::string::npos);
  const Outcome few = done(estimated(4));
  expect_contains(few.out, "4 labels with other texts than the answers of the same id: that of q0");
  const Outcome many = estimated(5);
  EXPECT_EQ(many.code, 2);
  expect_contains(many.err, "leave the column candidate out of the labels");
}

// 400 answers in the order of their scores, of which some have labels: the labels of the best 40
// give a mean far too high, and a draw of 40 does not.
TEST_F(EstimateCommand, LabelsThatAreNoDrawAreNoted) {
  const auto write = [&](const std::function<bool(int)>& is_labelled, bool is_sheet) {
    std::string all = "id,f1,half\n",
                labels = "id,verdict" + std::string(is_sheet ? ",probability,stratum" : "") + "\n";
    for (int i = 0; i < 400; ++i) {
      const std::string id = "q" + std::to_string(i);
      all += id + "," + std::to_string(i / 400.0) + (i < 200 ? ",low\n" : ",high\n");
      if (!is_labelled(i)) continue;
      labels += id + "," + std::to_string(i % 10 * 50 < i ? 1 : 0) +
                (is_sheet ? (i < 200 ? ",0.05,1" : ",0.2,2") : "") + "\n";
    }
    folder_.write("all.csv", all);
    folder_.write("labels.csv", labels);
  };
  const auto notes = [&](const std::vector<std::string>& options = {}) {
    std::vector<std::string> all = {"--labels", "labels.csv", "--human",
                                    "verdict",  "--metric",   "f1"};
    all.insert(all.end(), options.begin(), options.end());
    const Json json = json_of("all.csv", all);
    const Json* const found = json.find("notes");
    return found == nullptr ? std::string() : found->dump();
  };
  const std::string no_draw = "the labels are no random draw: the mean of f1 is ";
  write([](int i) { return i >= 360; }, false);
  expect_contains(notes(), no_draw + "0.949 in the 40 answers with labels and 0.499 in all 400");
  expect_contains(notes(), "none of 999 random draws");
  write([](int i) { return i >= 180 && i < 220; }, false);
  expect_contains(notes(), "the variance of f1 is ");
  write([](int i) { return i * 37 % 400 < 40; }, false);
  EXPECT_FALSE(holds(notes(), "no random draw"));
  // Alike within strata, of which one has four times the labels.
  const auto unequal = [](int i) { return i * 37 % 200 < (i < 200 ? 10 : 40); };
  write(unequal, false);
  expect_contains(notes(), no_draw);
  EXPECT_FALSE(holds(notes({"--strata", "half"}), "no random draw"));
  write(unequal, true);  // a sheet of `choose` says how its labels were drawn
  EXPECT_FALSE(holds(notes(), "no random draw"));
}

// A sheet of `choose --method score` without its columns of the draw: many of the middle scores and
// of both ends, with the mean and the variance of all. Of 1,000 answers 250 have labels.
TEST_F(EstimateCommand, LabelsOfSomeStrataOfScoresAreNoted) {
  const std::vector<int> of_fifths = {60, 10, 110, 10, 60};
  std::string all = "id,f1\n", unequal = "id,verdict\n", equal = unequal;
  for (int i = 0; i < 1'000; ++i) {
    const std::string id = "q" + std::to_string(i),
                      row = id + "," + std::to_string(i % 3 % 2) + "\n";
    all += id + "," + std::to_string(i / 1000.0) + "\n";
    const int in_fifth = i * 37 % 200;
    if (in_fifth < of_fifths[static_cast<size_t>(i / 200)]) unequal += row;
    if (in_fifth < 50) equal += row;
  }
  folder_.write("all.csv", all);
  folder_.write("labels.csv", unequal);
  folder_.write("equal.csv", equal);
  const auto notes = [&](const std::string& labels) {
    return json_of("all.csv", {"--labels", labels, "--human", "verdict"}).find("notes")->dump();
  };
  expect_contains(notes("labels.csv"),
                  "the labels are no random draw: the share with f1 from 0.4 to 0.6 is 0.44 in the "
                  "250 answers with labels and 0.2 in all 1000");
  EXPECT_FALSE(holds(notes("equal.csv"), "no random draw"));
}

// Of three systems two have the labels of their best answers.
TEST_F(EstimateCommand, EverySystemWhoseLabelsAreNoDrawIsNamed) {
  std::string all = "id,system,f1,verdict\n";
  for (int i = 0; i < 300; ++i) {
    for (const std::string system : {"a", "b", "c"}) {
      const bool is_labelled = system == "b" ? i * 37 % 300 < 60 : i >= 240;
      all += std::to_string(i) + "," + system + "," + std::to_string(i / 300.0) + "," +
             (is_labelled ? std::to_string(i % 3 / 2) : "") + "\n";
    }
  }
  folder_.write("all.csv", all);
  const Outcome outcome =
      done(estimate("all.csv", {"--human", "verdict", "--metric", "f1", "--system", "system"}));
  const std::string notes = outcome.out + outcome.err;
  expect_contains(notes,
                  "a, c: the labels are no random draw: the mean of f1 is 0.898 in the 60 answers "
                  "of a with labels and 0.498 in all 300; the mean of f1 is 0.898 in the 60 "
                  "answers of c with labels and 0.498 in all 300, and none of 999");
  // What is concluded from them is not told as if it held.
  expect_contains(notes, "The labels are no random draw, so do not rely on this: “");
}

TEST_F(EstimateCommand, OfManySystemsWhoseLabelsAreNoDrawTenAreNamed) {
  std::string all = "id,system,f1,verdict\n";
  for (int i = 0; i < 300; ++i) {
    for (int s = 0; s < 12; ++s) {
      all += std::to_string(i) + ",s" + std::to_string(s) + "," + std::to_string(i / 300.0) + "," +
             (i >= 240 ? std::to_string((i + s) % 3 / 2) : "") + "\n";
    }
  }
  folder_.write("all.csv", all);
  const Outcome outcome =
      estimate("all.csv", {"--human", "verdict", "--metric", "f1", "--system", "system"});
  const std::string notes = outcome.out + outcome.err;
  expect_contains(notes, "s9, … 12 in all: the labels are no random draw");
  EXPECT_FALSE(holds(notes, "answers of s10 with labels"));
}

TEST_F(EstimateCommand, OfManyGroupsTheFirstAreShown) {
  std::string all = "id,kind,f1,verdict\n";
  for (int i = 0; i < 120; ++i) {
    all += std::to_string(i) + ",k" + std::to_string(i / 2) + "," + std::to_string(i % 7) + "," +
           (i % 3 == 0 ? std::to_string(i % 2) : "") + "\n";
  }
  folder_.write("all.csv", all);
  const std::vector<std::string> options = {"--human", "verdict", "--metric",    "f1",
                                            "--group", "kind",    "--resamples", "20"};
  const Outcome shown = estimate("all.csv", options);
  expect_contains(shown.out, "the first 50 of 60 groups are shown");
  EXPECT_TRUE(holds(shown.out, "\nk49 "));
  EXPECT_FALSE(holds(shown.out, "k50"));
  expect_says(shown.out, {"no estimate for k0, with only 1 label; ", "; … 60 in all"});
  const Json json = json_of("all.csv", options);
  const Json& last = measured(json, "mean", {.group = "k59", .source = "labels", .method = "t"});
  EXPECT_EQ(last.find("why_missing")->string(), "no label");
}

TEST_F(EstimateCommand, DoubtfulLabelsAreNoted) {
  const auto notes_of = [&](const std::vector<int>& labels, std::vector<std::string> options) {
    std::string all = "id,f1,em,verdict\n";
    for (size_t i = 0; i < 80; ++i) {
      const std::string score = std::to_string(i % 2 + i % 3), id = "q" + std::to_string(i);
      all += id + "," + score + "," + std::to_string(i % 2) + ",";
      all += (i < labels.size() ? std::to_string(labels[i]) : "") + "\n";
    }
    folder_.write("all.csv", all);
    options.insert(options.end(), {"--human", "verdict"});
    options.insert(options.end(), {"--format", "json"});
    const Outcome outcome = done(estimate("all.csv", options));
    return Json::parse(outcome.out, "stdout").find("notes")->dump();
  };
  const auto has = [](const std::string& notes, const std::string& part) {
    return notes.find(part) != std::string::npos;
  };
  std::vector<int> right, ratings;
  for (int i = 0; i < 40; ++i)
    right.push_back(i % 8 == 7 ? 0 : i % 2), ratings.push_back(i % 4 + 2);
  std::vector<int> reversed = right, slip = right, low = ratings;
  for (int& label : reversed) label = 1 - label;
  EXPECT_FALSE(has(notes_of(right, {}), "labels fall"));
  EXPECT_TRUE(has(notes_of(reversed, {}), "labels fall as every metric rises"));
  EXPECT_TRUE(has(notes_of(reversed, {"--metric", "em"}), "labels fall as em rises"));
  slip[6] = 11;
  EXPECT_TRUE(has(notes_of(slip, {}), "the label of q6 is 11 (" + folder_.file("all.csv") +
                                          ":8), all others are from 0 to 1"));
  slip[7] = 11;  // no slip any more
  EXPECT_FALSE(has(notes_of(slip, {}), "all others are"));
  low[3] = 1;  // rare, and on the scale
  EXPECT_FALSE(has(notes_of(low, {}), "all others are"));
  low[3] = 9;
  EXPECT_TRUE(has(notes_of(low, {}), "the label of q3 is 9 (" + folder_.file("all.csv") +
                                         ":5), all others are from 1 to 5: if it is a slip, "
                                         "correct it; --scale 1:5 refuses such labels"));
  low[3] = -20;
  EXPECT_TRUE(has(notes_of(low, {}), "the label of q3 is -20"));
  EXPECT_FALSE(has(notes_of(low, {"--scale", "-20:5"}), "all others are"));
}

TEST_F(EstimateCommand, IntervalsBeyondTheLabelsAreNoted) {
  const auto notes_of = [&](int rare) {
    std::string all = "id,f1,verdict\n";
    for (int i = 0; i < 80; ++i) {
      all += std::to_string(i) + "," + std::to_string(i % 7) + ",";
      all += (i < 40 ? std::to_string(i % rare == 1 ? 0 : 1) : "") + "\n";
    }
    folder_.write("all.csv", all);
    return json_of("all.csv", {"--human", "verdict"}).dump();
  };
  const std::string note = "an interval reaches beyond what labels can be, 0 to 1";
  EXPECT_NE(notes_of(39).find(note), std::string::npos);
  EXPECT_EQ(notes_of(2).find(note), std::string::npos);
  // Answers without a label may be outside the labels, though not outside their scale.
  std::string all = "id,f1,verdict\n";
  for (int i = 0; i < 80; ++i) {
    all += std::to_string(i) + "," + std::to_string(i % 7) + ",";
    all += (i < 12 ? std::to_string(i == 1 ? 4 : 5) : "") + "\n";
  }
  folder_.write("all.csv", all);
  const std::vector<std::string> options = {"--human", "verdict"};
  const Json json = json_of("all.csv", options);
  ASSERT_GT(measured(json, "mean", {.source = "labels", .method = "t"}).find("high")->number(), 5);
  EXPECT_EQ(json.dump().find("reaches beyond"), std::string::npos);
  expect_contains(json_of("all.csv", {"--human", "verdict", "--scale", "1:5"}).dump(),
                  "an interval reaches beyond what labels can be, 1 to 5");
  EXPECT_EQ(json_of("all.csv", {"--human", "verdict", "--scale", "1:6"}).dump().find("reaches"),
            std::string::npos);
}

TEST_F(EstimateCommand, FilesInEachOthersPlaceAreTold) {
  write_answers();
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--metric", "f1"}}) {
    expect_refused("labels.csv", joined({"--labels", "all.csv", "--human", "verdict"}, more),
                   {"--all has 20 rows with labels, and --labels 40 rows", "change them round"});
  }
  folder_.write("sheet.html", "<html></html>");
  expect_refused("all.csv", {"--labels", "sheet.html", "--human", "verdict"},
                 {"the page to fill in", "open it in a browser", "Save as CSV"});
}

}  // namespace rubric::cli::estimate_notes_test
