// What `estimate` refuses, warns of or notes.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/estimate_command.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric::cli::estimate_refusals_test {

TEST_F(EstimateCommand, FewLabelsAreWarnedOfOrRefused) {
  write_answers();
  const Outcome few = done(estimate("all.csv", {"--labels", "labels.csv", "--human", "verdict"}));
  expect_contains(few.out, "20 labels of 20 questions: below 30 labelled questions");
  EXPECT_EQ(few.err.find("below 30"), std::string::npos);  // once is enough
  const Outcome csv =
      estimate("all.csv", {"--labels", "labels.csv", "--human", "verdict", "--format", "csv"});
  expect_contains(csv.err, "warning: 20 labels of 20 questions: below 30 labelled questions");
  folder_.write("labels.csv", "id,verdict\nq0,1\nq1,0\n");
  expect_refused("all.csv", {"--labels", "labels.csv", "--human", "verdict"},
                 {"only 2 labels", "label at least 10 answers of each system"});
  // A group with too few has no estimate, and a note says so.
  std::string all = "id,f1,kind,verdict\n";
  for (int i = 0; i < 60; ++i) {
    all += std::to_string(i) + "," + std::to_string(i % 7) + (i < 55 ? ",x," : ",y,") +
           (i % 2 == 0 ? std::to_string(i % 3) : "") + "\n";
  }
  folder_.write("all.csv", all);
  const Json json = json_of("all.csv", {"--human", "verdict", "--group", "kind"});
  const Json& mean = measured(json, "mean", {.group = "y", .source = "labels", .method = "t"});
  EXPECT_TRUE(mean.find("value")->is_null());
  EXPECT_EQ(mean.find("why_missing")->string(), "only 2 labels");
  expect_contains(json.find("notes")->dump(), "no estimate for y, with only 2 labels");
}

