// `score` on several ranks: the file of one process, and what ends all of them.
#include <chrono>
#include <csignal>
#include <thread>

#include "distributed/ranks_command.h"
#include "metrics/neural/likelihood_fixture.h"
#include "paths.h"

namespace rubric::cli::score_ranks_test {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

std::string fixture(const std::string& name) {
  return std::string(fixtures_folder()) + "/" + name;
}

// Texts of many lengths, of which some are the same.
std::string text_of(size_t number) {
  const std::vector<std::string> words = {"bread",  "the oven", "a bridge", "her grandmother",
                                          "lemons", "rain",     "the baker"};
  std::string text;
  for (size_t i = 0; i <= number * 5 % 11; ++i) text += words[(number + i * i) % 7] + " ";
  return text;
}

struct ScoreRanks : SequenceCommand {
  // Of answers, of pairs and of rationales, whichever a metric reads.
  void write_inputs(size_t rows) const {
    std::vector<Json> lines;
    for (size_t i = 0; i < rows; ++i) {
      Json row;
      row["id"] = "r" + std::to_string(i);
      row["passage"] = row["source"] = text_of(i);
      row["question"] = "Where?";
      row["candidate"] = row["target"] = text_of(i + 1);
      row["reference"] = Json::Array{text_of(i + 2), text_of(i % 5)};
      row["label"] = "attic";
      row["rationale"] = i % 4 == 0 ? "In the attic." : text_of(i);
      row["baseline"] = "In the attic.";
      lines.push_back(row);
    }
    write_lines("rows.jsonl", lines);
  }

  Arguments command(const Arguments& metric, const std::string& output = "out.jsonl") const {
    Arguments call = {"score",     metric[0],    "--input",   file("rows.jsonl"),
                      "--output",  file(output), "--summary", file(output + ".summary"),
                      "--threads", "1"};
    call.insert(call.end(), metric.begin() + 1, metric.end());
    return call;
  }

