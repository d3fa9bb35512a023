// `estimate --ledger`: a judge's verdicts corrected by human ones.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/estimate/estimate_command.h"
#include "cli/run_program.h"
#include "core/json/json.h"
#include "judge/ledger/entry.h"
#include "judge/ledger/example_entry.h"

namespace rubric::cli {
namespace {

judge::LedgerEntry entry_of(const std::string& system, const std::string& id,
                            const std::string& reply) {
  return example_entry(system, id, reply, {"gpt", "", "{}"});
}

// 60 answers of two systems each. The judge's C is wrong about every fifth answer; people have
// labelled those of 20 questions. The same verdicts stand in scored.csv.
class EstimateLedger : public EstimateCommand {
 protected:
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
  const Outcome outcome = of_ledger({"--human", "C", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  Json by_judge = Json::parse(outcome.out, "stdout");
  const Json by_score = json_of("scored.csv", {"--labels", "labels.csv", "--human", "C", "--system",
                                               "system", "--metric", "gpt"});
  for (const char* part : {"systems", "differences", "correlations"}) {
    EXPECT_EQ(by_judge.find(part)->dump(), by_score.find(part)->dump()) << part;
  }
  // Of 60 answers 20 and 30 are right; the judge agrees with 24 and 30.
  const Json& llama = by_judge.find("systems")->array()[0];
  EXPECT_NEAR(llama.find("metric_alone")->find("gpt")->number(), 24.0 / 60, 1e-12);
  EXPECT_NEAR(llama.find("labels_alone")->find("value")->number(), 7.0 / 20, 1e-12);
  expect_contains(by_judge.find("signature")->string(), "|metric:gpt|ledger:");
  EXPECT_EQ(of_ledger({"--human", "E"}).code, 0);  // which the judge always says
}

TEST_F(EstimateLedger, ASheetDoesNotShowTheVerdicts) {
  const std::string sheet = folder_.file("sheet.csv");
  const Outcome outcome =
      run({"rubric", "choose", "--input", folder_.file("ledger.jsonl"), "--human", "C", "--system",
           "system", "--budget", "40", "--output", sheet});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
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
  const Outcome estimated = run({"rubric", "estimate", "--ledger", folder_.file("ledger.jsonl"),
                                 "--labels", sheet, "--human", "C", "--system", "system"});
  EXPECT_EQ(estimated.code, 0) << estimated.err;
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

TEST_F(EstimateLedger, RepliesWithoutVerdictsAgreeWithNothing) {
  folder_.write("ledger.jsonl", read_file(folder_.file("ledger.jsonl")) +
                                    judge::to_json(entry_of("lion", "60", "Sorry.")).dump() + "\n");
  const Json json = Json::parse(of_ledger({"--human", "C", "--format", "json"}).out, "stdout");
  const Json& lion = json.find("systems")->array()[1];
  EXPECT_EQ(lion.find("n")->number(), 61);
  EXPECT_NEAR(lion.find("metric_alone")->find("gpt")->number(), 30.0 / 61, 1e-12);
  expect_contains(json.find("notes")->dump(), "1 reply holds no verdicts and counts as no");
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

}  // namespace
}  // namespace rubric::cli
