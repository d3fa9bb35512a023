// `estimate --ledger`: a judge's verdicts corrected by human ones.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/estimate_command.h"
#include "cli/run_program.h"
#include "core/json/json.h"
#include "judge/ledger/entry.h"
#include "judge/ledger/example_entry.h"
#include "measured.h"

namespace rubric::cli::estimate_ledger_test {

judge::LedgerEntry entry_of(const std::string& system, const std::string& id,
                            const std::string& reply) {
  return example_entry(system, id, reply, {"gpt", "", "{}"});
}

// 60 answers of two systems each. The judge's C is wrong about every fifth answer; people have
// labelled those of 20 questions. The same verdicts stand in scored.csv.
struct EstimateLedger : EstimateCommand {
  EstimateLedger() {
    std::string ledger, scored = "id,system,question,gpt\n", labels = "id,system,C,E\n";
    for (int i = 0; i < 60; ++i) {
      for (const std::string system : {"llama", "lion"}) {
        const bool is_right = i % (system == "llama" ? 3 : 2) == 0,
                   agrees = is_right != (i % 5 == 4);
        const std::string id = std::to_string(i), question = "Question " + id + "?";
        judge::LedgerEntry entry =
            entry_of(system, id, agrees ? kReply : "1. Disagree\n2. Agree\n3. Disagree\n4. Agree");
        entry.answer.question = question;
        ledger += judge::to_json(entry).dump() + "\n";
        scored += id + "," + system + "," + question + (agrees ? ",1\n" : ",0\n");
        if (i >= 20) continue;
        labels += id + "," + system + (is_right ? ",1," : ",0,") + (i % 4 == 0 ? "1\n" : "0\n");
      }
    }
    folder_.write("ledger.jsonl", ledger);
    folder_.write("scored.csv", scored);
    folder_.write("labels.csv", labels);
  }
  Outcome of_ledger(std::vector<std::string> options) const {
    options.insert(options.begin(), {"rubric", "estimate", "--ledger", folder_.file("ledger.jsonl"),
                                     "--labels", folder_.file("labels.csv")});
    return run(options);
  }
};

TEST_F(EstimateLedger, VerdictsAreAMetric) {
  const Outcome outcome = done(of_ledger({"--human", "C", "--format", "json"}));
  Json by_judge = Json::parse(outcome.out, "stdout");
  const Json by_score = json_of("scored.csv", {"--labels", "labels.csv", "--human", "C", "--system",
                                               "system", "--metric", "gpt"});
  expect_same_estimates(by_judge, by_score);
  // Of 60 answers 20 and 30 are right; the judge agrees with 24 and 30.
  EXPECT_NEAR(value_of(by_judge, "mean", {.metric = "gpt", .system = "llama", .source = "metric"}),
              24.0 / 60, 1e-12);
  EXPECT_NEAR(value_of(by_judge, "mean", {.system = "llama", .source = "labels", .method = "t"}),
              7.0 / 20, 1e-12);
  expect_contains(by_judge.find("signature")->string(), "|metric:gpt|ledger:");
  EXPECT_EQ(of_ledger({"--human", "E"}).code, 0);  // which the judge always says
}

TEST_F(EstimateLedger, ASheetDoesNotShowTheVerdicts) {
  const std::string sheet = folder_.file("sheet.csv");
  const Outcome outcome =
      done(run({"rubric", "choose", "--input", folder_.file("ledger.jsonl"), "--human", "C",
                "--system", "system", "--budget", "40", "--output", sheet}));
  expect_contains(outcome.err, "rubric estimate --ledger " + folder_.file("ledger.jsonl") +
                                   " --labels " + sheet + " --human C --system system");
  std::string text = read_file(sheet);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "C,id,system,language,question,reference,candidate,probability,stratum");
  int row = 0;
  for (size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) {
    text.insert(at + 1, row++ % 2 == 0 ? "1" : "0");
  }
  write_file(sheet, text);
  done(run({"rubric", "estimate", "--ledger", folder_.file("ledger.jsonl"), "--labels", sheet,
            "--human", "C", "--system", "system"}));
  expect_message(run({"rubric", "choose", "--input", folder_.file("ledger.jsonl"), "--system",
                      "system", "--budget", "40", "--output", folder_.file("other.csv")}),
                 2, {"a judge's ledger, and it has no verdicts on verdict", "C, H, I or E"});
}

TEST_F(EstimateLedger, NoSheetIsMadeOfPreferences) {
  std::string pairs;
  for (int i = 0; i < 20; ++i) {
    pairs +=
        judge::to_json(example_pair("a", std::to_string(i), judge::AnswerOrder::ab, "A")).dump() +
        "\n";
  }
  folder_.write("pairs.jsonl", pairs);
  expect_message(run({"rubric", "choose", "--input", folder_.file("pairs.jsonl"), "--human", "C",
                      "--budget", "10", "--output", folder_.file("pairs.csv")}),
                 2, {"the ledger holds preferences", "pairs.jsonl", "give a ledger of verdicts"});
}

