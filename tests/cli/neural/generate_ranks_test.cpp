// `generate` on several ranks: the file of one process, and what ends all of them.
#include <chrono>
#include <csignal>
#include <thread>

#include "cli/neural/generate_command_fixture.h"
#include "distributed/ranks_command.h"

namespace rubric::cli::generate_ranks_test {

struct GenerateRanks : GenerateCommand {
  void expect_same(const std::string& model, const Arguments& how,
                   const std::vector<size_t>& sizes) const {
    const Outcome one = run(command(model, how));
    ASSERT_EQ(one.code, 0) << one.err;
    const std::string expected = read_file(file("out.jsonl"));
    for (const size_t size : sizes) {
      fs::remove(file("out.jsonl"));
      const std::vector<Outcome> outcomes = run_on(size, command(model, how));
      expect_done(outcomes);
      EXPECT_EQ(outcomes[0].err, one.err);
      EXPECT_EQ(read_file(file("out.jsonl")), expected) << join(how) << " on " << size << " ranks";
      EXPECT_EQ(folder_.names(), (std::vector<std::string>{"out.jsonl", "rows.jsonl"}));
    }
  }
};

// Five groups of batches, the last one not full.
TEST_F(GenerateRanks, TheFileIsThatOfOneProcess) {
  write_sources(75);
  for (const Arguments& how : {Arguments{}, {"--beams", "3"}, {"--do-sample", "--seed", "4"}}) {
    Arguments all = how;
    all.insert(all.end(), {"--batch", "2"});
    expect_same(likelihood_model("t5"), all, {2, 3});
  }
  expect_same(likelihood_model("gpt2"), {"--do-sample", "--batch", "3", "--limit", "70"}, {3});
}

TEST_F(GenerateRanks, MoreRanksThanRows) {
  write_sources(2);
  expect_same(likelihood_model("bart"), {}, {4});
}

TEST_F(GenerateRanks, CandidatesAreChosenAlike) {
  write_sources(30);
  std::vector<Json> rows = read_lines("rows.jsonl");
  for (size_t i = 0; i < rows.size(); ++i) {
    Json::Array choices;
    for (size_t j = 0; j < 2 + i % 3; ++j) choices.emplace_back(kWords[(i + j) % 7]);
    rows[i]["choices"] = choices;
  }
  write_lines("rows.jsonl", rows);
  const auto call = [&](const std::string& output) {
    return Arguments{
        "generate", "--model",    likelihood_model("t5"), "--input", file("rows.jsonl"),
        "--output", file(output), "--candidates",         "choices", "--threads",
        "1"};
  };
  ASSERT_EQ(run(call("expected.jsonl")).code, 0);
  expect_done(run_on(3, call("out.jsonl")));
  EXPECT_EQ(read_file(file("out.jsonl")), read_file(file("expected.jsonl")));
}

TEST_F(GenerateRanks, WhatOneProcessWouldRefuseEndsAll) {
  const auto expect_refused = [&](const Arguments& call, const std::vector<std::string>& parts) {
    const std::vector<Outcome> outcomes = run_on(2, call);
    expect_message(outcomes[0], 2, parts);
    expect_message(outcomes[1], 2, {"rank 0 says why"});
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"rows.jsonl"});
  };
  expect_refused(command(file("none")), {file("none")});
  expect_refused(command(likelihood_model("t5"), {"--top-k", "3"}), {"--do-sample"});
  write_file(file("rows.jsonl"), "");
  expect_refused(command(likelihood_model("t5")), {"no rows"});
}

TEST_F(GenerateRanks, OtherOptionsOnARankAreRefused) {
  const std::string model = likelihood_model("t5");
  const std::vector<Outcome> outcomes =
      wait_for_all(start_ranks({command(model), command(model, {"--beams", "2"})}));
  expect_message(outcomes[0], 2, {"the ranks do not agree: the command is ", "--beams 2"});
  expect_message(outcomes[1], 2, {"rank 0 says why"});
}

// The other rank would never come.
TEST_F(GenerateRanks, ACommandThatSharesNothingWaitsForNoRank) {
  for (const char* const name : {"quantize", "average", "import"}) {
    const std::string command = name;
    Process alone({"rubric", command, "--outptu", "x"}, rank_environment(0, 2, free_port()));
    expect_message(alone.wait(), 2, {"no option --outptu"});
  }
}

// On as many ranks as one likes.
TEST_F(GenerateRanks, ACallThatIsStoppedGoesOn) {
  write_sources(4000);
  const Arguments call = command(likelihood_model("t5"), {"--batch", "2", "--do-sample"});
  ASSERT_EQ(run(call).code, 0);
  const std::string expected = read_file(file("out.jsonl"));
  fs::remove(file("out.jsonl"));
  const std::string unfinished = file("out.jsonl.unfinished");
  std::uintmax_t written = 0;
  for (const int signal : {SIGTERM, SIGKILL}) {
    const auto ranks = start_ranks({call, call});
    while (!ranks[1]->ended() &&
           (!fs::exists(unfinished) || fs::file_size(unfinished) <= written)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ranks[1]->send(signal);
    const std::vector<Outcome> outcomes = wait_for_all(ranks);
    EXPECT_EQ(outcomes[0].code, signal == SIGTERM ? 75 : 1) << outcomes[0].err;
    written = fs::file_size(unfinished);
    EXPECT_EQ(read_file(unfinished), expected.substr(0, written));
  }
  const std::vector<Outcome> outcomes = run_on(3, call);
  expect_done(outcomes);
  expect_contains(outcomes[0].err, "resuming after row ");
  EXPECT_EQ(read_file(file("out.jsonl")), expected);
}

}  // namespace rubric::cli::generate_ranks_test