  // That ranks write what one process writes, byte for byte, and say what it says.
  void expect_same(const Arguments& metric, const std::vector<size_t>& sizes) const {
    const Outcome one = done(run(command(metric, "expected.jsonl")));
    for (const size_t size : sizes) {
      const std::vector<Outcome> outcomes = run_on(size, command(metric));
      expect_done(outcomes);
      EXPECT_EQ(outcomes[0].err, one.err);
      for (const char* const end : {"", ".summary"}) {
        EXPECT_EQ(read_file(file(std::string("out.jsonl") + end)),
                  read_file(file(std::string("expected.jsonl") + end)))
            << metric[0] << " on " << size << " ranks";
        fs::remove(file(std::string("out.jsonl") + end));
      }
    }
  }
};

// More rows than a batch has, and a number that no share divides.
TEST_F(ScoreRanks, TheFileIsThatOfOneProcess) {
  write_inputs(701);
  const std::string likelihood = fixture("likelihood/t5");
  for (const Arguments& metric :
       {Arguments{"f1,lerc,bertscore,em", "--model", "lerc=" + fixture("lerc"), "--model",
                  "bertscore=" + fixture("bertscore/roberta"), "--layer", "2", "--idf",
                  "--explain"},
        {"bartscore", "--model", likelihood},
        {"likelihood", "--model", likelihood, "--sum", "--per-token"},
        {"rev", "--model", fixture("rev/t5_v1_0")}}) {
    expect_same(metric, {2, 3});
  }
}

TEST_F(ScoreRanks, MoreRanksThanRowsAndTheFirstRows) {
  write_inputs(2);
  expect_same({"lerc,rouge_l", "--model", fixture("lerc")}, {4});
  expect_same({"bertscore", "--model", fixture("bertscore/roberta"), "--layer", "1"}, {4});
  expect_same({"likelihood", "--model", fixture("likelihood/gpt2"), "--limit", "1"}, {4});
  expect_same({"rev", "--model", fixture("rev/t5_v1_0"), "--limit", "1"}, {4});
}

TEST_F(ScoreRanks, LightMetricsAreWrittenOnce) {
  write_inputs(10);
  expect_same({"f1,em"}, {3});
}

TEST_F(ScoreRanks, WarningsAreGivenOnce) {
  write_inputs(5);
  std::vector<Json> rows = read_lines("rows.jsonl");
  rows[1]["passage"] = rows[2]["candidate"] = "";
  write_lines("rows.jsonl", rows);
  expect_same({"lerc", "--model", fixture("lerc")}, {2});
}

TEST_F(ScoreRanks, WhatOneProcessWouldRefuseEndsAll) {
  write_inputs(5);
  const auto expect_refused = [&](const Arguments& metric, const std::vector<std::string>& parts) {
    const std::vector<Outcome> outcomes = run_on(3, command(metric));
    expect_message(outcomes[0], 2, parts);
    for (const size_t rank : {1U, 2U}) expect_message(outcomes[rank], 2, {"rank 0 says why"});
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
  };
  expect_refused({"bertscore"}, {"needs a model"});
  expect_refused({"lerc", "--model", file("none")}, {file("none")});
  expect_refused({"lerc", "--model", fixture("bertscore/roberta")}, {"score_layer.weight"});
  expect_refused({"f1", "--no-such-option"}, {"no-such-option"});
  std::vector<Json> rows = read_lines("rows.jsonl");
  rows[3]["reference"] = Json();
  rows[3]["rationale"] = rows[3]["target"] = "";
  write_lines("rows.jsonl", rows);
  const std::string line = file("rows.jsonl") + ":4";
  expect_refused({"lerc", "--model", fixture("lerc")}, {line});
  expect_refused({"f1"}, {line});
  expect_refused({"likelihood", "--model", fixture("likelihood/t5")}, {line});
  expect_refused({"rev", "--model", fixture("rev/t5_v1_0")}, {line});
}

// Each rank finds another file, or is started otherwise.
TEST_F(ScoreRanks, RanksThatDisagreeAreRefused) {
  write_inputs(5);
  const auto expect_refused = [&](const std::vector<Outcome>& outcomes,
                                  const std::vector<std::string>& parts) {
    expect_message(outcomes[0], 2, parts);
    expect_message(outcomes[1], 2, {"rank 0 says why"});
    EXPECT_FALSE(fs::exists(file("out.jsonl")));
  };
  const Arguments metric = {"lerc", "--model", fixture("lerc")};
  expect_refused(
      wait_for_all(start_ranks({command(metric), command(metric, "other.jsonl")})),
      {"the ranks do not agree: the command is rubric score lerc", "other.jsonl", "on rank 1"});

  // One name, and another file behind it for each process.
  const Arguments own = {
      "score",          "f1",   "--input", "/proc/self/fd/99", "--output", file("out.jsonl"),
      "--input-format", "jsonl"};
  write_file(file("other.jsonl"), read_file(file("rows.jsonl")) + "\n");
  std::vector<std::unique_ptr<Process>> ranks;
  const int port = free_port();
  for (const char* const input : {"rows.jsonl", "other.jsonl"}) {
    const int opened = open(file(input).c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(dup2(opened, 99), 99);
    close(opened);
    ranks.push_back(std::make_unique<Process>(own, rank_environment(ranks.size(), 2, port)));
  }
  close(99);
  expect_refused(wait_for_all(ranks), {"the SHA-256 of --input is ", "on rank 1"});

  for (const char* const place : {"here", "there"}) fs::create_directory(file(place));
  copy_model("t5", "here/model");
  copy_model("bart", "there/model");
  const Arguments by_name = command({"likelihood", "--model", "model"});
  expect_refused(
      wait_for_all(start_ranks({by_name, by_name}, {{{"RUBRIC_MODELS", file("here")}},
                                                    {{"RUBRIC_MODELS", file("there")}}})),
      {"likelihood is likelihood|model:", "on rank 1"});

  expect_refused(wait_for_all(start_ranks({by_name, by_name}, {{{"RUBRIC_MODELS", file("here")}},
                                                               {{"RUBRIC_MODELS", file("none")}}})),
                 {"rank 1: ", "model"});
}

TEST_F(ScoreRanks, AStopEndsAllScorersAlike) {
  write_inputs(40'000);
  const Arguments metric = {"lerc", "--model", fixture("lerc")};
  const auto ranks = start_ranks({command(metric), command(metric)});
  const auto has_met = [](const auto& rank) {
    return rank->ended() || rank->has_thread("pt_gloo_runloop");
  };
  while (!std::ranges::all_of(ranks, has_met))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ranks[1]->send(SIGTERM);
  const std::vector<Outcome> outcomes = wait_for_all(ranks);
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.code, 75) << outcome.err;
  expect_contains(outcomes[0].err,
                  "rank 1: stopped on request\n"
                  "  to do: start the same command again, from the beginning: nothing was kept\n");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
}

// A stop on one rank and the loss of one keep the rows that are there, for any number of ranks.
TEST_F(ScoreRanks, ACallThatIsStoppedGoesOn) {
  write_inputs(6000);
  const Arguments metric = {"rev", "--model", fixture("rev/t5_v1_0")};
  ASSERT_EQ(run(command(metric, "expected.jsonl")).code, 0);
  const std::string unfinished = file("out.jsonl.unfinished");
  std::uintmax_t written = 0;
  for (const int signal : {SIGTERM, SIGKILL}) {
    const auto ranks = start_ranks({command(metric), command(metric)});
    while (!ranks[1]->ended() &&
           (!fs::exists(unfinished) || fs::file_size(unfinished) <= written)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ranks[1]->send(signal);
    const std::vector<Outcome> outcomes = wait_for_all(ranks);
    written = fs::file_size(unfinished);  // the next call has started when there is more
    if (signal == SIGTERM) {
      expect_message(outcomes[0], 75,
                     {"stopped on request\n  to do: start the same command again to resume\n"});
      EXPECT_EQ(outcomes[1].code, 75);
    } else {
      EXPECT_EQ(outcomes[1].signal, SIGKILL);
      EXPECT_EQ(outcomes[0].code, 1) << outcomes[0].err;
    }
    EXPECT_FALSE(fs::exists(file("out.jsonl")));
  }
  const std::vector<Outcome> outcomes = run_on(3, command(metric));
  expect_done(outcomes);
  expect_contains(outcomes[0].err, "resuming after row ");
  EXPECT_EQ(read_file(file("out.jsonl")), read_file(file("expected.jsonl")));
}

}  // namespace rubric::cli::score_ranks_test
