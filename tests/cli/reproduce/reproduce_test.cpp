// rubric reproduce, through the command line, with steps that need no model.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::reproduce_test {

// BLEU-1 on the sample's test split.
std::string experiment_text(const fs::path& output) {
  return "title: BLEU-1 on the sample\noutput: " + output.string() + R"(
grid: {metric: [bleu1, rouge_l, f1]}
steps:
  score:
    over: [metric]
    reads: [samples/mocha/test.json]
    command: score {metric} --input samples/mocha/test.json --output {folder}/scored.json
    writes: [scored.json]
  evaluate:
    over: [metric]
    command: >-
      evaluate mocha --data samples/mocha/test.json --scores {score}/scored.json --resampled
columns:
  DROP: {constituent: drop}
cells:
  - {row: BLEU-1, step: evaluate, with: {metric: bleu1}, value: "pearson, metric={metric}, group={constituent}", paper: 0.9}
  - {row: ROUGE-L, step: evaluate, with: {metric: rouge_l}, value: "pearson, metric={metric}, group={constituent}", paper: null}
  - {row: F1, step: evaluate, with: {metric: f1}, value: "pearson.n, metric={metric}, group={constituent}", paper: 16}
)";
}

struct Reproduce : testing::Test {
  Reproduce() { write(experiment_text(runs_)); }

  void write(const std::string& text) { file_ = folder_.write("small.yaml", text).string(); }

  std::string replaced_text(const std::string& from, const std::string& to) {
    std::string text = experiment_text(runs_);
    return text.replace(text.find(from), from.size(), to);
  }

  TemporaryFolder folder_;
  fs::path runs_ = folder_.path() / "runs";
  std::string file_;
};

TEST_F(Reproduce, RunsWhatIsMissingAndComparesWithThePaper) {
  const Outcome outcome = done(run({"reproduce", file_}));
  expect_contains(outcome.out, "BLEU-1 on the sample");
  expect_contains(outcome.out, "below");            // 0.9 is not a value of BLEU-1
  expect_contains(outcome.out, "not in our copy");  // ROUGE-L
  expect_contains(outcome.out, "reproduced");       // 16 instances
  expect_contains(outcome.err, "[1/6] score/metric=bleu1 (not run yet)");
  EXPECT_TRUE(fs::exists(runs_ / "small/report.html"));

  const Outcome again = done(run({"reproduce", file_, "--format", "json"}));
  EXPECT_FALSE(holds(again.err, "[1/6]")) << again.err;
  const Json json = Json::parse(again.out, "stdout");
  EXPECT_EQ(value_of(json, "mean", {.metric = "F1", .group = "DROP"}), 16);
  EXPECT_EQ(at_pointer(json, "/records/steps/0/state", "stdout").string(), "done before");
  const Json& bleu = measured(json, "mean", {.metric = "BLEU-1", .group = "DROP"});
  EXPECT_EQ(value_of(json, "verdict", {.metric = "BLEU-1", .group = "DROP"}), -1);
  EXPECT_EQ(value_of(json, "verdict", {.metric = "F1", .group = "DROP"}), 0);
  expect_message(run({"reproduce", file_, "--dry-run", "--verbose", "--format", "csv"}), 2,
                 {"--verbose without a place to show the rows"});
  EXPECT_LT(bleu.find("low")->number(), bleu.find("value")->number());
}

// The interval over instances is the one that evaluate gives.
TEST_F(Reproduce, TakesTheResamplesOfEvaluate) {
  const Json ours = printed_json(run({"reproduce", file_, "--format", "json", "--only", "BLEU-1"}));
  const Json theirs = Json::parse_file(runs_ / "evaluate/metric=bleu1/results.json");
  const Json& cell = measured(ours, "mean", {.metric = "BLEU-1", .group = "DROP"});
  const Json& pearson = measured(theirs, "pearson", {.metric = "bleu1", .group = "drop"});
  for (const char* const end : {"low", "high"}) {
    EXPECT_NEAR(cell.find(end)->number(), pearson.find(end)->number(), 1e-6);
  }
}

