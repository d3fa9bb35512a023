// `generate` killed or stopped, and called again.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "cli/neural/generate_command_fixture.h"

namespace rubric::cli::generate_interruption_test {

struct GenerateInterrupted : GenerateCommand {
  // Starts a call and sends the signal when some rows are written; with more rows where it was over
  // by then.
  Outcome interrupt(const Arguments& call, int signal) const {
    for (int64_t rows = 300; rows < 20'000; rows *= 4) {
      write_sources(rows);
      fs::remove(file("out.jsonl"));
      Process process(call);
      const std::string unfinished = file("out.jsonl.unfinished");
      while (!process.ended() && (!fs::exists(unfinished) || fs::file_size(unfinished) == 0)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      process.send(signal);
      Outcome outcome = process.wait();
      if (outcome.code != 0) return outcome;
    }
    ADD_FAILURE() << "no signal came in time";
    return {};
  }
};

TEST_F(GenerateInterrupted, AKilledCallGoesOnWhereItWas) {
  for (const Arguments& how : {Arguments{"--batch", "2"}, {"--batch", "2", "--do-sample"}}) {
    const Arguments call = command(likelihood_model("t5"), how);
    EXPECT_EQ(interrupt(call, SIGKILL).signal, SIGKILL);
    const std::string unfinished = file("out.jsonl.unfinished");
    ASSERT_TRUE(fs::exists(unfinished));
    EXPECT_FALSE(fs::exists(file("out.jsonl")));
    write_file(unfinished, read_file(unfinished) + "{\"id\": \"half a l");
    const std::string written = read_file(unfinished);
    // Another call must not go on with these rows, and leaves them alone.
    Arguments other = how;
    other.insert(other.end(), {"--beams", "2"});
    if (how.size() == 2) {
      expect_message(run(command(likelihood_model("t5"), other)), 2,
                     {"made with another beams: 1 there, 2 now", unfinished});
    }
    expect_message(run(command(likelihood_model("gpt2"), how)), 2, {"made with another model"});
    const std::string identity = read_file(unfinished + ".json");
    Json of_another_build = Json::parse(identity, "");
    of_another_build["rubric"] = "0.1.0+000000000000";
    write_file(unfinished + ".json", of_another_build.dump());
    expect_message(run(call), 2, {"made with another rubric: 0.1.0+000000000000 there"});
    write_file(unfinished + ".json", identity);
    EXPECT_EQ(read_file(unfinished), written);
    const size_t second = written.find('\n') + 1;
    write_file(unfinished, written.substr(second) + written.substr(0, second));
    expect_message(run(call), 2, {"row 1 of the input", unfinished + ":1"});
    write_file(unfinished, written);

    const Outcome outcome = done(run(call));
    expect_contains(outcome.err, "resuming after row ");
    const std::string resumed = read_file(file("out.jsonl"));
    fs::remove(file("out.jsonl"));
    EXPECT_EQ(generated(likelihood_model("t5"), how), resumed);
    EXPECT_EQ(folder_.names(), (std::vector<std::string>{"out.jsonl", "rows.jsonl"}));
  }
}

TEST_F(GenerateInterrupted, AStopKeepsWhatIsThere) {
  const Arguments call = command(likelihood_model("t5"), {"--batch", "2"});
  const Outcome stopped = interrupt(call, SIGTERM);
  expect_message(stopped, 75, {"stop"});
  const std::string text = read_file(file("out.jsonl.unfinished"));
  EXPECT_TRUE(text.ends_with("\n"));
  expect_contains(run(call).err, "resuming after row " +
                                     std::to_string(std::count(text.begin(), text.end(), '\n')));
}

// The same weights, but texts end otherwise: rows of both must not stand in one file.
TEST_F(GenerateInterrupted, AModelWhoseConfigurationChangedIsRefused) {
  const std::string model = copy_model("t5");
  const Arguments call = command(model, {"--batch", "2"});
  expect_message(interrupt(call, SIGTERM), 75, {"stop"});
  set_in_file(model + "/generation_config.json", "\"eos_token_id\": 1", "\"eos_token_id\": [1, 5]");
  expect_message(run(call), 2, {"made with another configuration"});
}

}  // namespace rubric::cli::generate_interruption_test