TEST_F(EstimateCommand, WhatIsWrongIsNamed) {
  write_answers();
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human", "verdict"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = options;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::string good = read_file(folder_.file("labels.csv"));
  append("labels.csv", "q77,1,0.5\nq78,1,0.5\n");
  expect_refused("all.csv", options,
                 {"labels of 2 answers not in ", "all.csv: ids q77, q78", "leave them"});
  folder_.write("labels.csv", good);
  expect_refused("all.csv", with({"--scale", "1:5"}),
                 {"\"verdict\" is 0", "labels.csv:3", "--scale"});
  append("labels.csv", "q20,yes,0.5\nq21,5,0.5\n");
  expect_refused("all.csv", options,
                 {"a label is a word", "labels.csv:22", "another 5", "labels.csv:23", "as words"});
  folder_.write("labels.csv", good + "q20,yes,\"0,5\"\n");
  expect_refused("all.csv", with({"--probability", "chance"}),
                 {"\"chance\" is no number: \"0,5\"", "labels.csv:22", "decimal point"});
  folder_.write("labels.csv", good);
  expect_refused("all.csv", with({"--scale", "5"}), {"expected LOW:HIGH"});
  expect_refused("all.csv", with({"--scale", "5:1"}), {"the low end is not below"});
  expect_refused("all.csv", with({"--metric", "bleu"}), {"no row has a score \"bleu\""});
  expect_refused("all.csv", with({"--metric", "verdict"}), {"also named as a metric"});
  expect_refused("all.csv", {"--labels", "labels.csv", "--human", "verdit"},
                 {"no row has the field \"verdit\"", "did you mean --human verdict?"});
  expect_refused("all.csv", {"--human", "verdict"},
                 {"no row has the field \"verdict\"", "or name the file of labels, --labels FILE"});
  expect_refused("all.csv", with({"--strata", "sort"}), {"no row has the field \"sort\""});
  expect_refused("all.csv", with({"--group", "kind", "--system", "kind"}),
                 {"--group is the field"});
  expect_refused("all.csv", with({"--report", "labels.csv"}), {"this would replace"});
  expect_message(run({"rubric", "estimate"}), 2, {"no file of scored rows is named"});
  for (const std::string value : {"-nan", "inf", "maybe"}) {
    folder_.write("labels.csv", good + "q20," + value + ",0.5\n");
    expect_refused("all.csv", options, {"must be a number, true or false", "labels.csv:22"});
  }
  folder_.write("labels.csv", "id,verdict\n");
  expect_refused("all.csv", options, {"the file has no rows"});
  // Probabilities.
  for (const auto& [value, part] : std::map<std::string, std::string>{
           {"0", "\"chance\" is 0"}, {"1.5", "\"chance\" is 1.5"}, {"", "has no probability"}}) {
    folder_.write("labels.csv", good + "q20,1," + value + "\n");
    expect_refused("all.csv", with({"--probability", "chance"}), {part, "labels.csv:22"});
  }
  // Strata of labels with probabilities are of either file.
  folder_.write("labels.csv", good + "q20,1,0.5\n");
  append("all.csv", "q40,0.5,\n");
  append("labels.csv", "q40,1,0.5\n");
  expect_refused("all.csv", with({"--probability", "chance", "--strata", "kind"}),
                 {"has no stratum \"kind\"", "labels.csv:23"});
  write_answers();
  EXPECT_EQ(estimate("all.csv", with({"--probability", "chance", "--strata", "kind"})).code, 0);
  expect_refused("all.csv", with({"--probability", "chance", "--strata", "id"}),
                 {"labels of only one question in the stratum q0"});
  expect_refused("all.csv", with({"--probability", "chance", "--strata", "kin"}),
                 {"no row has the field \"kin\""});
  // Ten labels of a quarter and ten of a half stand for 60 answers of 40, which may be by chance.
  folder_.write("labels.csv", good);
  EXPECT_EQ(estimate("all.csv", with({"--probability", "chance"})).code, 0);
  std::string rare = good;
  for (size_t at = 0; (at = rare.find("0.5\n", at)) != std::string::npos; ++at) {
    rare.replace(at, 3, "0.9");
  }
  for (size_t at = 0; (at = rare.find("0.25\n", at)) != std::string::npos; ++at) {
    rare.replace(at, 4, "0.9");
  }
  folder_.write("labels.csv", rare);
  expect_refused("all.csv", with({"--probability", "chance"}),
                 {"stand for 22.2 answers by their probabilities, and there are 40"});
  // Labels that say nothing, or belong nowhere.
  std::string equal = "id,verdict\n", numbered = "verdict\n";
  for (int i = 0; i < 20; ++i) equal += "q" + std::to_string(i) + ",1\n", numbered += "1\n";
  folder_.write("labels.csv", equal);
  expect_refused("all.csv", options, {"20 labels that are all equal"});
  folder_.write("labels.csv", numbered);
  expect_refused("all.csv", options, {"20 rows have no \"id\""});
  folder_.write("gaps.csv", "id,f1,em\nq0,1,1\nq1,0,\n");
  folder_.write("labels.csv", good);
  expect_refused("gaps.csv", with({"--metric", "em"}), {"\"em\" has no score in 1 of 2 rows"});
}

TEST_F(EstimateCommand, FieldsAndNamesThatWouldBeConfusedAreRefused) {
  write_answers();
  const std::string good = read_file(folder_.file("labels.csv"));
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human", "verdict"};
  // The labels of another system than that of the answers.
  std::string of_system = "id,system,verdict\n", empty = "id,f1,y\n", named = "id,f1,combination\n";
  for (int i = 0; i < 40; ++i) {
    const std::string id = "q" + std::to_string(i), number = std::to_string(i % 7);
    if (i < 20) of_system += id + ",B," + std::to_string(i % 2) + "\n";
    empty += id + "," + number + ",\n";
    named += id + "," + number + "," + std::to_string(i % 5) + "\n";
  }
  folder_.write("labels.csv", of_system);
  expect_refused("all.csv", options, {"labels have the field \"system\"", "all.csv do not"});
  folder_.write("empty.csv", empty);
  expect_refused("empty.csv", {"--human", "y"}, {"no row has a label \"y\""});
  folder_.write("labels.csv", good);
  folder_.write("named.csv", named);
  expect_refused("named.csv", options, {"a metric is called combination"});
  const Json one =
      json_of("named.csv", {"--labels", "labels.csv", "--human", "verdict", "--metric", "f1"});
  EXPECT_EQ(one.find("notes")->dump().find("is the same"), std::string::npos);
}