TEST_F(Reproduce, ADryRunListsTheSteps) {
  const Outcome outcome = done(run({"reproduce", file_, "--dry-run", "--verbose"}));
  expect_contains(outcome.out, "score/metric=rouge_l");
  expect_contains(outcome.out, "3 cells from 6 steps: 0 done, 6 to run, 0 left out");
  EXPECT_FALSE(fs::exists(runs_));
  expect_message(run({"reproduce", file_, "--verbose"}), 2,
                 {"--verbose is only valid with --dry-run"});
}

TEST_F(Reproduce, ADryRunCountsFirst) {
  const Outcome outcome = done(run({"reproduce", file_, "--dry-run"}));
  expect_contains(outcome.out, "\nscore        3     0       3         0\n");
  expect_contains(outcome.out, "\nall          6     0       6         0\n");
  expect_contains(outcome.out, "3 cells from 6 steps: 0 done, 6 to run, 0 left out");
  expect_contains(outcome.out, "--verbose shows each");
  ASSERT_EQ(run({"reproduce", file_, "--only", "F1"}).code, 0);
  expect_contains(run({"reproduce", file_, "--dry-run"}).out,
                  "\nscore        3     1       2         0\n");
}

TEST_F(Reproduce, PrintsASlurmScript) {
  const Outcome outcome = done(run({"reproduce", file_, "--launcher", "slurm"}));
  expect_contains(outcome.out, "--array=0-2");
  EXPECT_FALSE(fs::exists(runs_));
  const fs::path script = folder_.write("submit.sh", outcome.out);
  EXPECT_EQ(std::system(("bash -n " + script.string()).c_str()), 0);
}

TEST_F(Reproduce, NamesAFailingStepItsLogAndLastLines) {
  write(replaced_text("evaluate mocha --data samples/mocha/test.json",
                      "evaluate mocha --data samples/mocha/tset.json"));
  const Outcome outcome = run({"reproduce", file_});
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome.err,
              {"evaluate/metric=bleu1 ended with exit code 2",
               (runs_ / "evaluate/metric=bleu1.log").string(), "| error:", "tset.json"});
  expect_contains(outcome.out,
                  "BLEU-1 / DROP: not run: evaluate/metric=bleu1 ended with exit code 2");
  EXPECT_TRUE(fs::exists(runs_ / "score/metric=bleu1/scored.json"));
}

TEST_F(Reproduce, RefusesBadInputBeforeAnythingStarts) {
  write(replaced_text("samples/mocha/test.json]", "no/such.json]"));
  expect_message(run({"reproduce", file_}), 2, {"nothing can run", "no/such.json is missing"});
  write(replaced_text("with: {metric: f1}", "with: {metric: f2}"));
  expect_message(run({"reproduce", file_}), 2, {"small.yaml:19", "did you mean f1?"});
  expect_message(run({"reproduce"}), 2, {"the experiment is missing"});
  expect_message(run({"reproduce", "no.yaml"}), 2, {"experiments/no.yaml"});
  expect_message(run({"reproduce", file_, "--launcher", "slrm"}), 2, {"did you mean slurm?"});
  EXPECT_FALSE(fs::exists(runs_));
}

TEST_F(Reproduce, TheReportKeepsWhatWasMeasuredBefore) {
  ASSERT_EQ(run({"reproduce", file_, "--only", "BLEU-1"}).code, 0);
  ASSERT_EQ(run({"reproduce", file_, "--only", "F1"}).code, 0);
  const std::string report = read_file(runs_ / "small/report.html");
  expect_contains(report, "reproduced");  // F1
  expect_contains(report, "below");       // BLEU-1
  expect_contains(report, "not run");     // ROUGE-L
}

TEST_F(Reproduce, ListsAllThatIsMissingAtTheBeginning) {
  write(replaced_text("reads: [samples/mocha/test.json]", "reads: [no/a.json, no/b.json]") +
        "variables: {no: no}\nsources: {no: look there}\n");
  for (const char* const option : {"--dry-run", "--quiet"}) {
    expect_contains(run({"reproduce", file_, option}).err,
                    "\n  no/a.json, no/b.json: look there\n");
  }
}

