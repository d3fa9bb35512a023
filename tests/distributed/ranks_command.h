// A command as several processes of this machine, with torchrun's variables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "distributed/some_ranks.h"

namespace rubric {

// What torchrun sets for a rank, beside `variables` of its own.
inline Environment rank_environment(size_t rank, size_t size, int port,
                                    Environment variables = {}) {
  variables.insert({{"RANK", std::to_string(rank)},
                    {"WORLD_SIZE", std::to_string(size)},
                    {"LOCAL_RANK", std::to_string(rank)},
                    {"MASTER_ADDR", "127.0.0.1"},
                    {"MASTER_PORT", std::to_string(port)}});
  return variables;
}

// Starts each rank with its own arguments, and with variables of its own where there are any.
inline std::vector<std::unique_ptr<Process>> start_ranks(
    const std::vector<std::vector<std::string>>& commands,
    const std::vector<Environment>& variables = {}) {
  const int port = free_port();
  std::vector<std::unique_ptr<Process>> processes;
  for (size_t i = 0; i < commands.size(); ++i) {
    const Environment own = i < variables.size() ? variables[i] : Environment{};
    processes.push_back(
        std::make_unique<Process>(commands[i], rank_environment(i, commands.size(), port, own)));
  }
  return processes;
}

inline std::vector<Outcome> wait_for_all(const std::vector<std::unique_ptr<Process>>& processes) {
  std::vector<Outcome> outcomes;
  for (const auto& process : processes) outcomes.push_back(process->wait());
  return outcomes;
}

inline std::vector<Outcome> run_on(size_t size, const std::vector<std::string>& command) {
  return wait_for_all(start_ranks(std::vector<std::vector<std::string>>(size, command)));
}

// That all succeeded and only rank 0 said anything.
inline void expect_done(const std::vector<Outcome>& outcomes) {
  for (size_t rank = 0; rank < outcomes.size(); ++rank) {
    EXPECT_EQ(outcomes[rank].code, 0) << outcomes[rank].err;
    EXPECT_TRUE(rank == 0 || outcomes[rank].err.empty()) << outcomes[rank].err;
    EXPECT_TRUE(rank == 0 || outcomes[rank].out.empty()) << outcomes[rank].out;
  }
}

}  // namespace rubric