// 1.0000000000000002 is 1, as a scale's end and as a probability; a probability whose inverse
// cannot be computed with is none.
TEST_F(EstimateCommand, ACopiedRowIsToBeRemoved) {
  std::string all = "id,question,candidate,f1,verdict\n";
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    all += n + ",Who " + n + "?,c" + n + ",0." + std::to_string(i % 7) + "," +
           std::to_string(i % 2) + "\n";
  }
  folder_.write("all.csv", all + "0,Who 0?,c0,0.0,0\n");
  expect_refused("all.csv", {"--human", "verdict"},
                 {"the id \"0\" occurs twice", "all.csv:2 and", "remove one row if it is a copy"});
}

TEST_F(EstimateCommand, RoundingOfAnEndIsNoMistake) {
  const auto write = [&](const std::string& label, const std::string& probability) {
    std::string all = "id,f1\n", labels = "id,verdict,chance\n";
    for (int i = 0; i < 20; ++i) {
      const std::string id = "q" + std::to_string(i);
      all += id + "," + std::to_string(i % 3) + "\n";
      labels += id + "," + (i == 3 ? label : std::to_string(i % 2)) + "," +
                (i == 3 ? probability : "1") + "\n";
    }
    folder_.write("all.csv", all);
    folder_.write("labels.csv", labels);
  };
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human",       "verdict",
                                            "--scale",  "0:1",        "--probability", "chance"};
  write("1.0000000000000002", "1.0000000000000002");
  EXPECT_EQ(estimate("all.csv", options).code, 0) << estimate("all.csv", options).err;
  write("1.00001", "1");
  expect_refused("all.csv", options, {"the label \"verdict\" is 1.00001", "labels.csv:5"});
  for (const std::string probability : {"1.00001", "1e-308", "0"}) {
    write("1", probability);
    expect_refused("all.csv", options, {"the probability \"chance\" is ", "labels.csv:5"});
  }
}

TEST_F(EstimateCommand, AConstantMetricIsNoted) {
  std::string all = "id,f1,verdict\n";
  for (int i = 0; i < 80; ++i) {
    all += std::to_string(i) + ",0.5," + (i < 40 ? std::to_string(i % 2) : "") + "\n";
  }
  folder_.write("all.csv", all);
  const Json json = json_of("all.csv", {"--human", "verdict", "--metric", "f1"});
  expect_contains(json.find("notes")->dump(), "f1 is the same for all answers and adds nothing");
  const Keys both{.metric = "f1", .source = "both"};
  EXPECT_EQ(value_of(json, "lambda", both), 0);
  EXPECT_NEAR(value_of(json, "effective_labels", both), 40, 1e-9);
}

TEST_F(EstimateCommand, LabelsOfAllAnswersLeaveNoError) {
  std::string all = "id,f1,verdict\n";
  for (int i = 0; i < 40; ++i) {
    all += std::to_string(i) + "," + std::to_string(i % 7) + "," + std::to_string(i % 3 / 2) + "\n";
  }
  folder_.write("all.csv", all);
  const Json json = json_of("all.csv", {"--human", "verdict", "--metric", "f1"});
  const Keys both{.metric = "f1", .source = "both"};
  for (Keys keys : {Keys{.source = "labels"}, both}) {
    EXPECT_EQ(value_of(json, "standard_error", keys), 0);
    keys.method = "t";
    EXPECT_NEAR(value_of(json, "mean", keys), 13.0 / 40, 1e-12);
  }
  const Json& worth = measured(json, "effective_labels", both);
  EXPECT_EQ(worth.find("why_missing")->string(), "labels alone have no error");
  expect_contains(json.dump(), "every answer has a label, so nothing is estimated");
}