TEST_F(Reproduce, APointerThatLeadsNowhereIsNamed) {
  write(replaced_text("pearson.n, metric", "pearsen.n, metric"));
  expect_message(run({"reproduce", file_, "--only", "F1"}), 2, {"nothing at", "small.yaml:19"});
}

// Killed at any moment, the next start goes on and ends with the same table.
TEST_F(Reproduce, GoesOnAfterAKill) {
  const std::string expected = run({"reproduce", file_}).out;
  fs::remove_all(runs_);
  for (const int milliseconds : {5, 20, 40, 60, 90}) {
    Process process({"reproduce", file_});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    process.send(SIGKILL);
    process.wait();
  }
  const Outcome last = done(run({"reproduce", file_}));
  EXPECT_EQ(last.out, expected);
}

TEST_F(Reproduce, AStopRequestEndsItWith75) {
  // A step that waits for its input: nothing ever writes to this pipe.
  const fs::path pipe = folder_.path() / "pipe.jsonl";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  write(replaced_text("--input samples/mocha/test.json", "--input " + pipe.string()));
  Process process({"reproduce", file_});
  const fs::path log = runs_ / "score/metric=bleu1.log";
  while (!fs::exists(log) && !process.ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.send(SIGTERM);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.code, 75) << outcome.err;
  expect_contains(outcome.err, "start the same command again");
}

TEST(ReproduceShipped, DryRunsOfEachExperiment) {
  std::string line;
  for (const auto& entry :
       fs::recursive_directory_iterator(std::string(source_folder()) + "/experiments")) {
    const std::string name = entry.path().filename();
    const bool is_part = name == "steps.yaml" || name == "statements.yaml" || name == "sample.yaml";
    if (entry.path().extension() != ".yaml" || is_part) continue;
    const Outcome outcome = run({"reproduce", entry.path().string(), "--dry-run"});
    EXPECT_EQ(outcome.code, 0) << name << "\n" << outcome.err;
    expect_contains(outcome.out, " cells from ");
    std::istringstream lines(outcome.out);
    std::getline(lines, line);  // the title, which is the experiment's
    while (std::getline(lines, line)) EXPECT_LE(line.size(), 100U) << name << ": " << line;
  }
}

// The steps that a dry run would leave out.
std::map<std::string, int> left_out(const std::string& experiment, const Environment& environment) {
  const Outcome outcome = done(run({"reproduce", experiment, "--dry-run"}, environment));
  std::map<std::string, int> counts;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string step;
    int runs = 0, done = 0, to_run = 0, left = 0;
    if (words >> step >> runs >> done >> to_run >> left) counts[step] = left;
  }
  return counts;
}

TEST_F(Reproduce, AMissingBaselineLeavesOutItsOwnRow) {
  for (const char* const file :
       {"evouna/NQ.json", "evouna/pedants_nq.jsonl", "ae_train/train.jsonl",
        "efficientqa/NQ-open.efficientqa.test.1.1.jsonl"}) {
    fs::create_directories((folder_.path() / file).parent_path());
    folder_.write(file, "");
  }
  const Environment environment = {{"RUBRIC_DATA", folder_.path().string()},
                                   {"RUBRIC_MINILM", std::string(fixtures_folder()) + "/lerc"}};
  const std::string experiment = "answers/out_of_system.yaml";
  std::map<std::string, int> before = left_out(experiment, environment);
  fs::remove(folder_.path() / "evouna/pedants_nq.jsonl");
  for (const auto& [step, count] : left_out(experiment, environment)) {
    const bool is_of_pedants = holds(step, "pedants") || step == "all_systems" || step == "all";
    EXPECT_EQ(count > before.at(step), is_of_pedants) << step;
    EXPECT_TRUE(count == 0 || is_of_pedants) << step;
  }
  // METEOR's data, likewise.
  fs::create_directories(folder_.path() / "empty");
  Environment without_meteor = environment;
  without_meteor["RUBRIC_METEOR"] = (folder_.path() / "empty").string();
  const std::map<std::string, int> left = left_out(experiment, without_meteor);
  EXPECT_EQ(left.at("evaluate_meteor"), 5);
  EXPECT_EQ(left.at("evaluate"), 0);
}

}  // namespace rubric::cli::reproduce_test