// The estimates are those of a ledger and labels without these answers.
TEST_F(EstimateLedger, AnswersWhoseRepliesCannotBeReadAreLeftOut) {
  const std::string ledger = read_file(folder_.file("ledger.jsonl")),
                    labels = read_file(folder_.file("labels.csv"));
  const auto numbers = [&] {
    Json json = Json::parse(of_ledger({"--human", "C", "--format", "json"}).out, "stdout");
    return std::pair(json.find("measurements")->dump(), json.find("notes")->dump());
  };
  const std::string without = numbers().first;
  std::string unread;
  for (const std::string id : {"60", "61"}) {
    unread += judge::to_json(entry_of("llama", id, "Sorry.")).dump() + "\n";
  }
  folder_.write("ledger.jsonl", unread + ledger);
  folder_.write("labels.csv", labels + "61,llama,1,1\n");
  const auto [with, notes] = numbers();
  EXPECT_EQ(with, without);
  expect_contains(notes, "2 replies hold no verdicts: these answers are left out");
  const Outcome plan =
      done(run({"rubric", "plan", "--ledger", folder_.file("ledger.jsonl"), "--labels",
                folder_.file("labels.csv"), "--human", "C", "--width", "0.1"}));
  expect_contains(plan.out, "2 replies hold no verdicts");
  std::string silent;  // a second attempt at each labelled answer of lion
  for (int i = 0; i < 20; ++i) {
    judge::LedgerEntry entry = entry_of("lion", std::to_string(i), "Sorry.");
    entry.answer.question = "Question " + std::to_string(i) + "?";
    entry.attempt = 2;
    silent += judge::to_json(entry).dump() + "\n";
  }
  folder_.write("ledger.jsonl", ledger + silent);
  folder_.write("labels.csv", labels);
  expect_message(of_ledger({"--human", "C"}), 2,
                 {"lion: no label; 20 labels are left out with their answers"});
  folder_.write("ledger.jsonl", unread);
  expect_message(of_ledger({"--human", "C"}), 2,
                 {"no verdict could be read in 2 replies", "Sorry.", "ledger.jsonl", "--parser"});
}

// An answer counts where both judges' replies can be read.
TEST_F(EstimateLedger, CoverageLeavesOutWhatEitherJudgeLeavesOpen) {
  std::string one, two;
  for (int i = 0; i < 60; ++i) {
    const auto line = [&](bool is_unread, bool agrees) {
      const std::string reply = agrees ? kReply : "1. Disagree\n2. Agree\n3. Disagree\n4. Agree";
      return judge::to_json(entry_of("lion", std::to_string(i), is_unread ? "Sorry." : reply))
                 .dump() +
             "\n";
    };
    one += line(i == 3, i % 2 == 0);
    two += line(i == 5, i % 3 == 0);
  }
  folder_.write("one.jsonl", one);
  folder_.write("two.jsonl", two);
  const auto coverage = [&](const std::string& sizes = "20") {
    return run({"rubric", "evaluate", "coverage", "--ledger", folder_.file("one.jsonl"),
                "--other-ledger", folder_.file("two.jsonl"), "--human", "C", "--system", "system",
                "--draws", "10", "--sizes", sizes, "--resamples", "10", "--format", "json"});
  };
  expect_message(coverage("20,30,020"), 2, {"the size 20 is named twice", "--sizes"});
  const Outcome outcome = done(coverage());
  const Json json = Json::parse(outcome.out, "stdout");
  EXPECT_EQ(measured(json, "truth", {.system = "lion"}).find("n")->number(), 58);
  expect_contains(outcome.err, "1 reply holds no verdicts: these answers are left out");
  // A system of which nothing is left is not dropped in silence.
  const std::string mute = judge::to_json(entry_of("mute", "0", "Sorry.")).dump() + "\n";
  folder_.write("one.jsonl", one + mute);
  folder_.write("two.jsonl", two + mute);
  expect_message(coverage(), 2, {"mute: 0 answers", "--sizes"});
}

// Answers "x/1" of "m" and "1" of "m/x" are two.
TEST_F(EstimateLedger, CoverageTellsSystemsAndIdsWithSlashesApart) {
  std::string one, two;
  for (int i = 0; i < 120; ++i) {
    const std::string number = std::to_string(i / 2);
    const bool is_first = i % 2 == 0;
    const auto line = [&](bool agrees) {
      const std::string reply = agrees ? kReply : "1. Disagree\n2. Agree\n3. Disagree\n4. Agree";
      return judge::to_json(
                 entry_of(is_first ? "m" : "m/x", is_first ? "x/" + number : number, reply))
                 .dump() +
             "\n";
    };
    one += line(i % 3 == 0);
    two += line(i / 2 % (is_first ? 2 : 4) == 0);
  }
  const Json json = printed_json(
      run({"rubric", "evaluate", "coverage", "--ledger", folder_.write("one.jsonl", one).string(),
           "--other-ledger", folder_.write("two.jsonl", two).string(), "--human", "C", "--system",
           "system", "--draws", "10", "--sizes", "20", "--resamples", "10", "--format", "json"}));
  EXPECT_EQ(value_of(json, "truth", {.system = "m"}), 0.5);
  EXPECT_EQ(value_of(json, "truth", {.system = "m/x"}), 0.25);
}

TEST_F(EstimateLedger, WhatDoesNotFitIsRefused) {
  expect_message(of_ledger({"--human", "correct"}), 2, {"a judge has no verdict \"correct\"", "C"});
  expect_message(of_ledger({"--human", "C", "--metric", "f1"}), 2, {"the judge is the metric"});
  expect_message(of_ledger({"--human", "C", "--all", folder_.file("scored.csv")}), 2, {"both"});
  expect_message(of_ledger({"--human", "C", "--judge", "other"}), 2, {"nothing of this judge"});
  expect_message(
      run({"rubric", "estimate", "--ledger", folder_.file("ledger.jsonl"), "--human", "C"}), 2,
      {"no file of human labels"});
}

}  // namespace rubric::cli::estimate_ledger_test