TEST_F(EstimateCommand, AnExactDifferenceHasNoP) {
  const auto write = [&](const char* file, int labelled_of_c, int one_in_of_b = 4) {
    std::string all = "id,system,f1,verdict\n";
    for (int i = 0; i < 40; ++i) {
      const std::string id = std::to_string(i);
      all += id + ",a," + std::to_string(i % 7) + "," + std::to_string(i % 3 / 2) + "\n";
      all += id + ",b," + std::to_string(i % 5) + "," +
             std::to_string(i % one_in_of_b / (one_in_of_b - 1)) + "\n";
      all += id + ",c," + std::to_string(i % 6) + "," +
             (i < labelled_of_c ? std::to_string(i % 9 / 8) : "NA") + "\n";
    }
    folder_.write(file, all);
  };
  const std::vector<std::string> options = {"--human", "verdict",  "--metric",
                                            "f1",      "--system", "system"};
  write("all.csv", 40);
  const std::string text = estimate("all.csv", options).out;
  for (const char* word : {"significant", "at 5%", "Holm's"}) {
    EXPECT_FALSE(holds(text, word)) << word;
  }
  expect_says(text, {"All answers of these systems have a label, so the lead over “b” (difference "
                     "0.075",
                     "rubric compare tests"});
  EXPECT_EQ(json_of("all.csv", options).dump().find("p_holm"), std::string::npos);
  // The pair of a and b alone is exact.
  write("some.csv", 30);
  const std::string of_some = estimate("some.csv", options).out;
  expect_contains(of_some, "with Holm's correction for 2 pairs");
  expect_contains(of_some,
                  "All answers of both have a label, so the lead over “b” (difference 0.075");
  write("tie.csv", 40, 3);
  const std::string of_tie = estimate("tie.csv", options).out;
  expect_contains(of_tie, "the lead over “c” (difference 0.225");
  expect_contains(of_tie, "is exact and “b” has the same mean for these answers");
  expect_contains(of_tie, "“a”, “b” have the highest mean");
  const Json some = json_of("some.csv", options);
  Keys pair{.system = "a", .against = "b", .source = "labels", .method = "t"};
  EXPECT_EQ(measured(some, "difference", pair).find("p_holm"), nullptr);
  pair.against = "c";
  const double p = measured(some, "difference", pair).find("p")->number();
  Keys other = pair;
  other.system = "b";
  const double p_of_other = measured(some, "difference", other).find("p")->number();
  // Holm's correction of two tests.
  const double corrected = p <= p_of_other ? 2 * p : std::max(p, 2 * p_of_other);
  EXPECT_NEAR(measured(some, "difference", pair).find("p_holm")->number(), std::min(corrected, 1.0),
              1e-12);
}

TEST_F(EstimateCommand, LabelsOfOneQuestionAreRefused) {
  std::string all = "id,question,f1,verdict\n";
  for (int i = 0; i < 40; ++i) {
    all += std::to_string(i) + ",q" + std::to_string(i / 20) + "," + std::to_string(i % 7) + "," +
           (i < 12 ? std::to_string(i % 2) : "") + "\n";
  }
  folder_.write("all.csv", all);
  expect_refused("all.csv", {"--human", "verdict"}, {"12 labels of only one question"});
}

TEST_F(EstimateCommand, EverySystemAndStratumNeedsLabels) {
  std::string all = "id,system,kind,f1\n", labels = "id,verdict\n", apart = "id,system,verdict\n";
  for (int i = 0; i < 40; ++i) {
    for (const char* system : {"a", "b"}) {
      all += "q" + std::to_string(i) + "," + system + (i < 30 ? ",x," : ",y,") +
             std::to_string(i % 9) + "\n";
    }
    if (i >= 31) continue;
    const std::string id = "q" + std::to_string(i), verdict = std::to_string(i % 2) + "\n";
    labels += id + "," + verdict;
    apart += id + ",a," + verdict;
  }
  folder_.write("all.csv", all);
  folder_.write("labels.csv", labels);
  const std::vector<std::string> options = {"--labels", "labels.csv", "--human",
                                            "verdict",  "--system",   "system"};
  expect_refused("all.csv", options, {"may belong to several answers", "q0"});
  folder_.write("labels.csv", apart);
  expect_refused("all.csv", options, {"b: no label", "leave out the rows of such a system"});
  std::string one = "id,kind,f1\n";
  for (int i = 0; i < 40; ++i) {
    one += "q" + std::to_string(i) + (i < 30 ? ",x," : ",y,") + std::to_string(i % 9) + "\n";
  }
  folder_.write("all.csv", one);
  const std::vector<std::string> by_stratum = {"--labels", "labels.csv", "--human",
                                               "verdict",  "--strata",   "kind"};
  folder_.write("labels.csv", labels);
  expect_refused("all.csv", by_stratum, {"only one label in the stratum y"});
  folder_.write("labels.csv", labels.substr(0, labels.find("q30")));
  expect_refused("all.csv", by_stratum, {"no label in the stratum y"});
}

}  // namespace rubric::cli::estimate_refusals_test
